// Parts of the reports of a device test that several formats have.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/device_test/device_test_runner.h"

namespace nn::testing {

// The cases whose outcomes changed since the earlier results.
struct Changes {
    std::vector<std::string> worse{};
    std::vector<std::string> better{};
    size_t added = 0;
    size_t gone = 0;
};
Changes changesOf(const DeviceReport& report);

// Kinds in the order of their first cases, also of those that have not run.
std::vector<std::string> kindsOf(const DeviceReport& report);

// The most frequent reasons for NOT_SUPPORTED; empty if there are none.
std::string reasonsOf(std::span<const CaseResult> results);

// The notes of all cases: "name/of/case: behavior".
std::vector<std::string> remarksOf(std::span<const CaseResult> results);

}  // namespace nn::testing
