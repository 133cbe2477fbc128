// nnapi/hal/enumerator_rows.h -- The enumerators of a canonical enumeration as data.
//
//   for (const auto& row : nn::hal::enumeratorRows<nn::ErrorStatus>()) add(row.name, row.code);
//
// The rows of nnapi/operand_types.def, nnapi/operations.def and nnapi/enumerations.def, in their
// order, and after them those that only the canonical enumeration has.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

#include "nnapi/types.h"
#include "nnapi/version.h"

namespace nn::hal {

// One enumerator.
struct EnumeratorRow {
    int64_t code;                     // its value
    std::string_view name;            // as in the source
    std::optional<HalVersion> since;  // the first version that has it; empty: canonical only

    // True if the version has it.
    constexpr bool isIn(HalVersion version) const { return since && *since <= version; }
};

// The codes of the types and the operation of OEMs, which AIDL lacks.
inline constexpr int64_t kFirstOemCode = 10000;

template <class E>
struct EnumeratorRows;

// clang-format off
#define NNAPI_ROWS_OF(E) \
    template <> struct EnumeratorRows<E> { static constexpr EnumeratorRow kRows[] = {
#define NNAPI_ROWS_END() }; }
#define NNAPI_ROW(name, code, since, ...) {code, #name, HalVersion::since},

NNAPI_ROWS_OF(OperandType)
#define NNAPI_OPERAND_TYPE NNAPI_ROW
#include "nnapi/operand_types.def"
NNAPI_ROWS_END();
NNAPI_ROWS_OF(OperationType)
#define NNAPI_OPERATION NNAPI_ROW
#include "nnapi/operations.def"
    NNAPI_ROW(OEM_OPERATION, kFirstOemCode, V1_0)
NNAPI_ROWS_END();
NNAPI_ROWS_OF(Operand::LifeTime)
#define NNAPI_OPERAND_LIFE_TIME NNAPI_ROW
#include "nnapi/enumerations.def"
    {static_cast<int64_t>(Operand::LifeTime::POINTER), "POINTER", {}},
NNAPI_ROWS_END();
NNAPI_ROWS_OF(DeviceStatus)
#define NNAPI_DEVICE_STATUS NNAPI_ROW
#include "nnapi/enumerations.def"
NNAPI_ROWS_END();
NNAPI_ROWS_OF(ErrorStatus)
#define NNAPI_ERROR_STATUS NNAPI_ROW
#include "nnapi/enumerations.def"
    {static_cast<int64_t>(ErrorStatus::DEAD_OBJECT), "DEAD_OBJECT", {}},
NNAPI_ROWS_END();
NNAPI_ROWS_OF(FusedActivationFunc)
#define NNAPI_FUSED_ACTIVATION_FUNC NNAPI_ROW
#include "nnapi/enumerations.def"
NNAPI_ROWS_END();
NNAPI_ROWS_OF(ExecutionPreference)
#define NNAPI_EXECUTION_PREFERENCE NNAPI_ROW
#include "nnapi/enumerations.def"
NNAPI_ROWS_END();
NNAPI_ROWS_OF(DeviceType)
#define NNAPI_DEVICE_TYPE NNAPI_ROW
#include "nnapi/enumerations.def"
    {static_cast<int64_t>(DeviceType::UNKNOWN), "UNKNOWN", {}},
NNAPI_ROWS_END();
NNAPI_ROWS_OF(MeasureTiming)
#define NNAPI_MEASURE_TIMING NNAPI_ROW
#include "nnapi/enumerations.def"
NNAPI_ROWS_END();
NNAPI_ROWS_OF(Priority)
#define NNAPI_PRIORITY NNAPI_ROW
#include "nnapi/enumerations.def"
NNAPI_ROWS_END();

#undef NNAPI_ROW
#undef NNAPI_ROWS_OF
#undef NNAPI_ROWS_END
// clang-format on

// All rows of an enumeration.
template <class E>
constexpr std::span<const EnumeratorRow> enumeratorRows() {
    return EnumeratorRows<E>::kRows;
}

// The row with this code; null if there is none. Most codes are the index of their row.
template <class E>
constexpr const EnumeratorRow* enumeratorRow(int64_t code) {
    const std::span<const EnumeratorRow> rows = enumeratorRows<E>();
    const auto index = static_cast<uint64_t>(code);
    if (index < rows.size() && rows[index].code == code) return &rows[index];
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [=](const EnumeratorRow& each) { return each.code == code; });
    return row == rows.end() ? nullptr : &*row;
}

}  // namespace nn::hal
