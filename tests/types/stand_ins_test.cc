// What the stand-ins have of libhidl and of AIDL's NDK backend beyond what the library uses itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <thread>
#include <unordered_set>

#include "nnapi/hal/aidl/interfaces.h"
#include "nnapi/hal/enum_range.h"
#include "nnapi/hal/v1_3_interfaces.h"
#include "nnapi/print.h"

namespace nn::stand_ins_test {
namespace {

using hidl::hidl_array;
using hidl::hidl_vec;
using hidl::sp;
using testing::ElementsAre;

struct Object : V1_0::IExecutionCallback {
    hidl::Return<void> notify(V1_0::ErrorStatus) override { return hidl::Void(); }
};

TEST(StandInPointers, TakeNull) {
    sp<V1_0::IExecutionCallback> object = NULL;
    EXPECT_TRUE(object == NULL && NULL == object && object == nullptr && nullptr == object);
    object = sp<Object>::make();
    EXPECT_TRUE(object != NULL && NULL != object && object != nullptr);
    const hidl::wp<V1_0::IExecutionCallback> weak = object;
    EXPECT_EQ(weak.unsafe_get(), object.get());
    EXPECT_EQ((std::unordered_set<sp<V1_0::IExecutionCallback>>{object, object, nullptr}.size()),
              2u);
    object = NULL;
    EXPECT_EQ(weak.promote(), nullptr);
    EXPECT_TRUE(hidl::wp<V1_0::IExecutionCallback>(nullptr) ==
                hidl::wp<V1_0::IExecutionCallback>());
    EXPECT_TRUE(hidl::hidl_handle() == nullptr && !(hidl::hidl_handle() != nullptr));
}

struct Counted : hidl::LightRefBase<Counted> {
    explicit Counted(int& living) : living(living) { ++living; }
    ~Counted() { --living; }
    int& living;
};

TEST(StandInPointers, CountLightObjects) {
    int living = 0;
    {
        const sp<Counted> one = new Counted(living);
        std::vector<std::thread> threads;
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([&] {
                for (int j = 0; j < 1000; ++j) (void)sp<Counted>(one);
            });
        }
        for (std::thread& thread : threads) thread.join();
        EXPECT_EQ(one->getStrongCount(), 1);
        EXPECT_EQ(living, 1);
    }
    EXPECT_EQ(living, 0);
}

TEST(StandInHandles, AreArrays) {
    hidl::native_handle_t* handle = hidl::native_handle_create(0, 2);
    int* const data = handle->data;
    data[1] = 7;
    EXPECT_EQ(handle->data[1], 7);
    EXPECT_THAT(handle->data, ElementsAre(0, 7));
    hidl::native_handle_delete(handle);
}

TEST(StandInArrays, AreMadeFromPointers) {
    const uint8_t bytes[4] = {1, 2, 3, 4};
    const uint8_t* const pointer = bytes;
    EXPECT_TRUE((hidl_array<uint8_t, 4>(pointer)) == (hidl_array<uint8_t, 4>(bytes)));
    // A longer array is no pointer: its end would be cut off.
    EXPECT_FALSE((std::is_constructible_v<hidl_array<uint8_t, 3>, decltype(bytes)>));
}

TEST(StandInInterfaces, AnswerOfThemselves) {
    const sp<V1_3::IPreparedModelCallback> none = nullptr;
    const sp<V1_0::IExecutionCallback> object = sp<Object>::make();
    EXPECT_TRUE(object->debug(nullptr, {}).isOk());
    EXPECT_TRUE(object->notifySyspropsChanged().isOk());
    EXPECT_TRUE(object->setHALInstrumentation().isOk());
    hidl::DebugInfo debug;
    EXPECT_TRUE(object->getDebugInfo([&](const auto& info) { debug = info; }).isOk());
    EXPECT_EQ(debug.pid, getpid());
    size_t hashes = 0;
    EXPECT_TRUE(object->getHashChain([&](const auto& chain) { hashes = chain.size(); }).isOk());
    EXPECT_EQ(hashes, 2u);  // the interface and its base
}

template <class E, class Range>
std::vector<std::string> namesOf() {
    std::vector<std::string> names;
    for (const E value : Range()) names.push_back(toString(value));
    return names;
}

TEST(StandInEnumerations, AreIterated) {
    using V1_0::DeviceStatus;
    EXPECT_THAT((namesOf<DeviceStatus, hidl::hidl_enum_range<DeviceStatus>>()),
                ElementsAre("AVAILABLE", "BUSY", "OFFLINE", "UNKNOWN"));
    EXPECT_THAT((namesOf<V1_0::OperandLifeTime, hidl::hidl_enum_range<V1_0::OperandLifeTime>>()),
                ElementsAre("TEMPORARY_VARIABLE", "MODEL_INPUT", "MODEL_OUTPUT", "CONSTANT_COPY",
                            "CONSTANT_REFERENCE", "NO_VALUE"));
    EXPECT_THAT((namesOf<V1_3::OperandLifeTime, hidl::hidl_enum_range<V1_3::OperandLifeTime>>()),
                ElementsAre("TEMPORARY_VARIABLE", "SUBGRAPH_INPUT", "SUBGRAPH_OUTPUT",
                            "CONSTANT_COPY", "CONSTANT_REFERENCE", "NO_VALUE", "SUBGRAPH"));
    using aidl_hal::Priority;
    EXPECT_THAT((namesOf<Priority, ndk::enum_range<Priority>>()),
                ElementsAre("LOW", "MEDIUM", "HIGH"));
    const auto count = [](auto range) { return std::distance(range.begin(), range.end()); };
    EXPECT_EQ(count(hidl::hidl_enum_range<V1_0::OperandType>()), 8);
    EXPECT_EQ(count(hidl::hidl_enum_range<V1_2::OperandType>()), 16);
    EXPECT_EQ(count(hidl::hidl_enum_range<V1_3::OperandType>()), 18);
    EXPECT_EQ(count(hidl::hidl_enum_range<V1_3::OperationType>()), 103);
    EXPECT_EQ(count(ndk::enum_range<aidl_hal::OperandType>()), 16);
    EXPECT_EQ(count(ndk::enum_range<aidl_hal::OperationType>()), 106);
    EXPECT_EQ(*hidl::hidl_enum_range<V1_3::OperationType>().rbegin(),
              V1_3::OperationType::OEM_OPERATION);
}

TEST(StandInTexts, AreThoseOfPrint) {
    V1_3::Model model;
    model.main.operands = {
            V1_3::Operand{.type = V1_3::OperandType::TENSOR_FLOAT32, .dimensions = {2, 3}}};
    EXPECT_EQ(toString(model.main.operands), "[{type = TENSOR_FLOAT32, dimensions = [2, 3]}]");
    EXPECT_EQ(toString(model), print(model));
    V1_3::Request::MemoryPool pool;
    pool.token(3);
    EXPECT_EQ(toString(pool), "3");
    EXPECT_EQ(toString(hidl_array<uint8_t, 2>()), "[0, 0]");

    aidl_hal::Request request;
    request.pools.emplace_back(7);
    request.pools.push_back(aidl_hal::Memory());
    EXPECT_EQ(request.toString(), "{pools = [7, {}]}");
    EXPECT_EQ(request.toString(), print(request));
    EXPECT_EQ(aidl_hal::DeviceBuffer{.token = 2}.toString(), "{buffer = null, token = 2}");
    EXPECT_EQ(aidl_hal::FencedExecutionResult().toString(), "{callback = null, syncFence = no fd}");
    EXPECT_EQ(aidl_hal::IPreparedModelParcel().toString(), "{preparedModel = null}");
}

TEST(StandInParcelables, AreOrdered) {
    using aidl_hal::OutputShape;
    using aidl_hal::Timing;
    EXPECT_TRUE((Timing{.timeOnDeviceNs = 1, .timeInDriverNs = 9} < Timing{.timeOnDeviceNs = 2}));
    EXPECT_FALSE((Timing{.timeOnDeviceNs = 2} < Timing{.timeOnDeviceNs = 1, .timeInDriverNs = 9}));
    EXPECT_FALSE(Timing() < Timing());
    EXPECT_TRUE((OutputShape{.dimensions = {1, 2}} < OutputShape{.dimensions = {1, 3}}));
    aidl_hal::Model low, high;
    low.main.operands.push_back({.zeroPoint = 1});
    high.main.operands.push_back({.zeroPoint = 2});
    EXPECT_TRUE(low < high && !(high < low));
    // By tag first.
    EXPECT_TRUE(aidl_hal::RequestMemoryPool(aidl_hal::Memory()) < aidl_hal::RequestMemoryPool(1));
    EXPECT_TRUE(aidl_hal::RequestMemoryPool(1) < aidl_hal::RequestMemoryPool(2));
}

TEST(StandInUnions, AreMadeFromMembers) {
    using Tag = aidl_hal::OperandExtraParams::Tag;
    aidl_hal::OperandExtraParams extra = aidl_hal::SymmPerChannelQuantParams{.channelDim = 1};
    EXPECT_EQ(extra.get<Tag::channelQuant>().channelDim, 1);
    extra = std::vector<uint8_t>{1, 2};
    EXPECT_THAT(extra.get<Tag::extension>(), ElementsAre(1, 2));
    aidl_hal::RequestMemoryPool pool = 5;
    EXPECT_EQ(pool.get<aidl_hal::RequestMemoryPool::Tag::token>(), 5);
    EXPECT_FALSE((std::is_constructible_v<aidl_hal::RequestMemoryPool, std::string>));
    EXPECT_FALSE((std::is_constructible_v<aidl_hal::RequestMemoryPool,
                                          const aidl_hal::RequestMemoryPool&>));
}

struct Buffer : aidl_hal::BnBuffer {
    ndk::ScopedAStatus copyFrom(const aidl_hal::Memory&, const std::vector<int32_t>&) override {
        return ndk::ScopedAStatus::ok();
    }
    ndk::ScopedAStatus copyTo(const aidl_hal::Memory&) override { return ndk::ScopedAStatus::ok(); }
};

TEST(StandInBinders, LeadToTheirObjects) {
    auto buffer = ndk::SharedRefBase::make<Buffer>();
    const ndk::SpAIBinder binder = buffer->asBinder();
    EXPECT_EQ(aidl_hal::IBuffer::fromBinder(binder), buffer);
    EXPECT_EQ(aidl_hal::IBurst::fromBinder(binder), nullptr);
    EXPECT_EQ(aidl_hal::IBuffer::fromBinder(nullptr), nullptr);
    EXPECT_EQ(buffer->dump(-1, nullptr, 0), STATUS_OK);
    buffer.reset();
    EXPECT_EQ(aidl_hal::IBuffer::fromBinder(binder), nullptr);
}

TEST(StandInBinders, ArePointersWithReferences) {
    std::weak_ptr<AIBinder> watch;
    AIBinder* pointer = nullptr;
    {
        const auto binder = std::make_shared<AIBinder>();
        watch = binder;
        pointer = binder.get();
        AIBinder_incStrong(pointer);
        AIBinder_incStrong(pointer);
    }
    EXPECT_FALSE(watch.expired());
    AIBinder_decStrong(pointer);
    {
        ndk::SpAIBinder taken(pointer);
        EXPECT_EQ(taken.get(), pointer);
        taken.set(nullptr);
    }
    EXPECT_TRUE(watch.expired());
    AIBinder_incStrong(nullptr);
    AIBinder_decStrong(nullptr);
}

}  // namespace
}  // namespace nn::stand_ins_test
