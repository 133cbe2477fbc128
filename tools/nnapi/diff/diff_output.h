// Prints the differences between two executions.
#pragma once

#include <string>

#include "tools/nnapi/diff/steps.h"

namespace nn::cli {

// The name of the other side, for JSON and for people.
struct OtherSide {
    std::string exact;
    std::string shown;
};

// The output of diff: a report of each pair and, at the end, their drawings.
class DiffOutput {
   public:
    explicit DiffOutput(const Options& options)
        : mOptions(options), mOutput(options.json), mHasReport(options.drawing != "-") {}

    Exit add(const Side& a, const OtherSide& other, const Verdict& verdict);

    // Writes the drawings.
    Exit finish(Exit exit) const;

   private:
    void report(const std::string& summary, const Verdict& verdict) const;
    void report(const DeviceParts& parts) const;
    void reportEach(const std::vector<OperationAlone>& each) const;

    const Options& mOptions;
    Output mOutput;
    bool mHasReport;
    std::string mDrawings{};
};

}  // namespace nn::cli
