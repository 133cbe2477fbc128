// As driver_fuzzer.cc, of AIDL: a wrapper whose driver answers anything, and an adapter whose
// client asks for anything.
#include "fuzz/driver_use.h"
#include "fuzz/input.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/reference.h"
#include "nnapi/driver/wrap.h"

namespace nn::fuzz::of_aidl {
namespace {

using ndk::ScopedAStatus;
using ndk::ScopedFileDescriptor;
using ndk::SharedRefBase;
using Files = std::vector<ScopedFileDescriptor>;
using SharedCallback = std::shared_ptr<aidl_hal::IPreparedModelCallback>;

// ---- a driver that answers anything

// Failures, now and then.
ScopedAStatus statusOf(Source& source) {
    if (!source.oneIn(8)) return ScopedAStatus::ok();
    if (source.coin()) return ScopedAStatus::fromServiceSpecificError(any<int32_t>(source));
    return source.coin() ? ScopedAStatus::fromStatus(STATUS_DEAD_OBJECT)
                         : ScopedAStatus::fromExceptionCode(any<int32_t>(source));
}

template <class T>
ScopedAStatus answer(Source& source, T* result) {
    if (source.oneIn(16)) return ScopedAStatus::ok();  // without a result
    *result = any<T>(source);
    return statusOf(source);
}
ScopedAStatus answer(Source& source, aidl_hal::ExecutionResult* result) {
    result->outputSufficientSize = !source.oneIn(4);
    for (size_t n = source.below(3); n > 0; --n) {
        result->outputShapes.push_back(
                source.oneIn(4)
                        ? any<aidl_hal::OutputShape>(source)
                        : aidl_hal::OutputShape{.dimensions = {4}, .isSufficient = source.coin()});
    }
    result->timing = any<aidl_hal::Timing>(source);
    return statusOf(source);
}

// What is null now and then.
template <class Made, class Interface>
ScopedAStatus give(Source& source, std::shared_ptr<Interface>* result) {
    if (!source.oneIn(8)) *result = SharedRefBase::make<Made>(source);
    return statusOf(source);
}

template <class Interface>
class Any : public ndk::BnCInterface<Interface> {
   public:
    explicit Any(Source& source) : mSource(source) {}
    ScopedAStatus getInterfaceVersion(int32_t* version) override {
        *version =
                mSource.coin() ? static_cast<int32_t>(1 + mSource.below(5)) : any<int32_t>(mSource);
        return statusOf(mSource);
    }

   protected:
    Source& mSource;
};

class AnyFenced final : public Any<aidl_hal::IFencedExecutionCallback> {
   public:
    using Any::Any;
    ScopedAStatus getExecutionInfo(aidl_hal::Timing* launched, aidl_hal::Timing* fenced,
                                   aidl_hal::ErrorStatus* status) override {
        *launched = any<aidl_hal::Timing>(mSource);
        *fenced = any<aidl_hal::Timing>(mSource);
        if (mSource.oneIn(4)) *status = any<aidl_hal::ErrorStatus>(mSource);
        return statusOf(mSource);
    }
};

ScopedAStatus answer(Source& source, aidl_hal::FencedExecutionResult* result) {
    if (source.oneIn(4)) result->syncFence = any<ScopedFileDescriptor>(source);
    return give<AnyFenced>(source, &result->callback);
}

class AnyBuffer final : public Any<aidl_hal::IBuffer> {
   public:
    using Any::Any;
    ScopedAStatus copyTo(const aidl_hal::Memory&) override { return statusOf(mSource); }
    ScopedAStatus copyFrom(const aidl_hal::Memory&, const std::vector<int32_t>&) override {
        return statusOf(mSource);
    }
};

class AnyExecution final : public Any<aidl_hal::IExecution> {
   public:
    using Any::Any;
    ScopedAStatus executeSynchronously(int64_t, aidl_hal::ExecutionResult* result) override {
        return answer(mSource, result);
    }
    ScopedAStatus executeFenced(const Files&, int64_t, int64_t,
                                aidl_hal::FencedExecutionResult* result) override {
        return answer(mSource, result);
    }
};

class AnyBurst final : public Any<aidl_hal::IBurst> {
   public:
    using Any::Any;
    ScopedAStatus executeSynchronously(const aidl_hal::Request&, const std::vector<int64_t>&, bool,
                                       int64_t, int64_t,
                                       aidl_hal::ExecutionResult* result) override {
        return answer(mSource, result);
    }
    ScopedAStatus executeSynchronouslyWithConfig(const aidl_hal::Request&,
                                                 const std::vector<int64_t>&,
                                                 const aidl_hal::ExecutionConfig&, int64_t,
                                                 aidl_hal::ExecutionResult* result) override {
        return answer(mSource, result);
    }
    ScopedAStatus releaseMemoryResource(int64_t) override { return statusOf(mSource); }
};

class AnyPreparedModel final : public Any<aidl_hal::IPreparedModel> {
   public:
    using Any::Any;
    ScopedAStatus executeSynchronously(const aidl_hal::Request&, bool, int64_t, int64_t,
                                       aidl_hal::ExecutionResult* result) override {
        return answer(mSource, result);
    }
    ScopedAStatus executeSynchronouslyWithConfig(const aidl_hal::Request&,
                                                 const aidl_hal::ExecutionConfig&, int64_t,
                                                 aidl_hal::ExecutionResult* result) override {
        return answer(mSource, result);
    }
    ScopedAStatus executeFenced(const aidl_hal::Request&, const Files&, bool, int64_t, int64_t,
                                int64_t, aidl_hal::FencedExecutionResult* result) override {
        return answer(mSource, result);
    }
    ScopedAStatus executeFencedWithConfig(const aidl_hal::Request&, const Files&,
                                          const aidl_hal::ExecutionConfig&, int64_t, int64_t,
                                          aidl_hal::FencedExecutionResult* result) override {
        return answer(mSource, result);
    }
    ScopedAStatus configureExecutionBurst(std::shared_ptr<aidl_hal::IBurst>* burst) override {
        return give<AnyBurst>(mSource, burst);
    }
    ScopedAStatus createReusableExecution(
            const aidl_hal::Request&, const aidl_hal::ExecutionConfig&,
            std::shared_ptr<aidl_hal::IExecution>* execution) override {
        return give<AnyExecution>(mSource, execution);
    }
};

class AnyDriver final : public Any<aidl_hal::IDevice> {
   public:
    using Any::Any;
    ScopedAStatus getCapabilities(aidl_hal::Capabilities* r) override { return answer(mSource, r); }
    ScopedAStatus getNumberOfCacheFilesNeeded(aidl_hal::NumberOfCacheFiles* r) override {
        return answer(mSource, r);
    }
    ScopedAStatus getSupportedExtensions(std::vector<aidl_hal::Extension>* r) override {
        return answer(mSource, r);
    }
    ScopedAStatus getSupportedOperations(const aidl_hal::Model&, std::vector<bool>* r) override {
        r->resize(mSource.oneIn(4) ? mSource.below(5) : 1);
        return statusOf(mSource);
    }
    ScopedAStatus getType(aidl_hal::DeviceType* r) override { return answer(mSource, r); }
    ScopedAStatus getVersionString(std::string* r) override { return answer(mSource, r); }
    ScopedAStatus prepareModel(const aidl_hal::Model&, aidl_hal::ExecutionPreference,
                               aidl_hal::Priority, int64_t, const Files&, const Files&,
                               const std::vector<uint8_t>&,
                               const SharedCallback& callback) override {
        return launch(callback);
    }
    ScopedAStatus prepareModelWithConfig(const aidl_hal::Model&,
                                         const aidl_hal::PrepareModelConfig&,
                                         const SharedCallback& callback) override {
        return launch(callback);
    }
    ScopedAStatus prepareModelFromCache(int64_t, const Files&, const Files&,
                                        const std::vector<uint8_t>&,
                                        const SharedCallback& callback) override {
        return launch(callback);
    }
    ScopedAStatus allocate(const aidl_hal::BufferDesc&,
                           const std::vector<aidl_hal::IPreparedModelParcel>&,
                           const std::vector<aidl_hal::BufferRole>&,
                           const std::vector<aidl_hal::BufferRole>&,
                           aidl_hal::DeviceBuffer* buffer) override {
        buffer->token = any<int32_t>(mSource);
        return give<AnyBuffer>(mSource, &buffer->buffer);
    }

   private:
    // Notifies never, once or twice.
    ScopedAStatus launch(const SharedCallback& callback) {
        for (size_t n = mSource.oneIn(8) ? mSource.below(3) : 1; n > 0; --n) {
            std::shared_ptr<aidl_hal::IPreparedModel> model;
            (void)give<AnyPreparedModel>(mSource, &model);
            const auto status = mSource.oneIn(4) ? any<aidl_hal::ErrorStatus>(mSource)
                                                 : aidl_hal::ErrorStatus::NONE;
            (void)callback->notify(status, model);
        }
        return statusOf(mSource);
    }
};

// ---- an adapter that is asked for anything

// Counts how often it is told, and what.
class Prepared final : public aidl_hal::BnPreparedModelCallback {
   public:
    ScopedAStatus notify(aidl_hal::ErrorStatus status,
                         const std::shared_ptr<aidl_hal::IPreparedModel>& made) override {
        ++times;
        code = static_cast<int32_t>(status);
        expect((code == 0) == (made != nullptr), "null exactly on failure");
        model = made;
        return ScopedAStatus::ok();
    }
    int times = 0;
    int32_t code = -1;
    std::shared_ptr<aidl_hal::IPreparedModel> model{};
};

void expectAnswered(const ScopedAStatus& status) {
    if (status.isOk() || status.getStatus() == STATUS_UNKNOWN_TRANSACTION) return;
    const int32_t code = status.getServiceSpecificError();
    expect(code >= 1 && code <= 8, "a code that AIDL does not have");
}

void ask(Source& source, aidl_hal::IDevice& driver) {
    const auto files = [&] {
        Files all(source.below(3));
        for (ScopedFileDescriptor& each : all) each = any<ScopedFileDescriptor>(source);
        return all;
    };
    const auto callback = SharedRefBase::make<Prepared>();
    const auto model = anyModel<HalVersion::AIDL4>(source);
    ScopedAStatus launched;
    switch (source.below(3)) {
        case 0:
            launched = driver.prepareModelWithConfig(
                    model, any<aidl_hal::PrepareModelConfig>(source), callback);
            break;
        case 1:
            launched = driver.prepareModelFromCache(any<int64_t>(source), files(), files(),
                                                    std::vector<uint8_t>(32), callback);
            break;
        default:
            launched = driver.prepareModel(
                    model, any<aidl_hal::ExecutionPreference>(source),
                    any<aidl_hal::Priority>(source), source.coin() ? -1 : any<int64_t>(source),
                    files(), files(), std::vector<uint8_t>(source.oneIn(8) ? 31 : 32), callback);
    }
    expectAnswered(launched);
    const bool isKnown = launched.getStatus() != STATUS_UNKNOWN_TRANSACTION;
    expect(callback->times == (isKnown ? 1 : 0), "a preparation is not answered exactly once");
    expect(launched.isOk() || launched.getServiceSpecificError() == callback->code || !isKnown,
           "answered and thrown differ");
    if (callback->model == nullptr) return;

    aidl_hal::IPreparedModel& prepared = *callback->model;
    const auto config = any<aidl_hal::ExecutionConfig>(source);
    const auto time = [&] { return source.coin() ? int64_t{-1} : any<int64_t>(source); };
    const auto request = any<aidl_hal::Request>(source);
    aidl_hal::ExecutionResult result;
    aidl_hal::FencedExecutionResult fenced;
    expectAnswered(prepared.executeSynchronously(request, source.coin(), time(), time(), &result));
    expectAnswered(prepared.executeSynchronouslyWithConfig(request, config, time(), &result));
    const ScopedAStatus waiting = prepared.executeFenced(request, files(), source.coin(), time(),
                                                         time(), time(), &fenced);
    expectAnswered(waiting);
    expect(waiting.isOk() == (fenced.callback != nullptr), "a callback exactly on success");
    std::shared_ptr<aidl_hal::IExecution> execution;
    expectAnswered(prepared.createReusableExecution(request, config, &execution));
    if (execution != nullptr) expectAnswered(execution->executeSynchronously(time(), &result));
    std::shared_ptr<aidl_hal::IBurst> burst;
    expectAnswered(prepared.configureExecutionBurst(&burst));
    if (burst != nullptr) {
        const auto tokens = any<std::vector<int64_t>>(source);
        expectAnswered(
                burst->executeSynchronously(request, tokens, false, time(), time(), &result));
        expectAnswered(burst->releaseMemoryResource(any<int64_t>(source)));
    }
    aidl_hal::DeviceBuffer buffer;
    expectAnswered(driver.allocate(any<aidl_hal::BufferDesc>(source), {{callback->model}},
                                   any<std::vector<aidl_hal::BufferRole>>(source),
                                   any<std::vector<aidl_hal::BufferRole>>(source), &buffer));
}

}  // namespace

NNAPI_FUZZ_TARGET(aidl_driver, CHOICES) {
    Source source(bytes);
    if (source.coin()) {
        constexpr HalVersion kVersions[] = {HalVersion::AIDL1, HalVersion::AIDL2, HalVersion::AIDL3,
                                            HalVersion::AIDL4};
        const auto driver = hal::adapter::adaptAidl(
                referenceDevice({.prepare = littleWork()}), kVersions[source.below(4)],
                {.executor = [](const hal::adapter::Task& task, OptionalTimePoint) { task(); }});
        expect(driver.has_value(), "the reference device cannot be adapted");
        ask(source, **driver);
        return;
    }
    const auto device =
            wrap("any", std::shared_ptr<aidl_hal::IDevice>(SharedRefBase::make<AnyDriver>(source)),
                 {.ceiling = std::chrono::milliseconds(1)});
    expectAnswer(device);
    if (device.has_value()) use(source, **device);
}

}  // namespace nn::fuzz::of_aidl
