// Runs a device test: lists the cases, distributes them to workers, and reports results in order.
#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <thread>

#include "base/plurals.h"
#include "device_test/runner/case_files.h"
#include "device_test/runner/case_lister.h"
#include "device_test/runner/failure_shrinker.h"
#include "device_test/runner/results_file.h"
#include "device_test/runner/statistics.h"
#include "device_test/runner/worker.h"
#include "device_test/runner/worker_pool.h"
#include "nnapi/device_test/device_test_runner.h"

namespace nn::testing {
namespace {

// Collects the results of workers, and reports them in order.
class Collector {
   public:
    Collector(const DeviceRunOptions& options, std::optional<KnownFailures>& known,
              DeviceReport& report)
        : mOptions(options), mKnown(known), mReport(report) {}

    void expect(size_t count) { mResults.resize(count); }

    // As EarlyEnd says.
    bool isOver() const {
        return mOptions.earlyEnd.failures != 0 && mFailures >= mOptions.earlyEnd.failures;
    }
    bool leavesOut(const CaseHead& head) const {
        const auto hangs = mHangs.find(head.kind);
        return mOptions.earlyEnd.hangs != 0 && hangs != mHangs.end() &&
               hangs->second >= mOptions.earlyEnd.hangs;
    }

    void add(size_t task, const CaseHead& head, const WorkerPool::TaskResult& taskResult) {
        CaseResult result = caseResultOf(head, taskResult, mOptions.timeLimit);
        // Of a random model, the one that differs first.
        if (result.head.operation.empty()) result.head.operation = result.outcome.operation;
        finishResult(result);
        if (result.isBad() && !result.isKnown) {
            ++mFailures;
            if (result.end == CaseEnd::HANG) ++mHangs[head.kind];
        }
        if (mFile) {
            const Status written = mFile->add({numberOf(task), result});
            if (mWritten.ok()) mWritten = written;
        }
        take(task, std::move(result));
        report();
    }

    // Also writes results to a file, and loads those that it has. Cases that ended the driver's
    // process are run again.
    Status record(std::deque<Listed>& listed, const ResultsHead& head) {
        std::vector<NumberedResult> earlier;
        NNAPI_ASSIGN_OR_RETURN(file, mOptions.isResumed
                                             ? ResultsFile::resume(mOptions.results, head,
                                                                   mOptions.limits, earlier)
                                             : ResultsFile::create(mOptions.results, head));
        mFile = std::move(file);
        std::map<size_t, CaseResult> last;
        for (NumberedResult& each : earlier) last[each.number] = std::move(each.result);
        for (size_t task = 0; task < listed.size(); ++task) {
            const auto found = last.find(numberOf(task));
            if (found == last.end() || found->second.isDeath()) continue;
            listed[task].isDone = true;
            CaseResult result = std::move(found->second);
            result.isKnown = false;
            if (mKnown) mKnown->look(result);
            take(task, std::move(result));
        }
        report();
        return {};
    }
    // Fails if the file could not be written.
    const Status& written() const { return mWritten; }

    // The reported results, in the order of the list, and the cases that have not run.
    void finish(const std::deque<Listed>& listed) {
        for (; mReported < mResults.size(); ++mReported) {
            if (mResults[mReported]) reportOne(*mResults[mReported]);
        }
        for (const CaseResult& result : mLate) reportOne(result);
        const bool isInterrupted = mOptions.isCancelled && mOptions.isCancelled();
        for (size_t task = 0; task < mResults.size(); ++task) {
            if (mResults[task]) continue;
            const CaseHead& head = listed[task].head;
            const bool isLeftOut = leavesOut(head);
            if (isLeftOut || !isInterrupted) countNotRun(head.kind, reasonFor(isLeftOut));
        }
    }

    // A worker that a signal has ended after it had completed a case and before it ran the next:
    // most likely a thread that goes on, or the end of an object that lives as long as the driver.
    void addLateCrash(const CaseHead& head, const std::string& how) {
        CaseResult result{.head = {.name = "end/" + head.name, .kind = "end"},
                          .end = CaseEnd::CRASH,
                          .outcome = {.result = DeviceOutcome::Result::FAILED,
                                      .place = "after the last result",
                                      .message = "the process " + how}};
        if (mOptions.repeatCommand) result.repeat = mOptions.repeatCommand(head);
        finishResult(result);
        mFailures += result.isKnown ? 0 : 1;
        mLate.push_back(std::move(result));
    }

    // A result that follows from the others, and is in no file.
    void addDerived(CaseResult result) {
        finishResult(result);
        reportOne(result);
    }

   private:
    void finishResult(CaseResult& result) {
        if (result.isBad() && mOptions.repeatCommand && result.repeat.empty()) {
            result.repeat = mOptions.repeatCommand(result.head);
        }
        if (mKnown) mKnown->look(result);
    }

    // Numbers among the cases of all shards.
    size_t numberOf(size_t task) const {
        return task * mOptions.shard.of + mOptions.shard.number - 1;
    }

    std::string reasonFor(bool isLeftOut) const {
        const EarlyEnd& end = mOptions.earlyEnd;
        if (isLeftOut) return fmt::format("{} of it hang", Plural{end.hangs, "cases"});
        if (isOver()) return fmt::format("the run ends after {}", Plural{end.failures, "failures"});
        return fmt::format("the time limit of the run is {} ms",
                           std::chrono::duration_cast<std::chrono::milliseconds>(end.time).count());
    }

    void countNotRun(const std::string& kind, std::string reason) {
        auto found = std::ranges::find_if(mReport.notRun, [&](const NotRun& one) {
            return one.kind == kind && one.reason == reason;
        });
        if (found == mReport.notRun.end()) {
            found = mReport.notRun.insert(found, {.kind = kind, .reason = std::move(reason)});
        }
        ++found->count;
    }

    void take(size_t task, CaseResult result) {
        mBad += result.isBad() ? 1 : 0;
        ++mDone;
        if (mOptions.onProgress) mOptions.onProgress(result, mDone, mResults.size(), mBad);
        mResults[task] = std::move(result);
    }

    void report() {
        for (; mReported < mResults.size() && mResults[mReported]; ++mReported)
            reportOne(*mResults[mReported]);
    }

    void reportOne(const CaseResult& result) {
        if (mOptions.onResult) mOptions.onResult(result, mReport);
        mReport.results.push_back(result);
    }

    const DeviceRunOptions& mOptions;
    std::optional<KnownFailures>& mKnown;
    DeviceReport& mReport;
    std::optional<ResultsFile> mFile{};
    Status mWritten{};
    std::vector<std::optional<CaseResult>> mResults{};
    std::vector<CaseResult> mLate{};
    size_t mReported = 0;
    size_t mDone = 0;
    size_t mBad = 0;
    // Of this run, without those of an earlier one.
    size_t mFailures = 0;
    std::map<std::string, size_t> mHangs{};  // by kind
};

// Batches of adjacent cases of one file.
class Batches {
   public:
    Batches(std::deque<Listed>& listed, Collector& collector, const DeviceRunOptions& options)
        : mListed(listed),
          mCollector(collector),
          mSeed(randomSeed(options.tests.seed, options.tests.randomModels)),
          mSoak(options.soak),
          mEnd(Clock::now() + mSoak) {
        collector.expect(listed.size());
    }

    std::optional<WorkerPool::Batch> next() {
        if (mNext == mListed.size()) soak();
        return nextBatch(mListed, mNext);
    }

   private:
    // Adds random models while there is time.
    void soak() {
        if (mSoak == Duration::zero() || Clock::now() >= mEnd) return;
        for (int i = 0; i < 16; ++i, ++mSeed) {
            const DeviceCase random = randomCase(mSeed);
            mListed.push_back(
                    {.head = {.name = random.name, .kind = random.kind, .path = random.path},
                     .file = std::string(kOfDevice),
                     .task = {{"seed", mSeed}}});
        }
        mCollector.expect(mListed.size());
    }

    std::deque<Listed>& mListed;
    Collector& mCollector;
    uint64_t mSeed;
    Duration mSoak;
    TimePoint mEnd;
    size_t mNext = 0;
};

size_t workersOf(const DeviceRunOptions& options) {
    if (options.workers != 0) return options.workers;
    return std::max(std::thread::hardware_concurrency(), 1u);
}

}  // namespace

class DeviceRun::State {
   public:
    explicit State(DeviceRunOptions options) : mOptions(std::move(options)) {}

    // Files are read first, so that their errors are reported before anything is listed.
    Status readFiles() {
        const ReportFiles& files = mOptions.reportFiles;
        const Limits& limits = mOptions.limits;
        if (!files.knownFailures.empty()) {
            NNAPI_ASSIGN_OR_RETURN(known, KnownFailures::read(files.knownFailures, limits));
            mKnown = std::move(known);
        }
        if (!mOptions.tolerances.empty()) {
            NNAPI_ASSIGN_OR_RETURN(rows, readTolerances(mOptions.tolerances, limits));
            std::vector<OperationTolerance>& all = mOptions.tests.tolerances;
            all.insert(all.end(), rows.begin(), rows.end());
        }
        if (!files.earlier.empty()) {
            NNAPI_ASSIGN_OR_RETURN(earlier, readEarlier(files.earlier, limits));
            mEarlier = std::move(earlier);
        }
        return {};
    }

    void list() {
        CaseLister lister(setup(), {.fits = [this](const DeviceCase& one) { return takes(one); },
                                    .isCancelled = mOptions.isCancelled,
                                    .onFile = mOptions.onFile,
                                    .onUnreadable = mOptions.onUnreadable});
        if (mOptions.hasDeviceCases) lister.addDevice();
        lister.addFiles(mOptions.files);
        mListed = lister.take();
    }

    std::vector<CaseHead> cases() const {
        std::vector<CaseHead> heads;
        for (const Listed& one : mListed) heads.push_back(one.head);
        return heads;
    }

    Result<DeviceReport> run() {
        DeviceReport report{.device = mOptions.device,
                            .seed = mOptions.tests.seed,
                            .earlier = std::move(mEarlier)};
        Collector collector(mOptions, mKnown, report);
        Batches batches(mListed, collector, mOptions);
        if (!mOptions.results.empty()) {
            NNAPI_RETURN_IF_ERROR(collector.record(mListed, resultsHead()));
        }
        const Duration time = mOptions.earlyEnd.time;
        WorkerPool pool(
                {.program = mOptions.worker,
                 .workers = workersOf(mOptions),
                 .timeLimit = mOptions.timeLimit,
                 .hello = toJson(setup()),
                 .isCancelled =
                         [&] {
                             return collector.isOver() ||
                                    (mOptions.isCancelled && mOptions.isCancelled());
                         },
                 .end = time == Duration::zero() ? std::nullopt
                                                 : std::optional(Clock::now() + time),
                 .skips = [&](size_t task) { return collector.leavesOut(mListed[task].head); },
                 .onLateCrash =
                         [&](size_t task, const std::string& how) {
                             collector.addLateCrash(mListed[task].head, how);
                         }});
        const Status ran = pool.run([&] { return batches.next(); },
                                    [&](size_t task, const WorkerPool::TaskResult& taskResult) {
                                        collector.add(task, mListed[task].head, taskResult);
                                    });
        collector.finish(mListed);
        for (CaseResult& result : biasResults(report, mOptions.maxBias)) {
            collector.addDerived(std::move(result));
        }
        report.isInterrupted = mOptions.isCancelled && mOptions.isCancelled();
        // A listed case that never fails in this shard may fail in another one.
        if (mKnown && mOptions.shard.of == 1) report.unexpectedPasses = mKnown->unexpectedPasses();
        NNAPI_RETURN_IF_ERROR(ran);
        NNAPI_RETURN_IF_ERROR(collector.written());
        return report;
    }

    Result<std::vector<ShrunkFailure>> shrink(const DeviceReport& report,
                                              const ShrinkRunOptions& options) const {
        return FailureShrinker(mOptions, options, setup()).shrinkAll(report, mListed);
    }

   private:
    WorkerSetup setup() const {
        return {.device = mOptions.device,
                .settings = mOptions.settings,
                .options = mOptions.tests,
                .limits = mOptions.limits};
    }

    bool takes(const DeviceCase& one) {
        if (mOptions.fits && !mOptions.fits(one)) return false;
        mNames.add(one.name);
        // Every n-th case, so that each shard gets some of each kind.
        return mTotal++ % mOptions.shard.of == mOptions.shard.number - 1;
    }

    ResultsHead resultsHead() const {
        return {.device = mOptions.device,
                .seed = mOptions.tests.seed,
                .shard = mOptions.shard.number,
                .of = mOptions.shard.of,
                .cases = mListed.size(),
                .total = mTotal,
                .names = mNames.text(),
                .command = mOptions.resumeCommand};
    }

    DeviceRunOptions mOptions;
    std::optional<KnownFailures> mKnown{};
    std::map<std::string, CaseEnd> mEarlier{};
    std::deque<Listed> mListed{};
    // The part that all shards share.
    size_t mTotal = 0;
    NamesDigest mNames{};
};

DeviceRun::DeviceRun(std::unique_ptr<State> state) : mState(std::move(state)) {}
DeviceRun::DeviceRun(DeviceRun&&) noexcept = default;
DeviceRun& DeviceRun::operator=(DeviceRun&&) noexcept = default;
DeviceRun::~DeviceRun() = default;

Result<DeviceRun> DeviceRun::list(DeviceRunOptions options) {
    const DeviceShard& shard = options.shard;
    if (!shard.isLegal()) {
        const size_t of = std::min(shard.of, DeviceShard::kMaxOf);
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("the shard is {} of {}, allowed from 1 to {} of {}",
                                     shard.number, shard.of, of, of));
    }
    auto state = std::make_unique<State>(std::move(options));
    NNAPI_RETURN_IF_ERROR(state->readFiles());
    state->list();
    return DeviceRun(std::move(state));
}

std::vector<CaseHead> DeviceRun::cases() const { return mState->cases(); }

Result<DeviceReport> DeviceRun::run() { return mState->run(); }

Result<std::vector<ShrunkFailure>> DeviceRun::shrink(const DeviceReport& report,
                                                     const ShrinkRunOptions& options) {
    return mState->shrink(report, options);
}

}  // namespace nn::testing
