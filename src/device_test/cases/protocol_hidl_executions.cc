// Executions and memory of HAL 1.0 to 1.3.
#include <utility>

#include "device_test/cases/execution_paths.h"
#include "device_test/cases/protocol_hidl.h"

namespace nn::testing::protocol {
namespace {

using nn::hidl::hidl_handle;

// Shows the interface of the call's version, and no newer one.
class StrictExecution final : public parts::ExecutionCallback<StrictExecution> {
   public:
    explicit StrictExecution(SharedCall call) : mCall(std::move(call)) { mCall->hold(); }
    ~StrictExecution() override { mCall->release(); }

    Return<void> interfaceChain(interfaceChain_cb callback) override {
        callback(parts::chainUpTo<V1_3::IExecutionCallback, V1_2::IExecutionCallback,
                                  V1_0::IExecutionCallback>(mCall->info().since));
        return hidl::Void();
    }
    Return<void> notified(HalVersion by, auto status, const Shapes& shapes,
                          const V1_2::Timing& timing) {
        mCall->addReply(executionReply(parts::notifyMethod(by), static_cast<int32_t>(status),
                                       shapes, timing));
        return hidl::Void();
    }

   private:
    const SharedCall mCall;
};

// A request in the forms of all versions.
struct HidlRequests {
    V1_0::Request v1_0{};
    V1_3::Request v1_3{};

    static Result<HidlRequests> of(const Request& request, Legality legality) {
        HidlRequests made;
        NNAPI_ASSIGN_OR_RETURN(older, V1_0::utils::convert(request));
        NNAPI_ASSIGN_OR_RETURN(newer, V1_3::utils::convert(request));
        made.v1_0 = std::move(older);
        made.v1_3 = std::move(newer);
        if (legality == Legality::ILLEGAL) {  // an input is missing
            made.v1_0.inputs.resize(1);
            made.v1_3.inputs.resize(1);
        }
        return made;
    }
};

// ---- the methods that execute

// A synchronous method stores its results in the call; an asynchronous one passes the call to a
// callback.
struct ExecutingMethod {
    const char* name;
    HalVersion since;
    const char* due;
    Result<int32_t> (*launch)(const HidlPreparedModels&, const HidlRequests&, V1_2::MeasureTiming,
                              const SharedCall&);
};

auto resultCallback(const SharedCall& call) {
    return [call](auto status, const hidl_vec<V1_2::OutputShape>& shapes,
                  const V1_2::Timing& timing) {
        call->addReply(executionReply({}, static_cast<int32_t>(status), shapes, timing));
    };
}

constexpr ExecutingMethod kExecuting[] = {
        {"execute", HalVersion::V1_0, "notify",
         [](const auto& prepared, const auto& requests, auto, const auto& call) {
             return statusOf(
                     prepared.v1_0->execute(requests.v1_0, sp<StrictExecution>::make(call)));
         }},
        {"execute_1_2", HalVersion::V1_2, "notify_1_2",
         [](const auto& prepared, const auto& requests, auto measure, const auto& call) {
             return statusOf(prepared.v1_2->execute_1_2(requests.v1_0, measure,
                                                        sp<StrictExecution>::make(call)));
         }},
        {"execute_1_3", HalVersion::V1_3, "notify_1_3",
         [](const auto& prepared, const auto& requests, auto measure, const auto& call) {
             return statusOf(prepared.v1_3->execute_1_3(requests.v1_3, measure, {}, {},
                                                        sp<StrictExecution>::make(call)));
         }},
        {"executeSynchronously", HalVersion::V1_2, "",
         [](const auto& prepared, const auto& requests, auto measure, const auto& call) {
             return statusOf(prepared.v1_2->executeSynchronously(requests.v1_0, measure,
                                                                 resultCallback(call)));
         }},
        {"executeSynchronously_1_3", HalVersion::V1_3, "",
         [](const auto& prepared, const auto& requests, auto measure, const auto& call) {
             return statusOf(prepared.v1_3->executeSynchronously_1_3(requests.v1_3, measure, {}, {},
                                                                     resultCallback(call)));
         }},
};

Failure executeBy(const ExecutingMethod& method, const Client& client,
                  const HidlPreparedModels& prepared, const HidlRequests& requests,
                  MeasureTiming measure, Reply& reply) {
    const SharedCall call =
            client.ledger.open({.name = method.name, .due = method.due, .since = method.since});
    const auto halMeasure = static_cast<V1_2::MeasureTiming>(measure);
    const Result<int32_t> returned = method.launch(prepared, requests, halMeasure, call);
    if (Failure failure = client.ledger.check(*call, returned, &reply)) return failure;
    // notify of 1.0 carries neither shapes nor times.
    if (method.since == HalVersion::V1_0) return std::nullopt;
    return checkExecutionReply(method.name, reply, measure);
}

Failure executeByAll(const Client& client, const HidlPreparedModels& prepared,
                     const SumArguments& sum, Legality legality) {
    const Result<HidlRequests> requests = HidlRequests::of(sum.request(), legality);
    if (!requests.ok()) return failedCall("the request of the case", requests.status());
    for (const ExecutingMethod& method : methodsOf(client, kExecuting)) {
        for (const MeasureTiming measure : {MeasureTiming::NO, MeasureTiming::YES}) {
            Reply reply;
            Failure failure = executeBy(method, client, prepared, *requests, measure, reply);
            if (!failure) failure = checkLegality(method.name, reply, legality);
            if (failure) return failure;
        }
    }
    return std::nullopt;
}

// A model that is prepared, and arguments for it.
struct PreparedSum {
    HidlPreparedModels prepared{};
    SumArguments sum{};

    Failure begin(const Client& client, uint32_t size = 3) {
        if (Failure failure = prepareNewest(client, addition(size), &prepared)) return failure;
        return sum.begin();
    }
};

Failure executeInTurn(const Client& client, std::initializer_list<Legality> inTurn) {
    PreparedSum made;
    if (Failure failure = made.begin(client)) return failure;
    for (const Legality legality : inTurn) {
        if (Failure failure = executeByAll(client, made.prepared, made.sum, legality)) {
            return failure;
        }
    }
    return std::nullopt;
}

}  // namespace

namespace hidl_client {

Failure execute(const Client& client) { return executeInTurn(client, {Legality::LEGAL}); }

// Callbacks that call the device again, and wait for it: a driver must not hold a lock meanwhile.
Failure reentrant(const Client& client) {
    const auto model = V1_0::utils::convert(addition(3));
    if (!model.ok()) return failedCall("the model of the case", model.status());
    const auto reentry =
            Reentry::begin(client.ledger, [device = client.driver.hidl, model = *model] {
                (void)device->getStatus().isOk();
                (void)device->getSupportedOperations(model, [](auto&&...) {}).isOk();
            });
    if (Failure failure = prepare(client)) return failure;
    if (Failure failure = reentry->check()) return failure;
    if (Failure failure = execute(client)) return failure;
    return reentry->check();
}

// Errors do not affect later calls.
Failure execute_refused(const Client& client) {
    return executeInTurn(client, {Legality::ILLEGAL, Legality::LEGAL});
}

// A model may leave dimensions to the request since HAL 1.2.
Failure insufficient(const Client& client) {
    if (client.driver.version < HalVersion::V1_2) {
        return notSupported("shapes of outputs (since HAL 1.2)");
    }
    if (Failure failure = checkSupports(*client.device, addition(0))) return failure;
    PreparedSum made;
    if (Failure failure = made.begin(client, 0)) {
        if (failure->code != ErrorStatus::GENERAL_FAILURE) return failure;
        return notSupported("outputs whose size is not known beforehand");
    }
    const auto requests = HidlRequests::of(made.sum.insufficient(), Legality::LEGAL);
    if (!requests.ok()) return failedCall("the request of the case", requests.status());
    for (const ExecutingMethod& method : methodsOf(client, kExecuting)) {
        Reply reply;
        Failure failure =
                executeBy(method, client, made.prepared, *requests, MeasureTiming::NO, reply);
        if (!failure) failure = checkInsufficient(method.name, reply);
        if (failure) return failure;
    }
    return std::nullopt;
}

namespace {

// The results of executeFenced other than its status.
struct Fenced {
    SyncFence fence{};
    sp<V1_3::IFencedExecutionCallback> info{};
};

Failure executeFenced(const Client& client, const HidlPreparedModels& prepared,
                      const HidlRequests& requests, const hidl_vec<hidl_handle>& waitFor,
                      Legality legality, Fenced& fenced) {
    constexpr const char* kName = "executeFenced";
    Result<SyncFence> fence = SyncFence::createAsSignaled();
    const auto see = [&](Reply& made, const hidl_handle& handle,
                         const sp<V1_3::IFencedExecutionCallback>& info) {
        made.hasObject = info != nullptr;
        fenced.info = info;
        if (handle.getNativeHandle() != nullptr) {
            auto shared = nn::convert(handle);
            fence = shared.ok() ? SyncFence::create(*shared) : shared.status();
        }
    };
    Reply reply;
    Failure failure = callAndCheck(
            client, kName, HalVersion::V1_3,
            [&](auto callback) {
                return prepared.v1_3->executeFenced(requests.v1_3, waitFor, V1_2::MeasureTiming::NO,
                                                    {}, {}, {}, callback);
            },
            see, &reply);
    if (!failure) failure = checkLegality(kName, reply, legality);
    if (failure) return failure;
    if (!fence.ok())
        return failedCall("the fence of executeFenced", fence.status(),
                          "wrapper.fenced, protocol.fenced");
    fenced.fence = *fence;
    return checkFenced(reply, fenced.fence);
}

// The result of getExecutionInfo, with the larger of both times.
Failure queryInfo(const Client& client, const sp<V1_3::IFencedExecutionCallback>& info,
                  Reply& reply) {
    const auto see = [](Reply& made, const V1_2::Timing& launched, const V1_2::Timing& fenced) {
        made.timeOnDevice = std::min(launched.timeOnDevice, fenced.timeOnDevice);
        made.timeInDriver = std::min(launched.timeInDriver, fenced.timeInDriver);
    };
    return callAndCheck(
            client, "getExecutionInfo", HalVersion::V1_3,
            [&](auto callback) { return info->getExecutionInfo(callback); }, see, &reply);
}

}  // namespace

Failure fenced(const Client& client) {
    if (client.driver.version < HalVersion::V1_3) return notSupported("fences (since HAL 1.3)");
    PreparedSum made;
    if (Failure failure = made.begin(client)) return failure;
    for (const Legality legality : {Legality::ILLEGAL, Legality::LEGAL}) {
        const auto requests = HidlRequests::of(made.sum.request(), legality);
        if (!requests.ok()) return failedCall("the request of the case", requests.status());
        Fenced fenced;
        if (Failure failure =
                    executeFenced(client, made.prepared, *requests, {}, legality, fenced)) {
            return failure;
        }
        if (legality == Legality::ILLEGAL) continue;
        Failure failure = checkInfo(client.ledger.patience(), fenced.fence, [&](Reply& reply) {
            return queryInfo(client, fenced.info, reply);
        });
        if (failure) return failure;
    }
    // Behind a fence that is signaled later.
    const auto requests = HidlRequests::of(made.sum.request(), Legality::LEGAL);
    if (!requests.ok()) return failedCall("the request of the case", requests.status());
    Fenced fenced;
    return checkLateFence(
            client.ledger.patience(),
            [&](const SyncFence& before) -> Failure {
                hidl_vec<hidl_handle> waitFor;
                waitFor.resize(1);
                auto handle = V1_3::utils::convert(before);
                if (!handle.ok()) return failedCall("the fence of the case", handle.status());
                waitFor[0] = *std::move(handle);
                return executeFenced(client, made.prepared, *requests, waitFor, Legality::LEGAL,
                                     fenced);
            },
            [&] { return fenced.fence; },
            [&](Reply& reply) { return queryInfo(client, fenced.info, reply); });
}

Failure allocate(const Client& client) {
    if (client.driver.version < HalVersion::V1_3) {
        return notSupported("memory of the device (since HAL 1.3)");
    }
    PreparedSum made;
    if (Failure failure = made.begin(client)) return failure;
    const HidlDevices devices(client.driver);
    std::vector<sp<V1_3::IBuffer>> buffers;
    std::vector<int64_t> tokens;
    const auto allocate = [&](bool hasModels, Reply& reply) {
        hidl_vec<sp<V1_3::IPreparedModel>> models;
        hidl_vec<V1_3::BufferRole> roles;
        roles.resize(1);
        roles[0] = {.modelIndex = 0, .ioIndex = 0, .frequency = 1};
        if (hasModels) {
            models.resize(1);
            models[0] = made.prepared.v1_3;
        }
        const auto see = [&](Reply& seen, const sp<V1_3::IBuffer>& buffer, uint32_t token) {
            seen.hasObject = buffer != nullptr;
            buffers.push_back(buffer);
            tokens.push_back(token);
        };
        return callAndCheck(
                client, "allocate", HalVersion::V1_3,
                [&](auto callback) {
                    return devices.v1_3->allocate({}, models, roles, {}, callback);
                },
                see, &reply);
    };
    return checkAllocations(allocate, tokens);
}

}  // namespace hidl_client
}  // namespace nn::testing::protocol
