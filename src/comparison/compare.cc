#include "nnapi/comparison.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "comparison/element_distance.h"
#include "nnapi/half.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"

namespace nn::testing {
namespace {

template <class E>
E elementAt(const std::vector<uint8_t>& data, size_t i) {
    E element{};
    std::memcpy(&element, data.data() + i * sizeof(E), sizeof(E));
    return element;
}

// An element as stored, widened to double.
double widen(OperandType type, const std::vector<uint8_t>& data, size_t i) {
    switch (type) {
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            return elementAt<float>(data, i);
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
            return halfToFloat(elementAt<uint16_t>(data, i));
        case OperandType::INT32:
        case OperandType::TENSOR_INT32:
            return elementAt<int32_t>(data, i);
        case OperandType::UINT32:
            return elementAt<uint32_t>(data, i);
        case OperandType::TENSOR_QUANT16_SYMM:
            return elementAt<int16_t>(data, i);
        case OperandType::TENSOR_QUANT16_ASYMM:
            return elementAt<uint16_t>(data, i);
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
        case OperandType::TENSOR_QUANT8_SYMM:
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
            return elementAt<int8_t>(data, i);
        default:
            return data[i];
    }
}

template <class C>
void fail(C& comparison, const std::string& message) {
    if (comparison.pass) comparison.message = message;
    comparison.pass = false;
}

// Maps the bits of a float (a sign and `bits` more) to integers in the order of the values; both
// zeros map to 0.
int64_t ordered(uint32_t stored, int bits) {
    const int64_t magnitude = stored & ((uint32_t{1} << bits) - 1);
    return (stored >> bits) != 0 ? -magnitude : magnitude;
}

// Integers whose differences are distances.
int64_t place(OperandType type, const std::vector<uint8_t>& data, size_t i) {
    switch (type) {
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            return ordered(elementAt<uint32_t>(data, i), 31);
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
            return ordered(elementAt<uint16_t>(data, i), 15);
        default:
            return static_cast<int64_t>(widen(type, data, i));
    }
}

bool isTruthValue(OperandType type) {
    return type == OperandType::BOOL || type == OperandType::TENSOR_BOOL8;
}

}  // namespace

std::optional<int64_t> elementDistance(OperandType type, const Tensor& expected,
                                       const Tensor& actual, size_t i) {
    const bool isNan = std::isnan(widen(type, expected.data, i));
    if (isNan != std::isnan(widen(type, actual.data, i))) return std::nullopt;
    if (isTruthValue(type)) return (actual.data[i] != 0 ? 1 : 0) - (expected.data[i] != 0 ? 1 : 0);
    return isNan ? 0 : place(type, actual.data, i) - place(type, expected.data, i);
}

size_t elementCount(OperandType type, const Tensor& tensor) {
    return tensor.data.size() / std::max(elementSize(type), uint32_t{1});
}

double elementValue(OperandType type, const Tensor& tensor, size_t i) {
    return i < elementCount(type, tensor) ? widen(type, tensor.data, i) : 0;
}

Tolerance Criteria::of(OperandType type) const {
    switch (type) {
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            return float32;
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
            return float16;
        case OperandType::INT32:
        case OperandType::UINT32:
        case OperandType::TENSOR_INT32:
            return int32;
        case OperandType::TENSOR_QUANT16_ASYMM:
        case OperandType::TENSOR_QUANT16_SYMM:
            return quant16;
        case OperandType::TENSOR_QUANT8_ASYMM:
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
        case OperandType::TENSOR_QUANT8_SYMM:
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
            return quant8;
        default:
            return boolean;
    }
}

Criteria criteriaFor(const Model& model) {
    Criteria criteria;
    criteria.float32.nanMeetsNan = criteria.float16.nanMeetsNan = true;
    const auto hasHalf = [](const Model::Subgraph& graph) {
        return absl::c_any_of(graph.operands, [](const Operand& operand) {
            return operand.type == OperandType::TENSOR_FLOAT16;
        });
    };
    if (model.relaxComputationFloat32toFloat16 || hasHalf(model.main) ||
        absl::c_any_of(model.referenced, hasHalf)) {
        criteria.float32 = criteria.float16;
    }
    return criteria;
}

TensorComparison compareTensors(OperandType type, const Tensor& expected, const Tensor& actual,
                                Tolerance tolerance) {
    TensorComparison result;
    if (expected.dimensions != actual.dimensions) {
        fail(result, fmt::format("dimensions {}, expected {}", print(actual.dimensions),
                                 print(expected.dimensions)));
        return result;
    }
    if (expected.data.size() != actual.data.size()) {
        fail(result,
             fmt::format("{} bytes, expected {}", actual.data.size(), expected.data.size()));
        return result;
    }
    result.elements = elementCount(type, expected);
    for (size_t i = 0; i < result.elements; ++i) {
        const double wanted = widen(type, expected.data, i);
        const double got = widen(type, actual.data, i);
        if (wanted == got) continue;  // inf - inf is NaN
        if (isTruthValue(type) && (wanted != 0) == (got != 0)) continue;
        if (tolerance.nanMeetsAny && std::isnan(wanted)) continue;
        if (tolerance.nanMeetsNan && std::isnan(wanted) && std::isnan(got)) continue;
        const double error = std::fabs(wanted - got);
        const double size = std::isfinite(wanted) ? std::fabs(wanted) : 0;
        const double allowed = tolerance.absolute + tolerance.relative * size;
        const bool isNan = std::isnan(error);
        result.meanAbsError += error / static_cast<double>(result.elements);
        result.maxAbsError = isNan ? error : std::max(result.maxAbsError, error);
        const auto distance = elementDistance(type, expected, actual, i).value_or(0);
        result.maxUlps = std::max(result.maxUlps,
                                  isNan ? UINT64_MAX : static_cast<uint64_t>(std::abs(distance)));
        if (error <= allowed || result.first) continue;
        result.first = {.element = i, .expected = wanted, .actual = got};
        fail(result, fmt::format("element {}: {}, expected {} +- {}", i, got, wanted, allowed));
    }
    return result;
}

Comparison compareOutputs(const Model& model, std::span<const Tensor> expected,
                          std::span<const Tensor> actual, const Criteria& criteria) {
    Comparison result;
    const size_t count = model.main.outputIndexes.size();
    if (expected.size() != count) {
        fail(result, fmt::format("the model has {} outputs, expected values are for {}", count,
                                 expected.size()));
    } else if (actual.size() != count) {
        fail(result, fmt::format("{} outputs, expected {}", actual.size(), count));
    }
    if (!result.pass) return result;
    result.outputs.resize(expected.size());
    for (size_t i = 0; i < expected.size(); ++i) {
        if (expected[i].hasNoValue) continue;
        const uint32_t operand = model.main.outputIndexes[i];
        if (operand >= model.main.operands.size()) continue;
        const OperandType type = model.main.operands[operand].type;
        TensorComparison& output = result.outputs[i];
        output = compareTensors(type, expected[i], actual[i], criteria.of(type));
        result.elements += output.elements;
        result.meanAbsError += output.meanAbsError * static_cast<double>(output.elements);
        result.maxAbsError = std::isnan(output.maxAbsError)
                                     ? output.maxAbsError
                                     : std::max(result.maxAbsError, output.maxAbsError);
        if (!output.pass) {
            fail(result,
                 fmt::format("output {}{} {}", i, output.first ? "," : ":", output.message));
        }
    }
    if (result.elements != 0) result.meanAbsError /= static_cast<double>(result.elements);
    return result;
}

Comparison compareDistribution(std::span<const float> logits, std::span<const int32_t> draws,
                               double tolerance) {
    Comparison result;
    if (logits.empty() || draws.empty()) {
        fail(result, "nothing was drawn");
        return result;
    }
    std::vector<double> drawn(logits.size(), 0);
    for (const int32_t draw : draws) {
        if (draw < 0 || static_cast<size_t>(draw) >= logits.size()) {
            fail(result, fmt::format("drew class {}, allowed 0 to {}", draw, logits.size() - 1));
            return result;
        }
        ++drawn[static_cast<size_t>(draw)];
    }
    const double most = *absl::c_max_element(logits);
    double sum = 0;
    for (const float logit : logits) sum += std::exp(logit - most);
    for (size_t i = 0; i < logits.size(); ++i) {
        const double expected = std::exp(logits[i] - most) / sum;
        const double actual = drawn[i] / static_cast<double>(draws.size());
        const double error = std::fabs(expected - actual);
        ++result.elements;
        // Every error is NaN if a logit is NaN or positive infinity.
        result.maxAbsError = std::isnan(error) ? error : std::max(result.maxAbsError, error);
        result.meanAbsError += error / static_cast<double>(logits.size());
        if (!(error <= tolerance)) {
            fail(result, fmt::format("class {} was drawn {:.4f} of the time, expected {:.4f} +- {}",
                                     i, actual, expected, tolerance));
        }
    }
    return result;
}

}  // namespace nn::testing
