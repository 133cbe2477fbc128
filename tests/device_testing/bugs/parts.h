// What the parts of the driver are made of: a device that wraps another one, and changes it where
// the bug is one of its own.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "device_testing/bugs/bugs.h"
#include "driver/adapt/default_execution.h"
#include "driver/memory/call_objects.h"
#include "nnapi/driver/default_burst.h"
#include "nnapi/driver/forwarding.h"

namespace nn::bugs {

using Handles = std::vector<SharedHandle>;
using Roles = std::vector<BufferRole>;
using Prepared = GeneralResult<SharedPreparedModel>;
using driver::ExecutionCall;

// Each returns the device itself if the bug is not among its own.
SharedDevice withSupportBugs(SharedDevice device, Bug bug);
SharedDevice withShapeBugs(SharedDevice device, Bug bug);
SharedDevice withMemoryBugs(SharedDevice device, Bug bug);
SharedDevice withCacheBugs(SharedDevice device, Bug bug);
SharedDevice withThreadBugs(SharedDevice device, Bug bug);
SharedDevice withTimeBugs(SharedDevice device, Bug bug);
SharedDevice withResourceBugs(SharedDevice device, Bug bug);
SharedDevice withClientBugs(SharedDevice device, Bug bug);
SharedDevice withChangedModels(SharedDevice device, Bug bug);
hidl::sp<V1_3::IDevice> withProtocolBugs(hidl::sp<V1_3::IDevice> driver, Bug bug);
std::shared_ptr<aidl_hal::IDevice> withProtocolBugs(std::shared_ptr<aidl_hal::IDevice> driver,
                                                    Bug bug);

// Of cache_failure_fails: a cache of the calling thread was not saved.
bool& hasCacheFailed();

// Ends the process by SIGSEGV, without a core file.
[[noreturn]] void crash();

// The arguments of a preparation.
struct Preparation {
    const Model& model;
    ExecutionPreference preference{};
    Priority priority{};
    OptionalTimePoint deadline{};
    const Handles& modelCache;
    const Handles& dataCache;
    CacheToken token{};
    const std::vector<TokenValuePair>& hints;
    const std::vector<ExtensionNameAndPrefix>& prefixes;

    Preparation with(const Model& other) const {
        return {other,     preference, priority, deadline, modelCache,
                dataCache, token,      hints,    prefixes};
    }
    Preparation withoutCache() const {
        static const Handles none;
        return {model, preference, priority, deadline, none, none, token, hints, prefixes};
    }
    Prepared on(const IDevice& device) const {
        return device.prepareModel(model, preference, priority, deadline, modelCache, dataCache,
                                   token, hints, prefixes);
    }
};

struct Loading {
    OptionalTimePoint deadline{};
    const Handles& modelCache;
    const Handles& dataCache;
    CacheToken token{};

    Prepared on(const IDevice& device) const {
        return device.prepareModelFromCache(deadline, modelCache, dataCache, token);
    }
};

// A prepared model whose executions by every path but the fenced one go through executeCall().
class PreparedModelPart : public driver::CallPreparedModel,
                          public std::enable_shared_from_this<PreparedModelPart> {
   public:
    PreparedModelPart(SharedPreparedModel inner, Bug bug) : mInner(std::move(inner)), mBug(bug) {}

    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        return SharedBurst(std::make_shared<const DefaultBurst>(shared_from_this()));
    }
    // The inner device's own, so that it finds its prepared models among those of clients.
    std::any getUnderlyingResource() const override { return mInner->getUnderlyingResource(); }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        return call.on(*mInner);
    }
    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutAfterFences) const override {
        return call.fencedOn(*mInner, waitFor, timeoutAfterFences);
    }
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        NNAPI_RETURN_IF_ERROR(call.reusableOn(*mInner).status());
        return driver::defaultExecution(shared_from_this(), call);
    }
    const SharedPreparedModel& inner() const { return mInner; }
    bool has(Bug bug) const { return mBug == bug; }

   private:
    SharedPreparedModel mInner;
    Bug mBug;
};

class DevicePart : public ForwardingDevice {
   public:
    DevicePart(SharedDevice inner, Bug bug) : ForwardingDevice(std::move(inner)), mBug(bug) {}

    Prepared prepareModel(const Model& model, ExecutionPreference preference, Priority priority,
                          OptionalTimePoint deadline, const Handles& modelCache,
                          const Handles& dataCache, const CacheToken& token,
                          const std::vector<TokenValuePair>& hints,
                          const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        auto made = prepare({model, preference, priority, deadline, modelCache, dataCache, token,
                             hints, prefixes});
        if (!made.has_value() || *made == nullptr) return made;
        return wrap(*std::move(made), &model);
    }
    Prepared prepareModelFromCache(OptionalTimePoint deadline, const Handles& modelCache,
                                   const Handles& dataCache,
                                   const CacheToken& token) const override {
        auto made = load({deadline, modelCache, dataCache, token});
        if (!made.has_value() || *made == nullptr) return made;
        return wrap(*std::move(made), nullptr);
    }

   protected:
    virtual Prepared prepare(const Preparation& preparation) const {
        return preparation.on(*inner());
    }
    virtual Prepared load(const Loading& loading) const { return loading.on(*inner()); }
    // The model is null where it was loaded.
    virtual SharedPreparedModel wrap(SharedPreparedModel made, const Model* model) const {
        (void)model;
        return made;
    }
    bool has(Bug bug) const { return mBug == bug; }
    Bug bug() const { return mBug; }

   private:
    Bug mBug;
};

// ---- what is in the memory of a request; empty where it is device memory

inline SharedMemory poolOf(const Request& request, const Request::Argument& argument) {
    const uint32_t index = argument.location.poolIndex;
    if (argument.lifetime != Request::Argument::LifeTime::POOL || index >= request.pools.size()) {
        return nullptr;
    }
    const auto* memory = std::get_if<SharedMemory>(&request.pools[index]);
    return memory == nullptr ? nullptr : *memory;
}
std::vector<std::vector<uint8_t>> readOutputs(const Request& request);
void writeOutputs(const Request& request, const std::vector<std::vector<uint8_t>>& values);

}  // namespace nn::bugs
