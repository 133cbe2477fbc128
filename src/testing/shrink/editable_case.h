// A test case whose constants are apart from its model, so that each can be changed by itself.
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
    // By graph (0: main, i + 1: referenced[i]) and operand; empty for what is no constant.
    std::vector<std::vector<std::vector<uint8_t>>> constants{};
    bool isInferred = false;  // dimensions of results in the main graph follow from its operations

    Model::Subgraph& main() { return testCase.model.main; }
    const Model::Subgraph& main() const { return testCase.model.main; }

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

// A tensor of the main graph whose values a test case chooses: an input, or a constant.
struct EditableTensor {
    uint32_t operand = 0;
    OperandType type{};
    std::vector<uint32_t>* dimensions = nullptr;
    std::vector<uint8_t>* data = nullptr;
};

// Those with elements, in the order of the operands.
std::vector<EditableTensor> editableTensors(EditableCase& editable);

}  // namespace nn::testing
