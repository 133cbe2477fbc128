// nnapi/hal/aidl/clone.h -- Copies AIDL objects that hold file descriptors.
//
//   nn::Result<nn::aidl_hal::Model> copy = nn::clone(model);
//
// All descriptors are duplicated. INVALID_ARGUMENT or a resource error if one is not open or the
// process has none left. Other types are copied as usual. Thread-safe.
#pragma once

#include "nnapi/hal/aidl/model.h"
#include "nnapi/hal/binding.h"
#include "nnapi/result.h"

namespace nn NNAPI_BINDING {

Result<::ndk::ScopedFileDescriptor> clone(const ::ndk::ScopedFileDescriptor& fd);
Result<aidl_hal::Memory> clone(const aidl_hal::Memory& memory);
Result<aidl_hal::Model> clone(const aidl_hal::Model& model);
Result<aidl_hal::RequestMemoryPool> clone(const aidl_hal::RequestMemoryPool& pool);
Result<aidl_hal::Request> clone(const aidl_hal::Request& request);
Result<aidl_hal::PrepareModelConfig> clone(const aidl_hal::PrepareModelConfig& config);

// Including its version.
Result<AidlModel> clone(const AidlModel& model);

}  // namespace NNAPI_BINDING
