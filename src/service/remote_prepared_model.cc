// Client-side prepared models.
#include <utility>

#include "driver/adapt/default_execution.h"
#include "driver/memory/call_objects.h"
#include "service/remote_calls.h"
#include "types/no_throw.h"

namespace nn::service {
namespace {

class RemotePreparedModel final : public driver::CallPreparedModel,
                                  public std::enable_shared_from_this<RemotePreparedModel> {
   public:
    RemotePreparedModel(Held held, SharedOutputSignatures signatures)
        : mHeld(std::move(held)), mSignatures(std::move(signatures)) {}
    const Held& held() const { return mHeld; }

    ExecutionResult<Executed> executeCall(const driver::ExecutionCall& call) const override {
        return executeOn<rpc::PreparedModel>("execute", mHeld, call, mSignatures);
    }

    GeneralResult<ExecutedFenced> launchCall(
            const driver::ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        NNAPI_ASSIGN_OR_RETURN(execute, makeExecutionMessage(mHeld.connection(), call));
        return launchBy(
                "executeFenced", mHeld, execute, mSignatures,
                {waitFor, call.deadline, timeoutDurationAfterFence},
                [held = mHeld, execute](Connection::State& state,
                                        const driver::FenceArguments& fences) {
                    auto call = state.held<rpc::PreparedModel>(held.id()).executeFencedRequest();
                    execute->write(state, fences.deadline, call.initExecute());
                    writeFences(state, held, execute, fences, call.initFences());
                    return call;
                });
    }

    GeneralResult<SharedExecution> makeExecution(const driver::ExecutionCall& call) const override {
        NNAPI_ASSIGN_OR_RETURN(execute, makeExecutionMessage(mHeld.connection(), call));
        NNAPI_ASSIGN_OR_RETURN(made,
                               createExecution<rpc::PreparedModel>(mHeld, execute, mSignatures));
        if (made != nullptr) return made;
        return driver::defaultExecution(shared_from_this(), call);
    }

    GeneralResult<SharedBurst> configureExecutionBurst() const override NNAPI_TRY {
        NNAPI_ASSIGN_OR_RETURN(
                burst,
                mHeld.connection().call<GeneralResult<Held>>(
                        "configureExecutionBurst", {}, [held = mHeld](Connection::State& state) {
                            return state.held<rpc::PreparedModel>(held.id())
                                    .configureExecutionBurstRequest()
                                    .send()
                                    .then([&state, held](auto&& answer) -> GeneralResult<Held> {
                                        NNAPI_RETURN_IF_ERROR(statusOf(answer.getFailure()));
                                        if (answer.hasBurst()) {
                                            return Held(held.shared(),
                                                        state.hold(answer.getBurst()));
                                        }
                                        return error() << "the server answers success "
                                                          "without a burst";
                                    });
                        }));
        return remoteBurst(std::move(burst), shared_from_this(), mSignatures);
    }
    NNAPI_CATCH

    std::any getUnderlyingResource() const override { return {}; }

   private:
    Held mHeld;
    SharedOutputSignatures mSignatures;
};

}  // namespace

SharedPreparedModel remotePreparedModel(Held held, SharedOutputSignatures signatures) {
    return std::make_shared<const RemotePreparedModel>(std::move(held), std::move(signatures));
}

std::optional<Held> heldOf(const SharedPreparedModel& preparedModel, const Connection& connection) {
    const auto* ours = dynamic_cast<const RemotePreparedModel*>(preparedModel.get());
    if (ours == nullptr || &ours->held().connection() != &connection) return {};
    return ours->held();
}

}  // namespace nn::service
