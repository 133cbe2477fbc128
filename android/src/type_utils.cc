// Sizes, shapes and printing of canonical types by Android's names.

#include "nnapi/TypeUtils.h"

#include <limits>
#include <string>

namespace android::nn {

std::optional<size_t> getNonExtensionSize(OperandType type, const Dimensions& dimensions) {
    const std::optional<uint64_t> size = ::nn::operandSize(type, dimensions);
    if (!size || *size > std::numeric_limits<size_t>::max()) return std::nullopt;
    return static_cast<size_t>(*size);
}

std::optional<size_t> getNonExtensionSize(const Operand& operand) {
    return getNonExtensionSize(operand.type, operand.dimensions);
}

size_t getOffsetFromInts(int lower, int higher) {
    return static_cast<uint32_t>(lower) +
           (static_cast<uint64_t>(static_cast<uint32_t>(higher)) << 32);
}

std::pair<int32_t, int32_t> getIntsFromOffset(size_t offset) {
    return {static_cast<int32_t>(static_cast<uint32_t>(offset)),
            static_cast<int32_t>(static_cast<uint32_t>(uint64_t{offset} >> 32))};
}

Result<std::vector<uint32_t>> countNumberOfConsumers(size_t numberOfOperands,
                                                     const std::vector<Operation>& operations) {
    std::vector<uint32_t> consumers(numberOfOperands);
    for (const Operation& operation : operations) {
        for (const uint32_t input : operation.inputs) {
            if (input >= numberOfOperands) {
                return ::nn::makeError(ErrorStatus::INVALID_ARGUMENT,
                                       "an operation reads the operand " + std::to_string(input) +
                                               " of " + std::to_string(numberOfOperands));
            }
            ++consumers[input];
        }
    }
    return consumers;
}

Result<Dimensions> combineDimensions(const Dimensions& lhs, const Dimensions& rhs) {
    std::optional<Dimensions> combined = ::nn::combineDimensions(lhs, rhs);
    if (combined) return *std::move(combined);
    return ::nn::makeError(
            ErrorStatus::INVALID_ARGUMENT,
            "the dimensions " + ::nn::print(lhs) + " and " + ::nn::print(rhs) + " conflict");
}

Capabilities makeCapabilities(const Capabilities::PerformanceInfo& defaultInfo,
                              const Capabilities::PerformanceInfo& float32Info,
                              const Capabilities::PerformanceInfo& relaxedInfo) {
    auto table = ::nn::nonExtensionOperandPerformance(::nn::kHalVersions.back(), defaultInfo);
    table.update(OperandType::TENSOR_FLOAT32, float32Info);
    table.update(OperandType::FLOAT32, float32Info);
    return {.relaxedFloat32toFloat16PerformanceScalar = relaxedInfo,
            .relaxedFloat32toFloat16PerformanceTensor = relaxedInfo,
            .operandPerformance = std::move(table),
            .ifPerformance = defaultInfo,
            .whilePerformance = defaultInfo};
}

std::pair<size_t, std::vector<size_t>> getMemorySizes(const Model& model) {
    std::vector<size_t> sizes;
    sizes.reserve(model.pools.size());
    for (const SharedMemory& pool : model.pools) sizes.push_back(::nn::size(pool));
    return {model.operandValues.size(), std::move(sizes)};
}

std::ostream& operator<<(std::ostream& out, const SyncFence::FenceState& state) {
    switch (state) {
        case SyncFence::FenceState::ACTIVE:
            return out << "ACTIVE";
        case SyncFence::FenceState::SIGNALED:
            return out << "SIGNALED";
        case SyncFence::FenceState::ERROR:
            return out << "ERROR";
        case SyncFence::FenceState::UNKNOWN:
            return out << "UNKNOWN";
    }
    return out << "FenceState{" << static_cast<int>(state) << "}";
}

std::ostream& operator<<(std::ostream& out, const TimePoint& timePoint) {
    return out << ::nn::print(timePoint);
}
std::ostream& operator<<(std::ostream& out, const OptionalTimePoint& timePoint) {
    return out << ::nn::print(timePoint);
}
std::ostream& operator<<(std::ostream& out, const Duration& duration) {
    return out << ::nn::print(duration);
}
std::ostream& operator<<(std::ostream& out, const OptionalDuration& duration) {
    return out << ::nn::print(duration);
}
std::ostream& operator<<(std::ostream& out, const MemoryPreference& preference) {
    return out << "{alignment = " << preference.alignment << ", padding = " << preference.padding
               << "}";
}

}  // namespace android::nn
