// nnapi/hal/enum_range.h -- Iterates over the enumerators of an enumeration of HIDL or AIDL.
//
//   for (const auto type : nn::hidl::hidl_enum_range<nn::V1_3::OperandType>()) add(type);
//   for (const auto type : ndk::enum_range<nn::aidl_hal::OperandType>()) add(type);
//
// In the order of the rows of nnapi/*.def, which is that of the interface. Source: libhidl, and the
// NDK backend of AIDL.
#pragma once

#include <iterator>

#include "nnapi/hal/aidl/enums.h"
#include "nnapi/hal/binding.h"
#include "nnapi/hal/v1_3.h"

namespace nn::hal {

// Has kValues for each enumeration below.
template <class E>
struct EnumeratorsOf;

#define NNAPI_ENUMERATORS_OF(Type) \
    template <>                    \
    struct EnumeratorsOf<Type> {   \
        using E = Type;            \
        static constexpr E kValues[] = {
#define NNAPI_ENUMERATORS_END() \
    }                           \
    ;                           \
    }

// The expansion of NNAPI_ENUMERATOR here.
#undef NNAPI_ENUMERATOR_GIVEN
#define NNAPI_ENUMERATOR_GIVEN(name, code) E::name,

// clang-format off

NNAPI_ENUMERATORS_OF(V1_0::OperandType)
#define NNAPI_OPERAND_TYPE(name, code, since, ...) NNAPI_ENUMERATOR(V1_0, since, name, code)
#include "nnapi/operand_types.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_2::OperandType)
#define NNAPI_OPERAND_TYPE(name, code, since, ...) NNAPI_ENUMERATOR(V1_2, since, name, code)
#include "nnapi/operand_types.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_3::OperandType)
#define NNAPI_OPERAND_TYPE(name, code, since, ...) NNAPI_ENUMERATOR(V1_3, since, name, code)
#include "nnapi/operand_types.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_0::OperationType)
#define NNAPI_OPERATION(name, code, since, ...) NNAPI_ENUMERATOR(V1_0, since, name, code)
#include "nnapi/operations.def"
        E::OEM_OPERATION,
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_1::OperationType)
#define NNAPI_OPERATION(name, code, since, ...) NNAPI_ENUMERATOR(V1_1, since, name, code)
#include "nnapi/operations.def"
        E::OEM_OPERATION,
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_2::OperationType)
#define NNAPI_OPERATION(name, code, since, ...) NNAPI_ENUMERATOR(V1_2, since, name, code)
#include "nnapi/operations.def"
        E::OEM_OPERATION,
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_3::OperationType)
#define NNAPI_OPERATION(name, code, since, ...) NNAPI_ENUMERATOR(V1_3, since, name, code)
#include "nnapi/operations.def"
        E::OEM_OPERATION,
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_0::OperandLifeTime)
#define NNAPI_OPERAND_LIFE_TIME(name, code, since, hal1_0, ...) NNAPI_ENUMERATOR(V1_0, since, hal1_0, code)
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_3::OperandLifeTime)
#define NNAPI_OPERAND_LIFE_TIME(name, code, since, hal1_0, ...) NNAPI_ENUMERATOR(V1_3, since, name, code)
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_0::DeviceStatus)
#define NNAPI_DEVICE_STATUS(name, code, since) NNAPI_ENUMERATOR(V1_0, since, name, code)
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_0::ErrorStatus)
#define NNAPI_ERROR_STATUS(name, code, since) NNAPI_ENUMERATOR(V1_0, since, name, code)
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_3::ErrorStatus)
#define NNAPI_ERROR_STATUS(name, code, since) NNAPI_ENUMERATOR(V1_3, since, name, code)
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_0::FusedActivationFunc)
#define NNAPI_FUSED_ACTIVATION_FUNC(name, code, since) NNAPI_ENUMERATOR(V1_0, since, name, code)
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_1::ExecutionPreference)
#define NNAPI_EXECUTION_PREFERENCE(name, code, since) NNAPI_ENUMERATOR(V1_1, since, name, code)
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_2::DeviceType)
#define NNAPI_DEVICE_TYPE(name, code, since) NNAPI_ENUMERATOR(V1_2, since, name, code)
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_2::MeasureTiming)
#define NNAPI_MEASURE_TIMING(name, code, since) NNAPI_ENUMERATOR(V1_2, since, name, code)
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(V1_3::Priority)
#define NNAPI_PRIORITY(name, code, since) NNAPI_ENUMERATOR(V1_3, since, name, code)
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

// clang-format on
#undef NNAPI_ENUMERATOR_GIVEN
#define NNAPI_ENUMERATOR_GIVEN(name, code) name = code,

// AIDL has one enumeration for all versions, and no types of vendors.
// clang-format off

NNAPI_ENUMERATORS_OF(::aidl::android::hardware::neuralnetworks::OperandType)
#define NNAPI_OPERAND_TYPE(name, ...) E::name,
#define NNAPI_OEM_OPERAND_TYPE(...)
#include "nnapi/operand_types.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(::aidl::android::hardware::neuralnetworks::OperationType)
#define NNAPI_OPERATION(name, ...) E::name,
#include "nnapi/operations.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(::aidl::android::hardware::neuralnetworks::OperandLifeTime)
#define NNAPI_OPERAND_LIFE_TIME(name, code, since, hal1_0, aidl) E::aidl,
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(::aidl::android::hardware::neuralnetworks::ErrorStatus)
#define NNAPI_ERROR_STATUS(name, ...) E::name,
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(::aidl::android::hardware::neuralnetworks::FusedActivationFunc)
#define NNAPI_FUSED_ACTIVATION_FUNC(name, ...) E::name,
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(::aidl::android::hardware::neuralnetworks::ExecutionPreference)
#define NNAPI_EXECUTION_PREFERENCE(name, ...) E::name,
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(::aidl::android::hardware::neuralnetworks::DeviceType)
#define NNAPI_DEVICE_TYPE(name, ...) E::name,
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

NNAPI_ENUMERATORS_OF(::aidl::android::hardware::neuralnetworks::Priority)
#define NNAPI_PRIORITY(name, ...) E::name,
#include "nnapi/enumerations.def"
NNAPI_ENUMERATORS_END();

// clang-format on
#undef NNAPI_ENUMERATORS_OF
#undef NNAPI_ENUMERATORS_END

// All enumerators of E.
template <class E>
struct EnumRange {
    constexpr auto begin() const { return std::begin(EnumeratorsOf<E>::kValues); }
    constexpr auto end() const { return std::end(EnumeratorsOf<E>::kValues); }
    constexpr auto cbegin() const { return begin(); }
    constexpr auto cend() const { return end(); }
    constexpr auto rbegin() const { return std::rbegin(EnumeratorsOf<E>::kValues); }
    constexpr auto rend() const { return std::rend(EnumeratorsOf<E>::kValues); }
};

}  // namespace nn::hal

namespace nn::hidl {
template <class E>
using hidl_enum_range = hal::EnumRange<E>;
}

#ifndef NNAPI_AIDL_IS_GENERATED  // generated code gets it from android/binder_enums.h
namespace ndk {
template <class E>
using enum_range = nn::hal::EnumRange<E>;
}
#endif
