// Shows the results of device tests as test-device and report do.
#pragma once

#include "cli/options.h"
#include "cli/output.h"
#include "nnapi/testing/device_test_runner.h"

namespace nn::cli {

testing::ReportFiles reportFilesOf(const CaseOptions& options);

// One result as it comes: a line of JSON, or for people what is bad and not known.
void printResult(const Output& output, const testing::CaseResult& result,
                 const testing::DeviceReport& report);

// The summary, and the files that the options ask for, with complaints.
Exit printReport(const Output& output, const CaseOptions& options,
                 const testing::DeviceReport& report);

}  // namespace nn::cli
