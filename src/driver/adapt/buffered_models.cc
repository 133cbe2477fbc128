#include "driver/adapt/buffered_models.h"

#include <any>
#include <utility>

#include "base/no_throw.h"
#include "driver/adapt/default_execution.h"
#include "driver/memory/call_objects.h"
#include "nnapi/validate.h"

namespace nn::driver {
namespace {

// The inputs and outputs of a model, which are all that an allocation reads.
Model signatureOf(const Model& model) {
    Model signature;
    signature.extensionNameToPrefix = model.extensionNameToPrefix;
    const auto copy = [&](const std::vector<uint32_t>& from, std::vector<uint32_t>& to) {
        for (const uint32_t index : from) {
            to.push_back(static_cast<uint32_t>(signature.main.operands.size()));
            signature.main.operands.push_back(model.main.operands[index]);
        }
    };
    copy(model.main.inputIndexes, signature.main.inputIndexes);
    copy(model.main.outputIndexes, signature.main.outputIndexes);
    return signature;
}

class BufferedPreparedModel final : public ForwardingCallPreparedModel,
                                    public std::enable_shared_from_this<BufferedPreparedModel> {
   public:
    BufferedPreparedModel(SharedPreparedModel inner, const Model& model,
                          std::shared_ptr<const DeviceBuffers> buffers)
        : ForwardingCallPreparedModel(std::move(inner)),
          mSignature(signatureOf(model)),
          mBuffers(std::move(buffers)) {}

    const Model& signature() const { return mSignature; }
    bool isOf(const std::shared_ptr<DeviceBuffers>& buffers) const { return mBuffers == buffers; }

    std::any getUnderlyingResource() const override { return weak_from_this(); }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        if (!BufferUse::hasBuffers(call.request)) return call.on(*inner());
        NNAPI_ASSIGN_OR_RETURN(use, useOf(call.request));
        const Result<Request> resolved = use.begin();
        return use.end(resolved.ok() ? call.with(*resolved).on(*inner())
                                     : ExecutionResult<Executed>(resolved.status()));
    }
    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        if (!BufferUse::hasBuffers(call.request)) {
            return call.fencedOn(*inner(), waitFor, timeoutDurationAfterFence);
        }
        NNAPI_RETURN_IF_ERROR(useOf(call.request).status());
        return executeAfterFences(*this, call, waitFor, timeoutDurationAfterFence);
    }
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        if (!BufferUse::hasBuffers(call.request)) return call.reusableOn(*inner());
        NNAPI_RETURN_IF_ERROR(useOf(call.request).status());
        return defaultExecution(shared_from_this(), call);
    }
    SharedBurst wrapBurst(SharedBurst made) const override;

   private:
    Result<BufferUse> useOf(const Request& request) const {
        NNAPI_RETURN_IF_ERROR(validate(request).status());
        return BufferUse::make(*mBuffers, weak_from_this(), request);
    }

    const Model mSignature;
    const std::shared_ptr<const DeviceBuffers> mBuffers;
};

// Leaves requests with buffers to the prepared model.
class BufferedBurst final : public ForwardingCallBurst {
   public:
    BufferedBurst(SharedBurst inner, SharedPreparedModel preparedModel)
        : ForwardingCallBurst(std::move(inner)), mPreparedModel(std::move(preparedModel)) {}

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        return BufferUse::hasBuffers(call.request) ? call.on(*mPreparedModel) : call.on(*inner());
    }
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        return BufferUse::hasBuffers(call.request) ? call.reusableOn(*mPreparedModel)
                                                   : call.reusableOn(*inner());
    }

   private:
    const SharedPreparedModel mPreparedModel;
};

SharedBurst BufferedPreparedModel::wrapBurst(SharedBurst made) const {
    return std::make_shared<const BufferedBurst>(std::move(made), shared_from_this());
}

}  // namespace

SharedPreparedModel BufferedModels::wrap(SharedPreparedModel inner, const Model& model) const {
    return std::make_shared<const BufferedPreparedModel>(std::move(inner), model, mBuffers);
}

GeneralResult<SharedBuffer> BufferedModels::allocate(
        const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
        const std::vector<BufferRole>& inputRoles,
        const std::vector<BufferRole>& outputRoles) const NNAPI_TRY {
    // They live as long as the call.
    std::vector<std::shared_ptr<const BufferedPreparedModel>> own;
    std::vector<BufferUser> users;
    for (const SharedPreparedModel& each : preparedModels) {
        const std::any resource = each == nullptr ? std::any() : each->getUnderlyingResource();
        const auto* weak = std::any_cast<std::weak_ptr<const BufferedPreparedModel>>(&resource);
        own.push_back(weak == nullptr ? nullptr : weak->lock());
        const bool isOwn = own.back() != nullptr && own.back()->isOf(mBuffers);
        users.push_back(isOwn ? BufferUser{own.back(), &own.back()->signature()} : BufferUser());
    }
    return mBuffers->allocate(desc, users, inputRoles, outputRoles);
}
NNAPI_CATCH

}  // namespace nn::driver
