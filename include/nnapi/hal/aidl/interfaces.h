// nnapi/hal/aidl/interfaces.h -- the interfaces of drivers of AIDL 1 to 4.
//
//   class MyDevice : public aidl::android::hardware::neuralnetworks::BnDevice { ... };
//   std::shared_ptr<nn::aidl_hal::IDevice> driver = ndk::SharedRefBase::make<MyDevice>();
//   nn::GeneralResult<nn::SharedDevice> device = nn::wrap("mine", driver);  // nnapi/driver/wrap.h
//
// Spelled as the NDK backend generates them, so that a driver for one compiles with the other. A
// method that fails answers a service specific error with the number of an ErrorStatus. Times are
// nanoseconds, points of them since boot; -1 is none. Methods of version 4 are not pure, so that
// drivers of older versions need not have them: getInterfaceVersion says which an object has.
// Source: the .aidl files of android.hardware.neuralnetworks, versions 1 to 4.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nnapi/hal/aidl/binder.h"
#include "nnapi/hal/aidl/types.h"

namespace aidl::android::hardware::neuralnetworks {

using ::ndk::ScopedAStatus;
using ::ndk::ScopedFileDescriptor;

// What each interface has.
#define NNAPI_AIDL_INTERFACE(Name)                                                      \
    static constexpr const char* descriptor = "android.hardware.neuralnetworks." #Name; \
    static constexpr int32_t version = 4;                                               \
    ~Name() override;                                                                   \
    virtual ScopedAStatus getInterfaceVersion(int32_t* _aidl_return);                   \
    virtual ScopedAStatus getInterfaceHash(std::string* _aidl_return);

// Memory of a device.
class IBuffer : public ::ndk::ICInterface {
   public:
    NNAPI_AIDL_INTERFACE(IBuffer)

    virtual ScopedAStatus copyFrom(const Memory& in_src,
                                   const std::vector<int32_t>& in_dimensions) = 0;
    virtual ScopedAStatus copyTo(const Memory& in_dst) = 0;
};

// Executions one after the other, with memories that the driver may keep mapped. One at a time.
class IBurst : public ::ndk::ICInterface {
   public:
    NNAPI_AIDL_INTERFACE(IBurst)

    // A token for each pool of the request, or -1 for a memory that is not kept.
    virtual ScopedAStatus executeSynchronously(
            const Request& in_request, const std::vector<int64_t>& in_memoryIdentifierTokens,
            bool in_measureTiming, int64_t in_deadlineNs, int64_t in_loopTimeoutDurationNs,
            ExecutionResult* _aidl_return) = 0;
    virtual ScopedAStatus releaseMemoryResource(int64_t in_memoryIdentifierToken) = 0;
    // Version 4.
    virtual ScopedAStatus executeSynchronouslyWithConfig(
            const Request& in_request, const std::vector<int64_t>& in_memoryIdentifierTokens,
            const ExecutionConfig& in_config, int64_t in_deadlineNs, ExecutionResult* _aidl_return);
};

// Asked for how a fenced execution went, once its fence is signalled.
class IFencedExecutionCallback : public ::ndk::ICInterface {
   public:
    NNAPI_AIDL_INTERFACE(IFencedExecutionCallback)

    virtual ScopedAStatus getExecutionInfo(Timing* out_timingLaunched, Timing* out_timingFenced,
                                           ErrorStatus* _aidl_return) = 0;
};

// A request that is computed again and again, one computation at a time. Version 4.
class IExecution : public ::ndk::ICInterface {
   public:
    NNAPI_AIDL_INTERFACE(IExecution)

    virtual ScopedAStatus executeSynchronously(int64_t in_deadlineNs,
                                               ExecutionResult* _aidl_return) = 0;
    virtual ScopedAStatus executeFenced(const std::vector<ScopedFileDescriptor>& in_waitFor,
                                        int64_t in_deadlineNs, int64_t in_durationNs,
                                        FencedExecutionResult* _aidl_return) = 0;
};

class IPreparedModel : public ::ndk::ICInterface, public IPreparedModelConstants {
   public:
    NNAPI_AIDL_INTERFACE(IPreparedModel)

    // Outputs that are too small are no failure: the result says so.
    virtual ScopedAStatus executeSynchronously(const Request& in_request, bool in_measureTiming,
                                               int64_t in_deadlineNs,
                                               int64_t in_loopTimeoutDurationNs,
                                               ExecutionResult* _aidl_return) = 0;
    virtual ScopedAStatus executeFenced(const Request& in_request,
                                        const std::vector<ScopedFileDescriptor>& in_waitFor,
                                        bool in_measureTiming, int64_t in_deadlineNs,
                                        int64_t in_loopTimeoutDurationNs, int64_t in_durationNs,
                                        FencedExecutionResult* _aidl_return) = 0;
    virtual ScopedAStatus configureExecutionBurst(std::shared_ptr<IBurst>* _aidl_return) = 0;
    // Version 4.
    virtual ScopedAStatus createReusableExecution(const Request& in_request,
                                                  const ExecutionConfig& in_config,
                                                  std::shared_ptr<IExecution>* _aidl_return);
    virtual ScopedAStatus executeSynchronouslyWithConfig(const Request& in_request,
                                                         const ExecutionConfig& in_config,
                                                         int64_t in_deadlineNs,
                                                         ExecutionResult* _aidl_return);
    virtual ScopedAStatus executeFencedWithConfig(
            const Request& in_request, const std::vector<ScopedFileDescriptor>& in_waitFor,
            const ExecutionConfig& in_config, int64_t in_deadlineNs, int64_t in_durationNs,
            FencedExecutionResult* _aidl_return);
};

class IPreparedModelCallback : public ::ndk::ICInterface {
   public:
    NNAPI_AIDL_INTERFACE(IPreparedModelCallback)

    // Null for every status but NONE.
    virtual ScopedAStatus notify(ErrorStatus in_status,
                                 const std::shared_ptr<IPreparedModel>& in_preparedModel) = 0;
};

class IDevice : public ::ndk::ICInterface, public IDeviceConstants {
   public:
    NNAPI_AIDL_INTERFACE(IDevice)

    virtual ScopedAStatus allocate(const BufferDesc& in_desc,
                                   const std::vector<IPreparedModelParcel>& in_preparedModels,
                                   const std::vector<BufferRole>& in_inputRoles,
                                   const std::vector<BufferRole>& in_outputRoles,
                                   DeviceBuffer* _aidl_return) = 0;
    virtual ScopedAStatus getCapabilities(Capabilities* _aidl_return) = 0;
    virtual ScopedAStatus getNumberOfCacheFilesNeeded(NumberOfCacheFiles* _aidl_return) = 0;
    virtual ScopedAStatus getSupportedExtensions(std::vector<Extension>* _aidl_return) = 0;
    virtual ScopedAStatus getSupportedOperations(const Model& in_model,
                                                 std::vector<bool>* _aidl_return) = 0;
    virtual ScopedAStatus getType(DeviceType* _aidl_return) = 0;
    virtual ScopedAStatus getVersionString(std::string* _aidl_return) = 0;
    // The callback is called once, also where the method fails.
    virtual ScopedAStatus prepareModel(
            const Model& in_model, ExecutionPreference in_preference, Priority in_priority,
            int64_t in_deadlineNs, const std::vector<ScopedFileDescriptor>& in_modelCache,
            const std::vector<ScopedFileDescriptor>& in_dataCache,
            const std::vector<uint8_t>& in_token,
            const std::shared_ptr<IPreparedModelCallback>& in_callback) = 0;
    virtual ScopedAStatus prepareModelFromCache(
            int64_t in_deadlineNs, const std::vector<ScopedFileDescriptor>& in_modelCache,
            const std::vector<ScopedFileDescriptor>& in_dataCache,
            const std::vector<uint8_t>& in_token,
            const std::shared_ptr<IPreparedModelCallback>& in_callback) = 0;
    // Version 4.
    virtual ScopedAStatus prepareModelWithConfig(
            const Model& in_model, const PrepareModelConfig& in_config,
            const std::shared_ptr<IPreparedModelCallback>& in_callback);
};

#undef NNAPI_AIDL_INTERFACE

// What drivers derive from.
class BnBuffer : public ::ndk::BnCInterface<IBuffer> {};
class BnBurst : public ::ndk::BnCInterface<IBurst> {};
class BnFencedExecutionCallback : public ::ndk::BnCInterface<IFencedExecutionCallback> {};
class BnExecution : public ::ndk::BnCInterface<IExecution> {};
class BnPreparedModel : public ::ndk::BnCInterface<IPreparedModel> {};
class BnPreparedModelCallback : public ::ndk::BnCInterface<IPreparedModelCallback> {};
class BnDevice : public ::ndk::BnCInterface<IDevice> {};

}  // namespace aidl::android::hardware::neuralnetworks
