// What the objects that offer a canonical device share.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "driver/hidl/launch.h"
#include "driver/hidl/transport.h"
#include "nnapi/convert.h"
#include "nnapi/driver/adapt.h"

namespace nn::hal::adapter {

using hidl::hidl_handle;
using hidl::hidl_memory;
using hidl::hidl_vec;
using hidl::Return;
using hidl::sp;

// The prepared models of one adapted device that are alive. It keeps none of them. Thread-safe.
class Registry {
   public:
    void add(const V1_3::IPreparedModel* preparedModel) {
        const std::lock_guard lock(mMutex);
        mAlive.insert(preparedModel);
    }
    void remove(const V1_3::IPreparedModel* preparedModel) {
        const std::lock_guard lock(mMutex);
        mAlive.erase(preparedModel);
    }
    bool has(const V1_3::IPreparedModel* preparedModel) const {
        const std::lock_guard lock(mMutex);
        return mAlive.contains(preparedModel);
    }

   private:
    mutable std::mutex mMutex{};
    std::unordered_set<const V1_3::IPreparedModel*> mAlive{};
};

// What a device shares with its prepared models, and with the work that is under way.
struct Context {
    Executor executor{};
    LossListener onLoss{};
    std::chrono::microseconds burstPollingTimeWindow{};
    SharedLog log{};
    mutable Registry preparedModels{};
};
using SharedContext = std::shared_ptr<const Context>;

// What one call cannot carry.
class Lost {
   public:
    Lost(const Context& context, std::string_view call)
        : mListener(context.onLoss ? &context.onLoss : nullptr), mCall(call) {}

    // For a conversion; null where nobody listens, so that no text is composed.
    Losses* list() { return mListener == nullptr ? nullptr : &mLosses; }

    // To be called before the answer is given.
    void tell() {
        if (mLosses.empty()) return;
        ignoreExceptions([&] { (*mListener)(mCall, mLosses); });
        mLosses.clear();
    }

   private:
    const LossListener* mListener;
    std::string_view mCall;
    Losses mLosses{};
};

template <HalVersion V>
using StatusOf = HalType<ErrorStatus, V>;

// A code as a version has it; what it lacks becomes GENERAL_FAILURE.
template <HalVersion V>
StatusOf<V> statusFor(ErrorStatus code, Lost& lost) {
    const size_t before = lost.list() == nullptr ? 0 : lost.list()->size();
    const auto converted = unvalidatedConvertTo<V>(code, lost.list());
    if (lost.list() != nullptr) {
        for (size_t i = before; i < lost.list()->size(); ++i) (*lost.list())[i].path = "status";
    }
    return converted.ok() ? *converted : StatusOf<V>::GENERAL_FAILURE;
}

// The same failure with another code.
inline Status withCode(ErrorStatus code, const Status& failure) {
    return makeError(code, {failure.message().data(), failure.message().size()});
}

// An argument that does not convert is the fault of the client, except where memory ran out.
inline Status blameClient(const Status& failure) {
    if (errorStatus(failure) == ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT) return failure;
    return withCode(ErrorStatus::INVALID_ARGUMENT, failure);
}

// A value of the device that does not convert is the device's fault.
inline Status blameDevice(const Status& failure) {
    return withCode(ErrorStatus::GENERAL_FAILURE, failure);
}

// For a function without a value that a caller should have passed to be answered.
inline Return<void> refuseNullAnswer() {
    return hidl::Status::fromExceptionCode(hidl::Status::EX_ILLEGAL_ARGUMENT,
                                           "the function that takes the answer is null");
}

// ---------------------------------------------------------------------------------------------
// Executions

using driver::hidl::kNoTiming;

// How an execution ended, for HAL 1.2 and later; 1.0 has the status alone.
template <HalVersion V>
struct ExecutionAnswer {
    StatusOf<V> status{};
    hidl_vec<V1_2::OutputShape> outputShapes{};
    V1_2::Timing timing = kNoTiming;
};

template <HalVersion V>
ExecutionAnswer<V> answerOf(const ExecutionResult<Executed>& result, Lost& lost);

// The first interface of callbacks that has the version's notify.
template <HalVersion V>
struct CallbacksOf {};
template <>
struct CallbacksOf<HalVersion::V1_0> {
    using Preparation = V1_0::IPreparedModelCallback;
    using Execution = V1_0::IExecutionCallback;
};
template <>
struct CallbacksOf<HalVersion::V1_2> {
    using Preparation = V1_2::IPreparedModelCallback;
    using Execution = V1_2::IExecutionCallback;
};
template <>
struct CallbacksOf<HalVersion::V1_3> {
    using Preparation = V1_3::IPreparedModelCallback;
    using Execution = V1_3::IExecutionCallback;
};
template <HalVersion V>
using PreparationCallback = typename CallbacksOf<V>::Preparation;
template <HalVersion V>
using ExecutionCallback = typename CallbacksOf<V>::Execution;

// ---------------------------------------------------------------------------------------------
// The other objects that clients get.

class BufferAdapter final : public V1_3::IBuffer {
   public:
    BufferAdapter(SharedContext context, SharedBuffer buffer)
        : mContext(std::move(context)), mBuffer(std::move(buffer)) {}

    Return<V1_3::ErrorStatus> copyTo(const hidl_memory& dst) override;
    Return<V1_3::ErrorStatus> copyFrom(const hidl_memory& src,
                                       const hidl_vec<uint32_t>& dimensions) override;

   private:
    const SharedContext mContext;
    const SharedBuffer mBuffer;
};

class FencedExecutionAdapter final : public V1_3::IFencedExecutionCallback {
   public:
    FencedExecutionAdapter(SharedContext context, ExecuteFencedInfoCallback info)
        : mContext(std::move(context)), mInfo(std::move(info)) {}

    Return<void> getExecutionInfo(getExecutionInfo_cb callback) override;

   private:
    const SharedContext mContext;
    const ExecuteFencedInfoCallback mInfo;
};

}  // namespace nn::hal::adapter
