// nnapi/hal/enum_range.h -- Iterates over the enumerators of an enumeration of HIDL or AIDL.
//
//   for (const auto type : nn::hidl::hidl_enum_range<nn::V1_3::OperandType>()) add(type);
//   for (const auto type : ndk::enum_range<nn::aidl_hal::OperandType>()) add(type);
//
// In the order of the rows of nnapi/*.def, which is that of the interface. Source: libhidl, and the
// NDK backend of AIDL.
#pragma once

#include <algorithm>
#include <array>
#include <iterator>
#include <span>

#include "nnapi/hal/aidl/enums.h"
#include "nnapi/hal/binding.h"
#include "nnapi/hal/enumerator_rows.h"
#include "nnapi/hal/v1_3.h"

namespace nn::hal {

// The enumerators of E, which represents a canonical enumeration up to a version.
template <class E, class Canonical, HalVersion V>
consteval auto enumeratorsIn() {
    constexpr auto isIn = [](const EnumeratorRow& row) {
        return row.isIn(V) && (V < HalVersion::AIDL1 || row.code < kFirstOemCode);
    };
    constexpr std::span<const EnumeratorRow> rows = enumeratorRows<Canonical>();
    std::array<E, std::count_if(rows.begin(), rows.end(), isIn)> values{};
    auto next = values.begin();
    for (const EnumeratorRow& row : rows) {
        if (isIn(row)) *next++ = static_cast<E>(row.code);
    }
    return values;
}

// Has kValues for each enumeration below.
template <class E>
struct EnumeratorsOf;

#define NNAPI_ENUMERATORS_OF(E, Canonical, version)                                         \
    template <>                                                                             \
    struct EnumeratorsOf<E> {                                                               \
        static constexpr auto kValues = enumeratorsIn<E, Canonical, HalVersion::version>(); \
    }
NNAPI_ENUMERATORS_OF(V1_0::OperandType, OperandType, V1_0);
NNAPI_ENUMERATORS_OF(V1_2::OperandType, OperandType, V1_2);
NNAPI_ENUMERATORS_OF(V1_3::OperandType, OperandType, V1_3);
NNAPI_ENUMERATORS_OF(V1_0::OperationType, OperationType, V1_0);
NNAPI_ENUMERATORS_OF(V1_1::OperationType, OperationType, V1_1);
NNAPI_ENUMERATORS_OF(V1_2::OperationType, OperationType, V1_2);
NNAPI_ENUMERATORS_OF(V1_3::OperationType, OperationType, V1_3);
NNAPI_ENUMERATORS_OF(V1_0::OperandLifeTime, Operand::LifeTime, V1_0);
NNAPI_ENUMERATORS_OF(V1_3::OperandLifeTime, Operand::LifeTime, V1_3);
NNAPI_ENUMERATORS_OF(V1_0::DeviceStatus, DeviceStatus, V1_0);
NNAPI_ENUMERATORS_OF(V1_0::ErrorStatus, ErrorStatus, V1_0);
NNAPI_ENUMERATORS_OF(V1_3::ErrorStatus, ErrorStatus, V1_3);
NNAPI_ENUMERATORS_OF(V1_0::FusedActivationFunc, FusedActivationFunc, V1_0);
NNAPI_ENUMERATORS_OF(V1_1::ExecutionPreference, ExecutionPreference, V1_1);
NNAPI_ENUMERATORS_OF(V1_2::DeviceType, DeviceType, V1_2);
NNAPI_ENUMERATORS_OF(V1_2::MeasureTiming, MeasureTiming, V1_2);
NNAPI_ENUMERATORS_OF(V1_3::Priority, Priority, V1_3);
// AIDL has one enumeration for all versions.
#define NNAPI_ENUMERATORS_OF_AIDL(E, Canonical) \
    NNAPI_ENUMERATORS_OF(::aidl::android::hardware::neuralnetworks::E, Canonical, AIDL4)
NNAPI_ENUMERATORS_OF_AIDL(OperandType, OperandType);
NNAPI_ENUMERATORS_OF_AIDL(OperationType, OperationType);
NNAPI_ENUMERATORS_OF_AIDL(OperandLifeTime, Operand::LifeTime);
NNAPI_ENUMERATORS_OF_AIDL(ErrorStatus, ErrorStatus);
NNAPI_ENUMERATORS_OF_AIDL(FusedActivationFunc, FusedActivationFunc);
NNAPI_ENUMERATORS_OF_AIDL(ExecutionPreference, ExecutionPreference);
NNAPI_ENUMERATORS_OF_AIDL(DeviceType, DeviceType);
NNAPI_ENUMERATORS_OF_AIDL(Priority, Priority);
#undef NNAPI_ENUMERATORS_OF_AIDL
#undef NNAPI_ENUMERATORS_OF

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
