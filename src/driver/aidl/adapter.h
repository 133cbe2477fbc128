// The AIDL objects that serve a canonical device.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "driver/adapt/adapter.h"
#include "driver/aidl/transport.h"

namespace nn::hal::adapter {

using ndk::ScopedAStatus;
using ndk::ScopedFileDescriptor;

// ---------------------------------------------------------------------------------------------
// Results

inline ScopedAStatus scopedStatusOf(aidl_hal::ErrorStatus status, const Status& why) {
    if (status == aidl_hal::ErrorStatus::NONE) return ScopedAStatus::ok();
    return ScopedAStatus::fromServiceSpecificErrorWithMessage(static_cast<int32_t>(status),
                                                              std::string(why.message()).c_str());
}

// Implements a method with ask(losses), which returns a GeneralResult<Hal>.
template <class Hal, class Ask>
ScopedAStatus returnResult(const Context& context, std::string_view call, Hal* to, const Ask& ask) {
    if (to == nullptr) return ScopedAStatus::fromExceptionCode(EX_NULL_POINTER);
    auto [status, value, why] =
            askIn<aidl_hal::ErrorStatus, Hal>(context.version, context, call, ask);
    if (status == aidl_hal::ErrorStatus::NONE) *to = std::move(value);
    return scopedStatusOf(status, why);
}

// Implements a method without a result.
template <class Do>
ScopedAStatus returnResult(const Context& context, std::string_view call, const Do& act) {
    struct Nothing {
    } nothing;
    return returnResult(context, call, &nothing, [&](Losses*) -> GeneralResult<Nothing> {
        NNAPI_RETURN_IF_ERROR(act());
        return Nothing();
    });
}

// Returns the result of an execution; insufficient outputs are not a failure.
ScopedAStatus returnExecution(const Context& context, std::string_view call,
                              const ExecutionResult<Executed>& executed,
                              aidl_hal::ExecutionResult* to);

// The fence and the callback of a fenced execution.
GeneralResult<aidl_hal::FencedExecutionResult> fencedResult(const SharedContext& context,
                                                            GeneralResult<ExecutedFenced> executed);

// ---------------------------------------------------------------------------------------------
// Arguments, in the order of their checks

GeneralResult<OptionalTimePoint> readDeadline(int64_t deadlineNs);
GeneralResult<OptionalDuration> readDuration(int64_t durationNs);

// The arguments of an execution but the request.
GeneralResult<OwnedCall> readExecution(const aidl_hal::ExecutionConfig& config, int64_t deadlineNs);
// The same with the request.
GeneralResult<OwnedCall> readExecution(const aidl_hal::Request& request,
                                       const aidl_hal::ExecutionConfig& config, int64_t deadlineNs);

inline aidl_hal::ExecutionConfig configOf(bool measureTiming, int64_t loopTimeoutDurationNs) {
    return {.measureTiming = measureTiming, .loopTimeoutDurationNs = loopTimeoutDurationNs};
}

// ---------------------------------------------------------------------------------------------
// Objects

// Base of all objects: stores the version and determines its methods.
template <class Interface>
class Offered : public AidlObject<Interface> {
   public:
    explicit Offered(SharedContext context)
        : AidlObject<Interface>(featureLevel(toVersion(context->version)) -
                                featureLevel(toVersion(HalVersion::AIDL1)) + 1),
          mContext(std::move(context)) {}

   protected:
    // Methods with a config are those of version 4.
    bool hasConfigs() const { return mContext->version >= HalVersion::AIDL4; }
    static ScopedAStatus unknownMethod() {
        return ScopedAStatus::fromStatus(STATUS_UNKNOWN_TRANSACTION);
    }

    const SharedContext mContext;
};

class AidlBufferAdapter final : public Offered<aidl_hal::IBuffer> {
   public:
    AidlBufferAdapter(SharedContext context, SharedBuffer buffer)
        : Offered(std::move(context)), mBuffer(std::move(buffer)) {}

    ScopedAStatus copyFrom(const aidl_hal::Memory& src,
                           const std::vector<int32_t>& dimensions) override;
    ScopedAStatus copyTo(const aidl_hal::Memory& dst) override;

   private:
    const SharedBuffer mBuffer;
};

class AidlFencedAdapter final : public Offered<aidl_hal::IFencedExecutionCallback> {
   public:
    AidlFencedAdapter(SharedContext context, ExecuteFencedInfoCallback info)
        : Offered(std::move(context)), mInfo(std::move(info)) {}

    ScopedAStatus getExecutionInfo(aidl_hal::Timing* launched, aidl_hal::Timing* fenced,
                                   aidl_hal::ErrorStatus* status) override;

   private:
    const ExecuteFencedInfoCallback mInfo;
};

class AidlExecutionAdapter final : public Offered<aidl_hal::IExecution> {
   public:
    AidlExecutionAdapter(SharedContext context, SharedExecution execution)
        : Offered(std::move(context)), mExecution(std::move(execution)) {}

    ScopedAStatus executeSynchronously(int64_t deadlineNs,
                                       aidl_hal::ExecutionResult* result) override;
    ScopedAStatus executeFenced(const std::vector<ScopedFileDescriptor>& waitFor,
                                int64_t deadlineNs, int64_t durationNs,
                                aidl_hal::FencedExecutionResult* result) override;

   private:
    const SharedExecution mExecution;
};

// The driver's end of a burst: caches memories by token until the client releases the token.
class AidlBurstAdapter final : public Offered<aidl_hal::IBurst> {
   public:
    AidlBurstAdapter(SharedContext context, SharedBurst burst)
        : Offered(std::move(context)), mBurst(std::move(burst)) {}

    ScopedAStatus executeSynchronously(const aidl_hal::Request& request,
                                       const std::vector<int64_t>& tokens, bool measureTiming,
                                       int64_t deadlineNs, int64_t loopTimeoutDurationNs,
                                       aidl_hal::ExecutionResult* result) override;
    ScopedAStatus executeSynchronouslyWithConfig(const aidl_hal::Request& request,
                                                 const std::vector<int64_t>& tokens,
                                                 const aidl_hal::ExecutionConfig& config,
                                                 int64_t deadlineNs,
                                                 aidl_hal::ExecutionResult* result) override;
    ScopedAStatus releaseMemoryResource(int64_t token) override;

   private:
    struct Kept {
        SharedMemory memory{};
        nn::IBurst::OptionalCacheHold hold{};
    };

    ScopedAStatus execute(std::string_view call, const aidl_hal::Request& request,
                          const std::vector<int64_t>& tokens,
                          const aidl_hal::ExecutionConfig& config, int64_t deadlineNs,
                          aidl_hal::ExecutionResult* result);
    // Replaces memories of the request by cached ones.
    Status keep(const std::vector<int64_t>& tokens, Request& request);

    const SharedBurst mBurst;
    std::mutex mMutex{};
    std::map<int64_t, Kept> mKept{};
};

class AidlPreparedModelAdapter final : public Offered<aidl_hal::IPreparedModel> {
   public:
    // The outputs are null if the model is unknown.
    AidlPreparedModelAdapter(SharedContext context, SharedPreparedModel preparedModel,
                             driver::SharedOutputSignatures outputs);
    ~AidlPreparedModelAdapter() override;

    const SharedPreparedModel& underlying() const { return mPreparedModel; }

    ScopedAStatus executeSynchronously(const aidl_hal::Request& request, bool measureTiming,
                                       int64_t deadlineNs, int64_t loopTimeoutDurationNs,
                                       aidl_hal::ExecutionResult* result) override;
    ScopedAStatus executeSynchronouslyWithConfig(const aidl_hal::Request& request,
                                                 const aidl_hal::ExecutionConfig& config,
                                                 int64_t deadlineNs,
                                                 aidl_hal::ExecutionResult* result) override;
    ScopedAStatus executeFenced(const aidl_hal::Request& request,
                                const std::vector<ScopedFileDescriptor>& waitFor,
                                bool measureTiming, int64_t deadlineNs,
                                int64_t loopTimeoutDurationNs, int64_t durationNs,
                                aidl_hal::FencedExecutionResult* result) override;
    ScopedAStatus executeFencedWithConfig(const aidl_hal::Request& request,
                                          const std::vector<ScopedFileDescriptor>& waitFor,
                                          const aidl_hal::ExecutionConfig& config,
                                          int64_t deadlineNs, int64_t durationNs,
                                          aidl_hal::FencedExecutionResult* result) override;
    ScopedAStatus configureExecutionBurst(std::shared_ptr<aidl_hal::IBurst>* burst) override;
    ScopedAStatus createReusableExecution(
            const aidl_hal::Request& request, const aidl_hal::ExecutionConfig& config,
            std::shared_ptr<aidl_hal::IExecution>* execution) override;

   private:
    ScopedAStatus execute(std::string_view call, const aidl_hal::Request& request,
                          const aidl_hal::ExecutionConfig& config, int64_t deadlineNs,
                          aidl_hal::ExecutionResult* result) const;
    ScopedAStatus launch(std::string_view call, const aidl_hal::Request& request,
                         const std::vector<ScopedFileDescriptor>& waitFor,
                         const aidl_hal::ExecutionConfig& config, int64_t deadlineNs,
                         int64_t durationNs, aidl_hal::FencedExecutionResult* result) const;

    const SharedPreparedModel mPreparedModel;
    const SharedPreparedModel mChecked;  // executes
};

}  // namespace nn::hal::adapter
