// How far the results of a device are off, over all cases of a run, and whether to one side.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/html.h"
#include "device_test/runner/json_lines.h"
#include "nnapi/device_test/device_test_runner.h"

namespace nn::testing {

Json toJson(std::span<const OutputStatistics> rows);
// Empty for a row that is none.
std::vector<OutputStatistics> statisticsOf(const Json& json);

// The sums over all cases, by the names of operations and types.
std::vector<OutputStatistics> statisticsOf(const DeviceReport& report);

// The kind of results that are computed from those of other cases.
inline constexpr std::string_view kBiasKind = "bias";

// One result of that kind for each operation and quantized type with enough values to judge their
// rounding: a failure if they are off by more than `most` steps on average.
std::vector<CaseResult> biasResults(const DeviceReport& report, double most);

// What ran too little to say anything: a sentence each.
std::vector<std::string> warningsOf(const DeviceReport& report);

// Tables of what is not exact; empty if there is nothing. As text, only what is farthest off.
std::string statisticsText(const DeviceReport& report);
Html statisticsHtml(const DeviceReport& report);

}  // namespace nn::testing
