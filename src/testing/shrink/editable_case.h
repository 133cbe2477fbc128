// A test case whose constants are separate from its model, so that each can be changed
// individually.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "nnapi/io.h"
#include "nnapi/limits.h"
#include "nnapi/until.h"

namespace nn::testing {

struct EditableCase {
    TestCase testCase{};  // locations of its constants mean nothing
    // By graph (0: main, i + 1: referenced[i]) and operand; empty for operands that are not
    // constant.
    std::vector<std::vector<std::vector<uint8_t>>> constants{};
    // Dimensions of results, and of inputs of the graphs that IF and WHILE refer to, follow from
    // the operations before them.
    bool isInferred = false;

    Model::Subgraph& main() { return testCase.model.main; }
    const Model::Subgraph& main() const { return testCase.model.main; }
    size_t graphCount() const { return testCase.model.referenced.size() + 1; }
    // 0: main, i + 1: referenced[i].
    Model::Subgraph& graph(size_t index) {
        return index == 0 ? testCase.model.main : testCase.model.referenced[index - 1];
    }

    // The position of an operand among the inputs of the main graph.
    std::optional<size_t> inputAt(uint32_t operand) const;
};

// Fails if a constant cannot be read.
Result<EditableCase> editable(const TestCase& testCase);

// With constants in the model, or in one pool; the model need not be legal.
Result<TestCase> assembled(const EditableCase& editable);

// The same with the outputs that the reference computes. Fails if the model is not legal, or the
// reference cannot compute it.
Result<TestCase> computed(const EditableCase& editable, const Limits& limits, const Until& until);

// The same case without operations and inputs that nothing reads, and without unused graphs and
// operands.
Result<EditableCase> withoutUnread(EditableCase editable);

// A tensor whose values a test case chooses: an input of the main graph, or a constant.
struct EditableTensor {
    Operand* operand = nullptr;
    bool isInput = false;
    OperandType type{};
    std::vector<uint32_t>* dimensions = nullptr;
    std::vector<uint8_t>* data = nullptr;
};

// Those with elements, in the order of the graphs and operands.
std::vector<EditableTensor> editableTensors(EditableCase& editable);

}  // namespace nn::testing
