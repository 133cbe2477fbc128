// Models of one operation with random shapes and values that drivers get wrong, and what the
// reference computes for them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nnapi/io.h"
#include "nnapi/version.h"

namespace nn::testing {

struct DrawnCase {
    TestCase testCase{};
    std::vector<std::vector<double>> unrounded{};  // see unroundedOutputs(); may be empty
};

enum class DrawnSize { USUAL, HUGE };  // of more elements than 16 bits count

// Equal arguments give equal cases. Empty if what was drawn is no model of the operation, or has
// values that the reference refuses.
std::optional<DrawnCase> drawCase(OperationType operation, uint64_t seed, Version version,
                                  DrawnSize size = DrawnSize::USUAL);

// The operations that can be drawn and have one result: all except IF, WHILE and
// RANDOM_MULTINOMIAL.
std::span<const OperationType> drawnOperations();

// "CONV_2D of TENSOR_QUANT8_ASYMM [1, 5, 4, 3], [2, 3, 3, 3], [2]"
std::string descriptionOf(const Model& model);

}  // namespace nn::testing
