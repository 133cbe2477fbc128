// The counterpart of driver_fuzzer.cc for AIDL: a wrapper whose driver returns arbitrary results,
// and an adapter whose client sends arbitrary requests.
#include "fakes/aidl_methods.h"
#include "fuzz/driver_use.h"
#include "fuzz/input.h"
#include "fuzz/records.h"
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

// ---- a driver that returns arbitrary results

// Occasional failures.
ScopedAStatus statusOf(Source& source) {
    if (!source.oneIn(8)) return ScopedAStatus::ok();
    if (source.coin()) return ScopedAStatus::fromServiceSpecificError(any<int32_t>(source));
    return source.coin() ? ScopedAStatus::fromStatus(STATUS_DEAD_OBJECT)
                         : ScopedAStatus::fromExceptionCode(any<int32_t>(source));
}

// A value that a driver may return.
template <class T>
T legal(Source& source) {
    return any<T>(source);
}
template <>
aidl_hal::Capabilities legal(Source& source) {
    auto made = unvalidatedConvertTo<HalVersion::AIDL4>(
            testing::validCapabilities(source, HalVersion::V1_3));
    return made.ok() ? *std::move(made) : aidl_hal::Capabilities();
}
template <>
std::vector<aidl_hal::Extension> legal(Source& source) {
    std::vector<aidl_hal::Extension> all;
    for (const Extension& each : testing::validExtensions(source)) {
        auto made = unvalidatedConvertTo<HalVersion::AIDL4>(each);
        if (made.ok()) all.push_back(*std::move(made));
    }
    return all;
}
template <>
aidl_hal::DeviceType legal(Source& source) {
    return static_cast<aidl_hal::DeviceType>(1 + source.below(4));
}
template <>
std::string legal(Source&) {
    return "any";
}

template <class T>
ScopedAStatus setResult(Source& source, T* result) {
    if (source.oneIn(16)) return ScopedAStatus::ok();  // without a result
    *result = nearly(source, legal<T>(source));
    return statusOf(source);
}
ScopedAStatus setResult(Source& source, aidl_hal::ExecutionResult* result) {
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

ScopedAStatus setResult(Source& source, std::vector<bool>* result) {
    result->resize(source.oneIn(4) ? source.below(5) : 1);
    return statusOf(source);
}
// With objects, which are below.
ScopedAStatus setResult(Records& source, aidl_hal::FencedExecutionResult* result);
ScopedAStatus setResult(Records& source, aidl_hal::DeviceBuffer* result);
ScopedAStatus setResult(Records& source, std::shared_ptr<aidl_hal::IBurst>* result);
ScopedAStatus setResult(Records& source, std::shared_ptr<aidl_hal::IExecution>* result);
ScopedAStatus setResult(Records& source, std::shared_ptr<aidl_hal::IPreparedModel>* result);

// An object of the kit in fakes/aidl_methods.h.
template <class Interface>
class Any : public ndk::BnCInterface<Interface> {
   public:
    explicit Any(Records& records) : mRecords(records) {}
    ScopedAStatus getInterfaceVersion(int32_t* version) override {
        Source& source = next();
        *version =
                source.oneIn(8) ? any<int32_t>(source) : static_cast<int32_t>(5 - source.below(5));
        return statusOf(source);
    }

   protected:
    // The choices for a result.
    Records& next() { return mRecords.next(); }

    template <class T>
    ScopedAStatus call(std::string_view, T* result, const auto&...) {
        return setResult(next(), result);
    }
    ScopedAStatus call(std::string_view, std::nullptr_t, const auto&...) {
        return statusOf(next());
    }
    // Notifies zero, one or two times.
    ScopedAStatus launch(std::string_view, const SharedCallback& callback, const auto&...) {
        Records& source = next();
        for (size_t n = source.oneIn(8) ? source.below(3) : 1; n > 0; --n) {
            std::shared_ptr<aidl_hal::IPreparedModel> model;
            (void)setResult(source, &model);
            const auto status = source.oneIn(4) ? any<aidl_hal::ErrorStatus>(source)
                                                : aidl_hal::ErrorStatus::NONE;
            (void)callback->notify(status, model);
        }
        return statusOf(source);
    }

   private:
    Records& mRecords;
};

template <class Base>
class Fenced : public Base {
   public:
    using Base::Base;
    ScopedAStatus getExecutionInfo(aidl_hal::Timing* launched, aidl_hal::Timing* fenced,
                                   aidl_hal::ErrorStatus* status) override {
        Source& source = this->next();
        *launched = any<aidl_hal::Timing>(source);
        *fenced = any<aidl_hal::Timing>(source);
        if (source.oneIn(4)) *status = any<aidl_hal::ErrorStatus>(source);
        return statusOf(source);
    }
};

// Occasionally a null object.
template <template <class> class Methods, class Interface>
ScopedAStatus give(Records& source, std::shared_ptr<Interface>* result) {
    if (!source.oneIn(8)) *result = SharedRefBase::make<Methods<Any<Interface>>>(source);
    return statusOf(source);
}

ScopedAStatus setResult(Records& source, aidl_hal::FencedExecutionResult* result) {
    if (source.oneIn(4)) result->syncFence = any<ScopedFileDescriptor>(source);
    return give<Fenced>(source, &result->callback);
}
ScopedAStatus setResult(Records& source, aidl_hal::DeviceBuffer* result) {
    result->token = any<int32_t>(source);
    return give<fakes::AidlBuffer>(source, &result->buffer);
}
ScopedAStatus setResult(Records& source, std::shared_ptr<aidl_hal::IBurst>* result) {
    return give<fakes::AidlBurst>(source, result);
}
ScopedAStatus setResult(Records& source, std::shared_ptr<aidl_hal::IExecution>* result) {
    return give<fakes::AidlExecution>(source, result);
}
ScopedAStatus setResult(Records& source, std::shared_ptr<aidl_hal::IPreparedModel>* result) {
    return give<fakes::AidlPreparedModel>(source, result);
}

// ---- an adapter that receives arbitrary requests

// Counts the notifications, and checks their arguments.
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

void expectValidStatus(const ScopedAStatus& status) {
    if (status.isOk() || status.getStatus() == STATUS_UNKNOWN_TRANSACTION) return;
    const int32_t code = status.getServiceSpecificError();
    expect(code >= 1 && code <= 8, "a code that AIDL does not have");
}

class Client {
   public:
    Client(Records& records, aidl_hal::IDevice& driver) : mSource(records), mDriver(driver) {}

    // Makes calls, each from one record.
    void run() {
        prepare();
        for (int calls = 0; calls < 32 && !mSource.areRead(); ++calls) {
            mSource.next();
            if (mPrepared == nullptr || mSource.oneIn(16)) {
                prepare();
            } else {
                call();
            }
        }
    }

   private:
    Files files() {
        Files all(mSource.below(3));
        for (ScopedFileDescriptor& each : all) each = any<ScopedFileDescriptor>(mSource);
        return all;
    }
    int64_t time() { return mSource.oneIn(4) ? any<int64_t>(mSource) : -1; }
    std::vector<uint8_t> token() { return std::vector<uint8_t>(mSource.oneIn(8) ? 31 : 32); }
    // Objects are read from records of their own.
    aidl_hal::Request request() {
        auto made = anyRequest<HalVersion::AIDL4>(mSource.next(), mModel);
        if (mToken != 0 && mSource.oneIn(4)) {
            made.pools.push_back(
                    aidl_hal::RequestMemoryPool::make<aidl_hal::RequestMemoryPool::Tag::token>(
                            mToken));
            auto& arguments = mSource.coin() ? made.inputs : made.outputs;
            if (!arguments.empty()) {
                arguments[0].location = {.poolIndex = static_cast<int32_t>(made.pools.size()) - 1};
            }
        }
        return made;
    }
    aidl_hal::ExecutionConfig config() {
        return nearly(mSource.next(), aidl_hal::ExecutionConfig{.loopTimeoutDurationNs = -1});
    }

    void prepare();
    void call();
    void allocate();

    Records& mSource;
    aidl_hal::IDevice& mDriver;
    Model mModel = relu();
    std::shared_ptr<aidl_hal::IPreparedModel> mPrepared{};
    std::shared_ptr<aidl_hal::IExecution> mExecution{};
    std::shared_ptr<aidl_hal::IBurst> mBurst{};
    std::shared_ptr<aidl_hal::IBuffer> mBuffer{};
    int32_t mToken = 0;
};

void Client::prepare() {
    const auto callback = SharedRefBase::make<Prepared>();
    Model canonical;
    const auto model = anyModel<HalVersion::AIDL4>(mSource.next(), canonical);
    mSource.next();
    const size_t chosen = mSource.below(4);
    const int64_t deadline = time();
    const Files models = files(), data = files();
    const std::vector<uint8_t> cacheToken = token();
    ScopedAStatus launched;
    switch (chosen) {
        case 0:
            launched = mDriver.prepareModelWithConfig(
                    model, nearly(mSource, aidl_hal::PrepareModelConfig{.deadlineNs = -1}),
                    callback);
            break;
        case 1:
            launched = mDriver.prepareModelFromCache(deadline, models, data, cacheToken, callback);
            break;
        default: {
            const auto preference = nearly(mSource, aidl_hal::ExecutionPreference::LOW_POWER);
            const auto priority = nearly(mSource, aidl_hal::Priority::MEDIUM);
            launched = mDriver.prepareModel(model, preference, priority, deadline, models, data,
                                            cacheToken, callback);
        }
    }
    expectValidStatus(launched);
    const bool isKnown = launched.getStatus() != STATUS_UNKNOWN_TRANSACTION;
    expect(callback->times == (isKnown ? 1 : 0), "a preparation does not notify exactly once");
    expect(launched.isOk() || launched.getServiceSpecificError() == callback->code || !isKnown,
           "the notified code is not the thrown one");
    if (callback->model == nullptr) return;
    mModel = std::move(canonical);
    mPrepared = callback->model;
}

void Client::call() {
    const size_t chosen = mSource.below(14);
    const bool measures = mSource.coin();
    const int64_t deadline = time(), loop = time(), duration = time();
    const Files fences = files();
    aidl_hal::ExecutionResult result;
    aidl_hal::FencedExecutionResult fenced;
    const auto expectFenced = [&](const ScopedAStatus& launched) {
        expectValidStatus(launched);
        expect(launched.isOk() == (fenced.callback != nullptr), "a callback exactly on success");
        if (!launched.isOk()) return;
        aidl_hal::Timing timings[2];
        aidl_hal::ErrorStatus status{};
        expectValidStatus(fenced.callback->getExecutionInfo(&timings[0], &timings[1], &status));
    };
    const auto executeOnce = [&] {
        const auto asked = request();
        if (chosen == 0) {
            return expectValidStatus(
                    mPrepared->executeSynchronously(asked, measures, deadline, loop, &result));
        }
        if (chosen == 1) {
            return expectFenced(mPrepared->executeFenced(asked, fences, measures, deadline, loop,
                                                         duration, &fenced));
        }
        const auto configured = config();
        if (chosen == 2) {
            return expectValidStatus(mPrepared->executeSynchronouslyWithConfig(asked, configured,
                                                                               deadline, &result));
        }
        if (chosen == 3) {
            return expectFenced(mPrepared->executeFencedWithConfig(asked, fences, configured,
                                                                   deadline, duration, &fenced));
        }
        mExecution = nullptr;
        expectValidStatus(mPrepared->createReusableExecution(asked, configured, &mExecution));
    };
    const auto executeOnBurst = [&] {
        auto tokens = std::vector<int64_t>(2);
        for (int64_t& token : tokens) token = static_cast<int64_t>(mSource.below(4)) - 1;
        tokens = nearly(mSource, std::move(tokens));
        const auto asked = request();
        if (chosen == 8) {
            return expectValidStatus(
                    mBurst->executeSynchronously(asked, tokens, measures, deadline, loop, &result));
        }
        expectValidStatus(
                mBurst->executeSynchronouslyWithConfig(asked, tokens, config(), deadline, &result));
    };
    switch (chosen) {
        case 5:
            if (mExecution == nullptr) return;
            return expectValidStatus(mExecution->executeSynchronously(deadline, &result));
        case 6:
            if (mExecution == nullptr) return;
            return expectFenced(mExecution->executeFenced(fences, deadline, duration, &fenced));
        case 7:
            mBurst = nullptr;
            return expectValidStatus(mPrepared->configureExecutionBurst(&mBurst));
        case 8:
        case 9:
            if (mBurst != nullptr) executeOnBurst();
            return;
        case 10:
            if (mBurst == nullptr) return;
            return expectValidStatus(mBurst->releaseMemoryResource(nearly(mSource, int64_t{1})));
        case 11:
            if (mBuffer == nullptr) return;
            return expectValidStatus(mBuffer->copyTo(any<aidl_hal::Memory>(mSource)));
        case 12: {
            if (mBuffer == nullptr) return;
            const auto memory = any<aidl_hal::Memory>(mSource);
            return expectValidStatus(mBuffer->copyFrom(memory, any<std::vector<int32_t>>(mSource)));
        }
        case 13:
            return allocate();
        default:
            return executeOnce();
    }
}

void Client::allocate() {
    const std::vector<aidl_hal::BufferRole> first = {{.probability = 1.0f}};
    const bool isInput = mSource.coin();
    const auto roles = [&](bool isFirst) {
        return nearly(mSource, isFirst ? first : std::vector<aidl_hal::BufferRole>());
    };
    const auto inputs = roles(isInput), outputs = roles(!isInput);
    aidl_hal::DeviceBuffer buffer;
    const auto desc = nearly(mSource, aidl_hal::BufferDesc());
    const ScopedAStatus allocated = mDriver.allocate(desc, {{mPrepared}}, inputs, outputs, &buffer);
    expectValidStatus(allocated);
    expect(allocated.isOk() == (buffer.buffer != nullptr), "a buffer exactly on success");
    if (buffer.buffer == nullptr) return;
    mBuffer = buffer.buffer;
    mToken = buffer.token;
}

}  // namespace

NNAPI_FUZZ_TARGET(aidl_driver, RECORDS) {
    Records source(bytes);
    if (source.next().coin()) {
        constexpr HalVersion kVersions[] = {HalVersion::AIDL1, HalVersion::AIDL2, HalVersion::AIDL3,
                                            HalVersion::AIDL4};
        const auto driver = hal::adapter::adaptAidl(
                referenceDevice({.prepare = littleWork()}), kVersions[source.below(4)],
                {.executor = [](const hal::adapter::Task& task, OptionalTimePoint) { task(); }});
        expect(driver.has_value(), "the reference device cannot be adapted");
        Client(source, **driver).run();
        return;
    }
    const std::shared_ptr<aidl_hal::IDevice> driver =
            SharedRefBase::make<fakes::AidlDevice<Any<aidl_hal::IDevice>>>(source);
    const auto device = wrap("any", driver, {.ceiling = std::chrono::milliseconds(1)});
    expectSoundResult(device);
    if (device.has_value()) use(source, **device);
}

}  // namespace nn::fuzz::of_aidl
