// The device of a worker, whose calls are recorded.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "device_test/cases/observed_prepared_model.h"
#include "device_test/runner/argument_digest.h"
#include "device_test/runner/call_recorder.h"
#include "nnapi/driver/forwarding.h"

namespace nn::testing {
namespace {

using driver::ExecutionCall;
using Handles = std::vector<SharedHandle>;
using Fences = std::vector<SyncFence>;
using Hints = std::vector<TokenValuePair>;
using Prefixes = std::vector<ExtensionNameAndPrefix>;

// "first", ..., "tenth", "11th"
std::string ordinalOf(uint64_t number) {
    constexpr std::array kWords = {"first", "second",  "third",  "fourth", "fifth",
                                   "sixth", "seventh", "eighth", "ninth",  "tenth"};
    if (number - 1 < kWords.size()) return kWords[number - 1];
    const uint64_t last = number % 10, lastTwo = number % 100;
    const bool isTeen = lastTwo >= 11 && lastTwo <= 13;
    const char* end = isTeen || last == 0 || last > 3 ? "th"
                      : last == 1                     ? "st"
                      : last == 2                     ? "nd"
                                                      : "rd";
    return fmt::format("{}{}", number, end);
}

// Counts the calls of an object, for their names.
class CallCounter {
   public:
    // "execute", "second execute of the burst"
    std::string next(std::string_view call, std::string_view object) const {
        const uint64_t number = ++mCount;
        if (number == 1 && object.empty()) return std::string(call);
        if (object.empty()) return fmt::format("{} {}", ordinalOf(number), call);
        return fmt::format("{} {} of the {}", ordinalOf(number), call, object);
    }

   private:
    mutable std::atomic<uint64_t> mCount = 0;
};

std::string digestOf(const Handles& modelCache, const Handles& dataCache) {
    if (modelCache.empty() && dataCache.empty()) return {};
    return fmt::format("{} and {} cache files", modelCache.size(), dataCache.size());
}

GeneralResult<ExecutedFenced> recorded(GeneralResult<ExecutedFenced> launched, CallPage& page) {
    if (!launched.has_value() || !launched->second) return launched;
    launched->second = [&page, inner = std::move(launched->second)] {
        const RecordedCall call(page, "callback of executeFenced");
        return inner();
    };
    return launched;
}

class RecordedBuffer final : public ForwardingBuffer {
   public:
    RecordedBuffer(SharedBuffer inner, CallPage& page)
        : ForwardingBuffer(std::move(inner)), mPage(page) {}

    GeneralResult<void> copyTo(const SharedMemory& dst) const override {
        const RecordedCall call(mPage, "copyTo");
        return inner()->copyTo(dst);
    }
    GeneralResult<void> copyFrom(const SharedMemory& src,
                                 const Dimensions& dimensions) const override {
        const RecordedCall call(mPage, "copyFrom");
        return inner()->copyFrom(src, dimensions);
    }

   private:
    CallPage& mPage;
};

// A request as the device takes it: with its own buffers.
class UnwrappedRequest {
   public:
    explicit UnwrappedRequest(const Request& request) : mGiven(request) {
        const auto isRecorded = [](const Request::MemoryPool& pool) {
            const auto* buffer = std::get_if<SharedBuffer>(&pool);
            return buffer != nullptr && dynamic_cast<const RecordedBuffer*>(buffer->get());
        };
        if (std::ranges::none_of(request.pools, isRecorded)) return;
        mChanged = request;
        for (Request::MemoryPool& pool : mChanged->pools) {
            if (isRecorded(pool)) pool = innerOf<RecordedBuffer>(std::get<SharedBuffer>(pool));
        }
    }
    const Request& get() const { return mChanged ? *mChanged : mGiven; }

   private:
    const Request& mGiven;
    std::optional<Request> mChanged{};
};

class RecordedExecution final : public ForwardingExecution {
   public:
    RecordedExecution(SharedExecution inner, CallPage& page, std::string arguments)
        : ForwardingExecution(std::move(inner)), mPage(page), mArguments(std::move(arguments)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override {
        const RecordedCall call(mPage, mComputed.next("compute", "execution"), mArguments);
        return inner()->compute(deadline);
    }
    GeneralResult<ExecutedFenced> computeFenced(
            const Fences& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        const RecordedCall call(mPage, mComputed.next("computeFenced", "execution"), mArguments);
        return recorded(inner()->computeFenced(waitFor, deadline, timeoutDurationAfterFence),
                        mPage);
    }

   private:
    CallPage& mPage;
    std::string mArguments;
    CallCounter mComputed{};
};

// Of a burst or a prepared model; `name` is that of the call.
GeneralResult<SharedExecution> createRecorded(const char* name, CallPage& page,
                                              const ArgumentTypes& types, const auto& inner,
                                              const ExecutionCall& execution) {
    std::string arguments = testing::digestOf(execution.request, types);
    const RecordedCall call(page, name, arguments);
    auto made = execution.with(UnwrappedRequest(execution.request).get()).reusableOn(inner);
    if (!made.has_value() || *made == nullptr) return made;
    return SharedExecution(std::make_shared<const RecordedExecution>(*std::move(made), page,
                                                                     std::move(arguments)));
}

class RecordedBurst final : public driver::ForwardingCallBurst {
   public:
    RecordedBurst(SharedBurst inner, CallPage& page, ArgumentTypes types)
        : ForwardingCallBurst(std::move(inner)), mPage(page), mTypes(std::move(types)) {}

    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override {
        const RecordedCall call(mPage, "cacheMemory");
        return inner()->cacheMemory(memory);
    }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& execution) const override {
        const RecordedCall call(mPage, mExecuted.next("execute", "burst"),
                                testing::digestOf(execution.request, mTypes));
        return execution.with(UnwrappedRequest(execution.request).get()).on(*inner());
    }
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& execution) const override {
        return createRecorded("createReusableExecution of the burst", mPage, mTypes, *inner(),
                              execution);
    }

   private:
    CallPage& mPage;
    ArgumentTypes mTypes;
    CallCounter mExecuted{};
};

class RecordedPreparedModel final : public ObservedPreparedModel {
   public:
    RecordedPreparedModel(SharedPreparedModel inner, CallPage& page, ArgumentTypes types)
        : ObservedPreparedModel(std::move(inner)), mPage(page), mTypes(std::move(types)) {}

    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        const RecordedCall call(mPage, "configureExecutionBurst");
        return ForwardingPreparedModel::configureExecutionBurst();
    }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& execution) const override {
        const RecordedCall call(mPage, mExecuted.next("execute", ""),
                                testing::digestOf(execution.request, mTypes));
        return execution.with(UnwrappedRequest(execution.request).get()).on(*inner());
    }
    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& execution, const Fences& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        const RecordedCall call(mPage, mLaunched.next("executeFenced", ""),
                                testing::digestOf(execution.request, mTypes));
        return recorded(execution.with(UnwrappedRequest(execution.request).get())
                                .fencedOn(*inner(), waitFor, timeoutDurationAfterFence),
                        mPage);
    }
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& execution) const override {
        return createRecorded("createReusableExecution", mPage, mTypes, *inner(), execution);
    }
    SharedBurst wrapBurst(SharedBurst made) const override {
        return std::make_shared<const RecordedBurst>(std::move(made), mPage, mTypes);
    }

   private:
    CallPage& mPage;
    ArgumentTypes mTypes;
    CallCounter mExecuted{};
    CallCounter mLaunched{};
};

class RecordedDevice final : public driver::ForwardingCallDevice {
   public:
    RecordedDevice(SharedDevice inner, CallPage& page)
        : ForwardingCallDevice(std::move(inner)), mPage(page) {}

    GeneralResult<void> wait() const override {
        const RecordedCall call(mPage, "wait");
        return inner()->wait();
    }
    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        const RecordedCall call(mPage, "getSupportedOperations", testing::digestOf(model));
        return inner()->getSupportedOperations(model);
    }
    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override {
        const RecordedCall call(
                mPage, "allocate",
                fmt::format("{} models, {} input roles, {} output roles", preparedModels.size(),
                            inputRoles.size(), outputRoles.size()));
        return ForwardingDevice::allocate(desc, preparedModels, inputRoles, outputRoles);
    }

   protected:
    GeneralResult<SharedPreparedModel> prepare(
            const driver::PreparationCall& preparation) const override {
        const std::string files = digestOf(preparation.modelCache, preparation.dataCache);
        const RecordedCall call(
                mPage, "prepareModel",
                testing::digestOf(preparation.model) + (files.empty() ? "" : ", " + files));
        return preparation.on(*inner());
    }
    GeneralResult<SharedPreparedModel> load(const driver::LoadingCall& loading) const override {
        const RecordedCall call(mPage, "prepareModelFromCache",
                                digestOf(loading.modelCache, loading.dataCache));
        return loading.on(*inner());
    }
    SharedPreparedModel wrap(SharedPreparedModel made, const Model* model) const override {
        return std::make_shared<const RecordedPreparedModel>(
                std::move(made), mPage,
                model == nullptr ? ArgumentTypes() : argumentTypesOf(*model));
    }
    SharedPreparedModel unwrapPreparedModel(SharedPreparedModel given) const override {
        return innerOf<RecordedPreparedModel>(std::move(given));
    }
    SharedBuffer wrapBuffer(SharedBuffer made) const override {
        return std::make_shared<const RecordedBuffer>(std::move(made), mPage);
    }

   private:
    CallPage& mPage;
};

}  // namespace

SharedDevice recordedDevice(SharedDevice device, CallPage& page) {
    return std::make_shared<const RecordedDevice>(std::move(device), page);
}

}  // namespace nn::testing
