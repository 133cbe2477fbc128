// Models of any length.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "nnapi/types.h"

namespace nn {

// Operations in sequence, each with operands of its own.
class Chain {
   public:
    explicit Chain(uint32_t operands) : mOperands(operands) {
        mLast = tensor(LifeTime::SUBGRAPH_INPUT);
        mModel.main.inputIndexes = {mLast};
    }

    Model relus() {
        while (mModel.main.operands.size() < mOperands) add(OperationType::RELU, {mLast});
        return finish();
    }

    // Each with its filter, bias and parameters as constants.
    Model convolutions() {
        while (mModel.main.operands.size() < mOperands) {
            const float one = 1;
            const uint32_t filter = constant(OperandType::TENSOR_FLOAT32, {1, 1, 1, 1}, one);
            const uint32_t bias = constant(OperandType::TENSOR_FLOAT32, {1}, one);
            std::vector<uint32_t> inputs{mLast, filter, bias};
            for (const int32_t value : {1, 1, 1, 0}) {  // scheme, strides, activation
                inputs.push_back(constant(OperandType::INT32, {}, value));
            }
            add(OperationType::CONV_2D, std::move(inputs));
        }
        return finish();
    }

   private:
    using LifeTime = Operand::LifeTime;

    uint32_t push(Operand operand) {
        mModel.main.operands.push_back(std::move(operand));
        return static_cast<uint32_t>(mModel.main.operands.size() - 1);
    }
    uint32_t tensor(LifeTime lifetime) {
        return push({.type = OperandType::TENSOR_FLOAT32,
                     .dimensions = {1, 2, 2, 1},
                     .lifetime = lifetime});
    }
    template <class E>
    uint32_t constant(OperandType type, const std::vector<uint32_t>& dimensions, E value) {
        return push({.type = type,
                     .dimensions = dimensions,
                     .lifetime = LifeTime::CONSTANT_COPY,
                     .location = *mModel.operandValues.append(&value, sizeof(value))});
    }
    void add(OperationType type, std::vector<uint32_t> inputs) {
        mLast = tensor(LifeTime::TEMPORARY_VARIABLE);
        mModel.main.operations.push_back(
                {.type = type, .inputs = std::move(inputs), .outputs = {mLast}});
    }
    Model finish() {
        mModel.main.operands[mLast].lifetime = LifeTime::SUBGRAPH_OUTPUT;
        mModel.main.outputIndexes = {mLast};
        return std::move(mModel);
    }

    uint32_t mOperands;
    uint32_t mLast = 0;
    Model mModel;
};

}  // namespace nn
