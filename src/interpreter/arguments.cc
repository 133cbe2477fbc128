#include "interpreter/arguments.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>

#include "nnapi/checked.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "validate/checks.h"

namespace nn {
namespace {

using ops::Value;

Status error(ErrorStatus code, std::string_view list, size_t i, std::string_view rule,
             std::string message) {
    return makeError(code, Diagnostic{.rule = std::string(rule),
                                      .path = fmt::format("{}[{}]", list, i),
                                      .message = std::move(message)});
}

Status error(std::string_view list, size_t i, std::string_view rule, std::string message) {
    return error(ErrorStatus::INVALID_ARGUMENT, list, i, rule, std::move(message));
}

// The bytes of an argument.
struct Bytes {
    const uint8_t* data = nullptr;
    uint8_t* mutableData = nullptr;  // null where it is read-only
    uint64_t size = 0;

    // Where another process can take the bytes away, so that they are not mapped.
    const SharedMemory* unmapped = nullptr;
    uint64_t offset = 0;

    bool isWritable() const {
        if (unmapped == nullptr) return mutableData != nullptr;
        const auto* file = std::get_if<Memory::Fd>(&(*unmapped)->handle);
        return file == nullptr || (file->prot & PROT_WRITE) != 0;
    }
};

Result<Bytes> bytesOf(const Request::Argument& argument, const Request& request,
                      std::span<const Mapping> mappings) {
    const DataLocation& location = argument.location;
    if (argument.lifetime == Request::Argument::LifeTime::POINTER) {
        const auto* writable = std::get_if<void*>(&location.pointer);
        auto* data = static_cast<uint8_t*>(writable == nullptr ? nullptr : *writable);
        const auto* readable = std::get_if<const void*>(&location.pointer);
        return Bytes{.data = readable == nullptr ? data : static_cast<const uint8_t*>(*readable),
                     .mutableData = data,
                     .size = location.length};
    }
    if (location.poolIndex >= request.pools.size()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("poolIndex is {}, allowed below {}", location.poolIndex,
                                     request.pools.size()));
    }
    const Mapping& mapping = mappings[location.poolIndex];
    const auto& memory = std::get<SharedMemory>(request.pools[location.poolIndex]);
    const uint64_t available = size(memory);
    const bool isWhole = location.offset == 0 && location.length == 0;
    const uint64_t length = isWhole ? available : location.length;
    if (!fits(location.offset, length, available)) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("bytes {} + {} lie outside of {} bytes", location.offset,
                                     length, available));
    }
    if (mapping.data() == nullptr) {
        return Bytes{.size = length, .unmapped = &memory, .offset = location.offset};
    }
    uint8_t* writable = mapping.mutableData();
    return Bytes{.data = mapping.data() + location.offset,
                 .mutableData = writable == nullptr ? nullptr : writable + location.offset,
                 .size = length};
}

Status mapPools(const Request& request, std::vector<Mapping>& mappings) {
    for (size_t i = 0; i < request.pools.size(); ++i) {
        const auto* memory = std::get_if<SharedMemory>(&request.pools[i]);
        if (memory == nullptr) {
            return error("pools", i, "request.pool_kind",
                         "is not shared memory, which is all that can be executed on here");
        }
        Result<Mapping> mapping;
        if (cannotShrink(*memory)) {
            mapping = map(*memory);
        } else if (const Status there = readMemory(*memory, 0, {}); there.ok()) {
            mapping = Mapping();
        } else {
            mapping = there;
        }
        if (!mapping.ok()) {
            return error("pools", i, "request.pool_map", std::string(mapping.status().message()));
        }
        mappings.push_back(*std::move(mapping));
    }
    return {};
}

ElementType elementOf(const Plan& plan, uint32_t operand) {
    return plan.graphs[0].operands[operand].element;
}

// An input of the main graph that the execution gives, or omits.
Value inputValue(const Plan& plan, size_t i, std::span<const uint32_t> dimensions) {
    Value value = plan.graphs[0].values[plan.model.main.inputIndexes[i]];
    if (!dimensions.empty()) value.dimensions = dimensions;
    return value;
}

Status omit(const Plan& plan, size_t i, ExecutionState& state) {
    const uint32_t operand = plan.model.main.inputIndexes[i];
    if (const auto neededBy = plan.graphs[0].operands[operand].neededBy) {
        return error(
                "inputs", i, "interpreter.omitted",
                fmt::format("has no value, but main.operations[{}] {} needs one", *neededBy,
                            operationName(plan.model, plan.model.main.operations[*neededBy].type)));
    }
    state.inputs.push_back(inputValue(plan, i, {}));
    state.inputs.back().omitted = true;
    return {};
}

// Dimensions are known and fit those that the model declares.
Status give(Value value, ElementType element, const Bytes& bytes, bool isShared,
            ExecutionState& state) {
    const auto size = byteSize(element, value.dimensions);
    if (!size) throw CeilingReached();
    value.data = bytes.data;
    if (isShared || !isAligned(bytes.data, element)) {
        Buffer* copy = state.pool.acquire(*size);
        value.data = copy->data();
        if (bytes.unmapped != nullptr) {
            const std::span<uint8_t> all(copy->data(), static_cast<size_t>(*size));
            NNAPI_RETURN_IF_ERROR(readMemory(*bytes.unmapped, bytes.offset, all));
        } else {
            std::copy_n(bytes.data, *size, copy->data());
        }
    }
    state.inputs.push_back(value);
    return {};
}

}  // namespace

Status takeRequest(const Plan& plan, const Request& request, ExecutionState& state) {
    if (const auto legal = validateRequestForModel(request, plan.model); !legal.ok())
        return legal.status();
    NNAPI_RETURN_IF_ERROR(mapPools(request, state.mappings));
    for (size_t i = 0; i < request.inputs.size(); ++i) {
        const Request::Argument& argument = request.inputs[i];
        if (argument.lifetime == Request::Argument::LifeTime::NO_VALUE) {
            NNAPI_RETURN_IF_ERROR(omit(plan, i, state));
            continue;
        }
        const Result<Bytes> bytes = bytesOf(argument, request, state.mappings);
        if (!bytes.ok())
            return error("inputs", i, "request.location", std::string(bytes.status().message()));
        const Value value = inputValue(plan, i, argument.dimensions);
        const ElementType element = elementOf(plan, plan.model.main.inputIndexes[i]);
        // Of an extension's type the request's own rules cannot tell.
        if (element.isTensor ? isUnspecified(element, value.dimensions)
                             : !value.dimensions.empty()) {
            return error(
                    "inputs", i, "request.dimensions",
                    fmt::format("dimensions are {}, allowed {}", DimensionList{value.dimensions},
                                element.isTensor ? "only known ones" : "[] for a scalar"));
        }
        const auto size = byteSize(element, value.dimensions);
        if (!size || bytes->size < *size) {
            return error("inputs", i, "request.length",
                         fmt::format("has {}, allowed {} for dimensions {}",
                                     Counted{bytes->size, "bytes"},
                                     size ? std::to_string(*size) : "more than 2^64",
                                     DimensionList{value.dimensions}));
        }
        const bool isShared = argument.lifetime == Request::Argument::LifeTime::POOL;
        if (const Status given = give(value, element, *bytes, isShared, state); !given.ok())
            return error("inputs", i, "request.pool_map", std::string(given.message()));
    }
    for (size_t i = 0; i < request.outputs.size(); ++i) {
        const Request::Argument& argument = request.outputs[i];
        if (argument.lifetime == Request::Argument::LifeTime::NO_VALUE) {
            return error("outputs", i, "request.output_omitted",
                         "has no value, allowed only for inputs");
        }
        const Result<Bytes> bytes = bytesOf(argument, request, state.mappings);
        if (!bytes.ok())
            return error("outputs", i, "request.location", std::string(bytes.status().message()));
        if (!bytes->isWritable())
            return error("outputs", i, "request.read_only", "is in memory that is read-only");
        // Not computed in place where other processes can change what an operation then reads, or
        // take it away.
        const uint32_t operand = plan.model.main.outputIndexes[i];
        const bool inPlace = bytes->unmapped == nullptr &&
                             (argument.lifetime == Request::Argument::LifeTime::POINTER ||
                              !plan.graphs[0].operands[operand].isConsumed);
        state.outputs.push_back({.buffer = {bytes->mutableData, static_cast<size_t>(bytes->size)},
                                 .unmapped = bytes->unmapped,
                                 .offset = bytes->offset,
                                 .size = bytes->size});
        state.destinations.push_back({.data = inPlace ? bytes->mutableData : nullptr,
                                      .capacity = inPlace ? bytes->size : 0,
                                      .dimensions = argument.dimensions});
    }
    return {};
}

Status takeValues(const Plan& plan, std::span<const Tensor> inputs, ExecutionState& state) {
    const Model::Subgraph& main = plan.model.main;
    if (inputs.size() != main.inputIndexes.size()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         Diagnostic{.rule = "input.count",
                                    .path = "inputs",
                                    .message = fmt::format("{} given, allowed {}",
                                                           Counted{inputs.size(), "values"},
                                                           main.inputIndexes.size())});
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
        const Tensor& input = inputs[i];
        if (input.hasNoValue) {
            NNAPI_RETURN_IF_ERROR(omit(plan, i, state));
            continue;
        }
        const Operand& operand = main.operands[main.inputIndexes[i]];
        const ElementType element = elementOf(plan, main.inputIndexes[i]);
        if (isUnspecified(element, input.dimensions)) {
            return error("inputs", i, "input.dimensions",
                         fmt::format("has dimensions {}, allowed only known ones",
                                     DimensionList{input.dimensions}));
        }
        if (element.isTensor ? !agree(input.dimensions, operand.dimensions)
                             : !input.dimensions.empty()) {
            return error(
                    "inputs", i, "input.dimensions",
                    fmt::format("has dimensions {}, allowed {}", DimensionList{input.dimensions},
                                DimensionList{operand.dimensions}));
        }
        const auto size = byteSize(element, input.dimensions);
        if (!size || *size != input.data.size()) {
            return error("inputs", i, "input.size",
                         fmt::format("has {}, allowed {} for dimensions {}",
                                     Counted{input.data.size(), "bytes"},
                                     size ? std::to_string(*size) : "more than 2^64",
                                     DimensionList{input.dimensions}));
        }
        NNAPI_RETURN_IF_ERROR(give(inputValue(plan, i, input.dimensions), element,
                                   {.data = input.data.data(), .size = *size}, false, state));
    }
    return {};
}

Status giveOutputs(const Plan& plan, const Run& run, ExecutionState& state,
                   std::vector<OutputShape>& shapes) {
    Status status;
    shapes.resize(state.outputs.size());
    for (size_t i = 0; i < shapes.size(); ++i) {
        const Value& value = run.output(i);
        const ExecutionState::Output& output = state.outputs[i];
        const uint64_t size =
                byteSize(elementOf(plan, value.operand), value.dimensions).value_or(0);
        shapes[i] = {.dimensions = {value.dimensions.begin(), value.dimensions.end()},
                     .isSufficient = size <= output.size};
        if (shapes[i].isSufficient && output.unmapped != nullptr) {
            const std::span<const uint8_t> bytes(value.data, static_cast<size_t>(size));
            const Status written = writeMemory(*output.unmapped, output.offset, bytes);
            if (!written.ok())
                return error("outputs", i, "request.pool_map", std::string(written.message()));
        } else if (shapes[i].isSufficient) {
            uint8_t* buffer = output.buffer.data();
            if (value.data != buffer) std::copy_n(value.data, size, buffer);
        } else if (status.ok()) {
            status = error(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE, "outputs", i,
                           "request.output_size",
                           fmt::format("has {}, needed {} for dimensions {}",
                                       Counted{output.size, "bytes"}, size,
                                       DimensionList{value.dimensions}));
        }
    }
    return status;
}

std::vector<Tensor> outputValues(const Plan& plan, const Run& run) {
    std::vector<Tensor> outputs(plan.model.main.outputIndexes.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
        const Value& value = run.output(i);
        const uint64_t size =
                byteSize(elementOf(plan, value.operand), value.dimensions).value_or(0);
        outputs[i] = {.dimensions = {value.dimensions.begin(), value.dimensions.end()},
                      .data = {value.data, value.data + size}};
    }
    return outputs;
}

}  // namespace nn
