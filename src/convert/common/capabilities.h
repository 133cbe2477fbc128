// Conversion of capabilities. HAL 1.0 and 1.1 have one number for each kind of arithmetic, later
// versions one for each operand type.
#pragma once

#include <absl/algorithm/container.h>

#include <map>
#include <optional>
#include <utility>

#include "convert/common/enums.h"
#include "convert/common/fields.h"
#include "nnapi/type_utils.h"

namespace nn NNAPI_BINDING::conversion {

template <class Hal>
concept TabledCapabilities = Represents<Hal, Capabilities> && kSince<Hal, HalVersion::V1_2>;
template <class Hal>
concept MergedCapabilities = Represents<Hal, Capabilities> && !TabledCapabilities<Hal>;

// The types that the two numbers of HAL 1.0 and 1.1 represent.
inline constexpr OperandType kFloat32Types[] = {OperandType::FLOAT32, OperandType::TENSOR_FLOAT32};
inline constexpr OperandType kQuantized8Types[] = {
        OperandType::INT32,        OperandType::UINT32,
        OperandType::TENSOR_INT32, OperandType::TENSOR_QUANT8_ASYMM,
        OperandType::OEM,          OperandType::TENSOR_OEM_BYTE,
};

inline bool hasType(HalVersion version, OperandType type) {
    if (isExtension(type)) return version >= HalVersion::V1_2;
    const OperandTypeInfo* info = operandTypeInfo(type);
    return info != nullptr && isCompliantVersion(info->since, toVersion(version));
}

template <MergedCapabilities Hal>
Status translate(const Hal& hal, Capabilities& capabilities, const Context& context) {
    Capabilities::PerformanceInfo float32;
    Capabilities::PerformanceInfo quantized8;
    NNAPI_RETURN_IF_ERROR(translate(hal.float32Performance, float32, context));
    NNAPI_RETURN_IF_ERROR(translate(hal.quantized8Performance, quantized8, context));
    Capabilities::PerformanceInfo relaxed = float32;
    if constexpr (kSince<Hal, HalVersion::V1_1>) {
        NNAPI_RETURN_IF_ERROR(translate(hal.relaxedFloat32toFloat16Performance, relaxed, context));
    }
    Capabilities::OperandPerformanceTable table;
    for (const OperandType type : kFloat32Types) table.update(type, float32);
    for (const OperandType type : kQuantized8Types) table.update(type, quantized8);
    capabilities = {
            .relaxedFloat32toFloat16PerformanceScalar = relaxed,
            .relaxedFloat32toFloat16PerformanceTensor = relaxed,
            .operandPerformance = std::move(table),
            .ifPerformance = {},     // unknown: no control flow before HAL 1.3
            .whilePerformance = {},  // unknown too
    };
    return {};
}

template <TabledCapabilities Hal>
Status translate(const Hal& hal, Capabilities& capabilities, const Context& context) {
    std::vector<Capabilities::OperandPerformance> entries(hal.operandPerformance.size());
    for (size_t i = 0; i < entries.size(); ++i) {
        const Context entry = context.at("operandPerformance", static_cast<int64_t>(i));
        NNAPI_RETURN_IF_ERROR(translate(hal.operandPerformance[i], entries[i], entry));
        // A type that the version lacks could not be converted back.
        if (!hasType(context.version, entries[i].type)) {
            return refuseEnumerator(entries[i].type, entry.at("type"));
        }
        if (i > 0 && entries[i - 1].type >= entries[i].type) {
            return entry.refuse(
                    "convert.performance_order",
                    fmt::format("{} comes after {}, allowed ascending types, each once",
                                toString(entries[i].type), toString(entries[i - 1].type)));
        }
    }
    capabilities.operandPerformance =
            *Capabilities::OperandPerformanceTable::create(std::move(entries));
    NNAPI_RETURN_IF_ERROR(translate(hal.relaxedFloat32toFloat16PerformanceScalar,
                                    capabilities.relaxedFloat32toFloat16PerformanceScalar,
                                    context));
    NNAPI_RETURN_IF_ERROR(translate(hal.relaxedFloat32toFloat16PerformanceTensor,
                                    capabilities.relaxedFloat32toFloat16PerformanceTensor,
                                    context));
    if constexpr (kSince<Hal, HalVersion::V1_3>) {  // unknown before
        NNAPI_RETURN_IF_ERROR(translate(hal.ifPerformance, capabilities.ifPerformance, context));
        NNAPI_RETURN_IF_ERROR(
                translate(hal.whilePerformance, capabilities.whilePerformance, context));
    }
    return {};
}

// Records the capabilities that converting back would lose.
inline void recordCapabilityLosses(const Capabilities& before, const Capabilities& after,
                                   const Context& context) {
    const std::string_view relaxed = context.version == HalVersion::V1_0
                                             ? "has no performance of relaxed computation"
                                             : "has one performance of relaxed computation";
    context.at("relaxedFloat32toFloat16PerformanceScalar")
            .recordLoss(before.relaxedFloat32toFloat16PerformanceScalar,
                        after.relaxedFloat32toFloat16PerformanceScalar, relaxed);
    context.at("relaxedFloat32toFloat16PerformanceTensor")
            .recordLoss(before.relaxedFloat32toFloat16PerformanceTensor,
                        after.relaxedFloat32toFloat16PerformanceTensor, relaxed);

    using Entry = std::optional<Capabilities::PerformanceInfo>;
    std::map<OperandType, std::pair<Entry, Entry>> byType;
    for (const auto& entry : before.operandPerformance.asVector()) {
        byType[entry.type].first = entry.info;
    }
    for (const auto& entry : after.operandPerformance.asVector()) {
        byType[entry.type].second = entry.info;
    }
    const std::string_view merged = context.version < HalVersion::V1_2
                                            ? "has one performance of float32 and one of quant8"
                                            : "has no such operand type";
    for (const auto& [type, entries] : byType) {
        context.at(fmt::format("operandPerformance[{}]", toString(type)))
                .recordLoss(entries.first, entries.second, merged);
    }
    context.at("ifPerformance").recordLoss(before.ifPerformance, after.ifPerformance, "has no IF");
    context.at("whilePerformance")
            .recordLoss(before.whilePerformance, after.whilePerformance, "has no WHILE");
}

template <Represents<Capabilities> Hal>
Status translate(const Capabilities& capabilities, Hal& hal, const Context& context) {
    const auto& table = capabilities.operandPerformance;
    if constexpr (MergedCapabilities<Hal>) {
        // drops all types but these two
        NNAPI_RETURN_IF_ERROR(translate(table.lookup(OperandType::TENSOR_FLOAT32),
                                        hal.float32Performance, context));
        NNAPI_RETURN_IF_ERROR(translate(table.lookup(OperandType::TENSOR_QUANT8_ASYMM),
                                        hal.quantized8Performance, context));
        if constexpr (kSince<Hal, HalVersion::V1_1>) {
            // drops the relaxed performance of scalars
            NNAPI_RETURN_IF_ERROR(translate(capabilities.relaxedFloat32toFloat16PerformanceTensor,
                                            hal.relaxedFloat32toFloat16Performance, context));
        }
    } else {
        // drops types that are not in this version
        const auto isKept = [&](const Capabilities::OperandPerformance& entry) {
            return hasType(context.version, entry.type);
        };
        const std::vector<Capabilities::OperandPerformance>& entries = table.asVector();
        hal.operandPerformance.resize(static_cast<size_t>(absl::c_count_if(entries, isKept)));
        size_t kept = 0;
        for (size_t i = 0; i < entries.size(); ++i) {
            if (!isKept(entries[i])) continue;
            NNAPI_RETURN_IF_ERROR(
                    translate(entries[i], hal.operandPerformance[kept++],
                              context.at("operandPerformance", static_cast<int64_t>(i))));
        }
        NNAPI_RETURN_IF_ERROR(translate(capabilities.relaxedFloat32toFloat16PerformanceScalar,
                                        hal.relaxedFloat32toFloat16PerformanceScalar, context));
        NNAPI_RETURN_IF_ERROR(translate(capabilities.relaxedFloat32toFloat16PerformanceTensor,
                                        hal.relaxedFloat32toFloat16PerformanceTensor, context));
    }
    if constexpr (kSince<Hal, HalVersion::V1_3>) {  // dropped in earlier versions
        NNAPI_RETURN_IF_ERROR(translate(capabilities.ifPerformance, hal.ifPerformance, context));
        NNAPI_RETURN_IF_ERROR(
                translate(capabilities.whilePerformance, hal.whilePerformance, context));
    }
    if (context.losses != nullptr) {
        Capabilities back;
        NNAPI_RETURN_IF_ERROR(translate(hal, back, context));
        recordCapabilityLosses(capabilities, back, context);
    }
    return {};
}

}  // namespace NNAPI_BINDING::conversion
