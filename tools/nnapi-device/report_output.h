// Shows the results of device tests as test-device and report do.
#pragma once

#include <set>
#include <string>

#include "nnapi/device_test/device_test_runner.h"
#include "tools/nnapi/options.h"
#include "tools/nnapi/output.h"

namespace nn::cli {

testing::ReportFiles reportFilesOf(const CaseOptions& options);

double maxBiasOf(const CaseOptions& options);

// Prints each result at once: a line of JSON, or for people only the first unexpected failure of
// each cause.
class ResultPrinter {
   public:
    explicit ResultPrinter(const Output& output) : mOutput(output) {}

    void print(const testing::CaseResult& result, const testing::DeviceReport& report);

   private:
    const Output& mOutput;
    std::set<std::string> mCauses{};
};

// Prints the summary, and writes the files that the options request.
Exit printReport(const Output& output, const CaseOptions& options,
                 const testing::DeviceReport& report);

}  // namespace nn::cli
