#include "backends/xnnpack/program.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "base/float_environment.h"
#include "base/no_throw.h"
#include "driver/fences/deadlines.h"
#include "driver/threads/cancellation.h"
#include "interpreter/arena_planner.h"
#include "interpreter/arguments.h"
#include "interpreter/errors.h"
#include "nnapi/checked_math.h"
#include "nnapi/driver/callbacks.h"
#include "nnapi/print.h"
#include "nnapi/validate.h"
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace nn::xnnpack {
namespace {

constexpr std::string_view kWork = "the preparation";

Status statusOf(const Plan& plan, size_t operation, Refusal why) {
    return operationError(plan, 0, operation, why.code, why.rule, std::move(why.message));
}

void copyBytes(const uint8_t* from, uint64_t count, bool isFlipped, uint8_t* to) {
    if (!isFlipped) {
        std::memcpy(to, from, count);
        return;
    }
    for (uint64_t i = 0; i < count; ++i) to[i] = from[i] ^ kUppermostBit;
}

// ThreadSanitizer does not see how pthreadpool hands work over, which is not compiled for it.
#if defined(__SANITIZE_THREAD__)
void handOver(const void* work) { __tsan_release(const_cast<void*>(work)); }
void takeOver(const void* work) { __tsan_acquire(const_cast<void*>(work)); }
#else
void handOver(const void*) {}
void takeOver(const void*) {}
#endif

void compute(const Rows& rows, const uint8_t* input, uint8_t* output, pthreadpool_t threads) {
    const auto each = [&](size_t row) { rows.compute(input, output, row); };
    handOver(&each);
    pthreadpool_parallelize_1d(
            threads,
            [](void* function, size_t row) {
                takeOver(function);
                (*static_cast<decltype(each)*>(function))(row);
                handOver(function);
            },
            const_cast<void*>(static_cast<const void*>(&each)), rows.count,
            PTHREADPOOL_FLAG_DISABLE_DENORMALS);
    takeOver(&each);
}

}  // namespace

Status initialize() {
    const xnn_status status = xnn_initialize(nullptr);
    if (status == xnn_status_success) return {};
    const Refusal why = refusalOf(status, "XNNPACK cannot be used");
    return makeError(why.code, Diagnostic{.rule = why.rule, .message = why.message});
}

std::optional<Refusal> make(const Lowering& lowering, Operator& made) {
    if (!lowering.create) return std::nullopt;
    const xnn_status status = lowering.create(made);
    if (status != xnn_status_success) return refusalOf(status, "it is not supported");
    return std::nullopt;
}

// ---- lowering

Lowerings::Lowerings(const Model::Subgraph& graph, std::span<const ops::Value> values,
                     std::span<const KnownOperation> known)
    : mGraph(graph), mValues(values), mKnown(known), mIsStoredSigned(graph.operands.size()) {
    for (size_t i = 0; i < graph.operands.size(); ++i) {
        mIsStoredSigned[i] = isSigned(graph.operands[i].type);
    }
}

std::optional<Refusal> Lowerings::lower(size_t k, Lowering& lowering,
                                        const FusedActivation* fused) {
    const Operation& operation = mGraph.operations[k];
    const Operation& last = fused == nullptr ? operation : mGraph.operations[fused->operation];
    ops::CallValues inputs, outputs;
    for (const uint32_t i : operation.inputs) inputs.push_back(mValues[i]);
    for (const uint32_t i : last.outputs) outputs.push_back(mValues[i]);
    if (fused != nullptr) {
        inputs[fused->input].data =
                ops::Bytes::entrusted(reinterpret_cast<const uint8_t*>(&fused->activation));
    }
    OperationSink sink;
    const ops::OpView op(operation.type, inputs, outputs, mKnown[k].form, sink);
    if (auto refusal = xnnpack::lower(op, sink, mKnown[k], mIsStoredSigned, lowering)) {
        return refusal;
    }
    for (const uint32_t i : last.outputs) {
        if (isQuant8(mGraph.operands[i].type)) mIsStoredSigned[i] = lowering.isSigned;
    }
    return std::nullopt;
}

// ---- planning

class Program::Planner {
   public:
    explicit Planner(Program& program)
        : mProgram(program),
          mPlan(*program.mPlan),
          mMain(mPlan.model.main),
          mFused(fusedActivations(mMain, mPlan.graphs[0].values, mPlan.graphs[0].operations)),
          mIsApplied(mMain.operations.size(), false),
          mLocations(mMain.operands.size()),
          mIsPlaced(mMain.operands.size(), false) {}

    Status plan(const StopCondition& until) {
        Lowerings lowerings(mMain, mPlan.graphs[0].values, mPlan.graphs[0].operations);
        const WorkBudget watched(until, mPlan.limits, kWork);
        std::vector<Lowering> all(mMain.operations.size());
        for (size_t k = 0; k < all.size(); ++k) {
            if (auto end = watched.poll()) {
                return operationError(mPlan, 0, k, end->code, end->rule, std::move(end->message));
            }
            if (mIsApplied[k]) continue;
            std::optional<FusedActivation>& fused = mFused[k];
            if (fused && !lowerings.lower(k, all[k], &*fused)) {
                mIsApplied[fused->operation] = true;
                continue;
            }
            fused.reset();
            all[k] = {};
            if (auto refusal = lowerings.lower(k, all[k])) {
                return statusOf(mPlan, k, *std::move(refusal));
            }
        }
        mIsStoredSigned = lowerings.isStoredSigned();
        NNAPI_RETURN_IF_ERROR(placeInputs(all));
        for (size_t k = 0; k < all.size(); ++k) {
            NNAPI_RETURN_IF_ERROR(addOperation(k, std::move(all[k])));
        }
        NNAPI_RETURN_IF_ERROR(addOutputs());
        mProgram.mArenaSize = mArena.size();
        const auto bytes = checkedAdd<uint64_t>(mArena.size(), mConstantsSize);
        NNAPI_RETURN_IF_ERROR(within(mPlan.limits, &Limits::peakBytes,
                                     bytes.value_or(std::numeric_limits<uint64_t>::max()), "main"));
        // XNNPACK reads, but does not use, bytes past the end of a value: they are zeros here.
        mProgram.mConstants = AlignedMemory(mConstantsSize);
        for (const auto& [constant, offset] : mConstants) {
            const auto& [operand, isFlipped] = constant;
            copyBytes(mPlan.graphs[0].values[operand].data, bytesOf(operand), isFlipped,
                      mProgram.mConstants.at(offset));
        }
        return {};
    }

   private:
    uint64_t bytesOf(uint32_t operand) const {
        const KnownOperand& known = mPlan.graphs[0].operands[operand];
        return byteSize(known.element, known.dimensions).value_or(0);
    }

    Result<Location> allocate(uint64_t bytes) {
        const auto offset = mArena.allocate(bytes + XNN_EXTRA_BYTES);
        if (!offset) {
            return makeError(kLimitExceeded,
                             Diagnostic{.rule = ruleOf(&Limits::peakBytes),
                                        .path = "main",
                                        .message = "its values take more than 2^64 bytes"});
        }
        return Location{.offset = *offset};
    }

    Status place(uint32_t operand) {
        if (mIsPlaced[operand]) return {};
        NNAPI_ASSIGN_OR_RETURN(location, allocate(bytesOf(operand)));
        mLocations[operand] = location;
        mIsPlaced[operand] = true;
        return {};
    }

    Status placeInputs(const std::vector<Lowering>& all) {
        std::vector<bool> isRead(mMain.operands.size(), false);
        for (size_t k = 0; k < all.size(); ++k) {
            for (const uint32_t i : all[k].inputs) isRead[mMain.operations[k].inputs[i]] = true;
        }
        for (const uint32_t operand : mMain.inputIndexes) {
            Port& port = mProgram.mInputs.emplace_back();
            if (!isRead[operand]) continue;
            NNAPI_RETURN_IF_ERROR(place(operand));
            port = {.location = mLocations[operand], .size = bytesOf(operand), .isUsed = true};
        }
        return {};
    }

    // In the block of constants, once for each kind of 8-bit values.
    Location constant(uint32_t operand, bool isFlipped) {
        const auto [at, isNew] = mConstants.try_emplace({operand, isFlipped}, mConstantsSize);
        if (isNew) {
            mConstantsSize += bytesOf(operand) + XNN_EXTRA_BYTES;
            mConstantsSize += kBufferAlignment - mConstantsSize % kBufferAlignment;
        }
        return {.isConstant = true, .offset = at->second};
    }

    Result<Location> flipped(size_t k, const Location& from, uint64_t bytes) {
        NNAPI_ASSIGN_OR_RETURN(to, allocate(bytes));
        mProgram.mSteps.push_back({.operation = k,
                                   .inputs = {from},
                                   .output = to,
                                   .bytes = bytes,
                                   .isFlipped = true});
        return to;
    }

    Status addOperation(size_t k, Lowering lowering) {
        if (!mIsApplied[k]) NNAPI_RETURN_IF_ERROR(addStep(k, std::move(lowering)));
        for (const uint32_t operand : mPlan.graphs[0].lastUses(k)) {
            if (mIsPlaced[operand]) release(mLocations[operand], bytesOf(operand));
        }
        return {};
    }

    Status addStep(size_t k, Lowering lowering) {
        const Operation& operation = mMain.operations[k];
        const auto& outputs =
                mFused[k] ? mMain.operations[mFused[k]->operation].outputs : operation.outputs;
        Step step{.operation = k, .bytes = bytesOf(outputs[0])};
        absl::InlinedVector<std::pair<Location, uint64_t>, 2> scratch;
        for (const uint32_t i : lowering.inputs) {
            const uint32_t operand = operation.inputs[i];
            const bool isFlipped = isQuant8(mMain.operands[operand].type) &&
                                   mIsStoredSigned[operand] != lowering.isSigned;
            if (mPlan.graphs[0].values[operand].data != nullptr) {
                step.inputs.push_back(constant(operand, isFlipped));
            } else if (isFlipped) {
                const uint64_t bytes = bytesOf(operand);
                NNAPI_ASSIGN_OR_RETURN(location, flipped(k, mLocations[operand], bytes));
                scratch.emplace_back(location, bytes);
                step.inputs.push_back(location);
            } else {
                step.inputs.push_back(mLocations[operand]);
            }
        }
        for (const uint32_t output : outputs) NNAPI_RETURN_IF_ERROR(place(output));
        step.output = mLocations[outputs[0]];
        if (lowering.makeRows) step.rows = lowering.makeRows();
        step.lowering = std::move(lowering);
        mProgram.mSteps.push_back(std::move(step));
        for (const auto& [location, bytes] : scratch) release(location, bytes);
        return {};
    }

    void release(const Location& location, uint64_t bytes) {
        mArena.release(location.offset, bytes + XNN_EXTRA_BYTES);
    }

    Status addOutputs() {
        for (const uint32_t operand : mMain.outputIndexes) {
            const OperandType type = mMain.operands[operand].type;
            Location location = mLocations[operand];
            if (isQuant8(type) && mIsStoredSigned[operand] != isSigned(type)) {
                NNAPI_ASSIGN_OR_RETURN(
                        asModel, flipped(mMain.operations.size() - 1, location, bytesOf(operand)));
                location = asModel;
            }
            mProgram.mOutputs.push_back(
                    {.location = location, .size = bytesOf(operand), .isUsed = true});
        }
        return {};
    }

    Program& mProgram;
    const Plan& mPlan;
    const Model::Subgraph& mMain;
    ArenaPlanner mArena{};
    std::vector<std::optional<FusedActivation>> mFused;  // by the previous operation
    std::vector<bool> mIsApplied;                        // operations that are fused activations
    std::vector<Location> mLocations;                    // of operands that are placed
    std::vector<bool> mIsPlaced;
    std::vector<bool> mIsStoredSigned{};
    std::map<std::pair<uint32_t, bool>, uint64_t> mConstants{};  // operand and kind to offset
    uint64_t mConstantsSize = 0;
};

Result<std::shared_ptr<const Program>> Program::create(std::unique_ptr<const Plan> plan,
                                                       const StopCondition& until,
                                                       SharedWorkers workers, size_t maxInstances) {
    const DefaultFloatEnvironment environment;
    std::shared_ptr<Program> program(
            new Program(std::move(plan), std::move(workers), std::max<size_t>(maxInstances, 1)));
    NNAPI_RETURN_IF_ERROR(Planner(*program).plan(until));
    NNAPI_ASSIGN_OR_RETURN(instance, program->makeInstance(until));
    Instances& instances = *program->mInstances.get();
    instances.count = 1;
    instances.idle.push_back(std::move(instance));
    return std::shared_ptr<const Program>(std::move(program));
}

std::vector<std::pair<size_t, std::string_view>> Program::steps() const {
    std::vector<std::pair<size_t, std::string_view>> all;
    for (const Step& step : mSteps) {
        all.emplace_back(step.operation, step.rows.count != 0   ? step.rows.name
                                         : step.lowering.create ? step.lowering.name
                                                                : "copy");
    }
    return all;
}

// ---- instances

uint8_t* Program::at(const Location& location, const Instance& instance) const {
    return (location.isConstant ? mConstants : instance.arena).at(location.offset);
}

Result<std::unique_ptr<Program::Instance>> Program::makeInstance(const StopCondition& until) const {
    const WorkBudget watched(until, mPlan->limits, kWork);
    auto instance = std::make_unique<Instance>();
    instance->arena = AlignedMemory(mArenaSize);
    instance->operators.resize(mSteps.size());
    for (size_t i = 0; i < mSteps.size(); ++i) {
        const Step& step = mSteps[i];
        if (auto end = watched.poll()) {
            return operationError(*mPlan, 0, step.operation, end->code, end->rule,
                                  std::move(end->message));
        }
        if (step.rows.count != 0) continue;
        Operator& made = instance->operators[i];
        if (auto refusal = make(step.lowering, made)) {
            return statusOf(*mPlan, step.operation, *std::move(refusal));
        }
        if (!made) continue;
        absl::InlinedVector<const uint8_t*, 2> inputs;
        for (const Location& input : step.inputs) inputs.push_back(at(input, *instance));
        const xnn_status status =
                step.lowering.setUp(made, inputs, at(step.output, *instance), mWorkers->get());
        if (status != xnn_status_success) {
            return statusOf(*mPlan, step.operation, refusalOf(status, "it is not supported"));
        }
    }
    for (size_t i = 0; i < mOutputs.size(); ++i) {
        ops::Value& output = instance->outputs.emplace_back(
                mPlan->graphs[0].values[mPlan->model.main.outputIndexes[i]]);
        output.data = instance->arena.at(mOutputs[i].location.offset);
    }
    return instance;
}

// An instance of an execution; it comes back with the end.
class Program::Turn {
   public:
    Turn(const Program& program, Instances& instances, std::unique_ptr<Instance> instance)
        : mProgram(program), mInstances(instances), mInstance(std::move(instance)) {}
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() { giveBack(mInstances, std::move(mInstance)); }

    Status make() {
        NNAPI_ASSIGN_OR_RETURN(instance, mProgram.makeInstance({}));
        mInstance = std::move(instance);
        return {};
    }
    bool isMade() const { return mInstance != nullptr; }
    Instance& instance() { return *mInstance; }

   private:
    const Program& mProgram;
    Instances& mInstances;
    std::unique_ptr<Instance> mInstance;
};

Result<std::unique_ptr<Program::Instance>> Program::takeInstance(
        Instances& instances, const OptionalTimePoint& deadline) const {
    // As long as one execution may take.
    constexpr uint64_t kYear = uint64_t{365} * 24 * 3600 * 1000;
    const Duration ceiling = std::chrono::milliseconds(std::min(mPlan->limits.time, kYear));
    std::unique_lock lock(instances.mutex);
    std::optional<hal::utils::WaitPolicy> patience;
    while (instances.idle.empty()) {
        if (instances.count < mMaxInstances) {
            ++instances.count;
            return nullptr;
        }
        if (!patience) patience.emplace(deadline, ceiling);
        const TimePoint now = Clock::now();
        if (now >= patience->end()) {
            return patience->exceeded("the other executions of the prepared model");
        }
        instances.returned.wait_for(
                lock, std::min<Duration>(patience->end() - now, std::chrono::hours(1)));
    }
    std::unique_ptr<Instance> instance = std::move(instances.idle.back());
    instances.idle.pop_back();
    return instance;
}

void Program::giveBack(Instances& instances, std::unique_ptr<Instance> instance) {
    if (instance != nullptr && instance->state != nullptr) instance->state->reset();
    {
        const std::lock_guard lock(instances.mutex);
        if (instance == nullptr) {
            --instances.count;
        } else {
            instances.idle.push_back(std::move(instance));  // its capacity suffices for all
        }
    }
    instances.returned.notify_one();
}

// ---- executing

Status Program::run(Instance& instance, const OptionalTimePoint& deadline) const {
    const TimeLimit time(mPlan->limits);
    const StopFunction stop = driver::borrowedStop();
    for (size_t i = 0; i < mSteps.size(); ++i) {
        const Step& step = mSteps[i];
        if (stop && stop()) {
            return statusOf(*mPlan, step.operation,
                            {.rule = "interpreter.stop", .message = "the caller is gone"});
        }
        if (hasDeadlinePassed(deadline)) {
            return statusOf(*mPlan, step.operation,
                            {.rule = "interpreter.deadline",
                             .message = "the deadline passed before it",
                             .code = ErrorStatus::MISSED_DEADLINE_TRANSIENT});
        }
        if (time.isUsedUp()) {
            return statusOf(*mPlan, step.operation,
                            {.rule = ruleOf(&Limits::time),
                             .message = time.message("the execution"),
                             .code = kLimitExceeded});
        }
        if (step.rows.count != 0) {
            compute(step.rows, at(step.inputs[0], instance), at(step.output, instance),
                    mWorkers->get());
        } else if (const Operator& op = instance.operators[i]; op) {
            const xnn_status status = xnnpack::run(op, mWorkers->get());
            if (status != xnn_status_success) {
                return statusOf(*mPlan, step.operation, refusalOf(status, "it cannot run"));
            }
        } else {
            copyBytes(at(step.inputs[0], instance), step.bytes, step.isFlipped,
                      at(step.output, instance));
        }
    }
    return {};
}

Status Program::executeIn(Instance& instance, const Request& request, MeasureTiming measure,
                          const OptionalTimePoint& deadline, ExecutionOutcome& outcome) const {
    if (instance.state == nullptr) {
        instance.state =
                std::make_unique<ExecutionState>(*mPlan, mPlan->limits.peakBytes - mArenaSize,
                                                 /*threads=*/1);
    }
    ExecutionState& state = *instance.state;
    NNAPI_RETURN_IF_ERROR(takeRequest(*mPlan, request, state));
    for (size_t i = 0; i < mOutputs.size(); ++i) {
        const std::span<const uint32_t> asked = state.destinations[i].dimensions;
        const std::span<const uint32_t> known = instance.outputs[i].dimensions;
        if (agree(known, asked)) continue;
        const auto text = [](std::span<const uint32_t> dimensions) {
            return print(Dimensions(dimensions.begin(), dimensions.end()));
        };
        return makeError(
                ErrorStatus::GENERAL_FAILURE,
                Diagnostic{.rule = "xnnpack.dimensions",
                           .path = fmt::format("outputs[{}]", i),
                           .message = fmt::format("has dimensions {} in the request, allowed {}",
                                                  text(asked), text(known))});
    }
    for (size_t i = 0; i < mInputs.size(); ++i) {
        if (!mInputs[i].isUsed || state.inputs[i].omitted) continue;
        copyBytes(state.inputs[i].data, mInputs[i].size, false, at(mInputs[i].location, instance));
    }
    if (measure == MeasureTiming::YES) {
        const TimePoint started = Clock::now();
        NNAPI_RETURN_IF_ERROR(run(instance, deadline));
        outcome.timing.timeOnDevice = Clock::now() - started;
    } else {
        NNAPI_RETURN_IF_ERROR(run(instance, deadline));
    }
    return giveOutputs(
            *mPlan, [&instance](size_t i) -> const ops::Value& { return instance.outputs[i]; },
            state,
            /*listShapes=*/true, outcome.outputShapes);
}

Status Program::executeInTurn(const Request& request, MeasureTiming measure,
                              const OptionalTimePoint& deadline,
                              ExecutionOutcome& outcome) const NNAPI_TRY {
    const DefaultFloatEnvironment environment;
    NNAPI_RETURN_IF_ERROR(validateRequestForModel(request, mPlan->model).status());
    NNAPI_RETURN_IF_ERROR(driver::checkDeadlineBefore("execute", deadline));
    const std::shared_ptr<Instances> instances = mInstances.get();
    NNAPI_ASSIGN_OR_RETURN(idle, takeInstance(*instances, deadline));
    Turn turn(*this, *instances, std::move(idle));
    if (!turn.isMade()) NNAPI_RETURN_IF_ERROR(turn.make());
    // Empty if there is not enough memory.
    const auto tryOnce = [&]() -> std::optional<Status> {
        try {
            return executeIn(turn.instance(), request, measure, deadline, outcome);
        } catch (const CeilingReached&) {
            turn.instance().state.reset();
            return std::nullopt;
        }
    };
    const bool wasUsed = turn.instance().state != nullptr;
    std::optional<Status> status = tryOnce();
    // Memory left by earlier executions must not make this one fail.
    if (!status && wasUsed) status = tryOnce();
    if (status) return *std::move(status);
    return makeError(kLimitExceeded,
                     Diagnostic{.rule = ruleOf(&Limits::peakBytes),
                                .path = "inputs",
                                .message = fmt::format(
                                        "the execution needs more memory than the {} bytes allowed",
                                        mPlan->limits.peakBytes)});
}
NNAPI_CATCH

ExecutionOutcome Program::execute(const Request& request, MeasureTiming measure,
                                  const OptionalTimePoint& deadline) const {
    const bool isMeasured = measure == MeasureTiming::YES;
    const TimePoint called = isMeasured ? Clock::now() : TimePoint();
    ExecutionOutcome outcome;
    outcome.status = executeInTurn(request, measure, deadline, outcome);
    if (outcome.status.ok()) {
        if (isMeasured) outcome.timing.timeInDriver = Clock::now() - called;
        return outcome;
    }
    outcome.timing = {};
    if (errorStatus(outcome.status) != ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) {
        outcome.outputShapes.clear();  // memory may have run out while they were listed
    }
    return outcome;
}

}  // namespace nn::xnnpack
