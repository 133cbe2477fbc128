// LegacyHalUtils.h -- helpers of HIDL drivers in trees of Android 12, which Android 11 had in
// Utils.h.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "HalInterfaces.h"
#include "LegacyUtils.h"
#include "ValidateHal.h"
#include "nnapi/convert.h"
#include "nnapi/type_utils.h"
#include "nnapi_android/cpu_run.h"
#include "nnapi_android/hal_utils.h"
#include "nnapi_android/hal_versions.h"

namespace android::nn {

// ---- deadlines: HAL 1.3 counts nanoseconds of the steady clock

using LegacyClock = std::chrono::steady_clock;
using LegacyDuration = std::chrono::nanoseconds;
using LegacyOptionalDuration = std::optional<LegacyDuration>;
using LegacyTimePoint = LegacyClock::time_point;
using LegacyOptionalTimePoint = std::optional<LegacyTimePoint>;

inline LegacyOptionalTimePoint makeDeadline(const V1_3::OptionalTimePoint& timePoint) {
    using Tag = V1_3::OptionalTimePoint::hidl_discriminator;
    if (timePoint.getDiscriminator() != Tag::nanosecondsSinceEpoch) return std::nullopt;
    return LegacyTimePoint(makeTimeoutDuration(timePoint.nanosecondsSinceEpoch()));
}
inline LegacyOptionalTimePoint makeDeadline(const V1_3::OptionalTimeoutDuration& duration) {
    using Tag = V1_3::OptionalTimeoutDuration::hidl_discriminator;
    if (duration.getDiscriminator() != Tag::nanoseconds) return std::nullopt;
    const LegacyTimePoint now = LegacyClock::now();
    const LegacyDuration left = makeTimeoutDuration(duration.nanoseconds());
    return left < LegacyTimePoint::max() - now ? now + left : LegacyTimePoint::max();
}
inline bool hasDeadlinePassed(const LegacyOptionalTimePoint& deadline) {
    return deadline && LegacyClock::now() >= *deadline;
}

// ---- performances

template <HalVersion version>
using VersionedOperandPerformance =
        std::conditional_t<version == HalVersion::V1_2, V1_2::Capabilities::OperandPerformance,
                           V1_3::Capabilities::OperandPerformance>;

// An entry for every operand type of the version that is not of an extension, but for SUBGRAPH,
// sorted by type.
template <HalVersion version>
requires(version == HalVersion::V1_2 || version == HalVersion::V1_3)::nn::hidl::hidl_vec<
        VersionedOperandPerformance<version>> nonExtensionOperandPerformance(V1_0::PerformanceInfo
                                                                                     info) {
    return ::nnapi_android::performanceOfAllTypes<VersionedOperandPerformance<version>>(info);
}

// Changes the entry of a type; nothing without one.
template <class OperandPerformance>
void update(::nn::hidl::hidl_vec<OperandPerformance>* operandPerformance,
            decltype(OperandPerformance::type) type, V1_0::PerformanceInfo info) {
    auto* entry = ::nnapi_android::findPerformance(*operandPerformance, type);
    if (entry != nullptr) entry->info = info;
}

// The entry of a type; the largest numbers without one.
template <class OperandPerformance>
V1_0::PerformanceInfo lookup(const ::nn::hidl::hidl_vec<OperandPerformance>& operandPerformance,
                             decltype(OperandPerformance::type) type) {
    for (const OperandPerformance& entry : operandPerformance) {
        if (entry.type == type) return entry.info;
    }
    constexpr float kUnknown = Capabilities::kUnknownPerformance;
    return {.execTime = kUnknown, .powerUsage = kUnknown};
}

// ---- types and sizes

inline bool isExtensionOperandType(V1_3::OperandType type) {
    return isExtension(static_cast<OperandType>(type));
}
inline bool isExtensionOperationType(V1_3::OperationType type) {
    return isExtension(static_cast<OperationType>(type));
}
inline uint32_t nonExtensionOperandSizeOfData(V1_3::OperandType type,
                                              const std::vector<uint32_t>& dimensions) {
    return nonExtensionOperandSizeOfData(static_cast<OperandType>(type), dimensions);
}
inline uint32_t nonExtensionOperandSizeOfData(const V1_3::Operand& operand) {
    return nonExtensionOperandSizeOfData(operand.type, operand.dimensions);
}
inline bool nonExtensionOperandSizeOfDataOverflowsUInt32(V1_3::OperandType type,
                                                         const std::vector<uint32_t>& dimensions) {
    return nonExtensionOperandSizeOfDataOverflowsUInt32(static_cast<OperandType>(type), dimensions);
}
inline bool tensorHasUnspecifiedDimensions(V1_3::OperandType type,
                                           const std::vector<uint32_t>& dimensions) {
    return tensorHasUnspecifiedDimensions(static_cast<OperandType>(type), dimensions);
}
inline bool tensorHasUnspecifiedDimensions(const V1_3::Operand& operand) {
    return tensorHasUnspecifiedDimensions(operand.type, operand.dimensions);
}
inline std::string getOperationName(V1_3::OperationType type) { return toString(type); }
inline std::string getOperandTypeName(V1_3::OperandType type) { return toString(type); }

inline bool validateOperandSymmPerChannelQuantParams(
        const V1_3::Operand& halOperand,
        const ANeuralNetworksSymmPerChannelQuantParams& channelQuant, const char* tag) {
    return ::nnapi_android::checkSymmPerChannel(halOperand, channelQuant, tag);
}

// With VLOG(MODEL).
inline void logModelToInfo(const V1_0::Model& model) { ::nnapi_android::logModel(model); }
inline void logModelToInfo(const V1_1::Model& model) { ::nnapi_android::logModel(model); }
inline void logModelToInfo(const V1_2::Model& model) { ::nnapi_android::logModel(model); }
inline void logModelToInfo(const V1_3::Model& model) { ::nnapi_android::logModel(model); }

// ---- codes

inline V1_3::ErrorStatus convertResultCodeToHalErrorStatus(int resultCode) {
    return static_cast<V1_3::ErrorStatus>(::nnapi_android::errorStatusOf(resultCode));
}
inline int convertErrorStatusToResultCode(V1_3::ErrorStatus status) {
    return ::nnapi_android::resultCodeOf(static_cast<ErrorStatus>(status));
}

inline V1_3::Priority convertToHalPriority(int32_t priority) {
    return static_cast<V1_3::Priority>(convertToCanonicalPriority(priority));
}
std::tuple<int, std::vector<OutputShape>, Timing> getExecutionResult(
        V1_3::ErrorStatus status, const ::nn::hidl::hidl_vec<V1_2::OutputShape>& outputShapes,
        const V1_2::Timing& timing);

// ---- between canonical objects and those of HAL 1.3

// Without validation; a default where no canonical value represents the object.
template <::nn::ConvertsFrom Hal>
::nn::CanonicalType<Hal> uncheckedConvert(const Hal& object) {
    auto canonical = ::nn::unvalidatedConvert(object);
    return canonical.ok() ? *std::move(canonical) : ::nn::CanonicalType<Hal>();
}
#define NNAPI_ANDROID_CONVERT_TO(V)                                                       \
    template <class Canonical>                                                            \
    requires(::nn::ConvertsTo<Canonical, ::nn::HalVersion::V> &&                          \
             !::nn::ConvertsFrom<Canonical>) auto convertTo##V(const Canonical& object) { \
        auto hal = ::nn::V::utils::unvalidatedConvert(object);                            \
        using Hal = ::nn::HalType<Canonical, ::nn::HalVersion::V>;                        \
        return hal.ok() ? *std::move(hal) : Hal();                                        \
    }
NNAPI_ANDROID_CONVERT_TO(V1_0)
NNAPI_ANDROID_CONVERT_TO(V1_1)
NNAPI_ANDROID_CONVERT_TO(V1_2)
NNAPI_ANDROID_CONVERT_TO(V1_3)
#undef NNAPI_ANDROID_CONVERT_TO

}  // namespace android::nn
