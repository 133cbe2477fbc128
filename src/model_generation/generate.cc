#include "nnapi/generate/generate.h"

#include <algorithm>
#include <string>

#include "model_generation/control_flow.h"
#include "model_generation/draft.h"
#include "model_generation/operations.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"

namespace nn::testing {
namespace {

// The smallest graph: one SOFTMAX from input to output, [2, 2] in float32.
void addSoftmax(Draft& draft) {
    const uint32_t x = draft.addFloats(LifeTime::SUBGRAPH_INPUT);
    const uint32_t beta = draft.addInteger(OperandType::FLOAT32, {}, 1);
    const uint32_t y = draft.addFloats(LifeTime::SUBGRAPH_OUTPUT);
    draft.graph.operations.push_back(
            {.type = OperationType::SOFTMAX, .inputs = {x, beta}, .outputs = {y}});
}

}  // namespace

Model validModel(Source& source, const ModelOptions& options) {
    Draft draft(source, options);
    const auto specs = operationsFor(draft);
    const std::vector<Operation>& operations = draft.graph.operations;
    const size_t wanted = 1 + source.below(std::max<size_t>(options.maxOperations, 1));
    for (size_t attempt = 0; operations.size() < wanted && attempt < 20 * wanted; ++attempt) {
        const Draft::Checkpoint checkpoint = draft.checkpoint();
        if (!addOperation(draft, specs)) draft.rollBack(checkpoint);
    }
    addControlFlow(draft);
    if (operations.empty()) addSoftmax(draft);
    return std::move(draft).finish();
}

std::vector<Tensor> anyInputs(Source& source, const Model& model) {
    std::vector<Tensor> inputs;
    for (const uint32_t index : model.main.inputIndexes) {
        const Operand& operand = model.main.operands[index];
        inputs.push_back({.dimensions = operand.dimensions, .data = anyValue(source, operand)});
    }
    return inputs;
}

std::vector<Tensor> variedInputs(Source& source, const Model& model) {
    std::vector<Tensor> inputs;
    const Operation& first = model.main.operations.front();
    for (const uint32_t index : model.main.inputIndexes) {
        const Operand& operand = model.main.operands[index];
        inputs.push_back(
                {.dimensions = operand.dimensions,
                 .data = variedValue(source, operand, spreadOf(model.main, first, index))});
    }
    return inputs;
}

Request validRequest(Source& source, const Model& model) {
    Request request;
    const auto addArguments = [&](std::span<const uint32_t> indexes,
                                  std::vector<Request::Argument>& arguments) {
        uint32_t end = 0;
        for (const uint32_t index : indexes) {
            const Operand& operand = model.main.operands[index];
            const auto length = static_cast<uint32_t>(operandSize(operand).value_or(0));
            arguments.push_back(
                    {.location = {.poolIndex = static_cast<uint32_t>(request.pools.size()),
                                  .offset = end,
                                  .length = length,
                                  .padding = source.oneIn(4) ? 4u : 0u}});
            if (source.coin()) arguments.back().dimensions = operand.dimensions;
            end += (length + arguments.back().location.padding + 63) / 64 * 64;
        }
        request.pools.emplace_back(createSharedMemory(std::max(end, 64u)).value_or(nullptr));
    };
    addArguments(model.main.inputIndexes, request.inputs);
    addArguments(model.main.outputIndexes, request.outputs);
    return request;
}

Capabilities validCapabilities(Source& source, HalVersion version) {
    const auto info = [&] {
        return Capabilities::PerformanceInfo{
                .execTime = static_cast<float>(1 + source.below(4)) / 2,
                .powerUsage = static_cast<float>(1 + source.below(4)) / 2};
    };
    Capabilities capabilities{.relaxedFloat32toFloat16PerformanceScalar = info(),
                              .relaxedFloat32toFloat16PerformanceTensor = info(),
                              .ifPerformance = info(),
                              .whilePerformance = info()};
    for (const OperandTypeInfo& row : operandTypes()) {
        if (isCompliantVersion(row.since, toVersion(version)) &&
            row.type != OperandType::SUBGRAPH && source.coin()) {
            capabilities.operandPerformance.update(row.type, info());
        }
    }
    return capabilities;
}

std::vector<Extension> validExtensions(Source& source) {
    std::vector<Extension> extensions(source.below(3));
    for (size_t i = 0; i < extensions.size(); ++i) {
        extensions[i].name = "com.example.extension_" + std::to_string(i);
        const uint64_t types = source.below(4);
        for (uint64_t type = 0; type < types; ++type) {
            extensions[i].operandTypes.push_back(
                    {.type = static_cast<uint16_t>(type),
                     .isTensor = source.coin(),
                     .byteSize = static_cast<uint32_t>(1 + source.below(8))});
        }
    }
    return extensions;
}

}  // namespace nn::testing
