// Client-side prepared models.
#include <utility>

#include "base/no_throw.h"
#include "driver/adapt/default_execution.h"
#include "driver/memory/call_objects.h"
#include "service/call_queues.h"
#include "service/remote_calls.h"

namespace nn::service {
namespace {

class RemotePreparedModel final : public driver::CallPreparedModel,
                                  public std::enable_shared_from_this<RemotePreparedModel> {
   public:
    RemotePreparedModel(RemoteObject object, SharedOutputSignatures signatures)
        : mObject(std::move(object)),
          mSignatures(std::move(signatures)),
          mQueues(std::make_shared<const ModelQueues>(mObject)) {}
    const RemoteObject& object() const { return mObject; }

    ExecutionResult<Executed> executeCall(const driver::ExecutionCall& call) const override {
        auto executed = mQueues->execute(call, mSignatures);
        if (executed) return *std::move(executed);
        return executeOn<rpc::PreparedModel>("execute", mObject, call, mSignatures);
    }

    GeneralResult<ExecutedFenced> launchCall(
            const driver::ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        NNAPI_ASSIGN_OR_RETURN(execute, makeExecutionMessage(mObject.connection(), call));
        return launchBy("executeFenced", mObject, execute, mSignatures,
                        {waitFor, call.deadline, timeoutDurationAfterFence},
                        [object = mObject, execute](Connection::State& state,
                                                    const driver::FenceArguments& fences) {
                            auto call = state.capability<rpc::PreparedModel>(object.id())
                                                .executeFencedRequest();
                            execute->write(state, fences.deadline, call.initExecute());
                            writeFences(state, object, execute, fences, call.initFences());
                            return call;
                        });
    }

    GeneralResult<SharedExecution> makeExecution(const driver::ExecutionCall& call) const override {
        NNAPI_ASSIGN_OR_RETURN(execute, makeExecutionMessage(mObject.connection(), call));
        NNAPI_ASSIGN_OR_RETURN(made,
                               createExecution<rpc::PreparedModel>(mObject, execute, mSignatures));
        if (made == nullptr) return driver::defaultExecution(shared_from_this(), call);
        return SharedExecution(std::make_shared<const QueuedExecution<ModelQueues>>(
                mQueues, std::move(made), driver::OwnedCall(call), mSignatures));
    }

    GeneralResult<SharedBurst> configureExecutionBurst() const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(
                burst,
                mObject.connection().call<GeneralResult<RemoteObject>>(
                        "configureExecutionBurst", {},
                        [object = mObject](Connection::State& state) {
                            return state.capability<rpc::PreparedModel>(object.id())
                                    .configureExecutionBurstRequest()
                                    .send()
                                    .then([&state,
                                           object](auto&& reply) -> GeneralResult<RemoteObject> {
                                        NNAPI_RETURN_IF_ERROR(statusOf(reply.getFailure()));
                                        if (reply.hasBurst()) {
                                            return RemoteObject(object.sharedConnection(),
                                                                state.retain(reply.getBurst()));
                                        }
                                        return error() << "the server reports success "
                                                          "without a burst";
                                    });
                        }));
        return remoteBurst(std::move(burst), shared_from_this(), mSignatures);
    }
    NNAPI_CATCH

    std::any getUnderlyingResource() const override { return {}; }

   private:
    RemoteObject mObject;
    SharedOutputSignatures mSignatures;
    std::shared_ptr<const ModelQueues> mQueues;
};

}  // namespace

SharedPreparedModel remotePreparedModel(RemoteObject object, SharedOutputSignatures signatures) {
    return std::make_shared<const RemotePreparedModel>(std::move(object), std::move(signatures));
}

std::optional<RemoteObject> remoteObjectOf(const SharedPreparedModel& preparedModel,
                                           const Connection& connection) {
    const auto* ours = dynamic_cast<const RemotePreparedModel*>(preparedModel.get());
    if (ours == nullptr || &ours->object().connection() != &connection) return {};
    return ours->object();
}

}  // namespace nn::service
