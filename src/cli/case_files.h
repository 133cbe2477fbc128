// Reads the files that steer a device test: known failures, tolerances, and the results of an
// earlier run.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/case_result.h"
#include "cli/name_patterns.h"

namespace nn::cli {

// INVALID_ARGUMENT: what is wrong with a file or a line of it.
Status wrongAt(const std::string& place, const std::string& message);

// Lines with a pattern each; # begins a comment.
class KnownFailures {
   public:
    static Result<KnownFailures> read(const std::string& path, const Limits& limits);

    // Marks a result that is bad and listed, and remembers what happened to which line.
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

// Lines of an operation or *, a type of operand, an absolute and a relative tolerance:
//   CONV_2D  TENSOR_FLOAT32  1e-3  1e-3
Result<std::vector<testing::OperationTolerance>> readTolerances(const std::string& path,
                                                                const Limits& limits);

// The outcomes of an earlier run, by the names of the cases, as --json has written them.
Result<std::map<std::string, CaseEnd>> readEarlier(const std::string& path, const Limits& limits);

}  // namespace nn::cli
