// Client-side calls of everything that executes on a server: executions, launches, reusable
// executions.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "driver/fences/fence_arguments.h"
#include "service/remote.h"

namespace nn::service {

// RESOURCE_EXHAUSTED_PERSISTENT if there are more fences than fit into a message.
Status checkFences(const std::vector<SyncFence>& waitFor);
void writeFences(Connection::State& state, const RemoteObject& object,
                 const SharedExecutionMessage& execute, const driver::FenceArguments& fences,
                 rpc::Fences::Builder to);

// Prepares the inputs of a launch, and returns the remaining fences. If inputs are behind pointers,
// waits for the fences and copies them. Inputs in pools are sent to a remote server later, when the
// fences have signaled.
GeneralResult<driver::FenceArguments> prepareLaunch(std::string_view call,
                                                    const RemoteObject& object,
                                                    const SharedExecutionMessage& execute,
                                                    driver::FenceArguments fences);

// A server's reply to a launch.
struct Launched {
    RemoteObject fenced;
    bool isSignaled = false;
};

template <class Reply>
GeneralResult<Launched> launchedOf(Connection::State& state,
                                   const std::shared_ptr<const Connection>& connection,
                                   Reply&& reply) {
    NNAPI_RETURN_IF_ERROR(statusOf(reply.getFailure()));
    if (!reply.hasFenced()) return error() << "the server reports success without an execution";
    return Launched{RemoteObject(connection, state.retain(reply.getFenced())),
                    reply.getIsSignaled()};
}

// Transfers inputs to the server's memory, before the call that executes.
GeneralResult<void> prepareInputs(const RemoteObject& object, const SharedExecutionMessage& execute,
                                  const OptionalTimePoint& deadline);

// Forgets which bytes of the outputs the server has, since the execution may have overwritten them,
// even if it failed or no caller waits for it. Called on the loop before the result is reported, so
// that bytes that other threads send meanwhile are sent once more.
void forgetOutputs(const RemoteObject& object, const SharedExecutionMessage& execute);

// Fetches the outputs of a successful execution from a remote server.
kj::Promise<Status> fetchFrom(const RemoteObject& object, Connection::State& state,
                              const SharedExecutionMessage& execute,
                              const std::vector<OutputShape>& shapes,
                              const SharedOutputSignatures& signatures);

// The fence of a launch, and the callback for its result.
GeneralResult<ExecutedFenced> fencedOf(const GeneralResult<Launched>& launched,
                                       const SharedExecutionMessage& execute,
                                       const SharedOutputSignatures& signatures);

// Sends a call and reads its reply; with a remote server, also fetches the outputs.
template <class Ended, class Call, class Read, class ShapesOf>
kj::Promise<Ended> sendAndReceive(Connection::State& state, const RemoteObject& object,
                                  const SharedExecutionMessage& execute,
                                  const SharedOutputSignatures& signatures, Call call, Read read,
                                  ShapesOf shapesOf) {
    // Moved, since the promise would keep a reference to an lvalue.
    if (!object.connection().isRemote()) return sendWithinBounds(call).then(kj::mv(read));
    return sendWithinBounds(call).then([&state, object, execute, signatures, read,
                                        shapesOf](auto&& reply) -> kj::Promise<Ended> {
        forgetOutputs(object, execute);
        Ended ended = read(reply);
        const std::optional<std::vector<OutputShape>> shapes = shapesOf(ended);
        if (!shapes) return ended;
        return fetchFrom(object, state, execute, *shapes, signatures)
                .then([ended](Status&& status) {
                    return status.ok() ? ended : Ended(std::move(status));
                });
    });
}

// Executes by any object of the server; `ask` creates the request for the call.
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
    auto executed = driver::checkExecutionResult(
            object.connection().call<Ended>(
                    call, deadline,
                    [object, execute, signatures, ask, shapesOf](Connection::State& state) {
                        return sendAndReceive<Ended>(
                                state, object, execute, signatures, ask(state),
                                [](auto&& reply) { return executedOf(reply.getExecuted()); },
                                shapesOf);
                    }),
            {execute->call.request->outputs, signatures.get()}, execute->call.config.measureTiming,
            kServerResults);
    if (executed.has_value()) execute->moved.relocation.output.flush();
    return executed;
}

// Executes a call by a prepared model or a burst of the server.
template <class I>
ExecutionResult<Executed> executeOn(std::string_view call, const RemoteObject& object,
                                    const driver::ExecutionCall& request,
                                    const SharedOutputSignatures& signatures) {
    const Connection& connection = object.connection();
    driver::KeptPools::Lease pools(connection.pools());
    // A server that descriptors do not reach is sent the contents each time.
    const bool keepsPools = !connection.isRemote() && connection.isOfThisProcess();
    const auto makePool = [&](uint32_t size) {
        return keepsPools ? pools.take(size) : MappedMemory::create(size);
    };
    NNAPI_ASSIGN_OR_RETURN(execute, makeExecutionMessage(connection, request, makePool));
    auto executed =
            executeBy(call, object, execute, signatures, request.deadline,
                      [object, execute, deadline = request.deadline](Connection::State& state) {
                          auto request = state.capability<I>(object.id()).executeRequest();
                          execute->write(state, deadline, request.initExecute());
                          return request;
                      });
    if (executed.has_value()) pools.giveBack();
    return executed;
}

// Like executeBy(), for launches; `ask` receives the remaining fences.
template <class Ask>
GeneralResult<ExecutedFenced> launchBy(std::string_view call, const RemoteObject& object,
                                       const SharedExecutionMessage& execute,
                                       const SharedOutputSignatures& signatures,
                                       driver::FenceArguments arguments, Ask ask) {
    using Launch = GeneralResult<Launched>;
    NNAPI_ASSIGN_OR_RETURN(fences, prepareLaunch(call, object, execute, std::move(arguments)));
    const auto shapesOf = [](const Launch& launch) -> std::optional<std::vector<OutputShape>> {
        if (!launch.has_value() || !launch->isSignaled) return {};
        return std::vector<OutputShape>();
    };
    auto launched = object.connection().call<Launch>(
            call, fences.deadline,
            [object, execute, signatures, fences, ask, shapesOf](Connection::State& state) {
                return sendAndReceive<Launch>(
                        state, object, execute, signatures, ask(state, fences),
                        [&state, object](auto&& reply) {
                            return launchedOf(state, object.sharedConnection(), reply);
                        },
                        shapesOf);
            });
    NNAPI_ASSIGN_OR_RETURN(fenced, fencedOf(launched, execute, signatures));
    return driver::launchedAfter(fences.waited, std::move(fenced));
}

// A reusable execution of the server.
SharedExecution remoteExecution(RemoteObject object, SharedExecutionMessage execute,
                                SharedOutputSignatures signatures);

// A reusable execution of a prepared model or a burst; checked by the server, but null if arguments
// are behind pointers. Those get new memory for each execution, so that concurrent executions, and
// abandoned ones, do not share it.
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
                         signatures](auto&& reply) -> GeneralResult<SharedExecution> {
                            NNAPI_RETURN_IF_ERROR(statusOf(reply.getFailure()));
                            if (!reply.hasExecution()) {
                                return error() << "the server reports success without an execution";
                            }
                            return remoteExecution(RemoteObject(object.sharedConnection(),
                                                                state.retain(reply.getExecution())),
                                                   execute, signatures);
                        });
            });
    if (made.has_value() && (execute->moved.hasInputs || execute->moved.hasOutputs)) {
        return SharedExecution();
    }
    return made;
}

}  // namespace nn::service
