// Devices and preparations of HAL 1.0 to 1.3.
#include "device_test/cases/protocol_hidl.h"

#include <utility>

namespace nn::testing::protocol {

HidlDevices::HidlDevices(const WrappedDriver& driver) : v1_0(driver.hidl) {
    if (driver.version >= HalVersion::V1_1) v1_1 = V1_1::IDevice::castFrom(v1_0);
    if (driver.version >= HalVersion::V1_2) v1_2 = V1_2::IDevice::castFrom(v1_0);
    if (driver.version >= HalVersion::V1_3) v1_3 = V1_3::IDevice::castFrom(v1_0);
}

Reply executionReply(std::string_view by, int32_t status, const hidl_vec<V1_2::OutputShape>& shapes,
                     const V1_2::Timing& timing) {
    Reply reply{.by = by,
                .status = status,
                .timeOnDevice = timing.timeOnDevice,
                .timeInDriver = timing.timeInDriver};
    for (const V1_2::OutputShape& shape : shapes) reply.sufficient.push_back(shape.isSufficient);
    return reply;
}

namespace {

// Shows the interface of the call's version, and no newer one: a driver that looks for the newest
// finds the method that is due.
class StrictPreparation final : public parts::PreparationCallback<StrictPreparation> {
   public:
    explicit StrictPreparation(SharedCall call) : mCall(std::move(call)) { mCall->hold(); }
    ~StrictPreparation() override { mCall->release(); }

    Return<void> interfaceChain(interfaceChain_cb callback) override {
        callback(parts::chainUpTo<V1_3::IPreparedModelCallback, V1_2::IPreparedModelCallback,
                                  V1_0::IPreparedModelCallback>(mCall->info().since));
        return hidl::Void();
    }
    Return<void> notified(HalVersion by, auto status, const sp<V1_0::IPreparedModel>& model) {
        mCall->addReply({.by = parts::notifyMethod(by),
                         .status = static_cast<int32_t>(status),
                         .hasObject = model != nullptr},
                        model);
        return hidl::Void();
    }

   private:
    const SharedCall mCall;
};

// ---- the methods that prepare

// A model without operations is not legal.
void breakModel(V1_0::Model& model) { model.operations.resize(0); }
void breakModel(V1_1::Model& model) { model.operations.resize(0); }
void breakModel(V1_2::Model& model) { model.operations.resize(0); }
void breakModel(V1_3::Model& model) { model.main.operations.resize(0); }

template <class HalModel>
Result<HalModel> withLegality(Result<HalModel> model, Legality legality) {
    if (model.ok() && legality == Legality::ILLEGAL) breakModel(*model);
    return model;
}

using Callback = sp<StrictPreparation>;
constexpr auto kPreference = V1_1::ExecutionPreference::FAST_SINGLE_ANSWER;

Result<int32_t> prepare1_0(const HidlDevices& devices, const Model& model, Legality legality,
                           const Callback& callback) {
    NNAPI_ASSIGN_OR_RETURN(converted, withLegality(V1_0::utils::convert(model), legality));
    return statusOf(devices.v1_0->prepareModel(converted, callback));
}
Result<int32_t> prepare1_1(const HidlDevices& devices, const Model& model, Legality legality,
                           const Callback& callback) {
    NNAPI_ASSIGN_OR_RETURN(converted, withLegality(V1_1::utils::convert(model), legality));
    return statusOf(devices.v1_1->prepareModel_1_1(converted, kPreference, callback));
}
Result<int32_t> prepare1_2(const HidlDevices& devices, const Model& model, Legality legality,
                           const Callback& callback) {
    NNAPI_ASSIGN_OR_RETURN(converted, withLegality(V1_2::utils::convert(model), legality));
    return statusOf(devices.v1_2->prepareModel_1_2(converted, kPreference, {}, {}, {}, callback));
}
Result<int32_t> prepare1_3(const HidlDevices& devices, const Model& model, Legality legality,
                           const Callback& callback) {
    NNAPI_ASSIGN_OR_RETURN(converted, withLegality(V1_3::utils::convert(model), legality));
    return statusOf(devices.v1_3->prepareModel_1_3(converted, kPreference, V1_3::Priority::MEDIUM,
                                                   {}, {}, {}, {}, callback));
}
// Without files there is nothing to load.
Result<int32_t> load1_2(const HidlDevices& devices, const Model&, Legality,
                        const Callback& callback) {
    return statusOf(devices.v1_2->prepareModelFromCache({}, {}, {}, callback));
}
Result<int32_t> load1_3(const HidlDevices& devices, const Model&, Legality,
                        const Callback& callback) {
    return statusOf(devices.v1_3->prepareModelFromCache_1_3({}, {}, {}, {}, callback));
}

struct PreparingMethod {
    const char* name;
    HalVersion since;
    const char* due;
    Result<int32_t> (*launch)(const HidlDevices&, const Model&, Legality, const Callback&);
};
constexpr PreparingMethod kPreparing[] = {
        {"prepareModel", HalVersion::V1_0, "notify", prepare1_0},
        {"prepareModel_1_1", HalVersion::V1_1, "notify", prepare1_1},
        {"prepareModel_1_2", HalVersion::V1_2, "notify_1_2", prepare1_2},
        {"prepareModel_1_3", HalVersion::V1_3, "notify_1_3", prepare1_3},
};
constexpr PreparingMethod kLoading[] = {
        {"prepareModelFromCache", HalVersion::V1_2, "notify_1_2", load1_2},
        {"prepareModelFromCache_1_3", HalVersion::V1_3, "notify_1_3", load1_3},
};

Failure prepareBy(const PreparingMethod& method, const Client& client, const Model& model,
                  Legality legality, sp<V1_0::IPreparedModel>* prepared = nullptr) {
    const SharedCall call = client.ledger.open(
            {.name = method.name, .due = method.due, .since = method.since, .isPreparation = true});
    const Result<int32_t> returned =
            method.launch(HidlDevices(client.driver), model, legality, Callback::make(call));
    Reply reply;
    if (Failure failure = client.ledger.check(*call, returned, &reply)) return failure;
    if (Failure failure = checkLegality(method.name, reply, legality)) return failure;
    if (prepared != nullptr) *prepared = std::any_cast<sp<V1_0::IPreparedModel>>(call->object());
    return std::nullopt;
}

Failure prepareByAll(const Client& client, std::initializer_list<Legality> inTurn) {
    for (const Legality legality : inTurn) {
        for (const PreparingMethod& method : methodsOf(client, kPreparing)) {
            if (Failure failure = prepareBy(method, client, addition(3), legality)) return failure;
        }
    }
    return std::nullopt;
}

template <class Interface>
sp<Interface> castTo(const sp<V1_0::IPreparedModel>& model, HalVersion since, HalVersion version,
                     Failure& failure) {
    if (version < since) return nullptr;
    sp<Interface> cast = Interface::castFrom(model);
    if (cast == nullptr && !failure) {
        failure = failed("the prepared model",
                         fmt::format("is none of {}, but its device is", titleOf(since)),
                         "hidl.inheritance, protocol.due_method");
    }
    return cast;
}

}  // namespace

Failure prepareNewest(const Client& client, const Model& model, HidlPreparedModels* prepared) {
    Failure failure = prepareBy(methodsOf(client, kPreparing).back(), client, model,
                                Legality::LEGAL, &prepared->v1_0);
    if (failure) return failure;
    const HalVersion version = client.driver.version;
    prepared->v1_2 =
            castTo<V1_2::IPreparedModel>(prepared->v1_0, HalVersion::V1_2, version, failure);
    prepared->v1_3 =
            castTo<V1_3::IPreparedModel>(prepared->v1_0, HalVersion::V1_3, version, failure);
    return failure;
}

// ---- cases

namespace hidl_client {

Failure prepare(const Client& client) { return prepareByAll(client, {Legality::LEGAL}); }

// Errors do not affect later calls.
Failure prepare_refused(const Client& client) {
    return prepareByAll(client, {Legality::LEGAL, Legality::ILLEGAL, Legality::LEGAL});
}

Failure from_cache(const Client& client) {
    if (client.driver.version < HalVersion::V1_2) return notSupported("caches (since HAL 1.2)");
    for (const PreparingMethod& method : methodsOf(client, kLoading)) {
        if (Failure failure = prepareBy(method, client, {}, Legality::ILLEGAL)) return failure;
    }
    return std::nullopt;
}

// Who cannot notify anybody returns an error.
Failure null_callback(const Client& client) {
    for (const PreparingMethod& method : methodsOf(client, kPreparing)) {
        const Result<int32_t> returned =
                method.launch(HidlDevices(client.driver), addition(3), Legality::LEGAL, nullptr);
        if (!returned.ok()) return failedCall(method.name, returned.status());
        if (*returned == 0) {
            return failed(method.name,
                          "returns NONE for a null callback, expected INVALID_ARGUMENT",
                          "adapter.failed_preparation, protocol.null_callback");
        }
    }
    return std::nullopt;
}

Failure support(const Client& client) {
    const HidlDevices devices(client.driver);
    Failure failure;
    const auto ask = [&](const char* name, HalVersion since, const auto& device, const auto& model,
                         auto method) {
        if (device == nullptr || failure) return;
        if (!model.ok()) {
            failure = failedCall("the model of the case", model.status());
            return;
        }
        for (const Legality legality : {Legality::LEGAL, Legality::ILLEGAL, Legality::LEGAL}) {
            auto asked = *model;
            if (legality == Legality::ILLEGAL) breakModel(asked);
            Reply reply;
            const auto see = [](Reply& made, const hidl_vec<bool>& supported) {
                made.hasObject = supported.size() == 1;
            };
            failure = callAndCheck(
                    client, name, since,
                    [&](auto callback) { return (device.get()->*method)(asked, callback); }, see,
                    &reply);
            if (!failure) failure = checkLegality(name, reply, legality);
            if (!failure && legality == Legality::LEGAL && !reply.hasObject) {
                failure =
                        failed(name, "does not return one value for the one operation of the model",
                               "device.supported_operations, protocol.getters");
            }
            if (failure) return;
        }
    };
    const Model model = addition(3);
    using enum HalVersion;
    ask("getSupportedOperations", V1_0, devices.v1_0, V1_0::utils::convert(model),
        &V1_0::IDevice::getSupportedOperations);
    ask("getSupportedOperations_1_1", V1_1, devices.v1_1, V1_1::utils::convert(model),
        &V1_1::IDevice::getSupportedOperations_1_1);
    ask("getSupportedOperations_1_2", V1_2, devices.v1_2, V1_2::utils::convert(model),
        &V1_2::IDevice::getSupportedOperations_1_2);
    ask("getSupportedOperations_1_3", V1_3, devices.v1_3, V1_3::utils::convert(model),
        &V1_3::IDevice::getSupportedOperations_1_3);
    return failure;
}

Failure getters(const Client& client) {
    const HidlDevices devices(client.driver);
    const auto status = statusOf(devices.v1_0->getStatus());
    if (!status.ok()) return failedCall("getStatus", status.status());
    if (*status < 0 || *status > static_cast<int32_t>(V1_0::DeviceStatus::UNKNOWN)) {
        return failed("getStatus", fmt::format("returns {}, allowed are 0 to 3", *status),
                      "hidl.v1_0, protocol.getters");
    }
    Failure failure;
    // A getter that returns NONE, once.
    const auto get = [&](const char* name, HalVersion since, const auto& device, auto method,
                         auto isRight) {
        if (device == nullptr || failure) return;
        Reply reply;
        failure = callAndCheck(
                client, name, since,
                [&](auto callback) { return (device.get()->*method)(callback); },
                [&](Reply& made, const auto&... values) { made.hasObject = isRight(values...); },
                &reply);
        if (!failure) failure = checkLegality(name, reply, Legality::LEGAL);
        if (!failure && !reply.hasObject) {
            failure = failed(name, "returns NONE with a value out of range", "protocol.getters");
        }
    };
    const auto isAnything = [](const auto&) { return true; };
    using enum HalVersion;
    get("getCapabilities", V1_0, devices.v1_0, &V1_0::IDevice::getCapabilities, isAnything);
    get("getCapabilities_1_1", V1_1, devices.v1_1, &V1_1::IDevice::getCapabilities_1_1, isAnything);
    get("getCapabilities_1_2", V1_2, devices.v1_2, &V1_2::IDevice::getCapabilities_1_2, isAnything);
    get("getVersionString", V1_2, devices.v1_2, &V1_2::IDevice::getVersionString,
        [](const hidl::hidl_string& text) { return !text.empty(); });
    get("getType", V1_2, devices.v1_2, &V1_2::IDevice::getType, [](V1_2::DeviceType type) {
        return type >= V1_2::DeviceType::OTHER && type <= V1_2::DeviceType::ACCELERATOR;
    });
    get("getSupportedExtensions", V1_2, devices.v1_2, &V1_2::IDevice::getSupportedExtensions,
        isAnything);
    get("getNumberOfCacheFilesNeeded", V1_2, devices.v1_2,
        &V1_2::IDevice::getNumberOfCacheFilesNeeded, [](uint32_t models, uint32_t data) {
            return models <= kMaxNumberOfCacheFiles && data <= kMaxNumberOfCacheFiles;
        });
    get("getCapabilities_1_3", V1_3, devices.v1_3, &V1_3::IDevice::getCapabilities_1_3, isAnything);
    return failure;
}

namespace {

class StrictRecipient final : public hidl::hidl_death_recipient {
   public:
    StrictRecipient(SharedCall call) : mCall(std::move(call)) { mCall->hold(); }
    ~StrictRecipient() override { mCall->release(); }
    void serviceDied(uint64_t, const hidl::wp<hidl::IBase>&) override {
        mCall->addReply({.by = "serviceDied"});
    }

   private:
    const SharedCall mCall;
};

}  // namespace

// A living object replies to a ping, and links and unlinks a recipient without calling it.
Failure death(const Client& client) {
    constexpr const char* kRules = "hidl.death_recipient, protocol.death";
    HidlPreparedModels prepared;
    if (Failure failure = prepareNewest(client, addition(3), &prepared)) return failure;
    const auto call = std::make_shared<OwedCall>(CallInfo{.name = "linkToDeath"});
    for (const sp<hidl::IBase>& object :
         {sp<hidl::IBase>(client.driver.hidl), sp<hidl::IBase>(prepared.v1_0)}) {
        const Result<int32_t> pinged = statusOf(object->ping());
        if (!pinged.ok()) return failedCall("ping", pinged.status(), kRules);
        const auto recipient = sp<StrictRecipient>::make(call);
        const Result<int32_t> linked = statusOf(object->linkToDeath(recipient, 0));
        if (!linked.ok()) return failedCall("linkToDeath", linked.status(), kRules);
        const Result<int32_t> unlinked = statusOf(object->unlinkToDeath(recipient));
        if (!unlinked.ok()) return failedCall("unlinkToDeath", unlinked.status(), kRules);
        if (*linked == 0 || *unlinked == 0) {
            return failed(*linked == 0 ? "linkToDeath" : "unlinkToDeath",
                          "returns false for a living object and a recipient", kRules);
        }
    }
    if (!call->replies().empty() || !call->awaitRelease(client.ledger.patience())) {
        return failed("unlinkToDeath", "goes on using the recipient, or has called it",
                      "protocol.death");
    }
    return std::nullopt;
}

}  // namespace hidl_client
}  // namespace nn::testing::protocol
