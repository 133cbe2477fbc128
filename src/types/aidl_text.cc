#include "nnapi/hal/aidl/interfaces.h"
#include "nnapi/print.h"

#define NNAPI_TEXT(Type) \
    std::string Type::toString() const { return nn::print(*this); }

namespace aidl::android::hardware {

namespace common {
NNAPI_TEXT(Ashmem)
NNAPI_TEXT(MappableFile)
NNAPI_TEXT(NativeHandle)
}  // namespace common

namespace graphics::common {
NNAPI_TEXT(HardwareBufferDescription)
NNAPI_TEXT(HardwareBuffer)
}  // namespace graphics::common

namespace neuralnetworks {

NNAPI_TEXT(DataLocation)
NNAPI_TEXT(SymmPerChannelQuantParams)
NNAPI_TEXT(OperandExtraParams)
NNAPI_TEXT(Operand)
NNAPI_TEXT(Operation)
NNAPI_TEXT(Subgraph)
NNAPI_TEXT(Memory)
NNAPI_TEXT(ExtensionNameAndPrefix)
NNAPI_TEXT(Model)
NNAPI_TEXT(RequestArgument)
NNAPI_TEXT(RequestMemoryPool)
NNAPI_TEXT(Request)
NNAPI_TEXT(OutputShape)
NNAPI_TEXT(Timing)
NNAPI_TEXT(ExecutionResult)
NNAPI_TEXT(PerformanceInfo)
NNAPI_TEXT(OperandPerformance)
NNAPI_TEXT(Capabilities)
NNAPI_TEXT(ExtensionOperandTypeInformation)
NNAPI_TEXT(Extension)
NNAPI_TEXT(NumberOfCacheFiles)
NNAPI_TEXT(BufferDesc)
NNAPI_TEXT(BufferRole)
NNAPI_TEXT(TokenValuePair)
NNAPI_TEXT(ExecutionConfig)
NNAPI_TEXT(PrepareModelConfig)

// These have fields that are objects, whose contents are not printed.
namespace {

std::string orNull(const void* object, const char* text) {
    return object == nullptr ? "null" : text;
}

}  // namespace

std::string FencedExecutionResult::toString() const {
    return "{callback = " + orNull(callback.get(), "callback") +
           ", syncFence = " + nn::print(syncFence) + "}";
}

std::string IPreparedModelParcel::toString() const {
    return "{preparedModel = " + orNull(preparedModel.get(), "prepared model") + "}";
}

std::string DeviceBuffer::toString() const {
    return "{buffer = " + orNull(buffer.get(), "buffer") + ", token = " + nn::print(token) + "}";
}

}  // namespace neuralnetworks
}  // namespace aidl::android::hardware
