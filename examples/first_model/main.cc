// Builds a model, finds the version that it needs, converts it, and executes it before and after.
#include <cstdio>
#include <cstring>

#include "nnapi/nnapi.h"

using namespace nn;

static Status run() {
    // quote
    // y = x * [2, 3] + 0.5
    using enum OperandType;
    Model model;
    SubgraphBuilder graph(model);
    const Operand row = {.type = TENSOR_FLOAT32, .dimensions = {1, 2}};
    const Operand number = {.type = TENSOR_FLOAT32, .dimensions = {1}};
    const auto x = graph.input(row), weights = graph.constant<float>(row, {2, 3});
    const auto bias = graph.constant<float>(number, {0.5});
    const auto y = graph.output({.type = TENSOR_FLOAT32, .dimensions = {1, 1}});
    graph.add(OperationType::FULLY_CONNECTED, {x, weights, bias, graph.scalar(0)}, {y});
    model.main = std::move(graph.graph);
    model.relaxComputationFloat32toFloat16 = true;

    NNAPI_ASSIGN_OR_RETURN(needed, validate(model));  // or where and why the model is invalid
    std::printf("needs %s\n", toString(needed).c_str());

    Losses losses;
    NNAPI_ASSIGN_OR_RETURN(versioned, V1_0::utils::convert(model, &losses));
    for (const Loss& loss : losses) std::printf("loss: %s\n", toString(loss).c_str());
    NNAPI_ASSIGN_OR_RETURN(again, convert(versioned));
    // end

    Tensor input = {.dimensions = {1, 2}, .data = std::vector<uint8_t>(2 * sizeof(float))};
    const float values[] = {10, 1};
    std::memcpy(input.data.data(), values, sizeof values);
    for (const Model& each : {model, again}) {
        NNAPI_ASSIGN_OR_RETURN(prepared, prepare(each));
        NNAPI_ASSIGN_OR_RETURN(outputs, prepared.run({&input, 1}));
        float result = 0;
        std::memcpy(&result, outputs[0].data.data(), sizeof result);
        std::printf("y = %g\n", result);
    }
    return {};
}

int main() {
    const Status status = run();
    if (!status.ok()) std::printf("%s\n", toString(status).c_str());
    return status.ok() ? 0 : 1;
}
