// Names that trees of Android of every age have: HIDL, AIDL, and what serves them.

#include <aidl/android/hardware/common/Ashmem.h>
#include <aidl/android/hardware/common/MappableFile.h>
#include <aidl/android/hardware/common/NativeHandle.h>
#include <aidl/android/hardware/graphics/common/BufferUsage.h>
#include <aidl/android/hardware/graphics/common/HardwareBuffer.h>
#include <aidl/android/hardware/graphics/common/HardwareBufferDescription.h>
#include <aidl/android/hardware/graphics/common/PixelFormat.h>
#include <aidl/android/hardware/neuralnetworks/BnBuffer.h>
#include <aidl/android/hardware/neuralnetworks/BnBurst.h>
#include <aidl/android/hardware/neuralnetworks/BnDevice.h>
#include <aidl/android/hardware/neuralnetworks/BnExecution.h>
#include <aidl/android/hardware/neuralnetworks/BnFencedExecutionCallback.h>
#include <aidl/android/hardware/neuralnetworks/BnPreparedModel.h>
#include <aidl/android/hardware/neuralnetworks/BnPreparedModelCallback.h>
#include <aidl/android/hardware/neuralnetworks/BufferDesc.h>
#include <aidl/android/hardware/neuralnetworks/BufferRole.h>
#include <aidl/android/hardware/neuralnetworks/Capabilities.h>
#include <aidl/android/hardware/neuralnetworks/DataLocation.h>
#include <aidl/android/hardware/neuralnetworks/DeviceBuffer.h>
#include <aidl/android/hardware/neuralnetworks/DeviceType.h>
#include <aidl/android/hardware/neuralnetworks/ErrorStatus.h>
#include <aidl/android/hardware/neuralnetworks/ExecutionConfig.h>
#include <aidl/android/hardware/neuralnetworks/ExecutionPreference.h>
#include <aidl/android/hardware/neuralnetworks/ExecutionResult.h>
#include <aidl/android/hardware/neuralnetworks/Extension.h>
#include <aidl/android/hardware/neuralnetworks/ExtensionNameAndPrefix.h>
#include <aidl/android/hardware/neuralnetworks/ExtensionOperandTypeInformation.h>
#include <aidl/android/hardware/neuralnetworks/FencedExecutionResult.h>
#include <aidl/android/hardware/neuralnetworks/FusedActivationFunc.h>
#include <aidl/android/hardware/neuralnetworks/IBuffer.h>
#include <aidl/android/hardware/neuralnetworks/IBurst.h>
#include <aidl/android/hardware/neuralnetworks/IDevice.h>
#include <aidl/android/hardware/neuralnetworks/IExecution.h>
#include <aidl/android/hardware/neuralnetworks/IFencedExecutionCallback.h>
#include <aidl/android/hardware/neuralnetworks/IPreparedModel.h>
#include <aidl/android/hardware/neuralnetworks/IPreparedModelCallback.h>
#include <aidl/android/hardware/neuralnetworks/IPreparedModelParcel.h>
#include <aidl/android/hardware/neuralnetworks/Memory.h>
#include <aidl/android/hardware/neuralnetworks/Model.h>
#include <aidl/android/hardware/neuralnetworks/NumberOfCacheFiles.h>
#include <aidl/android/hardware/neuralnetworks/Operand.h>
#include <aidl/android/hardware/neuralnetworks/OperandExtraParams.h>
#include <aidl/android/hardware/neuralnetworks/OperandLifeTime.h>
#include <aidl/android/hardware/neuralnetworks/OperandPerformance.h>
#include <aidl/android/hardware/neuralnetworks/OperandType.h>
#include <aidl/android/hardware/neuralnetworks/Operation.h>
#include <aidl/android/hardware/neuralnetworks/OperationType.h>
#include <aidl/android/hardware/neuralnetworks/OutputShape.h>
#include <aidl/android/hardware/neuralnetworks/PerformanceInfo.h>
#include <aidl/android/hardware/neuralnetworks/PrepareModelConfig.h>
#include <aidl/android/hardware/neuralnetworks/Priority.h>
#include <aidl/android/hardware/neuralnetworks/Request.h>
#include <aidl/android/hardware/neuralnetworks/RequestArgument.h>
#include <aidl/android/hardware/neuralnetworks/RequestMemoryPool.h>
#include <aidl/android/hardware/neuralnetworks/Subgraph.h>
#include <aidl/android/hardware/neuralnetworks/SymmPerChannelQuantParams.h>
#include <aidl/android/hardware/neuralnetworks/Timing.h>
#include <aidl/android/hardware/neuralnetworks/TokenValuePair.h>
#include <android-base/logging.h>
#include <android/binder_auto_utils.h>
#include <android/binder_enums.h>
#include <android/binder_interface_utils.h>
#include <android/binder_status.h>
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
#include <android/hidl/base/1.0/IBase.h>
#include <fmq/EventFlag.h>
#include <fmq/MessageQueue.h>
#include <hidl/HidlInternal.h>
#include <hidl/HidlSupport.h>
#include <hidl/HidlTransportSupport.h>
#include <hidl/LegacySupport.h>
#include <hidl/MQDescriptor.h>
#include <hidl/MQFlavor.h>
#include <hidl/Status.h>

#include <memory>
#include <string>
#include <vector>

#include "android/tests/names.h"

namespace {

// ---- HIDL

NAME("hidl/HidlSupport.h",
     "hidl_vec, hidl_string, hidl_array, hidl_handle, hidl_memory, hidl_enum_range, "
     "hidl_death_recipient, toString, details::arrayToString",
     "copies of a handle share its descriptors; `hidl_string` is `std::string`; `hidl_vec` grows "
     "like a `std::vector`; reading a member that a union does not hold returns a default value "
     "(unless strict)",
     {
         using namespace android::hardware;
         hidl_vec<uint32_t> dimensions = {1, 2};
         dimensions.resize(3);
         const hidl_string name = "ashmem";
         hidl_handle handle;
         handle.setTo(native_handle_create(0, 1), true);
         const hidl_memory memory(name, hidl_handle(handle), 4096);
         const uint8_t bytes[2] = {1, 2};
         const hidl_array<uint8_t, 2> array(bytes);
         for (const auto type : hidl_enum_range<neuralnetworks::V1_3::OperandType>()) {
             LOG(INFO) << toString(type) << toString(dimensions) << (handle == nullptr);
         }
         if (memory.size() + array.size() == name.size()) return;
         LOG(INFO) << toString(memory)
                   << android::hardware::details::arrayToString(dimensions, dimensions.size());
     })
NAME("hidl/Status.h", "Return, Status, Void",
     "an unchecked failure does not end the program, and its value is a default value "
     "(unless strict)",
     {
         using namespace android::hardware;
         const auto call = [](bool succeeds) -> Return<void> {
             if (!succeeds) return Status::fromExceptionCode(Status::EX_ILLEGAL_ARGUMENT);
             return Void();
         };
         const Return<void> result = call(true);
         if (!result.isOk() || result.isDeadObject()) LOG(ERROR) << result.description();
         LOG(ERROR) << Status::ok();
     })
NAME("fmq/MessageQueue.h, fmq/EventFlag.h, hidl/MQDescriptor.h",
     "MessageQueue, kSynchronizedReadWrite, MQDescriptorSync, MQDescriptor, EventFlag",
     "only synchronized queues; no beginRead, beginWrite", {
         using namespace android::hardware;
         MessageQueue<uint32_t, kSynchronizedReadWrite> queue(16, true);
         const MQDescriptorSync<uint32_t>* descriptor = queue.getDesc();
         const uint32_t value = 1;
         if (descriptor == nullptr || !queue.writeBlocking(&value, 1)) return;
         EventFlag* flag = nullptr;
         EventFlag::createEventFlag(queue.getEventFlagWord(), &flag);
         EventFlag::deleteEventFlag(&flag);
     })
NAME("android/hidl/base/1.0/IBase.h", "IBase, DebugInfo", "an object of this process never dies", {
    using android::hidl::base::V1_0::IBase;
    struct Recipient : public android::hardware::hidl_death_recipient {
        void serviceDied(uint64_t, const android::wp<IBase>&) override {}
    };
    android::sp<IBase> object;
    android::sp<Recipient> recipient = new Recipient();
    if (object != nullptr && object->linkToDeath(recipient, 0).isOk()) object->ping().isOk();
    android::hidl::base::V1_0::DebugInfo info;
    if (info.pid == 0) return;
})
TESTED("hidlmemory/mapping.h, android/hidl/memory/1.0/IMemory.h", "mapMemory, IMemory", "");
TESTED("android/hidl/allocator/1.0/IAllocator.h", "IAllocator::getService, allocate, batchAllocate",
       "the one service is `ashmem`, in this process");
NAME("hidl/HidlTransportSupport.h, hidl/ServiceManagement.h, hidl/LegacySupport.h",
     "configureRpcThreadpool, joinRpcThreadpool, registerAsService, getService, "
     "defaultPassthroughServiceImplementation, getAllHalInstanceNames",
     "services of this user, by Unix sockets; LegacySupport.h loads no library", {
         using android::hardware::neuralnetworks::V1_3::IDevice;
         const android::sp<IDevice> device = IDevice::getService("npu");
         android::hardware::configureRpcThreadpool(4, true);
         if (device->registerAsService("npu") != android::OK) return;
         android::hardware::defaultPassthroughServiceImplementation<IDevice>("npu");
         LOG(INFO) << android::hardware::getAllHalInstanceNames(IDevice::descriptor).size();
         android::hardware::joinRpcThreadpool();
     })
TESTED("hwbinder/IPCThreadState.h", "IPCThreadState", "the caller is the user of this process");
TESTED("android/binder_manager.h",
       "AServiceManager_addService, AServiceManager_checkService, AServiceManager_getService, "
       "AServiceManager_waitForService, AServiceManager_isDeclared, "
       "AServiceManager_forEachDeclaredInstance",
       "services of this user, by Unix sockets");
TESTED("android/binder_process.h",
       "ABinderProcess_setThreadPoolMaxThreadCount, ABinderProcess_startThreadPool, "
       "ABinderProcess_joinThreadPool",
       "");
TESTED("android/binder_ibinder.h",
       "AIBinder, AIBinder_getCallingUid, AIBinder_getCallingPid, AIBinder_linkToDeath, "
       "AIBinder_ping, AIBinder_isAlive",
       "no transactions: an AIBinder can be derived from; the caller is the user of this process");
TESTED("hidlmemory/HidlMemory.h", "HidlMemory::getInstance", "");

}  // namespace

// Drivers open these namespaces.
namespace android::hardware::neuralnetworks::V1_0::implementation {

NAME("android/hardware/neuralnetworks/1.0/"
     "{types,IDevice,IPreparedModel,IPreparedModelCallback,IExecutionCallback}.h",
     "all types and interfaces of HAL 1.0", "", {
         struct PreparedModel : public IPreparedModel {
             Return<ErrorStatus> execute(const Request& request,
                                         const sp<IExecutionCallback>& callback) override {
                 if (request.inputs.size() > 8) return ErrorStatus::INVALID_ARGUMENT;
                 callback->notify(ErrorStatus::NONE).isOk();
                 return ErrorStatus::NONE;
             }
         };
         struct Device : public IDevice {
             Return<void> getCapabilities(getCapabilities_cb cb) override {
                 const PerformanceInfo info = {.execTime = 0.5f, .powerUsage = 0.5f};
                 cb(ErrorStatus::NONE, {.float32Performance = info, .quantized8Performance = info});
                 return Void();
             }
             Return<void> getSupportedOperations(const Model& model,
                                                 getSupportedOperations_cb cb) override {
                 hidl_vec<bool> supported(model.operations.size());
                 for (size_t i = 0; i < supported.size(); ++i) {
                     supported[i] = model.operations[i].type == OperationType::ADD;
                 }
                 cb(ErrorStatus::NONE, supported);
                 return Void();
             }
             Return<ErrorStatus> prepareModel(const Model&,
                                              const sp<IPreparedModelCallback>& callback) override {
                 callback->notify(ErrorStatus::NONE, new PreparedModel()).isOk();
                 return ErrorStatus::NONE;
             }
             Return<DeviceStatus> getStatus() override { return DeviceStatus::AVAILABLE; }
         };
         const sp<IDevice> device = new Device();
         const Operand operand = {.type = OperandType::TENSOR_FLOAT32,
                                  .lifetime = OperandLifeTime::MODEL_INPUT,
                                  .location = DataLocation()};
         LOG(INFO) << toString(operand.type) << toString(FusedActivationFunc::RELU)
                   << (device == nullptr);
         const RequestArgument argument = {.hasNoValue = true};
         const Operation operation = {.type = OperationType::ADD, .inputs = {0, 1, 2}};
         if (argument.hasNoValue) LOG(INFO) << operation.inputs.size();
     })

}  // namespace android::hardware::neuralnetworks::V1_0::implementation

namespace android::hardware::neuralnetworks::V1_1::implementation {

NAME("android/hardware/neuralnetworks/1.1/{types,IDevice}.h", "the additions of HAL 1.1", "", {
    const sp<V1_1::IDevice> device = IDevice::castFrom(sp<V1_0::IDevice>()).withDefault(nullptr);
    const Model model = {.operands = hidl_vec<V1_0::Operand>(1),
                         .relaxComputationFloat32toFloat16 = true};
    const Operation operation = {.type = OperationType::SQUEEZE};
    const Capabilities capabilities;
    if (device != nullptr && operation.inputs == model.inputIndexes) {
        LOG(INFO) << toString(ExecutionPreference::LOW_POWER)
                  << capabilities.float32Performance.execTime;
    }
})

}  // namespace android::hardware::neuralnetworks::V1_1::implementation

namespace android::hardware::neuralnetworks::V1_2::implementation {

NAME("android/hardware/neuralnetworks/1.2/"
     "{types,IDevice,IPreparedModel,IPreparedModelCallback,IExecutionCallback,IBurstContext,"
     "IBurstCallback}.h",
     "the additions of HAL 1.2", "", {
         Operand operand = {.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL};
         SymmPerChannelQuantParams params;
         params.scales = {0.5f};
         operand.extraParams.channelQuant(params);
         if (operand.extraParams.getDiscriminator() ==
             Operand::ExtraParams::hidl_discriminator::channelQuant) {
             params = operand.extraParams.channelQuant();
         }
         hidl_array<uint8_t, static_cast<uint32_t>(Constant::BYTE_SIZE_OF_CACHE_TOKEN)> token;
         FmqRequestDatum datum;
         datum.packetInformation({.packetSize = 1});
         FmqResultDatum result;
         result.executionTiming(Timing{.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX});
         const Extension extension = {
                 .name = "com.example",
                 .operandTypes = {{.type = 1, .isTensor = true, .byteSize = 4}}};
         const Model::ExtensionNameAndPrefix prefix = {.name = extension.name, .prefix = 1};
         const Capabilities::OperandPerformance performance = {.type = OperandType::FLOAT16};
         const auto highest = static_cast<uint32_t>(OperandTypeRange::FUNDAMENTAL_MAX) +
                              static_cast<uint32_t>(OperationTypeRange::BASE_MAX);
         if (token[0] == prefix.prefix + highest) {
             LOG(INFO) << toString(DeviceType::ACCELERATOR) << toString(MeasureTiming::YES)
                       << toString(performance.type);
         }
         const OutputShape shape = {.dimensions = {1}, .isSufficient = true};
         const sp<IPreparedModel> model;
         const sp<IBurstContext> context;
         const sp<IBurstCallback> burst;
         const sp<IExecutionCallback> callback;
         if (callback != nullptr && model != nullptr && burst != nullptr && context != nullptr) {
             callback->notify_1_2(V1_0::ErrorStatus::NONE, {shape}, Timing()).isOk();
         }
     })

}  // namespace android::hardware::neuralnetworks::V1_2::implementation

namespace android::hardware::neuralnetworks::V1_3::implementation {

NAME("android/hardware/neuralnetworks/1.3/"
     "{types,IDevice,IPreparedModel,IPreparedModelCallback,IExecutionCallback,IBuffer,"
     "IFencedExecutionCallback}.h",
     "the additions of HAL 1.3", "", {
         struct Buffer : public IBuffer {
             Return<ErrorStatus> copyTo(const hidl_memory& dst) override {
                 return dst.valid() ? ErrorStatus::NONE : ErrorStatus::INVALID_ARGUMENT;
             }
             Return<ErrorStatus> copyFrom(const hidl_memory&, const hidl_vec<uint32_t>&) override {
                 return ErrorStatus::GENERAL_FAILURE;
             }
         };
         const sp<IBuffer> buffer = new Buffer();
         OptionalTimePoint deadline;
         deadline.nanosecondsSinceEpoch(1);
         OptionalTimeoutDuration duration;
         if (duration.getDiscriminator() != OptionalTimeoutDuration::hidl_discriminator::none) {
             return;
         }
         Request::MemoryPool pool;
         pool.token(1);
         LOG(INFO) << toString(pool) << toString(deadline);
         const BufferRole role = {.modelIndex = 0, .ioIndex = 0, .frequency = 1.0f};
         Model model;
         model.main = Subgraph();
         model.main.operands.resize(1);
         model.main.operands[0].lifetime = OperandLifeTime::SUBGRAPH_INPUT;
         LOG(INFO) << toString(Priority::MEDIUM)
                   << toString(ErrorStatus::MISSED_DEADLINE_PERSISTENT) << role.frequency
                   << static_cast<uint64_t>(LoopTimeoutDurationNs::DEFAULT);
         const sp<IFencedExecutionCallback> fenced;
         const sp<IPreparedModelCallback> callback;
         if (callback != nullptr && fenced != nullptr) {
             callback->notify_1_3(ErrorStatus::NONE, sp<IPreparedModel>()).isOk();
         }
     })

}  // namespace android::hardware::neuralnetworks::V1_3::implementation

// ---- AIDL

namespace aidl::android::hardware::neuralnetworks {

NAME("aidl/android/hardware/neuralnetworks/*.h",
     "all types and interfaces of AIDL 1 to 4, BnDevice and its like, fromBinder, toString",
     "no BpDevice, no IDeviceDefault; methods of version 4 are not pure (unless strict)", {
         struct Buffer : public BnBuffer {
             ::ndk::ScopedAStatus copyFrom(const Memory&, const std::vector<int32_t>&) override {
                 return ::ndk::ScopedAStatus::ok();
             }
             ::ndk::ScopedAStatus copyTo(const Memory& memory) override {
                 if (memory.getTag() == Memory::Tag::ashmem &&
                     memory.get<Memory::Tag::ashmem>().size == 0) {
                     return ::ndk::ScopedAStatus::fromServiceSpecificErrorWithMessage(
                             static_cast<int32_t>(ErrorStatus::INVALID_ARGUMENT), "no memory");
                 }
                 return ::ndk::ScopedAStatus::ok();
             }
         };
         const std::shared_ptr<IBuffer> buffer = ::ndk::SharedRefBase::make<Buffer>();
         const DeviceBuffer allocated = {.buffer = buffer, .token = 1};
         const Model model = {
                 .main = {.operands = {{.type = OperandType::TENSOR_FLOAT32,
                                        .dimensions = {1},
                                        .lifetime = OperandLifeTime::SUBGRAPH_INPUT}}}};
         for (const auto type : ::ndk::enum_range<OperationType>()) LOG(INFO) << toString(type);
         const RequestMemoryPool pool(Memory(::aidl::android::hardware::common::Ashmem{}));
         LOG(INFO) << pool.toString() << model.main.toString();
         LOG(INFO) << toString(model.main.operands[0].type) << allocated.token
                   << toString(Priority::HIGH) << IDevice::BYTE_SIZE_OF_CACHE_TOKEN;
     })
NAME("aidl/android/hardware/common/{Ashmem,MappableFile,NativeHandle}.h, "
     "aidl/android/hardware/graphics/common/"
     "{HardwareBuffer,HardwareBufferDescription,PixelFormat,BufferUsage}.h",
     "these types", "", {
         const ::aidl::android::hardware::common::Ashmem ashmem = {.fd = {}, .size = 1};
         const ::aidl::android::hardware::common::MappableFile file;
         ::aidl::android::hardware::graphics::common::HardwareBuffer buffer;
         buffer.description.format = ::aidl::android::hardware::graphics::common::PixelFormat::BLOB;
         if (ashmem.size + file.length == buffer.description.width) return;
     })
NAME("android/binder_auto_utils.h, binder_interface_utils.h, binder_status.h",
     "ScopedAStatus, ScopedFileDescriptor, SpAIBinder, ScopedAIBinder_DeathRecipient, "
     "SharedRefBase, ICInterface, BnCInterface, BpCInterface, STATUS_…, EX_…",
     "two descriptors are equal if both are open on one file", {
         ::ndk::ScopedFileDescriptor fd(dup(0));
         const ::ndk::ScopedFileDescriptor copy = fd.dup();
         const auto status = ::ndk::ScopedAStatus::fromExceptionCode(EX_ILLEGAL_ARGUMENT);
         if (!status.isOk() && status.getStatus() == STATUS_OK && copy.get() >= 0) {
             LOG(ERROR) << status << status.getDescription() << status.getMessage();
         }
     })

}  // namespace aidl::android::hardware::neuralnetworks
