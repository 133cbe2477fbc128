// HalInterfaces.h -- All HIDL interfaces of drivers, and the newest type of each name in
// android::nn::hal.
#pragma once

#include <android/hardware/neuralnetworks/1.0/IDevice.h>
#include <android/hardware/neuralnetworks/1.0/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.0/IPreparedModel.h>
#include <android/hardware/neuralnetworks/1.0/IPreparedModelCallback.h>
#include <android/hardware/neuralnetworks/1.0/types.h>
#include <android/hardware/neuralnetworks/1.1/IDevice.h>
#include <android/hardware/neuralnetworks/1.1/types.h>
#include <android/hardware/neuralnetworks/1.2/IBurstCallback.h>
#include <android/hardware/neuralnetworks/1.2/IBurstContext.h>
#include <android/hardware/neuralnetworks/1.2/IDevice.h>
#include <android/hardware/neuralnetworks/1.2/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.2/IPreparedModel.h>
#include <android/hardware/neuralnetworks/1.2/IPreparedModelCallback.h>
#include <android/hardware/neuralnetworks/1.2/types.h>
#include <android/hardware/neuralnetworks/1.3/IBuffer.h>
#include <android/hardware/neuralnetworks/1.3/IDevice.h>
#include <android/hardware/neuralnetworks/1.3/IExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.3/IFencedExecutionCallback.h>
#include <android/hardware/neuralnetworks/1.3/IPreparedModel.h>
#include <android/hardware/neuralnetworks/1.3/IPreparedModelCallback.h>
#include <android/hardware/neuralnetworks/1.3/types.h>
#include <android/hidl/memory/1.0/IMemory.h>
#include <hidl/HidlSupport.h>
#include <hidlmemory/mapping.h>

#include <functional>

namespace android::nn::hal {

using ::android::sp;
using ::android::hardware::hidl_array;
using ::android::hardware::hidl_death_recipient;
using ::android::hardware::hidl_enum_range;
using ::android::hardware::hidl_handle;
using ::android::hardware::hidl_memory;
using ::android::hardware::hidl_string;
using ::android::hardware::hidl_vec;
using ::android::hardware::Return;
using ::android::hardware::Void;
using ::android::hidl::memory::V1_0::IMemory;

namespace V1_0 = ::android::hardware::neuralnetworks::V1_0;
namespace V1_1 = ::android::hardware::neuralnetworks::V1_1;
namespace V1_2 = ::android::hardware::neuralnetworks::V1_2;
namespace V1_3 = ::android::hardware::neuralnetworks::V1_3;

using V1_0::DataLocation;
using V1_0::DeviceStatus;
using V1_0::FusedActivationFunc;
using V1_0::PerformanceInfo;
using V1_0::RequestArgument;
using V1_1::ExecutionPreference;
using V1_2::Constant;
using V1_2::DeviceType;
using V1_2::Extension;
using V1_2::FmqRequestDatum;
using V1_2::FmqResultDatum;
using V1_2::IBurstCallback;
using V1_2::IBurstContext;
using V1_2::MeasureTiming;
using V1_2::OutputShape;
using V1_2::SymmPerChannelQuantParams;
using V1_2::Timing;
using V1_3::BufferDesc;
using V1_3::BufferRole;
using V1_3::Capabilities;
using V1_3::ErrorStatus;
using V1_3::IBuffer;
using V1_3::IDevice;
using V1_3::IExecutionCallback;
using V1_3::IFencedExecutionCallback;
using V1_3::IPreparedModel;
using V1_3::IPreparedModelCallback;
using V1_3::LoopTimeoutDurationNs;
using V1_3::Model;
using V1_3::Operand;
using V1_3::OperandLifeTime;
using V1_3::OperandType;
using V1_3::OperandTypeRange;
using V1_3::Operation;
using V1_3::OperationType;
using V1_3::OperationTypeRange;
using V1_3::OptionalTimeoutDuration;
using V1_3::OptionalTimePoint;
using V1_3::Priority;
using V1_3::Request;
using V1_3::Subgraph;

using CacheToken = ::nn::V1_2::HidlToken;
using ExtensionNameAndPrefix = V1_2::Model::ExtensionNameAndPrefix;
using ExtensionTypeEncoding = V1_2::Model::ExtensionTypeEncoding;
using OperandExtraParams = V1_2::Operand::ExtraParams;

using DeviceFactory = std::function<sp<V1_0::IDevice>(bool blocking)>;
using ModelFactory = std::function<Model()>;

inline constexpr Priority kDefaultPriority = Priority::MEDIUM;

}  // namespace android::nn::hal
