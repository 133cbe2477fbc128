#include "op_support/rules/recurrent_rules.h"

#include <absl/algorithm/container.h>

#include <cmath>

namespace nn::ops {

bool requireRecurrentActivation(const OpView& op, std::string_view rule, size_t input) {
    const auto code = op.int32(input);
    return op.require(!code || (*code >= 0 && *code <= 4) || *code == 6, rule,
                      "{} is {}, allowed 0 (NONE), 1 (RELU), 2 (RELU1), 3 (RELU6), 4 (TANH) or 6 "
                      "(SIGMOID)",
                      op.in(input), code.value_or(0));
}

bool requireTogether(const OpView& op, std::string_view rule,
                     std::initializer_list<size_t> inputs) {
    const auto has = [&](size_t i) { return op.has(i); };
    const auto* given = absl::c_find_if(inputs, has);
    const auto* omitted = absl::c_find_if_not(inputs, has);
    return given == inputs.end() || omitted == inputs.end() ||
           op.require(false, rule, "{} has a value and {} has none, allowed both or neither",
                      op.in(*given), op.in(*omitted));
}

bool requireWith(const OpView& op, std::string_view rule, size_t input, size_t other) {
    return op.require(!op.has(input) || op.has(other), rule,
                      "{} has a value, allowed only where {} has one", op.in(input), op.in(other));
}

Dim firstKnown(std::initializer_list<Dim> dims) {
    const auto* known = absl::c_find_if(dims, [](const Dim& dim) { return dim.has_value(); });
    return known == dims.end() ? std::nullopt : *known;
}

Dim batchesOf(const Value& sequence, std::optional<bool> isTimeMajor) {
    return isTimeMajor ? sequence.dim(*isTimeMajor ? 1 : 0) : Dim();
}

std::optional<int32_t> powerOfTwo(float scale) {
    const float exponent = std::log2(scale);
    const float nearest = std::round(exponent);
    if (!std::isfinite(exponent) || std::abs(exponent - nearest) >= 1e-3f) return std::nullopt;
    return static_cast<int32_t>(nearest);
}

}  // namespace nn::ops
