#include "nnapi_android/hal_utils.h"

#include <chrono>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "nnapi_android/cpu_run.h"
#include "nnapi_android/hal_validation.h"
#include "nnapi_android/vlog.h"

namespace nnapi_android {
namespace {

constexpr uint64_t kMostBytes = std::numeric_limits<uint32_t>::max();

// Empty where the size does not fit 64 bits.
std::optional<uint64_t> bytesOfTensor(uint32_t elementSize, std::span<const uint32_t> dimensions) {
    if (dimensions.empty()) return 0;
    uint64_t bytes = elementSize;
    for (const uint32_t size : dimensions) {
        if (__builtin_mul_overflow(bytes, uint64_t{size}, &bytes)) return std::nullopt;
    }
    return bytes;
}

uint32_t known(const std::optional<uint64_t>& bytes) {
    return bytes && *bytes <= kMostBytes ? static_cast<uint32_t>(*bytes) : 0;
}

// Named by the caller, which checks one of its objects.
int codeOf(const ::nn::Status& status, const char* tag) {
    if (status.ok()) return ANEURALNETWORKS_NO_ERROR;
    LOG(ERROR) << tag << ": " << std::string(status.message());
    return resultCodeOf(::nn::errorStatus(status));
}

::nn::Operand operandOf(const ANeuralNetworksOperandType& type) {
    return {.type = static_cast<::nn::OperandType>(type.type),
            .dimensions =
                    std::vector<uint32_t>(type.dimensions, type.dimensions + type.dimensionCount),
            .scale = type.scale,
            .zeroPoint = type.zeroPoint};
}

}  // namespace

uint32_t sizeOfData(::nn::OperandType type, std::span<const uint32_t> dimensions) {
    return known(::nn::operandSize(type, dimensions));
}
bool sizeOverflows(::nn::OperandType type, std::span<const uint32_t> dimensions) {
    return ::nn::operandSize(type, dimensions).value_or(UINT64_MAX) > kMostBytes;
}
uint32_t sizeOfTensor(uint32_t elementSize, std::span<const uint32_t> dimensions) {
    return known(bytesOfTensor(elementSize, dimensions));
}
bool tensorSizeOverflows(uint32_t elementSize, std::span<const uint32_t> dimensions) {
    return bytesOfTensor(elementSize, dimensions).value_or(UINT64_MAX) > kMostBytes;
}

template <class OperandPerformance>
::nn::hidl::hidl_vec<OperandPerformance> performanceOfAllTypes(::nn::V1_0::PerformanceInfo info) {
    constexpr bool isV1_2 =
            std::is_same_v<OperandPerformance, ::nn::V1_2::Capabilities::OperandPerformance>;
    const auto table = ::nn::nonExtensionOperandPerformance(
            isV1_2 ? ::nn::HalVersion::V1_2 : ::nn::HalVersion::V1_3, {});
    ::nn::hidl::hidl_vec<OperandPerformance> all;
    all.resize(table.asVector().size());
    for (size_t i = 0; i < all.size(); ++i) {
        all[i].type = static_cast<decltype(all[i].type)>(table.asVector()[i].type);
        all[i].info = info;
    }
    return all;
}
template ::nn::hidl::hidl_vec<::nn::V1_2::Capabilities::OperandPerformance> performanceOfAllTypes(
        ::nn::V1_0::PerformanceInfo);
template ::nn::hidl::hidl_vec<::nn::V1_3::Capabilities::OperandPerformance> performanceOfAllTypes(
        ::nn::V1_0::PerformanceInfo);

::nn::SyncFence::FenceState waitForFence(int fd, int timeoutMs) {
    ::nn::UniqueFd duplicate = ::nn::duplicate(fd);
    if (!duplicate.ok()) return ::nn::SyncFence::FenceState::UNKNOWN;
    ::nn::OptionalDuration timeout;
    if (timeoutMs >= 0) timeout = std::chrono::milliseconds(timeoutMs);
    return ::nn::SyncFence::create(std::move(duplicate)).syncWait(timeout);
}

template <class Model>
void logModel(const Model& model) {
    using ::android::nn::MODEL;
    if (!VLOG_IS_ON(MODEL)) return;
    visitFields(std::type_identity<Model>{}, [&](std::string_view name, auto member) {
        VLOG(MODEL) << "model." << std::string(name) << " = " << ::nn::print(model.*member);
    });
}
template void logModel(const ::nn::V1_0::Model&);
template void logModel(const ::nn::V1_1::Model&);
template void logModel(const ::nn::V1_2::Model&);
template void logModel(const ::nn::V1_3::Model&);

int checkOperandType(const ANeuralNetworksOperandType& type,
                     const ::nn::V1_2::Extension::OperandTypeInformation* extensionInfo,
                     const char* tag, bool allowPartial) {
    ::nn::Extension::OperandTypeInformation canonical;
    if (extensionInfo != nullptr) {
        canonical = {.type = extensionInfo->type,
                     .isTensor = extensionInfo->isTensor,
                     .byteSize = extensionInfo->byteSize};
    }
    return checkOperandType(type, extensionInfo == nullptr ? nullptr : &canonical, tag,
                            allowPartial);
}

int checkOperandType(const ANeuralNetworksOperandType& type,
                     const ::nn::Extension::OperandTypeInformation* extensionInfo, const char* tag,
                     bool allowPartial) {
    if (type.dimensionCount != 0 && type.dimensions == nullptr) {
        LOG(ERROR) << tag << ": dimensions are null";
        return ANEURALNETWORKS_UNEXPECTED_NULL;
    }
    return codeOf(::nn::validateOperandType(operandOf(type), extensionInfo, allowPartial).status(),
                  tag);
}

int checkOperandList(uint32_t count, const uint32_t* list, uint32_t operandCount, const char* tag) {
    if (count != 0 && list == nullptr) {
        LOG(ERROR) << tag << ": the list is null";
        return ANEURALNETWORKS_UNEXPECTED_NULL;
    }
    return codeOf(::nn::validateOperandList({list, count}, operandCount), tag);
}

bool checkSymmPerChannel(const ::nn::V1_3::Operand& operand,
                         const ANeuralNetworksSymmPerChannelQuantParams& channelQuant,
                         const char* tag) {
    if (channelQuant.scaleCount != 0 && channelQuant.scales == nullptr) {
        LOG(ERROR) << tag << ": scales are null";
        return false;
    }
    const ::nn::Operand canonical{
            .type = static_cast<::nn::OperandType>(operand.type),
            .dimensions =
                    std::vector<uint32_t>(operand.dimensions.begin(), operand.dimensions.end()),
            .extraParams = ::nn::Operand::SymmPerChannelQuantParams{
                    .scales = std::vector<float>(channelQuant.scales,
                                                 channelQuant.scales + channelQuant.scaleCount),
                    .channelDim = channelQuant.channelDim}};
    return codeOf(::nn::validateOperandSymmPerChannelQuantParams(canonical), tag) ==
           ANEURALNETWORKS_NO_ERROR;
}

}  // namespace nnapi_android
