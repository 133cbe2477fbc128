// AIDL drivers and wrappers with malicious peers: each field of each object that arrives is set to
// invalid values in turn. The test requires only that each call returns a status that AIDL has, and
// that the notified status equals the returned one.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>
#include <limits>

#include "driver/aidl_fakes.h"
#include "driver/models.h"
#include "nnapi/convert.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/hal/aidl/clone.h"
#include "nnapi/kinds.h"
#include "nnapi/memory.h"

namespace nn::aidl_hostile_test {
namespace {

using ndk::ScopedAStatus;
using ndk::ScopedFileDescriptor;
using ndk::SharedRefBase;

// ---- hostile values

template <class T>
inline constexpr bool isVector = false;
template <class T>
inline constexpr bool isVector<std::vector<T>> = true;
template <class T>
inline constexpr bool isArray = false;
template <class T, size_t n>
inline constexpr bool isArray<std::array<T, n>> = true;

// Counts the possible modifications of an object, and applies the one with the current number.
class Attack {
   public:
    explicit Attack(size_t turn) : mTurn(turn) {}

    bool wasMade() const { return mCount > mTurn; }

    template <class T>
    void on(T& value) {
        if constexpr (std::is_same_v<T, bool>) {
            set(value, !value);
        } else if constexpr (std::is_enum_v<T>) {
            for (const int64_t code :
                 {-1ll, 0ll, 1ll, 7ll, 16ll, 106ll, 10000ll, 10001ll, 0x10001ll,
                  static_cast<long long>(INT32_MAX), static_cast<long long>(INT32_MIN)}) {
                set(value, static_cast<T>(code));
            }
        } else if constexpr (std::is_integral_v<T>) {
            using Limits = std::numeric_limits<T>;
            for (const T number : {Limits::min(), static_cast<T>(-2), static_cast<T>(-1), T{0},
                                   T{1}, static_cast<T>(value + 1), static_cast<T>(1ull << 31),
                                   static_cast<T>(1ull << 32), Limits::max()}) {
                set(value, number);
            }
        } else if constexpr (std::is_floating_point_v<T>) {
            for (const T number : {T{NAN}, T{INFINITY}, T{-1}, T{0}}) set(value, number);
        } else if constexpr (std::is_same_v<T, std::string>) {
            for (const char* text : {"", "\xff\xfe", "\xed\xa0\x80", "..", "com.example.other"}) {
                set(value, std::string(text));
            }
            set(value, std::string(3, '\0'));
            set(value, std::string(100000, 'x'));
        } else if constexpr (std::is_same_v<T, ScopedFileDescriptor>) {
            for (const int fd : {-1, -2, INT32_MAX}) set(value, ScopedFileDescriptor(fd));
            if (isNext()) value = ScopedFileDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
        } else if constexpr (isVector<T>) {
            if (isNext()) value.clear();
            for (const size_t size : {value.size() + 1, size_t{70000}}) {
                if (isNext()) value.resize(size);
            }
            if constexpr (std::is_copy_constructible_v<typename T::value_type>) {
                if (!value.empty() && isNext()) value.push_back(value.front());
                if (!value.empty() && isNext())
                    value.resize(3000, typename T::value_type(value.front()));
            }
            if constexpr (!std::is_arithmetic_v<typename T::value_type> ||
                          sizeof(typename T::value_type) != 1) {
                for (size_t i = 0; i < std::min<size_t>(value.size(), 6); ++i) on(value[i]);
            }
        } else if constexpr (isArray<T>) {
            on(value.front());
        } else if constexpr (kinds::isOptional<T>) {
            if (value) {
                on(*value);
                if (isNext()) value = std::nullopt;
            } else {
                if (isNext()) value.emplace();
            }
        } else if constexpr (requires { value.getTag(); }) {
            constexpr size_t kCount =
                    withMembers(std::type_identity<T>{},
                                [](const auto&... member) { return sizeof...(member); });
            onMembers(value, std::make_index_sequence<kCount>());
        } else {
            visitFields(std::type_identity<T>{},
                        [&](std::string_view, auto member) { on(value.*member); });
        }
    }

   private:
    bool isNext() { return mCount++ == mTurn; }
    template <class T>
    void set(T& value, T other) {
        if (isNext()) value = std::move(other);
    }
    // Modifies the value of each member, and replaces each other member by its default.
    template <class T, size_t... I>
    void onMembers(T& value, std::index_sequence<I...>) {
        const auto one = [&]<size_t i>() {
            constexpr auto kTag = static_cast<typename T::Tag>(i);
            if (value.getTag() == kTag) {
                on(value.template get<kTag>());
            } else if (isNext()) {
                value.template set<kTag>();
            }
        };
        const auto held = value.getTag();
        (void)held;
        (one.template operator()<I>(), ...);
    }

    const size_t mTurn;
    size_t mCount = 0;
};

// Calls check with each object that an attack makes of make(); returns the number of objects.
template <class Make, class Check>
size_t forEachAttack(const Make& make, const Check& check) {
    for (size_t turn = 0;; ++turn) {
        auto object = make();
        Attack attack(turn);
        attack.on(object);
        if (!attack.wasMade()) return turn;
        SCOPED_TRACE(turn);
        check(object);
        if (::testing::Test::HasFailure()) return turn;
    }
}

// ---- objects

ScopedFileDescriptor openFd() {
    ScopedFileDescriptor fd(memfd_create("test", MFD_CLOEXEC));
    EXPECT_EQ(ftruncate(fd.get(), 4096), 0);
    return fd;
}

using Tag = aidl_hal::Memory::Tag;

// z = relu(x + c), and an IF that executes one of two graphs: every kind of operand and memory.
aidl_hal::Model model() {
    Model canonical = addition();
    canonical.referenced.push_back(canonical.main);
    canonical.extensionNameToPrefix = {{.name = "com.example.test", .prefix = 1}};
    Operand graph{.type = OperandType::SUBGRAPH, .lifetime = Operand::LifeTime::SUBGRAPH};
    canonical.main.operands.push_back(graph);
    canonical.main.operands.push_back(
            {.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
             .dimensions = {2, 1},
             .lifetime = Operand::LifeTime::CONSTANT_REFERENCE,
             .location = {.offset = 4, .length = 2},
             .extraParams = Operand::SymmPerChannelQuantParams{.scales = {0.5f, 0.25f}}});
    canonical.main.operands.push_back({.type = static_cast<OperandType>(0x10001),
                                       .dimensions = {4},
                                       .lifetime = Operand::LifeTime::CONSTANT_REFERENCE,
                                       .location = {.length = 4},
                                       .extraParams = Operand::ExtensionParams{1}});
    canonical.pools = {createSharedMemory(64).value()};
    aidl_hal::Model hal = AIDL4::utils::convert(canonical).value();
    hal.pools.emplace_back().set<Tag::mappableFile>();
    hal.pools.back().get<Tag::mappableFile>() = {.length = 64, .prot = PROT_READ, .fd = openFd()};
    hal.pools.emplace_back().set<Tag::hardwareBuffer>();
    auto& buffer = hal.pools.back().get<Tag::hardwareBuffer>();
    buffer.description = {.width = 64,
                          .height = 1,
                          .layers = 1,
                          .format = ::aidl::android::hardware::graphics::common::PixelFormat::BLOB};
    buffer.handle.fds.push_back(openFd());
    buffer.handle.ints = {1};
    return hal;
}

aidl_hal::Request request() {
    const SharedMemory pool = createSharedMemory(64).value();
    const auto at = [](uint32_t offset) {
        return Request::Argument{.location = {.offset = offset, .length = 16}, .dimensions = {4}};
    };
    return AIDL4::utils::convert(
                   Request{.inputs = {at(0), at(16)},
                           .outputs = {at(32)},
                           .pools = {pool, createSharedMemory(8).value(), MemoryDomainToken{5}}})
            .value();
}

aidl_hal::ExecutionConfig executionConfig() {
    return {.measureTiming = true,
            .loopTimeoutDurationNs = 1000000,
            .executionHints = {{.token = 0x10001, .value = {1}}},
            .extensionNameToPrefix = {{.name = "com.example.test", .prefix = 1}}};
}

aidl_hal::PrepareModelConfig prepareConfig() {
    aidl_hal::PrepareModelConfig config{
            .preference = aidl_hal::ExecutionPreference::FAST_SINGLE_ANSWER,
            .priority = aidl_hal::Priority::MEDIUM,
            .deadlineNs = -1,
            .compilationHints = {{.token = 0x10001, .value = {1}}},
            .extensionNameToPrefix = {{.name = "com.example.test", .prefix = 1}}};
    config.modelCache.push_back(openFd());
    config.dataCache.push_back(openFd());
    return config;
}

// ---- conversions

// A rule rejects the object, or it survives the round trip unchanged.
template <class Canonical, HalVersion V, class Hal>
void expectRefusedOrTheSame(const Hal& hal) {
    const Result<Canonical> up = unvalidatedConvert(hal);
    if (!up.ok()) {
        EXPECT_TRUE(diagnostic(up.status())) << up.status();
    } else if (hal == hal) {  // no NaN
        const auto down = unvalidatedConvertTo<V>(*up);
        ASSERT_TRUE(down.ok()) << down.status();
        EXPECT_TRUE(*down == hal);
    }
    if constexpr (Validatable<Canonical>) {
        EXPECT_TRUE(!convert(hal).ok() || up.ok());
        EXPECT_TRUE(!convertFrom<V>(hal).ok() || convert(hal).ok());
    }
}

TEST(AidlHostile, ConversionsRejectOrPreserveEachObject) {
    size_t attacks = 0;
    attacks += forEachAttack(model, [](const aidl_hal::Model& hal) {
        expectRefusedOrTheSame<Model, HalVersion::AIDL4>(hal);
        expectRefusedOrTheSame<Model, HalVersion::AIDL1>(hal);
    });
    attacks += forEachAttack(request,
                             expectRefusedOrTheSame<Request, HalVersion::AIDL1, aidl_hal::Request>);
    attacks += forEachAttack(
            executionConfig,
            expectRefusedOrTheSame<ExecutionConfig, HalVersion::AIDL4, aidl_hal::ExecutionConfig>);
    attacks += forEachAttack(prepareConfig,
                             expectRefusedOrTheSame<PrepareModelConfig, HalVersion::AIDL4,
                                                    aidl_hal::PrepareModelConfig>);
    EXPECT_GT(attacks, 1000u);
}

// ---- drivers

void expectValidStatus(const ScopedAStatus& status) {
    if (status.isOk()) return;
    EXPECT_EQ(status.getExceptionCode(), EX_SERVICE_SPECIFIC) << status.getDescription();
    EXPECT_GE(status.getServiceSpecificError(), 1);
    EXPECT_LE(status.getServiceSpecificError(), 8);
}

class Told final : public aidl_hal::BnPreparedModelCallback {
   public:
    ScopedAStatus notify(aidl_hal::ErrorStatus status,
                         const std::shared_ptr<aidl_hal::IPreparedModel>& made) override {
        ++times;
        code = static_cast<int32_t>(status);
        model = made;
        return ScopedAStatus::ok();
    }
    void expectOnce(const ScopedAStatus& launched) const {
        expectValidStatus(launched);
        EXPECT_EQ(times, 1);
        EXPECT_EQ(code == 0, model != nullptr);
        if (!launched.isOk()) {
            EXPECT_EQ(launched.getServiceSpecificError(), code);
        }
    }
    int times = 0;
    int32_t code = -1;
    std::shared_ptr<aidl_hal::IPreparedModel> model{};
};

std::shared_ptr<aidl_hal::IDevice> driver() {
    return hal::adapter::adaptAidl(referenceDevice(), HalVersion::AIDL4,
                                   {.executor = driver_adapter_fakes::runInline})
            .value();
}

std::shared_ptr<aidl_hal::IPreparedModel> prepared(aidl_hal::IDevice& device) {
    const auto told = SharedRefBase::make<Told>();
    (void)device.prepareModel(AIDL4::utils::convert(addition()).value(), {}, {}, -1, {}, {},
                              std::vector<uint8_t>(32), told);
    return told->model;
}

TEST(AidlHostile, DriversReturnForEachModelAndConfiguration) {
    const auto device = driver();
    size_t attacks = forEachAttack(model, [&](const aidl_hal::Model& hal) {
        std::vector<bool> supported;
        expectValidStatus(device->getSupportedOperations(hal, &supported));
        const auto told = SharedRefBase::make<Told>();
        told->expectOnce(device->prepareModelWithConfig(hal, prepareConfig(), told));
    });
    const aidl_hal::Model good = AIDL4::utils::convert(addition()).value();
    attacks += forEachAttack(prepareConfig, [&](const aidl_hal::PrepareModelConfig& config) {
        const auto told = SharedRefBase::make<Told>();
        told->expectOnce(device->prepareModelWithConfig(good, config, told));
        const auto again = SharedRefBase::make<Told>();
        const std::vector<uint8_t> token(config.cacheToken.begin(), config.cacheToken.end());
        again->expectOnce(device->prepareModelFromCache(config.deadlineNs, config.modelCache,
                                                        config.dataCache, token, again));
    });
    for (const size_t size : {0, 31, 33, 100000}) {
        const auto told = SharedRefBase::make<Told>();
        const ScopedAStatus launched =
                device->prepareModel(good, {}, {}, -1, {}, {}, std::vector<uint8_t>(size), told);
        told->expectOnce(launched);
        EXPECT_EQ(launched.getServiceSpecificError(),
                  static_cast<int32_t>(aidl_hal::ErrorStatus::INVALID_ARGUMENT));
    }
    EXPECT_GT(attacks, 500u);
}

TEST(AidlHostile, PreparedModelsReturnForEachRequestAndConfiguration) {
    const auto device = driver();
    const auto preparedModel = prepared(*device);
    ASSERT_NE(preparedModel, nullptr);
    std::shared_ptr<aidl_hal::IBurst> burst;
    ASSERT_TRUE(preparedModel->configureExecutionBurst(&burst).isOk());
    const auto execute = [&](const aidl_hal::Request& hal, const aidl_hal::ExecutionConfig& config,
                             int64_t time) {
        aidl_hal::ExecutionResult result;
        expectValidStatus(preparedModel->executeSynchronously(hal, true, time, time, &result));
        expectValidStatus(
                preparedModel->executeSynchronouslyWithConfig(hal, config, time, &result));
        aidl_hal::FencedExecutionResult fenced;
        const ScopedAStatus launched =
                preparedModel->executeFencedWithConfig(hal, {}, config, time, time, &fenced);
        expectValidStatus(launched);
        EXPECT_EQ(launched.isOk(), fenced.callback != nullptr);
        std::shared_ptr<aidl_hal::IExecution> execution;
        expectValidStatus(preparedModel->createReusableExecution(hal, config, &execution));
        if (execution != nullptr) {
            expectValidStatus(execution->executeSynchronously(time, &result));
            expectValidStatus(execution->executeFenced({}, time, time, &fenced));
        }
        std::vector<int64_t> tokens(hal.pools.size(), 7);
        expectValidStatus(
                burst->executeSynchronouslyWithConfig(hal, tokens, config, time, &result));
        tokens.push_back(INT64_MIN);
        expectValidStatus(burst->executeSynchronously(hal, tokens, true, time, time, &result));
        expectValidStatus(burst->releaseMemoryResource(7));
    };
    aidl_hal::Request good = request();
    good.pools.pop_back();  // no such buffer
    size_t attacks = forEachAttack(
            request, [&](const aidl_hal::Request& hal) { execute(hal, executionConfig(), -1); });
    attacks += forEachAttack(request, [&](aidl_hal::Request& hal) {
        hal.pools.resize(std::min<size_t>(hal.pools.size(), 2));
        execute(hal, executionConfig(), -1);
    });
    attacks += forEachAttack(executionConfig, [&](const aidl_hal::ExecutionConfig& config) {
        execute(good, config, -1);
    });
    attacks += forEachAttack([] { return int64_t{-1}; },
                             [&](int64_t time) { execute(good, executionConfig(), time); });
    attacks += forEachAttack(
            [] {
                std::vector<ScopedFileDescriptor> fences;
                fences.push_back(openFd());
                return fences;
            },
            [&](const std::vector<ScopedFileDescriptor>& fences) {
                aidl_hal::FencedExecutionResult fenced;
                expectValidStatus(
                        preparedModel->executeFenced(good, fences, true, -1, -1, 1000000, &fenced));
            });
    EXPECT_GT(attacks, 400u);
}

TEST(AidlHostile, DriversReturnForEachAllocation) {
    struct Arguments {
        aidl_hal::BufferDesc desc{};
        std::vector<aidl_hal::BufferRole> inputs{}, outputs{};
    };
    const auto device = driver();
    const auto preparedModel = prepared(*device);
    const auto allocate = [&](const Arguments& arguments, size_t models) {
        aidl_hal::DeviceBuffer buffer;
        std::vector<aidl_hal::IPreparedModelParcel> parcels(models, {preparedModel});
        expectValidStatus(device->allocate(arguments.desc, parcels, arguments.inputs,
                                           arguments.outputs, &buffer));
        if (buffer.buffer == nullptr) return;
        EXPECT_GT(buffer.token, 0);
        const auto pools = [] { return std::move(model().pools); };
        forEachAttack(pools, [&](const std::vector<aidl_hal::Memory>& hal) {
            for (size_t i = 0; i < std::min<size_t>(hal.size(), 4); ++i) {
                const aidl_hal::Memory& pool = hal[i];
                expectValidStatus(buffer.buffer->copyFrom(pool, {4}));
                expectValidStatus(buffer.buffer->copyTo(pool));
                expectValidStatus(buffer.buffer->copyFrom(pool, {-1, INT32_MAX}));
            }
        });
    };
    const Arguments good{.desc = {.dimensions = {4}},
                         .inputs = {{.probability = 1}},
                         .outputs = {{.probability = 1}}};
    const auto role = [] { return std::vector<aidl_hal::BufferRole>{{.probability = 1}}; };
    forEachAttack(
            [] { return aidl_hal::BufferDesc{.dimensions = {4}}; },
            [&](const aidl_hal::BufferDesc& desc) {
                aidl_hal::DeviceBuffer buffer;
                expectValidStatus(device->allocate(desc, {{preparedModel}}, role(), {}, &buffer));
            });
    forEachAttack(role, [&](const std::vector<aidl_hal::BufferRole>& roles) {
        aidl_hal::DeviceBuffer buffer;
        expectValidStatus(device->allocate({}, {{preparedModel}}, roles, {}, &buffer));
        expectValidStatus(device->allocate({}, {{preparedModel}}, role(), roles, &buffer));
    });
    aidl_hal::DeviceBuffer buffer;
    expectValidStatus(device->allocate({}, {{nullptr}}, role(), {}, &buffer));
    allocate(good, 1);
    allocate(good, 3000);
}

// ---- wrappers

template <class T>
using NotedResult = std::optional<T> fake_aidl::Notes::*;

// A driver that returns a result that an attack has modified.
template <class Make, class T>
size_t wrapEach(const Make& make, NotedResult<T> result) {
    return forEachAttack(make, [&](T& modified) {
        const auto fake =
                SharedRefBase::make<fake_aidl::Device>(referenceDevice(), HalVersion::AIDL4);
        (*fake->notes).*result = std::move(modified);
        const auto device = wrap("hostile", std::shared_ptr<aidl_hal::IDevice>(fake));
        if (!device.has_value()) {
            EXPECT_NE(device.error().code, ErrorStatus::NONE);
            EXPECT_FALSE(device.error().message.empty());
            return;
        }
        (void)(*device)->getSupportedOperations(addition());
        (void)prepareOn(**device, addition());
    });
}

TEST(AidlHostile, WrappersAcceptOrRejectEachResult) {
    using fake_aidl::Notes;
    size_t attacks = 0;
    attacks += wrapEach([] { return std::string("1"); }, &Notes::version);
    attacks += wrapEach([] { return int32_t{4}; }, &Notes::interfaceVersion);
    attacks += wrapEach([] { return aidl_hal::DeviceType::CPU; }, &Notes::type);
    attacks += wrapEach([] { return aidl_hal::NumberOfCacheFiles{1, 1}; }, &Notes::files);
    attacks += wrapEach(
            [] {
                return std::vector<aidl_hal::Extension>{
                        {.name = "com.example.test",
                         .operandTypes = {{.type = 1, .isTensor = true, .byteSize = 4}}}};
            },
            &Notes::extensions);
    attacks += wrapEach(
            [] {
                aidl_hal::Capabilities capabilities;
                capabilities.operandPerformance = {{.type = aidl_hal::OperandType::FLOAT32,
                                                    .info = {.execTime = 1, .powerUsage = 1}},
                                                   {.type = aidl_hal::OperandType::INT32,
                                                    .info = {.execTime = 1, .powerUsage = 1}}};
                for (aidl_hal::PerformanceInfo* info :
                     {&capabilities.relaxedFloat32toFloat16PerformanceScalar,
                      &capabilities.relaxedFloat32toFloat16PerformanceTensor,
                      &capabilities.ifPerformance, &capabilities.whilePerformance}) {
                    *info = {.execTime = 1, .powerUsage = 1};
                }
                return capabilities;
            },
            &Notes::capabilities);
    attacks += wrapEach([] { return int32_t{1}; }, &Notes::token);
    EXPECT_GT(attacks, 100u);
}

}  // namespace
}  // namespace nn::aidl_hostile_test
