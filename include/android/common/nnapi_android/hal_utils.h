// nnapi_android/hal_utils.h -- Small helpers of Android 11's Utils.h that need the library.
#pragma once

#include <cstdint>
#include <span>

#include "nnapi/c/NeuralNetworks.h"
#include "nnapi/hal/v1_3.h"
#include "nnapi/types.h"

namespace nnapi_android {

// Bytes of a value; 0 where dimensions are unknown, for extension types, and beyond 2^32 - 1.
uint32_t sizeOfData(::nn::OperandType type, std::span<const uint32_t> dimensions);
bool sizeOverflows(::nn::OperandType type, std::span<const uint32_t> dimensions);

// The same for elements of a given size.
uint32_t sizeOfTensor(uint32_t elementSize, std::span<const uint32_t> dimensions);
bool tensorSizeOverflows(uint32_t elementSize, std::span<const uint32_t> dimensions);

// The entries of an operand performance table of HAL 1.2 or 1.3 for every type of that version.
template <class OperandPerformance>
::nn::hidl::hidl_vec<OperandPerformance> performanceOfAllTypes(::nn::V1_0::PerformanceInfo info);

// The entry of a type in a table that is sorted by types; null if there is none.
template <class OperandPerformance, class Type>
OperandPerformance* findPerformance(::nn::hidl::hidl_vec<OperandPerformance>& table, Type type) {
    for (OperandPerformance& entry : table) {
        if (entry.type == type) return &entry;
    }
    return nullptr;
}

// A fence's state after a wait of milliseconds, without a limit below 0: of SyncFence.
::nn::SyncFence::FenceState waitForFence(int fd, int timeoutMs);

// Logs a model, line by line, where VLOG(MODEL) is on.
template <class Model>
void logModel(const Model& model);

// ResultCodes: BAD_DATA with a reason in the log.
int checkOperandType(const ANeuralNetworksOperandType& type,
                     const ::nn::V1_2::Extension::OperandTypeInformation* extensionInfo,
                     const char* tag, bool allowPartial);
int checkOperandType(const ANeuralNetworksOperandType& type,
                     const ::nn::Extension::OperandTypeInformation* extensionInfo, const char* tag,
                     bool allowPartial);
int checkOperandList(uint32_t count, const uint32_t* list, uint32_t operandCount, const char* tag);
bool checkSymmPerChannel(const ::nn::V1_3::Operand& operand,
                         const ANeuralNetworksSymmPerChannelQuantParams& channelQuant,
                         const char* tag);

}  // namespace nnapi_android
