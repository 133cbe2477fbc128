// Models of one operation with random shapes and values that drivers get wrong, and the results of
// the reference.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "device_test/cases/reference_work.h"
#include "nnapi/io.h"
#include "nnapi/version.h"

namespace nn::testing {

struct DrawnCase {
    TestCase testCase{};
    std::vector<std::vector<double>> unrounded{};  // see unroundedOutputs(); may be empty
};

struct DrawnModel {
    Model model{};
    std::vector<uint8_t> choices{};  // that made the model
};

enum class DrawnSize { USUAL, HUGE };  // of more elements than 16 bits count
// Of plain models, most choices are the simplest: variables rather than constants, no activation,
// equal shapes.
enum class DrawnStyle { VARIED, PLAIN };

// What to draw. Equal values give equal cases.
struct DrawOptions {
    OperationType operation{};
    uint64_t seed = 0;
    Version version{};
    DrawnSize size = DrawnSize::USUAL;
    DrawnStyle style = DrawnStyle::VARIED;
    // The choices of another model, to which this one is near; empty: any model.
    std::vector<uint8_t> near{};
    OwnWorkHook onOwnWork{};  // of the reference
};

// Empty if the drawn model is not a model of the operation.
std::optional<DrawnModel> drawModel(const DrawOptions& options);

// Gives a drawn model inputs and outputs, and before that a scale for them. Empty if the reference
// refuses its values.
std::optional<DrawnCase> computeCase(const DrawnModel& drawn, const DrawOptions& options);

// A sum of many equal bytes, which overflows in some drivers. Empty for operations without such a
// sum.
std::optional<DrawnCase> longSum(OperationType operation, const OwnWorkHook& hook = {});

// The operations that can be drawn and have one result: all except IF, WHILE and
// RANDOM_MULTINOMIAL.
std::span<const OperationType> drawnOperations();

// True for ARGMAX and ARGMIN: where several elements are greatest, the documentation does not
// define which of them is the result.
bool findsOneOfEqual(OperationType operation);

// The operation with its shapes, each with scale and zero point, and its parameters:
// "CONV_2D of TENSOR_QUANT8_ASYMM [1, 5, 4, 3] (0.5, 128), [2, 3, 3, 3] (0.25, 7), [2]; 1, 2, 2, 0"
std::string descriptionOf(const Model& model);

}  // namespace nn::testing
