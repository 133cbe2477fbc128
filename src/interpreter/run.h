// One execution: its memory, which the prepared model keeps for the next one, and the traversal of
// the graphs.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "interpreter/buffers.h"
#include "interpreter/plan.h"
#include "op_support/kernels/graph_runner.h"
#include "types/memory_file.h"

namespace nn {

// The memory that the caller of a graph (the request, an IF or a WHILE) provides for an output, and
// the dimensions that the output may have. A value that does not fit, or that has only dimensions,
// gets its own memory.
struct Destination {
    ops::MutableBytes data{};
    uint64_t capacity = 0;                   // bytes
    std::span<const uint32_t> dimensions{};  // 0 or empty: any
};

// The operands of one graph while it is executed. A graph is never active twice at a time, since it
// cannot refer to itself.
struct Frame {
    Frame(const GraphPlan& plan, Budget& budget);

    AlignedMemory arena;
    std::vector<ops::Value> values;
    std::span<const Destination> destinations{};

    // The dimensions of a value whose shape was not planned.
    std::vector<uint32_t>& dimensionsOf(uint32_t operand) {
        if (mDimensions.empty()) mDimensions.resize(values.size());
        return mDimensions[operand];
    }

    // For a value outside the arena. Ownership of the buffer passes on; null means none.
    void setBuffer(uint32_t operand, Buffer* buffer) {
        if (mBuffers.empty() && buffer != nullptr) mBuffers.resize(values.size());
        if (!mBuffers.empty()) mBuffers[operand] = buffer;
    }
    Buffer* takeBuffer(uint32_t operand) {
        return mBuffers.empty() ? nullptr : std::exchange(mBuffers[operand], nullptr);
    }
    bool hasBuffers() const { return !mBuffers.empty(); }
    void forgetBuffers() { std::fill(mBuffers.begin(), mBuffers.end(), nullptr); }

    // The operands of the current operation; the vectors stay to reuse their memory.
    std::vector<ops::Value> inputs{};
    absl::InlinedVector<ops::Value, 1> outputs{};
    absl::InlinedVector<ops::Shape, 1> shapes{};

    // For a current IF: the destinations of its branch's outputs. For a WHILE: the values passed
    // from one iteration to the next.
    struct Carried {
        ops::Value value{};
        std::vector<uint32_t> dimensions{};
        Buffer* buffer = nullptr;
    };
    std::vector<Destination> innerDestinations{};
    std::vector<Carried> carried{};
    std::vector<ops::Value> carriedValues{};

   private:
    // By operand; empty before first use.
    std::vector<std::vector<uint32_t>> mDimensions{};
    std::vector<Buffer*> mBuffers{};
};

// All memory that an execution uses. It serves one execution at a time.
class ExecutionState {
   public:
    ExecutionState(const Plan& plan, uint64_t peakBytes, size_t threads);

    Frame& frame(size_t graph) {
        if (mFrames[graph] == nullptr) [[unlikely]]
            addFrame(graph);
        return *mFrames[graph];
    }

    // Releases the leftovers of an execution, so that the next one can start.
    void reset();
    void forgetArguments();

    Budget budget;
    BufferPool pool;
    ops::Scratch scratch;
    ops::Workers workers;
    ops::Kernel (*kernelOf)(OperationType) = ops::kernelOf;  // others in tests
    std::vector<ops::Interruption> interruptions{};          // of the workers, if there are several
    bool isUsed = false;

    // The current operation; none before the first.
    struct At {
        size_t graph = 0;
        size_t operation = 0;
    };
    std::optional<At> at{};

    // The inputs and destinations of the main graph.
    std::vector<ops::Value> inputs{};
    std::vector<Destination> destinations{};
    // The destination of a request's output: memory of the caller, or a file.
    struct Output {
        uint8_t* data = nullptr;
        const MemoryFile* file = nullptr;
        uint64_t offset = 0;
        uint64_t size = 0;
    };
    std::vector<Output> outputs{};
    std::vector<MemoryFile> pools{};  // of the request

   private:
    void addFrame(size_t graph);

    const Plan& mPlan;
    absl::InlinedVector<std::unique_ptr<Frame>, 1> mFrames;
};

class Run : private ops::Watch {
   public:
    // The options must outlive the run.
    Run(const Plan& plan, ExecutionState& state, const ExecuteOptions& options);
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;

    // Executes the main graph on the inputs and destinations of the state.
    Status main();

    // A result of main(): with dimensions and data, at its destination or in memory of the state.
    const ops::Value& output(size_t i) const;

   private:
    class Results;
    class Graphs;

    // An operation while it is executed.
    struct Active {
        size_t graph;
        size_t index;
        const GraphPlan& plan;
        const Operation& operation;
        Frame& frame;
    };

    Status graph(size_t graph, std::span<const ops::Value> inputs,
                 std::span<const Destination> destinations);
    // OK if the operation may begin; otherwise the reason to stop.
    Status checkBeforeOperation(size_t graph, size_t k);
    // True if the deadline or the time limit may have passed.
    bool isCheckDue();
    // OK while the current operation may continue; otherwise the reason to stop.
    Status poll() const override;
    // Checks the caller's stop function, the deadline and the time limit. `when` is "before it" or
    // "during it", where "it" is the operation that the error names.
    Status checkContinues(size_t graph, size_t k, std::string_view when) const;

    Status operation(const Active& active);
    Status kernel(const Active& active);
    // The same where preparation has found the shapes.
    Status settledKernel(const Active& active);
    // True if the inputs of a settled operation are as they were at preparation.
    static bool isAsPlanned(const Active& active);
    // Calls the kernel, once outputs of known shape have their memory.
    Status compute(const ops::OpView& op, const OperationSink& sink, const Active& active);
    Status graphKernel(size_t graph, size_t k, ops::GraphKernel kernel);

    // Fills the memory of an output if the options request it.
    void poisonOutput(size_t graph, uint32_t operand, std::span<const uint32_t> dimensions,
                      ops::MutableBytes memory) const;

    // Infers the shapes of the outputs of an operation from its inputs, and assigns memory to
    // outputs of known shape.
    bool placeOutputs(const ops::OpView& op, const Active& active);

    // False, after a report, if the dimensions of an output contradict the model, the caller of the
    // graph or the plan.
    bool agrees(const ops::OpView& op, size_t output, size_t graph,
                std::span<const uint32_t> dimensions) const;
    // The same, for the caller only.
    bool agreesWithCaller(const ops::OpView& op, size_t output, size_t graph,
                          std::span<const uint32_t> dimensions) const;
    // Reports the contradiction; always false.
    static bool contradicts(const ops::OpView& op, size_t output,
                            std::span<const uint32_t> declared,
                            std::span<const uint32_t> dimensions);

    // The dimensions that the caller of a graph demands of an operand; empty if it demands none.
    static std::span<const uint32_t> wanted(const Placement& placement, const Frame& frame) {
        if (placement.output >= frame.destinations.size()) return {};
        return frame.destinations[placement.output].dimensions;
    }

    // Sets the dimensions and memory of a value: the caller's memory, the arena, or a buffer.
    void place(const GraphPlan& plan, Frame& frame, uint32_t operand,
               std::span<const uint32_t> dimensions);
    void place(const GraphPlan& plan, Frame& frame, uint32_t operand,
               std::span<const uint32_t> dimensions, uint64_t bytes);

    void release(Frame& frame, uint32_t operand);

    void start(size_t graph, size_t k) const;
    void observe(size_t graph, size_t k) const;

    Status failure(size_t graph, size_t k, const OperationSink& sink) const;

    const Plan& mPlan;
    ExecutionState& mState;
    const ExecuteOptions& mOptions;
    Duration mLoopTimeout;
    uint64_t mOperationsLeft;
    ops::Interruption mInterruption{*this};  // of the one worker
    std::span<ops::Interruption> mInterruptions{&mInterruption, 1};

    // Reading the clock costs as much as a small operation, so it is read only after some work.
    uint64_t mStepsUntilPoll = ops::Interruption::kStepsBetweenPolls;
    mutable std::once_flag mTimeStarted;
    mutable std::optional<TimeLimit> mTime;  // from the first poll on

    // The execution omits an input that the model does not omit, so shapes may differ from the
    // plan.
    bool mDeviates = false;
};

}  // namespace nn
