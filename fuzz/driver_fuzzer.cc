// A wrapper whose driver returns arbitrary results, and an adapter whose client sends arbitrary
// requests. Every call returns, and results that the wrapper passes on satisfy the rules of
// devices.
#include "fakes/hidl_methods.h"
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

// Notifies through any version that the callback has.
void notify(Source& source, const sp<V1_0::IPreparedModelCallback>& callback) {
    (void)callback->notify(codeOf<V1_0::ErrorStatus>(source), anyPreparedModel(source)).isOk();
}
void notify(Source& source, const sp<V1_2::IPreparedModelCallback>& callback) {
    if (source.oneIn(4)) return notify(source, sp<V1_0::IPreparedModelCallback>(callback));
    (void)callback->notify_1_2(codeOf<V1_0::ErrorStatus>(source), anyPreparedModel(source)).isOk();
}
void notify(Source& source, const sp<V1_3::IPreparedModelCallback>& callback) {
    if (source.oneIn(4)) return notify(source, sp<V1_2::IPreparedModelCallback>(callback));
    (void)callback->notify_1_3(codeOf<V1_3::ErrorStatus>(source), anyPreparedModel(source)).isOk();
}
void notify(Source& source, const sp<V1_0::IExecutionCallback>& callback) {
    (void)callback->notify(codeOf<V1_0::ErrorStatus>(source)).isOk();
}
void notify(Source& source, const sp<V1_2::IExecutionCallback>& callback) {
    if (source.oneIn(4)) return notify(source, sp<V1_0::IExecutionCallback>(callback));
    (void)callback
            ->notify_1_2(codeOf<V1_0::ErrorStatus>(source),
                         anyResult<hidl_vec<V1_2::OutputShape>>(source), any<V1_2::Timing>(source))
            .isOk();
}
void notify(Source& source, const sp<V1_3::IExecutionCallback>& callback) {
    (void)callback
            ->notify_1_3(codeOf<V1_3::ErrorStatus>(source),
                         anyResult<hidl_vec<V1_2::OutputShape>>(source), any<V1_2::Timing>(source))
            .isOk();
}

// An object of the kit in fakes/hidl_methods.h.
template <class Interface>
class Any : public Interface {
   public:
    explicit Any(Source& source) : mSource(source) {}

   protected:
    Return<void> call(std::string_view, const auto& results, const auto&...) {
        return reportTo(mSource, results);
    }
    // Notifies zero, one or two times.
    template <class Code>
    Return<Code> launch(std::string_view, const auto& callback, const auto&...) {
        for (size_t n = mSource.oneIn(8) ? mSource.below(3) : 1; n > 0; --n) {
            notify(mSource, callback);
        }
        const hidl::Status failed = transport(mSource);
        if (!failed.isOk()) return failed;
        return codeOf<Code>(mSource);
    }
    Source& mSource;
};

class AnyPreparedModel : public Any<V1_3::IPreparedModel> {
   public:
    using Any::Any;

   protected:
    using Any::call;
    Return<void> call(std::string_view, const executeFenced_cb& results, const auto&...) {
        const hidl_handle fence =
                mSource.oneIn(4) ? testing::anyHidlHandle(mSource) : hidl_handle();
        results(codeOf<V1_3::ErrorStatus>(mSource), fence,
                mSource.oneIn(8) ? nullptr : new FencedCallback(mSource));
        return transport(mSource);
    }
    // Writes results before it receives a request.
    Return<void> call(std::string_view, const configureExecutionBurst_cb& then, const auto&,
                      const sp<V1_2::IBurstCallback>& callback, const auto&,
                      const MQDescriptorSync<V1_2::FmqResultDatum>& results) {
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
};

sp<V1_3::IPreparedModel> anyPreparedModel(Source& source) {
    return source.oneIn(8) ? nullptr : new fakes::HidlPreparedModel<AnyPreparedModel>(source);
}

class AnyDriver : public Any<V1_3::IDevice> {
   public:
    using Any::Any;

    Return<void> ping() override { return transport(mSource); }
    Return<bool> linkToDeath(const sp<hidl::hidl_death_recipient>& recipient,
                             uint64_t cookie) override {
        const hidl::Status failed = transport(mSource);
        if (!failed.isOk()) return failed;
        if (mSource.oneIn(16)) recipient->serviceDied(cookie, nullptr);
        return !mSource.oneIn(16);
    }
    Return<V1_0::DeviceStatus> getStatus() override { return any<V1_0::DeviceStatus>(mSource); }

   protected:
    using Any::call;
    Return<void> call(std::string_view, const allocate_cb& results, const auto&...) {
        results(codeOf<V1_3::ErrorStatus>(mSource),
                mSource.oneIn(8) ? nullptr : new AnyBuffer(mSource), any<uint32_t>(mSource));
        return transport(mSource);
    }
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
    const sp<V1_3::IDevice> driver = new fakes::HidlDevice<AnyDriver>(source);
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
