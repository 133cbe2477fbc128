#include "cli/conformance_device.h"

#include "cli/device_cases.h"
#include "cli/device_report.h"
#include "cli/interrupt.h"

namespace nn::cli {
namespace {

constexpr std::string_view kKind = "vectors", kPath = "sync";

// "vectors/add/sync" is the test case "add".
std::string testCaseOf(const std::string& name) {
    return name.substr(kKind.size() + 1, name.size() - kKind.size() - kPath.size() - 2);
}

std::string_view text(const CaseResult& result) {
    if (result.end == CaseEnd::NOT_SUPPORTED) return "notSupported";
    return result.isBad() ? "fail" : "pass";
}

// Tells results in the order of the cases.
class Tally {
   public:
    Tally(const Options& options, size_t count) : mOutput(options.json), mResults(count) {}

    void add(size_t task, CaseResult result) {
        mResults[task] = std::move(result);
        for (; mTold < mResults.size() && mResults[mTold]; ++mTold) tell(*mResults[mTold]);
    }

    Exit finish() {
        // What an interruption has left out lies between results.
        for (; mTold < mResults.size(); ++mTold) {
            if (mResults[mTold]) tell(*mResults[mTold]);
        }
        mOutput.text("{} passed, {} failed, {} not supported{}\n", mPassed, mFailed,
                     mNotSupported.size(), interrupted() ? ", then interrupted" : "");
        mOutput.text("{}", reasonsOf(mNotSupported));
        if (interrupted()) return kInterrupted;
        if (mPassed + mFailed != 0) return mFailed == 0 ? kGood : kInvalidOrDiffers;
        Output::complain("nothing was judged: the device supports none of the test cases");
        return kInvalidOrDiffers;
    }

   private:
    void tell(const CaseResult& result) {
        const std::string name = testCaseOf(result.head.name.raw);
        if (mOutput.isJson()) {
            mOutput.object({{"name", name},
                            {"file", result.head.file},
                            {"result", text(result)},
                            {"outcome", toString(result.end)},
                            {"reason", reasonOf(result)}});
        }
        if (result.isBad()) {
            ++mFailed;
            mOutput.text("FAIL {}: {}\n", Name{name}, onOneLine(reasonOf(result)));
        } else if (result.end == CaseEnd::SUCCESS) {
            ++mPassed;
        } else {
            mNotSupported.push_back(result);
        }
    }

    const Output mOutput;
    std::vector<std::optional<CaseResult>> mResults;
    size_t mTold = 0, mPassed = 0, mFailed = 0;
    std::vector<CaseResult> mNotSupported{};
};

}  // namespace

Exit conformanceOfDevice(const Options& options, std::span<const Pattern> filters) {
    const WorkerSetup setup{.device = options.device, .limits = options.limits};
    CaseLister lister(options, setup, [&](const testing::DeviceCase& one) {
        return one.kind == kKind && one.path == kPath && fitsAny(filters, testCaseOf(one.name));
    });
    lister.addFiles();
    const Exit read = lister.exit();
    const std::deque<Listed> listed = lister.take();
    if (listed.empty()) {
        Output::complain(filters.empty() ? "nothing was judged: there is no test case"
                                         : "nothing was judged: no test case fits --filter");
        return worse(read, kInvalidOrDiffers);
    }
    const Duration timeLimit = std::chrono::milliseconds(options.cases.timeout);
    WorkerPool pool({.arguments = {std::string(kDeviceWorker)},
                     .workers = options.jobs,
                     .timeLimit = timeLimit,
                     .hello = toJson(setup)});
    Tally tally(options, listed.size());
    size_t next = 0;
    const Status ran =
            pool.run([&] { return nextBatch(listed, next); },
                     [&](size_t task, const WorkerPool::Answer& answer) {
                         tally.add(task, caseResultOf(listed[task].head, answer, timeLimit));
                     });
    if (!ran.ok()) {
        Output::complain(messageOf(ran));
        return kUsageOrUnreadable;
    }
    return worse(read, tally.finish());
}

}  // namespace nn::cli
