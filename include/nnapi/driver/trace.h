// nnapi/driver/trace.h -- where the time goes, for chrome://tracing and ui.perfetto.dev.
//
//   const auto trace = std::make_shared<nn::Trace>();
//   nn::SharedDevice device = nn::traced(npu, trace);          // every call becomes a slice
//   {
//       NNAPI_TRACE(trace, APPLICATION, INPUTS_AND_OUTPUTS, "read image");
//       readImage();                                           // however the scope is left
//   }
//   write("trace.json", trace->json());
//
// A slice is named by its layer, its phase and a detail, "[NN_LD_PE]npu execute", as in traces of
// Android, whose tools add them up. Of a thread, slices lie within or beside one another. Where
// there is no trace, or it is off, a slice costs one comparison. Thread-safe.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/interpreter.h"

namespace nn {

enum class TraceLayer : uint8_t { APPLICATION, RUNTIME, IPC, DRIVER, CPU, OTHER, UTILITY };

// The last four are parts of an execution.
enum class TracePhase : uint8_t {
    OVERALL,
    WARMUP,
    BENCHMARK,
    INITIALIZATION,
    PREPARATION,
    COMPILATION,
    EXECUTION,
    TERMINATION,
    UNSPECIFIED,
    INPUTS_AND_OUTPUTS,
    TRANSFORMATION,
    COMPUTATION,
    RESULTS,
};

// What a slice does to the one around it, for tools that add times up.
enum class TraceMode : uint8_t {
    PLAIN,
    SWITCH,    // from here on, the time is of this phase and not of that
    SUBTRACT,  // the time is not of that phase
};

// "LD", "PE"; "LO" and "PU" for values that are none.
std::string_view codeOf(TraceLayer layer);
std::string_view codeOf(TracePhase phase);

// "[NN_LD_PE]detail", "[SW][NN_LD_PE]detail", "[SUB][NN_LD_PE]detail"
std::string sliceName(TraceLayer layer, TracePhase phase, std::string_view detail,
                      TraceMode mode = TraceMode::PLAIN);

struct TraceOptions {
    bool isOn = true;
    // What comes after that many is counted, and not kept.
    size_t mostSlices = size_t{1} << 18;
};

class Trace {
   public:
    explicit Trace(TraceOptions options = {});

    // Slices that have begun end as they would.
    void setOn(bool isOn) { mIsOn.store(isOn, std::memory_order_relaxed); }
    bool isOn() const { return mIsOn.load(std::memory_order_relaxed); }

    size_t size() const;
    size_t dropped() const;
    void clear();

    // The slices that have ended, in the trace event format: complete events with "name", "cat"
    // (the layer), "pid", "tid", "ts" and "dur", both in microseconds since the trace was made.
    std::string json() const;

    // Adds a slice of this thread; TraceScope and NNAPI_TRACE call it. Nothing is thrown: where
    // memory has run out, it is counted as dropped.
    void add(TraceLayer layer, TracePhase phase, std::string_view detail, TraceMode mode,
             TimePoint begin, TimePoint end) noexcept;

   private:
    struct Slice {
        std::string name;
        TraceLayer layer;
        int64_t thread;
        Duration begin;  // since mStart
        Duration length;
    };

    const size_t mMostSlices;
    const TimePoint mStart;
    std::atomic<bool> mIsOn;
    mutable std::mutex mMutex{};
    std::vector<Slice> mSlices{};
    size_t mDropped = 0;
};

using SharedTrace = std::shared_ptr<Trace>;

// A slice from here to the end of the scope. The trace and the detail must live as long.
class TraceScope {
   public:
    TraceScope(Trace* trace, TraceLayer layer, TracePhase phase, std::string_view detail,
               TraceMode mode = TraceMode::PLAIN)
        : mTrace(trace != nullptr && trace->isOn() ? trace : nullptr),
          mLayer(layer),
          mPhase(phase),
          mMode(mode),
          mDetail(detail) {
        if (mTrace != nullptr) mBegin = Clock::now();
    }
    TraceScope(const SharedTrace& trace, TraceLayer layer, TracePhase phase,
               std::string_view detail, TraceMode mode = TraceMode::PLAIN)
        : TraceScope(trace.get(), layer, phase, detail, mode) {}
    TraceScope(const TraceScope&) = delete;
    TraceScope& operator=(const TraceScope&) = delete;
    ~TraceScope() {
        if (mTrace != nullptr) mTrace->add(mLayer, mPhase, mDetail, mMode, mBegin, Clock::now());
    }

   private:
    Trace* mTrace;
    TraceLayer mLayer;
    TracePhase mPhase;
    TraceMode mMode;
    std::string_view mDetail;
    TimePoint mBegin{};
};

// A device whose calls, and those of its prepared models, executions, bursts and buffers, are
// slices of that layer: IPC for one behind a wrapper. The device itself for null arguments.
SharedDevice traced(SharedDevice device, SharedTrace trace, TraceLayer layer = TraceLayer::DRIVER);

// The same options, with a slice [NN_LC_PCO] for each operation, within those of the IF or WHILE
// around it. For one execution; what fails has slices up to there. Unchanged where the trace is
// off.
ExecuteOptions traced(ExecuteOptions options, SharedTrace trace);

}  // namespace nn

#define NNAPI_TRACE_JOIN_(a, b) a##b
#define NNAPI_TRACE_NAME_(line) NNAPI_TRACE_JOIN_(nnapi_trace_, line)

// A slice to the end of the scope: NNAPI_TRACE(trace, DRIVER, EXECUTION, "detail")
#define NNAPI_TRACE(trace, LAYER, PHASE, detail)                                       \
    const ::nn::TraceScope NNAPI_TRACE_NAME_(__LINE__)(trace, ::nn::TraceLayer::LAYER, \
                                                       ::nn::TracePhase::PHASE, detail)
#define NNAPI_TRACE_SWITCH(trace, LAYER, PHASE, detail)                                 \
    const ::nn::TraceScope NNAPI_TRACE_NAME_(__LINE__)(trace, ::nn::TraceLayer::LAYER,  \
                                                       ::nn::TracePhase::PHASE, detail, \
                                                       ::nn::TraceMode::SWITCH)
#define NNAPI_TRACE_SUBTRACT(trace, LAYER, PHASE, detail)                               \
    const ::nn::TraceScope NNAPI_TRACE_NAME_(__LINE__)(trace, ::nn::TraceLayer::LAYER,  \
                                                       ::nn::TracePhase::PHASE, detail, \
                                                       ::nn::TraceMode::SUBTRACT)
