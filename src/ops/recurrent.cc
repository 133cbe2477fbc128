#include "ops/recurrent.h"

#include <algorithm>

namespace nn::ops {

bool requireRecurrentActivation(const Operation& op, std::string_view rule, size_t input) {
    const auto code = op.int32(input);
    return op.require(!code || (*code >= 0 && *code <= 4) || *code == 6, rule,
                      "{} is {}, allowed 0 (NONE), 1 (RELU), 2 (RELU1), 3 (RELU6), 4 (TANH) or 6 "
                      "(SIGMOID)",
                      op.in(input), code.value_or(0));
}

Dim firstKnown(std::initializer_list<Dim> dims) {
    const auto* known = std::ranges::find_if(dims, [](const Dim& dim) { return dim.has_value(); });
    return known == dims.end() ? std::nullopt : *known;
}

}  // namespace nn::ops
