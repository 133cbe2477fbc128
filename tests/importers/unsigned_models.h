// Models with signed tensors of 8 bits and the same ones with unsigned tensors, for versions before
// HAL 1.3.
#pragma once

#include <absl/algorithm/container.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "nnapi/import/imported_model.h"
#include "nnapi/interpreter.h"
#include "nnapi/type_utils.h"

namespace nn {

// Any legal values.
inline std::vector<Tensor> inputsOf(const Model& model) {
    std::vector<Tensor> inputs;
    for (const uint32_t index : model.main.inputIndexes) {
        const Operand& operand = model.main.operands[index];
        Tensor tensor{.dimensions = operand.dimensions};
        const uint64_t bytes = operandSize(operand).value();
        const bool isBool = operand.type == OperandType::TENSOR_BOOL8;
        const bool isFloat = operand.type == OperandType::TENSOR_FLOAT32;
        for (uint64_t i = 0; i < bytes; ++i) {
            // Floats of 1 to 2, INT32 of 0 to 15.
            const auto value = static_cast<uint8_t>(i * 37);
            if (isFloat) {
                tensor.data.push_back(i % 4 == 3 ? 0x3f : i % 4 == 2 ? value | 0x80 : value);
            } else if (operand.type == OperandType::TENSOR_INT32) {
                tensor.data.push_back(i % 4 == 0 ? value % 16 : 0);
            } else {
                tensor.data.push_back(isBool ? value & 1 : value);
            }
        }
        inputs.push_back(std::move(tensor));
    }
    return inputs;
}

inline bool isSigned(const Model& model, uint32_t operand) {
    return model.main.operands[operand].type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
}

// The same numbers as unsigned bytes, for operands that are signed ones in a model.
inline void makeUnsigned(std::vector<Tensor>& tensors, const Model& model,
                         const std::vector<uint32_t>& operands) {
    for (size_t i = 0; i < tensors.size(); ++i) {
        if (!isSigned(model, operands[i])) continue;
        for (uint8_t& byte : tensors[i].data) byte ^= 0x80;
    }
}

// Inputs and outputs that are signed.
inline size_t signedEndsOf(const Model& model) {
    const auto isOne = [&](uint32_t operand) { return isSigned(model, operand); };
    return static_cast<size_t>(absl::c_count_if(model.main.inputIndexes, isOne) +
                               absl::c_count_if(model.main.outputIndexes, isOne));
}

// Losses that report that one of them became unsigned.
inline size_t lossesOfSign(const Import& imported) {
    return static_cast<size_t>(absl::c_count_if(
            imported.losses, [](const Loss& loss) { return loss.before == "int8"; }));
}

// A model and the same one without signed tensors compute the same numbers.
inline void expectSame(const Model& model, const Model& without, int units) {
    for (uint32_t i = 0; i < without.main.operands.size(); ++i) {
        EXPECT_FALSE(isSigned(without, i)) << i;
    }
    const std::vector<Tensor> inputs = inputsOf(model);
    std::vector<Tensor> moved = inputs;
    makeUnsigned(moved, model, model.main.inputIndexes);
    const auto prepared = prepare(model), preparedWithout = prepare(without);
    ASSERT_TRUE(prepared.ok() && preparedWithout.ok()) << preparedWithout.status();
    auto outputs = prepared->run(inputs);
    const auto same = preparedWithout->run(moved);
    ASSERT_TRUE(outputs.ok() && same.ok()) << same.status();
    makeUnsigned(*outputs, model, model.main.outputIndexes);
    for (size_t i = 0; i < outputs->size(); ++i) {
        ASSERT_EQ(outputs->at(i).data.size(), same->at(i).data.size());
        for (size_t k = 0; k < same->at(i).data.size(); ++k) {
            EXPECT_NEAR(outputs->at(i).data[k], same->at(i).data[k], units) << i << " " << k;
        }
    }
}

}  // namespace nn
