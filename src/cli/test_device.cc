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
    Collector(const Output& output, Plan& plan, DeviceReport& report)
        : mOutput(output), mPlan(plan), mReport(report) {}

    void expect(size_t count) { mResults.resize(count); }

    void add(size_t task, const CaseHead& head, WorkerPool::Answer answer, Duration timeLimit) {
        CaseResult result = caseResultOf(head, answer, timeLimit);
        if (mPlan.known) mPlan.known->look(result);
        mBad += result.isBad() ? 1 : 0;
        Progress::cases(++mDone, mResults.size(), mBad, head.name.raw);
        mResults[task] = std::move(result);
        tell();
    }

    // What has been told, in the order of the list.
    void finish() {
        for (; mTold < mResults.size(); ++mTold) {
            if (mResults[mTold]) tellOne(*mResults[mTold]);
        }
    }

   private:
    void tell() {
        for (; mTold < mResults.size() && mResults[mTold]; ++mTold) tellOne(*mResults[mTold]);
    }

    void tellOne(const CaseResult& result) {
        if (mOutput.isJson()) {
            Json json = toJson(result);
            if (result.isBad()) json["repeat"] = repeatOf(mReport, result);
            if (const auto before = mReport.earlier.find(result.head.name.raw);
                before != mReport.earlier.end()) {
                json["before"] = toString(before->second);
            }
            mOutput.object(json);
        }
        if (result.isBad() && !result.isKnown) {
            std::string end(toString(result.end));
            std::ranges::transform(end, end.begin(),
                                   [](unsigned char c) { return std::toupper(c); });
            mOutput.text("{} {}: {}\n", end, result.head.name, onOneLine(reasonOf(result)));
        }
        mReport.results.push_back(result);
    }

    const Output& mOutput;
    Plan& mPlan;
    DeviceReport& mReport;
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
        if (mNext == mListed.size()) return std::nullopt;
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
    std::string command = "nnapi test-device --device " + plan.setup.device;
    if (options.cases.timeout != CaseOptions().timeout) {
        command += fmt::format(" --timeout {}", options.cases.timeout);
    }
    if (!options.cases.tolerances.empty()) command += " --tolerance " + options.cases.tolerances;
    return command;
}

Exit writeReports(const Options& options, const DeviceReport& report) {
    Exit exit = kGood;
    const auto look = [&](const Status& written) {
        if (written.ok()) return;
        Output::complain(messageOf(written));
        exit = kUsageOrUnreadable;
    };
    if (!options.cases.junit.empty()) look(writeJunit(options.cases.junit, report));
    if (!options.cases.html.empty()) look(writeHtml(options.cases.html, report));
    return exit;
}

Exit runListed(std::deque<Listed>& listed, const Options& options, Plan& plan) {
    const Output output(options.json);
    DeviceReport report{.device = plan.setup.device,
                        .repeatWith = repeatWith(options, plan),
                        .seed = options.seed,
                        .earlier = plan.earlier};
    Collector collector(output, plan, report);
    Batches batches(listed, collector, options);
    const Duration timeLimit = std::chrono::milliseconds(options.cases.timeout);
    const size_t workers = options.cases.workers != 0
                                   ? options.cases.workers
                                   : std::max(std::thread::hardware_concurrency(), 1u);
    WorkerPool pool({.arguments = {std::string(kDeviceWorker)},
                     .workers = workers,
                     .timeLimit = timeLimit,
                     .hello = toJson(plan.setup)});
    const Status ran =
            pool.run([&] { return batches.next(); },
                     [&](size_t task, WorkerPool::Answer answer) {
                         collector.add(task, listed[task].head, std::move(answer), timeLimit);
                     });
    collector.finish();
    report.isInterrupted = interrupted();
    if (plan.known) report.unexpectedPasses = plan.known->unexpectedPasses();
    if (!ran.ok()) {
        Output::complain(messageOf(ran));
        return kUsageOrUnreadable;
    }
    output.text("{}", summaryOf(report));
    return worse(writeReports(options, report), report.isGood() ? kGood : kInvalidOrDiffers);
}

}  // namespace

Exit testDevice(const Options& options) {
    const Progress progress;
    Result<Plan> plan = planOf(options);
    if (!plan.ok()) {
        Output::complain(messageOf(plan.status()));
        return kUsageOrUnreadable;
    }
    size_t count = 0;
    CaseLister lister(options, plan->setup, [&](const testing::DeviceCase& one) {
        // One after the other, so that each shard gets some of each kind.
        return fitsAny(plan->filters, one.name) &&
               count++ % plan->shard.of == plan->shard.number - 1;
    });
    lister.addDevice();
    lister.addFiles();
    std::deque<Listed> listed = std::move(lister).list();
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
    return worse(lister.exit(), runListed(listed, options, *plan));
}

}  // namespace nn::cli
