// Drivers of AIDL 1 to 4, as their strict client calls them.
#include <utility>

#include "device_test/cases/protocol_checks.h"
#include "nnapi/convert.h"
#include "nnapi/driver/callbacks.h"

namespace nn::testing::protocol::aidl_client {
namespace {

using aidl_hal::ExecutionConfig;
using aidl_hal::ExecutionResult;
using ::ndk::ScopedAStatus;
using ::ndk::SharedRefBase;
using PreparedAidl = std::shared_ptr<aidl_hal::IPreparedModel>;
using Files = std::vector<::ndk::ScopedFileDescriptor>;

constexpr int64_t kNone = -1;  // of times

// Returned for null by a method here that first creates an execution; not a reply of the driver.
constexpr std::string_view kNullExecution = "createReusableExecution succeeds with null";
ScopedAStatus nullExecution() {
    return ScopedAStatus::fromExceptionCodeWithMessage(EX_NULL_POINTER, kNullExecution.data());
}

// NONE, or the code of a service-specific error; every other error is one of the protocol.
Failure readStatus(const std::string& call, const ScopedAStatus& status, int32_t& code) {
    code = 0;
    if (status.isOk()) return std::nullopt;
    const binder_exception_t exception = status.getExceptionCode();
    if (exception == EX_TRANSACTION_FAILED && status.getStatus() == STATUS_UNKNOWN_TRANSACTION) {
        return failed(call, "is not known to a driver whose getInterfaceVersion has it",
                      "aidl.version_4, protocol.aidl_version");
    }
    if (exception == EX_TRANSACTION_FAILED) {
        return failedCall(call, hal::utils::failureOf(status), "aidl.failures");
    }
    if (exception == EX_NULL_POINTER && status.getMessage() == kNullExecution) {
        return failed(call, std::string(kNullExecution), "protocol.aidl_null");
    }
    code = status.getServiceSpecificError();
    constexpr auto kLast = static_cast<int32_t>(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
    if (exception == EX_SERVICE_SPECIFIC && code >= 1 && code <= kLast) return std::nullopt;
    return failed(call,
                  fmt::format("fails with {}, allowed is a service-specific error with a code of "
                              "ErrorStatus",
                              status.getDescription()),
                  "aidl.failures, protocol.aidl_errors");
}

Failure mustSucceed(const std::string& call, const ScopedAStatus& status) {
    Reply reply;
    if (Failure failure = readStatus(call, status, reply.status)) return failure;
    return checkLegality(call, reply, Legality::LEGAL);
}

// ---- preparations

class StrictAidlPreparation final : public aidl_hal::BnPreparedModelCallback {
   public:
    explicit StrictAidlPreparation(SharedCall call) : mCall(std::move(call)) { mCall->hold(); }
    ~StrictAidlPreparation() override { mCall->release(); }

    ScopedAStatus notify(aidl_hal::ErrorStatus status, const PreparedAidl& model) override {
        mCall->addReply({.by = "notify",
                         .status = static_cast<int32_t>(status),
                         .hasObject = model != nullptr},
                        model);
        return ScopedAStatus::ok();
    }

   private:
    const SharedCall mCall;
};
using AidlCallback = std::shared_ptr<StrictAidlPreparation>;

struct AidlPreparing {
    const char* name;
    HalVersion since;
    ScopedAStatus (*launch)(aidl_hal::IDevice&, const aidl_hal::Model&, const AidlCallback&);
};
constexpr AidlPreparing kAidlPreparing[] = {
        {"prepareModel", HalVersion::AIDL1,
         [](aidl_hal::IDevice& device, const aidl_hal::Model& model, const AidlCallback& callback) {
             return device.prepareModel(model, aidl_hal::ExecutionPreference::FAST_SINGLE_ANSWER,
                                        aidl_hal::Priority::MEDIUM, kNone, {}, {},
                                        std::vector<uint8_t>(kByteSizeOfCacheToken), callback);
         }},
        {"prepareModelWithConfig", HalVersion::AIDL4,
         [](aidl_hal::IDevice& device, const aidl_hal::Model& model, const AidlCallback& callback) {
             aidl_hal::PrepareModelConfig config;
             config.preference = aidl_hal::ExecutionPreference::FAST_SINGLE_ANSWER;
             config.priority = aidl_hal::Priority::MEDIUM;
             config.deadlineNs = kNone;
             return device.prepareModelWithConfig(model, config, callback);
         }},
};
// Without files there is nothing to load.
constexpr AidlPreparing kAidlLoading = {
        "prepareModelFromCache", HalVersion::AIDL1,
        [](aidl_hal::IDevice& device, const aidl_hal::Model&, const AidlCallback& callback) {
            return device.prepareModelFromCache(
                    kNone, {}, {}, std::vector<uint8_t>(kByteSizeOfCacheToken), callback);
        }};

// A model without operations is not legal.
Result<aidl_hal::Model> modelFor(uint32_t size, Legality legality) {
    NNAPI_ASSIGN_OR_RETURN(model, AIDL1::utils::convert(addition(size)));
    if (legality == Legality::ILLEGAL) model.main.operations.clear();
    return Result<aidl_hal::Model>(std::move(model));
}

Failure prepareBy(const AidlPreparing& method, const Client& client, uint32_t size,
                  Legality legality, PreparedAidl* prepared = nullptr) {
    const auto model = modelFor(size, legality);
    if (!model.ok()) return failedCall("the model of the case", model.status());
    const SharedCall call = client.ledger.open(
            {.name = method.name, .due = "notify", .since = method.since, .isPreparation = true});
    int32_t returned = 0;
    Failure failure = readStatus(method.name,
                                 method.launch(*client.driver.aidl, *model,
                                               SharedRefBase::make<StrictAidlPreparation>(call)),
                                 returned);
    if (failure) return failure;
    Reply reply;
    if ((failure = client.ledger.check(*call, returned, &reply))) return failure;
    if ((failure = checkLegality(method.name, reply, legality))) return failure;
    if (prepared != nullptr) *prepared = std::any_cast<PreparedAidl>(call->object());
    return std::nullopt;
}

Failure prepareByAll(const Client& client, std::initializer_list<Legality> inTurn) {
    for (const Legality legality : inTurn) {
        for (const AidlPreparing& method : methodsOf(client, kAidlPreparing)) {
            if (Failure failure = prepareBy(method, client, 3, legality)) return failure;
        }
    }
    return std::nullopt;
}

Failure prepareNewest(const Client& client, uint32_t size, PreparedAidl* prepared) {
    return prepareBy(methodsOf(client, kAidlPreparing).back(), client, size, Legality::LEGAL,
                     prepared);
}

// ---- executions

constexpr int64_t kTokens[] = {7, 9};  // of the pools of a burst

// What executions are made of: any but the prepared model may be null.
struct AidlObjects {
    PreparedAidl prepared{};
    std::shared_ptr<aidl_hal::IBurst> burst{};
};

struct AidlExecuting {
    const char* name;
    HalVersion since;
    ScopedAStatus (*call)(const AidlObjects&, const aidl_hal::Request&, bool isMeasured,
                          ExecutionResult*);
};

ExecutionConfig configOf(bool isMeasured) {
    ExecutionConfig config;
    config.measureTiming = isMeasured;
    config.loopTimeoutDurationNs = kNone;
    return config;
}

const std::vector<int64_t>& tokensOfPools() {
    static const std::vector<int64_t> tokens(std::begin(kTokens), std::end(kTokens));
    return tokens;
}

constexpr AidlExecuting kAidlExecuting[] = {
        {"executeSynchronously", HalVersion::AIDL1,
         [](const auto& objects, const auto& request, bool isMeasured, auto* result) {
             return objects.prepared->executeSynchronously(request, isMeasured, kNone, kNone,
                                                           result);
         }},
        {"executeSynchronouslyWithConfig", HalVersion::AIDL4,
         [](const auto& objects, const auto& request, bool isMeasured, auto* result) {
             return objects.prepared->executeSynchronouslyWithConfig(request, configOf(isMeasured),
                                                                     kNone, result);
         }},
        {"createReusableExecution", HalVersion::AIDL4,
         [](const auto& objects, const auto& request, bool isMeasured, auto* result) {
             std::shared_ptr<aidl_hal::IExecution> execution;
             auto status = objects.prepared->createReusableExecution(request, configOf(isMeasured),
                                                                     &execution);
             if (!status.isOk()) return status;
             if (execution == nullptr) return nullExecution();
             return execution->executeSynchronously(kNone, result);
         }},
};
constexpr AidlExecuting kAidlBurst[] = {
        {"IBurst::executeSynchronously", HalVersion::AIDL1,
         [](const auto& objects, const auto& request, bool isMeasured, auto* result) {
             return objects.burst->executeSynchronously(request, tokensOfPools(), isMeasured, kNone,
                                                        kNone, result);
         }},
        {"IBurst::executeSynchronouslyWithConfig", HalVersion::AIDL4,
         [](const auto& objects, const auto& request, bool isMeasured, auto* result) {
             return objects.burst->executeSynchronouslyWithConfig(
                     request, tokensOfPools(), configOf(isMeasured), kNone, result);
         }},
};

Reply replyOf(const ExecutionResult& result) {
    Reply reply{.timeOnDevice = static_cast<uint64_t>(result.timing.timeOnDeviceNs),
                .timeInDriver = static_cast<uint64_t>(result.timing.timeInDriverNs)};
    for (const auto& shape : result.outputShapes) reply.sufficient.push_back(shape.isSufficient);
    if (!result.outputSufficientSize) {
        reply.status = static_cast<int32_t>(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
    }
    return reply;
}

Failure executeBy(const AidlExecuting& method, const AidlObjects& objects, const Request& request,
                  MeasureTiming measure, Legality legality, Reply& reply) {
    auto converted = AIDL1::utils::convert(request);
    if (!converted.ok()) return failedCall("the request of the case", converted.status());
    if (legality == Legality::ILLEGAL) converted->inputs.resize(1);
    ExecutionResult result;
    const auto status = method.call(objects, *converted, measure == MeasureTiming::YES, &result);
    int32_t code = 0;
    if (Failure failure = readStatus(method.name, status, code)) return failure;
    if (code == static_cast<int32_t>(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE)) {
        return failed(
                method.name,
                "fails with OUTPUT_INSUFFICIENT_SIZE; outputs that are too small are a result "
                "with outputSufficientSize = false, not an error",
                "aidl.insufficient_size, protocol.aidl_insufficient");
    }
    reply = status.isOk() ? replyOf(result) : Reply{.status = code};
    return checkExecutionReply(method.name, reply, measure);
}

template <size_t size>
Failure executeByAll(const Client& client, const AidlExecuting (&methods)[size],
                     const AidlObjects& objects, const SumArguments& sum, Legality legality) {
    for (const AidlExecuting& method : methodsOf(client, methods)) {
        for (const MeasureTiming measure : {MeasureTiming::NO, MeasureTiming::YES}) {
            Reply reply;
            Failure failure = executeBy(method, objects, sum.request(), measure, legality, reply);
            if (!failure) failure = checkLegality(method.name, reply, legality);
            if (failure) return failure;
        }
    }
    return std::nullopt;
}

struct AidlSum {
    AidlObjects objects{};
    SumArguments sum{};

    Failure begin(const Client& client, uint32_t size = 3) {
        if (Failure failure = prepareNewest(client, size, &objects.prepared)) return failure;
        return sum.begin();
    }
};

Failure executeInTurn(const Client& client, std::initializer_list<Legality> inTurn) {
    AidlSum made;
    if (Failure failure = made.begin(client)) return failure;
    for (const Legality legality : inTurn) {
        if (Failure failure =
                    executeByAll(client, kAidlExecuting, made.objects, made.sum, legality)) {
            return failure;
        }
    }
    return std::nullopt;
}

}  // namespace

Failure prepare(const Client& client) { return prepareByAll(client, {Legality::LEGAL}); }

// Errors do not affect later calls.
Failure prepare_refused(const Client& client) {
    return prepareByAll(client, {Legality::LEGAL, Legality::ILLEGAL, Legality::LEGAL});
}

Failure from_cache(const Client& client) {
    return prepareBy(kAidlLoading, client, 3, Legality::ILLEGAL);
}

// Callbacks that call the device again, and wait for it: a driver must not hold a lock meanwhile.
Failure reentrant(const Client& client) {
    auto made = modelFor(3, Legality::LEGAL);
    if (!made.ok()) return failedCall("the model of the case", made.status());
    const auto model = std::make_shared<const aidl_hal::Model>(*std::move(made));
    const auto reentry = Reentry::begin(client.ledger, [device = client.driver.aidl, model] {
        aidl_hal::DeviceType type{};
        std::vector<bool> supported;
        (void)device->getType(&type).isOk();
        (void)device->getSupportedOperations(*model, &supported).isOk();
    });
    if (Failure failure = prepare(client)) return failure;
    return reentry->check();
}

// Who cannot notify anybody returns an error.
Failure null_callback(const Client& client) {
    const auto model = modelFor(3, Legality::LEGAL);
    if (!model.ok()) return failedCall("the model of the case", model.status());
    for (const AidlPreparing& method : methodsOf(client, kAidlPreparing)) {
        int32_t returned = 0;
        if (Failure failure = readStatus(
                    method.name, method.launch(*client.driver.aidl, *model, nullptr), returned)) {
            return failure;
        }
        if (returned != 0) continue;
        return failed(method.name, "succeeds for a null callback, expected INVALID_ARGUMENT",
                      "adapter.failed_preparation, protocol.null_callback");
    }
    return std::nullopt;
}

Failure support(const Client& client) {
    constexpr const char* kName = "getSupportedOperations";
    for (const Legality legality : {Legality::LEGAL, Legality::ILLEGAL, Legality::LEGAL}) {
        const auto model = modelFor(3, legality);
        if (!model.ok()) return failedCall("the model of the case", model.status());
        std::vector<bool> supported;
        Reply reply;
        Failure failure =
                readStatus(kName, client.driver.aidl->getSupportedOperations(*model, &supported),
                           reply.status);
        if (!failure) failure = checkLegality(kName, reply, legality);
        if (failure) return failure;
        if (legality == Legality::LEGAL && supported.size() != 1) {
            return failed(kName, "does not return one value for the one operation of the model",
                          "device.supported_operations, protocol.getters");
        }
    }
    return std::nullopt;
}

namespace {

Failure checkInterface(const Client& client) {
    int32_t version = 0;
    std::string hash;
    aidl_hal::IDevice& device = *client.driver.aidl;
    Failure failure = mustSucceed("getInterfaceVersion", device.getInterfaceVersion(&version));
    if (!failure) failure = mustSucceed("getInterfaceHash", device.getInterfaceHash(&hash));
    if (failure) return failure;
    const int32_t least = static_cast<int32_t>(client.driver.version) -
                          static_cast<int32_t>(HalVersion::AIDL1) + 1;
    if (version < least) {
        return failed("getInterfaceVersion",
                      fmt::format("returns {}, and was {} before", version, least),
                      "protocol.aidl_version");
    }
    if (hash.empty()) {
        return failed("getInterfaceHash", "is empty; an interface in work has \"notfrozen\"",
                      "protocol.aidl_version");
    }
    return std::nullopt;
}

}  // namespace

Failure getters(const Client& client) {
    aidl_hal::IDevice& device = *client.driver.aidl;
    if (Failure failure = checkInterface(client)) return failure;
    aidl_hal::Capabilities capabilities;
    aidl_hal::NumberOfCacheFiles files;
    std::vector<aidl_hal::Extension> extensions;
    aidl_hal::DeviceType type{};
    std::string version;
    const auto isCount = [](int32_t count) {
        return count >= 0 && count <= static_cast<int32_t>(kMaxNumberOfCacheFiles);
    };
    const auto isAnything = [] { return true; };
    const struct {
        const char* name;
        std::function<ScopedAStatus()> ask;
        std::function<bool()> isLegal;
    } kRows[] = {
            {"getCapabilities", [&] { return device.getCapabilities(&capabilities); }, isAnything},
            {"getNumberOfCacheFilesNeeded",
             [&] { return device.getNumberOfCacheFilesNeeded(&files); },
             [&] { return isCount(files.numModelCache) && isCount(files.numDataCache); }},
            {"getSupportedExtensions", [&] { return device.getSupportedExtensions(&extensions); },
             isAnything},
            {"getType", [&] { return device.getType(&type); },
             [&] {
                 return type >= aidl_hal::DeviceType::OTHER &&
                        type <= aidl_hal::DeviceType::ACCELERATOR;
             }},
            {"getVersionString", [&] { return device.getVersionString(&version); },
             [&] { return !version.empty(); }},
    };
    for (const auto& row : kRows) {
        if (Failure failure = mustSucceed(row.name, row.ask())) return failure;
        if (!row.isLegal())
            return failed(row.name, "returns a value out of range", "protocol.getters");
    }
    return std::nullopt;
}

Failure death(const Client& client) {
    PreparedAidl prepared;
    if (Failure failure = prepareNewest(client, 3, &prepared)) return failure;
    for (const ::ndk::SpAIBinder& binder : {client.driver.aidl->asBinder(), prepared->asBinder()}) {
        if (binder.get() == nullptr) return failed("asBinder", "returns null", "protocol.death");
        if (AIBinder_ping(binder.get()) == STATUS_OK && AIBinder_isAlive(binder.get())) continue;
        return failed("ping", "fails, or the object calls itself dead", "protocol.death");
    }
    return std::nullopt;
}

Failure execute(const Client& client) { return executeInTurn(client, {Legality::LEGAL}); }

// Errors do not affect later calls.
Failure execute_refused(const Client& client) {
    return executeInTurn(client, {Legality::ILLEGAL, Legality::LEGAL});
}

Failure insufficient(const Client& client) {
    if (Failure failure = checkSupports(*client.device, addition(0))) return failure;
    AidlSum made;
    if (Failure failure = made.begin(client, 0)) {
        if (failure->code != ErrorStatus::GENERAL_FAILURE) return failure;
        return notSupported("outputs whose size is not known beforehand");
    }
    for (const AidlExecuting& method : methodsOf(client, kAidlExecuting)) {
        Reply reply;
        Failure failure = executeBy(method, made.objects, made.sum.insufficient(),
                                    MeasureTiming::NO, Legality::LEGAL, reply);
        if (!failure) failure = checkInsufficient(method.name, reply);
        if (failure) return failure;
    }
    return std::nullopt;
}

namespace {

// One way to launch a fenced execution.
struct AidlFencing {
    const char* name;
    HalVersion since;
    ScopedAStatus (*call)(const PreparedAidl&, const aidl_hal::Request&, const Files&,
                          aidl_hal::FencedExecutionResult*);
};
constexpr AidlFencing kAidlFencing[] = {
        {"executeFenced", HalVersion::AIDL1,
         [](const auto& prepared, const auto& request, const auto& waitFor, auto* result) {
             return prepared->executeFenced(request, waitFor, false, kNone, kNone, kNone, result);
         }},
        {"executeFencedWithConfig", HalVersion::AIDL4,
         [](const auto& prepared, const auto& request, const auto& waitFor, auto* result) {
             return prepared->executeFencedWithConfig(request, waitFor, configOf(false), kNone,
                                                      kNone, result);
         }},
        {"IExecution::executeFenced", HalVersion::AIDL4,
         [](const auto& prepared, const auto& request, const auto& waitFor, auto* result) {
             std::shared_ptr<aidl_hal::IExecution> execution;
             auto status = prepared->createReusableExecution(request, configOf(false), &execution);
             if (!status.isOk()) return status;
             if (execution == nullptr) return nullExecution();
             return execution->executeFenced(waitFor, kNone, kNone, result);
         }},
};

struct FencedAidl {
    SyncFence fence{};
    std::shared_ptr<aidl_hal::IFencedExecutionCallback> info{};
};

Failure executeFenced(const AidlFencing& method, const AidlSum& made, const Files& waitFor,
                      Legality legality, FencedAidl& fenced) {
    auto request = AIDL1::utils::convert(made.sum.request());
    if (!request.ok()) return failedCall("the request of the case", request.status());
    if (legality == Legality::ILLEGAL) request->inputs.resize(1);
    aidl_hal::FencedExecutionResult result;
    const auto status = method.call(made.objects.prepared, *request, waitFor, &result);
    Reply reply;
    if (Failure failure = readStatus(method.name, status, reply.status)) return failure;
    if (Failure failure = checkLegality(method.name, reply, legality)) return failure;
    if (!status.isOk()) return std::nullopt;
    reply.hasObject = result.callback != nullptr;
    fenced.info = result.callback;
    const int descriptor = result.syncFence.release();
    fenced.fence = descriptor < 0 ? SyncFence::createAsSignaled()
                                  : SyncFence::create(UniqueFd(descriptor));
    return checkFenced(reply, fenced.fence);
}

Failure queryInfo(const FencedAidl& fenced, Reply& reply) {
    aidl_hal::Timing launched, behindFences;
    aidl_hal::ErrorStatus status{};
    Failure failure = readStatus("getExecutionInfo",
                                 fenced.info->getExecutionInfo(&launched, &behindFences, &status),
                                 reply.status);
    if (failure || reply.status != 0) return failure;
    reply.status = static_cast<int32_t>(status);
    const auto least = [](int64_t a, int64_t b) {
        return std::min(static_cast<uint64_t>(a), static_cast<uint64_t>(b));
    };
    reply.timeOnDevice = least(launched.timeOnDeviceNs, behindFences.timeOnDeviceNs);
    reply.timeInDriver = least(launched.timeInDriverNs, behindFences.timeInDriverNs);
    return std::nullopt;
}

}  // namespace

Failure fenced(const Client& client) {
    AidlSum made;
    if (Failure failure = made.begin(client)) return failure;
    FencedAidl last;
    const auto query = [&](Reply& reply) { return queryInfo(last, reply); };
    for (const AidlFencing& method : methodsOf(client, kAidlFencing)) {
        for (const Legality legality : {Legality::ILLEGAL, Legality::LEGAL}) {
            if (Failure failure = executeFenced(method, made, {}, legality, last)) return failure;
        }
        if (Failure failure = checkInfo(client.ledger.patience(), last.fence, query))
            return failure;
    }
    // Behind a fence that is signaled later.
    return checkLateFence(
            client.ledger.patience(),
            [&](const SyncFence& before) -> Failure {
                Files waitFor;
                waitFor.emplace_back(duplicate(before.getFd()).release());
                return executeFenced(kAidlFencing[0], made, waitFor, Legality::LEGAL, last);
            },
            [&] { return last.fence; }, query);
}

// The tokens of pools are released, and mean others.
Failure burst(const Client& client) {
    AidlSum made;
    if (Failure failure = made.begin(client)) return failure;
    auto& burst = made.objects.burst;
    if (Failure failure = mustSucceed("configureExecutionBurst",
                                      made.objects.prepared->configureExecutionBurst(&burst))) {
        return failure;
    }
    if (burst == nullptr) {
        return failed("configureExecutionBurst", "succeeds with a null burst",
                      "protocol.aidl_null");
    }
    SumArguments other(2);
    if (Failure failure = other.begin()) return failure;
    for (const Legality legality : {Legality::LEGAL, Legality::ILLEGAL, Legality::LEGAL}) {
        if (Failure failure = executeByAll(client, kAidlBurst, made.objects, made.sum, legality)) {
            return failure;
        }
    }
    for (const int64_t token : kTokens) {
        if (Failure failure =
                    mustSucceed("releaseMemoryResource", burst->releaseMemoryResource(token))) {
            return failure;
        }
    }
    if (Failure failure = executeByAll(client, kAidlBurst, made.objects, other, Legality::LEGAL)) {
        return failure;
    }
    return other.checkSum("an execution of the burst after releaseMemoryResource",
                          "aidl.burst_tokens, protocol.burst_memories");
}

Failure allocate(const Client& client) {
    AidlSum made;
    if (Failure failure = made.begin(client)) return failure;
    std::vector<aidl_hal::DeviceBuffer> buffers;
    std::vector<int64_t> tokens;
    const auto allocate = [&](bool hasModels, Reply& reply) -> Failure {
        std::vector<aidl_hal::IPreparedModelParcel> models(hasModels ? 1 : 0);
        if (hasModels) models[0].preparedModel = made.objects.prepared;
        aidl_hal::DeviceBuffer buffer;
        const auto status = client.driver.aidl->allocate(
                {}, models, {{.modelIndex = 0, .ioIndex = 0, .probability = 1}}, {}, &buffer);
        if (Failure failure = readStatus("allocate", status, reply.status)) return failure;
        // An error carries no result.
        if (!status.isOk()) buffer = {};
        reply.hasObject = buffer.buffer != nullptr;
        tokens.push_back(buffer.token);
        buffers.push_back(std::move(buffer));
        return std::nullopt;
    };
    return checkAllocations(allocate, tokens);
}

}  // namespace nn::testing::protocol::aidl_client
