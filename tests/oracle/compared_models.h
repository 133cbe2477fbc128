// Models on which the interpreter and the oracle are compared.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::oracle {

// The bytes of all constants, to distinguish large models from small ones.
size_t bytesOfConstants(const Model& model);

// Makes every temporary of the main graph an output, so that the results of each operation can be
// compared, and sets the number of boxes that an operation finds to unknown.
void showTemporaries(Model& model);

// Replaces the elements of constants and inputs by random values. Indexes, shapes and parameters
// stay, boxes become parts of the original ones, and a model with a WHILE stays unchanged. `inputs`
// are those of the model.
void randomise(Model& model, std::vector<Tensor>& inputs, std::mt19937_64& random);

}  // namespace nn::oracle
