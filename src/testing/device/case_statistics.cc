#include "testing/device/case_statistics.h"

#include <algorithm>
#include <cmath>

namespace nn::testing {
namespace {

// A result this near to a whole or a half step does not show how it was rounded: far more than a
// multiplier of 16 bits changes.
constexpr double kMargin = 0.1;
// Wrong results that are not wrongly rounded fail in their own cases.
constexpr double kMaxSteps = 3;

double meanOf(int64_t sum, uint64_t values) {
    return values == 0 ? 0 : static_cast<double>(sum) / static_cast<double>(values);
}

bool tellsRounding(double unrounded) {
    const double fraction = unrounded - std::floor(unrounded);
    return fraction > kMargin && fraction < 1 - kMargin && std::fabs(fraction - 0.5) > kMargin;
}

}  // namespace

double RoundingStatistics::meanError() const { return meanOf(errorSum, values); }
double RoundingStatistics::meanOutwardError() const { return meanOf(outwardSum, values); }

void addTo(std::vector<OutputStatistics>& rows, const OutputStatistics& one) {
    const auto row = std::ranges::find_if(rows, [&](const OutputStatistics& each) {
        return each.operation == one.operation && each.type == one.type;
    });
    if (row == rows.end()) return rows.push_back(one);
    row->outputs += one.outputs;
    row->exactOutputs += one.exactOutputs;
    row->values.add(one.values);
    row->rounding.values += one.rounding.values;
    row->rounding.errorSum += one.rounding.errorSum;
    row->rounding.outwardSum += one.rounding.outwardSum;
}

RoundingStatistics roundingOf(const Operand& operand, std::span<const double> unrounded,
                              const Tensor& expected, const Tensor& actual) {
    RoundingStatistics rounding;
    const size_t count = elementCount(operand.type, expected);
    if (unrounded.empty() || unrounded.size() != count ||
        elementCount(operand.type, actual) != count) {
        return rounding;
    }
    const auto [least, most] = std::ranges::minmax(unrounded);
    for (size_t i = 0; i < count; ++i) {
        const double wanted = elementValue(operand.type, expected, i);
        const bool isBound = unrounded[i] == least || unrounded[i] == most;
        // Also leaves out saturated values.
        const bool isNearest = std::floor(unrounded[i] + 0.5) == wanted;
        if (isBound || !isNearest || !tellsRounding(unrounded[i])) continue;
        const double error =
                std::clamp(elementValue(operand.type, actual, i) - wanted, -kMaxSteps, kMaxSteps);
        ++rounding.values;
        rounding.errorSum += static_cast<int64_t>(error);
        rounding.outwardSum += static_cast<int64_t>(wanted < operand.zeroPoint ? -error : error);
    }
    return rounding;
}

}  // namespace nn::testing
