// The result of one device test case as JSON: between a worker and its run, and in files.
#pragma once

#include <optional>
#include <string_view>

#include "nnapi/testing/device_test_runner.h"
#include "testing/runner/json_lines.h"

namespace nn::testing {

std::optional<CaseEnd> parseCaseEnd(std::string_view text);

// The outcome that a worker sends, without the data of its parent.
Json toJson(const DeviceOutcome& outcome);
DeviceOutcome outcomeOf(const Json& json);

// Whether a line is such an outcome, and whether it is the first line of all: a driver can write to
// the socket of its worker.
bool isOutcome(const Json& line);
bool isReadyLine(const Json& line);

// Converts to and from a line of --json. Empty for other lines.
Json toJson(const CaseResult& result);
std::optional<CaseResult> caseResultOf(const Json& json);

}  // namespace nn::testing
