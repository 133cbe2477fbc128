#include "interpreter/run.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "interpreter/errors.h"
#include "nnapi/type_utils.h"
#include "validate/checks.h"

namespace nn {

using ops::Shape;
using ops::Value;

Frame::Frame(const GraphPlan& plan, Budget& budget) : values(plan.values) {
    if (plan.arenaSize == 0) return;
    budget.take(plan.arenaSize);
    arena = AlignedMemory(plan.arenaSize);
}

ExecutionState::ExecutionState(const Plan& plan, uint64_t peakBytes, size_t threads)
    : budget(peakBytes),
      pool(budget),
      scratch(&budget),
      workers(threads),
      mPlan(plan),
      mFrames(plan.graphs.size()) {
    inputs.reserve(plan.model.main.inputIndexes.size());
}

void ExecutionState::addFrame(size_t graph) {
    mFrames[graph] = std::make_unique<Frame>(mPlan.graphs[graph], budget);
}

void ExecutionState::reset() {
    for (const std::unique_ptr<Frame>& frame : mFrames) {
        if (frame != nullptr) frame->forgetBuffers();
    }
    pool.releaseAll();
    scratch.reset();
    forgetArguments();
    pools.clear();
    at.reset();
    isUsed = true;
}

void ExecutionState::forgetArguments() {
    inputs.clear();
    destinations.clear();
    outputs.clear();
}

// Allocates outputs whose shape depends on data, when the kernel has computed the shape.
class Run::Results : public ops::OutputAllocator {
   public:
    Results(Run& run, const ops::OpView& op, size_t graph) : mRun(run), mOp(op), mGraph(graph) {}

    ops::MutableBytes allocate(size_t output, std::span<const uint32_t> dimensions) override {
        if (!mRun.agrees(mOp, output, mGraph, dimensions)) return nullptr;
        const uint32_t operand = mOp.output(output).operand;
        Frame& frame = mRun.mState.frame(mGraph);
        // Not assigned in place: the kernel may pass the dimensions that are kept here.
        std::vector<uint32_t>& kept = frame.dimensionsOf(operand);
        kept = std::vector(dimensions.begin(), dimensions.end());
        mRun.place(mRun.mPlan.graphs[mGraph], frame, operand, kept);
        const ops::MutableBytes memory = frame.values[operand].mutableData;
        mRun.poisonOutput(mGraph, operand, kept, memory);
        return memory;
    }

   private:
    Run& mRun;
    const ops::OpView& mOp;
    size_t mGraph;
};

Run::Run(const Plan& plan, ExecutionState& state, const ExecuteOptions& options)
    : mPlan(plan),
      mState(state),
      mOptions(options),
      mLoopTimeout(std::clamp<Duration>(options.loopTimeout.value_or(kLoopTimeoutDefault),
                                        Duration::zero(), kLoopTimeoutMaximum)),
      mOperationsLeft(plan.limits.loopFuel) {
    mState.scratch.poisonWith(options.poison);
    if (mState.workers.count() == 1) return;
    mState.interruptions.assign(mState.workers.count(), ops::Interruption(*this));
    mInterruptions = mState.interruptions;
}

Status Run::main() {
    mDeviates = absl::c_any_of(mState.inputs, std::mem_fn(&Value::omitted));
    return graph(0, mState.inputs, mState.destinations);
}

const Value& Run::output(size_t i) const {
    return mState.frame(0).values[mPlan.graphs[0].graph->outputIndexes[i]];
}

Status Run::graph(size_t g, std::span<const Value> inputs,
                  std::span<const Destination> destinations) {
    const GraphPlan& plan = mPlan.graphs[g];
    Frame& frame = mState.frame(g);
    frame.destinations = destinations;
    for (size_t i = 0; i < inputs.size(); ++i) {
        const uint32_t operand = plan.graph->inputIndexes[i];
        const std::vector<uint32_t>& declared = plan.graph->operands[operand].dimensions;
        if (!agree(inputs[i].dimensions, declared)) {
            return operandError(
                    mPlan, g, operand, ErrorStatus::GENERAL_FAILURE, "interpreter.dimensions",
                    fmt::format("the value has dimensions {}, allowed {}",
                                DimensionList{inputs[i].dimensions}, DimensionList{declared}));
        }
        Value& value = frame.values[operand];
        value.dimensions = inputs[i].dimensions;
        value.data = inputs[i].data;
        value.omitted = inputs[i].omitted;
    }
    for (size_t k = 0; k < plan.operations.size(); ++k) {
        NNAPI_RETURN_IF_ERROR(checkBeforeOperation(g, k));
        mState.at = {.graph = g, .operation = k};
        if (mOptions.starter != nullptr) start(g, k);
        NNAPI_RETURN_IF_ERROR(operation({g, k, plan, plan.graph->operations[k], frame}));
        if (mOptions.observer != nullptr) observe(g, k);
        if (!frame.hasBuffers()) continue;
        for (const uint32_t operand : plan.lastUses(k)) release(frame, operand);
    }
    return {};
}

bool Run::isCheckDue() {
    if (mOptions.isCancelled || mOptions.deadline || mStepsUntilPoll == 0) {
        mStepsUntilPoll = ops::Interruption::kStepsBetweenPolls;
        return true;
    }
    return false;
}

Status Run::checkBeforeOperation(size_t g, size_t k) {
    if (isCheckDue()) NNAPI_RETURN_IF_ERROR(checkContinues(g, k, "before it"));
    if (mOperationsLeft == 0) {
        return operationError(
                mPlan, g, k, kLimitExceeded, ruleOf(&Limits::loopFuel),
                fmt::format("the execution has computed {} before it, allowed no more",
                            Plural{mPlan.limits.loopFuel, "operations"}));
    }
    --mOperationsLeft;
    return {};
}

Status Run::poll() const {
    return checkContinues(mState.at->graph, mState.at->operation, "during it");
}

Status Run::checkContinues(size_t g, size_t k, std::string_view when) const {
    if (mOptions.isCancelled && mOptions.isCancelled()) {
        return operationError(mPlan, g, k, ErrorStatus::GENERAL_FAILURE, "interpreter.stop",
                              fmt::format("the execution was stopped {}", when));
    }
    if (hasPassed(mOptions.deadline)) {
        return operationError(mPlan, g, k, ErrorStatus::MISSED_DEADLINE_TRANSIENT,
                              "interpreter.deadline", fmt::format("the deadline passed {}", when));
    }
    std::call_once(mTimeStarted, [this] { mTime.emplace(mPlan.limits); });
    if (mTime->isUsedUp()) {
        return operationError(mPlan, g, k, kLimitExceeded, ruleOf(&Limits::time),
                              mTime->message("the execution"));
    }
    return {};
}

Status Run::operation(const Active& active) {
    const auto& [g, k, plan, operation, frame] = active;
    frame.inputs.resize(operation.inputs.size());
    for (size_t i = 0; i < operation.inputs.size(); ++i)
        frame.inputs[i] = frame.values[operation.inputs[i]];
    frame.outputs.resize(operation.outputs.size());
    for (size_t i = 0; i < operation.outputs.size(); ++i)
        frame.outputs[i] = plan.values[operation.outputs[i]];
    if (plan.settledSteps[k] != 0 && (!mDeviates || isAsPlanned(active)))
        return settledKernel(active);
    for (size_t i = 0; i < operation.outputs.size(); ++i) {
        frame.outputs[i].dimensions = plan.graph->operands[operation.outputs[i]].dimensions;
        frame.outputs[i].zeroIsSize = false;  // a 0 still means unknown
    }
    const ops::GraphKernel onGraphs = ops::graphKernelOf(operation.type);
    return onGraphs == nullptr ? kernel(active) : graphKernel(g, k, onGraphs);
}

bool Run::isAsPlanned(const Active& active) {
    const std::vector<uint32_t>& inputs = active.operation.inputs;
    for (size_t i = 0; i < inputs.size(); ++i) {
        const Value& planned = active.plan.values[inputs[i]];
        const Value& value = active.frame.inputs[i];
        if (value.omitted != planned.omitted ||
            !absl::c_equal(value.dimensions, planned.dimensions)) {
            return false;
        }
    }
    return true;
}

Status Run::settledKernel(const Active& active) try {
    const auto& [g, k, plan, operation, frame] = active;
    OperationSink sink;
    const ops::OpView op(operation.type, frame.inputs, frame.outputs, plan.operations[k].form,
                         sink);
    mStepsUntilPoll -= std::min(plan.settledSteps[k], mStepsUntilPoll);
    for (size_t i = 0; i < operation.outputs.size(); ++i) {
        const uint32_t operand = operation.outputs[i];
        const Placement& placement = plan.placements[operand];
        Value& value = frame.outputs[i];
        if (const auto expected = wanted(placement, frame); !agree(value.dimensions, expected)) {
            contradicts(op, i, expected, value.dimensions);
            return failure(g, k, sink);
        }
        if (placement.offset != Placement::kNowhere) {
            value.data = value.mutableData = frame.arena.at(placement.offset);
            frame.values[operand] = value;
        } else {
            place(plan, frame, operand, value.dimensions, placement.size);
            value.data = value.mutableData = frame.values[operand].mutableData;
        }
    }
    return compute(op, sink, active);
} catch (const ops::Interrupted& interrupted) {
    return interrupted.status;
}

Status Run::kernel(const Active& active) try {
    const auto& [g, k, plan, operation, frame] = active;
    const KnownOperation& planned = plan.operations[k];
    OperationSink sink;
    const ops::OpView op(operation.type, frame.inputs, frame.outputs, planned.form, sink);

    uint64_t steps = kStepsOfAny;
    for (size_t i = 0; i < frame.inputs.size(); ++i) {
        const Value& input = frame.inputs[i];
        const uint64_t elements = input.elementCount().value_or(kStepsOfAny);
        steps += elements;
        if (elements == 0 && !input.omitted && !planned.takesZeroSizedInputs()) [[unlikely]] {
            op.require(false, "interpreter.zero_size", "{} has dimensions {}, allowed no 0",
                       op.in(i), DimensionList{input.dimensions});
            return failure(g, k, sink);
        }
    }
    mStepsUntilPoll -= std::min(steps, mStepsUntilPoll);
    if (!placeOutputs(op, active)) return failure(g, k, sink);
    for (size_t i = 0; i < frame.outputs.size(); ++i) {
        const Value& placed = frame.values[operation.outputs[i]];
        Value& value = frame.outputs[i];
        value.dimensions = placed.dimensions;
        value.data = placed.data;
        value.mutableData = placed.mutableData;
        value.zeroIsSize = placed.zeroIsSize;
    }
    return compute(op, sink, active);
} catch (const ops::Interrupted& interrupted) {
    return interrupted.status;
}

Status Run::compute(const ops::OpView& op, const OperationSink& sink, const Active& active) {
    const auto& [g, k, plan, operation, frame] = active;
    const ExtensionOperation* extension = plan.operations[k].extension;
    mState.scratch.reset();
    if (mOptions.poison) [[unlikely]] {
        for (const Value& output : frame.outputs)
            poisonOutput(g, output.operand, output.dimensions, output.mutableData);
    }
    Results results(*this, op, g);
    ops::KernelCall execution(op, frame.outputs, mState.scratch, mState.workers, mInterruptions,
                              &results);
    const bool computed =
            extension == nullptr
                    ? mState.kernelOf(op.type())(execution)
                    : mPlan.extensions.compute(*extension, execution, [this] { return poll(); });
    if (computed && !sink.failed()) return {};
    // The extension may have failed because the execution must end, which has another code.
    if (extension != nullptr) NNAPI_RETURN_IF_ERROR(poll());
    return failure(g, k, sink);
}

void Run::poisonOutput(size_t g, uint32_t operand, std::span<const uint32_t> dimensions,
                       ops::MutableBytes memory) const {
    if (!mOptions.poison || memory == nullptr) return;
    const ElementType element = mPlan.graphs[g].operands[operand].element;
    poison(memory, byteSize(element, dimensions).value_or(0), *mOptions.poison);
}

bool Run::placeOutputs(const ops::OpView& op, const Active& active) {
    const auto& [g, k, plan, operation, frame] = active;
    frame.shapes.resize(frame.outputs.size());
    for (Shape& shape : frame.shapes) shape.reset();
    if (!outputShapes(plan.operations[k], &mPlan.extensions, mPlan.limits, op, frame.shapes)) {
        return false;
    }
    for (size_t i = 0; i < frame.shapes.size(); ++i) {
        const uint32_t operand = operation.outputs[i];
        Shape& shape = frame.shapes[i];
        if (!isFullyKnown(shape)) {
            const std::vector<uint32_t>& declared = plan.graph->operands[operand].dimensions;
            if (!fill(shape, declared) || !fill(shape, wanted(plan.placements[operand], frame))) {
                op.sink().fail("operation.output_shape",
                               shapeContradiction(op, i, declared, shape));
                return false;
            }
        }
        Value& value = frame.values[operand];
        const KnownOperand& planned = plan.operands[operand];
        if (planned.isKnown && shape && absl::c_equal(*shape, planned.dimensions)) {
            if (!agreesWithCaller(op, i, g, planned.dimensions)) return false;
            place(plan, frame, operand, planned.dimensions);
        } else if (isFullyKnown(shape)) {
            std::vector<uint32_t>& kept = frame.dimensionsOf(operand);
            kept.resize(shape->size());
            absl::c_transform(*shape, kept.begin(), [](const ops::Dim& dim) { return *dim; });
            if (!agrees(op, i, g, kept)) return false;
            place(plan, frame, operand, kept);
        } else {  // the kernel allocates it by Results
            value.dimensions = {};
            value.data = value.mutableData = nullptr;
        }
    }
    return true;
}

bool Run::agrees(const ops::OpView& op, size_t i, size_t g,
                 std::span<const uint32_t> dimensions) const {
    const GraphPlan& plan = mPlan.graphs[g];
    const uint32_t operand = op.output(i).operand;
    const KnownOperand& planned = plan.operands[operand];
    const std::span<const uint32_t> declared = plan.graph->operands[operand].dimensions;
    const bool isPlanned = planned.isKnown && !mDeviates;
    const bool isAsPlanned = !isPlanned || absl::c_equal(dimensions, planned.dimensions);
    return (agree(dimensions, declared) || contradicts(op, i, declared, dimensions)) &&
           agreesWithCaller(op, i, g, dimensions) &&
           (isAsPlanned || contradicts(op, i, planned.dimensions, dimensions));
}

bool Run::agreesWithCaller(const ops::OpView& op, size_t i, size_t g,
                           std::span<const uint32_t> dimensions) const {
    const Placement& placement = mPlan.graphs[g].placements[op.output(i).operand];
    const std::span<const uint32_t> expected = wanted(placement, mState.frame(g));
    return agree(dimensions, expected) || contradicts(op, i, expected, dimensions);
}

bool Run::contradicts(const ops::OpView& op, size_t i, std::span<const uint32_t> declared,
                      std::span<const uint32_t> dimensions) {
    const Shape computed(std::in_place, dimensions.begin(), dimensions.end());
    op.sink().fail("operation.output_shape", shapeContradiction(op, i, declared, computed));
    return false;
}

void Run::place(const GraphPlan& plan, Frame& frame, uint32_t operand,
                std::span<const uint32_t> dimensions) {
    const auto bytes = byteSize(plan.operands[operand].element, dimensions);
    if (!bytes) throw CeilingReached();
    place(plan, frame, operand, dimensions, *bytes);
}

void Run::place(const GraphPlan& plan, Frame& frame, uint32_t operand,
                std::span<const uint32_t> dimensions, uint64_t bytes) {
    const Placement& placement = plan.placements[operand];
    Value& value = frame.values[operand];
    value.dimensions = dimensions;

    Destination destination;
    if (placement.offset != Placement::kNowhere) {
        destination = {.data = frame.arena.at(placement.offset), .capacity = placement.size};
    } else if (placement.output < frame.destinations.size()) {
        destination = frame.destinations[placement.output];
    }
    if (destination.data != nullptr && bytes <= destination.capacity &&
        isAligned(destination.data, plan.operands[operand].element)) {
        value.mutableData = destination.data;
    } else {
        release(frame, operand);
        Buffer* buffer = mState.pool.acquire(bytes);
        frame.setBuffer(operand, buffer);
        value.mutableData = buffer->data();
    }
    value.data = value.mutableData;
}

void Run::release(Frame& frame, uint32_t operand) {
    mState.pool.release(frame.takeBuffer(operand));
}

void Run::start(size_t g, size_t k) const {
    const OperationType type = mPlan.graphs[g].graph->operations[k].type;
    const std::string path = pathOf(g, "operations", k);
    const std::string name = mPlan.extensions.operationName(type);
    mOptions.starter({.graph = g, .operation = k, .path = path, .name = name});
}

void Run::observe(size_t g, size_t k) const {
    const GraphPlan& plan = mPlan.graphs[g];
    const Frame& frame = mState.frame(g);
    std::vector<ComputedOperation::Output> outputs;
    for (const uint32_t operand : plan.graph->operations[k].outputs) {
        const Value& value = frame.values[operand];
        const auto size = byteSize(plan.operands[operand].element, value.dimensions);
        outputs.push_back({.operand = operand,
                           .type = value.type,
                           .dimensions = value.dimensions,
                           .data = {value.data.get(), static_cast<size_t>(size.value_or(0))}});
    }
    const std::string path = pathOf(g, "operations", k);
    const std::string name = mPlan.extensions.operationName(plan.graph->operations[k].type);
    mOptions.observer({.graph = g, .operation = k, .path = path, .name = name, .outputs = outputs});
}

Status Run::failure(size_t g, size_t k, const OperationSink& sink) const {
    return operationError(mPlan, g, k, sink.code(), sink.rule(), sink.message());
}

}  // namespace nn
