// A device around the reference that does one thing differently, by functions of a test.
//
//   const auto device = hooked({.change = [](Model& model) { ... },     // computes another model
//                               .onExecute = [] { ... }});              // and does this each time
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "nnapi/driver/default_burst.h"
#include "nnapi/driver/default_execution.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/reference.h"

namespace nn::device_commands_test {

struct Hooks {
    std::function<void(Model&)> change{};  // before it is prepared
    std::function<bool(const Operation&)> supports{};
    std::function<bool(const Model&)> supportsModel{};
    std::function<bool(const Model&)> refuses{};  // to prepare, in spite of what it supports
    std::function<void()> onExecute{};
    std::function<void()> onPrepare{};
};

class HookedPreparedModel final : public IPreparedModel,
                                  public std::enable_shared_from_this<HookedPreparedModel> {
   public:
    using Hints = std::vector<TokenValuePair>;
    using Prefixes = std::vector<ExtensionNameAndPrefix>;

    HookedPreparedModel(SharedPreparedModel good, Hooks hooks)
        : mGood(std::move(good)), mHooks(std::move(hooks)) {}

    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint& deadline,
                                      const OptionalDuration& loop, const Hints& hints,
                                      const Prefixes& prefixes) const override {
        if (mHooks.onExecute) mHooks.onExecute();
        return mGood->execute(request, measure, deadline, loop, hints, prefixes);
    }
    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loop,
            const OptionalDuration& afterFence, const Hints& hints,
            const Prefixes& prefixes) const override {
        if (mHooks.onExecute) mHooks.onExecute();
        return mGood->executeFenced(request, waitFor, measure, deadline, loop, afterFence, hints,
                                    prefixes);
    }
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure, const OptionalDuration& loop,
            const Hints& hints, const Prefixes& prefixes) const override {
        return SharedExecution(std::make_shared<const DefaultExecution>(
                shared_from_this(), request, measure, loop, hints, prefixes));
    }
    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        return SharedBurst(std::make_shared<const DefaultBurst>(shared_from_this()));
    }
    std::any getUnderlyingResource() const override { return {}; }

   private:
    SharedPreparedModel mGood;
    Hooks mHooks;
};

class HookedDevice final : public IDevice {
   public:
    explicit HookedDevice(Hooks hooks) : mHooks(std::move(hooks)) {}

    const std::string& getName() const override { return mName; }
    const std::string& getVersionString() const override { return mGood->getVersionString(); }
    Version getFeatureLevel() const override { return mGood->getFeatureLevel(); }
    DeviceType getType() const override { return mGood->getType(); }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return mGood->getSupportedExtensions();
    }
    const Capabilities& getCapabilities() const override { return mGood->getCapabilities(); }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override { return {0, 0}; }
    GeneralResult<void> wait() const override { return {}; }

    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        auto supported = mGood->getSupportedOperations(model);
        if (!supported.has_value()) return supported;
        for (size_t i = 0; i < supported->size(); ++i) {
            if ((mHooks.supports && !mHooks.supports(model.main.operations[i])) ||
                (mHooks.supportsModel && !mHooks.supportsModel(model))) {
                (*supported)[i] = false;
            }
        }
        return supported;
    }
    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>&,
            const std::vector<SharedHandle>&, const CacheToken&,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        if (mHooks.onPrepare) mHooks.onPrepare();
        if (mHooks.refuses && mHooks.refuses(model)) return error() << "too much for this device";
        Model own = model;
        if (mHooks.change) mHooks.change(own);
        auto good = mGood->prepareModel(own, preference, priority, deadline, {}, {}, {}, hints,
                                        prefixes);
        if (!good.has_value()) return good;
        return SharedPreparedModel(std::make_shared<const HookedPreparedModel>(*good, mHooks));
    }
    GeneralResult<SharedPreparedModel> prepareModelFromCache(OptionalTimePoint,
                                                             const std::vector<SharedHandle>&,
                                                             const std::vector<SharedHandle>&,
                                                             const CacheToken&) const override {
        return error() << "there is no cache";
    }
    GeneralResult<SharedBuffer> allocate(const BufferDesc&, const std::vector<SharedPreparedModel>&,
                                         const std::vector<BufferRole>&,
                                         const std::vector<BufferRole>&) const override {
        return error() << "there is no memory";
    }

   private:
    const std::string mName = "hooked";
    const SharedDevice mGood = referenceDevice();
    Hooks mHooks;
};

inline SharedDevice hooked(Hooks hooks) {
    return std::make_shared<const HookedDevice>(std::move(hooks));
}

}  // namespace nn::device_commands_test
