// Parts of the reports of a device test that several formats have.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/testing/device_test_runner.h"

namespace nn::testing {

// What changed since the earlier results, each with the name of the case.
struct Changes {
    std::vector<std::string> worse{};
    std::vector<std::string> better{};
    size_t added = 0;
    size_t gone = 0;
};
Changes changesOf(const DeviceReport& report);

// The most frequent reasons why something is not supported; empty where nothing is.
std::string reasonsOf(std::span<const CaseResult> results);

// For text between tags and in quotes. What XML cannot hold becomes '?'.
std::string escapedForXml(std::string_view text);

}  // namespace nn::testing
