// Merges the result files of the parts of a run into one report.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "nnapi/testing/device_test_runner.h"
#include "testing/runner/case_files.h"
#include "testing/runner/results_file.h"
#include "testing/runner/statistics.h"
#include "types/plurals.h"
#include "types/printable.h"

namespace nn::testing {
namespace {

// The parts of one run.
class Parts {
   public:
    explicit Parts(const Limits& limits) : mLimits(limits) {}

    Status add(const std::string& file) {
        NNAPI_ASSIGN_OR_RETURN(results, readResults(file, mLimits));
        ResultsHead& head = results.head;
        if (mParts.empty()) mRun = head;
        if (head.of != mRun.of || head.total != mRun.total || head.names != mRun.names ||
            head.seed != mRun.seed) {
            return wrongAt(
                    printable(file),
                    fmt::format("is of another run than the files before it: {} cases in {} "
                                "parts with seed {}, there {} in {} with seed {}{}",
                                head.total, head.of, head.seed, mRun.total, mRun.of, mRun.seed,
                                head.names == mRun.names ? "" : ", and other names"));
        }
        if (std::ranges::count(mDevices, head.device) == 0) mDevices.push_back(head.device);
        Part& part = mParts[head.shard];
        part.cases = head.cases;
        part.command = std::move(head.command);
        for (NumberedResult& each : results.results) {
            part.numbers.insert(each.number);
            mResults[each.number] = std::move(each.result);
        }
        return {};
    }

    // Returns the results in the order of the list, and the missing ones.
    DeviceReport report() {
        DeviceReport report{.device = fmt::format("{}", fmt::join(mDevices, ", ")),
                            .seed = mRun.seed};
        for (auto& [number, result] : mResults) report.results.push_back(std::move(result));
        for (size_t shard = 1; shard <= mRun.of; ++shard) {
            const auto found = mParts.find(shard);
            if (found == mParts.end()) {
                report.missing.push_back(fmt::format("all {} of part {}/{}: run it",
                                                     Plural{mRun.casesOf(shard), "cases"}, shard,
                                                     mRun.of));
                continue;
            }
            const Part& part = found->second;
            if (part.numbers.size() == part.cases) continue;
            report.missing.push_back(
                    fmt::format("{} of {} of part {}/{}: {}", part.cases - part.numbers.size(),
                                Plural{part.cases, "cases"}, shard, mRun.of, part.command));
        }
        return report;
    }

   private:
    struct Part {
        size_t cases = 0;
        std::string command{};
        std::set<size_t> numbers{};  // with a result
    };

    Limits mLimits;
    ResultsHead mRun{};
    std::vector<std::string> mDevices{};
    std::map<size_t, Part> mParts{};
    std::map<size_t, CaseResult> mResults{};  // of several for one case, the last one
};

}  // namespace

Result<DeviceReport> mergeResults(const std::vector<std::string>& files,
                                  const ReportFiles& reportFiles, const Limits& limits,
                                  double maxBias) {
    Parts parts(limits);
    for (const std::string& file : files) NNAPI_RETURN_IF_ERROR(parts.add(file));
    DeviceReport report = parts.report();
    std::ranges::move(biasResults(report, maxBias), std::back_inserter(report.results));
    if (!reportFiles.knownFailures.empty()) {
        NNAPI_ASSIGN_OR_RETURN(known, KnownFailures::read(reportFiles.knownFailures, limits));
        for (CaseResult& result : report.results) {
            result.isKnown = false;
            known.look(result);
        }
        report.unexpectedPasses = known.unexpectedPasses();
    }
    if (!reportFiles.earlier.empty()) {
        NNAPI_ASSIGN_OR_RETURN(earlier, readEarlier(reportFiles.earlier, limits));
        report.earlier = std::move(earlier);
    }
    return report;
}

}  // namespace nn::testing
