// A scriptable device: the reference device under another name.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/driver/default_prepared_model.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/driver/reference.h"

namespace nn {

struct FakeOptions {
    std::string name = "npu";
    Version featureLevel = kNewestVersion;
    DeviceType type = DeviceType::ACCELERATOR;
    std::vector<Extension> extensions{};
    Capabilities capabilities{};
    std::pair<uint32_t, uint32_t> cacheFiles{0, 0};
    // Null: everything that the reference device supports.
    std::function<bool(const Operation&)> supports{};
    // Replace the results of calls; the calls do their work if these succeed.
    std::function<Status()> onWait{};
    std::function<Status()> onPrepare{};
    std::function<ExecutionResult<Executed>(ExecutionResult<Executed>)> onExecuted{};
    std::function<Status()> onExecute{};
    std::function<GeneralResult<ExecutedFenced>(GeneralResult<ExecutedFenced>)> onLaunched{};
    std::function<GeneralResult<SharedBuffer>(GeneralResult<SharedBuffer>)> onAllocated{};
    // Receives the configuration that the driver receives.
    std::function<void(const PrepareModelConfig&)> onConfig{};
    bool hasBursts = true;
    bool hasMemory = true;
    bool takesPointers = true;
    Timing timing{};
};

class FakePreparedModel final : public DefaultPreparedModel {
   public:
    FakePreparedModel(SharedPreparedModel inner, std::shared_ptr<const FakeOptions> options)
        : mInner(std::move(inner)), mOptions(std::move(options)) {}

    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loop, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        NNAPI_RETURN_IF_ERROR(checkPointers(request));
        if (mOptions->onExecute) NNAPI_RETURN_IF_ERROR(mOptions->onExecute());
        auto executed = mInner->execute(request, measure, deadline, loop, hints, prefixes);
        if (executed.has_value() && measure == MeasureTiming::YES) {
            executed = Executed{executed->first, mOptions->timing};
        }
        return mOptions->onExecuted ? mOptions->onExecuted(std::move(executed)) : executed;
    }
    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loop,
            const OptionalDuration& after, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        NNAPI_RETURN_IF_ERROR(checkPointers(request));
        if (mOptions->onExecute) NNAPI_RETURN_IF_ERROR(mOptions->onExecute());
        auto launched = mInner->executeFenced(request, waitFor, measure, deadline, loop, after,
                                              hints, prefixes);
        return mOptions->onLaunched ? mOptions->onLaunched(std::move(launched)) : launched;
    }
    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        if (!mOptions->hasBursts) return error() << "there are no bursts";
        return DefaultPreparedModel::configureExecutionBurst();
    }
    std::any getUnderlyingResource() const override { return mInner->getUnderlyingResource(); }

   private:
    Status checkPointers(const Request& request) const {
        const bool isPointer = !request.inputs.empty() &&
                               request.inputs[0].lifetime == Request::Argument::LifeTime::POINTER;
        if (mOptions->takesPointers || !isPointer) return {};
        return error(ErrorStatus::INVALID_ARGUMENT) << "this device takes no pointers";
    }

    SharedPreparedModel mInner;
    std::shared_ptr<const FakeOptions> mOptions;
};

class FakeDevice final : public ForwardingDevice {
   public:
    explicit FakeDevice(const FakeOptions& options = {})
        : ForwardingDevice(referenceDevice({.name = options.name,
                                            .versionString = "1.0",
                                            .featureLevel = options.featureLevel,
                                            .capabilities = options.capabilities,
                                            .fencedThreads = 2})),
          mOptions(std::make_shared<const FakeOptions>(options)) {}

    DeviceType getType() const override { return mOptions->type; }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return mOptions->extensions;
    }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        return mOptions->cacheFiles;
    }
    GeneralResult<void> wait() const override {
        return mOptions->onWait ? GeneralResult<void>(mOptions->onWait()) : GeneralResult<void>();
    }
    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        auto supported = inner()->getSupportedOperations(model);
        if (!supported.has_value() || !mOptions->supports) return supported;
        for (size_t i = 0; i < supported->size(); ++i) {
            if (!mOptions->supports(model.main.operations[i])) (*supported)[i] = false;
        }
        return supported;
    }
    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        if (mOptions->onConfig) {
            mOptions->onConfig({preference, priority, deadline, modelCache, dataCache, token, hints,
                                prefixes});
        }
        if (mOptions->onPrepare) NNAPI_RETURN_IF_ERROR(mOptions->onPrepare());
        return ForwardingDevice::prepareModel(model, preference, priority, deadline, {}, {}, token,
                                              {}, {});
    }
    GeneralResult<SharedPreparedModel> prepareModelFromCache(OptionalTimePoint,
                                                             const std::vector<SharedHandle>&,
                                                             const std::vector<SharedHandle>&,
                                                             const CacheToken&) const override {
        return error() << "the cache is empty";
    }
    GeneralResult<SharedBuffer> allocate(const BufferDesc& desc,
                                         const std::vector<SharedPreparedModel>& preparedModels,
                                         const std::vector<BufferRole>& inputs,
                                         const std::vector<BufferRole>& outputs) const override {
        if (!mOptions->hasMemory) return error() << "there is no memory";
        auto made = inner()->allocate(desc, preparedModels, inputs, outputs);
        return mOptions->onAllocated ? mOptions->onAllocated(std::move(made)) : made;
    }

   protected:
    SharedPreparedModel wrapPreparedModel(SharedPreparedModel made) const override {
        return std::make_shared<const FakePreparedModel>(std::move(made), mOptions);
    }

   private:
    std::shared_ptr<const FakeOptions> mOptions;
};

}  // namespace nn
