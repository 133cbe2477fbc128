// Base classes of prepared models and bursts that receive the arguments of an execution as one
// ExecutionCall, and of devices that receive those of a preparation as one PreparationCall, instead
// of the parameter lists of the interfaces.
//
//   class Npu final : public CallPreparedModel {
//       ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override { ... }
//       GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override ...
//       GeneralResult<ExecutedFenced> launchCall(const ExecutionCall& call, ...) const override ...
//   };
//
// Exceptions of these methods become failures. The forwarding classes call the inner object
// wherever a subclass does not override them, and exceptions propagate, as in
// nnapi/driver/forwarding.h.
#pragma once

#include <type_traits>
#include <utility>
#include <vector>

#include "driver/memory/execution_call.h"
#include "driver/memory/preparation_call.h"
#include "driver/threads/contain.h"
#include "nnapi/driver/forwarding.h"

namespace nn::driver {

template <class Base>
class ExecutesByCall : public Base {
   public:
    using Base::Base;

    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const final {
        return guarded([&] {
            return executeCall({request, measure, deadline, loopTimeoutDuration, hints,
                                extensionNameToPrefix});
        });
    }

    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const final {
        return guarded([&] {
            return makeExecution(
                    {request, measure, {}, loopTimeoutDuration, hints, extensionNameToPrefix});
        });
    }

   protected:
    virtual ExecutionResult<Executed> executeCall(const ExecutionCall& call) const = 0;
    // The call has no deadline: each computation has its own.
    virtual GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const = 0;

    template <class Function>
    static std::invoke_result_t<Function> guarded(const Function& function) {
        constexpr bool kForwards = requires(const Base& base) { base.inner(); };
        if constexpr (kForwards) {
            return function();
        } else {
            return contain(function);
        }
    }
};

template <class Base>
class LaunchesByCall : public ExecutesByCall<Base> {
   public:
    using ExecutesByCall<Base>::ExecutesByCall;

    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
            const OptionalDuration& timeoutDurationAfterFence,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const final {
        return this->guarded([&] {
            return launchCall(
                    {request, measure, deadline, loopTimeoutDuration, hints, extensionNameToPrefix},
                    waitFor, timeoutDurationAfterFence);
        });
    }

   protected:
    virtual GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const = 0;
};

using CallBurst = ExecutesByCall<IBurst>;
using CallPreparedModel = LaunchesByCall<IPreparedModel>;

template <class Base>
class ForwardsCalls : public Base {
   public:
    using Base::Base;

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        return call.on(*this->inner());
    }
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        auto made = call.reusableOn(*this->inner());
        if (!made.has_value() || *made == nullptr) return made;
        return this->wrapExecution(*std::move(made));
    }
};

class ForwardingCallBurst : public ForwardsCalls<ExecutesByCall<ForwardingBurst>> {
   public:
    using ForwardsCalls::ForwardsCalls;
};

class ForwardingCallPreparedModel : public ForwardsCalls<LaunchesByCall<ForwardingPreparedModel>> {
   public:
    using ForwardsCalls::ForwardsCalls;

   protected:
    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        return call.fencedOn(*inner(), waitFor, timeoutDurationAfterFence);
    }
};

// Prepared models pass through wrap(), prepared or loaded.
class ForwardingCallDevice : public ForwardingDevice {
   public:
    using ForwardingDevice::ForwardingDevice;
    using Handles = PreparationCall::Handles;

    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const Handles& modelCache, const Handles& dataCache,
            const CacheToken& token, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const final {
        auto made = prepare({model, preference, priority, deadline, modelCache, dataCache, token,
                             hints, extensionNameToPrefix});
        if (!made.has_value() || *made == nullptr) return made;
        return wrap(*std::move(made), &model);
    }
    GeneralResult<SharedPreparedModel> prepareModelFromCache(OptionalTimePoint deadline,
                                                             const Handles& modelCache,
                                                             const Handles& dataCache,
                                                             const CacheToken& token) const final {
        auto made = load({deadline, modelCache, dataCache, token});
        if (!made.has_value() || *made == nullptr) return made;
        return wrap(*std::move(made), nullptr);
    }

   protected:
    virtual GeneralResult<SharedPreparedModel> prepare(const PreparationCall& call) const {
        return call.on(*inner());
    }
    virtual GeneralResult<SharedPreparedModel> load(const LoadingCall& call) const {
        return call.on(*inner());
    }
    // The model is null if the prepared model was loaded.
    virtual SharedPreparedModel wrap(SharedPreparedModel made, const Model* model) const {
        (void)model;
        return wrapPreparedModel(std::move(made));
    }
};

// An execution of a burst.
class UnfencedExecution : public IExecution {
   public:
    GeneralResult<ExecutedFenced> computeFenced(const std::vector<SyncFence>&,
                                                const OptionalTimePoint&,
                                                const OptionalDuration&) const final {
        return error() << "an execution of a burst has no fences";
    }
};

}  // namespace nn::driver
