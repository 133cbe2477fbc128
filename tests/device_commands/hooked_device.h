// A device around the reference that does one thing differently, by functions of a test.
//
//   const auto device = hooked({.change = [](Model& model) { ... },     // computes another model
//                               .onExecute = [] { ... }});              // and does this each time
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "nnapi/driver/reference.h"
#include "testing/device/device_parts.h"

namespace nn::device_commands_test {

struct Hooks {
    std::function<void(Model&)> change{};  // before it is prepared
    std::function<bool(const Operation&)> supports{};
    std::function<bool(const Model&)> supportsModel{};
    std::function<bool(const Model&)> refuses{};  // to prepare, although it supports them
    std::function<void()> onExecute{};
    std::function<void()> onPrepare{};
};

class HookedPreparedModel final : public testing::PreparedModelPart {
   public:
    HookedPreparedModel(SharedPreparedModel good, Hooks hooks)
        : PreparedModelPart(std::move(good)), mHooks(std::move(hooks)) {}

   protected:
    ExecutionResult<Executed> executeCall(const testing::ExecutionCall& call) const override {
        if (mHooks.onExecute) mHooks.onExecute();
        return PreparedModelPart::executeCall(call);
    }
    GeneralResult<ExecutedFenced> launchCall(const testing::ExecutionCall& call,
                                             const std::vector<SyncFence>& waitFor,
                                             const OptionalDuration& afterFences) const override {
        if (mHooks.onExecute) mHooks.onExecute();
        return PreparedModelPart::launchCall(call, waitFor, afterFences);
    }

   private:
    Hooks mHooks;
};

class HookedDevice final : public testing::DevicePart {
   public:
    explicit HookedDevice(Hooks hooks)
        : DevicePart(referenceDevice({.name = "hooked", .hasCache = false})),
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
    GeneralResult<SharedBuffer> allocate(const BufferDesc&, const std::vector<SharedPreparedModel>&,
                                         const std::vector<BufferRole>&,
                                         const std::vector<BufferRole>&) const override {
        return error() << "there is no memory";
    }

   protected:
    testing::Prepared prepare(const testing::Preparation& preparation) const override {
        if (mHooks.onPrepare) mHooks.onPrepare();
        if (mHooks.refuses && mHooks.refuses(preparation.model)) {
            return error() << "too much for this device";
        }
        Model own = preparation.model;
        if (mHooks.change) mHooks.change(own);
        return preparation.with(own).withoutCache().on(*inner());
    }
    SharedPreparedModel wrap(SharedPreparedModel made, const Model*) const override {
        return std::make_shared<const HookedPreparedModel>(std::move(made), mHooks);
    }

   private:
    Hooks mHooks;
};

inline SharedDevice hooked(Hooks hooks) {
    return std::make_shared<const HookedDevice>(std::move(hooks));
}

}  // namespace nn::device_commands_test
