// nnapi_android/helper_types.h -- The types that Android's helpers of drivers work on.
//
//   template <class Types>
//   struct BasicShape { typename Types::OperandType type; ... };
//
// Trees of Android 11 and older have the newest HIDL types in the helpers' signatures, newer trees
// canonical ones, and the helpers of AIDL drivers those of AIDL. One template serves all of them.
#pragma once

#include <cstdint>
#include <set>
#include <tuple>

#include "nnapi/driver/interfaces.h"
#include "nnapi/hal/aidl/interfaces.h"
#include "nnapi/hal/v1_3_interfaces.h"
#include "nnapi/result.h"
#include "nnapi/types.h"

namespace android::nn {

// Whether an argument of a prepared model is an input or an output.
enum class IOType { INPUT, OUTPUT };

}  // namespace android::nn

namespace nnapi_android {

using ::android::nn::IOType;

// An operand type of HAL 1.3 that is made from those of older versions, and compares with them.
class HidlOperandType {
   public:
    constexpr HidlOperandType() = default;
    constexpr HidlOperandType(::nn::V1_3::OperandType type) : mType(type) {}
    constexpr HidlOperandType(::nn::V1_2::OperandType type)
        : mType(static_cast<::nn::V1_3::OperandType>(type)) {}
    constexpr HidlOperandType(::nn::V1_0::OperandType type)
        : mType(static_cast<::nn::V1_3::OperandType>(type)) {}
    constexpr operator ::nn::V1_3::OperandType() const { return mType; }
    explicit constexpr operator ::nn::OperandType() const {
        return static_cast<::nn::OperandType>(mType);
    }
    friend constexpr bool operator==(HidlOperandType a, HidlOperandType b) {
        return a.mType == b.mType;
    }
    // Enumerators match exactly, so that none of them is ambiguous with a conversion.
    friend constexpr bool operator==(HidlOperandType a, ::nn::V1_3::OperandType b) {
        return a.mType == b;
    }
    friend constexpr bool operator==(HidlOperandType a, ::nn::V1_2::OperandType b) {
        return a == HidlOperandType(b);
    }
    friend constexpr bool operator==(HidlOperandType a, ::nn::V1_0::OperandType b) {
        return a == HidlOperandType(b);
    }

   private:
    ::nn::V1_3::OperandType mType{};
};

struct HidlTypes {
    using ShapeType = HidlOperandType;
    using OperandType = ::nn::V1_3::OperandType;
    using OperationType = ::nn::V1_3::OperationType;
    using Validated = bool;  // of an operation, in IOperationResolver
    using OperandLifeTime = ::nn::V1_3::OperandLifeTime;
    using OperandExtraParams = ::nn::V1_2::Operand::ExtraParams;
    using Operand = ::nn::V1_3::Operand;
    using Operation = ::nn::V1_3::Operation;
    using Model = ::nn::V1_3::Model;
    using Request = ::nn::V1_3::Request;
    using OutputShape = ::nn::V1_2::OutputShape;
    using ErrorStatus = ::nn::V1_3::ErrorStatus;
    using IPreparedModel = ::nn::V1_3::IPreparedModel;
};

struct CanonicalTypes {
    using ShapeType = ::nn::OperandType;
    using OperandType = ::nn::OperandType;
    using OperationType = ::nn::OperationType;
    using Validated = ::nn::Result<::nn::Version>;
    using OperandLifeTime = ::nn::Operand::LifeTime;
    using OperandExtraParams = ::nn::Operand::ExtraParams;
    using Operand = ::nn::Operand;
    using Operation = ::nn::Operation;
    using Model = ::nn::Model;
    using Request = ::nn::Request;
    using OutputShape = ::nn::OutputShape;
    using ErrorStatus = ::nn::ErrorStatus;
    using IPreparedModel = ::nn::IPreparedModel;
};

// Only the types for device memory.
struct AidlTypes {
    using Operand = ::nn::aidl_hal::Operand;
    using Request = ::nn::aidl_hal::Request;
    using ErrorStatus = ::nn::aidl_hal::ErrorStatus;
    using IPreparedModel = ::nn::aidl_hal::IPreparedModel;
};

// A permitted use of a device memory: an input or output of a prepared model, by its index.
template <class Types>
using BasicPreparedModelRole = std::tuple<const typename Types::IPreparedModel*, IOType, uint32_t>;
template <class Types>
using BasicPreparedModelRoles = std::set<BasicPreparedModelRole<Types>>;

}  // namespace nnapi_android
