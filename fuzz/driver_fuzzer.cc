// A wrapper whose driver returns arbitrary results, and an adapter whose client sends arbitrary
// requests. Every call returns, and results that the wrapper passes on satisfy the rules of
// devices.
#include "fuzz/driver_use.h"
#include "fuzz/input.h"
#include "nnapi/convert.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/hal/hidl/message_queue.h"
#include "nnapi/memory.h"
#include "nnapi/validate.h"

namespace nn::fuzz {
namespace {

using hidl::hidl_handle;
using hidl::hidl_memory;
using hidl::hidl_string;
using hidl::hidl_vec;
using hidl::MQDescriptorSync;
using hidl::Return;
using hidl::sp;
using testing::any;
using testing::Source;

// ---- a driver that returns arbitrary results

template <class T>
T anyResult(Source& source) {
    return any<T>(source);
}
// Usually of a model with one operation.
template <>
hidl_vec<bool> anyResult(Source& source) {
    hidl_vec<bool> supported(source.oneIn(4) ? source.below(5) : 1);
    for (bool& each : supported) each = source.coin();
    return supported;
}
template <>
V1_2::OutputShape anyResult(Source& source) {
    if (source.oneIn(4)) return any<V1_2::OutputShape>(source);
    return {.dimensions = {4}, .isSufficient = source.coin()};
}
template <>
hidl_vec<V1_2::OutputShape> anyResult(Source& source) {
    hidl_vec<V1_2::OutputShape> shapes(source.below(3));
    for (V1_2::OutputShape& shape : shapes) shape = anyResult<V1_2::OutputShape>(source);
    return shapes;
}

// A code: usually NONE, so that the rest of the result matters.
template <class Code>
Code codeOf(Source& source) {
    return source.oneIn(4) ? any<Code>(source) : Code::NONE;
}

// Occasional failures of the transport.
hidl::Status transport(Source& source) {
    if (!source.oneIn(16)) return {};
    return source.coin() ? hidl::Status::fromStatusT(hidl::DEAD_OBJECT)
                         : hidl::Status::fromExceptionCode(hidl::Status::EX_NULL_POINTER);
}

// Calls a result callback zero, one or two times with arbitrary values.
template <class Code, class... Values>
Return<void> reportTo(Source& source, const std::function<void(Code, Values...)>& callback) {
    for (size_t n = source.oneIn(8) ? source.below(3) : 1; n > 0; --n) {
        const auto code = codeOf<Code>(source);
        callback(code, anyResult<std::remove_cvref_t<Values>>(source)...);
    }
    return transport(source);
}

sp<V1_3::IPreparedModel> anyPreparedModel(Source& source);

class Context final : public V1_2::IBurstContext {
   public:
    Return<void> freeMemory(int32_t) override { return hidl::Void(); }
};

class FencedCallback final : public V1_3::IFencedExecutionCallback {
   public:
    explicit FencedCallback(Source& source) : mSource(source) {}
    Return<void> getExecutionInfo(getExecutionInfo_cb callback) override {
        return reportTo(mSource, callback);
    }

   private:
    Source& mSource;
};

class AnyBuffer final : public V1_3::IBuffer {
   public:
    explicit AnyBuffer(Source& source) : mSource(source) {}
    Return<V1_3::ErrorStatus> copyTo(const hidl_memory&) override { return code(); }
    Return<V1_3::ErrorStatus> copyFrom(const hidl_memory&, const hidl_vec<uint32_t>&) override {
        return code();
    }

   private:
    Return<V1_3::ErrorStatus> code() {
        const hidl::Status failed = transport(mSource);
        if (!failed.isOk()) return failed;
        return codeOf<V1_3::ErrorStatus>(mSource);
    }
    Source& mSource;
};

class AnyPreparedModel final : public V1_3::IPreparedModel {
   public:
    explicit AnyPreparedModel(Source& source) : mSource(source) {}

    Return<V1_0::ErrorStatus> execute(const V1_0::Request&,
                                      const sp<V1_0::IExecutionCallback>& callback) override {
        return launch<V1_0::ErrorStatus>(
                [&] { (void)callback->notify(codeOf<V1_0::ErrorStatus>(mSource)).isOk(); });
    }
    Return<V1_0::ErrorStatus> execute_1_2(const V1_0::Request&, V1_2::MeasureTiming,
                                          const sp<V1_2::IExecutionCallback>& callback) override {
        return launch<V1_0::ErrorStatus>([&] {
            if (mSource.oneIn(4))
                return (void)callback->notify(codeOf<V1_0::ErrorStatus>(mSource)).isOk();
            (void)callback
                    ->notify_1_2(codeOf<V1_0::ErrorStatus>(mSource),
                                 anyResult<hidl_vec<V1_2::OutputShape>>(mSource),
                                 any<V1_2::Timing>(mSource))
                    .isOk();
        });
    }
    Return<V1_3::ErrorStatus> execute_1_3(const V1_3::Request&, V1_2::MeasureTiming,
                                          const V1_3::OptionalTimePoint&,
                                          const V1_3::OptionalTimeoutDuration&,
                                          const sp<V1_3::IExecutionCallback>& callback) override {
        return launch<V1_3::ErrorStatus>([&] {
            (void)callback
                    ->notify_1_3(codeOf<V1_3::ErrorStatus>(mSource),
                                 anyResult<hidl_vec<V1_2::OutputShape>>(mSource),
                                 any<V1_2::Timing>(mSource))
                    .isOk();
        });
    }
    Return<void> executeSynchronously(const V1_0::Request&, V1_2::MeasureTiming,
                                      executeSynchronously_cb callback) override {
        return reportTo(mSource, callback);
    }
    Return<void> executeSynchronously_1_3(const V1_3::Request&, V1_2::MeasureTiming,
                                          const V1_3::OptionalTimePoint&,
                                          const V1_3::OptionalTimeoutDuration&,
                                          executeSynchronously_1_3_cb callback) override {
        return reportTo(mSource, callback);
    }
    Return<void> executeFenced(const V1_3::Request&, const hidl_vec<hidl_handle>&,
                               V1_2::MeasureTiming, const V1_3::OptionalTimePoint&,
                               const V1_3::OptionalTimeoutDuration&,
                               const V1_3::OptionalTimeoutDuration&,
                               executeFenced_cb callback) override {
        const hidl_handle fence =
                mSource.oneIn(4) ? testing::anyHidlHandle(mSource) : hidl_handle();
        callback(codeOf<V1_3::ErrorStatus>(mSource), fence,
                 mSource.oneIn(8) ? nullptr : new FencedCallback(mSource));
        return transport(mSource);
    }
    // Writes results before it receives a request.
    Return<void> configureExecutionBurst(const sp<V1_2::IBurstCallback>& callback,
                                         const MQDescriptorSync<V1_2::FmqRequestDatum>&,
                                         const MQDescriptorSync<V1_2::FmqResultDatum>& results,
                                         configureExecutionBurst_cb then) override {
        hidl::MessageQueue<V1_2::FmqResultDatum, hidl::kSynchronizedReadWrite> queue(results,
                                                                                     false);
        V1_2::FmqResultDatum datum;
        datum.packetInformation({.packetSize = mSource.coin() ? 2 : any<uint32_t>(mSource),
                                 .errorStatus = codeOf<V1_0::ErrorStatus>(mSource),
                                 .numberOfOperands = mSource.coin() ? 0 : any<uint32_t>(mSource)});
        std::vector<V1_2::FmqResultDatum> packet = {datum};
        for (size_t n = mSource.below(4); n > 0; --n) {
            auto& value = hidl::UnionValue::of(datum);
            value = any<std::remove_reference_t<decltype(value)>>(mSource);
            packet.push_back(datum);
        }
        datum.executionTiming(any<V1_2::Timing>(mSource));
        packet.push_back(datum);
        queue.writeBlocking(packet.data(), packet.size(), 1000);
        (void)callback
                ->getMemories(any<hidl_vec<int32_t>>(mSource),
                              [](V1_0::ErrorStatus, const hidl_vec<hidl_memory>&) {})
                .isOk();
        then(codeOf<V1_0::ErrorStatus>(mSource), mSource.oneIn(8) ? nullptr : new Context);
        return transport(mSource);
    }

   private:
    template <class Code>
    Return<Code> launch(const auto& notify) {
        for (size_t n = mSource.oneIn(8) ? mSource.below(3) : 1; n > 0; --n) notify();
        const hidl::Status failed = transport(mSource);
        if (!failed.isOk()) return failed;
        return codeOf<Code>(mSource);
    }
    Source& mSource;
};

sp<V1_3::IPreparedModel> anyPreparedModel(Source& source) {
    return source.oneIn(8) ? nullptr : new AnyPreparedModel(source);
}

class AnyDriver final : public V1_3::IDevice {
   public:
    explicit AnyDriver(Source& source) : mSource(source) {}

    Return<void> ping() override { return transport(mSource); }
    Return<bool> linkToDeath(const sp<hidl::hidl_death_recipient>& recipient,
                             uint64_t cookie) override {
        const hidl::Status failed = transport(mSource);
        if (!failed.isOk()) return failed;
        if (mSource.oneIn(16)) recipient->serviceDied(cookie, nullptr);
        return !mSource.oneIn(16);
    }

#define NNAPI_REPORTS(method) \
    Return<void> method(method##_cb callback) override { return reportTo(mSource, callback); }
    NNAPI_REPORTS(getCapabilities)
    NNAPI_REPORTS(getCapabilities_1_1)
    NNAPI_REPORTS(getCapabilities_1_2)
    NNAPI_REPORTS(getCapabilities_1_3)
    NNAPI_REPORTS(getVersionString)
    NNAPI_REPORTS(getType)
    NNAPI_REPORTS(getSupportedExtensions)
    NNAPI_REPORTS(getNumberOfCacheFilesNeeded)
#undef NNAPI_REPORTS
    Return<V1_0::DeviceStatus> getStatus() override { return any<V1_0::DeviceStatus>(mSource); }

    Return<void> getSupportedOperations(const V1_0::Model&,
                                        getSupportedOperations_cb callback) override {
        return reportTo(mSource, callback);
    }
    Return<void> getSupportedOperations_1_1(const V1_1::Model&,
                                            getSupportedOperations_1_1_cb callback) override {
        return reportTo(mSource, callback);
    }
    Return<void> getSupportedOperations_1_2(const V1_2::Model&,
                                            getSupportedOperations_1_2_cb callback) override {
        return reportTo(mSource, callback);
    }
    Return<void> getSupportedOperations_1_3(const V1_3::Model&,
                                            getSupportedOperations_1_3_cb callback) override {
        return reportTo(mSource, callback);
    }

    Return<V1_0::ErrorStatus> prepareModel(
            const V1_0::Model&, const sp<V1_0::IPreparedModelCallback>& callback) override {
        return launch<V1_0::ErrorStatus>(callback);
    }
    Return<V1_0::ErrorStatus> prepareModel_1_1(
            const V1_1::Model&, V1_1::ExecutionPreference,
            const sp<V1_0::IPreparedModelCallback>& callback) override {
        return launch<V1_0::ErrorStatus>(callback);
    }
    Return<V1_0::ErrorStatus> prepareModel_1_2(
            const V1_2::Model&, V1_1::ExecutionPreference, const hidl_vec<hidl_handle>&,
            const hidl_vec<hidl_handle>&, const V1_2::HidlToken&,
            const sp<V1_2::IPreparedModelCallback>& callback) override {
        return launch<V1_0::ErrorStatus>(callback);
    }
    Return<V1_0::ErrorStatus> prepareModelFromCache(
            const hidl_vec<hidl_handle>&, const hidl_vec<hidl_handle>&, const V1_2::HidlToken&,
            const sp<V1_2::IPreparedModelCallback>& callback) override {
        return launch<V1_0::ErrorStatus>(callback);
    }
    Return<V1_3::ErrorStatus> prepareModel_1_3(
            const V1_3::Model&, V1_1::ExecutionPreference, V1_3::Priority,
            const V1_3::OptionalTimePoint&, const hidl_vec<hidl_handle>&,
            const hidl_vec<hidl_handle>&, const V1_2::HidlToken&,
            const sp<V1_3::IPreparedModelCallback>& callback) override {
        return launch<V1_3::ErrorStatus>(callback);
    }
    Return<V1_3::ErrorStatus> prepareModelFromCache_1_3(
            const V1_3::OptionalTimePoint&, const hidl_vec<hidl_handle>&,
            const hidl_vec<hidl_handle>&, const V1_2::HidlToken&,
            const sp<V1_3::IPreparedModelCallback>& callback) override {
        return launch<V1_3::ErrorStatus>(callback);
    }
    Return<void> allocate(const V1_3::BufferDesc&, const hidl_vec<sp<V1_3::IPreparedModel>>&,
                          const hidl_vec<V1_3::BufferRole>&, const hidl_vec<V1_3::BufferRole>&,
                          allocate_cb callback) override {
        callback(codeOf<V1_3::ErrorStatus>(mSource),
                 mSource.oneIn(8) ? nullptr : new AnyBuffer(mSource), any<uint32_t>(mSource));
        return transport(mSource);
    }

   private:
    // Notifies zero, one or two times, through any version that the callback has.
    template <class Code, class Callback>
    Return<Code> launch(const sp<Callback>& callback) {
        for (size_t n = mSource.oneIn(8) ? mSource.below(3) : 1; n > 0; --n) notify(callback);
        const hidl::Status failed = transport(mSource);
        if (!failed.isOk()) return failed;
        return codeOf<Code>(mSource);
    }
    void notify(const sp<V1_0::IPreparedModelCallback>& callback) {
        (void)callback->notify(codeOf<V1_0::ErrorStatus>(mSource), anyPreparedModel(mSource))
                .isOk();
    }
    void notify(const sp<V1_2::IPreparedModelCallback>& callback) {
        if (mSource.oneIn(4)) return notify(sp<V1_0::IPreparedModelCallback>(callback));
        (void)callback->notify_1_2(codeOf<V1_0::ErrorStatus>(mSource), anyPreparedModel(mSource))
                .isOk();
    }
    void notify(const sp<V1_3::IPreparedModelCallback>& callback) {
        if (mSource.oneIn(4)) return notify(sp<V1_2::IPreparedModelCallback>(callback));
        (void)callback->notify_1_3(codeOf<V1_3::ErrorStatus>(mSource), anyPreparedModel(mSource))
                .isOk();
    }
    Source& mSource;
};

// ---- an adapter that receives arbitrary requests

// Counts notifications, and checks them.
struct Prepared final : V1_3::IPreparedModelCallback {
    Return<void> notify(V1_0::ErrorStatus status, const sp<V1_0::IPreparedModel>& made) override {
        return notified(static_cast<int>(status), made);
    }
    Return<void> notify_1_2(V1_0::ErrorStatus status,
                            const sp<V1_2::IPreparedModel>& made) override {
        return notified(static_cast<int>(status), made);
    }
    Return<void> notify_1_3(V1_3::ErrorStatus status,
                            const sp<V1_3::IPreparedModel>& made) override {
        return notified(static_cast<int>(status), made);
    }
    Return<void> notified(int code, const sp<V1_0::IPreparedModel>& made) {
        ++times;
        expect((code == 0) == (made != nullptr), "null exactly on failure");
        status = code;
        preparedModel = V1_3::IPreparedModel::castFrom(made);
        return hidl::Void();
    }
    int times = 0;
    int status = -1;
    sp<V1_3::IPreparedModel> preparedModel;
};

struct ExecutionEnded final : V1_3::IExecutionCallback {
    Return<void> notify(V1_0::ErrorStatus) override { return notified(); }
    Return<void> notify_1_2(V1_0::ErrorStatus, const hidl_vec<V1_2::OutputShape>&,
                            const V1_2::Timing&) override {
        return notified();
    }
    Return<void> notify_1_3(V1_3::ErrorStatus, const hidl_vec<V1_2::OutputShape>&,
                            const V1_2::Timing&) override {
        return notified();
    }
    Return<void> notified() {
        ++times;
        return hidl::Void();
    }
    int times = 0;
};

void sendRequests(Source& source, V1_3::IDevice& driver) {
    const auto callback = sp<Prepared>::make();
    const auto caches = [&] {
        hidl_vec<hidl_handle> handles(source.below(3));
        for (hidl_handle& handle : handles) handle = testing::anyHidlHandle(source);
        return handles;
    };
    Model canonical = relu();
    int launched = 0;
    switch (source.below(6)) {
        case 0:
            launched = static_cast<int>(static_cast<V1_0::ErrorStatus>(
                    driver.prepareModel(anyModel<HalVersion::V1_0>(source, canonical), callback)));
            break;
        case 1:
            launched = static_cast<int>(static_cast<V1_0::ErrorStatus>(
                    driver.prepareModel_1_1(anyModel<HalVersion::V1_1>(source, canonical),
                                            any<V1_1::ExecutionPreference>(source), callback)));
            break;
        case 2:
            launched = static_cast<int>(static_cast<V1_0::ErrorStatus>(driver.prepareModel_1_2(
                    anyModel<HalVersion::V1_2>(source, canonical),
                    any<V1_1::ExecutionPreference>(source), caches(), caches(), {}, callback)));
            break;
        case 3:
            launched = static_cast<int>(static_cast<V1_0::ErrorStatus>(
                    driver.prepareModelFromCache(caches(), caches(), {}, callback)));
            break;
        case 4:
            launched = static_cast<int>(static_cast<V1_3::ErrorStatus>(
                    driver.prepareModelFromCache_1_3(any<V1_3::OptionalTimePoint>(source), caches(),
                                                     caches(), {}, callback)));
            break;
        default:
            launched = static_cast<int>(static_cast<V1_3::ErrorStatus>(driver.prepareModel_1_3(
                    anyModel<HalVersion::V1_3>(source, canonical),
                    any<V1_1::ExecutionPreference>(source), any<V1_3::Priority>(source),
                    any<V1_3::OptionalTimePoint>(source), caches(), caches(), {}, callback)));
    }
    expect(callback->times == 1, "a preparation does not notify exactly once");
    expect(launched == 0 || launched == callback->status,
           "the notified code is not the returned one");
    if (callback->preparedModel == nullptr) return;

    const sp<V1_3::IPreparedModel>& model = callback->preparedModel;
    const auto ended = sp<ExecutionEnded>::make();
    (void)model->execute(anyRequest<HalVersion::V1_0>(source, canonical), ended).isOk();
    (void)model
            ->execute_1_3(anyRequest<HalVersion::V1_3>(source, canonical),
                          any<V1_2::MeasureTiming>(source), any<V1_3::OptionalTimePoint>(source),
                          any<V1_3::OptionalTimeoutDuration>(source), ended)
            .isOk();
    expect(ended->times == 2, "an execution does not notify exactly once");
    int callbacks = 0;
    (void)model
            ->executeSynchronously_1_3(anyRequest<HalVersion::V1_3>(source, canonical),
                                       any<V1_2::MeasureTiming>(source),
                                       any<V1_3::OptionalTimePoint>(source),
                                       any<V1_3::OptionalTimeoutDuration>(source),
                                       [&](auto, const auto&, const auto&) { ++callbacks; })
            .isOk();
    (void)model
            ->executeFenced(anyRequest<HalVersion::V1_3>(source, canonical), caches(),
                            any<V1_2::MeasureTiming>(source), any<V1_3::OptionalTimePoint>(source),
                            {}, {},
                            [&](V1_3::ErrorStatus status, const hidl_handle&, const auto& info) {
                                ++callbacks;
                                expect((status == V1_3::ErrorStatus::NONE) == (info != nullptr),
                                       "a callback exactly on success");
                            })
            .isOk();
    (void)driver
            .allocate(any<V1_3::BufferDesc>(source), {model},
                      any<hidl_vec<V1_3::BufferRole>>(source),
                      any<hidl_vec<V1_3::BufferRole>>(source),
                      [&](auto, const auto&, uint32_t) { ++callbacks; })
            .isOk();
    expect(callbacks == 3, "a synchronous call does not call back exactly once");
}

}  // namespace

NNAPI_FUZZ_TARGET(driver, CHOICES) {
    Source source(bytes);
    if (source.coin()) {
        const SharedDevice device = referenceDevice({.prepare = littleWork()});
        const auto driver = hal::adapter::adapt(
                device,
                {.executor = [](const hal::adapter::Task& task, OptionalTimePoint) { task(); }});
        expect(driver.has_value(), "the reference device cannot be adapted");
        sendRequests(source, **driver);
        return;
    }
    const sp<V1_3::IDevice> driver = new AnyDriver(source);
    const WrapOptions options = {.ceiling = std::chrono::milliseconds(1),
                                 .executeSynchronously = source.coin()};
    GeneralResult<SharedDevice> device;
    switch (source.below(4)) {
        case 0:
            device = V1_0::utils::Device::create("any", driver, options);
            break;
        case 1:
            device = V1_1::utils::Device::create("any", driver, options);
            break;
        case 2:
            device = V1_2::utils::Device::create("any", driver, options);
            break;
        default:
            device = V1_3::utils::Device::create("any", driver, options);
    }
    expectSoundResult(device);
    if (device.has_value()) use(source, **device);
}

}  // namespace nn::fuzz
