// hooked_device.h -- The kit of canonical devices for tests: a device whose calls pass through
// functions of the test.
//
//   int executions = 0;
//   const SharedDevice device = fakes::hooked(
//           referenceDevice(), {.execute = [&](const auto& call, const IPreparedModel& inner) {
//               ++executions;
//               return call.on(inner);
//           }});
//
// A hook receives the arguments of a call as one object, and the object that the call would go to.
// Without a hook, calls and descriptions are those of the inner device.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "device_test/cases/device_parts.h"

namespace nn::fakes {

using parts::ExecutionCall;
using parts::Loading;
using parts::Preparation;
using parts::Prepared;
using Launched = GeneralResult<ExecutedFenced>;
using Supported = GeneralResult<std::vector<bool>>;

// The arguments of an allocation.
struct Allocation {
    const BufferDesc& desc;
    const std::vector<SharedPreparedModel>& preparedModels;
    const std::vector<BufferRole>& inputs;
    const std::vector<BufferRole>& outputs;

    GeneralResult<SharedBuffer> on(const IDevice& device) const {
        return device.allocate(desc, preparedModels, inputs, outputs);
    }
};

struct Hooks {
    // The description of the device.
    std::optional<std::string> name{};
    std::optional<std::string> versionString{};
    std::optional<Version> featureLevel{};
    std::optional<DeviceType> type{};
    std::optional<Capabilities> capabilities{};
    std::optional<std::vector<Extension>> extensions{};
    std::optional<std::pair<uint32_t, uint32_t>> cacheFiles{};

    // Calls of the device.
    std::function<GeneralResult<void>(const IDevice& inner)> wait{};
    std::function<Supported(const Model&, const IDevice& inner)> support{};
    std::function<Prepared(const Preparation&, const IDevice& inner)> prepare{};
    std::function<Prepared(const Loading&, const IDevice& inner)> load{};
    std::function<GeneralResult<SharedBuffer>(const Allocation&, const IDevice& inner)> allocate{};

    // Executions by every path; by all but the fenced one if `launch` is set. Reusable executions
    // and bursts are default ones if one of these is set; `burst` wraps the bursts.
    std::function<ExecutionResult<Executed>(const ExecutionCall&, const IPreparedModel& inner)>
            execute{};
    std::function<Launched(const ExecutionCall&, const std::vector<SyncFence>& waitFor,
                           const OptionalDuration& afterFences, const IPreparedModel& inner)>
            launch{};
    std::function<GeneralResult<SharedBurst>(SharedBurst)> burst{};
};

class HookedPreparedModel final : public parts::PreparedModelPart {
   public:
    HookedPreparedModel(SharedPreparedModel inner, std::shared_ptr<const Hooks> hooks)
        : PreparedModelPart(std::move(inner)), mHooks(std::move(hooks)) {}

    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        auto made = PreparedModelPart::configureExecutionBurst();
        return made.has_value() && mHooks->burst ? mHooks->burst(*std::move(made)) : made;
    }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        return mHooks->execute ? mHooks->execute(call, *inner()) : call.on(*inner());
    }
    Launched launchCall(const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
                        const OptionalDuration& afterFences) const override {
        if (mHooks->launch) return mHooks->launch(call, waitFor, afterFences, *inner());
        if (!mHooks->execute) return call.fencedOn(*inner(), waitFor, afterFences);
        return driver::executeAfterFences(*this, call, waitFor, afterFences);
    }

   private:
    std::shared_ptr<const Hooks> mHooks;
};

class HookedDevice final : public parts::DevicePart {
   public:
    HookedDevice(SharedDevice inner, Hooks hooks)
        : DevicePart(std::move(inner)), mHooks(std::make_shared<const Hooks>(std::move(hooks))) {}

    const std::string& getName() const override {
        return mHooks->name ? *mHooks->name : inner()->getName();
    }
    const std::string& getVersionString() const override {
        return mHooks->versionString ? *mHooks->versionString : inner()->getVersionString();
    }
    Version getFeatureLevel() const override {
        return mHooks->featureLevel ? *mHooks->featureLevel : inner()->getFeatureLevel();
    }
    DeviceType getType() const override {
        return mHooks->type ? *mHooks->type : inner()->getType();
    }
    const Capabilities& getCapabilities() const override {
        return mHooks->capabilities ? *mHooks->capabilities : inner()->getCapabilities();
    }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return mHooks->extensions ? *mHooks->extensions : inner()->getSupportedExtensions();
    }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        return mHooks->cacheFiles ? *mHooks->cacheFiles : inner()->getNumberOfCacheFilesNeeded();
    }
    GeneralResult<void> wait() const override {
        return mHooks->wait ? mHooks->wait(*inner()) : inner()->wait();
    }
    Supported getSupportedOperations(const Model& model) const override {
        if (mHooks->support) return mHooks->support(model, *inner());
        return inner()->getSupportedOperations(model);
    }
    GeneralResult<SharedBuffer> allocate(const BufferDesc& desc,
                                         const std::vector<SharedPreparedModel>& preparedModels,
                                         const std::vector<BufferRole>& inputs,
                                         const std::vector<BufferRole>& outputs) const override {
        const Allocation allocation{desc, preparedModels, inputs, outputs};
        return mHooks->allocate ? mHooks->allocate(allocation, *inner()) : allocation.on(*inner());
    }

   protected:
    Prepared prepare(const Preparation& preparation) const override {
        return mHooks->prepare ? mHooks->prepare(preparation, *inner()) : preparation.on(*inner());
    }
    Prepared load(const Loading& loading) const override {
        return mHooks->load ? mHooks->load(loading, *inner()) : loading.on(*inner());
    }
    SharedPreparedModel wrap(SharedPreparedModel made, const Model*) const override {
        if (!mHooks->execute && !mHooks->launch && !mHooks->burst) return made;
        return std::make_shared<const HookedPreparedModel>(std::move(made), mHooks);
    }

   private:
    std::shared_ptr<const Hooks> mHooks;
};

inline SharedDevice hooked(SharedDevice inner, Hooks hooks) {
    return std::make_shared<const HookedDevice>(std::move(inner), std::move(hooks));
}

// Of the operations that the inner device supports, those for which isSupported(operation).
inline auto supporting(std::function<bool(const Operation&)> isSupported) {
    return [=](const Model& model, const IDevice& inner) -> Supported {
        auto supported = inner.getSupportedOperations(model);
        if (!supported.has_value()) return supported;
        for (size_t i = 0; i < supported->size(); ++i) {
            if (!isSupported(model.main.operations[i])) (*supported)[i] = false;
        }
        return supported;
    };
}

}  // namespace nn::fakes
