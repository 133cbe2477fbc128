// Reads the files that steer a device test: known failures, tolerances, and the results of an
// earlier run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "device_test/rules/name_patterns.h"
#include "nnapi/device_test/device_test_runner.h"

namespace nn::testing {

// Failures are INVALID_ARGUMENT, with the file and the line.
Status wrongAt(const std::string& place, const std::string& message);

// A pattern on each line; # begins a comment.
class KnownFailures {
   public:
    static Result<KnownFailures> read(const std::string& path, const Limits& limits);

    // Marks a bad result whose case is listed, and records which lines matched which outcomes.
    void look(CaseResult& result);

    // Lines whose cases have all succeeded: "cts.txt:3: vectors/add/*"
    std::vector<std::string> unexpectedPasses() const;

   private:
    struct Line {
        std::string place;
        Pattern pattern;
        size_t passed = 0;
        size_t bad = 0;
    };
    std::vector<Line> mLines{};
};

// On each line an operation or *, an operand type, an absolute and a relative tolerance:
//   CONV_2D  TENSOR_FLOAT32  1e-3  1e-3
Result<std::vector<OperationTolerance>> readTolerances(const std::string& path,
                                                       const Limits& limits);

// The outcomes of an earlier run, as written by --json, by case name.
Result<std::map<std::string, CaseEnd>> readEarlier(const std::string& path, const Limits& limits);

}  // namespace nn::testing
