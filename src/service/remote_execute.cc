// The arguments of executions on their way to the server.
#include <utility>

#include "service/remote.h"

namespace nn::service {

void write(const driver::ExecutionCall& call, rpc::Execute::Builder to) {
    auto request = to.initRequest();
    const auto& [inputs, outputs, pools] = call.request;
    write(inputs, request.initInputs(count(inputs.size())));
    write(outputs, request.initOutputs(count(outputs.size())));
    to.setMeasure(static_cast<int32_t>(call.measure));
    if (call.deadline) writeDeadline(call.deadline, to.initDeadline());
    if (call.loopTimeoutDuration) write(call.loopTimeoutDuration, to.initLoopTimeout());
    if (!call.hints.empty()) write(call.hints, to.initHints(count(call.hints.size())));
    if (!call.extensionNameToPrefix.empty()) {
        write(call.extensionNameToPrefix,
              to.initPrefixes(count(call.extensionNameToPrefix.size())));
    }
}

void Execute::write(Connection::State& state, const OptionalTimePoint& deadline,
                    rpc::Execute::Builder to) const {
    const Request& request = *call.request;
    service::write(call.lent(deadline), to);
    auto pools = to.getRequest().initPools(count(request.pools.size()));
    for (unsigned i = 0; i < pools.size(); ++i) {
        if (buffers[i] != nullptr) {
            pools[i].setBuffer(state.capability<rpc::Buffer>(buffers[i]->object().id()));
        } else if (const auto* memory = std::get_if<SharedMemory>(&request.pools[i])) {
            if (*memory != nullptr) pools[i].setMemory(state.share(*memory));
        } else if (const auto* token = std::get_if<Request::MemoryDomainToken>(&request.pools[i])) {
            pools[i].setToken(static_cast<uint32_t>(*token));
        }
    }
}

Result<SharedExecutionMessage> makeExecutionMessage(const Connection& connection,
                                                    const driver::ExecutionCall& call,
                                                    const MakePool& makePool) {
    auto execute = std::make_shared<Execute>();
    NNAPI_ASSIGN_OR_RETURN(moved,
                           driver::shareArguments(call.request, kMinMemoryPadding, makePool));
    execute->call = moved.request
                            ? driver::OwnedCall(call, *std::exchange(moved.request, std::nullopt))
                            : driver::OwnedCall(call);
    execute->moved = std::move(moved);
    for (const Request::MemoryPool& pool : execute->call.request->pools) {
        auto& ours = execute->buffers.emplace_back();
        const auto* buffer = std::get_if<SharedBuffer>(&pool);
        if (buffer == nullptr) continue;
        ours = std::dynamic_pointer_cast<const RemoteBuffer>(*buffer);
        if (ours == nullptr || &ours->object().connection() != &connection) {
            return Status(error(ErrorStatus::INVALID_ARGUMENT)
                          << "pools[" << execute->buffers.size() - 1
                          << "] is a buffer of another device");
        }
    }
    return SharedExecutionMessage(std::move(execute));
}

}  // namespace nn::service
