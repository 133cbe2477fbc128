#include "interpreter/arguments.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>

#include "nnapi/checked_math.h"
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

Status readOnly(size_t output) {
    return error("outputs", output, "request.read_only", "is in memory that is read-only");
}

// The memory of an argument. Kernels never see it where others can write to it: such inputs are
// copied before an execution, and all results are copied out after it.
struct ArgumentMemory {
    const MemoryFile* file = nullptr;  // null for memory of the caller
    uint64_t offset = 0;               // in the file
    const uint8_t* data = nullptr;
    uint8_t* mutableData = nullptr;  // null if it is read-only
    uint64_t size = 0;

    bool isWritable() const {
        return file != nullptr ? file->mayBeWritable() : mutableData != nullptr;
    }
};

// The memory of a caller; null if an argument has no address.
const uint8_t* addressOf(const DataLocation& location) {
    if (const auto* writable = std::get_if<void*>(&location.pointer))
        return static_cast<const uint8_t*>(*writable);
    const auto* readable = std::get_if<const void*>(&location.pointer);
    return readable == nullptr ? nullptr : static_cast<const uint8_t*>(*readable);
}

Result<ArgumentMemory> memoryOf(const Request::Argument& argument,
                                std::span<const MemoryFile> pools) {
    const DataLocation& location = argument.location;
    if (argument.lifetime == Request::Argument::LifeTime::POINTER) {
        const auto* writable = std::get_if<void*>(&location.pointer);
        return ArgumentMemory{
                .data = addressOf(location),
                .mutableData = static_cast<uint8_t*>(writable == nullptr ? nullptr : *writable),
                .size = location.length};
    }
    if (location.poolIndex >= pools.size()) {
        return makeError(
                ErrorStatus::INVALID_ARGUMENT,
                fmt::format("poolIndex is {}, allowed below {}", location.poolIndex, pools.size()));
    }
    const MemoryFile& file = pools[location.poolIndex];
    const bool isWhole = location.offset == 0 && location.length == 0;
    const uint64_t length = isWhole ? file.size() : location.length;
    if (!fits(location.offset, length, file.size())) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("bytes {} + {} lie outside of {} bytes", location.offset,
                                     length, file.size()));
    }
    return ArgumentMemory{.file = &file, .offset = location.offset, .size = length};
}

Status openPools(const Request& request, std::vector<MemoryFile>& pools) {
    for (size_t i = 0; i < request.pools.size(); ++i) {
        const auto* memory = std::get_if<SharedMemory>(&request.pools[i]);
        if (memory == nullptr) {
            return error("pools", i, "request.pool_kind",
                         "is not shared memory, the only kind that an execution can use");
        }
        const Result<MemoryFile> file = MemoryFile::of(*memory);
        if (!file.ok()) {
            return error("pools", i, "request.pool_map", std::string(file.status().message()));
        }
        pools.push_back(*file);
    }
    return {};
}

ElementType elementOf(const Plan& plan, uint32_t operand) {
    return plan.graphs[0].operands[operand].element;
}

// True if an argument has an aligned address, and the size and dimensions that the preparation has
// computed, or no dimensions; or has no value, if none is needed. Then it breaks no rule of
// requests.
bool isAsPlanned(const GraphPlan& graph, const Request::Argument& argument, uint32_t operand,
                 bool isOutput) {
    const DataLocation& location = argument.location;
    const KnownOperand& known = graph.operands[operand];
    const Placement& placement = graph.placements[operand];
    if (argument.lifetime == Request::Argument::LifeTime::NO_VALUE) {
        return !isOutput && placement.neededBy == Placement::kNone && location == DataLocation{} &&
               argument.dimensions.empty();
    }
    const uint8_t* address = addressOf(location);
    return argument.lifetime == Request::Argument::LifeTime::POINTER && known.isKnown &&
           location.length != 0 && location.length == placement.size && location.poolIndex == 0 &&
           location.offset == 0 && address != nullptr &&
           (isOutput ? std::holds_alternative<void*>(location.pointer)
                     : isAligned(address, known.element)) &&
           (argument.dimensions.empty() || absl::c_equal(argument.dimensions, known.dimensions));
}

// An input of the main graph that the execution provides or omits.
Value& addInput(const Plan& plan, size_t i, std::span<const uint32_t> dimensions,
                ExecutionState& state) {
    Value& value =
            state.inputs.emplace_back(plan.graphs[0].values[plan.model.main.inputIndexes[i]]);
    if (!dimensions.empty()) value.dimensions = dimensions;
    return value;
}

Status omit(const Plan& plan, size_t i, ExecutionState& state) {
    const uint32_t operand = plan.model.main.inputIndexes[i];
    const uint32_t neededBy = plan.graphs[0].placements[operand].neededBy;
    if (neededBy != Placement::kNone) {
        return error("inputs", i, "interpreter.omitted",
                     fmt::format("has no value, but main.operations[{}] {} needs one", neededBy,
                                 plan.extensions.operationName(
                                         plan.model.main.operations[neededBy].type)));
    }
    addInput(plan, i, {}, state).omitted = true;
    return {};
}

// Lets a value read memory of the caller, in place where its elements are aligned.
void give(Value& value, ElementType element, const uint8_t* data, uint64_t size,
          ExecutionState& state) {
    if (isAligned(data, element)) {
        value.data = ops::Bytes::entrusted(data);
        return;
    }
    const ops::MutableBytes copy = state.pool.acquire(size)->data();
    std::copy_n(data, size, copy.get());
    value.data = copy;
}

// The same of the first `size` bytes of an argument, which are copied from a file.
Status give(Value& value, ElementType element, const ArgumentMemory& memory, uint64_t size,
            ExecutionState& state) {
    if (memory.file == nullptr) {
        give(value, element, memory.data, size, state);
        return {};
    }
    const ops::MutableBytes copy = state.pool.acquire(size)->data();
    value.data = copy;
    return memory.file->read(memory.offset, {copy.get(), static_cast<size_t>(size)});
}

// Bytes of a result.
uint64_t sizeOf(const Plan& plan, const Value& value) {
    const GraphPlan& graph = plan.graphs[0];
    const KnownOperand& known = graph.operands[value.operand];
    if (known.isKnown && value.dimensions.data() == known.dimensions.data() &&
        value.dimensions.size() == known.dimensions.size())
        return graph.placements[value.operand].size;
    return byteSize(elementOf(plan, value.operand), value.dimensions).value_or(0);
}

OutputShape shapeOf(const Value& value, bool isSufficient) {
    return {.dimensions = {value.dimensions.begin(), value.dimensions.end()},
            .isSufficient = isSufficient};
}

// Takes the arguments if all of them are as planned, as those of most requests; else returns false.
bool takeAsPlanned(const Plan& plan, const Request& request, ExecutionState& state) {
    const GraphPlan& graph = plan.graphs[0];
    const std::vector<uint32_t>& inputs = plan.model.main.inputIndexes;
    const std::vector<uint32_t>& outputs = plan.model.main.outputIndexes;
    if (!request.pools.empty() || request.inputs.size() != inputs.size() ||
        request.outputs.size() != outputs.size()) {
        return false;
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
        const Request::Argument& input = request.inputs[i];
        if (!isAsPlanned(graph, input, inputs[i], /*isOutput=*/false)) return false;
        Value& value = state.inputs.emplace_back(graph.values[inputs[i]]);
        value.omitted = input.lifetime == Request::Argument::LifeTime::NO_VALUE;
        if (!value.omitted) value.data = ops::Bytes::entrusted(addressOf(input.location));
    }
    for (size_t i = 0; i < outputs.size(); ++i) {
        const Request::Argument& output = request.outputs[i];
        if (!isAsPlanned(graph, output, outputs[i], /*isOutput=*/true)) return false;
        state.outputs.push_back(
                {.data = static_cast<uint8_t*>(std::get<void*>(output.location.pointer)),
                 .size = output.location.length});
        Destination& destination = state.destinations.emplace_back();
        if (!output.dimensions.empty())
            destination.dimensions = graph.operands[outputs[i]].dimensions;
    }
    return true;
}

}  // namespace

Status takeRequest(const Plan& plan, const Request& request, ExecutionState& state) {
    if (takeAsPlanned(plan, request, state)) [[likely]]
        return {};
    state.forgetArguments();
    if (const auto legal = validateRequestForModel(request, plan.model); !legal.ok())
        return legal.status();
    state.pools.reserve(request.pools.size());  // arguments point at them
    NNAPI_RETURN_IF_ERROR(openPools(request, state.pools));
    for (size_t i = 0; i < request.inputs.size(); ++i) {
        const Request::Argument& argument = request.inputs[i];
        if (argument.lifetime == Request::Argument::LifeTime::NO_VALUE) {
            NNAPI_RETURN_IF_ERROR(omit(plan, i, state));
            continue;
        }
        const Result<ArgumentMemory> memory = memoryOf(argument, state.pools);
        if (!memory.ok())
            return error("inputs", i, "request.location", std::string(memory.status().message()));
        Value& value = addInput(plan, i, argument.dimensions, state);
        const ElementType element = elementOf(plan, plan.model.main.inputIndexes[i]);
        // The rules of the request do not cover an extension's type.
        if (element.isTensor ? isUnspecified(element, value.dimensions)
                             : !value.dimensions.empty()) {
            return error(
                    "inputs", i, "request.dimensions",
                    fmt::format("dimensions are {}, allowed {}", DimensionList{value.dimensions},
                                element.isTensor ? "only known ones" : "[] for a scalar"));
        }
        const auto size = byteSize(element, value.dimensions);
        if (!size || memory->size < *size) {
            return error("inputs", i, "request.length",
                         fmt::format("has {}, allowed {} for dimensions {}",
                                     Plural{memory->size, "bytes"},
                                     size ? std::to_string(*size) : "more than 2^64",
                                     DimensionList{value.dimensions}));
        }
        if (const Status given = give(value, element, *memory, *size, state); !given.ok())
            return error("inputs", i, "request.pool_map", std::string(given.message()));
    }
    for (size_t i = 0; i < request.outputs.size(); ++i) {
        const Request::Argument& argument = request.outputs[i];
        if (argument.lifetime == Request::Argument::LifeTime::NO_VALUE) {
            return error("outputs", i, "request.output_omitted",
                         "has no value, allowed only for inputs");
        }
        const Result<ArgumentMemory> memory = memoryOf(argument, state.pools);
        if (!memory.ok())
            return error("outputs", i, "request.location", std::string(memory.status().message()));
        if (!memory->isWritable()) return readOnly(i);
        state.outputs.push_back({.data = memory->mutableData,
                                 .file = memory->file,
                                 .offset = memory->offset,
                                 .size = memory->size});
        state.destinations.push_back({.dimensions = argument.dimensions});
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
                                                           Plural{inputs.size(), "values"},
                                                           main.inputIndexes.size())});
    }
    for (size_t i = 0; i < inputs.size(); ++i) {
        const Tensor& input = inputs[i];
        if (input.hasNoValue) {
            NNAPI_RETURN_IF_ERROR(omit(plan, i, state));
            continue;
        }
        const Operand& operand = main.operands[main.inputIndexes[i]];
        const KnownOperand& known = plan.graphs[0].operands[main.inputIndexes[i]];
        const ElementType element = known.element;
        if (known.isKnown && absl::c_equal(input.dimensions, known.dimensions) &&
            input.data.size() == plan.graphs[0].placements[main.inputIndexes[i]].size) {
            give(addInput(plan, i, {}, state), element, input.data.data(), input.data.size(),
                 state);
            continue;
        }
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
                                     Plural{input.data.size(), "bytes"},
                                     size ? std::to_string(*size) : "more than 2^64",
                                     DimensionList{input.dimensions}));
        }
        give(addInput(plan, i, input.dimensions, state), element, input.data.data(), *size, state);
    }
    return {};
}

Status giveOutputs(const Plan& plan, ResultAt resultAt, ExecutionState& state, bool listShapes,
                   std::vector<OutputShape>& shapes) {
    Status status;
    if (listShapes) shapes.reserve(state.outputs.size());
    for (size_t i = 0; i < state.outputs.size(); ++i) {
        const Value& value = resultAt(i);
        const ExecutionState::Output& output = state.outputs[i];
        const uint64_t size = sizeOf(plan, value);
        const bool isSufficient = size <= output.size;
        if (isSufficient && output.file != nullptr) {
            const std::span<const uint8_t> bytes(value.data.get(), static_cast<size_t>(size));
            const Status written = output.file->write(output.offset, bytes);
            if (!written.ok() && output.file->isSealedAgainstWriting()) return readOnly(i);
            if (!written.ok())
                return error("outputs", i, "request.pool_map", std::string(written.message()));
        } else if (isSufficient) {
            std::copy_n(value.data.get(), size, output.data);
        } else if (status.ok()) {
            status = error(
                    ErrorStatus::OUTPUT_INSUFFICIENT_SIZE, "outputs", i, "request.output_size",
                    fmt::format("has {}, needed {} for dimensions {}", Plural{output.size, "bytes"},
                                size, DimensionList{value.dimensions}));
        }
        if (listShapes) shapes.push_back(shapeOf(value, isSufficient));
    }
    if (status.ok() || listShapes) return status;
    for (size_t i = 0; i < state.outputs.size(); ++i) {
        const Value& value = resultAt(i);
        shapes.push_back(shapeOf(value, sizeOf(plan, value) <= state.outputs[i].size));
    }
    return status;
}

std::vector<Tensor> outputValues(const Plan& plan, const Run& run) {
    std::vector<Tensor> outputs(plan.model.main.outputIndexes.size());
    for (size_t i = 0; i < outputs.size(); ++i) {
        const Value& value = run.output(i);
        const uint64_t size = sizeOf(plan, value);
        outputs[i] = {.dimensions = {value.dimensions.begin(), value.dimensions.end()},
                      .data = {value.data.get(), value.data.get() + size}};
    }
    return outputs;
}

}  // namespace nn
