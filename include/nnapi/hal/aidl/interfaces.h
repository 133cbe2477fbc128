// nnapi/hal/aidl/interfaces.h -- Driver interfaces of AIDL 1 to 4.
//
//   // MyDevice derives from aidl::android::hardware::neuralnetworks::BnDevice
//   std::shared_ptr<nn::aidl_hal::IDevice> driver = ndk::SharedRefBase::make<MyDevice>();
//   nn::GeneralResult<nn::SharedDevice> device = nn::wrap("mine", driver);  // nnapi/driver/wrap.h
//
// Spelled like the headers that the NDK backend generates, so that a driver for one compiles with
// the other. A failing method returns a service-specific error with the number of an ErrorStatus.
// Durations are nanoseconds and time points nanoseconds since boot; -1 is none. getInterfaceVersion
// returns the version of an object, and NNAPI_AIDL_VERSION is the version that a driver is compiled
// for. Source: the .aidl files of android.hardware.neuralnetworks, versions 1 to 4.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "nnapi/hal/aidl/binder.h"
#include "nnapi/hal/aidl/types.h"
#include "nnapi/hal/strict.h"

// The version of the interface that a driver is compiled for; its objects report that version. On
// Android this is the version of the library that the driver links. Sources of one program may
// define different versions.
#ifndef NNAPI_AIDL_VERSION
#define NNAPI_AIDL_VERSION 4
#endif

namespace aidl::android::hardware::neuralnetworks {

using ::ndk::ScopedAStatus;
using ::ndk::ScopedFileDescriptor;

// Members of every interface.
#define NNAPI_AIDL_INTERFACE(Name)                                                      \
    static constexpr const char* descriptor = "android.hardware.neuralnetworks." #Name; \
    static constexpr int32_t version = 4;                                               \
    static std::shared_ptr<Name> fromBinder(const ::ndk::SpAIBinder& binder) {          \
        return ::ndk::interfaceOf<Name>(binder);                                        \
    }                                                                                   \
    ~Name() override;                                                                   \
    virtual ScopedAStatus getInterfaceVersion(int32_t* _aidl_return);                   \
    virtual ScopedAStatus getInterfaceHash(std::string* _aidl_return);

// Device memory.
class IBuffer : public ::ndk::ICInterface {
   public:
    NNAPI_AIDL_INTERFACE(IBuffer)

    virtual ScopedAStatus copyFrom(const Memory& in_src,
                                   const std::vector<int32_t>& in_dimensions) = 0;
    virtual ScopedAStatus copyTo(const Memory& in_dst) = 0;
};

// A sequence of executions, one at a time, with memories that the driver may keep mapped.
class IBurst : public ::ndk::ICInterface {
   public:
    NNAPI_AIDL_INTERFACE(IBurst)

    // A token for each pool of the request; -1 for a memory that is not to be kept.
    virtual ScopedAStatus executeSynchronously(
            const Request& in_request, const std::vector<int64_t>& in_memoryIdentifierTokens,
            bool in_measureTiming, int64_t in_deadlineNs, int64_t in_loopTimeoutDurationNs,
            ExecutionResult* _aidl_return) = 0;
    virtual ScopedAStatus releaseMemoryResource(int64_t in_memoryIdentifierToken) = 0;
    // Version 4.
    virtual ScopedAStatus executeSynchronouslyWithConfig(
            const Request& /*in_request*/,
            const std::vector<int64_t>& /*in_memoryIdentifierTokens*/,
            const ExecutionConfig& /*in_config*/, int64_t /*in_deadlineNs*/,
            ExecutionResult* /*_aidl_return*/) {
        return ScopedAStatus::fromStatus(STATUS_UNKNOWN_TRANSACTION);
    }
};

// Returns status and timing of a fenced execution, once its fence is signaled.
class IFencedExecutionCallback : public ::ndk::ICInterface {
   public:
    NNAPI_AIDL_INTERFACE(IFencedExecutionCallback)

    virtual ScopedAStatus getExecutionInfo(Timing* out_timingLaunched, Timing* out_timingFenced,
                                           ErrorStatus* _aidl_return) = 0;
};

// A reusable execution, one computation at a time. Version 4.
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

    // Insufficient outputs are not a failure: the result reports them.
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
    virtual ScopedAStatus createReusableExecution(const Request& /*in_request*/,
                                                  const ExecutionConfig& /*in_config*/,
                                                  std::shared_ptr<IExecution>* /*_aidl_return*/) {
        return ScopedAStatus::fromStatus(STATUS_UNKNOWN_TRANSACTION);
    }
    virtual ScopedAStatus executeSynchronouslyWithConfig(const Request& /*in_request*/,
                                                         const ExecutionConfig& /*in_config*/,
                                                         int64_t /*in_deadlineNs*/,
                                                         ExecutionResult* /*_aidl_return*/) {
        return ScopedAStatus::fromStatus(STATUS_UNKNOWN_TRANSACTION);
    }
    virtual ScopedAStatus executeFencedWithConfig(
            const Request& /*in_request*/, const std::vector<ScopedFileDescriptor>& /*in_waitFor*/,
            const ExecutionConfig& /*in_config*/, int64_t /*in_deadlineNs*/,
            int64_t /*in_durationNs*/, FencedExecutionResult* /*_aidl_return*/) {
        return ScopedAStatus::fromStatus(STATUS_UNKNOWN_TRANSACTION);
    }
};

class IPreparedModelCallback : public ::ndk::ICInterface {
   public:
    NNAPI_AIDL_INTERFACE(IPreparedModelCallback)

    // Null unless the status is NONE.
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
    // The callback is called exactly once, even if the method fails.
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
            const Model& /*in_model*/, const PrepareModelConfig& /*in_config*/,
            const std::shared_ptr<IPreparedModelCallback>& /*in_callback*/) {
        return ScopedAStatus::fromStatus(STATUS_UNKNOWN_TRANSACTION);
    }
};

#undef NNAPI_AIDL_INTERFACE

namespace bn_internal {

inline ScopedAStatus returnVersion(int32_t version, int32_t* to) {
    if (to == nullptr) return ScopedAStatus::fromExceptionCode(EX_NULL_POINTER);
    *to = version;
    return ScopedAStatus::ok();
}
inline ScopedAStatus unknown() { return ScopedAStatus::fromStatus(STATUS_UNKNOWN_TRANSACTION); }

}  // namespace bn_internal

// An object of a fixed version. Strict stand-ins do not let it report another one: a class that
// chooses the version at run time, such as an adapter, derives from BnCInterface.
template <class Interface, int32_t linked>
class BnVersion : public ::ndk::BnCInterface<Interface> {
   public:
    static constexpr int32_t version = linked;
#ifdef NNAPI_STRICT_HAL
    ScopedAStatus getInterfaceVersion(int32_t* _aidl_return) final {
        return bn_internal::returnVersion(linked, _aidl_return);
    }
    ScopedAStatus getInterfaceHash(std::string* _aidl_return) final {
        return Interface::getInterfaceHash(_aidl_return);
    }
#else
    ScopedAStatus getInterfaceVersion(int32_t* _aidl_return) override {
        return bn_internal::returnVersion(linked, _aidl_return);
    }
#endif
};

// Base classes of drivers. Those of version 4 implement the methods of version 4; with strict
// stand-ins, a driver of an older version that overrides one does not compile, since its base class
// lacks the method.
#ifdef NNAPI_STRICT_HAL

template <int32_t linked>
class BnBurstVersion : public BnVersion<IBurst, linked> {
    ScopedAStatus executeSynchronouslyWithConfig(const Request&, const std::vector<int64_t>&,
                                                 const ExecutionConfig&, int64_t,
                                                 ExecutionResult*) final {
        return bn_internal::unknown();
    }
};
template <>
class BnBurstVersion<4> : public BnVersion<IBurst, 4> {
   public:
    ScopedAStatus executeSynchronouslyWithConfig(const Request&, const std::vector<int64_t>&,
                                                 const ExecutionConfig&, int64_t,
                                                 ExecutionResult*) override = 0;
};

template <int32_t linked>
class BnPreparedModelVersion : public BnVersion<IPreparedModel, linked> {
    ScopedAStatus createReusableExecution(const Request&, const ExecutionConfig&,
                                          std::shared_ptr<IExecution>*) final {
        return bn_internal::unknown();
    }
    ScopedAStatus executeSynchronouslyWithConfig(const Request&, const ExecutionConfig&, int64_t,
                                                 ExecutionResult*) final {
        return bn_internal::unknown();
    }
    ScopedAStatus executeFencedWithConfig(const Request&, const std::vector<ScopedFileDescriptor>&,
                                          const ExecutionConfig&, int64_t, int64_t,
                                          FencedExecutionResult*) final {
        return bn_internal::unknown();
    }
};
template <>
class BnPreparedModelVersion<4> : public BnVersion<IPreparedModel, 4> {
   public:
    ScopedAStatus createReusableExecution(const Request&, const ExecutionConfig&,
                                          std::shared_ptr<IExecution>*) override = 0;
    ScopedAStatus executeSynchronouslyWithConfig(const Request&, const ExecutionConfig&, int64_t,
                                                 ExecutionResult*) override = 0;
    ScopedAStatus executeFencedWithConfig(const Request&, const std::vector<ScopedFileDescriptor>&,
                                          const ExecutionConfig&, int64_t, int64_t,
                                          FencedExecutionResult*) override = 0;
};

template <int32_t linked>
class BnDeviceVersion : public BnVersion<IDevice, linked> {
    ScopedAStatus prepareModelWithConfig(const Model&, const PrepareModelConfig&,
                                         const std::shared_ptr<IPreparedModelCallback>&) final {
        return bn_internal::unknown();
    }
};
template <>
class BnDeviceVersion<4> : public BnVersion<IDevice, 4> {
   public:
    ScopedAStatus prepareModelWithConfig(const Model&, const PrepareModelConfig&,
                                         const std::shared_ptr<IPreparedModelCallback>&) override =
            0;
};

#else

template <int32_t linked>
using BnBurstVersion = BnVersion<IBurst, linked>;
template <int32_t linked>
using BnPreparedModelVersion = BnVersion<IPreparedModel, linked>;
template <int32_t linked>
using BnDeviceVersion = BnVersion<IDevice, linked>;

#endif

using BnBuffer = BnVersion<IBuffer, NNAPI_AIDL_VERSION>;
using BnBurst = BnBurstVersion<NNAPI_AIDL_VERSION>;
using BnFencedExecutionCallback = BnVersion<IFencedExecutionCallback, NNAPI_AIDL_VERSION>;
#if NNAPI_AIDL_VERSION >= 4 || !defined(NNAPI_STRICT_HAL)
using BnExecution = BnVersion<IExecution, NNAPI_AIDL_VERSION>;
#endif
using BnPreparedModel = BnPreparedModelVersion<NNAPI_AIDL_VERSION>;
using BnPreparedModelCallback = BnVersion<IPreparedModelCallback, NNAPI_AIDL_VERSION>;
using BnDevice = BnDeviceVersion<NNAPI_AIDL_VERSION>;

}  // namespace aidl::android::hardware::neuralnetworks

namespace nn::hal {

// Base of objects of this library, whose version is set at construction. Generated headers have one
// version for all objects; another one is an error.
template <class Interface>
class AidlObject : public ::ndk::BnCInterface<Interface> {
   public:
    static constexpr int32_t kOldest = 1;

    explicit AidlObject(int32_t version) : mVersion(version) {}
    ::ndk::ScopedAStatus getInterfaceVersion(int32_t* _aidl_return) override {
        return aidl_hal::bn_internal::returnVersion(mVersion, _aidl_return);
    }

   private:
    const int32_t mVersion;
};

}  // namespace nn::hal
