// Prints everything that keeps a model from a HAL 1.1 driver.
#include <cstdio>

#include "nnapi/subgraph_builder.h"
#include "nnapi/validate.h"

using namespace nn;

int main() {
    // z = floor(x + y), where ADD lacks its activation and FLOOR gets another type
    Model model;
    SubgraphBuilder graph(model);
    const Operand half = {.type = OperandType::TENSOR_FLOAT16, .dimensions = {2, 2}};
    const Operand integers = {.type = OperandType::TENSOR_INT32, .dimensions = {2, 2}};
    const auto sum = graph.temporary(half);
    graph.add(OperationType::ADD, {graph.input(half), graph.input(half)}, {sum});
    graph.add(OperationType::FLOOR, {sum}, {graph.output(integers)});
    model.main = std::move(graph.graph);

    // quote
    const Findings found = validateAll(model, {.target = toVersion(HalVersion::V1_1)});
    for (const Diagnostic& error : found.errors) {
        std::printf("%s, rule %s: %s\n", error.path.c_str(), error.rule.c_str(),
                    error.message.c_str());
    }
    // end
    return found.errors.empty() ? 1 : 0;
}
