// Shows the results of device tests as test-device and report do.
#pragma once

#include "cli/options.h"
#include "cli/output.h"
#include "nnapi/testing/device_test_runner.h"

namespace nn::cli {

testing::ReportFiles reportFilesOf(const CaseOptions& options);

double mostBiasOf(const CaseOptions& options);

// Prints one result at once: a line of JSON, or for people only unexpected failures.
void printResult(const Output& output, const testing::CaseResult& result,
                 const testing::DeviceReport& report);

// Prints the summary, and writes the files that the options request.
Exit printReport(const Output& output, const CaseOptions& options,
                 const testing::DeviceReport& report);

}  // namespace nn::cli
