#include "device_testing/bad_device.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "nnapi/driver/default_burst.h"
#include "nnapi/driver/default_execution.h"
#include "nnapi/driver/reference.h"
#include "nnapi/memory.h"

namespace nn::device_testing_test {
namespace {

using Hints = std::vector<TokenValuePair>;
using Prefixes = std::vector<ExtensionNameAndPrefix>;
using Handles = std::vector<SharedHandle>;

[[noreturn]] void hang() {
    for (;;) std::this_thread::sleep_for(std::chrono::seconds(1));
}

// Ends at once, without the reports of sanitizers.
[[noreturn]] void endBy(int number) {
    signal(number, SIG_DFL);
    raise(number);
    _exit(99);
}

// Changes a byte of a pool of a request.
void touch(const Request& request, uint32_t pool, uint64_t offset) {
    if (pool >= request.pools.size()) return;
    const auto* memory = std::get_if<SharedMemory>(&request.pools[pool]);
    if (memory == nullptr) return;
    uint8_t byte = 0;
    if (!readMemory(*memory, offset, {&byte, 1}).ok()) return;
    byte ^= 0x40;
    (void)writeMemory(*memory, offset, {&byte, 1});
}

class BadBurst final : public IBurst {
   public:
    BadBurst(SharedBurst good, Fault fault) : mGood(std::move(good)), mFault(fault) {}

    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override {
        return mGood->cacheMemory(memory);
    }
    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint& deadline,
                                      const OptionalDuration& loop, const Hints& hints,
                                      const Prefixes& prefixes) const override {
        if (mFault == Fault::HANGS_IN_BURST) hang();
        return mGood->execute(request, measure, deadline, loop, hints, prefixes);
    }
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure, const OptionalDuration& loop,
            const Hints& hints, const Prefixes& prefixes) const override {
        return mGood->createReusableExecution(request, measure, loop, hints, prefixes);
    }

   private:
    SharedBurst mGood;
    Fault mFault;
};

class BadPreparedModel final : public IPreparedModel,
                               public std::enable_shared_from_this<BadPreparedModel> {
   public:
    BadPreparedModel(SharedPreparedModel good, Fault fault)
        : mGood(std::move(good)), mFault(fault) {}

    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint& deadline,
                                      const OptionalDuration& loop, const Hints& hints,
                                      const Prefixes& prefixes) const override {
        switch (mFault) {
            case Fault::ABORTS_IN_EXECUTE:
                endBy(SIGABRT);
            case Fault::SEGFAULTS_IN_EXECUTE:
                endBy(SIGSEGV);
            case Fault::EXITS_IN_EXECUTE:
                _exit(3);
            case Fault::HANGS_IN_EXECUTE:
                hang();
            case Fault::DIES:
                return error(ErrorStatus::DEAD_OBJECT) << "the driver is gone";
            case Fault::THROWS:
                throw std::runtime_error("out of luck");
            case Fault::MISSES_AMPLE_DEADLINES:
                if (deadline) return error(ErrorStatus::MISSED_DEADLINE_TRANSIENT) << "late";
                break;
            default:
                break;
        }
        const auto otherThread = std::this_thread::get_id();
        const bool isMixed = mFault == Fault::MIXES_UP_THREADS &&
                             mLast.exchange(otherThread) != std::thread::id() &&
                             mLast.load() != mFirst;
        if (mFirst == std::thread::id()) mFirst = otherThread;
        return after(request, measure,
                     mGood->execute(request, measure, deadline, loop, hints, prefixes), isMixed);
    }

    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loop,
            const OptionalDuration& afterFence, const Hints& hints,
            const Prefixes& prefixes) const override {
        if (mFault == Fault::FENCED_WITH_UNKNOWN_SHAPES) {
            return ExecutedFenced{SyncFence(), [] { return std::pair<Timing, Timing>(); }};
        }
        const std::vector<SyncFence> fences =
                mFault == Fault::DOES_NOT_WAIT_FOR_FENCES ? std::vector<SyncFence>() : waitFor;
        auto launched = mGood->executeFenced(request, fences, measure, deadline, loop, afterFence,
                                             hints, prefixes);
        if (!launched.has_value()) return launched;
        int ends[2];
        switch (mFault) {
            case Fault::FENCE_IN_ERROR:
            case Fault::FENCE_NEVER_SIGNALLED:
                if (pipe(ends) != 0) return error() << "no pipe";
                launched->first = SyncFence::create(UniqueFd(ends[0]));
                // What stays open is never signalled.
                if (mFault == Fault::FENCE_IN_ERROR) close(ends[1]);
                break;
            case Fault::NO_CALLBACK:
                launched->second = nullptr;
                break;
            case Fault::WRONG_VALUES:
                touch(request, 1, 0);
                break;
            default:
                break;
        }
        return launched;
    }

    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure, const OptionalDuration& loop,
            const Hints& hints, const Prefixes& prefixes) const override {
        if (mFault == Fault::KEEPS_FIRST_INPUTS || mFault == Fault::WRONG_VALUES_THE_SECOND_TIME) {
            return SharedExecution(std::make_shared<const StaleExecution>(
                    shared_from_this(), request, mFault == Fault::KEEPS_FIRST_INPUTS));
        }
        auto good = mGood->createReusableExecution(request, measure, loop, hints, prefixes);
        if (!good.has_value()) return good;
        return SharedExecution(std::make_shared<const DefaultExecution>(
                shared_from_this(), request, measure, loop, hints, prefixes));
    }

    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        return SharedBurst(std::make_shared<const BadBurst>(
                std::make_shared<const DefaultBurst>(shared_from_this()), mFault));
    }

    std::any getUnderlyingResource() const override { return mGood->getUnderlyingResource(); }

    const SharedPreparedModel& good() const { return mGood; }

   private:
    // Computes what the first compute has computed, or something wrong.
    class StaleExecution final : public IExecution {
       public:
        StaleExecution(std::shared_ptr<const BadPreparedModel> model, Request request,
                       bool keepsInputs)
            : mModel(std::move(model)), mRequest(std::move(request)), mKeepsInputs(keepsInputs) {}

        ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override {
            const auto& outputs = std::get<SharedMemory>(mRequest.pools[1]);
            auto done = mModel->mGood->execute(mRequest, MeasureTiming::NO, deadline, {}, {}, {});
            if (!mKept.empty()) {
                if (mKeepsInputs) {
                    (void)writeMemory(outputs, 0, mKept);
                } else {
                    touch(mRequest, 1, 0);
                }
            } else {
                mKept.resize(size(outputs));
                (void)readMemory(outputs, 0, mKept);
            }
            return done;
        }
        GeneralResult<ExecutedFenced> computeFenced(const std::vector<SyncFence>& waitFor,
                                                    const OptionalTimePoint& deadline,
                                                    const OptionalDuration& after) const override {
            return mModel->executeFenced(mRequest, waitFor, MeasureTiming::NO, deadline, {}, after,
                                         {}, {});
        }

       private:
        std::shared_ptr<const BadPreparedModel> mModel;
        Request mRequest;
        bool mKeepsInputs;
        mutable std::vector<uint8_t> mKept{};
    };

    ExecutionResult<Executed> after(const Request& request, MeasureTiming measure,
                                    ExecutionResult<Executed> done, bool isMixed) const {
        if (!done.has_value()) return afterFailure(request, std::move(done));
        auto& [shapes, timing] = *done;
        switch (mFault) {
            case Fault::WRONG_VALUES:
                touch(request, 1, 3);
                break;
            case Fault::MIXES_UP_THREADS:
                if (isMixed) touch(request, 1, 3);
                break;
            case Fault::WRONG_DIMENSIONS:
                if (shapes.empty()) shapes = {{.dimensions = {2, 2}, .isSufficient = true}};
                for (OutputShape& shape : shapes) shape.dimensions.push_back(2);
                break;
            case Fault::NO_SHAPES:
                shapes.clear();
                break;
            case Fault::INSUFFICIENT_SHAPES:
                for (OutputShape& shape : shapes) shape.isSufficient = false;
                break;
            case Fault::TIME_NOBODY_ASKED_FOR:
                timing.timeInDriver = Duration(1);
                break;
            case Fault::LONGER_ON_THE_DEVICE:
                if (measure == MeasureTiming::YES) timing = {Duration(2), Duration(1)};
                break;
            case Fault::WRITES_INPUTS:
                touch(request, 0, 0);
                break;
            case Fault::WRITES_BEHIND_OUTPUTS:
                touch(request, 1, request.outputs[0].location.length);
                break;
            default:
                break;
        }
        return done;
    }

    ExecutionResult<Executed> afterFailure(const Request& request,
                                           ExecutionResult<Executed> done) const {
        ExecutionError why = done.error();
        const bool isInsufficient = why.code == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
        const bool isMissed = why.code == ErrorStatus::MISSED_DEADLINE_TRANSIENT ||
                              why.code == ErrorStatus::MISSED_DEADLINE_PERSISTENT;
        if (mFault == Fault::ACCEPTS_ANY_REQUEST && why.code == ErrorStatus::INVALID_ARGUMENT) {
            return Executed{};
        }
        if (mFault == Fault::ENDS_LOOPS_WITH_SUCCESS && isMissed) return Executed{};
        if (mFault == Fault::SHAPES_WITH_FAILURES && !isInsufficient) {
            why.outputShapes.resize(request.outputs.size());
        }
        if (mFault == Fault::LIES_ABOUT_SUFFICIENCY && isInsufficient) {
            for (OutputShape& shape : why.outputShapes) shape.isSufficient = true;
        }
        return why;
    }

    SharedPreparedModel mGood;
    Fault mFault;
    mutable std::atomic<std::thread::id> mLast{};
    mutable std::atomic<std::thread::id> mFirst{};
};

// Only its token is of interest.
class BadBuffer final : public IBuffer {
   public:
    explicit BadBuffer(MemoryDomainToken token) : mToken(token) {}
    Request::MemoryDomainToken getToken() const override { return mToken; }
    GeneralResult<void> copyTo(const SharedMemory&) const override { return {}; }
    GeneralResult<void> copyFrom(const SharedMemory&, const Dimensions&) const override {
        return {};
    }

   private:
    MemoryDomainToken mToken;
};

class BadDevice final : public IDevice {
   public:
    explicit BadDevice(Fault fault)
        : mFault(fault), mName(fault == Fault::HAS_NO_NAME ? "" : "bad"), mOther("other") {}

    const std::string& getName() const override { return mName; }
    const std::string& getVersionString() const override {
        static const std::string kNone;
        if (mFault == Fault::HAS_NO_VERSION) return kNone;
        if (mFault == Fault::CHANGES_ITS_VERSION && mPrepared) return mOther;
        return mGood->getVersionString();
    }
    Version getFeatureLevel() const override { return mGood->getFeatureLevel(); }
    DeviceType getType() const override { return mGood->getType(); }
    const std::vector<Extension>& getSupportedExtensions() const override {
        return mGood->getSupportedExtensions();
    }
    const Capabilities& getCapabilities() const override { return mGood->getCapabilities(); }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override {
        if (mFault == Fault::WANTS_33_CACHE_FILES) return {33, 0};
        const bool caches = mFault == Fault::LOADS_ANYTHING || mFault == Fault::LOADS_NOTHING ||
                            mFault == Fault::FAILS_WITH_CACHE_FILES;
        return caches ? std::pair(2u, 1u) : std::pair(0u, 0u);
    }
    GeneralResult<void> wait() const override {
        if (mFault == Fault::CANNOT_WAIT) return error() << "no patience";
        return {};
    }
    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        auto supported = mGood->getSupportedOperations(model);
        if (mFault == Fault::ACCEPTS_ANY_MODEL && !supported.has_value()) {
            return std::vector<bool>(model.main.operations.size(), true);
        }
        if (!supported.has_value()) return supported;
        if (mFault == Fault::ANSWERS_FOR_TOO_FEW_OPERATIONS) supported->pop_back();
        if (mFault == Fault::SUPPORTS_ONLY_ADD) {
            for (size_t i = 0; i < supported->size(); ++i) {
                (*supported)[i] = model.main.operations[i].type == OperationType::ADD;
            }
        }
        return supported;
    }
    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const Handles& modelCache, const Handles& dataCache,
            const CacheToken& token, const Hints& hints, const Prefixes& prefixes) const override {
        mPrepared = true;
        switch (mFault) {
            case Fault::ABORTS_IN_PREPARE:
                endBy(SIGABRT);
            case Fault::HANGS_IN_PREPARE:
                hang();
            case Fault::REFUSES_WHAT_IT_SUPPORTS:
                return error() << "not today";
            case Fault::PREPARES_NULL:
                return SharedPreparedModel();
            case Fault::FAILS_WITH_CACHE_FILES:
                if (!modelCache.empty()) return error() << "no room for a cache";
                break;
            case Fault::ACCEPTS_ANY_PRIORITY:
                priority = Priority::DEFAULT;
                break;
            default:
                break;
        }
        if (mFault == Fault::LOADS_ANYTHING) {
            for (const SharedHandle& file : modelCache) {
                constexpr std::string_view kContent = "nothing that is looked at again";
                if (file != nullptr && ftruncate(file->get(), 0) == 0) {
                    (void)!pwrite(file->get(), kContent.data(), kContent.size(), 0);
                }
            }
        }
        auto good = mGood->prepareModel(model, preference, priority, deadline, modelCache,
                                        dataCache, token, hints, prefixes);
        if (mFault == Fault::ACCEPTS_ANY_MODEL && !good.has_value() && mLast != nullptr) {
            return mLast;
        }
        if (!good.has_value()) return good;
        auto bad = SharedPreparedModel(
                std::make_shared<const BadPreparedModel>(*std::move(good), mFault));
        const std::lock_guard lock(mMutex);
        if (mFault == Fault::HOLDS_PREPARED_MODELS || mFault == Fault::LOADS_ANYTHING ||
            mFault == Fault::ACCEPTS_ANY_MODEL) {
            mLast = bad;
        }
        return bad;
    }
    GeneralResult<SharedPreparedModel> prepareModelFromCache(OptionalTimePoint, const Handles&,
                                                             const Handles&,
                                                             const CacheToken&) const override {
        const std::lock_guard lock(mMutex);
        if (mFault == Fault::LOADS_ANYTHING && mLast != nullptr) return mLast;
        return error() << "nothing was saved";
    }
    GeneralResult<SharedBuffer> allocate(const BufferDesc& description,
                                         const std::vector<SharedPreparedModel>& models,
                                         const std::vector<BufferRole>& inputs,
                                         const std::vector<BufferRole>& outputs) const override {
        if (mFault == Fault::ALLOCATES_TOKEN_0) {
            return SharedBuffer(std::make_shared<const BadBuffer>(MemoryDomainToken{0}));
        }
        if (mFault == Fault::ALLOCATES_FOR_ANYBODY) {
            return SharedBuffer(std::make_shared<const BadBuffer>(MemoryDomainToken{++mTokens}));
        }
        if (mFault == Fault::SUPPORTS_ONLY_ADD) {
            return error() << "the device has no memory of its own";
        }
        return mGood->allocate(description, models, inputs, outputs);
    }

   private:
    Fault mFault;
    std::string mName, mOther;
    SharedDevice mGood = referenceDevice();
    mutable std::mutex mMutex;
    mutable SharedPreparedModel mLast{};
    mutable std::atomic<bool> mPrepared = false;
    mutable std::atomic<uint32_t> mTokens = 0;
};

}  // namespace
}  // namespace nn::device_testing_test

namespace nn {

SharedDevice badDevice(Fault fault) {
    return std::make_shared<const device_testing_test::BadDevice>(fault);
}

}  // namespace nn
