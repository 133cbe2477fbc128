// What executions are asked with.
#include <utility>

#include "service/remote.h"

namespace nn::service {

void write(const ExecutionArguments& asking, rpc::Execute::Builder to) {
    auto request = to.initRequest();
    const auto& [inputs, outputs, pools] = asking.request;
    write(inputs, request.initInputs(count(inputs.size())));
    write(outputs, request.initOutputs(count(outputs.size())));
    to.setMeasure(static_cast<int32_t>(asking.measure));
    if (asking.deadline) writeDeadline(asking.deadline, to.initDeadline());
    if (asking.loopTimeout) write(asking.loopTimeout, to.initLoopTimeout());
    if (!asking.hints.empty()) write(asking.hints, to.initHints(count(asking.hints.size())));
    if (!asking.prefixes.empty()) {
        write(asking.prefixes, to.initPrefixes(count(asking.prefixes.size())));
    }
}

void Execute::write(Connection::State& state, const OptionalTimePoint& deadline,
                    rpc::Execute::Builder to) const {
    service::write({request, measure, deadline, loopTimeout, hints, prefixes}, to);
    auto pools = to.getRequest().initPools(count(request.pools.size()));
    for (unsigned i = 0; i < pools.size(); ++i) {
        if (buffers[i] != nullptr) {
            pools[i].setBuffer(state.held<rpc::Buffer>(buffers[i]->held().id()));
        } else if (const auto* memory = std::get_if<SharedMemory>(&request.pools[i])) {
            if (*memory != nullptr) pools[i].setMemory(state.share(*memory));
        } else if (const auto* token = std::get_if<Request::MemoryDomainToken>(&request.pools[i])) {
            pools[i].setToken(static_cast<uint32_t>(*token));
        }
    }
}

Result<SharedExecutionMessage> makeExecutionMessage(const Connection& connection,
                                                    const ExecutionArguments& asking) {
    auto execute = std::make_shared<Execute>();
    NNAPI_ASSIGN_OR_RETURN(moved, driver::shareArguments(asking.request));
    execute->request = moved.request ? *std::exchange(moved.request, std::nullopt) : asking.request;
    execute->moved = std::move(moved);
    for (const Request::MemoryPool& pool : execute->request.pools) {
        auto& ours = execute->buffers.emplace_back();
        const auto* buffer = std::get_if<SharedBuffer>(&pool);
        if (buffer == nullptr) continue;
        ours = std::dynamic_pointer_cast<const RemoteBuffer>(*buffer);
        if (ours == nullptr || &ours->held().connection() != &connection) {
            return Status(error(ErrorStatus::INVALID_ARGUMENT)
                          << "pools[" << execute->buffers.size() - 1
                          << "] is a buffer of another device");
        }
    }
    execute->measure = asking.measure;
    execute->loopTimeout = asking.loopTimeout;
    execute->hints = asking.hints;
    execute->prefixes = asking.prefixes;
    return SharedExecutionMessage(std::move(execute));
}

}  // namespace nn::service
