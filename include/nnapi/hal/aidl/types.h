// nnapi/hal/aidl/types.h -- the types of AIDL 1 to 4: one set, since no version changes a type.
//
//   namespace aidl_hal = aidl::android::hardware::neuralnetworks;
//   aidl_hal::Model model;
//   model.main.operands.push_back({.type = aidl_hal::OperandType::TENSOR_FLOAT32});
//   model.pools.push_back(aidl_hal::Memory::make<aidl_hal::Memory::Tag::ashmem>());
//
// Spelled as the NDK backend generates them, so that code for those compiles with these; the
// reverse holds for code that compiles with strict stand-ins (nnapi/hal/strict.h), unless it
// compares, prints or reflects on types. Types that hold file descriptors are move-only. The
// version determines the operations and, from 4 on, the hints and the types that hold them. Numbers
// are signed, and a time of -1 ns means none. Source: the .aidl files of
// android.hardware.neuralnetworks, versions 1 to 4.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "nnapi/hal/aidl/common.h"
#include "nnapi/hal/aidl/enums.h"

namespace aidl::android::hardware::neuralnetworks {

using ::nn::aidl_internal::operator<;

class IBuffer;
class IFencedExecutionCallback;
class IPreparedModel;

// ---------------------------------------------------------------------------------------------
// Models

struct DataLocation {
    int32_t poolIndex = 0;
    int64_t offset = 0;  // bytes, all three
    int64_t length = 0;
    int64_t padding = 0;
    NNAPI_AIDL_PARCELABLE(DataLocation)
};

struct SymmPerChannelQuantParams {
    std::vector<float> scales{};
    int32_t channelDim = 0;
    NNAPI_AIDL_PARCELABLE(SymmPerChannelQuantParams)
};

enum class OperandExtraParamsTag : int32_t { channelQuant, extension };

class OperandExtraParams
    : public ::nn::aidl_internal::TaggedUnion<OperandExtraParamsTag, SymmPerChannelQuantParams,
                                              std::vector<uint8_t>> {
   public:
    using Tag = OperandExtraParamsTag;
    NNAPI_AIDL_UNION(OperandExtraParams)
};

struct Operand {
    OperandType type = OperandType::FLOAT32;
    std::vector<int32_t> dimensions{};
    float scale = 0.0f;
    int32_t zeroPoint = 0;
    OperandLifeTime lifetime = OperandLifeTime::TEMPORARY_VARIABLE;
    DataLocation location{};
    std::optional<OperandExtraParams> extraParams{};
    NNAPI_AIDL_PARCELABLE(Operand)
};

struct Operation {
    OperationType type = OperationType::ADD;
    std::vector<int32_t> inputs{};
    std::vector<int32_t> outputs{};
    NNAPI_AIDL_PARCELABLE(Operation)
};

struct Subgraph {
    std::vector<Operand> operands{};
    std::vector<Operation> operations{};
    std::vector<int32_t> inputIndexes{};
    std::vector<int32_t> outputIndexes{};
    NNAPI_AIDL_PARCELABLE(Subgraph)
};

enum class MemoryTag : int32_t { ashmem, mappableFile, hardwareBuffer };

class Memory : public ::nn::aidl_internal::TaggedUnion<
                       MemoryTag, ::aidl::android::hardware::common::Ashmem,
                       ::aidl::android::hardware::common::MappableFile,
                       ::aidl::android::hardware::graphics::common::HardwareBuffer> {
   public:
    using Tag = MemoryTag;
    NNAPI_AIDL_UNION(Memory)
};

struct ExtensionNameAndPrefix {
    std::string name{};
    char16_t prefix = u'\0';  // 15 bits
    NNAPI_AIDL_PARCELABLE(ExtensionNameAndPrefix)
};

struct Model {
    Subgraph main{};
    std::vector<Subgraph> referenced{};
    std::vector<uint8_t> operandValues{};
    std::vector<Memory> pools{};
    bool relaxComputationFloat32toFloat16 = false;
    std::vector<ExtensionNameAndPrefix> extensionNameToPrefix{};
    NNAPI_AIDL_PARCELABLE(Model)
};

// ---------------------------------------------------------------------------------------------
// Requests and results of executions

struct RequestArgument {
    bool hasNoValue = false;
    DataLocation location{};
    std::vector<int32_t> dimensions{};
    NNAPI_AIDL_PARCELABLE(RequestArgument)
};

enum class RequestMemoryPoolTag : int32_t { pool, token };

class RequestMemoryPool
    : public ::nn::aidl_internal::TaggedUnion<RequestMemoryPoolTag, Memory, int32_t> {
   public:
    using Tag = RequestMemoryPoolTag;
    NNAPI_AIDL_UNION(RequestMemoryPool)
};

struct Request {
    std::vector<RequestArgument> inputs{};
    std::vector<RequestArgument> outputs{};
    std::vector<RequestMemoryPool> pools{};
    NNAPI_AIDL_PARCELABLE(Request)
};

struct OutputShape {
    std::vector<int32_t> dimensions{};
    bool isSufficient = false;
    NNAPI_AIDL_PARCELABLE(OutputShape)
};

// Nanoseconds; -1 where nothing was measured.
struct Timing {
    int64_t timeOnDeviceNs = 0;
    int64_t timeInDriverNs = 0;
    NNAPI_AIDL_PARCELABLE(Timing)
};

struct ExecutionResult {
    bool outputSufficientSize = false;
    std::vector<OutputShape> outputShapes{};
    Timing timing{};
    NNAPI_AIDL_PARCELABLE(ExecutionResult)
};

struct FencedExecutionResult {
    std::shared_ptr<IFencedExecutionCallback> callback{};
    ::ndk::ScopedFileDescriptor syncFence{};  // -1 if it is signaled
    NNAPI_AIDL_PARCELABLE(FencedExecutionResult)
};

// ---------------------------------------------------------------------------------------------
// Devices

struct PerformanceInfo {
    float execTime = 0.0f;
    float powerUsage = 0.0f;
    NNAPI_AIDL_PARCELABLE(PerformanceInfo)
};

struct OperandPerformance {
    OperandType type = OperandType::FLOAT32;
    PerformanceInfo info{};
    NNAPI_AIDL_PARCELABLE(OperandPerformance)
};

struct Capabilities {
    PerformanceInfo relaxedFloat32toFloat16PerformanceScalar{};
    PerformanceInfo relaxedFloat32toFloat16PerformanceTensor{};
    std::vector<OperandPerformance> operandPerformance{};
    PerformanceInfo ifPerformance{};
    PerformanceInfo whilePerformance{};
    NNAPI_AIDL_PARCELABLE(Capabilities)
};

struct ExtensionOperandTypeInformation {
    char16_t type = u'\0';
    bool isTensor = false;
    int32_t byteSize = 0;
    NNAPI_AIDL_PARCELABLE(ExtensionOperandTypeInformation)
};

struct Extension {
    std::string name{};
    std::vector<ExtensionOperandTypeInformation> operandTypes{};
    NNAPI_AIDL_PARCELABLE(Extension)
};

struct NumberOfCacheFiles {
    int32_t numModelCache = 0;
    int32_t numDataCache = 0;
    NNAPI_AIDL_PARCELABLE(NumberOfCacheFiles)
};

// Arrays of interfaces are not allowed, arrays of these are.
struct IPreparedModelParcel {
    std::shared_ptr<IPreparedModel> preparedModel{};
    NNAPI_AIDL_PARCELABLE(IPreparedModelParcel)
};

// ---------------------------------------------------------------------------------------------
// Memory domains

struct BufferDesc {
    std::vector<int32_t> dimensions{};
    NNAPI_AIDL_PARCELABLE(BufferDesc)
};

struct BufferRole {
    int32_t modelIndex = 0;
    int32_t ioIndex = 0;
    float probability = 0.0f;
    NNAPI_AIDL_PARCELABLE(BufferRole)
};

struct DeviceBuffer {
    std::shared_ptr<IBuffer> buffer{};
    int32_t token = 0;
    NNAPI_AIDL_PARCELABLE(DeviceBuffer)
};

// ---------------------------------------------------------------------------------------------
// Version 4

struct TokenValuePair {
    int32_t token = 0;
    std::vector<uint8_t> value{};
    NNAPI_AIDL_PARCELABLE(TokenValuePair)
};

struct ExecutionConfig {
    bool measureTiming = false;
    int64_t loopTimeoutDurationNs = 0;
    std::vector<TokenValuePair> executionHints{};
    std::vector<ExtensionNameAndPrefix> extensionNameToPrefix{};
    NNAPI_AIDL_PARCELABLE(ExecutionConfig)
};

struct PrepareModelConfig {
    enum : int32_t { BYTE_SIZE_OF_CACHE_TOKEN = 32 };

    ExecutionPreference preference{};
    Priority priority{};
    int64_t deadlineNs = 0;
    std::vector<::ndk::ScopedFileDescriptor> modelCache{};
    std::vector<::ndk::ScopedFileDescriptor> dataCache{};
    std::array<uint8_t, 32> cacheToken{};
    std::vector<TokenValuePair> compilationHints{};
    std::vector<ExtensionNameAndPrefix> extensionNameToPrefix{};
    NNAPI_AIDL_PARCELABLE(PrepareModelConfig)
};

#include "nnapi/hal/aidl/types_fields.def"

}  // namespace aidl::android::hardware::neuralnetworks

namespace nn {

namespace aidl_hal = ::aidl::android::hardware::neuralnetworks;

}  // namespace nn
