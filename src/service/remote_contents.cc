// Transfers inputs and outputs of executions whose memories cannot be passed as descriptors.
#include <algorithm>
#include <map>
#include <utility>

#include "nnapi/type_utils.h"
#include "service/chunked_transfer.h"
#include "service/remote.h"

namespace nn::service {
namespace {

// The memory of an argument; null for buffers and invalid pool indexes.
SharedMemory memoryOf(const Request& request, const Request::Argument& argument) {
    if (argument.lifetime != Request::Argument::LifeTime::POOL) return nullptr;
    if (argument.location.poolIndex >= request.pools.size()) return nullptr;
    const auto* memory = std::get_if<SharedMemory>(&request.pools[argument.location.poolIndex]);
    return memory == nullptr ? nullptr : *memory;
}

// The bytes of an output that an execution may have written.
Range rangeOf(const Request::Argument& output, size_t index, const std::vector<OutputShape>& shapes,
              const SharedOutputSignatures& signatures) {
    const Range all{output.location.offset, output.location.length};
    if (signatures == nullptr || index >= signatures->size()) return all;
    const driver::OutputSignature& signature = (*signatures)[index];
    auto dimensions = combineDimensions(signature.dimensions, output.dimensions);
    if (index < shapes.size()) dimensions = shapes[index].dimensions;
    if (!dimensions) return all;
    const uint64_t size = operandSize(signature.type, *dimensions).value_or(0);
    return size == 0 ? all : Range{all.offset, std::min(all.length, size)};
}

// The ranges that an execution reads, by memory.
std::map<SharedMemory, std::vector<Range>> inputRanges(const Request& request) {
    std::map<SharedMemory, std::vector<Range>> ranges;
    for (const Request::Argument& input : request.inputs) {
        const SharedMemory memory = memoryOf(request, input);
        if (memory == nullptr) continue;
        const DataLocation& at = input.location;
        ranges[memory].push_back({at.offset, uint64_t{at.length} + at.padding});
    }
    return ranges;
}

// The first failure, after all promises are settled.
kj::Promise<Status> allOf(std::vector<kj::Promise<Status>> promises) {
    auto all = kj::heapArrayBuilder<kj::Promise<Status>>(promises.size());
    for (auto& promise : promises) all.add(kj::mv(promise));
    return kj::joinPromises(all.finish()).then([](kj::Array<Status>&& ended) -> Status {
        for (Status& status : ended) NNAPI_RETURN_IF_ERROR(std::move(status));
        return {};
    });
}

}  // namespace

Status Execute::checkTravels() const {
    for (const Request::MemoryPool& pool : call.request->pools) {
        const auto* memory = std::get_if<SharedMemory>(&pool);
        if (memory == nullptr || *memory == nullptr) continue;
        NNAPI_RETURN_IF_ERROR(service::checkTravels(*memory));
    }
    return {};
}

std::shared_ptr<const Execute> Execute::memoriesAlone() const {
    auto request = std::make_shared<Request>(*call.request);
    for (Request::MemoryPool& pool : request->pools) {
        if (!std::holds_alternative<SharedMemory>(pool)) pool = SharedMemory();
    }
    auto alone = std::make_shared<Execute>();
    alone->call.request = std::move(request);
    return alone;
}

GeneralResult<void> Execute::sendInputs(const Connection& connection,
                                        const OptionalTimePoint& deadline) const {
    forgetOutputs(connection);
    for (auto& [memory, used] : inputRanges(*call.request)) {
        NNAPI_RETURN_IF_ERROR(upload(connection, memory, used, deadline).status());
    }
    return {};
}

kj::Promise<Status> Execute::sendInputs(const std::shared_ptr<const Connection>& connection) const {
    forgetOutputs(*connection);
    std::vector<kj::Promise<Status>> sent;
    for (auto& [memory, used] : inputRanges(*call.request)) {
        sent.push_back(upload(connection, memory, used));
    }
    return allOf(std::move(sent));
}

void Execute::forgetOutputs(const Connection& connection) const {
    const Request& request = *call.request;
    for (const Request::Argument& output : request.outputs) {
        const SharedMemory memory = memoryOf(request, output);
        if (memory == nullptr) continue;
        connection.sent().drop(memory, {output.location.offset, output.location.length});
    }
}

kj::Promise<Status> Execute::fetchOutputs(Connection::State& state,
                                          const std::vector<OutputShape>& shapes,
                                          const SharedOutputSignatures& signatures) const {
    const Request& request = *call.request;
    std::map<SharedMemory, std::vector<Range>> ranges;
    for (size_t i = 0; i < request.outputs.size(); ++i) {
        const SharedMemory memory = memoryOf(request, request.outputs[i]);
        if (memory == nullptr) continue;
        ranges[memory].push_back(rangeOf(request.outputs[i], i, shapes, signatures));
    }
    std::vector<kj::Promise<Status>> fetched;
    for (auto& [memory, written] : ranges) {
        fetched.push_back(
                download(state, memory, merged(std::move(written), wholeOf(*memory).length)));
    }
    return allOf(std::move(fetched));
}

}  // namespace nn::service
