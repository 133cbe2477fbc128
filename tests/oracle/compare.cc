#include "oracle/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "oracle/operation_view.h"

namespace nn::oracle {

using testing::Tolerance;

bool isExact(OperationType operation) {
    using enum OperationType;
    static const std::set<OperationType> kGroups[] = {
            {EQUAL, NOT_EQUAL, LESS, LESS_EQUAL, GREATER, GREATER_EQUAL},
            {LOGICAL_AND, LOGICAL_OR, LOGICAL_NOT, REDUCE_ALL, REDUCE_ANY},
            {REDUCE_MAX, REDUCE_MIN, ARGMAX, ARGMIN, TOPK_V2, MAX_POOL_2D},
            {ABS, NEG, FLOOR, RELU, RELU1, RELU6, CAST, FILL, RANK},
            {RESIZE_NEAREST_NEIGHBOR, QUANTIZED_LSTM, QUANTIZED_16BIT_LSTM},
    };
    static const Functions kMovement = movementFunctions();
    if (kMovement.contains(operation)) return operation != CONCATENATION;  // may requantize
    return std::ranges::any_of(kGroups, [&](const auto& g) { return g.contains(operation); });
}

Tolerance toleranceOf(OperationType operation, OperandType type) {
    if (isExact(operation)) return {};
    const testing::Criteria criteria{.int32 = {}};
    Tolerance tolerance = criteria.of(type);
    if (type == OperandType::TENSOR_FLOAT32 || type == OperandType::TENSOR_FLOAT16) {
        tolerance.absolute /= 2;
        tolerance.relative /= 2;
    }
    return tolerance;
}

std::optional<std::string> difference(OperandType type, const Tensor& expected,
                                      const Tensor& actual, Tolerance tolerance) {
    if (expected.dimensions != actual.dimensions) {
        return fmt::format("dimensions [{}], expected [{}]", fmt::join(actual.dimensions, ", "),
                           fmt::join(expected.dimensions, ", "));
    }
    if (expected.data.size() != actual.data.size()) return "another number of bytes";
    if (expected.data == actual.data) return std::nullopt;
    for (size_t i = 0; i < testing::elementCount(type, expected); ++i) {
        const double wanted = testing::elementValue(type, expected, i);
        const double got = testing::elementValue(type, actual, i);
        const bool same = wanted == got || (std::isnan(wanted) && std::isnan(got));
        const double allowed = tolerance.absolute + tolerance.relative * std::fabs(wanted);
        if (!same && !(std::fabs(wanted - got) <= allowed)) {
            return fmt::format("element {}: {}, expected {} +- {}", i, got, wanted, allowed);
        }
    }
    return std::nullopt;
}

}  // namespace nn::oracle
