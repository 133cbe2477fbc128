// Client-side calls of everything that executes on a server: executions, launches, reusable
// executions.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "driver/fences/fence_arguments.h"
#include "service/remote.h"

namespace nn::service {

// Fences as they travel.
Status checkFences(const std::vector<SyncFence>& waitFor);
void writeFences(Connection::State& state, const RemoteObject& object,
                 const SharedExecutionMessage& execute, const driver::FenceArguments& fences,
                 rpc::Fences::Builder to);

// Before an execution is launched: what was behind pointers is copied when its fences are
// signalled, for which this waits. What is in pools goes to a server that descriptors do not reach
// when it has been told so, for which nobody waits.
GeneralResult<driver::FenceArguments> prepareLaunch(std::string_view call,
                                                    const RemoteObject& object,
                                                    const SharedExecutionMessage& execute,
                                                    driver::FenceArguments fences);

// What a server answers to a launch.
struct Launched {
    RemoteObject fenced;
    bool isSignalled = false;
};

template <class Answer>
GeneralResult<Launched> launchedOf(Connection::State& state,
                                   const std::shared_ptr<const Connection>& connection,
                                   Answer&& answer) {
    NNAPI_RETURN_IF_ERROR(statusOf(answer.getFailure()));
    if (!answer.hasFenced()) return error() << "the server answers success without an execution";
    return Launched{RemoteObject(connection, state.retain(answer.getFenced())),
                    answer.getIsSignalled()};
}

// Before an execution is asked for: what was behind pointers goes where the server finds it.
GeneralResult<void> prepareInputs(const RemoteObject& object, const SharedExecutionMessage& execute,
                                  const OptionalTimePoint& deadline);

// What an execution may have written is not what the server was sent, however it has ended, and
// whether anybody still waits. On the loop, before the end is told: what others have sent there
// meanwhile has arrived before it was written over, or is sent once more.
void forgetOutputs(const RemoteObject& object, const SharedExecutionMessage& execute);

// Outputs of an execution that has ended well, where descriptors do not reach the server.
kj::Promise<Status> fetchFrom(const RemoteObject& object, Connection::State& state,
                              const SharedExecutionMessage& execute,
                              const std::vector<OutputShape>& shapes,
                              const SharedOutputSignatures& signatures);

// The fence of a launch, and what tells how it went.
GeneralResult<ExecutedFenced> fencedOf(const GeneralResult<Launched>& launched,
                                       const SharedExecutionMessage& execute,
                                       const SharedOutputSignatures& signatures);

// What an answer is read to; where descriptors do not reach the server, once outputs are fetched
// too.
template <class Ended, class Call, class Read, class ShapesOf>
kj::Promise<Ended> answered(Connection::State& state, const RemoteObject& object,
                            const SharedExecutionMessage& execute,
                            const SharedOutputSignatures& signatures, Call call, Read read,
                            ShapesOf shapesOf) {
    // Moved: of what is not, the promise would keep a reference.
    if (!object.connection().isRemote()) return sendWithinBounds(call).then(kj::mv(read));
    return sendWithinBounds(call).then([&state, object, execute, signatures, read,
                                        shapesOf](auto&& answer) -> kj::Promise<Ended> {
        forgetOutputs(object, execute);
        Ended ended = read(answer);
        const std::optional<std::vector<OutputShape>> shapes = shapesOf(ended);
        if (!shapes) return ended;
        return fetchFrom(object, state, execute, *shapes, signatures)
                .then([ended](Status&& status) {
                    return status.ok() ? ended : Ended(std::move(status));
                });
    });
}

// Asks any object that executes, by what makes the request of the engine.
template <class Ask>
ExecutionResult<Executed> executeBy(std::string_view call, const RemoteObject& object,
                                    const SharedExecutionMessage& execute,
                                    const SharedOutputSignatures& signatures,
                                    const OptionalTimePoint& deadline, Ask ask) {
    using Ended = ExecutionResult<Executed>;
    NNAPI_RETURN_IF_ERROR(prepareInputs(object, execute, deadline).status());
    const auto shapesOf = [](const Ended& ended) -> std::optional<std::vector<OutputShape>> {
        if (!ended.has_value()) return {};
        return ended->first;
    };
    auto executed = driver::judge(
            object.connection().call<Ended>(
                    call, deadline,
                    [object, execute, signatures, ask, shapesOf](Connection::State& state) {
                        return answered<Ended>(
                                state, object, execute, signatures, ask(state),
                                [](auto&& answer) { return executedOf(answer.getExecuted()); },
                                shapesOf);
                    }),
            {execute->call.request->outputs, signatures.get()}, execute->call.config.measureTiming,
            kServerAnswers);
    if (executed.has_value()) execute->moved.relocation.output.flush();
    return executed;
}

// Executes what a caller asks a prepared model or a burst for.
template <class I>
ExecutionResult<Executed> executeOn(std::string_view call, const RemoteObject& object,
                                    const driver::ExecutionCall& asked,
                                    const SharedOutputSignatures& signatures) {
    NNAPI_ASSIGN_OR_RETURN(execute, makeExecutionMessage(object.connection(), asked));
    return executeBy(call, object, execute, signatures, asked.deadline,
                     [object, execute, deadline = asked.deadline](Connection::State& state) {
                         auto request = state.capability<I>(object.id()).executeRequest();
                         execute->write(state, deadline, request.initExecute());
                         return request;
                     });
}

// The same for launches; `ask` gets what is left of the fences.
template <class Ask>
GeneralResult<ExecutedFenced> launchBy(std::string_view call, const RemoteObject& object,
                                       const SharedExecutionMessage& execute,
                                       const SharedOutputSignatures& signatures,
                                       driver::FenceArguments given, Ask ask) {
    using Launch = GeneralResult<Launched>;
    NNAPI_ASSIGN_OR_RETURN(fences, prepareLaunch(call, object, execute, std::move(given)));
    const auto shapesOf = [](const Launch& launch) -> std::optional<std::vector<OutputShape>> {
        if (!launch.has_value() || !launch->isSignalled) return {};
        return std::vector<OutputShape>();
    };
    auto launched = object.connection().call<Launch>(
            call, fences.deadline,
            [object, execute, signatures, fences, ask, shapesOf](Connection::State& state) {
                return answered<Launch>(
                        state, object, execute, signatures, ask(state, fences),
                        [&state, object](auto&& answer) {
                            return launchedOf(state, object.sharedConnection(), answer);
                        },
                        shapesOf);
            });
    NNAPI_ASSIGN_OR_RETURN(fenced, fencedOf(launched, execute, signatures));
    return driver::launchedAfter(fences.waited, std::move(fenced));
}

// An execution that the server keeps.
SharedExecution remoteExecution(RemoteObject object, SharedExecutionMessage execute,
                                SharedOutputSignatures signatures);

// A reusable execution of a prepared model or of a burst. Null where arguments lie behind pointers:
// they have places of their own in each execution, so that several may run at one time, and one
// that was given up does not spoil the next. The server has checked the request then.
template <class I>
GeneralResult<SharedExecution> createExecution(const RemoteObject& object,
                                               const SharedExecutionMessage& execute,
                                               const SharedOutputSignatures& signatures) {
    auto made = object.connection().call<GeneralResult<SharedExecution>>(
            "createReusableExecution", {}, [object, execute, signatures](Connection::State& state) {
                auto request = state.capability<I>(object.id()).createReusableExecutionRequest();
                execute->write(state, {}, request.initExecute());
                return sendWithinBounds(request).then(
                        [&state, object, execute,
                         signatures](auto&& answer) -> GeneralResult<SharedExecution> {
                            NNAPI_RETURN_IF_ERROR(statusOf(answer.getFailure()));
                            if (!answer.hasExecution()) {
                                return error() << "the server answers success without an execution";
                            }
                            return remoteExecution(
                                    RemoteObject(object.sharedConnection(),
                                                 state.retain(answer.getExecution())),
                                    execute, signatures);
                        });
            });
    if (made.has_value() && (execute->moved.hasInputs || execute->moved.hasOutputs)) {
        return SharedExecution();
    }
    return made;
}

}  // namespace nn::service
