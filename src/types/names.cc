#include "types/names.h"

#include <fmt/format.h>

#include <optional>

#include "nnapi/hal/aidl/enums.h"
#include "nnapi/hal/binding.h"
#include "nnapi/hal/enumerator_rows.h"
#include "nnapi/hal/v1_3.h"
#include "nnapi/types.h"

namespace nn {

std::string unnamed(std::string_view enumeration, int64_t code) {
    const bool isExtension = (static_cast<uint32_t>(code) >> kExtensionTypeBits) != 0 &&
                             code >= INT32_MIN && code <= INT32_MAX;
    return isExtension ? fmt::format("{}(0x{:08x})", enumeration, static_cast<uint32_t>(code))
                       : fmt::format("{}({})", enumeration, code);
}

namespace {

// The name of a code of Canonical or, with a version, of the enumeration that represents it there.
template <class Canonical>
std::string nameOf(std::string_view enumeration, int64_t code,
                   std::optional<HalVersion> version = {}) {
    const hal::EnumeratorRow* row = hal::enumeratorRow<Canonical>(code);
    const bool isNamed = row != nullptr && (!version || row->isIn(*version));
    return isNamed ? std::string(row->name) : unnamed(enumeration, code);
}

}  // namespace

#define NNAPI_NAMES(E) \
    std::string toString(E value) { return nameOf<E>(#E, static_cast<int64_t>(value)); }
NNAPI_NAMES(DeviceStatus)
NNAPI_NAMES(DeviceType)
NNAPI_NAMES(ErrorStatus)
NNAPI_NAMES(ExecutionPreference)
NNAPI_NAMES(FusedActivationFunc)
NNAPI_NAMES(MeasureTiming)
NNAPI_NAMES(Operand::LifeTime)
NNAPI_NAMES(OperandType)
NNAPI_NAMES(OperationType)
NNAPI_NAMES(Priority)
#undef NNAPI_NAMES

std::string toString(Request::Argument::LifeTime value) {
    using enum Request::Argument::LifeTime;
    switch (value) {
        case POOL:
            return "POOL";
        case NO_VALUE:
            return "NO_VALUE";
        case POINTER:
            return "POINTER";
    }
    return unnamed("Request::Argument::LifeTime", static_cast<int64_t>(value));
}

#define NNAPI_NAMES_IN(version, E, Canonical)                                               \
    std::string version::toString(E value) {                                                \
        return nameOf<nn::Canonical>(#E, static_cast<int64_t>(value), HalVersion::version); \
    }
NNAPI_NAMES_IN(V1_0, DeviceStatus, DeviceStatus)
NNAPI_NAMES_IN(V1_0, ErrorStatus, ErrorStatus)
NNAPI_NAMES_IN(V1_0, FusedActivationFunc, FusedActivationFunc)
NNAPI_NAMES_IN(V1_0, OperandType, OperandType)
NNAPI_NAMES_IN(V1_0, OperationType, OperationType)
NNAPI_NAMES_IN(V1_1, ExecutionPreference, ExecutionPreference)
NNAPI_NAMES_IN(V1_1, OperationType, OperationType)
NNAPI_NAMES_IN(V1_2, DeviceType, DeviceType)
NNAPI_NAMES_IN(V1_2, MeasureTiming, MeasureTiming)
NNAPI_NAMES_IN(V1_2, OperandType, OperandType)
NNAPI_NAMES_IN(V1_2, OperationType, OperationType)
NNAPI_NAMES_IN(V1_3, ErrorStatus, ErrorStatus)
NNAPI_NAMES_IN(V1_3, OperandLifeTime, Operand::LifeTime)
NNAPI_NAMES_IN(V1_3, OperandType, OperandType)
NNAPI_NAMES_IN(V1_3, OperationType, OperationType)
NNAPI_NAMES_IN(V1_3, Priority, Priority)
#undef NNAPI_NAMES_IN

std::string V1_0::toString(OperandLifeTime value) {
#define NNAPI_OPERAND_LIFE_TIME(name, code, since, hal1_0, ...) \
    if (HalVersion::since == HalVersion::V1_0 && value == OperandLifeTime{code}) return #hal1_0;
#include "nnapi/enumerations.def"
    return unnamed("OperandLifeTime", static_cast<int64_t>(value));
}

}  // namespace nn

// Codes and names equal those of the canonical enumerations, with one exception.
namespace NNAPI_AIDL_NAMES_IN {

#define NNAPI_AIDL_NAMES(E)                                                    \
    std::string toString(::aidl::android::hardware::neuralnetworks::E value) { \
        return nn::toString(static_cast<nn::E>(value));                        \
    }
NNAPI_AIDL_NAMES(DeviceType)
NNAPI_AIDL_NAMES(ErrorStatus)
NNAPI_AIDL_NAMES(ExecutionPreference)
NNAPI_AIDL_NAMES(FusedActivationFunc)
NNAPI_AIDL_NAMES(OperandType)
NNAPI_AIDL_NAMES(OperationType)
NNAPI_AIDL_NAMES(Priority)
#undef NNAPI_AIDL_NAMES

std::string toString(::aidl::android::hardware::neuralnetworks::OperandLifeTime value) {
    using ::aidl::android::hardware::neuralnetworks::OperandLifeTime;
    if (value == OperandLifeTime::CONSTANT_POOL) return "CONSTANT_POOL";
    return nn::toString(static_cast<nn::Operand::LifeTime>(value));
}

}  // namespace NNAPI_AIDL_NAMES_IN
