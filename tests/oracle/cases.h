// Models to compare the interpreter and the oracle on.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::oracle {

// Bytes of constants, which tells large models from small ones.
size_t bytesOfConstants(const Model& model);

// Makes every temporary of the main graph an output, so that each operation can be looked at, and
// leaves open how many boxes an operation finds.
void showTemporaries(Model& model);

// Replaces what an operation computes with by random values: elements of constants and inputs.
// Indexes, shapes and parameters stay, boxes become parts of what they were, and a model with a
// WHILE stays as it is. The inputs are those of the model.
void randomise(Model& model, std::vector<Tensor>& inputs, std::mt19937_64& random);

}  // namespace nn::oracle
