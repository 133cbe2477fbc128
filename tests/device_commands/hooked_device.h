// A device around the reference that does one thing differently, by functions of a test.
//
//   const auto device = hooked({.change = [](Model& model) { ... },     // computes another model
//                               .onExecute = [] { ... }});              // and does this each time
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "nnapi/driver/default_prepared_model.h"
#include "nnapi/driver/forwarding.h"
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

class HookedPreparedModel final : public DefaultPreparedModel {
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

   private:
    SharedPreparedModel mGood;
    Hooks mHooks;
};

class HookedDevice final : public ForwardingDevice {
   public:
    explicit HookedDevice(Hooks hooks)
        : ForwardingDevice(referenceDevice({.name = "hooked", .hasCache = false})),
          mHooks(std::move(hooks)) {}

    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        auto supported = ForwardingDevice::getSupportedOperations(model);
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
        return ForwardingDevice::prepareModel(own, preference, priority, deadline, {}, {}, {},
                                              hints, prefixes);
    }
    GeneralResult<SharedBuffer> allocate(const BufferDesc&, const std::vector<SharedPreparedModel>&,
                                         const std::vector<BufferRole>&,
                                         const std::vector<BufferRole>&) const override {
        return error() << "there is no memory";
    }

   protected:
    SharedPreparedModel wrapPreparedModel(SharedPreparedModel made) const override {
        return std::make_shared<const HookedPreparedModel>(std::move(made), mHooks);
    }

   private:
    Hooks mHooks;
};

inline SharedDevice hooked(Hooks hooks) {
    return std::make_shared<const HookedDevice>(std::move(hooks));
}

}  // namespace nn::device_commands_test
