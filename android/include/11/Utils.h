// Utils.h -- Helpers of drivers in Android 11 and older: conversions between HIDL versions, sizes,
// deadlines, fences, capabilities, logs.
#pragma once

#include <cfloat>  // drivers have FLT_MAX from here
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "HalInterfaces.h"
#include "NeuralNetworks.h"
#include "ValidateHal.h"
#include "nnapi/type_utils.h"
#include "nnapi_android/cpu_run.h"
#include "nnapi_android/hal_utils.h"
#include "nnapi_android/hal_versions.h"
#include "nnapi_android/ret_check.h"
#include "nnapi_android/vlog.h"

#define nnAssert(v) CHECK(v)

#define NN_RETURN_IF_ERROR(expr)                                         \
    do {                                                                 \
        const int nnErrorCode = (expr);                                  \
        if (nnErrorCode != ANEURALNETWORKS_NO_ERROR) return nnErrorCode; \
    } while (0)

#ifdef NN_DEBUGGABLE
#define SHOW_IF_DEBUG(msg) msg
#else
#define SHOW_IF_DEBUG(msg) ""
#endif

namespace android::nn {

// Numbers of enumerators in NeuralNetworks.h of Android 11, and of the OEM ones.
inline constexpr int kNumberOfDataTypes = 16;
inline constexpr int kNumberOfOperationTypes = 102;
inline constexpr int kNumberOfPreferences = 3;
inline constexpr int kNumberOfDataTypesOEM = 2;
inline constexpr int kNumberOfOperationTypesOEM = 1;
inline constexpr int kOEMCodeBase = 10000;

// ---------------------------------------------------------------------------------------------
// Deadlines: HAL 1.3 counts nanoseconds of the steady clock.

using Deadline = std::chrono::steady_clock::time_point;
using TimeoutDuration = std::chrono::nanoseconds;

// Saturates.
inline TimeoutDuration makeTimeoutDuration(uint64_t nanoseconds) {
    constexpr uint64_t kMost = TimeoutDuration::max().count();
    return TimeoutDuration(static_cast<int64_t>(nanoseconds < kMost ? nanoseconds : kMost));
}

// The time `duration` nanoseconds from now; saturates.
inline Deadline makeDeadline(uint64_t duration) {
    const Deadline now = std::chrono::steady_clock::now();
    const TimeoutDuration timeout = makeTimeoutDuration(duration);
    return timeout < Deadline::max() - now ? now + timeout : Deadline::max();
}
inline std::optional<Deadline> makeDeadline(std::optional<uint64_t> duration) {
    return duration ? std::optional(makeDeadline(*duration)) : std::nullopt;
}
inline std::optional<Deadline> makeDeadline(const hal::OptionalTimePoint& timePoint) {
    using Tag = hal::OptionalTimePoint::hidl_discriminator;
    if (timePoint.getDiscriminator() != Tag::nanosecondsSinceEpoch) return std::nullopt;
    return Deadline(makeTimeoutDuration(timePoint.nanosecondsSinceEpoch()));
}
inline bool hasDeadlinePassed(const std::optional<Deadline>& deadline) {
    return deadline && std::chrono::steady_clock::now() >= *deadline;
}
inline hal::OptionalTimePoint makeTimePoint(const std::optional<Deadline>& deadline) {
    hal::OptionalTimePoint timePoint;
    if (deadline) {
        const TimeoutDuration sinceEpoch = deadline->time_since_epoch();
        timePoint.nanosecondsSinceEpoch(
                sinceEpoch.count() < 0 ? 0 : static_cast<uint64_t>(sinceEpoch.count()));
    }
    return timePoint;
}

// ---------------------------------------------------------------------------------------------
// Fences

enum class FenceState { ACTIVE, SIGNALED, ERROR, UNKNOWN };

// Waits `timeout` milliseconds, or without a limit if it is negative.
inline FenceState syncWait(int fd, int timeout) {
    return static_cast<FenceState>(::nnapi_android::waitForFence(fd, timeout));
}

// ---------------------------------------------------------------------------------------------
// Capabilities

namespace utils_internal {

template <HalVersion version>
struct Performance {
    using Type = hal::V1_3::Capabilities::OperandPerformance;
};
template <>
struct Performance<HalVersion::V1_2> {
    using Type = hal::V1_2::Capabilities::OperandPerformance;
};

}  // namespace utils_internal

template <HalVersion version>
using VersionedOperandPerformance = typename utils_internal::Performance<version>::Type;

// One entry for each operand type of the version but those of extensions and SUBGRAPH, sorted.
// Without a version as in Android 10.
template <HalVersion version = HalVersion::V1_2>
hal::hidl_vec<VersionedOperandPerformance<version>> nonExtensionOperandPerformance(
        hal::PerformanceInfo perf) {
    return ::nnapi_android::performanceOfAllTypes<VersionedOperandPerformance<version>>(perf);
}

// Changes the entry of a type; nothing without one.
inline void update(hal::hidl_vec<hal::V1_2::Capabilities::OperandPerformance>* operandPerformance,
                   hal::V1_2::OperandType type, hal::PerformanceInfo perf) {
    auto* entry = ::nnapi_android::findPerformance(*operandPerformance, type);
    if (entry != nullptr) entry->info = perf;
}
inline void update(hal::hidl_vec<hal::V1_3::Capabilities::OperandPerformance>* operandPerformance,
                   hal::V1_3::OperandType type, hal::PerformanceInfo perf) {
    auto* entry = ::nnapi_android::findPerformance(*operandPerformance, type);
    if (entry != nullptr) entry->info = perf;
}

// The entry of a type; the largest numbers without one.
template <class OperandPerformance>
hal::PerformanceInfo lookup(const hal::hidl_vec<OperandPerformance>& operandPerformance,
                            decltype(OperandPerformance::type) type) {
    for (const OperandPerformance& entry : operandPerformance) {
        if (entry.type == type) return entry.info;
    }
    constexpr float kUnknown = ::nn::Capabilities::kUnknownPerformance;
    return {.execTime = kUnknown, .powerUsage = kUnknown};
}

// ---------------------------------------------------------------------------------------------
// Types and sizes

inline bool isExtensionOperandType(hal::OperandType type) {
    return ::nn::isExtension(static_cast<::nn::OperandType>(type));
}
inline bool isExtensionOperationType(hal::OperationType type) {
    return ::nn::isExtension(static_cast<::nn::OperationType>(type));
}

// Bytes of a value; 0 where dimensions are unknown, for extension types, and beyond 2^32 - 1.
inline uint32_t nonExtensionOperandSizeOfData(hal::OperandType type,
                                              const std::vector<uint32_t>& dimensions) {
    return ::nnapi_android::sizeOfData(static_cast<::nn::OperandType>(type), dimensions);
}
inline uint32_t nonExtensionOperandSizeOfData(const hal::Operand& operand) {
    return nonExtensionOperandSizeOfData(operand.type, operand.dimensions);
}
inline uint32_t nonExtensionOperandSizeOfData(const hal::V1_0::Operand& operand) {
    return nonExtensionOperandSizeOfData(static_cast<hal::OperandType>(operand.type),
                                         operand.dimensions);
}
inline uint32_t nonExtensionOperandSizeOfData(const hal::V1_2::Operand& operand) {
    return nonExtensionOperandSizeOfData(static_cast<hal::OperandType>(operand.type),
                                         operand.dimensions);
}
inline bool nonExtensionOperandSizeOfDataOverflowsUInt32(hal::OperandType type,
                                                         const std::vector<uint32_t>& dimensions) {
    return ::nnapi_android::sizeOverflows(static_cast<::nn::OperandType>(type), dimensions);
}
inline uint32_t sizeOfTensorData(uint32_t sizeOfElement, const std::vector<uint32_t>& dimensions) {
    return ::nnapi_android::sizeOfTensor(sizeOfElement, dimensions);
}
inline bool sizeOfTensorDataOverflowsUInt32(uint32_t elementSize,
                                            const std::vector<uint32_t>& dimensions) {
    return ::nnapi_android::tensorSizeOverflows(elementSize, dimensions);
}
inline bool nonExtensionOperandTypeIsScalar(int type) {
    return ::nn::isNonExtensionScalar(static_cast<::nn::OperandType>(type));
}

inline bool tensorHasUnspecifiedDimensions(int type, const uint32_t* dim, uint32_t dimCount) {
    return ::nn::hasUnspecifiedDimensions(static_cast<::nn::OperandType>(type), {dim, dimCount});
}
inline bool tensorHasUnspecifiedDimensions(hal::OperandType type,
                                           const std::vector<uint32_t>& dimensions) {
    return tensorHasUnspecifiedDimensions(static_cast<int>(type), dimensions.data(),
                                          static_cast<uint32_t>(dimensions.size()));
}
inline bool tensorHasUnspecifiedDimensions(const hal::Operand& operand) {
    return tensorHasUnspecifiedDimensions(operand.type, operand.dimensions);
}
inline bool tensorHasUnspecifiedDimensions(const ANeuralNetworksOperandType* type) {
    return tensorHasUnspecifiedDimensions(type->type, type->dimensions, type->dimensionCount);
}
// Android 12 has a function of this name and these arguments with another result: the linker must
// not take one for the other.
inline namespace android_11 {
inline std::optional<std::vector<uint32_t>> combineDimensions(const std::vector<uint32_t>& lhs,
                                                              const std::vector<uint32_t>& rhs) {
    return ::nn::combineDimensions(lhs, rhs);
}
}  // namespace android_11

// Bytes from `index` to where a value of `length` bytes is aligned: 2 and 3 to 2, more to 4.
inline uint32_t alignBytesNeeded(uint32_t index, size_t length) {
    const uint32_t alignment = length < 2 ? 1 : length < 4 ? 2 : 4;
    return (alignment - index % alignment) % alignment;
}

inline size_t getSizeFromInts(int lower, int higher) {
    return static_cast<uint32_t>(lower) +
           (static_cast<uint64_t>(static_cast<uint32_t>(higher)) << 32);
}
inline bool validCode(uint32_t codeCount, uint32_t codeCountOEM, uint32_t code) {
    return code < codeCount || (code >= kOEMCodeBase && code - kOEMCodeBase < codeCountOEM);
}

// ---------------------------------------------------------------------------------------------
// Codes

inline hal::ErrorStatus convertResultCodeToErrorStatus(int resultCode) {
    return static_cast<hal::ErrorStatus>(::nnapi_android::errorStatusOf(resultCode));
}
inline int convertErrorStatusToResultCode(hal::ErrorStatus status) {
    return ::nnapi_android::resultCodeOf(static_cast<::nn::ErrorStatus>(status));
}
// MEDIUM for an unknown code.
constexpr hal::Priority convertToHalPriority(int32_t priority) {
    switch (priority) {
        case ANEURALNETWORKS_PRIORITY_LOW:
            return hal::Priority::LOW;
        case ANEURALNETWORKS_PRIORITY_HIGH:
            return hal::Priority::HIGH;
        default:
            return hal::Priority::MEDIUM;
    }
}

// ---------------------------------------------------------------------------------------------
// Parts of models, for their builders

inline int validateOperandType(
        const ANeuralNetworksOperandType& type,
        const hal::Extension::OperandTypeInformation* const extensionOperandTypeInfo,
        const char* tag, bool allowPartial) {
    return ::nnapi_android::checkOperandType(type, extensionOperandTypeInfo, tag, allowPartial);
}
inline int validateOperandList(uint32_t count, const uint32_t* list, uint32_t operandCount,
                               const char* tag) {
    return ::nnapi_android::checkOperandList(count, list, operandCount, tag);
}
inline bool validateOperandSymmPerChannelQuantParams(
        const hal::Operand& halOperand,
        const ANeuralNetworksSymmPerChannelQuantParams& channelQuant, const char* tag) {
    return ::nnapi_android::checkSymmPerChannel(halOperand, channelQuant, tag);
}

// ---------------------------------------------------------------------------------------------
// Text

inline std::string getOperationName(hal::OperationType opCode) { return toString(opCode); }
inline std::string getOperandTypeName(hal::OperandType type) { return toString(type); }

// With VLOG(MODEL).
template <class Model>
void logModelToInfo(const Model& model) {
    ::nnapi_android::logModel(model);
}

inline std::string toString(uint32_t obj) { return std::to_string(obj); }
inline std::string toString(HalVersion halVersion) {
    if (halVersion == HalVersion::UNKNOWN) return "UNKNOWN HAL version";
    return "HAL version 1." + std::to_string(static_cast<int32_t>(halVersion) - 1);
}
template <class Type>
std::string toString(const std::vector<Type>& range) {
    std::string text = "[";
    for (size_t i = 0; i < range.size(); ++i) text += (i == 0 ? "" : ", ") + toString(range[i]);
    return text + "]";
}
template <class A, class B>
std::string toString(const std::pair<A, B>& pair) {
    return "(" + toString(pair.first) + ", " + toString(pair.second) + ")";
}

}  // namespace android::nn
