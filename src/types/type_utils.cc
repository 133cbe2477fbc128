#include "nnapi/type_utils.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <array>

#include "nnapi/checked_math.h"

namespace nn {
namespace {

constexpr bool SCALAR = false, TENSOR = true;

constexpr std::array kOperandTypes = {
#define NNAPI_OPERAND_TYPE(name, code, since, kind, elementSize, scale, zeroMin, zeroMax) \
    OperandTypeInfo{OperandType::name,                                                    \
                    #name,                                                                \
                    toVersion(HalVersion::since),                                         \
                    kind,                                                                 \
                    elementSize,                                                          \
                    ScaleRule::scale,                                                     \
                    zeroMin,                                                              \
                    zeroMax},
#include "nnapi/operand_types.def"
};

constexpr std::array kOperationTypes = {
#define NNAPI_OPERATION(name, code, since, stem) \
    OperationTypeInfo{OperationType::name, #name, toVersion(HalVersion::since), #stem},
#include "nnapi/operations.def"
        OperationTypeInfo{OperationType::OEM_OPERATION, "OEM_OPERATION", kVersionFeatureLevel1, ""},
};

// Codes are dense from 0, except for the OEM ones at the end, so that a code is the index of its
// row.
template <class Type, class Row, size_t N>
constexpr const Row* rowOf(const std::array<Row, N>& rows, Type type) {
    const auto code = static_cast<size_t>(static_cast<uint32_t>(type));
    if (code < N && rows[code].type == type) return &rows[code];
    const auto row =
            std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.type == type; });
    return row == rows.end() ? nullptr : &*row;
}

}  // namespace

std::span<const OperandTypeInfo> operandTypes() { return kOperandTypes; }
std::span<const OperationTypeInfo> operationTypes() { return kOperationTypes; }

const OperandTypeInfo* operandTypeInfo(OperandType type) {
    return isExtension(type) ? nullptr : rowOf(kOperandTypes, type);
}

const OperationTypeInfo* operationTypeInfo(OperationType type) {
    return isExtension(type) ? nullptr : rowOf(kOperationTypes, type);
}

std::optional<OperandType> parseOperandType(std::string_view name) {
    for (const OperandTypeInfo& info : kOperandTypes) {
        if (info.name == name) return info.type;
    }
    return std::nullopt;
}

std::optional<OperationType> parseOperationType(std::string_view name) {
    for (const OperationTypeInfo& info : kOperationTypes) {
        if (info.name == name) return info.type;
    }
    return std::nullopt;
}

bool isNonExtensionTensor(OperandType type) {
    const OperandTypeInfo* info = operandTypeInfo(type);
    return info != nullptr && info->isTensor;
}

bool isNonExtensionScalar(OperandType type) {
    const OperandTypeInfo* info = operandTypeInfo(type);
    return info != nullptr && !info->isTensor;
}

uint32_t elementSize(OperandType type) {
    const OperandTypeInfo* info = operandTypeInfo(type);
    return info == nullptr ? 0 : info->elementSize;
}

std::optional<uint64_t> operandSize(OperandType type, std::span<const uint32_t> dimensions) {
    const OperandTypeInfo* info = operandTypeInfo(type);
    if (info != nullptr && info->isTensor && dimensions.empty()) return 0;
    return checkedMul<uint64_t>(info == nullptr ? 0 : info->elementSize,
                                checkedProduct<uint64_t>(dimensions));
}

std::optional<uint64_t> operandSize(const Operand& operand) {
    return operandSize(operand.type, operand.dimensions);
}

bool hasUnspecifiedDimensions(OperandType type, std::span<const uint32_t> dimensions) {
    if (!isNonExtensionTensor(type)) return false;
    return dimensions.empty() || absl::c_count(dimensions, 0u) != 0;
}

std::optional<std::vector<uint32_t>> combineDimensions(std::span<const uint32_t> a,
                                                       std::span<const uint32_t> b) {
    if (a.empty()) return std::vector(b.begin(), b.end());
    if (b.empty()) return std::vector(a.begin(), a.end());
    if (a.size() != b.size()) return std::nullopt;
    std::vector<uint32_t> combined(a.begin(), a.end());
    for (size_t i = 0; i < combined.size(); ++i) {
        if (combined[i] == 0) combined[i] = b[i];
        if (b[i] != 0 && combined[i] != b[i]) return std::nullopt;
    }
    return combined;
}

std::vector<uint32_t> countNumberOfConsumers(const Model::Subgraph& subgraph) {
    std::vector<uint32_t> consumers(subgraph.operands.size(), 0);
    for (const Operation& operation : subgraph.operations) {
        for (const uint32_t input : operation.inputs) {
            if (input < consumers.size()) ++consumers[input];
        }
    }
    return consumers;
}

Capabilities::OperandPerformanceTable nonExtensionOperandPerformance(
        HalVersion version, Capabilities::PerformanceInfo info) {
    Capabilities::OperandPerformanceTable table;
    for (const OperandTypeInfo& row : kOperandTypes) {
        if (row.type == OperandType::SUBGRAPH) continue;
        // AIDL has no types of OEMs, and rejects a table with such types.
        if (version >= HalVersion::AIDL1 && row.type >= OperandType::OEM) continue;
        if (isCompliantVersion(row.since, toVersion(version))) table.update(row.type, info);
    }
    return table;
}

}  // namespace nn
