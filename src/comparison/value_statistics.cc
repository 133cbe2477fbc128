#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/plurals.h"
#include "comparison/element_distance.h"
#include "nnapi/comparison.h"

namespace nn::testing {

void ValueStatistics::add(OperandType type, const Tensor& expected, const Tensor& actual) {
    const size_t count = std::min(elementCount(type, expected), elementCount(type, actual));
    for (size_t i = 0; i < count; ++i) {
        if (std::isnan(elementValue(type, expected, i))) continue;
        const auto error = elementDistance(type, expected, actual, i);
        const uint64_t distance = error ? static_cast<uint64_t>(std::abs(*error)) : UINT64_MAX;
        size_t place = 0;
        while (place + 1 < kDistances.size() && kDistances[place + 1] <= distance) ++place;
        ++counts[place];
        largest = std::max(largest, distance);
        errorSum += std::clamp(error.value_or(0), -kMaxError, kMaxError);
    }
}

void ValueStatistics::add(const ValueStatistics& other) {
    for (size_t i = 0; i < counts.size(); ++i) counts[i] += other.counts[i];
    largest = std::max(largest, other.largest);
    errorSum += other.errorSum;
}

uint64_t ValueStatistics::values() const { return absl::c_accumulate(counts, uint64_t{0}); }

double ValueStatistics::share(size_t i) const {
    const uint64_t all = values();
    return all == 0 ? 0 : static_cast<double>(counts[i]) / static_cast<double>(all);
}

double ValueStatistics::meanError() const {
    const uint64_t all = values();
    return all == 0 ? 0 : static_cast<double>(errorSum) / static_cast<double>(all);
}

std::string toString(const ValueStatistics& statistics) {
    std::string text = toString(Plural{statistics.values(), "values"});
    if (statistics.values() == 0) return text;
    text += fmt::format(": {:.1f}% exact", 100 * statistics.share(0));
    for (size_t i = 1; i < statistics.counts.size(); ++i) {
        if (statistics.counts[i] == 0) continue;
        const uint64_t from = ValueStatistics::kDistances[i];
        text += fmt::format(", {:.1f}% off by {}", 100 * statistics.share(i), from);
        if (i + 1 == statistics.counts.size()) {
            text += " and more";
        } else if (ValueStatistics::kDistances[i + 1] != from + 1) {
            text += fmt::format(" to {}", ValueStatistics::kDistances[i + 1] - 1);
        }
    }
    if (statistics.counts[0] == statistics.values()) return text;
    const std::string largest =
            statistics.largest == UINT64_MAX ? "one is NaN" : fmt::format("{}", statistics.largest);
    return text + fmt::format("; mean error {:.3f}, largest {}", statistics.meanError(), largest);
}

}  // namespace nn::testing
