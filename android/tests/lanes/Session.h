// Session.h -- Executes requests in the lanes drivers of all versions.
#pragma once

#include <AidlBufferTracker.h>
#include <AidlHalInterfaces.h>
#include <CpuExecutor.h>
#include <android-base/thread_annotations.h>
#include <android/binder_auto_utils.h>
#include <nnapi/Result.h>
#include <nnapi/Types.h>

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "Program.h"

namespace vendor::lanes {

namespace nn = ::android::nn;
namespace aidl_hal = ::aidl::android::hardware::neuralnetworks;

ndk::ScopedAStatus toAStatus(nn::ErrorStatus status, const std::string& message);
template <typename Error>
ndk::ScopedAStatus toAStatus(const Error& error) {
    return toAStatus(error.code, error.message);
}

// A time point of AIDL: nanoseconds since boot, -1 for none. INVALID_ARGUMENT for other negative
// numbers, and MISSED_DEADLINE_PERSISTENT for a time that has passed.
nn::GeneralResult<nn::OptionalTimePoint> deadlineOf(int64_t deadlineNs);

// Mapped memories of a burst, by the client's identifiers.
class MappedMemories {
   public:
    // The memory with a token, if there is one; the first one with it counts.
    std::optional<nn::RunTimePoolInfo> find(int64_t token) const;
    void keep(int64_t token, const nn::RunTimePoolInfo& pool);
    void release(int64_t token);

   private:
    mutable std::mutex mMutex;
    std::map<int64_t, nn::RunTimePoolInfo> mPools GUARDED_BY(mMutex);
};

// The numbers of a call.
struct CallArguments {
    bool measureTiming = false;
    int64_t deadlineNs = -1;
    int64_t loopTimeoutDurationNs = -1;
};

// A prepared model's program, with the buffers of its device.
class Session {
   public:
    static nn::GeneralResult<std::shared_ptr<const Session>> create(
            std::shared_ptr<const Program> program,
            std::shared_ptr<nn::AidlBufferTracker> bufferTracker);
    Session(std::shared_ptr<const Program> program, aidl_hal::Model halModel,
            std::shared_ptr<nn::AidlBufferTracker> bufferTracker)
        : kProgram(std::move(program)),
          kHalModel(std::move(halModel)),
          kBufferTracker(std::move(bufferTracker)) {}

    const nn::Model& model() const { return kProgram->model(); }
    // The same, for AidlValidateHal.h.
    const aidl_hal::Model* halModel() const { return &kHalModel; }

    // Checks a request once for repeated execution.
    nn::GeneralResult<nn::Request> checkRequest(const aidl_hal::Request& request,
                                                bool allowUnspecifiedOutput) const;

    // Executes a checked request. `self` identifies the roles of buffers. `memories` and `tokens`
    // belong to a burst, and are null for other executions.
    ndk::ScopedAStatus execute(const nn::Request& request, const CallArguments& arguments,
                               const aidl_hal::IPreparedModel* self, MappedMemories* memories,
                               const std::vector<int64_t>* tokens,
                               aidl_hal::ExecutionResult* result) const;

    // Waits for the fences, then executes synchronously, so the result has no fence.
    ndk::ScopedAStatus executeFenced(const nn::Request& request,
                                     const std::vector<ndk::ScopedFileDescriptor>& waitFor,
                                     const CallArguments& arguments, int64_t durationNs,
                                     const aidl_hal::IPreparedModel* self,
                                     aidl_hal::FencedExecutionResult* result) const;

   private:
    struct Pools {
        std::vector<nn::RunTimePoolInfo> mapped;
        std::vector<std::shared_ptr<nn::AidlManagedBuffer>> buffers;  // null for other memory
    };
    struct Ran {
        std::vector<nn::OutputShape> outputShapes;
        nn::Duration timeOnDevice;
    };

    nn::GeneralResult<Pools> mapPools(const nn::Request& request,
                                      const aidl_hal::IPreparedModel* self,
                                      MappedMemories* memories,
                                      const std::vector<int64_t>* tokens) const;
    nn::ExecutionResult<Ran> run(const nn::Request& request, const Pools& pools,
                                 const nn::OptionalTimePoint& deadline) const;

    const std::shared_ptr<const Program> kProgram;
    const aidl_hal::Model kHalModel;
    const std::shared_ptr<nn::AidlBufferTracker> kBufferTracker;
};

// A buffer of a device's own memory.
class Buffer : public aidl_hal::BnBuffer {
   public:
    Buffer(std::shared_ptr<nn::AidlManagedBuffer> buffer,
           std::unique_ptr<nn::AidlBufferTracker::Token> token)
        : kBuffer(std::move(buffer)), kToken(std::move(token)) {}

    ndk::ScopedAStatus copyFrom(const aidl_hal::Memory& src,
                                const std::vector<int32_t>& dimensions) override;
    ndk::ScopedAStatus copyTo(const aidl_hal::Memory& dst) override;

   private:
    nn::GeneralResult<void> copyFromInternal(const aidl_hal::Memory& src,
                                             const std::vector<uint32_t>& dimensions);

    const std::shared_ptr<nn::AidlManagedBuffer> kBuffer;
    const std::unique_ptr<nn::AidlBufferTracker::Token> kToken;
};

// Allocates a buffer for the roles. `getModel` is as in AidlValidateHal.h.
ndk::ScopedAStatus allocateBuffer(
        const std::shared_ptr<nn::AidlBufferTracker>& tracker, const aidl_hal::BufferDesc& desc,
        const std::vector<aidl_hal::IPreparedModelParcel>& preparedModels,
        const std::vector<aidl_hal::BufferRole>& inputRoles,
        const std::vector<aidl_hal::BufferRole>& outputRoles,
        std::function<const aidl_hal::Model*(const std::shared_ptr<aidl_hal::IPreparedModel>&)>
                getModel,
        aidl_hal::DeviceBuffer* buffer);

}  // namespace vendor::lanes
