// nnapi/comparison.h -- Compares outputs of two executions.
//
//   nn::testing::Criteria criteria = nn::testing::criteriaFor(model);
//   nn::testing::Comparison c = nn::testing::compareOutputs(model, expected, actual, criteria);
//   if (!c.pass) puts(c.message.c_str());   // output 0, element 3: 1.25, expected 1 +- 1e-05
//   print(c.outputs[0].maxUlps);            // how far each output is off
//
// The criteria are those of the NNAPI test suites: an element passes if |expected - actual| <=
// absolute + relative * |expected|. An infinity passes only if the same infinity is expected, a NaN
// only if the tolerance allows it. Of truth values, any two that are not 0 are equal. Pure and
// thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::testing {

// Accepted difference of one element.
struct Tolerance {
    double absolute = 0;       // in the units of the elements
    double relative = 0;       // to the expected value
    bool nanMeetsNan = false;  // an expected NaN accepts NaN; for two executions of one model
    bool nanMeetsAny = false;  // an expected NaN accepts all; if no document defines the result
    bool operator==(const Tolerance&) const = default;
};

// Tolerance for models with an operation and outputs of a type; any operation if empty.
struct OperationTolerance {
    std::optional<OperationType> operation{};        // empty: any
    OperandType type = OperandType::TENSOR_FLOAT32;  // of the outputs
    Tolerance tolerance{};                           // instead of the criteria
    bool operator==(const OperationTolerance&) const = default;
};

// Tolerances by type; quantized types in stored units.
struct Criteria {
    // TENSOR_FLOAT32 and FLOAT32.
    Tolerance float32{.absolute = 1e-5, .relative = 5 * 1.1920928955078125e-7};
    // TENSOR_FLOAT16 and FLOAT16.
    Tolerance float16{.absolute = 5 * 0.0009765625, .relative = 5 * 0.0009765625};
    Tolerance int32{.absolute = 1};    // TENSOR_INT32, INT32 and UINT32
    Tolerance quant8{.absolute = 1};   // quantized types of 8 bits
    Tolerance quant16{.absolute = 1};  // quantized types of 16 bits
    Tolerance boolean{};               // all other types

    // The tolerance for elements of a type.
    Tolerance of(OperandType type) const;
};

// Criteria for a model: float32 is compared as float16 if the model is relaxed or has a
// TENSOR_FLOAT16 operand in any graph. An expected NaN accepts NaN.
Criteria criteriaFor(const Model& model);

// Comparison of one tensor.
struct TensorComparison {
    // The first element beyond the tolerance.
    struct Divergence {
        size_t element = 0;   // in row-major order
        double expected = 0;  // as elementValue() reads it
        double actual = 0;    // likewise
    };

    bool pass = true;         // every element is within the tolerance, and the dimensions are equal
    uint64_t elements = 0;    // number compared; 0 if dimensions differ
    double maxAbsError = 0;   // in stored units for quantized types
    double meanAbsError = 0;  // over all elements

    // For floats, the number of representable values between the two; for other types, stored
    // units. The largest number for NaN against a number.
    uint64_t maxUlps = 0;
    std::optional<Divergence> first{};  // empty if all pass
    std::string message{};  // reason of a failure: "element 3: 1.25, expected 1 +- 1e-05"
};

// Compares two tensors of one type. Fails for dimensions or sizes that differ. The time is linear
// in the elements.
TensorComparison compareTensors(OperandType type, const Tensor& expected, const Tensor& actual,
                                Tolerance tolerance);

// Comparison of all outputs.
struct Comparison {
    bool pass = true;         // of all outputs
    double maxAbsError = 0;   // over all compared elements, in stored units for quantized types
    double meanAbsError = 0;  // over all compared elements
    uint64_t elements = 0;    // compared, of all outputs
    std::string message{};    // the first difference beyond the criteria
    std::vector<TensorComparison> outputs{};  // one for each
};

// Compares dimensions and elements of the outputs of the main graph, in its order. An expected
// output with hasNoValue is not compared.
Comparison compareOutputs(const Model& model, std::span<const Tensor> expected,
                          std::span<const Tensor> actual, const Criteria& criteria);

// elementCount: the number of whole elements in the data. elementValue: one stored element as
// double; 0 beyond the last one.
size_t elementCount(OperandType type, const Tensor& tensor);
double elementValue(OperandType type, const Tensor& tensor, size_t i);

// Statistics of the errors of results of one type, over any number of tensors, including errors
// within the tolerance. Errors are actual - expected, counted in representable values for floats
// and in stored values for other types.
//
//   ValueStatistics statistics;
//   statistics.add(OperandType::TENSOR_FLOAT32, expected[0], actual[0]);
//   toString(statistics);  // 512 values: 99.2% exact, 0.8% off by 1; mean error -0.008, largest 1
struct ValueStatistics {
    // Distances with a count of their own; the last includes all larger ones.
    static constexpr std::array<uint64_t, 5> kDistances = {0, 1, 2, 3, 10};
    // The largest error that enters the mean, so that one value does not outweigh all others.
    static constexpr int64_t kMaxError = 1000;

    std::array<uint64_t, kDistances.size()> counts{};  // of values at each distance
    uint64_t largest = 0;  // distance; the largest number for NaN against a number
    int64_t errorSum = 0;  // of actual - expected, in units, each at most kMaxError

    // Adds two tensors of one shape, except elements whose expected value is NaN. If one tensor has
    // more elements, the excess is ignored.
    void add(OperandType type, const Tensor& expected, const Tensor& actual);
    // Adds the counts of another object.
    void add(const ValueStatistics& other);

    // Number of values that were added.
    uint64_t values() const;
    double share(size_t i) const;  // of values at the i-th distance, from 0 to 1
    double meanError() const;      // errorSum / values(); 0 without values
    bool operator==(const ValueStatistics&) const = default;
};

// "512 values: 99.2% exact, 0.8% off by 1; mean error -0.008, largest 1"
std::string toString(const ValueStatistics& statistics);

// For a model of one RANDOM_MULTINOMIAL with batch 1: compares how often each class was drawn with
// the softmax of the logits, within the tolerance.
Comparison compareDistribution(std::span<const float> logits, std::span<const int32_t> draws,
                               double tolerance);

}  // namespace nn::testing
