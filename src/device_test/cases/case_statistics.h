// Statistics of results: adds them up, and finds how they were rounded.
#pragma once

#include <span>
#include <vector>

#include "nnapi/device_test/device_test.h"

namespace nn::testing {

// Adds to the row of the same operation and type.
void addTo(std::vector<OutputStatistics>& rows, const OutputStatistics& one);

// Of one output; `unrounded` are the results in steps before rounding, none if they are not known.
// Saturated values, and those at a bound of an activation, are left out.
RoundingStatistics roundingOf(const Operand& operand, std::span<const double> unrounded,
                              const Tensor& expected, const Tensor& actual);

}  // namespace nn::testing
