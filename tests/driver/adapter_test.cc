// A canonical device as a driver: conversion of the device's results. The numbers are rules on
// adapters.
#include <stdexcept>

#include "driver/adapter_fakes.h"
#include "driver/fake_driver.h"

namespace nn::driver_adapter_test {
namespace {

using namespace driver_adapter_fakes;
using hal::adapter::adapt;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using enum ErrorStatus;

constexpr auto kNone = static_cast<int32_t>(NONE);
constexpr auto kGeneralFailure = static_cast<int32_t>(GENERAL_FAILURE);
constexpr auto kInvalidArgument = static_cast<int32_t>(INVALID_ARGUMENT);

SharedScript script() { return std::make_shared<Script>(); }

// Rule adapter.executor.
TEST(Adapter, RefusesNull) {
    const auto device = std::make_shared<const FakeDevice>(script());
    EXPECT_THAT(adapt(nullptr), Refuses(INVALID_ARGUMENT, "the device is null"));
    EXPECT_THAT(adapt(nullptr, runInline), Refuses(INVALID_ARGUMENT, "the device is null"));
    EXPECT_THAT(adapt(device, hal::adapter::Executor()),
                Refuses(INVALID_ARGUMENT, "the executor is null"));
}

// Rules hidl.inheritance, hidl.death_recipient and adapter.methods.
TEST(Adapter, IsADriverOfEveryVersion) {
    const sp<V1_0::IDevice> oldest = adapted(script());
    EXPECT_EQ(V1_0::DeviceStatus(oldest->getStatus()), V1_0::DeviceStatus::AVAILABLE);
    EXPECT_TRUE(oldest->ping().isOk());
    EXPECT_FALSE(oldest->isRemote());
    EXPECT_NE(sp<V1_1::IDevice>(V1_1::IDevice::castFrom(oldest)), nullptr);
    EXPECT_NE(sp<V1_2::IDevice>(V1_2::IDevice::castFrom(oldest)), nullptr);
    EXPECT_NE(sp<V1_3::IDevice>(V1_3::IDevice::castFrom(oldest)), nullptr);
}

// ---- properties of the device

template <class Capabilities>
auto into(int32_t& code, Capabilities& value) {
    return [&](auto status, const Capabilities& capabilities) {
        code = static_cast<int32_t>(status);
        value = capabilities;
    };
}

// Rules hidl.v1_0, hidl.v1_1, hidl.v1_2, hidl.v1_3 and adapter.capabilities.
TEST(Adapter, ConvertsCapabilities) {
    Capabilities capabilities;
    capabilities.operandPerformance =
            nonExtensionOperandPerformance(HalVersion::V1_3, {.execTime = 0.5f, .powerUsage = 2});
    const SharedScript fake = script();
    fake->capabilities = [&]() -> const Capabilities& { return capabilities; };
    Heard heard;
    const auto device = adapted(fake, runInline, heard.listener());

    V1_0::Capabilities v1_0;
    V1_1::Capabilities v1_1;
    V1_2::Capabilities v1_2;
    V1_3::Capabilities v1_3;
    int32_t codes[4] = {-1, -1, -1, -1};
    ASSERT_TRUE(device->getCapabilities(into(codes[0], v1_0)).isOk());
    EXPECT_THAT(heard.lines, testing::Contains(HasSubstr("getCapabilities ")));
    ASSERT_TRUE(device->getCapabilities_1_1(into(codes[1], v1_1)).isOk());
    ASSERT_TRUE(device->getCapabilities_1_2(into(codes[2], v1_2)).isOk());
    heard.lines.clear();
    ASSERT_TRUE(device->getCapabilities_1_3(into(codes[3], v1_3)).isOk());
    EXPECT_THAT(heard.lines, IsEmpty());
    EXPECT_THAT(codes, testing::Each(kNone));
    EXPECT_EQ(v1_0.float32Performance.execTime, 0.5f);
    EXPECT_EQ(v1_0, V1_0::utils::convert(capabilities).value());
    EXPECT_EQ(v1_1, V1_1::utils::convert(capabilities).value());
    EXPECT_EQ(v1_2, V1_2::utils::convert(capabilities).value());
    EXPECT_EQ(nn::convert(v1_3).value(), capabilities);
}

// Rule adapter.capabilities.
TEST(Adapter, HasNoCapabilitiesThatAreNotLegal) {
    Capabilities negative;
    negative.ifPerformance.execTime = -1;
    const std::function<const Capabilities&()> kFaults[] = {
            [&]() -> const Capabilities& { return negative; },
            []() -> const Capabilities& { throw std::runtime_error("no capabilities"); },
    };
    for (const auto& fault : kFaults) {
        const SharedScript fake = script();
        fake->capabilities = fault;
        const auto device = adapted(fake);
        V1_0::Capabilities v1_0{.float32Performance = {1, 1}};
        V1_1::Capabilities v1_1{.float32Performance = {1, 1}};
        V1_2::Capabilities v1_2{.operandPerformance = {{}}};
        V1_3::Capabilities v1_3{.operandPerformance = {{}}};
        int32_t codes[4] = {};
        ASSERT_TRUE(device->getCapabilities(into(codes[0], v1_0)).isOk());
        ASSERT_TRUE(device->getCapabilities_1_1(into(codes[1], v1_1)).isOk());
        ASSERT_TRUE(device->getCapabilities_1_2(into(codes[2], v1_2)).isOk());
        ASSERT_TRUE(device->getCapabilities_1_3(into(codes[3], v1_3)).isOk());
        EXPECT_THAT(codes, testing::Each(kGeneralFailure));
        EXPECT_EQ(v1_0, V1_0::Capabilities{});
        EXPECT_EQ(v1_1, V1_1::Capabilities{});
        EXPECT_EQ(v1_2, V1_2::Capabilities{});
        EXPECT_EQ(v1_3, V1_3::Capabilities{});
    }
}

// Rules hidl.v1_2 and adapter.type_and_extensions.
TEST(Adapter, ReportsDeviceProperties) {
    const struct {
        const char* name;
        std::function<void(Script&)> change;
        int32_t type, extensions, files;
    } kRows[] = {
            {"Legal", [](Script& fake) { fake.extensions = {{.name = "a.b", .operandTypes = {}}}; },
             kNone, kNone, kNone},
            {"UnknownType", [](Script& fake) { fake.type = DeviceType::UNKNOWN; }, kInvalidArgument,
             kNone, kNone},
            {"NoType", [](Script& fake) { fake.type = DeviceType(77); }, kInvalidArgument, kNone,
             kNone},
            {"ExtensionWithoutName", [](Script& fake) { fake.extensions = {{}}; }, kNone,
             kInvalidArgument, kNone},
            {"TooManyFiles", [](Script& fake) { fake.files.second = 33; }, kNone, kNone,
             kGeneralFailure},
    };
    for (const auto& row : kRows) {
        SCOPED_TRACE(row.name);
        const SharedScript fake = script();
        row.change(*fake);
        const auto device = adapted(fake);
        int calls = 0;
        ASSERT_TRUE(device->getVersionString([&](auto status, const auto& version) {
                              EXPECT_EQ(static_cast<int32_t>(status), kNone);
                              EXPECT_EQ(version, "7");
                              ++calls;
                          }).isOk());
        ASSERT_TRUE(device->getType([&](auto status, auto type) {
                              EXPECT_EQ(static_cast<int32_t>(status), row.type);
                              EXPECT_EQ(type, row.type == kNone ? V1_2::DeviceType::CPU
                                                                : V1_2::DeviceType{});
                              ++calls;
                          }).isOk());
        ASSERT_TRUE(device->getSupportedExtensions([&](auto status, const auto& extensions) {
                              EXPECT_EQ(static_cast<int32_t>(status), row.extensions);
                              const bool has = row.extensions == kNone && !fake->extensions.empty();
                              EXPECT_EQ(extensions.size(), has ? 1u : 0u);
                              ++calls;
                          }).isOk());
        ASSERT_TRUE(device->getNumberOfCacheFilesNeeded([&](auto status, uint32_t modelFiles,
                                                            uint32_t dataFiles) {
                              EXPECT_EQ(static_cast<int32_t>(status), row.files);
                              EXPECT_EQ(modelFiles, row.files == kNone ? 1u : 0u);
                              EXPECT_EQ(dataFiles, row.files == kNone ? 2u : 0u);
                              ++calls;
                          }).isOk());
        EXPECT_EQ(calls, 4);
    }
}

// ---- supported operations

using Supported = std::pair<int32_t, std::vector<bool>>;

struct SupportMethod {
    const char* name;
    HalVersion version;
    std::function<Return<void>(V1_3::IDevice&, const Model&, Supported&)> call;
};

auto into(Supported& supported) {
    return [&](auto status, const hidl_vec<bool>& operations) {
        supported = {static_cast<int32_t>(status),
                     std::vector<bool>(operations.begin(), operations.end())};
    };
}

const SupportMethod kSupportMethods[] = {
        {"getSupportedOperations", HalVersion::V1_0,
         [](auto& device, const auto& model, auto& out) {
             return device.getSupportedOperations(halModel<HalVersion::V1_0>(model), into(out));
         }},
        {"getSupportedOperations_1_1", HalVersion::V1_1,
         [](auto& device, const auto& model, auto& out) {
             return device.getSupportedOperations_1_1(halModel<HalVersion::V1_1>(model), into(out));
         }},
        {"getSupportedOperations_1_2", HalVersion::V1_2,
         [](auto& device, const auto& model, auto& out) {
             return device.getSupportedOperations_1_2(halModel<HalVersion::V1_2>(model), into(out));
         }},
        {"getSupportedOperations_1_3", HalVersion::V1_3,
         [](auto& device, const auto& model, auto& out) {
             return device.getSupportedOperations_1_3(halModel<HalVersion::V1_3>(model), into(out));
         }},
};

Model broken() {
    Model model = addition();
    model.main.operations[0].inputs[0] = 99;
    return model;
}

// Rules hidl.statuses and adapter.supported_operations.
TEST(Adapter, SaysWhatItSupports) {
    using Bits = std::vector<bool>;
    using Returned = GeneralResult<Bits>;
    const auto fails = [](ErrorStatus code) {
        return [code](const Model&) -> Returned { return error(code) << "no"; };
    };
    const auto returns = [](Bits bits) { return [=](const Model&) -> Returned { return bits; }; };
    const struct {
        const char* name;
        std::function<Returned(const Model&)> support;
        ErrorStatus code;
        Bits supported{};
        Model model = addition();
    } kRows[] = {
            {"Yes", returns({true}), NONE, {true}},
            {"No", returns({false}), NONE, {false}},
            {"ModelIsNotLegal",
             [](const Model&) -> Returned {
                 ADD_FAILURE() << "the device was called";
                 return Bits{true};
             },
             INVALID_ARGUMENT,
             {},
             broken()},
            {"CodeOfHal13", fails(RESOURCE_EXHAUSTED_PERSISTENT), RESOURCE_EXHAUSTED_PERSISTENT},
            {"WrongLength", returns({true, true}), GENERAL_FAILURE},
    };
    for (const auto& row : kRows) {
        for (const SupportMethod& method : kSupportMethods) {
            SCOPED_TRACE(std::string(row.name) + " " + method.name);
            const SharedScript fake = script();
            fake->support = row.support;
            Supported supported{-1, {}};
            ASSERT_TRUE(method.call(*adapted(fake), row.model, supported).isOk());
            EXPECT_EQ(supported.first, codeIn(method.version, row.code));
            EXPECT_EQ(supported.second, row.supported);
        }
    }
}

// Null instead of a function that receives the results.
TEST(Adapter, RejectsNullResultCallbacks) {
    const auto device = adapted(script());
    const auto preparedModel = preparedOn(*device);
    const std::function<Return<void>()> kCalls[] = {
            [&] { return device->getCapabilities(nullptr); },
            [&] { return device->getCapabilities_1_1(nullptr); },
            [&] { return device->getCapabilities_1_2(nullptr); },
            [&] { return device->getCapabilities_1_3(nullptr); },
            [&] { return device->getVersionString(nullptr); },
            [&] { return device->getType(nullptr); },
            [&] { return device->getSupportedExtensions(nullptr); },
            [&] { return device->getNumberOfCacheFilesNeeded(nullptr); },
            [&] { return device->getSupportedOperations({}, nullptr); },
            [&] { return device->getSupportedOperations_1_1({}, nullptr); },
            [&] { return device->getSupportedOperations_1_2({}, nullptr); },
            [&] { return device->getSupportedOperations_1_3({}, nullptr); },
            [&] { return device->allocate({}, {}, {}, {}, nullptr); },
            [&] { return preparedModel->executeSynchronously({}, {}, nullptr); },
            [&] { return preparedModel->executeSynchronously_1_3({}, {}, {}, {}, nullptr); },
            [&] { return preparedModel->executeFenced({}, {}, {}, {}, {}, {}, nullptr); },
            [&] { return preparedModel->configureExecutionBurst(nullptr, {}, {}, nullptr); },
    };
    for (const auto& call : kCalls) {
        const Return<void> returned = call();
        EXPECT_FALSE(returned.isOk());
        EXPECT_TRUE(returned.description().starts_with("exception -3: ")) << returned.description();
    }
}

// ---- preparations

// Rules hidl.asynchronous, hidl.callbacks, hidl.successful_launch, adapter.launched_preparation,
// adapter.notification and adapter.defaults.
TEST(Adapter, Prepares) {
    V1_3::OptionalTimePoint deadline;
    deadline.nanosecondsSinceEpoch(UINT64_MAX);
    PrepareArguments in{.preference = V1_1::ExecutionPreference::LOW_POWER,
                        .priority = V1_3::Priority::HIGH,
                        .deadline = deadline,
                        .modelCache = {openHandle()},
                        .dataCache = {openHandle(), openHandle()},
                        .token = {{1, 2, 3}}};
    for (const PrepareMethod& method : prepareMethods()) {
        SCOPED_TRACE(method.name);
        const SharedScript fake = script();
        std::vector<PrepareCall> calls;
        fake->prepare = [&](const PrepareCall& call) -> GeneralResult<SharedPreparedModel> {
            calls.push_back(call);
            return SharedPreparedModel(std::make_shared<const FakePreparedModel>(fake));
        };
        Late late;
        std::vector<OptionalTimePoint> deadlines;
        const auto device = adapted(fake, [&](hal::adapter::Task task, OptionalTimePoint by) {
            deadlines.push_back(by);
            late.tasks.push_back(std::move(task));
        });
        const auto client = sp<PreparationClient>::make();
        EXPECT_EQ(method.call(*device, in, client), kNone);
        EXPECT_THAT(calls, IsEmpty());
        EXPECT_THAT(client->log.now(), IsEmpty());
        late.runAll();

        const bool isNewest = method.version == HalVersion::V1_3;
        const bool hasCache = method.version >= HalVersion::V1_2;
        ASSERT_THAT(calls, SizeIs(1));
        if (!method.fromCache) {
            EXPECT_EQ(calls[0].model, addition());
            EXPECT_EQ(calls[0].preference, method.version == HalVersion::V1_0
                                                   ? ExecutionPreference::FAST_SINGLE_ANSWER
                                                   : ExecutionPreference::LOW_POWER);
            EXPECT_EQ(calls[0].priority, isNewest ? Priority::HIGH : Priority::MEDIUM);
        }
        EXPECT_EQ(calls[0].deadline.has_value(), isNewest);
        EXPECT_THAT(deadlines, ElementsAre(calls[0].deadline));
        EXPECT_EQ(calls[0].modelFiles, hasCache ? 1u : 0u);
        EXPECT_EQ(calls[0].dataFiles, hasCache ? 2u : 0u);
        EXPECT_EQ(calls[0].token, hasCache ? CacheToken(in.token) : CacheToken{});

        const std::vector<Notification> notifications = client->log.now();
        ASSERT_THAT(notifications, ElementsAre(Notifies(method.notify, kNone)));
        ASSERT_NE(notifications[0].preparedModel, nullptr);
        EXPECT_NE(sp<V1_3::IPreparedModel>(
                          V1_3::IPreparedModel::castFrom(notifications[0].preparedModel)),
                  nullptr);
    }
}

// Rules hidl.one_notification, hidl.refused_launch, hidl.notified_model, adapter.prepare_arguments
// and adapter.failed_preparation.
TEST(Adapter, RefusesToPrepare) {
    using enum HalVersion;
    const struct {
        const char* name;
        PrepareArguments in;
        HalVersion since;
        bool fromModel = true;
        bool fromCache = false;
    } kRows[] = {
            {"Model", {.model = broken()}, V1_0},
            {"Preference", {.preference = V1_1::ExecutionPreference(9)}, V1_1},
            {"Priority", {.priority = V1_3::Priority(9)}, V1_3},
            {"NullModelFile", {.modelCache = {hidl_handle()}}, V1_2, false, true},
            {"ModelFileWithoutDescriptor", {.modelCache = {openHandle(0)}}, V1_2, false, true},
            {"ModelFileWithTwo", {.modelCache = {openHandle(2)}}, V1_2, false, true},
            {"DataFileWithTwo", {.dataCache = {openHandle(), openHandle(2)}}, V1_2, false, true},
    };
    for (const auto& row : kRows) {
        for (const PrepareMethod& method : prepareMethods()) {
            if (method.version < row.since) continue;
            if (!(method.fromCache ? row.fromCache : row.fromModel)) continue;
            SCOPED_TRACE(std::string(row.name) + " " + method.name);
            const SharedScript fake = script();
            fake->prepare = [](const PrepareCall&) -> GeneralResult<SharedPreparedModel> {
                ADD_FAILURE() << "the device was called";
                return error() << "no";
            };
            const auto device = adapted(fake, [](const auto&, const auto&) {
                ADD_FAILURE() << "the executor was called";
            });
            const auto client = sp<PreparationClient>::make();
            EXPECT_EQ(method.call(*device, row.in, client), kInvalidArgument);
            const std::vector<Notification> notifications = client->log.now();
            ASSERT_THAT(notifications, ElementsAre(Notifies(method.notify, kInvalidArgument)));
            EXPECT_EQ(notifications[0].preparedModel, nullptr);
        }
    }
}

// Rules adapter.prepare_arguments and adapter.failed_preparation.
TEST(Adapter, RejectsNullPreparationCallbacks) {
    const auto device = adapted(script());
    for (const PrepareMethod& method : prepareMethods()) {
        EXPECT_EQ(method.call(*device, {}, nullptr), kInvalidArgument) << method.name;
        EXPECT_EQ(method.call(*device, {.model = broken()}, nullptr), kInvalidArgument)
                << method.name;
    }
}

// Rules prepare.arguments, adapter.prepare_arguments and cache.descriptors.
TEST(Adapter, PreparesWithoutACacheThatDoesNotConvert) {
    const struct {
        const char* name;
        PrepareArguments in;
        const char* loss;
    } kRows[] = {
            {"ModelFileWithTwo",
             {.modelCache = {openHandle(2)}, .dataCache = {openHandle()}, .token = {{1}}},
             "modelCache: 1 files becomes no cache, "},
            {"DataFileWithout",
             {.modelCache = {openHandle()},
              .dataCache = {openHandle(), openHandle(0)},
              .token = {{1}}},
             "dataCache: 2 files becomes no cache, "},
            {"NullModelFile",
             {.modelCache = {hidl_handle()}, .token = {{1}}},
             "modelCache: 1 files becomes no cache, [0]: the handle is null"},
    };
    for (const auto& row : kRows) {
        for (const PrepareMethod& method : prepareMethods()) {
            if (method.version < HalVersion::V1_2 || method.fromCache) continue;
            SCOPED_TRACE(std::string(row.name) + " " + method.name);
            const SharedScript fake = script();
            std::vector<PrepareCall> calls;
            fake->prepare = [&](const PrepareCall& call) -> GeneralResult<SharedPreparedModel> {
                calls.push_back(call);
                return SharedPreparedModel(std::make_shared<const FakePreparedModel>(fake));
            };
            Heard heard;
            const auto device = adapted(fake, runInline, heard.listener());
            const auto client = sp<PreparationClient>::make();
            EXPECT_EQ(method.call(*device, row.in, client), kNone);
            EXPECT_EQ(client->log.now().at(0).status, kNone);
            ASSERT_THAT(calls, SizeIs(1));
            EXPECT_EQ(calls[0].modelFiles + calls[0].dataFiles, 0u);
            EXPECT_EQ(calls[0].token, CacheToken{});
            EXPECT_THAT(heard.lines,
                        ElementsAre(HasSubstr(std::string(method.name) + " " + row.loss)));
        }
    }
}

// Rules adapter.v1_0_losses and deadline.exhausted_resources.
TEST(Adapter, ReportsCollapsedCodeToListener) {
    const SharedScript fake = script();
    fake->prepare = [](const PrepareCall&) -> GeneralResult<SharedPreparedModel> {
        return error(MISSED_DEADLINE_TRANSIENT) << "late";
    };
    Heard heard;
    const auto device = adapted(fake, runInline, heard.listener());
    for (const PrepareMethod& method : prepareMethods()) {
        method.call(*device, {}, sp<PreparationClient>::make());
    }
    const auto collapse = [](const std::string& call) {
        return HasSubstr(call +
                         " status: MISSED_DEADLINE_TRANSIENT becomes GENERAL_FAILURE, HAL 1.");
    };
    EXPECT_THAT(heard.lines,
                ElementsAre(collapse("prepareModel"), collapse("prepareModel_1_1"),
                            collapse("prepareModel_1_2"), collapse("prepareModelFromCache")));
}

// Rule adapter.notification.
TEST(Adapter, IgnoresDeadClients) {
    const std::function<Return<void>()> kFaults[] = {
            []() -> Return<void> { return hidl::Status::fromStatusT(hidl::DEAD_OBJECT); },
            []() -> Return<void> { throw std::runtime_error("gone"); },
    };
    for (const auto& fault : kFaults) {
        const auto device = adapted(script());
        for (const PrepareMethod& method : prepareMethods()) {
            const auto client = sp<PreparationClient>::make();
            client->result = fault;
            EXPECT_EQ(method.call(*device, {}, client), kNone) << method.name;
            EXPECT_THAT(client->log.now(), SizeIs(1));
        }
        const auto preparedModel = preparedOn(*device);
        for (const ExecuteMethod& method : executeMethods()) {
            const auto client = sp<ExecutionClient>::make();
            client->result = fault;
            EXPECT_EQ(method.call(*preparedModel, {.request = PooledSum().request()}, client),
                      kNone);
            EXPECT_THAT(client->log.now(), SizeIs(1)) << method.name;
        }
    }
}

// ---- memory

class FakeBuffer final : public IBuffer {
   public:
    explicit FakeBuffer(uint32_t token) : mToken(token) {}
    Request::MemoryDomainToken getToken() const override { return MemoryDomainToken{mToken}; }
    GeneralResult<void> copyTo(const SharedMemory& dst) const override {
        if (size(dst) == 12) return error(DEAD_OBJECT) << "gone";
        if (size(dst) != 8) return error(INVALID_ARGUMENT) << "not 8 bytes";
        return error(RESOURCE_EXHAUSTED_TRANSIENT) << "full";
    }
    GeneralResult<void> copyFrom(const SharedMemory& src,
                                 const Dimensions& dimensions) const override {
        if (size(src) != 8) throw std::runtime_error("not 8 bytes");
        if (dimensions != Dimensions{2}) return error(INVALID_ARGUMENT) << "not [2]";
        return {};
    }

   private:
    uint32_t mToken;
};

struct Allocated {
    int32_t status = -1;
    sp<V1_3::IBuffer> buffer{};
    uint32_t token = 77;
};

Allocated allocate(V1_3::IDevice& device, const hidl_vec<sp<V1_3::IPreparedModel>>& preparedModels,
                   const hidl_vec<V1_3::BufferRole>& roles = {{0, 0, 1.0f}},
                   const V1_3::BufferDesc& desc = {}) {
    Allocated allocated;
    EXPECT_TRUE(device.allocate(desc, preparedModels, roles, {},
                                [&](V1_3::ErrorStatus status, const sp<V1_3::IBuffer>& buffer,
                                    uint32_t token) {
                                    allocated = {static_cast<int32_t>(status), buffer, token};
                                })
                        .isOk());
    return allocated;
}

// Rules hidl.failed_allocate and adapter.allocate. faults_test.cc covers failures of the device.
TEST(Adapter, AllocatesBuffersWithTokens) {
    for (const uint32_t token : {5u, 0u}) {
        const SharedScript fake = script();
        fake->allocate = [token](const auto&, const auto&) -> GeneralResult<SharedBuffer> {
            return SharedBuffer(std::make_shared<const FakeBuffer>(token));
        };
        const auto device = adapted(fake);
        const Allocated allocated = allocate(*device, {preparedOn(*device)});
        EXPECT_EQ(allocated.status, token == 0 ? kGeneralFailure : kNone);
        EXPECT_EQ(allocated.buffer != nullptr, token != 0);
        EXPECT_EQ(allocated.token, token);
    }
}

// Rules hidl.failed_allocate, adapter.allocate and memory.refused_allocations.
TEST(Adapter, RefusesToAllocate) {
    const SharedScript fake = script();
    std::vector<std::vector<SharedPreparedModel>> given;
    SharedPreparedModel inner;
    fake->prepare = [&](const PrepareCall&) -> GeneralResult<SharedPreparedModel> {
        inner = std::make_shared<const FakePreparedModel>(fake);
        return inner;
    };
    fake->allocate = [&](const BufferDesc&, const std::vector<SharedPreparedModel>& preparedModels)
            -> GeneralResult<SharedBuffer> {
        given.push_back(preparedModels);
        return SharedBuffer(std::make_shared<const FakeBuffer>(1));
    };
    const auto device = adapted(fake);
    const auto other = adapted(fake);
    const auto ofOther = preparedOn(*other);
    const auto own = preparedOn(*device);

    EXPECT_EQ(allocate(*device, {own, own}).status, kNone);
    EXPECT_THAT(given, ElementsAre(ElementsAre(inner, inner)));

    const struct {
        const char* name;
        hidl_vec<sp<V1_3::IPreparedModel>> preparedModels;
        V1_3::BufferRole role{0, 0, 1.0f};
        V1_3::BufferDesc desc{};
    } kRows[] = {
            {"Null", {own, nullptr}},
            // With the same interface chain as an adapted one.
            {"Foreign", {sp<fake::PreparedModel>::make()}},
            {"OfAnotherDevice", {ofOther}},
            {"Role", {own}, {0, 0, 0.0f}},
            {"TooManyDimensions",
             {own},
             {0, 0, 1.0f},
             {hidl_vec<uint32_t>(std::vector<uint32_t>(100000, 1))}},
    };
    for (const auto& row : kRows) {
        SCOPED_TRACE(row.name);
        const Allocated allocated = allocate(*device, row.preparedModels, {row.role}, row.desc);
        EXPECT_EQ(allocated.status, kInvalidArgument);
        EXPECT_EQ(allocated.buffer, nullptr);
        EXPECT_EQ(allocated.token, 0u);
    }
    EXPECT_THAT(given, SizeIs(1));
}

// Rules hidl.v1_3_callbacks and adapter.buffer.
TEST(Adapter, CopiesToAndFromBuffers) {
    const SharedScript fake = script();
    fake->allocate = [](const auto&, const auto&) -> GeneralResult<SharedBuffer> {
        return SharedBuffer(std::make_shared<const FakeBuffer>(5));
    };
    Heard heard;
    const auto device = adapted(fake, runInline, heard.listener());
    const auto buffer = allocate(*device, {preparedOn(*device)}).buffer;
    ASSERT_NE(buffer, nullptr);
    const auto memory = [](size_t bytes) {
        return V1_3::utils::convert(createSharedMemory(bytes).value()).value();
    };
    const hidl::hidl_memory kNoMemory("ashmem", hidl_handle(), 8);
    const struct {
        const char* name;
        Return<V1_3::ErrorStatus> returned;
        ErrorStatus code;
    } kRows[] = {
            {"ToNothing", buffer->copyTo(kNoMemory), INVALID_ARGUMENT},
            {"ToTooFew", buffer->copyTo(memory(4)), INVALID_ARGUMENT},
            {"To", buffer->copyTo(memory(8)), RESOURCE_EXHAUSTED_TRANSIENT},
            {"ToTheDead", buffer->copyTo(memory(12)), GENERAL_FAILURE},
            {"FromNothing", buffer->copyFrom(kNoMemory, {2}), INVALID_ARGUMENT},
            {"FromTooFew", buffer->copyFrom(memory(4), {2}), GENERAL_FAILURE},
            {"FromOtherDimensions", buffer->copyFrom(memory(8), {1, 2}), INVALID_ARGUMENT},
            {"From", buffer->copyFrom(memory(8), {2}), NONE},
    };
    for (const auto& row : kRows) {
        EXPECT_EQ(codeOf(row.returned), static_cast<int32_t>(row.code)) << row.name;
    }
    EXPECT_THAT(
            heard.lines,
            ElementsAre(HasSubstr("copyTo status: DEAD_OBJECT becomes GENERAL_FAILURE, HAL 1.3")));
}

// ---- lifetimes

// Rules prepared_model.release and adapter.lifetime.
TEST(Adapter, ReleasesReturnedObjects) {
    const SharedScript fake = script();
    std::weak_ptr<const IPreparedModel> inner;
    std::weak_ptr<const IBuffer> innerBuffer;
    fake->prepare = [&](const PrepareCall&) -> GeneralResult<SharedPreparedModel> {
        const auto preparedModel = std::make_shared<const FakePreparedModel>(fake);
        inner = preparedModel;
        return SharedPreparedModel(preparedModel);
    };
    fake->allocate = [&](const auto&, const auto&) -> GeneralResult<SharedBuffer> {
        const auto made = std::make_shared<const FakeBuffer>(5);
        innerBuffer = made;
        return SharedBuffer(made);
    };
    // The executor keeps even the tasks that it has run.
    std::vector<hal::adapter::Task> kept;
    const auto device = adapted(fake, [&](const hal::adapter::Task& task, const auto&) {
        kept.push_back(task);
        task();
    });
    for (const bool fromCache : {false, true}) {
        auto preparedModel = preparedOn(*device, fromCache);
        Allocated allocated = allocate(*device, {preparedModel});
        const auto client = sp<ExecutionClient>::make();
        EXPECT_EQ(executeMethods()[2].call(*preparedModel, {.request = PooledSum().request()},
                                           client),
                  kNone);
        EXPECT_FALSE(inner.expired());
        preparedModel.clear();
        EXPECT_TRUE(inner.expired());
        EXPECT_FALSE(innerBuffer.expired());
        allocated.buffer.clear();
        EXPECT_TRUE(innerBuffer.expired());
        EXPECT_EQ(client->getStrongCount(), 1);
    }
    EXPECT_THAT(kept, SizeIs(3));
}

}  // namespace
}  // namespace nn::driver_adapter_test
