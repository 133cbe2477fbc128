// Runs conformance cases on a device, in worker processes that a crashing device cannot take down.
#include "tools/nnapi-device/device_commands.h"

#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "base/untrusted_text.h"
#include "device_test/runner/report.h"
#include "nnapi/device_test/device_test_runner.h"
#include "tools/nnapi-device/worker_command.h"
#include "tools/nnapi/interrupt.h"
#include "tools/nnapi/progress.h"

namespace nn::cli {
namespace {

using testing::CaseEnd;
using testing::CaseResult;

constexpr std::string_view kKind = "vectors", kPath = "sync";

// "vectors/add/sync" is the test case "add".
std::string testCaseOf(const std::string& name) {
    return name.substr(kKind.size() + 1, name.size() - kKind.size() - kPath.size() - 2);
}

std::string_view text(const CaseResult& result) {
    if (result.end == CaseEnd::NOT_SUPPORTED) return "notSupported";
    return result.isBad() ? "fail" : "pass";
}

// Prints results in the order of the cases.
class Tally {
   public:
    explicit Tally(const Options& options) : mOutput(options.json) {}

    void add(const CaseResult& result) {
        const std::string name = testCaseOf(result.head.name);
        if (mOutput.isJson()) {
            mOutput.object({{"name", name},
                            {"file", result.head.file},
                            {"result", text(result)},
                            {"outcome", toString(result.end)},
                            {"reason", reasonOf(result)}});
        }
        if (result.isBad()) {
            ++mFailed;
            mOutput.text("FAIL {}: {}\n", UntrustedText{name}, onOneLine(reasonOf(result)));
        } else if (result.end == CaseEnd::SUCCESS) {
            ++mPassed;
        } else {
            mNotSupported.push_back(result);
        }
    }

    Exit finish() {
        mOutput.text("{} passed, {} failed, {} not supported{}\n", mPassed, mFailed,
                     mNotSupported.size(), thenInterrupted(mOutput));
        mOutput.text("{}", Lines{testing::reasonsOf(mNotSupported)});
        if (interrupted()) return kInterrupted;
        if (mPassed + mFailed != 0) return mFailed == 0 ? kGood : kInvalidOrDiffers;
        return Output::complain("nothing was judged: the device supports none of the test cases",
                                kInvalidOrDiffers);
    }

   private:
    const Output mOutput;
    size_t mPassed = 0, mFailed = 0;
    std::vector<CaseResult> mNotSupported{};
};

}  // namespace

Exit conformanceOfDevice(const Options& options) {
    const Progress progress;
    const auto filter = testing::nameFilter(options.cases.filters);
    if (!filter.ok()) return Output::complain(filter.status());
    Exit read = kGood;
    Tally tally(options);
    testing::DeviceRunOptions run{.device = options.device,
                                  .settings = workerSettings(),
                                  .worker = workerProgram(),
                                  .workers = options.jobs,
                                  .timeLimit = std::chrono::milliseconds(options.cases.timeout),
                                  .limits = options.limits,
                                  .files = options.files,
                                  .hasDeviceCases = false,
                                  .earlyEnd = {.hangs = 0},
                                  .isCancelled = interrupted};
    run.fits = [&](const testing::DeviceCase& one) {
        return one.kind == kKind && one.path == kPath && (*filter)(testCaseOf(one.name));
    };
    run.onFile = [](const std::filesystem::path& file, size_t count) {
        Progress::files(count);
        Progress::file(file);
    };
    run.onUnreadable = [&](const Status& why) { read = Output::complain(why); };
    run.onResult = [&](const CaseResult& result, const testing::DeviceReport&) {
        tally.add(result);
    };
    auto listed = testing::DeviceRun::list(std::move(run));
    if (listed.ok() && listed->cases().empty()) {
        Output::complain(options.cases.filters.empty()
                                 ? "nothing was judged: there is no test case"
                                 : "nothing was judged: no test case fits --filter");
        return worse(read, kInvalidOrDiffers);
    }
    const Status ran = listed.ok() ? listed->run().status() : listed.status();
    if (!ran.ok()) return Output::complain(ran);
    return worse(read, tally.finish());
}

}  // namespace nn::cli
