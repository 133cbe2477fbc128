// The parts that the HIDL adapters of devices and prepared models share.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>

#include "driver/adapt/adapter.h"
#include "driver/hidl/transport.h"
#include "driver/memory/request_cache.h"
#include "nnapi/convert.h"
#include "nnapi/driver/adapt.h"

namespace nn::hal::adapter {

using hidl::hidl_handle;
using hidl::hidl_memory;
using hidl::hidl_vec;
using hidl::Return;
using hidl::sp;

// Rejects a call whose result callback is null.
inline Return<void> rejectNullCallback() {
    return hidl::Status::fromExceptionCode(hidl::Status::EX_ILLEGAL_ARGUMENT,
                                           "the callback is null");
}

// ---------------------------------------------------------------------------------------------
// Executions

using driver::hidl_calls::kNoTiming;

// The result of an execution in HAL 1.2 and later; 1.0 has only the status.
template <HalVersion V>
struct HalExecutionResult {
    StatusOf<V> status{};
    hidl_vec<V1_2::OutputShape> outputShapes{};
    V1_2::Timing timing = kNoTiming;
};

template <HalVersion V>
HalExecutionResult<V> halResultOf(const ExecutionResult<Executed>& result, CallLosses& losses);

// The first callback interfaces with the version's notify method.
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
// Other objects for clients

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
