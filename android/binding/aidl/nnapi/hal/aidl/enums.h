// nnapi/hal/aidl/enums.h -- the enumerations of AIDL, as aidl generates them; see
// nnapi/hal/aidl/types.h.
#pragma once

#include <aidl/android/hardware/neuralnetworks/DeviceType.h>
#include <aidl/android/hardware/neuralnetworks/ErrorStatus.h>
#include <aidl/android/hardware/neuralnetworks/ExecutionPreference.h>
#include <aidl/android/hardware/neuralnetworks/FusedActivationFunc.h>
#include <aidl/android/hardware/neuralnetworks/OperandLifeTime.h>
#include <aidl/android/hardware/neuralnetworks/OperandType.h>
#include <aidl/android/hardware/neuralnetworks/OperationType.h>
#include <aidl/android/hardware/neuralnetworks/Priority.h>

#include <string>
#include <type_traits>

#include "nnapi/hal/binding.h"

namespace nn {

namespace aidl_hal = ::aidl::android::hardware::neuralnetworks;

namespace aidl_names {

std::string toString(aidl_hal::DeviceType value);
std::string toString(aidl_hal::ErrorStatus value);
std::string toString(aidl_hal::ExecutionPreference value);
std::string toString(aidl_hal::FusedActivationFunc value);
std::string toString(aidl_hal::OperandLifeTime value);
std::string toString(aidl_hal::OperandType value);
std::string toString(aidl_hal::OperationType value);
std::string toString(aidl_hal::Priority value);

}  // namespace aidl_names

namespace hal {

template <class T>
requires std::is_enum_v<T> && requires(T value) { aidl_names::toString(value); }
struct TextOf<T> {
    static std::string of(T value) { return aidl_names::toString(value); }
};

}  // namespace hal
}  // namespace nn
