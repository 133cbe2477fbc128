// The parts that the HIDL and AIDL adapters share: executor, live prepared models, loss reports.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "driver/adapt/launch.h"
#include "driver/memory/execution_call.h"
#include "driver/observe/logged_call.h"
#include "driver/wrap/output_shapes.h"
#include "nnapi/convert.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/validate.h"

namespace nn::hal::adapter {

using driver::OwnedCall;

// The live prepared models of one adapted device. Does not own them. Thread-safe.
class Registry {
   public:
    void add(const void* preparedModel) {
        const std::lock_guard lock(mMutex);
        mAlive.insert(preparedModel);
    }
    void remove(const void* preparedModel) {
        const std::lock_guard lock(mMutex);
        mAlive.erase(preparedModel);
    }
    bool has(const void* preparedModel) const {
        const std::lock_guard lock(mMutex);
        return mAlive.contains(preparedModel);
    }

   private:
    mutable std::mutex mMutex{};
    std::unordered_set<const void*> mAlive{};
};

// State that a device shares with its prepared models and with running work.
struct Context {
    Executor executor{};
    LossListener onLoss{};
    HalVersion version{};  // of AIDL; in HIDL each call has its own
    std::chrono::microseconds burstPollingTimeWindow{};
    SharedLog log{};
    mutable Registry preparedModels{};
};
using SharedContext = std::shared_ptr<const Context>;

// Collects the losses of one call.
class CallLosses {
   public:
    CallLosses(const Context& context, std::string_view call)
        : mListener(context.onLoss ? &context.onLoss : nullptr), mCall(call) {}

    // For conversions; null without a listener, so that no text is composed.
    Losses* list() { return mListener == nullptr ? nullptr : &mLosses; }

    // Reports the losses. Call before the method returns.
    void report() {
        if (mLosses.empty()) return;
        ignoreExceptions([&] { (*mListener)(mCall, mLosses); });
        mLosses.clear();
    }

   private:
    const LossListener* mListener;
    std::string_view mCall;
    Losses mLosses{};
};

template <HalVersion V>
using StatusOf = HalType<ErrorStatus, V>;

// A code in a version; GENERAL_FAILURE for one that it lacks.
template <class HalStatus>
HalStatus statusIn(HalVersion version, ErrorStatus code, CallLosses& losses) {
    const size_t before = losses.list() == nullptr ? 0 : losses.list()->size();
    const auto converted =
            conversion::toHal<HalStatus, const ErrorStatus&>(code, version, losses.list());
    if (losses.list() != nullptr) {
        for (size_t i = before; i < losses.list()->size(); ++i) (*losses.list())[i].path = "status";
    }
    return converted.ok() ? *converted : HalStatus::GENERAL_FAILURE;
}
template <HalVersion V>
StatusOf<V> statusFor(ErrorStatus code, CallLosses& losses) {
    return statusIn<StatusOf<V>>(V, code, losses);
}

// The same failure with another code.
inline Status withCode(ErrorStatus code, const Status& failure) {
    return makeError(code, {failure.message().data(), failure.message().size()});
}

// An argument that does not convert is the client's fault, unless memory ran out.
inline Status blameClient(const Status& failure) {
    if (errorStatus(failure) == ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT) return failure;
    return withCode(ErrorStatus::INVALID_ARGUMENT, failure);
}

// A value of the device that does not convert is the device's fault.
inline Status blameDevice(const Status& failure) {
    return withCode(ErrorStatus::GENERAL_FAILURE, failure);
}

// ---------------------------------------------------------------------------------------------
// Work

// The part of a model that requests are validated against: types and dimensions of inputs and
// outputs.
std::shared_ptr<const Model> signatureOf(const Model& model);

// The outputs of a model, for checks of the results of executions.
driver::SharedOutputSignatures outputsOf(const Model& model);

struct Cache {
    std::vector<SharedHandle> model{};
    std::vector<SharedHandle> data{};
    CacheToken token{};
};

// The arguments of a preparation.
struct Preparation {
    Model model{};
    ExecutionPreference preference{};
    Priority priority{};
    OptionalTimePoint deadline{};
    Cache cache{};
    std::vector<TokenValuePair> hints{};
    std::vector<ExtensionNameAndPrefix> extensionNameToPrefix{};

    driver::SharedOutputSignatures outputs() const { return outputsOf(model); }
    GeneralResult<SharedPreparedModel> on(const IDevice& device) const;
};
struct CachedPreparation {
    OptionalTimePoint deadline{};
    Cache cache{};

    driver::SharedOutputSignatures outputs() const { return nullptr; }
    GeneralResult<SharedPreparedModel> on(const IDevice& device) const;
};

// Runs the work on the executor and logs it.
template <class Work, class Doing>
auto doOn(const Doing& doing, const SharedLog& log, std::string_view call, const Work& work) {
    return driver::logged(log, VlogTag::DRIVER, "adapter", call, [&] { return work.on(doing); });
}

// Launches the work on the executor. If the executor rejects it, reports the error and returns
// false.
template <class Work, class Doing, class Receive>
bool launchOn(const std::shared_ptr<const Doing>& doing, const Context& context,
              std::string_view call, Work work, Receive receive) {
    const OptionalTimePoint deadline = work.deadline;
    return launch(
            context.executor, deadline,
            [doing, log = context.log, call, work = std::move(work)] {
                return doOn(*doing, log, call, work);
            },
            std::move(receive));
}

// The result of a preparation, with the HAL object for its prepared model: make(preparedModel).
template <class Offered>
struct Offer {
    ErrorStatus code{};
    Offered preparedModel{};
};
template <class Offered, class Make>
Offer<Offered> offer(GeneralResult<SharedPreparedModel> result, const Make& make) {
    Offer<Offered> offered{.code = errorStatus(result.status())};
    if (!result.has_value()) return offered;
    const Status made = contain([&]() -> Status {
        if (*result == nullptr) return error() << "the device gave no prepared model";
        offered.preparedModel = make(*std::move(result));
        return {};
    });
    if (!made.ok()) offered.code = ErrorStatus::GENERAL_FAILURE;
    return offered;
}

// ---------------------------------------------------------------------------------------------
// Arguments

// The files of a cache: each handle has one descriptor.
template <class HalHandles>
GeneralResult<std::vector<SharedHandle>> readFiles(const HalHandles& handles) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(files, convert(handles));
    for (size_t i = 0; i < files.size(); ++i) {
        if (files[i] != nullptr) continue;
        return error(ErrorStatus::INVALID_ARGUMENT) << "[" << i << "]: the handle is null";
    }
    return files;
}
NNAPI_CATCH

// Reads the cache of a preparation. A bad cache never fails a preparation: that continues without
// cache.
template <class HalHandles>
Cache readCache(const HalHandles& modelCache, const HalHandles& dataCache, const CacheToken& token,
                CallLosses& losses) {
    auto model = readFiles(modelCache);
    auto data = readFiles(dataCache);
    if (model.ok() && data.ok()) return {*std::move(model), *std::move(data), token};
    if (losses.list() != nullptr) {
        const size_t files = (model.ok() ? dataCache : modelCache).size();
        losses.list()->push_back(
                {.path = model.ok() ? "dataCache" : "modelCache",
                 .before = std::to_string(files) + " files",
                 .after = "no cache",
                 .why = std::string((model.ok() ? data : model).status().message())});
    }
    return {};
}

// Reads fences. Rejects null descriptors: a client without a fence passes none.
template <class HalHandles>
Result<std::vector<SyncFence>> readFences(const HalHandles& handles) NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(canonical, convert(handles));
    std::vector<SyncFence> fences;
    fences.reserve(canonical.size());
    for (SharedHandle& handle : canonical) {
        NNAPI_ASSIGN_OR_RETURN(fence, SyncFence::create(std::move(handle)));
        fences.push_back(std::move(fence));
    }
    return fences;
}
NNAPI_CATCH

struct Allocation {
    BufferDesc desc{};
    std::vector<SharedPreparedModel> preparedModels{};
    std::vector<BufferRole> inputRoles{};
    std::vector<BufferRole> outputRoles{};

    // Allocates a buffer with a token.
    GeneralResult<SharedBuffer> on(const IDevice& device) const;
};

// Reads the arguments of allocate(). Prepared models are Adapters; pointerTo(element) gets one.
template <class Adapter, class HalDesc, class HalModels, class HalRoles, class PointerTo>
GeneralResult<Allocation> readAllocation(const HalDesc& desc, const HalModels& preparedModels,
                                         const HalRoles& inputRoles, const HalRoles& outputRoles,
                                         const Registry& known, const PointerTo& pointerTo) {
    Allocation allocation;
    NNAPI_ASSIGN_OR_RETURN(canonicalDesc, convert(desc));
    for (size_t i = 0; i < preparedModels.size(); ++i) {
        const auto* preparedModel = pointerTo(preparedModels[i]);
        if (preparedModel == nullptr) {
            return error(ErrorStatus::INVALID_ARGUMENT) << "preparedModels[" << i << "] is null";
        }
        // A prepared model in the registry was made by this library for this device.
        if (!known.has(preparedModel)) {
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << "preparedModels[" << i << "] is not of this device";
        }
        allocation.preparedModels.push_back(
                static_cast<const Adapter*>(preparedModel)->underlying());
    }
    NNAPI_ASSIGN_OR_RETURN(inputs, convert(inputRoles));
    NNAPI_ASSIGN_OR_RETURN(outputs, convert(outputRoles));
    allocation.desc = std::move(canonicalDesc);
    allocation.inputRoles = std::move(inputs);
    allocation.outputRoles = std::move(outputs);
    return allocation;
}

// ---------------------------------------------------------------------------------------------
// Results

// A device's result in a version's type, and the status to return.
template <class HalStatus, class Hal>
struct HalResult {
    HalStatus status{};
    Hal value{};
    Status why{};  // of a failure
};

// Calls ask(losses). The value is zero if the device returns none that converts.
template <class HalStatus, class Hal, class Ask>
HalResult<HalStatus, Hal> askIn(HalVersion version, const Context& context, std::string_view call,
                                const Ask& ask) {
    CallLosses losses(context, call);
    GeneralResult<Hal> returned =
            contain([&]() -> GeneralResult<Hal> { return ask(losses.list()); });
    HalResult<HalStatus, Hal> result{.why = returned.status()};
    result.status = statusIn<HalStatus>(version, errorStatus(result.why), losses);
    if (returned.has_value()) result.value = *std::move(returned);
    losses.report();
    return result;
}

// Whether the device supports each operation of a valid model. If the model is newer than the
// device, the device is queried only for the part that its version can represent; the rest is
// unsupported.
GeneralResult<std::vector<bool>> supportedOperations(const IDevice& device, const Model& model,
                                                     HalVersion version);

// The number of cache files that the device needs.
GeneralResult<std::pair<uint32_t, uint32_t>> numberOfCacheFiles(const IDevice& device);

// INVALID_ARGUMENT for null. Creates threads if the options have no executor.
GeneralResult<std::shared_ptr<Context>> makeContext(const SharedDevice& device,
                                                    AdaptOptions options);

}  // namespace nn::hal::adapter
