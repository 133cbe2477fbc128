// One report of several files of results, which parts of a run have written.
#include <algorithm>
#include <set>

#include "cli/case_files.h"
#include "cli/command.h"
#include "cli/device_report.h"
#include "cli/results_file.h"

namespace nn::cli {
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

    // Results in the order of the list, and what is missing.
    DeviceReport report() {
        DeviceReport report{.device = fmt::format("{}", fmt::join(mDevices, ", ")),
                            .seed = mRun.seed};
        for (auto& [number, result] : mResults) report.results.push_back(std::move(result));
        for (size_t shard = 1; shard <= mRun.of; ++shard) {
            const auto found = mParts.find(shard);
            if (found == mParts.end()) {
                report.missing.push_back(fmt::format("all {} of part {}/{}: run it",
                                                     counted(casesOf(shard), "case", "cases"),
                                                     shard, mRun.of));
                continue;
            }
            const Part& part = found->second;
            if (part.numbers.size() == part.cases) continue;
            report.missing.push_back(fmt::format(
                    "{} of {} of part {}/{}: {}", part.cases - part.numbers.size(),
                    counted(part.cases, "case", "cases"), shard, mRun.of, part.command));
        }
        return report;
    }

   private:
    struct Part {
        size_t cases = 0;
        std::string command{};
        std::set<size_t> numbers{};  // with a result
    };

    // Each part has every mRun.of-th case.
    size_t casesOf(size_t shard) const {
        return mRun.total / mRun.of + (shard <= mRun.total % mRun.of ? 1 : 0);
    }

    Limits mLimits;
    ResultsHead mRun{};
    std::vector<std::string> mDevices{};
    std::map<size_t, Part> mParts{};
    std::map<size_t, CaseResult> mResults{};  // a case that is in several files: of the last
};

Result<DeviceReport> merged(const Options& options) {
    Parts parts(options.limits);
    for (const std::string& file : options.files) NNAPI_RETURN_IF_ERROR(parts.add(file));
    DeviceReport report = parts.report();
    if (!options.cases.knownFailures.empty()) {
        NNAPI_ASSIGN_OR_RETURN(known,
                               KnownFailures::read(options.cases.knownFailures, options.limits));
        for (CaseResult& result : report.results) {
            result.isKnown = false;
            known.look(result);
        }
        report.unexpectedPasses = known.unexpectedPasses();
    }
    if (!options.cases.earlier.empty()) {
        NNAPI_ASSIGN_OR_RETURN(earlier, readEarlier(options.cases.earlier, options.limits));
        report.earlier = std::move(earlier);
    }
    return report;
}

}  // namespace

Exit report(const Options& options) {
    const Result<DeviceReport> report = merged(options);
    if (!report.ok()) {
        Output::complain(messageOf(report.status()));
        return kUsageOrUnreadable;
    }
    const Output output(options.json);
    for (const CaseResult& result : report->results) tellResult(output, *report, result);
    output.text("{}", summaryOf(*report));
    return worse(writeReports(options.cases, *report),
                 report->isGood() ? kGood : kInvalidOrDiffers);
}

}  // namespace nn::cli
