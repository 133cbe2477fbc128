// How canonical drivers of Android 12 and 13 begin.
#include <BufferTracker.h>
#include <CpuExecutor.h>
#include <DefaultExecution.h>
#include <Tracing.h>
#include <android-base/logging.h>
#include <nnapi/IBuffer.h>
#include <nnapi/IDevice.h>
#include <nnapi/IPreparedModel.h>
#include <nnapi/OperandTypes.h>
#include <nnapi/Result.h>
#include <nnapi/TypeUtils.h>
#include <nnapi/Types.h>
#include <nnapi/Validation.h>

#include <any>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace android::nn::begins {
namespace {

class PreparedModel final : public IPreparedModel,
                            public std::enable_shared_from_this<PreparedModel> {
   public:
    PreparedModel(Model model, const IOperationResolver* operationResolver,
                  std::shared_ptr<BufferTracker> bufferTracker)
        : kModel(std::move(model)),
          kOperationResolver(*operationResolver),
          kBufferTracker(std::move(bufferTracker)) {}

    ExecutionResult<std::pair<std::vector<OutputShape>, Timing>> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>&,
            const std::vector<ExtensionNameAndPrefix>&) const override {
        VLOG(DRIVER) << "execute(" << SHOW_IF_DEBUG(request) << ")";
        if (const auto result = validateRequestForModel(request, kModel); !result.ok()) {
            return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << result.error();
        }
        if (hasDeadlinePassed(deadline)) return NN_ERROR(ErrorStatus::MISSED_DEADLINE_PERSISTENT);
        const auto pools = NN_TRY(poolsOf(request));
        auto executor = CpuExecutor(&kOperationResolver);
        if (loopTimeoutDuration.has_value()) executor.setLoopTimeout(loopTimeoutDuration->count());
        if (deadline.has_value()) executor.setDeadline(*deadline);
        const TimePoint start = Clock::now();
        const ErrorStatus status =
                convertResultCodeToErrorStatus(executor.run(kModel, request, {}, pools));
        const auto& outputShapes = executor.getOutputShapes();
        if (status != ErrorStatus::NONE) return NN_ERROR(status, outputShapes);
        Timing timing = {};
        if (measure == MeasureTiming::YES) timing = {.timeOnDevice = Clock::now() - start};
        VLOG(DRIVER) << "timing = " << timing << toString(outputShapes[0].dimensions);
        return std::make_pair(outputShapes, timing);
    }

    GeneralResult<std::pair<SyncFence, ExecuteFencedInfoCallback>> executeFenced(
            const Request&, const std::vector<SyncFence>& waitFor, MeasureTiming,
            const OptionalTimePoint&, const OptionalDuration&,
            const OptionalDuration& timeoutDurationAfterFence, const std::vector<TokenValuePair>&,
            const std::vector<ExtensionNameAndPrefix>&) const override {
        for (const auto& syncFence : waitFor) {
            if (!syncFence.getSharedHandle() ||
                syncFence.syncWait({}) != SyncFence::FenceState::SIGNALED) {
                return NN_ERROR(ErrorStatus::GENERAL_FAILURE) << "syncWait failed";
            }
        }
        OptionalTimePoint closest;
        if (timeoutDurationAfterFence.has_value()) {
            closest = makeDeadline(*timeoutDurationAfterFence);
        }
        Timing launched = {}, fenced = {};
        ExecuteFencedInfoCallback callback = [launched, fenced]() {
            return std::make_pair(launched, fenced);
        };
        return std::make_pair(SyncFence::createAsSignaled(), std::move(callback));
    }

    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>&,
            const std::vector<ExtensionNameAndPrefix>&) const override {
        return std::make_shared<DefaultExecution>(shared_from_this(), request, measure,
                                                  loopTimeoutDuration);
    }
    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        return NN_ERROR() << "no burst";
    }
    std::any getUnderlyingResource() const override { return &kModel; }

   private:
    GeneralResult<std::vector<RunTimePoolInfo>> poolsOf(const Request& request) const {
        std::vector<RunTimePoolInfo> pools;
        for (uint32_t i = 0; i < request.pools.size(); ++i) {
            if (const auto* memory = std::get_if<SharedMemory>(&request.pools[i])) {
                auto mapped = RunTimePoolInfo::createFromMemory(*memory);
                if (!mapped.has_value()) return NN_ERROR() << "could not map pools";
                pools.push_back(std::move(*mapped));
            } else if (const auto* token =
                               std::get_if<Request::MemoryDomainToken>(&request.pools[i])) {
                auto buffer = kBufferTracker->get(*token);
                if (buffer == nullptr) return NN_ERROR(ErrorStatus::INVALID_ARGUMENT);
                const auto status = buffer->validateRequest(i, request, this);
                if (status != ErrorStatus::NONE) return NN_ERROR(status);
                pools.push_back(buffer->createRunTimePoolInfo());
            }
        }
        return pools;
    }

    const Model kModel;
    const IOperationResolver& kOperationResolver;
    const std::shared_ptr<BufferTracker> kBufferTracker;
};

class Buffer final : public IBuffer {
   public:
    Buffer(std::shared_ptr<ManagedBuffer> buffer, std::unique_ptr<BufferTracker::Token> token)
        : kBuffer(std::move(buffer)), kToken(std::move(token)) {}
    Request::MemoryDomainToken getToken() const override { return kToken->get(); }
    GeneralResult<void> copyTo(const SharedMemory& dst) const override {
        const auto pool = RunTimePoolInfo::createFromMemory(dst);
        if (!pool.has_value()) return NN_ERROR() << "unable to map dst memory";
        const ErrorStatus status = kBuffer->validateCopyTo(pool->getSize());
        if (status != ErrorStatus::NONE) return NN_ERROR(status);
        return {};
    }
    GeneralResult<void> copyFrom(const SharedMemory&, const Dimensions& dimensions) const override {
        kBuffer->updateDimensions(dimensions);
        return {};
    }

   private:
    const std::shared_ptr<ManagedBuffer> kBuffer;
    const std::unique_ptr<BufferTracker::Token> kToken;
};

[[maybe_unused]] GeneralResult<std::vector<bool>> supportedBy(const Model& model) {
    if (const auto result = validate(model); !result.ok()) {
        return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << result.error();
    }
    const auto consumers =
            countNumberOfConsumers(model.main.operands.size(), model.main.operations).value();
    NN_RET_CHECK_EQ(consumers.size(), model.main.operands.size()) << "consumers";
    return std::vector<bool>(
            model.main.operations.size(),
            !isExtensionOperationType(model.main.operations[0].type) &&
                    BuiltinOperationResolver::get()->findOperation(OperationType::ADD) != nullptr);
}

[[maybe_unused]] Capabilities capabilities() {
    constexpr Capabilities::PerformanceInfo kPerf = {.execTime = 1.0f, .powerUsage = 1.0f};
    std::vector<Capabilities::OperandPerformance> performance = {
            {.type = OperandType::FLOAT32, .info = kPerf}};
    auto table = Capabilities::OperandPerformanceTable::create(std::move(performance)).value();
    Capabilities made = makeCapabilities(kPerf, kPerf, kPerf);
    made.operandPerformance = std::move(table);
    return made;
}

[[maybe_unused]] GeneralResult<SharedBuffer> allocate(
        const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
        const std::vector<BufferRole>& roles, const std::shared_ptr<BufferTracker>& tracker) {
    std::set<PreparedModelRole> found;
    Operand operand;
    auto getModel = [](const SharedPreparedModel& preparedModel) -> const Model* {
        std::any resource = preparedModel->getUnderlyingResource();
        const Model** maybeModel = std::any_cast<const Model*>(&resource);
        return maybeModel == nullptr ? nullptr : *maybeModel;
    };
    if (const auto result =
                validateMemoryDesc(desc, preparedModels, roles, {}, getModel, &found, &operand);
        !result.ok()) {
        return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << "validation: " << result.error();
    }
    const uint32_t size = nonExtensionOperandSizeOfData(operand.type, operand.dimensions);
    VLOG(DRIVER) << "type = " << operand.type << toString(operand.dimensions);
    auto wrapper = ManagedBuffer::create(size, std::move(found), operand);
    auto token = tracker->add(wrapper);
    if (token == nullptr) return NN_ERROR() << "no token";
    Model copy;
    copy.main.operands.resize(1);
    copy.main.operands[0].location = copy.operandValues.append(nullptr, 0);
    return std::make_shared<const Buffer>(std::move(wrapper), std::move(token));
}

}  // namespace
}  // namespace android::nn::begins
