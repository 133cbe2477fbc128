// nnapi/driver/trace.h -- Records time slices for chrome://tracing and ui.perfetto.dev.
//
//   const auto trace = std::make_shared<nn::Trace>();
//   nn::SharedDevice device = nn::traced(npu, trace);          // every call becomes a slice
//   {
//       NNAPI_TRACE(trace, APPLICATION, INPUTS_AND_OUTPUTS, "read image");
//       readImage();                                           // the slice ends with the scope
//   }
//   write("trace.json", trace->json());
//
// A slice is named after its layer, phase and a detail, "[NN_LD_PE]npu execute", as in Android's
// traces, so that Android's tools can aggregate them. Slices of one thread nest or follow one
// another. Without a trace, or with one that is off, a slice costs one comparison. Thread-safe.
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

// The component that a slice belongs to.
enum class TraceLayer : uint8_t { APPLICATION, RUNTIME, IPC, DRIVER, CPU, OTHER, UTILITY };

// The activity during a slice. The last four are parts of an execution.
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

// How a slice affects the enclosing one, for tools that add up times.
enum class TraceMode : uint8_t {
    PLAIN,
    SWITCH,    // from here on, time counts for this phase and not for the enclosing one
    SUBTRACT,  // the time is subtracted from that phase
};

// "LD", "PE"; "LO" and "PU" for values without an enumerator.
std::string_view codeOf(TraceLayer layer);
std::string_view codeOf(TracePhase phase);

// "[NN_LD_PE]detail", "[SW][NN_LD_PE]detail", "[SUB][NN_LD_PE]detail"
std::string sliceName(TraceLayer layer, TracePhase phase, std::string_view detail,
                      TraceMode mode = TraceMode::PLAIN);

// Options of a trace.
struct TraceOptions {
    bool isOn = true;  // at first; see setOn()
    // Further slices are counted but not kept.
    size_t maxSlices = size_t{1} << 18;
};

// Collects slices of all threads.
class Trace {
   public:
    // Times count from now.
    explicit Trace(TraceOptions options = {});

    // Turns recording on or off. Slices that have begun are still recorded.
    void setOn(bool isOn) { mIsOn.store(isOn, std::memory_order_relaxed); }
    // False if a slice that begins now is not recorded.
    bool isOn() const { return mIsOn.load(std::memory_order_relaxed); }

    // Number of slices kept.
    size_t size() const;
    // Number of slices that were dropped because of maxSlices or a lack of memory.
    size_t dropped() const;
    // Forgets all slices and the number of dropped ones.
    void clear();

    // Finished slices in the trace event format: complete events with "name", "cat" (the layer),
    // "pid", "tid", and "ts" and "dur" in microseconds since the trace was created.
    std::string json() const;

    // Adds a slice of this thread; called by TraceScope and NNAPI_TRACE. If memory has run out, it
    // counts as dropped.
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

    const size_t mMaxSlices;
    const TimePoint mStart;
    std::atomic<bool> mIsOn;
    mutable std::mutex mMutex{};
    std::vector<Slice> mSlices{};
    size_t mDropped = 0;
};

// Null records nothing.
using SharedTrace = std::shared_ptr<Trace>;

// A slice from construction to the end of the scope. Trace and detail must outlive it.
class TraceScope {
   public:
    // Begins the slice. Null, or a trace that is off now, records none.
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

// A device that records its calls, and those of its prepared models, executions, bursts and
// buffers, as slices of a layer: IPC for one behind a wrapper. Returns the device itself for null
// arguments.
SharedDevice traced(SharedDevice device, SharedTrace trace, TraceLayer layer = TraceLayer::DRIVER);

// Options that also record a slice [NN_LC_PCO] for each operation, nested in those of the enclosing
// IF or WHILE. For one execution; a failed one has slices up to the failure. Unchanged if the trace
// is off.
ExecuteOptions traced(ExecuteOptions options, SharedTrace trace);

}  // namespace nn

#define NNAPI_TRACE_JOIN_(a, b) a##b
#define NNAPI_TRACE_NAME_(line) NNAPI_TRACE_JOIN_(nnapi_trace_, line)

// Records a slice to the end of the scope: NNAPI_TRACE(trace, DRIVER, EXECUTION, "detail")
#define NNAPI_TRACE(trace, LAYER, PHASE, detail)                                       \
    const ::nn::TraceScope NNAPI_TRACE_NAME_(__LINE__)(trace, ::nn::TraceLayer::LAYER, \
                                                       ::nn::TracePhase::PHASE, detail)
// The same with TraceMode::SWITCH.
#define NNAPI_TRACE_SWITCH(trace, LAYER, PHASE, detail)                                 \
    const ::nn::TraceScope NNAPI_TRACE_NAME_(__LINE__)(trace, ::nn::TraceLayer::LAYER,  \
                                                       ::nn::TracePhase::PHASE, detail, \
                                                       ::nn::TraceMode::SWITCH)
// The same with TraceMode::SUBTRACT.
#define NNAPI_TRACE_SUBTRACT(trace, LAYER, PHASE, detail)                               \
    const ::nn::TraceScope NNAPI_TRACE_NAME_(__LINE__)(trace, ::nn::TraceLayer::LAYER,  \
                                                       ::nn::TracePhase::PHASE, detail, \
                                                       ::nn::TraceMode::SUBTRACT)
