// Canonical objects over those of AIDL, by a feature level.

#include <utility>
#include <vector>

#include "driver/fences/fences.h"
#include "nnapi/hal/aidl/Device.h"
#include "nnapi/hal/aidl/Execution.h"
#include "nnapi/hal/aidl/PreparedModel.h"

namespace aidl::android::hardware::neuralnetworks::utils {
namespace {

// create(utils...) of the newest version of AIDL that a peer of this level has.
template <class Result, class Create>
Result createdFor(nn::Version featureLevel, const Create& create) {
    for (size_t i = ::nn::kHalVersions.size(); i-- > 0;) {
        const ::nn::HalVersion version = ::nn::kHalVersions[i];
        if (version < ::nn::HalVersion::AIDL1) break;
        if (::nn::toVersion(version).level <= featureLevel.level) return create(version);
    }
    return NN_ERROR(nn::ErrorStatus::INVALID_ARGUMENT)
           << "AIDL has no feature level " << static_cast<int>(featureLevel.level);
}

// Of a driver's execution whose request is not known.
class RelocatedExecution final : public nn::IExecution {
   public:
    RelocatedExecution(std::shared_ptr<aidl_hal::IExecution> execution,
                       nn::RequestRelocation relocation)
        : mExecution(std::move(execution)), mRelocation(std::move(relocation)) {}

    nn::ExecutionResult<nn::Executed> compute(
            const nn::OptionalTimePoint& deadline) const override {
        const int64_t deadlineNs = NN_TRY(convert(deadline));
        if (mRelocation.input != nullptr) mRelocation.input->flush();
        ExecutionResult result;
        const auto ret = mExecution->executeSynchronously(deadlineNs, &result);
        HANDLE_ASTATUS(ret) << "executeSynchronously failed";
        std::vector<nn::OutputShape> shapes = NN_TRY(nn::convert(result.outputShapes));
        if (!result.outputSufficientSize) {
            return NN_ERROR(nn::ErrorStatus::OUTPUT_INSUFFICIENT_SIZE, std::move(shapes))
                   << "an output is too small";
        }
        const nn::Timing timing = NN_TRY(nn::convert(result.timing));
        if (mRelocation.output != nullptr) mRelocation.output->flush();
        return nn::Executed{std::move(shapes), timing};
    }

    // With a relocation, which needs the processor before and after, it waits for both.
    nn::GeneralResult<nn::ExecutedFenced> computeFenced(
            const std::vector<nn::SyncFence>& waitFor, const nn::OptionalTimePoint& deadline,
            const nn::OptionalDuration& timeoutDurationAfterFence) const override {
        if (mRelocation.input != nullptr || mRelocation.output != nullptr) {
            return computeAfter(waitFor, deadline);
        }
        std::vector<::ndk::ScopedFileDescriptor> fences;
        for (const nn::SyncFence& fence : waitFor) {
            if (!fence.hasFd()) continue;
            fences.emplace_back(NN_TRY(nn::dupFd(fence.getFd())).release());
        }
        FencedExecutionResult result;
        const auto ret =
                mExecution->executeFenced(fences, NN_TRY(convert(deadline)),
                                          NN_TRY(convert(timeoutDurationAfterFence)), &result);
        HANDLE_ASTATUS(ret) << "executeFenced failed";
        nn::SyncFence fence = nn::SyncFence::createAsSignaled();
        if (result.syncFence.get() >= 0) {
            fence = nn::SyncFence::create(NN_TRY(nn::dupFd(result.syncFence.get())));
        }
        if (result.callback == nullptr) return NN_ERROR() << "executeFenced returned no callback";
        return nn::ExecutedFenced{std::move(fence),
                                  [callback = result.callback] { return infoOf(*callback); }};
    }

   private:
    nn::GeneralResult<nn::ExecutedFenced> computeAfter(
            const std::vector<nn::SyncFence>& waitFor,
            const nn::OptionalTimePoint& deadline) const {
        NNAPI_RETURN_IF_ERROR(::nn::driver::waitForAll(waitFor, deadline));
        const nn::Timing timing = NN_TRY(compute(deadline)).second;
        return nn::ExecutedFenced{nn::SyncFence::createAsSignaled(), [timing] {
                                      return nn::GeneralResult<std::pair<nn::Timing, nn::Timing>>(
                                              std::pair(timing, timing));
                                  }};
    }

    static nn::GeneralResult<std::pair<nn::Timing, nn::Timing>> infoOf(
            IFencedExecutionCallback& callback) {
        Timing launched, fenced;
        ErrorStatus status = ErrorStatus::NONE;
        const auto ret = callback.getExecutionInfo(&launched, &fenced, &status);
        HANDLE_ASTATUS(ret) << "getExecutionInfo failed";
        HANDLE_STATUS_AIDL(status) << "the fenced execution failed";
        return std::pair(NN_TRY(nn::convert(launched)), NN_TRY(nn::convert(fenced)));
    }

    const std::shared_ptr<aidl_hal::IExecution> mExecution;
    const nn::RequestRelocation mRelocation;
};

}  // namespace

nn::GeneralResult<nn::SharedDevice> Device::create(std::string name,
                                                   std::shared_ptr<IDevice> device,
                                                   nn::Version featureLevel) {
    using Result = nn::GeneralResult<nn::SharedDevice>;
    return createdFor<Result>(featureLevel, [&](::nn::HalVersion version) {
        switch (version) {
            case ::nn::HalVersion::AIDL1:
                return ::nn::AIDL1::utils::Device::create(std::move(name), std::move(device));
            case ::nn::HalVersion::AIDL2:
                return ::nn::AIDL2::utils::Device::create(std::move(name), std::move(device));
            case ::nn::HalVersion::AIDL3:
                return ::nn::AIDL3::utils::Device::create(std::move(name), std::move(device));
            default:
                return ::nn::AIDL4::utils::Device::create(std::move(name), std::move(device));
        }
    });
}

nn::GeneralResult<nn::SharedPreparedModel> PreparedModel::create(
        std::shared_ptr<IPreparedModel> preparedModel, nn::Version featureLevel) {
    using Result = nn::GeneralResult<nn::SharedPreparedModel>;
    return createdFor<Result>(featureLevel, [&](::nn::HalVersion version) {
        switch (version) {
            case ::nn::HalVersion::AIDL1:
                return ::nn::AIDL1::utils::PreparedModel::create(std::move(preparedModel));
            case ::nn::HalVersion::AIDL2:
                return ::nn::AIDL2::utils::PreparedModel::create(std::move(preparedModel));
            case ::nn::HalVersion::AIDL3:
                return ::nn::AIDL3::utils::PreparedModel::create(std::move(preparedModel));
            default:
                return ::nn::AIDL4::utils::PreparedModel::create(std::move(preparedModel));
        }
    });
}

nn::GeneralResult<nn::SharedExecution> Execution::create(std::shared_ptr<IExecution> execution,
                                                         nn::RequestRelocation relocation) {
    if (execution == nullptr) return NN_ERROR() << "the execution is null";
    return nn::SharedExecution(std::make_shared<const RelocatedExecution>(std::move(execution),
                                                                          std::move(relocation)));
}

}  // namespace aidl::android::hardware::neuralnetworks::utils
