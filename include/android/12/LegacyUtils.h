// LegacyUtils.h -- helpers of canonical drivers that Android 11 had in Utils.h: verbose messages,
// deadlines, sizes, fences, codes.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <android-base/logging.h>

#include "NeuralNetworks.h"
#include "nnapi/TypeUtils.h"
#include "nnapi/Types.h"
#include "nnapi_android/cpu_run.h"
#include "nnapi_android/hal_utils.h"
#include "nnapi_android/vlog.h"

#ifdef NN_DEBUGGABLE
#define SHOW_IF_DEBUG(msg) msg
#else
#define SHOW_IF_DEBUG(msg) ""
#endif

#define nnAssert(v) CHECK(v)

#define NN_RETURN_IF_ERROR(expr)                                                         \
    do {                                                                                 \
        if (const int nnErrorCode_ = (expr); nnErrorCode_ != ANEURALNETWORKS_NO_ERROR) { \
            return nnErrorCode_;                                                         \
        }                                                                                \
    } while (0)

namespace android::nn {

// ---- deadlines

// Saturates at the longest duration.
constexpr Duration makeTimeoutDuration(uint64_t nanoseconds) {
    constexpr auto kMost = static_cast<uint64_t>(Duration::max().count());
    return Duration(static_cast<int64_t>(nanoseconds < kMost ? nanoseconds : kMost));
}
// -1 is none.
constexpr OptionalDuration makeTimeoutDuration(int64_t nanoseconds) {
    if (nanoseconds < 0) return std::nullopt;
    return makeTimeoutDuration(static_cast<uint64_t>(nanoseconds));
}

// From now on; saturates at the last time point. A duration that is none has no deadline.
using ::nn::makeDeadline;
inline TimePoint makeDeadline(uint64_t duration) {
    return makeDeadline(makeTimeoutDuration(duration));
}
inline OptionalTimePoint makeDeadline(OptionalDuration duration) {
    if (!duration.has_value()) return std::nullopt;
    return makeDeadline(*duration);
}
inline OptionalTimePoint makeDeadline(std::optional<uint64_t> duration) {
    if (!duration.has_value()) return std::nullopt;
    return makeDeadline(*duration);
}
inline OptionalTimePoint makeDeadline(int64_t duration) {
    return makeDeadline(makeTimeoutDuration(duration));
}
using ::nn::hasDeadlinePassed;

// ---- types and sizes

inline bool isExtensionOperandType(OperandType type) { return isExtension(type); }
inline bool isExtensionOperationType(OperationType type) { return isExtension(type); }

// Bytes of a value: 0 if its shape is not known, for a type of an extension, and where they do not
// fit.
inline uint32_t nonExtensionOperandSizeOfData(OperandType type,
                                              const std::vector<uint32_t>& dimensions) {
    return ::nnapi_android::sizeOfData(type, dimensions);
}
inline uint32_t nonExtensionOperandSizeOfData(const Operand& operand) {
    return ::nnapi_android::sizeOfData(operand.type, operand.dimensions);
}
inline bool nonExtensionOperandSizeOfDataOverflowsUInt32(OperandType type,
                                                         const std::vector<uint32_t>& dimensions) {
    return ::nnapi_android::sizeOverflows(type, dimensions);
}
// Whether a type of no extension, as a number, is a scalar's.
inline bool nonExtensionOperandTypeIsScalar(int type) {
    return isNonExtensionScalar(static_cast<OperandType>(type));
}
// Of an operand of a tensor's type.
inline bool tensorHasUnspecifiedDimensions(OperandType type,
                                           const std::vector<uint32_t>& dimensions) {
    return ::nn::hasUnspecifiedDimensions(type, dimensions);
}
inline bool tensorHasUnspecifiedDimensions(const Operand& operand) {
    return ::nn::hasUnspecifiedDimensions(operand.type, operand.dimensions);
}

// Bytes to add so that `index` is aligned for a value of this length.
constexpr uint32_t alignBytesNeeded(uint32_t index, size_t length) {
    const auto alignment = static_cast<uint32_t>(getAlignmentForLength(length));
    return (alignment - index % alignment) % alignment;
}

// ---- text

using ::nn::toString;
inline std::string toString(uint32_t value) { return std::to_string(value); }
inline std::string toString(int32_t value) { return std::to_string(value); }
inline std::string toString(uint64_t value) { return std::to_string(value); }
inline std::string toString(int64_t value) { return std::to_string(value); }
template <class T>
std::string toString(const std::vector<T>& values) {
    std::string text = "[";
    for (size_t i = 0; i < values.size(); ++i) text += (i == 0 ? "" : ", ") + toString(values[i]);
    return text + "]";
}
template <class A, class B>
std::string toString(const std::pair<A, B>& pair) {
    return "(" + toString(pair.first) + ", " + toString(pair.second) + ")";
}

// Logs the graph of a model, in parts.
void logModelToInfo(const Model& model);

// ---- codes

// Between ResultCodes and the codes of drivers; some have no counterpart.
inline ErrorStatus convertResultCodeToErrorStatus(int resultCode) {
    return ::nnapi_android::errorStatusOf(resultCode);
}
inline int convertErrorStatusToResultCode(ErrorStatus status) {
    return ::nnapi_android::resultCodeOf(status);
}
// The results of an execution with its ResultCode. Shapes and timings that do not belong to the
// code are dropped.
std::tuple<int, std::vector<OutputShape>, Timing> getExecutionResult(
        ErrorStatus status, std::vector<OutputShape> outputShapes, Timing timing);

// ---- fences

enum class FenceState { ACTIVE, SIGNALED, ERROR, UNKNOWN };

// Waits for a fence, for so many milliseconds; below 0, for good.
inline FenceState syncWait(int fd, int timeout) {
    return static_cast<FenceState>(::nnapi_android::waitForFence(fd, timeout));
}

}  // namespace android::nn
