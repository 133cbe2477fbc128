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
#include <android-base/macros.h>

#include "NeuralNetworks.h"
#include "OperationResolver.h"
#include "nnapi/TypeUtils.h"
#include "nnapi/Types.h"
#include "nnapi_android/cpu_run.h"
#include "nnapi_android/hal_utils.h"

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

// Numbers of enumerators in NeuralNetworks.h, and of the OEM ones.
inline constexpr int kNumberOfDataTypes = 16;
inline constexpr int kNumberOfOperationTypes = BuiltinOperationResolver::kNumberOfOperationTypes;
inline constexpr int kNumberOfPreferences = 3;
inline constexpr int kNumberOfDataTypesOEM = 2;
inline constexpr int kNumberOfOperationTypesOEM = 1;
inline constexpr int kOEMCodeBase = 10000;

inline bool validCode(uint32_t codeCount, uint32_t codeCountOEM, uint32_t code) {
    return code < codeCount || (code >= kOEMCodeBase && code - kOEMCodeBase < codeCountOEM);
}

enum class HalVersion : int32_t {
    UNKNOWN,
    V1_0,
    V1_1,
    V1_2,
    V1_3,
    AIDL_V1,
    AIDL_V2,
    AIDL_V3,
    AIDL_UNSTABLE,
    LATEST = V1_3,
};
std::ostream& operator<<(std::ostream& out, const HalVersion& version);

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
inline uint32_t sizeOfTensorData(uint32_t sizeOfElement, const std::vector<uint32_t>& dimensions) {
    return ::nnapi_android::sizeOfTensor(sizeOfElement, dimensions);
}
inline bool sizeOfTensorDataOverflowsUInt32(uint32_t elementSize,
                                            const std::vector<uint32_t>& dimensions) {
    return ::nnapi_android::tensorSizeOverflows(elementSize, dimensions);
}
inline bool tensorHasUnspecifiedDimensions(int type, const uint32_t* dim, uint32_t dimCount) {
    return ::nn::hasUnspecifiedDimensions(static_cast<OperandType>(type), {dim, dimCount});
}
inline bool tensorHasUnspecifiedDimensions(const ANeuralNetworksOperandType* type) {
    return tensorHasUnspecifiedDimensions(type->type, type->dimensions, type->dimensionCount);
}
inline size_t getSizeFromInts(int lower, int higher) { return getOffsetFromInts(lower, higher); }

// Parts of models, for their builders: ResultCodes, with a reason in the log.
int validateOperandType(const ANeuralNetworksOperandType& type,
                        const Extension::OperandTypeInformation* extensionOperandTypeInfo,
                        const char* tag, bool allowPartial);
inline int validateOperandList(uint32_t count, const uint32_t* list, uint32_t operandCount,
                               const char* tag) {
    return ::nnapi_android::checkOperandList(count, list, operandCount, tag);
}

// Bytes to add so that `index` is aligned for a value of this length.
constexpr uint32_t alignBytesNeeded(uint32_t index, size_t length) {
    const auto alignment = static_cast<uint32_t>(getAlignmentForLength(length));
    return (alignment - index % alignment) % alignment;
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
// MEDIUM for an unknown code.
constexpr Priority convertToCanonicalPriority(int32_t priority) {
    switch (priority) {
        case ANEURALNETWORKS_PRIORITY_LOW:
            return Priority::LOW;
        case ANEURALNETWORKS_PRIORITY_HIGH:
            return Priority::HIGH;
        default:
            return Priority::MEDIUM;
    }
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

// ---- times

// Stores the nanoseconds of its life when it ends.
class [[nodiscard]] TimeNanoMeasurer {
    DISALLOW_COPY_AND_ASSIGN(TimeNanoMeasurer);

   public:
    explicit TimeNanoMeasurer(uint64_t* saveAt) : mSaveAt(saveAt) {}
    ~TimeNanoMeasurer() { *mSaveAt = currentDuration(mStart); }

    static uint64_t currentDuration(const TimePoint& start) {
        return static_cast<uint64_t>((Clock::now() - start).count());
    }

   private:
    const TimePoint mStart = Clock::now();
    uint64_t* const mSaveAt;
};

}  // namespace android::nn
