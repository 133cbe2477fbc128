// Parts of libhidl and of AIDL's NDK backend that the stand-ins provide beyond the library's own
// needs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstddef>
#include <thread>
#include <unordered_set>

#include "nnapi/hal/aidl/forwarding.h"
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

// A handle with these counts of descriptors and integers, whatever its data.
hidl::native_handle_t* handleOf(std::vector<int> data, int numFds, int numInts) {
    hidl::native_handle_t* handle = hidl::native_handle_create(0, static_cast<int>(data.size()));
    for (size_t i = 0; i < data.size(); ++i) handle->data[i] = data[i];
    handle->numFds = numFds;
    handle->numInts = numInts;
    return handle;
}

TEST(StandInHandles, AreClonedWhole) {
    EXPECT_EQ(hidl::native_handle_create(0, -1), nullptr);
    EXPECT_EQ(hidl::native_handle_create(1025, 0), nullptr);
    EXPECT_EQ(hidl::native_handle_clone(nullptr), nullptr);
    EXPECT_EQ(hidl::native_handle_close(nullptr), 0);
    const struct {
        const char* name;
        std::vector<int> data;
        int numFds, numInts;
        bool isCloned;
    } kRows[] = {
            {"nothing", {}, 0, 0, true},
            {"numbers", {5, 6}, 0, 2, true},
            {"a descriptor", {STDERR_FILENO, 6}, 1, 1, true},
            {"a closed descriptor", {STDERR_FILENO, 9999, 6}, 2, 1, false},
            {"fewer data than it says", {5}, 0, 2, false},
            {"more data than it says", {5, 6}, 0, 1, false},
            {"a negative number of descriptors", {5}, -1, 2, false},
            {"a negative number of integers", {5}, 2, -1, false},
    };
    for (const auto& row : kRows) {
        hidl::native_handle_t* handle = handleOf(row.data, row.numFds, row.numInts);
        hidl::native_handle_t* clone = hidl::native_handle_clone(handle);
        EXPECT_EQ(clone != nullptr, row.isCloned) << row.name;
        if (clone != nullptr) {
            hidl::hidl_handle borrowed, owned;
            borrowed.setTo(handle, /*shouldOwn=*/false);
            owned.setTo(clone, /*shouldOwn=*/true);
            EXPECT_EQ(borrowed.getNativeHandle(), handle) << row.name;
            EXPECT_TRUE(borrowed == owned) << row.name;
            if (row.numFds != 0) {
                EXPECT_NE(clone->data[0], handle->data[0]) << row.name;
            }
        }
        hidl::native_handle_delete(handle);
    }
}

TEST(StandInHandles, OfOtherNumbersAreOthers) {
    const struct {
        const char* name;
        std::vector<int> data;
        int numFds, numInts;
    } kRows[] = {
            {"fewer integers", {5}, 0, 1},
            {"a descriptor", {STDERR_FILENO, 6}, 1, 1},
            {"malformed", {5, 6}, 0, 1},
    };
    hidl::hidl_handle handle;
    handle.setTo(handleOf({5, 6}, 0, 2), /*shouldOwn=*/true);
    for (const auto& row : kRows) {
        hidl::hidl_handle other;
        other.setTo(handleOf(row.data, row.numFds, row.numInts), /*shouldOwn=*/false);
        EXPECT_FALSE(handle == other || other == handle) << row.name;
        hidl::native_handle_delete(const_cast<hidl::native_handle_t*>(other.getNativeHandle()));
    }
}

TEST(StandInArrays, AreMadeFromPointers) {
    const uint8_t bytes[4] = {1, 2, 3, 4};
    const uint8_t* const pointer = bytes;
    EXPECT_TRUE((hidl_array<uint8_t, 4>(pointer)) == (hidl_array<uint8_t, 4>(bytes)));
    // A longer array does not convert to a pointer, which would drop its end.
    EXPECT_FALSE((std::is_constructible_v<hidl_array<uint8_t, 3>, decltype(bytes)>));
    hidl_array<uint8_t, 4> array(bytes);
    array.data()[3] = 7;
    EXPECT_EQ(array[3], 7);
    hidl_vec<int> range;
    range = {1, 2};
    EXPECT_THAT(range, ElementsAre(1, 2));
}

TEST(StandInInterfaces, OfTheBaseAlone) {
    struct Base : hidl::IBase {};
    const sp<Base> object = sp<Base>::make();
    hidl_vec<hidl::hidl_string> chain;
    EXPECT_TRUE(object->interfaceChain([&](const auto& all) { chain = all; }).isOk());
    EXPECT_THAT(chain, ElementsAre("android.hidl.base@1.0::IBase"));
    hidl::hidl_string own;
    EXPECT_TRUE(object->interfaceDescriptor([&](const auto& text) { own = text; }).isOk());
    EXPECT_EQ(own, chain[0]);
}

TEST(StandInInterfaces, ReportTheirProperties) {
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
    hidl::hidl_handle handle;
    EXPECT_EQ(toString(handle), "null");
    EXPECT_EQ(toString(hidl::hidl_memory("ashmem", handle.getNativeHandle(), 4)),
              "memory(ashmem, 4 bytes, no handle)");
    handle.setTo(handleOf({5, 6}, 0, 2), /*shouldOwn=*/true);
    EXPECT_EQ(toString(handle), "handle(0 fds, 2 ints)");
    EXPECT_EQ(toString(hidl::hidl_memory("ashmem", handle.getNativeHandle(), 4)),
              "memory(ashmem, 4 bytes)");
    EXPECT_EQ(print(SyncFence::createAsSignaled()), "signaled");
    EXPECT_EQ(print(SyncFence(std::make_shared<const Handle>(9999))), "fd 9999");

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
    EXPECT_TRUE(ndk::ScopedFileDescriptor() < ndk::ScopedFileDescriptor(memfd_create("file", 0)));
    // Ordered by tag first.
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

// A driver of version 3 that returns 7 from all methods of this version.
ndk::ScopedAStatus seven() { return ndk::ScopedAStatus::fromServiceSpecificError(7); }

struct OldBuffer final : aidl_hal::BnBuffer {
    ndk::ScopedAStatus copyFrom(const aidl_hal::Memory&, const std::vector<int32_t>&) override {
        return seven();
    }
    ndk::ScopedAStatus copyTo(const aidl_hal::Memory&) override { return seven(); }
};

TEST(StandInBinders, LeadToTheirObjects) {
    auto buffer = ndk::SharedRefBase::make<OldBuffer>();
    const ndk::SpAIBinder binder = buffer->asBinder();
    EXPECT_EQ(aidl_hal::IBuffer::fromBinder(binder), buffer);
    EXPECT_EQ(aidl_hal::IBurst::fromBinder(binder), nullptr);
    EXPECT_EQ(aidl_hal::IBuffer::fromBinder(nullptr), nullptr);
    EXPECT_EQ(buffer->dump(-1, nullptr, 0), STATUS_OK);
    buffer.reset();
    EXPECT_EQ(aidl_hal::IBuffer::fromBinder(binder), nullptr);
}

struct OldBurst final : aidl_hal::BnBurstVersion<3> {
    ndk::ScopedAStatus executeSynchronously(const aidl_hal::Request&, const std::vector<int64_t>&,
                                            bool, int64_t, int64_t,
                                            aidl_hal::ExecutionResult*) override {
        return seven();
    }
    ndk::ScopedAStatus releaseMemoryResource(int64_t) override { return seven(); }
};

struct OldPreparedModel final : aidl_hal::BnPreparedModelVersion<3> {
    ndk::ScopedAStatus executeSynchronously(const aidl_hal::Request&, bool, int64_t, int64_t,
                                            aidl_hal::ExecutionResult*) override {
        return seven();
    }
    ndk::ScopedAStatus executeFenced(const aidl_hal::Request&,
                                     const std::vector<ndk::ScopedFileDescriptor>&, bool, int64_t,
                                     int64_t, int64_t, aidl_hal::FencedExecutionResult*) override {
        return seven();
    }
    ndk::ScopedAStatus configureExecutionBurst(std::shared_ptr<aidl_hal::IBurst>*) override {
        return seven();
    }
};

struct OldDevice final : aidl_hal::BnDeviceVersion<3> {
    using Files = std::vector<ndk::ScopedFileDescriptor>;
    using Callback = std::shared_ptr<aidl_hal::IPreparedModelCallback>;
    ndk::ScopedAStatus allocate(const aidl_hal::BufferDesc&,
                                const std::vector<aidl_hal::IPreparedModelParcel>&,
                                const std::vector<aidl_hal::BufferRole>&,
                                const std::vector<aidl_hal::BufferRole>&,
                                aidl_hal::DeviceBuffer*) override {
        return seven();
    }
    ndk::ScopedAStatus getCapabilities(aidl_hal::Capabilities*) override { return seven(); }
    ndk::ScopedAStatus getNumberOfCacheFilesNeeded(aidl_hal::NumberOfCacheFiles*) override {
        return seven();
    }
    ndk::ScopedAStatus getSupportedExtensions(std::vector<aidl_hal::Extension>*) override {
        return seven();
    }
    ndk::ScopedAStatus getSupportedOperations(const aidl_hal::Model&, std::vector<bool>*) override {
        return seven();
    }
    ndk::ScopedAStatus getType(aidl_hal::DeviceType*) override { return seven(); }
    ndk::ScopedAStatus getVersionString(std::string*) override { return seven(); }
    ndk::ScopedAStatus prepareModel(const aidl_hal::Model&, aidl_hal::ExecutionPreference,
                                    aidl_hal::Priority, int64_t, const Files&, const Files&,
                                    const std::vector<uint8_t>&, const Callback&) override {
        return seven();
    }
    ndk::ScopedAStatus prepareModelFromCache(int64_t, const Files&, const Files&,
                                             const std::vector<uint8_t>&,
                                             const Callback&) override {
        return seven();
    }
};

struct SevenExecution final : aidl_hal::BnExecution {
    ndk::ScopedAStatus executeSynchronously(int64_t, aidl_hal::ExecutionResult*) override {
        return seven();
    }
    ndk::ScopedAStatus executeFenced(const std::vector<ndk::ScopedFileDescriptor>&, int64_t,
                                     int64_t, aidl_hal::FencedExecutionResult*) override {
        return seven();
    }
};

TEST(ForwardingAidl, ReturnsWhatTheInnerObjectReturns) {
    using ndk::SharedRefBase;
    const auto buffer =
            SharedRefBase::make<hal::ForwardingAidlBuffer>(SharedRefBase::make<OldBuffer>());
    const auto burst =
            SharedRefBase::make<hal::ForwardingAidlBurst>(SharedRefBase::make<OldBurst>());
    const auto execution = SharedRefBase::make<hal::ForwardingAidlExecution>(
            SharedRefBase::make<SevenExecution>());
    const auto model = SharedRefBase::make<hal::ForwardingAidlPreparedModel>(
            SharedRefBase::make<OldPreparedModel>());
    const auto device =
            SharedRefBase::make<hal::ForwardingAidlDevice>(SharedRefBase::make<OldDevice>());
    const auto textOf = [](const ndk::ScopedAStatus& status) { return status.getDescription(); };
    const char kSeven[] = "service specific error 7";
    const char kUnknown[] = "unknown transaction";
    const struct {
        const char* method;
        std::string status;
        const char* expected;
    } kRows[] = {
            {"IBuffer::copyFrom", textOf(buffer->copyFrom({}, {})), kSeven},
            {"IBuffer::copyTo", textOf(buffer->copyTo({})), kSeven},
            {"IBurst::executeSynchronously",
             textOf(burst->executeSynchronously({}, {}, {}, {}, {}, {})), kSeven},
            {"IBurst::executeSynchronouslyWithConfig",
             textOf(burst->executeSynchronouslyWithConfig({}, {}, {}, {}, {})), kUnknown},
            {"IBurst::releaseMemoryResource", textOf(burst->releaseMemoryResource(1)), kSeven},
            {"IExecution::executeSynchronously", textOf(execution->executeSynchronously({}, {})),
             kSeven},
            {"IExecution::executeFenced", textOf(execution->executeFenced({}, {}, {}, {})), kSeven},
            {"IPreparedModel::executeSynchronously",
             textOf(model->executeSynchronously({}, {}, {}, {}, {})), kSeven},
            {"IPreparedModel::executeSynchronouslyWithConfig",
             textOf(model->executeSynchronouslyWithConfig({}, {}, {}, {})), kUnknown},
            {"IPreparedModel::executeFenced",
             textOf(model->executeFenced({}, {}, {}, {}, {}, {}, {})), kSeven},
            {"IPreparedModel::executeFencedWithConfig",
             textOf(model->executeFencedWithConfig({}, {}, {}, {}, {}, {})), kUnknown},
            {"IPreparedModel::configureExecutionBurst", textOf(model->configureExecutionBurst({})),
             kSeven},
            {"IPreparedModel::createReusableExecution",
             textOf(model->createReusableExecution({}, {}, {})), kUnknown},
            {"IDevice::allocate", textOf(device->allocate({}, {}, {}, {}, {})), kSeven},
            {"IDevice::getCapabilities", textOf(device->getCapabilities({})), kSeven},
            {"IDevice::getNumberOfCacheFilesNeeded",
             textOf(device->getNumberOfCacheFilesNeeded({})), kSeven},
            {"IDevice::getSupportedExtensions", textOf(device->getSupportedExtensions({})), kSeven},
            {"IDevice::getSupportedOperations", textOf(device->getSupportedOperations({}, {})),
             kSeven},
            {"IDevice::getType", textOf(device->getType({})), kSeven},
            {"IDevice::getVersionString", textOf(device->getVersionString({})), kSeven},
            {"IDevice::prepareModel",
             textOf(device->prepareModel({}, {}, {}, {}, {}, {}, {}, nullptr)), kSeven},
            {"IDevice::prepareModelFromCache",
             textOf(device->prepareModelFromCache({}, {}, {}, {}, nullptr)), kSeven},
            {"IDevice::prepareModelWithConfig",
             textOf(device->prepareModelWithConfig({}, {}, nullptr)), kUnknown},
    };
    for (const auto& row : kRows) EXPECT_EQ(row.status, row.expected) << row.method;
    int32_t version = 0;
    EXPECT_TRUE(device->getInterfaceVersion(&version).isOk());
    EXPECT_EQ(version, 3);
    std::string hash, own;
    EXPECT_TRUE(device->getInterfaceHash(&hash).isOk());
    EXPECT_TRUE(device->inner()->getInterfaceHash(&own).isOk());
    EXPECT_EQ(hash, own);
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
