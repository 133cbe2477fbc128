// A second evaluator of models, for tests only. It shares no code with the interpreter and its
// kernels.
//
//   const Evaluation evaluation = oracle::evaluate(model, inputs);
//   if (evaluation.kind == Evaluation::Kind::VALUES) compare(evaluation.outputs, ...);
//
// It is deliberately naive: direct loops over index vectors in double precision, one short function
// for each operation, written from docs/ops. Quantized operands are read as the real numbers that
// they represent, and results are rounded once. Decisions that the definition makes in single
// precision (which box, which pixel) are made in single precision here, too. The model must be
// valid: the checks of preparation are not repeated.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::oracle {

struct Evaluation {
    enum class Kind {
        VALUES,
        REFUSED,      // the values of the operands make an operation fail
        NOT_COVERED,  // an operation has no function here
    };
    Kind kind = Kind::VALUES;
    std::string why{};              // set if there are no values
    std::vector<Tensor> outputs{};  // one for each output
};

// Whether there is a function for the operation.
bool covers(OperationType type);

// Evaluates the whole model, from its inputs to its outputs.
Evaluation evaluate(const Model& model, std::span<const Tensor> inputs);

// Evaluates one operation of the main graph. `known` has the value of each operand of the main
// graph that is an input of the operation and not a constant.
Evaluation evaluateOperation(const Model& model, const Operation& operation,
                             std::span<const Tensor> known);

}  // namespace nn::oracle
