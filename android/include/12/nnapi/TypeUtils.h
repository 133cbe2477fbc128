// nnapi/TypeUtils.h -- sizes, shapes and printing of canonical types, as Android 12 names them.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/OperandTypes.h"
#include "nnapi/OperationTypes.h"
#include "nnapi/Result.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "nnapi_android/ret_check.h"
#include "nnapi_android/vlog.h"

namespace android::nn {

using ::nn::getExtensionPrefix;
using ::nn::getTypeWithinExtension;
using ::nn::isExtension;
using ::nn::isNonExtensionScalar;

// Bytes of one element; 0 if undefined.
inline size_t getNonExtensionSize(OperandType type) { return ::nn::elementSize(type); }

// Bytes of a value: 0 if its shape is unknown, empty if they do not fit size_t.
std::optional<size_t> getNonExtensionSize(OperandType type, const Dimensions& dimensions);
std::optional<size_t> getNonExtensionSize(const Operand& operand);

// Whether the rank or a dimension of a tensor is unknown.
inline bool tensorHasUnspecifiedDimensions(OperandType type, const Dimensions& dimensions) {
    return ::nn::hasUnspecifiedDimensions(type, dimensions);
}
inline bool tensorHasUnspecifiedDimensions(const Operand& operand) {
    return ::nn::hasUnspecifiedDimensions(operand.type, operand.dimensions);
}

// Capabilities with `defaultInfo` for all types except TENSOR_FLOAT32 and FLOAT32, and
// `relaxedInfo` where these are relaxed to float16.
Capabilities makeCapabilities(const Capabilities::PerformanceInfo& defaultInfo,
                              const Capabilities::PerformanceInfo& float32Info,
                              const Capabilities::PerformanceInfo& relaxedInfo);

// An offset as the two integers that carry it in native handles.
size_t getOffsetFromInts(int lower, int higher);
std::pair<int32_t, int32_t> getIntsFromOffset(size_t offset);

// How often operations read each operand; fails for an index out of range.
Result<std::vector<uint32_t>> countNumberOfConsumers(size_t numberOfOperands,
                                                     const std::vector<Operation>& operations);

// Merges two partly known lists of dimensions; fails where they conflict.
Result<Dimensions> combineDimensions(const Dimensions& lhs, const Dimensions& rhs);

// Sizes of the operand values and of each pool.
std::pair<size_t, std::vector<size_t>> getMemorySizes(const Model& model);

// `size` up to the next multiple, a power of 2.
constexpr size_t roundUp(size_t size, size_t multiple) {
    return (size + (multiple - 1)) & ~(multiple - 1);
}

// Alignment of a value by its length: 1, 2 or 4 bytes.
constexpr size_t getAlignmentForLength(size_t length) {
    return length < 2 ? 1 : length < 4 ? 2 : 4;
}

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

std::ostream& operator<<(std::ostream& out, const SyncFence::FenceState& state);
std::ostream& operator<<(std::ostream& out, const TimePoint& timePoint);
std::ostream& operator<<(std::ostream& out, const OptionalTimePoint& timePoint);
std::ostream& operator<<(std::ostream& out, const Duration& duration);
std::ostream& operator<<(std::ostream& out, const OptionalDuration& duration);
std::ostream& operator<<(std::ostream& out, const MemoryPreference& preference);

}  // namespace android::nn
