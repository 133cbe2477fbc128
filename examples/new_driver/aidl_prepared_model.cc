#include "aidl_prepared_model.h"

#include <map>
#include <mutex>
#include <string>

#include "nnapi/convert.h"

namespace npu_driver {
namespace {

using ndk::ScopedAStatus;
namespace aidl = nn::aidl_hal;

constexpr aidl::Timing kNoTiming{.timeOnDeviceNs = -1, .timeInDriverNs = -1};

// An output that is too small is not an error: the result reports it.
ScopedAStatus returnExecutionResult(const nn::ExecutionResult<nn::Executed>& executed,
                                    aidl::ExecutionResult* to) {
    if (executed.has_value()) return returnResult(nn::AIDL3::utils::convert(*executed), to);
    const nn::ExecutionError error = executed.error();
    if (error.code != nn::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE) return statusOf(executed.status());
    to->outputSufficientSize = false;
    to->timing = kNoTiming;
    return returnResult(nn::AIDL3::utils::convert(error.outputShapes), &to->outputShapes);
}

// Of a prepared model or of a burst.
template <class Executing>
nn::ExecutionResult<nn::Executed> run(const Executing& executing, const aidl::Request& request,
                                      bool measure, int64_t deadline, int64_t loopTimeout) {
    NNAPI_ASSIGN_OR_RETURN(canonicalRequest, nn::convert(request));
    NNAPI_ASSIGN_OR_RETURN(canonicalDeadline, nn::convertAs<nn::OptionalTimePoint>(deadline));
    NNAPI_ASSIGN_OR_RETURN(canonicalLoopTimeout, nn::convertAs<nn::OptionalDuration>(loopTimeout));
    return executing.execute(canonicalRequest,
                             measure ? nn::MeasureTiming::YES : nn::MeasureTiming::NO,
                             canonicalDeadline, canonicalLoopTimeout, {}, {});
}

class FencedCallback final : public aidl::BnFencedExecutionCallback {
   public:
    explicit FencedCallback(nn::ExecuteFencedInfoCallback info) : mInfo(std::move(info)) {}

    ScopedAStatus getExecutionInfo(aidl::Timing* launched, aidl::Timing* fenced,
                                   aidl::ErrorStatus* code) override {
        *launched = *fenced = kNoTiming;
        const auto info = mInfo();
        if (!info.has_value())
            return returnResult(nn::AIDL3::utils::convert(info.error().code), code);
        *code = aidl::ErrorStatus::NONE;
        if (auto status = returnResult(nn::AIDL3::utils::convert(info->first), launched);
            !status.isOk())
            return status;
        return returnResult(nn::AIDL3::utils::convert(info->second), fenced);
    }

   private:
    const nn::ExecuteFencedInfoCallback mInfo;
};

class AidlBurst final : public aidl::BnBurst {
   public:
    explicit AidlBurst(nn::SharedBurst burst) : mBurst(std::move(burst)) {}

    ScopedAStatus executeSynchronously(const aidl::Request& request,
                                       const std::vector<int64_t>& tokens, bool measure,
                                       int64_t deadline, int64_t loopTimeout,
                                       aidl::ExecutionResult* to) override {
        if (const nn::Status status = checkTokens(request, tokens); !status.ok())
            return statusOf(status);
#if NPU_BURST
        if (const nn::Status status = keep(request, tokens); !status.ok()) return statusOf(status);
#endif
        return returnExecutionResult(run(*mBurst, request, measure, deadline, loopTimeout), to);
    }
    ScopedAStatus releaseMemoryResource(int64_t token) override {
        if (token < 0)
            return statusOf(nn::error(nn::ErrorStatus::INVALID_ARGUMENT) << "no token: " << token);
#if NPU_BURST
        const std::lock_guard lock(mMutex);
        mHolds.erase(token);
#endif
        return ScopedAStatus::ok();
    }

   private:
    // -1 marks a memory that must not be kept.
    static nn::Status checkTokens(const aidl::Request& request,
                                  const std::vector<int64_t>& tokens) {
        if (tokens.size() != request.pools.size())
            return nn::error(nn::ErrorStatus::INVALID_ARGUMENT) << "tokens and pools differ";
        for (const int64_t token : tokens) {
            if (token < -1)
                return nn::error(nn::ErrorStatus::INVALID_ARGUMENT) << "no token: " << token;
        }
        return {};
    }
#if NPU_BURST

    // A client may have any number of tokens; further memories are used without being kept.
    static constexpr size_t kMaxHolds = 256;

    nn::Status keep(const aidl::Request& request, const std::vector<int64_t>& tokens) {
        for (size_t i = 0; i < tokens.size(); ++i) {
            using Tag = aidl::RequestMemoryPool::Tag;
            if (tokens[i] == -1 || request.pools[i].getTag() != Tag::pool) continue;
            const std::lock_guard lock(mMutex);
            if (mHolds.size() >= kMaxHolds || mHolds.contains(tokens[i])) continue;
            NNAPI_ASSIGN_OR_RETURN(memory, nn::convert(request.pools[i].get<Tag::pool>()));
            mHolds.emplace(tokens[i], mBurst->cacheMemory(memory));
        }
        return {};
    }

    std::mutex mMutex{};
    std::map<int64_t, nn::IBurst::OptionalCacheHold> mHolds{};
#endif

    const nn::SharedBurst mBurst;
};

}  // namespace

ScopedAStatus statusOf(const nn::Status& status) {
    if (status.ok()) return ScopedAStatus::ok();
    const auto code = nn::AIDL3::utils::convert(nn::errorStatus(status));
    return ScopedAStatus::fromServiceSpecificErrorWithMessage(
            static_cast<int32_t>(code.ok() ? *code : aidl::ErrorStatus::GENERAL_FAILURE),
            std::string(status.message()).c_str());
}

ScopedAStatus AidlPreparedModel::executeSynchronously(const aidl::Request& request, bool measure,
                                                      int64_t deadline, int64_t loopTimeout,
                                                      aidl::ExecutionResult* to) {
    return returnExecutionResult(run(*mCanonical, request, measure, deadline, loopTimeout), to);
}

ScopedAStatus AidlPreparedModel::executeFenced(
        const aidl::Request& request, const std::vector<ndk::ScopedFileDescriptor>& waitFor,
        bool measure, int64_t deadline, int64_t loopTimeout, int64_t timeAfterFences,
        aidl::FencedExecutionResult* to) {
    return statusOf([&]() -> nn::Status {
        NNAPI_ASSIGN_OR_RETURN(canonicalRequest, nn::convert(request));
        NNAPI_ASSIGN_OR_RETURN(canonicalDeadline, nn::convertAs<nn::OptionalTimePoint>(deadline));
        NNAPI_ASSIGN_OR_RETURN(canonicalLoop, nn::convertAs<nn::OptionalDuration>(loopTimeout));
        NNAPI_ASSIGN_OR_RETURN(canonicalAfter,
                               nn::convertAs<nn::OptionalDuration>(timeAfterFences));
        NNAPI_ASSIGN_OR_RETURN(handles, nn::convert(waitFor));
        std::vector<nn::SyncFence> fences;
        for (nn::SharedHandle& handle : handles) {
            NNAPI_ASSIGN_OR_RETURN(fence, nn::SyncFence::create(std::move(handle)));
            fences.push_back(std::move(fence));
        }
        NNAPI_ASSIGN_OR_RETURN(executed,
                               mCanonical->executeFenced(
                                       canonicalRequest, fences,
                                       measure ? nn::MeasureTiming::YES : nn::MeasureTiming::NO,
                                       canonicalDeadline, canonicalLoop, canonicalAfter, {}, {}));
        to->syncFence = ndk::ScopedFileDescriptor();  // -1: it is signaled
        if (executed.first.hasFd()) {
            NNAPI_ASSIGN_OR_RETURN(fence, nn::AIDL3::utils::convert(executed.first));
            to->syncFence = std::move(fence);
        }
        to->callback = ndk::SharedRefBase::make<FencedCallback>(executed.second);
        return {};
    }());
}

ScopedAStatus AidlPreparedModel::configureExecutionBurst(std::shared_ptr<aidl::IBurst>* to) {
    const auto burst = mCanonical->configureExecutionBurst();
    if (burst.has_value()) *to = ndk::SharedRefBase::make<AidlBurst>(*burst);
    return statusOf(burst.status());
}

}  // namespace npu_driver
