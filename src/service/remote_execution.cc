// Client-side reusable executions and their fences.
#include <utility>

#include "base/no_throw.h"
#include "service/remote_calls.h"

namespace nn::service {
namespace {

GeneralResult<FencedTimings> infoOf(const RemoteObject& fenced, MeasureTiming measure) NNAPI_TRY {
    auto infos = fenced.connection().call<GeneralResult<FencedTimings>>(
            "getExecutionInfo", {}, [fenced](Connection::State& state) {
                return state.capability<rpc::Fenced>(fenced.id())
                        .infoRequest()
                        .send()
                        .then([](auto&& reply) -> GeneralResult<FencedTimings> {
                            NNAPI_RETURN_IF_ERROR(statusOf(reply.getFailure()));
                            return FencedTimings(timingOf(reply.getLaunched()),
                                                 timingOf(reply.getFenced()));
                        });
            });
    return driver::checkExecutionResult(std::move(infos), measure, kServerResults);
}
NNAPI_CATCH

class RemoteExecution final : public IExecution {
   public:
    RemoteExecution(RemoteObject object, SharedExecutionMessage execute,
                    SharedOutputSignatures signatures)
        : mObject(std::move(object)),
          mExecute(std::move(execute)),
          mSignatures(std::move(signatures)) {}

    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override NNAPI_TRY {
        return executeBy("compute", mObject, mExecute, mSignatures, deadline,
                         [object = mObject, deadline](Connection::State& state) {
                             auto request =
                                     state.capability<rpc::Execution>(object.id()).computeRequest();
                             writeDeadline(deadline, request.initDeadline());
                             return request;
                         });
    }
    NNAPI_CATCH

    GeneralResult<ExecutedFenced> computeFenced(
            const std::vector<SyncFence>& waitFor, const OptionalTimePoint& deadline,
            const OptionalDuration& timeoutDurationAfterFence) const override NNAPI_TRY {
        return launchBy(
                "computeFenced", mObject, mExecute, mSignatures,
                {waitFor, deadline, timeoutDurationAfterFence},
                [object = mObject, execute = mExecute](Connection::State& state,
                                                       const driver::FenceArguments& fences) {
                    auto request =
                            state.capability<rpc::Execution>(object.id()).computeFencedRequest();
                    writeFences(state, object, execute, fences, request.initFences());
                    return request;
                });
    }
    NNAPI_CATCH

   private:
    RemoteObject mObject;
    SharedExecutionMessage mExecute;
    SharedOutputSignatures mSignatures;
};

}  // namespace

Status checkFences(const std::vector<SyncFence>& waitFor) {
    if (waitFor.size() <= kMaxDescriptors) return {};
    return error(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT)
           << "there are " << waitFor.size() << " fences to wait for, allowed at most "
           << kMaxDescriptors;
}

void writeFences(Connection::State& state, const RemoteObject& object,
                 const SharedExecutionMessage& execute, const driver::FenceArguments& fences,
                 rpc::Fences::Builder to) {
    writeDeadline(fences.deadline, to.initDeadline());
    write(fences.timeoutAfterFences, to.initAfterFences());
    if (object.connection().isRemote() && !fences.waitFor.empty()) {
        // Weak: the server may keep this longer than any client object keeps the connection.
        const std::weak_ptr<const Connection> connection = object.sharedConnection();
        to.initWaitFor(1).set(
                0, state.serveFences(
                           fences.waitFor, [connection, memories = execute->memoriesAlone()] {
                               const auto open = connection.lock();
                               if (open != nullptr) return memories->sendInputs(open);
                               return kj::Promise<Status>(error() << "the client has gone");
                           }));
        return;
    }
    auto descriptors = to.initWaitFor(count(fences.waitFor.size()));
    for (unsigned i = 0; i < descriptors.size(); ++i) {
        // A null capability means no fence, or a signaled one.
        if (fences.waitFor[i].getSharedHandle() == nullptr) continue;
        descriptors.set(i, state.descriptorOf(fences.waitFor[i]));
    }
}

GeneralResult<driver::FenceArguments> prepareLaunch(std::string_view call,
                                                    const RemoteObject& object,
                                                    const SharedExecutionMessage& execute,
                                                    driver::FenceArguments fences) {
    const Connection& connection = object.connection();
    NNAPI_RETURN_IF_ERROR(checkFences(fences.waitFor));
    if (execute->moved.hasInputs) {
        NNAPI_ASSIGN_OR_RETURN(left, driver::waitBeforeCopying(call, std::move(fences),
                                                               connection.options().ceiling));
        fences = std::move(left);
    }
    if (connection.isRemote() && !fences.waitFor.empty()) {
        NNAPI_RETURN_IF_ERROR(execute->checkTravels());
    } else {
        NNAPI_RETURN_IF_ERROR(prepareInputs(object, execute, fences.deadline).status());
    }
    return fences;
}

GeneralResult<void> prepareInputs(const RemoteObject& object, const SharedExecutionMessage& execute,
                                  const OptionalTimePoint& deadline) {
    execute->moved.relocation.input.flush();
    if (!object.connection().isRemote()) return {};
    NNAPI_RETURN_IF_ERROR(execute->checkTravels());
    return execute->sendInputs(object.connection(), deadline);
}

void forgetOutputs(const RemoteObject& object, const SharedExecutionMessage& execute) {
    if (object.connection().isRemote()) execute->forgetOutputs(object.connection());
}

kj::Promise<Status> fetchFrom(const RemoteObject& object, Connection::State& state,
                              const SharedExecutionMessage& execute,
                              const std::vector<OutputShape>& shapes,
                              const SharedOutputSignatures& signatures) {
    if (!object.connection().isRemote()) return Status();
    return execute->fetchOutputs(state, shapes, signatures);
}

GeneralResult<ExecutedFenced> fencedOf(const GeneralResult<Launched>& launched,
                                       const SharedExecutionMessage& execute,
                                       const SharedOutputSignatures& signatures) {
    if (!launched.has_value()) return launched.status();
    SyncFence fence = SyncFence::createAsSignaled();
    if (!launched->isSignaled) {
        // Results are copied back to the caller's pointers before the fence is signaled.
        const RemoteObject& object = launched->fenced;
        NNAPI_ASSIGN_OR_RETURN(
                made, object.connection().fenceOf(
                              object,
                              [object, execute, signatures](Connection::State& state,
                                                            Status ended) -> kj::Promise<Status> {
                                  forgetOutputs(object, execute);
                                  if (!ended.ok()) return ended;
                                  return fetchFrom(object, state, execute, {}, signatures)
                                          .then([execute](Status&& status) {
                                              if (status.ok())
                                                  execute->moved.relocation.output.flush();
                                              return std::move(status);
                                          });
                              }));
        fence = std::move(made);
    } else {
        execute->moved.relocation.output.flush();
    }
    return ExecutedFenced{std::move(fence), [fenced = launched->fenced, execute] {
                              return infoOf(fenced, execute->call.config.measureTiming);
                          }};
}

SharedExecution remoteExecution(RemoteObject object, SharedExecutionMessage execute,
                                SharedOutputSignatures signatures) {
    return std::make_shared<const RemoteExecution>(std::move(object), std::move(execute),
                                                   std::move(signatures));
}

}  // namespace nn::service
