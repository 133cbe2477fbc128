// Every execution mode, in every version and in both directions: the result of a device, and the
// result that its client sees. A Behavior makes any device return invalid results.
//
//   for (const ExecutionMode& mode : adapterModes()) mode.see({.code = NONE, .outputShapes =
//   {...}}, {});
//
// Behind an adapter, a canonical device serves clients of a version (adapterModes(), in
// execution_clients.h); behind a wrapper, a driver of a version serves a canonical client
// (wrapperModes(), in execution_drivers.h).
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "driver/adapter_fakes.h"
#include "nnapi/driver/interfaces.h"

namespace nn::execution_modes {

namespace fakes = driver_adapter_fakes;
using hidl::sp;
using Shapes = std::vector<OutputShape>;

// How a device misbehaves apart from its results.
enum class Lie {
    NONE,
    // For any device.
    NULL_INFO,       // a fenced execution without a callback
    NULL_BURST,      // success without a burst
    NULL_EXECUTION,  // success without a reusable execution
    // For drivers.
    SILENT,          // a call that returns without its results
    TOO_SMALL_CODE,  // a call returns OUTPUT_INSUFFICIENT_SIZE, which belongs into another result
    NOTIFIES_WITH_1_0,  // through the method that has no shapes
    // For canonical devices.
    CLOSED_FENCE,
};

// The result of a device: code, shapes and times, valid or not.
struct Behavior {
    ErrorStatus code = ErrorStatus::NONE;
    Shapes outputShapes{};
    Timing timing{};
    Lie lie = Lie::NONE;
};

// The execution: an addition of four elements.
struct ExecutionCase {
    Dimensions model{4};
    Dimensions inputs{};   // in the request
    Dimensions outputs{};  // in the request
    MeasureTiming measure = MeasureTiming::NO;
    bool isModelKnown = true;  // false after preparing from a cache

    Request request() const {
        Request request = PooledSum().request();
        for (auto& input : request.inputs) input.dimensions = inputs;
        for (auto& output : request.outputs) output.dimensions = outputs;
        return request;
    }
};

// The result that a client sees.
struct Seen {
    ErrorStatus code = ErrorStatus::GENERAL_FAILURE;
    Shapes outputShapes{};
    Timing timing{};
    std::string message{};  // if the execution fails
    bool operator==(const Seen&) const = default;
};

inline void PrintTo(const Seen& seen, std::ostream* out) {
    *out << toString(seen.code);
    for (const OutputShape& shape : seen.outputShapes) {
        *out << (shape.isSufficient ? " sufficient" : " insufficient")
             << testing::PrintToString(shape.dimensions);
    }
    for (const auto& time : {seen.timing.timeOnDevice, seen.timing.timeInDriver}) {
        if (time) *out << " " << time->count() << "ns";
    }
    if (!seen.message.empty()) *out << " \"" << seen.message << '"';
}

enum class Kind { EXECUTE, ASYNCHRONOUS, REUSABLE, FENCED, REUSABLE_FENCED, BURST, BURST_REUSABLE };

struct ExecutionMode {
    std::string name;
    HalVersion version;
    Kind kind;
    // The start of messages: the method whose result is checked. Empty if clients see none.
    std::string judged;
    std::function<Seen(const Behavior&, const ExecutionCase&)> see;

    bool isFenced() const { return kind == Kind::FENCED || kind == Kind::REUSABLE_FENCED; }
    bool isBurst() const { return kind == Kind::BURST || kind == Kind::BURST_REUSABLE; }
    bool isReusable() const {
        return kind == Kind::REUSABLE || kind == Kind::REUSABLE_FENCED ||
               kind == Kind::BURST_REUSABLE;
    }
    bool isHidl() const { return version < HalVersion::AIDL1; }
};

}  // namespace nn::execution_modes
