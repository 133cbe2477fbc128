// Tests a device: lists cases, lets processes run them, and tells what came of each.
#include <algorithm>
#include <charconv>
#include <deque>
#include <thread>

#include "cli/case_files.h"
#include "cli/command.h"
#include "cli/device_cases.h"
#include "cli/device_report.h"
#include "cli/interrupt.h"
#include "cli/progress.h"
#include "cli/results_file.h"
#include "cli/worker_pool.h"

namespace nn::cli {
namespace {

struct Shard {
    size_t number = 1;
    size_t of = 1;
};

Result<Shard> shardOf(const std::string& text) {
    Shard shard;
    if (text.empty()) return shard;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, shard.number);
    const bool hasSlash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
    const auto second = hasSlash ? std::from_chars(first.ptr + 1, end, shard.of) : first;
    if (!hasSlash || second.ec != std::errc() || second.ptr != end || shard.number == 0 ||
        shard.number > shard.of) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("--shard is {}, allowed I/N with I from 1 to N, as 2/4",
                                     printable(text)));
    }
    return shard;
}

// What the options name, read and checked.
struct Plan {
    WorkerSetup setup{};
    std::vector<Pattern> filters{};
    Shard shard{};
    std::optional<KnownFailures> known{};
    std::map<std::string, CaseEnd> earlier{};
};

Result<Plan> planOf(const Options& options) {
    const CaseOptions& own = options.cases;
    Plan plan;
    plan.setup.device = options.device.empty() ? "nnapi-reference" : options.device;
    plan.setup.limits = options.limits;
    plan.setup.options.seed = options.seed;
    plan.setup.options.patience = std::chrono::milliseconds(own.timeout) / 2;
    if (const char* folder = std::getenv("TMPDIR"); folder != nullptr && *folder != '\0') {
        plan.setup.options.temporaryFolder = folder;
    }
    for (const std::string& text : own.filters) {
        NNAPI_ASSIGN_OR_RETURN(pattern, Pattern::parse(text));
        plan.filters.push_back(std::move(pattern));
    }
    if (own.resume && own.results.empty()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         "--resume goes on with the file of --results, which is not given");
    }
    NNAPI_ASSIGN_OR_RETURN(shard, shardOf(own.shard));
    plan.shard = shard;
    if (!own.knownFailures.empty()) {
        NNAPI_ASSIGN_OR_RETURN(known, KnownFailures::read(own.knownFailures, options.limits));
        plan.known = std::move(known);
    }
    if (!own.tolerances.empty()) {
        NNAPI_ASSIGN_OR_RETURN(rows, readTolerances(own.tolerances, options.limits));
        plan.setup.options.tolerances = std::move(rows);
    }
    if (!own.earlier.empty()) {
        NNAPI_ASSIGN_OR_RETURN(earlier, readEarlier(own.earlier, options.limits));
        plan.earlier = std::move(earlier);
    }
    return plan;
}

// ---- running

// Answers of workers, and in what order they are told.
class Collector {
   public:
    Collector(const Output& output, Plan& plan, DeviceReport& report, std::string repeatWith)
        : mOutput(output), mPlan(plan), mReport(report), mRepeatWith(std::move(repeatWith)) {}

    void expect(size_t count) { mResults.resize(count); }

    void add(size_t task, const CaseHead& head, const WorkerPool::Answer& answer,
             Duration timeLimit) {
        CaseResult result = caseResultOf(head, answer, timeLimit);
        if (result.isBad()) result.repeat = repeatOf(result.head);
        if (mPlan.known) mPlan.known->look(result);
        if (mFile) {
            const Status written = mFile->add({numberOf(task), result});
            if (mWritten.ok()) mWritten = written;
        }
        take(task, std::move(result));
        tell();
    }

    // Writes results into a file too, and takes those that it has. Those of a driver whose process
    // went away are to be found again.
    Status record(std::deque<Listed>& listed, const ResultsHead& head, const CaseOptions& options,
                  const Limits& limits) {
        std::vector<NumberedResult> earlier;
        NNAPI_ASSIGN_OR_RETURN(
                file, options.resume ? ResultsFile::resume(options.results, head, limits, earlier)
                                     : ResultsFile::create(options.results, head));
        mFile = std::move(file);
        std::map<size_t, CaseResult> last;
        for (NumberedResult& each : earlier) last[each.number] = std::move(each.result);
        for (size_t task = 0; task < listed.size(); ++task) {
            const auto found = last.find(numberOf(task));
            if (found == last.end() || found->second.isDeath()) continue;
            listed[task].isDone = true;
            CaseResult result = std::move(found->second);
            result.isKnown = false;
            if (mPlan.known) mPlan.known->look(result);
            take(task, std::move(result));
        }
        tell();
        return {};
    }
    // Of the file.
    const Status& written() const { return mWritten; }

    // What has been told, in the order of the list.
    void finish() {
        for (; mTold < mResults.size(); ++mTold) {
            if (mResults[mTold]) tellOne(*mResults[mTold]);
        }
    }

   private:
    // A random model has its own seed; the choice of mutants hangs on that of the run.
    std::string repeatOf(const CaseHead& head) const {
        std::string command = mRepeatWith;
        if (head.kind == "random") {
            command += fmt::format(" --seed {}", head.path);
        } else if (mReport.seed != 1) {
            command += fmt::format(" --seed {}", mReport.seed);
        }
        if (!head.file.empty()) command += " " + quoted(head.file);
        return command + " --filter " + quoted(head.name.raw);
    }

    // Among the cases of all shards.
    size_t numberOf(size_t task) const { return task * mPlan.shard.of + mPlan.shard.number - 1; }

    void take(size_t task, CaseResult result) {
        mBad += result.isBad() ? 1 : 0;
        Progress::cases(++mDone, mResults.size(), mBad, result.head.name.raw);
        mResults[task] = std::move(result);
    }

    void tell() {
        for (; mTold < mResults.size() && mResults[mTold]; ++mTold) tellOne(*mResults[mTold]);
    }

    void tellOne(const CaseResult& result) {
        tellResult(mOutput, mReport, result);
        mReport.results.push_back(result);
    }

    const Output& mOutput;
    Plan& mPlan;
    DeviceReport& mReport;
    std::string mRepeatWith;
    std::optional<ResultsFile> mFile{};
    Status mWritten{};
    std::vector<std::optional<CaseResult>> mResults{};
    size_t mTold = 0;
    size_t mDone = 0;
    size_t mBad = 0;
};

// Batches of neighbours, which are of one file.
class Batches {
   public:
    Batches(std::deque<Listed>& listed, Collector& collector, const Options& options)
        : mListed(listed),
          mCollector(collector),
          mSeed(options.seed + testing::DeviceTestOptions().randomModels),
          mSoak(std::chrono::seconds(options.cases.soak)),
          mEnd(Clock::now() + mSoak) {
        collector.expect(listed.size());
    }

    std::optional<WorkerPool::Batch> next() {
        if (mNext == mListed.size()) soak();
        return nextBatch(mListed, mNext);
    }

   private:
    // More random models while there is time.
    void soak() {
        if (mSoak == Duration::zero() || Clock::now() >= mEnd) return;
        for (int i = 0; i < 16; ++i, ++mSeed) {
            const testing::DeviceCase random = testing::randomCase(mSeed);
            mListed.push_back(
                    {.head = {.name = {random.name}, .kind = random.kind, .path = random.path},
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

std::string repeatWith(const Options& options, const Plan& plan) {
    std::string command = "nnapi test-device --device " + quoted(plan.setup.device);
    if (options.cases.timeout != CaseOptions().timeout) {
        command += fmt::format(" --timeout {}", options.cases.timeout);
    }
    if (!options.cases.tolerances.empty()) {
        command += " --tolerance " + quoted(options.cases.tolerances);
    }
    return command;
}

// The command that goes on with the file of results.
std::string resumeWith(const Options& options, const Plan& plan) {
    const CaseOptions& own = options.cases;
    std::string command = repeatWith(options, plan);
    if (options.seed != 1) command += fmt::format(" --seed {}", options.seed);
    if (!own.shard.empty()) command += " --shard " + quoted(own.shard);
    if (!own.knownFailures.empty()) command += " --known-failures " + quoted(own.knownFailures);
    command += fmt::format(" --results {} --resume", quoted(own.results));
    for (const std::string& file : options.files) command += " " + quoted(file);
    for (const std::string& filter : own.filters) command += " --filter " + quoted(filter);
    return command;
}

// What all shards have together.
struct Whole {
    size_t cases = 0;
    NamesDigest names{};
};

Exit runListed(const Whole& whole, std::deque<Listed>& listed, const Options& options, Plan& plan) {
    const Output output(options.json);
    DeviceReport report{.device = plan.setup.device, .seed = options.seed, .earlier = plan.earlier};
    Collector collector(output, plan, report, repeatWith(options, plan));
    Batches batches(listed, collector, options);
    if (!options.cases.results.empty()) {
        const Status recorded = collector.record(listed,
                                                 {.device = plan.setup.device,
                                                  .seed = options.seed,
                                                  .shard = plan.shard.number,
                                                  .of = plan.shard.of,
                                                  .cases = listed.size(),
                                                  .total = whole.cases,
                                                  .names = whole.names.text(),
                                                  .command = resumeWith(options, plan)},
                                                 options.cases, options.limits);
        if (!recorded.ok()) {
            Output::complain(messageOf(recorded));
            return kUsageOrUnreadable;
        }
    }
    const Duration timeLimit = std::chrono::milliseconds(options.cases.timeout);
    const size_t workers = options.cases.workers != 0
                                   ? options.cases.workers
                                   : std::max(std::thread::hardware_concurrency(), 1u);
    WorkerPool pool({.arguments = {std::string(kDeviceWorker)},
                     .workers = workers,
                     .timeLimit = timeLimit,
                     .hello = toJson(plan.setup)});
    const Status ran = pool.run([&] { return batches.next(); },
                                [&](size_t task, const WorkerPool::Answer& answer) {
                                    collector.add(task, listed[task].head, answer, timeLimit);
                                });
    collector.finish();
    report.isInterrupted = interrupted();
    // What a shard has no failing case of, another may have.
    if (plan.known && plan.shard.of == 1) {
        report.unexpectedPasses = plan.known->unexpectedPasses();
    }
    for (const Status& status : {ran, collector.written()}) {
        if (status.ok()) continue;
        Output::complain(messageOf(status));
        return kUsageOrUnreadable;
    }
    output.text("{}", summaryOf(report));
    return worse(writeReports(options.cases, report), report.isGood() ? kGood : kInvalidOrDiffers);
}

}  // namespace

Exit testDevice(const Options& options) {
    const Progress progress;
    Result<Plan> plan = planOf(options);
    if (!plan.ok()) {
        Output::complain(messageOf(plan.status()));
        return kUsageOrUnreadable;
    }
    Whole whole;
    CaseLister lister(options, plan->setup, [&](const testing::DeviceCase& one) {
        if (!fitsAny(plan->filters, one.name)) return false;
        whole.names.add(one.name);
        // One after the other, so that each shard gets some of each kind.
        return whole.cases++ % plan->shard.of == plan->shard.number - 1;
    });
    lister.addDevice();
    lister.addFiles();
    std::deque<Listed> listed = lister.take();
    if (listed.empty() && options.cases.soak == 0) {
        Output::complain("no case fits --filter and --shard; --list names all");
        return kUsageOrUnreadable;
    }
    if (options.cases.list) {
        const Output output(options.json);
        for (const Listed& one : listed) {
            if (output.isJson()) {
                output.object({{"name", one.head.name},
                               {"kind", one.head.kind},
                               {"operation", one.head.operation},
                               {"type", one.head.type},
                               {"path", one.head.path}});
            }
            output.text("{}\n", one.head.name);
        }
        return lister.exit();
    }
    return worse(lister.exit(), runListed(whole, listed, options, *plan));
}

}  // namespace nn::cli
