#include "device_test/runner/failure_shrinker.h"

#include <absl/strings/ascii.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>

#include "base/files.h"
#include "base/plurals.h"
#include "base/printable.h"
#include "base/status_message.h"
#include "comparison/expectations.h"
#include "device_test/runner/case_result.h"
#include "nnapi/device_test/reproducer.h"

namespace nn::testing {
namespace {

namespace fs = std::filesystem;

// A candidate that hangs costs this much of the time.
constexpr Duration kHangLimit = std::chrono::seconds(1);
constexpr Duration kResultLimit = std::chrono::seconds(5);

// "ADD", "CONV_2D, RELU"
std::string operationsOf(const Model& model) {
    std::vector<std::string> names;
    for (const Operation& operation : model.main.operations) {
        const std::string name = toString(operation.type);
        if (!std::ranges::count(names, name)) names.push_back(name);
    }
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string sizeText(const CaseSize& size) {
    return fmt::format("{} and {}", Plural{size.operations, "operations"},
                       Plural{size.elements, "elements"});
}

// A random model, whose paths and criteria are not those of test vectors.
bool isDrawn(const CaseHead& head) { return head.kind == "random" || head.kind == "numbers"; }

CaseResult resultOf(const CaseHead& head, const WorkerPool::TaskResult& taskResult) {
    return caseResultOf(head, taskResult, taskResult.took);
}

}  // namespace

std::string toString(const ShrunkFailure& shrunk) {
    const std::string name = printable(shrunk.head.name);
    if (!shrunk.why.empty())
        return fmt::format("{}: not shrunk: {}\n", name, onOneLine(shrunk.why));
    CaseResult result{.head = shrunk.smallest, .end = shrunk.end, .outcome = shrunk.outcome};
    std::string text =
            fmt::format("{}: {} became {} ({}); {} in {:.1f} s{}\n", name, sizeText(shrunk.before),
                        sizeText(shrunk.after), printable(shrunk.operations),
                        Plural{shrunk.candidates, "candidates"},
                        std::chrono::duration<double>(shrunk.took).count(),
                        shrunk.isFinished ? "" : ", which was all the time");
    text += fmt::format("  {}\n", onOneLine(reasonOf(result)));
    for (const std::string& file : shrunk.files) text += fmt::format("  {}\n", printable(file));
    if (!shrunk.repeat.empty()) text += fmt::format("  {}\n", onOneLine(shrunk.repeat));
    return text;
}

std::string jsonLineOf(const ShrunkFailure& shrunk) {
    const auto sizeJson = [](const CaseSize& size) {
        return Json{{"operations", size.operations}, {"elements", size.elements}};
    };
    Json json = {{"shrunk", shrunk.head.name},
                 {"why", shrunk.why.empty() ? Json() : Json(shrunk.why)},
                 {"operations", shrunk.operations},
                 {"end", toString(shrunk.end)},
                 {"message", toString(shrunk.outcome)},
                 {"before", sizeJson(shrunk.before)},
                 {"after", sizeJson(shrunk.after)},
                 {"candidates", shrunk.candidates},
                 {"milliseconds",
                  std::chrono::duration_cast<std::chrono::milliseconds>(shrunk.took).count()},
                 {"finished", shrunk.isFinished},
                 {"files", shrunk.files},
                 {"repeat", shrunk.repeat.empty() ? Json() : Json(shrunk.repeat)}};
    return lineOf(json);
}

// A case that fails, and the worker for its candidates.
struct FailureShrinker::Failing {
    const Listed& listed;
    const CaseResult& result;
    CandidateWorker& worker;
    std::string cause{};   // of its test case, executed separately
    bool isAlone = false;  // each candidate in a process of its own
};

FailureShrinker::FailureShrinker(const DeviceRunOptions& run, const ShrinkRunOptions& options,
                                 WorkerSetup setup)
    : mRun(run), mOptions(options), mSetup(std::move(setup)) {
    mScratch = fmt::format("{}/nnapi_shrink_{}.jsonl", mRun.tests.temporaryFolder, getpid());
}

FailureShrinker::~FailureShrinker() {
    std::error_code ignored;
    fs::remove(mScratch, ignored);
}

Result<std::vector<ShrunkFailure>> FailureShrinker::shrinkAll(const DeviceReport& report,
                                                              const std::deque<Listed>& listed) {
    std::error_code failed;
    fs::create_directories(mOptions.folder, failed);
    if (failed) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("{}: {}", printable(mOptions.folder), failed.message()));
    }
    std::map<std::string_view, const Listed*> byName;
    for (const Listed& one : listed) byName.try_emplace(one.head.name, &one);
    std::set<std::string> causes;
    std::vector<ShrunkFailure> all;
    for (const CaseResult& result : report.results) {
        if (all.size() >= mOptions.most || (mRun.isCancelled && mRun.isCancelled())) break;
        const auto found = byName.find(result.head.name);
        if (!result.isBad() || result.isKnown || found == byName.end()) continue;
        const bool isNew = causes.insert(fmt::format("{}|{}|{}", result.head.kind,
                                                     result.head.operation, causeOf(result)))
                                   .second;
        // The operation of a random model is found by shrinking it.
        if (!isNew && !result.head.operation.empty()) continue;
        NNAPI_ASSIGN_OR_RETURN(shrunk, shrinkOne(result, *found->second));
        if (shrunk.head.name.empty()) continue;  // runs no test case
        if (mOptions.onShrunk) mOptions.onShrunk(shrunk);
        all.push_back(std::move(shrunk));
    }
    return all;
}

Result<ShrunkFailure> FailureShrinker::shrinkOne(const CaseResult& result, const Listed& listed) {
    const bool isHang = result.end == CaseEnd::HANG;
    const Duration limit = std::min(mRun.timeLimit, isHang ? kHangLimit : kResultLimit);
    WorkerSetup setup = mSetup;
    setup.options.patience = std::min(setup.options.patience, limit / 2);
    CandidateWorker worker(mRun.worker, toJson(setup), limit);
    Failing failing{.listed = listed, .result = result, .worker = worker};
    const Json task = {{"case", listed.task}, {"draw", mScratch}};
    NNAPI_ASSIGN_OR_RETURN(taskResult, worker.run(listed.file, task));
    const CaseResult drawn = resultOf(listed.head, taskResult);
    if (drawn.end == CaseEnd::NOT_SUPPORTED) return ShrunkFailure{};
    ShrunkFailure made{.head = result.head, .end = result.end, .outcome = result.outcome};
    if (drawn.end != CaseEnd::SUCCESS) {
        made.why = reasonOf(drawn);
        return made;
    }
    NNAPI_ASSIGN_OR_RETURN(reader, TestCaseReader::open(mScratch, mSetup.limits));
    std::optional<Result<TestCase>> read = reader.next();
    if (!read || !read->ok()) {
        made.why = read ? messageOf(read->status()) : "the test case cannot be read";
        return made;
    }
    NNAPI_ASSIGN_OR_RETURN(again, resultWith(failing, **read));
    if (again.end != result.end) {
        made.why = fmt::format("it does not fail again in the same way: {}",
                               again.isBad() ? toString(again) : "it succeeds");
        return made;
    }
    failing.cause = causeOf(again);
    NNAPI_ASSIGN_OR_RETURN(small, shrunkAlone(failing, **read, made));
    if (!made.why.empty()) return made;
    made.operations = operationsOf(small.model);
    if (!mSeen.insert(fmt::format("{}|{}", made.operations, failing.cause)).second) {
        made.why = fmt::format("becomes one of {} that fails as one above", made.operations);
        return made;
    }
    NNAPI_RETURN_IF_ERROR(write(failing, std::move(small), made));
    return made;
}

// What earlier candidates have left in the driver is not in the file, so the smallest case must
// fail in a new process. If it does not, each candidate gets one.
Result<TestCase> FailureShrinker::shrunkAlone(Failing& failing, const TestCase& testCase,
                                              ShrunkFailure& made) {
    const TimePoint begin = Clock::now();
    for (const bool isAlone : {false, true}) {
        failing.isAlone = isAlone;
        NNAPI_ASSIGN_OR_RETURN(small, shrunk(failing, testCase, made));
        made.took = Clock::now() - begin;
        if (!made.why.empty() && !isAlone) return small;
        failing.worker.restart();
        NNAPI_ASSIGN_OR_RETURN(last, resultWith(failing, small));
        if (causeOf(last) == failing.cause) return small;
    }
    made.why = "it fails only after others: in a new process it does not";
    return testCase;
}

// A worker that cannot be started ends it; `made` says why the case was not shrunk.
Result<TestCase> FailureShrinker::shrunk(const Failing& failing, const TestCase& testCase,
                                         ShrunkFailure& made) {
    Status broken;
    ShrinkOptions options = mOptions.each;
    options.limits = mSetup.limits;
    options.isCancelled = [&] { return !broken.ok() || (mRun.isCancelled && mRun.isCancelled()); };
    const Shrunk small = shrink(
            testCase,
            [&](const TestCase& candidate) {
                const Result<CaseResult> result = resultWith(failing, candidate);
                if (!result.ok()) broken = result.status();
                return result.ok() && causeOf(*result) == failing.cause;
            },
            options);
    NNAPI_RETURN_IF_ERROR(broken);
    made.before = sizeOf(testCase);
    made.after = sizeOf(small.testCase);
    made.candidates = small.candidates;
    made.isFinished = small.isFinished;
    if (small.candidates == 0) {
        made.why = "the reference has no expected outputs for it";
    } else if (small.candidates == 1) {
        made.why = "it does not fail with constants at other places";
    }
    return small.testCase;
}

Result<CaseResult> FailureShrinker::resultWith(const Failing& failing, const TestCase& testCase) {
    const Status written = writeTestCases(mScratch, {&testCase, 1});
    NNAPI_RETURN_IF_ERROR(written);
    if (failing.isAlone) failing.worker.restart();
    const Json task = {{"case", failing.listed.task}, {"with", mScratch}};
    NNAPI_ASSIGN_OR_RETURN(taskResult, failing.worker.run(failing.listed.file, task));
    return resultOf(failing.listed.head, taskResult);
}

// Whether a file is one of those that the cases come from, or in a folder of them.
bool FailureShrinker::isInput(const std::filesystem::path& file) const {
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return false;
    for (auto at = std::filesystem::canonical(file, error); !error && at.has_relative_path();
         at = at.parent_path()) {
        for (const std::string& input : mRun.files) {
            std::error_code isMissing;
            if (std::filesystem::equivalent(at, input, isMissing)) return true;
        }
    }
    return false;
}

// "vectors/add/burst" becomes "add_burst".
std::string FailureShrinker::freeName(const CaseHead& head) {
    constexpr size_t kLongest = 100;
    std::string name = head.kind == "random" ? head.name : head.name.substr(head.kind.size() + 1);
    for (char& c : name) {
        if (!absl::ascii_isalnum(static_cast<unsigned char>(c))) c = '_';
    }
    name.resize(std::min(name.size(), kLongest));
    std::string free = name;
    const auto isTaken = [&] {
        return !mNames.insert(free).second ||
               isInput(fmt::format("{}/{}.jsonl", mOptions.folder, free));
    };
    for (int i = 2; isTaken(); ++i) free = fmt::format("{}_{}", name, i);
    return free;
}

Status FailureShrinker::write(const Failing& failing, TestCase testCase, ShrunkFailure& made) {
    testCase.name = freeName(failing.result.head);
    testCase.spec = "shrink";
    const std::string stem = fmt::format("{}/{}", mOptions.folder, testCase.name);
    NNAPI_RETURN_IF_ERROR(writeTestCases(stem + ".jsonl", {&testCase, 1}));
    made.files = {stem + ".jsonl"};
    NNAPI_RETURN_IF_ERROR(repeat(failing, stem + ".jsonl", testCase, made));
    if (made.end == CaseEnd::SUCCESS || made.end == CaseEnd::NOT_SUPPORTED) {
        std::error_code ignored;
        fs::remove(made.files.front(), ignored);
        made.files.clear();
        made.why = "it fails only sometimes: repeated in a new process, it does not";
        return {};
    }
    const Reproducer program{
            .testCase = testCase,
            .path = made.smallest.path,
            .kind = made.smallest.kind,
            .device = mRun.device,
            .reason = reasonOf({.end = made.end, .outcome = made.outcome}),
            .criteria = criteriaFor(testCase.name, testCase.model, mRun.tests.tolerances)};
    NNAPI_RETURN_IF_ERROR(writeFile(stem + ".cc", cppReproducer(program)));
    made.files.push_back(stem + ".cc");
    const std::string c = cReproducer(program);
    if (c.empty()) return {};
    NNAPI_RETURN_IF_ERROR(writeFile(stem + "_c_api.c", c));
    made.files.push_back(stem + "_c_api.c");
    return {};
}

// Runs the case of the file as others will: among the vectors, by the path of the failure. A drawn
// model has paths of its own, and criteria that permit more; the first that fails is taken.
Status FailureShrinker::repeat(const Failing& failing, const std::string& file,
                               const TestCase& testCase, ShrunkFailure& made) {
    const CaseHead& head = failing.result.head;
    std::vector<std::pair<std::string, std::string>> places{{head.kind, head.path}};
    if (isDrawn(head)) places = {{"vectors", "sync"}, {"vectors", "burst"}};
    CaseLister lister(mSetup, {.fits = [](const DeviceCase&) { return true; }});
    lister.addFiles({file});
    const std::deque<Listed> listed = lister.take();
    const Duration limit = std::min(mRun.timeLimit, kResultLimit);
    CandidateWorker worker(mRun.worker, toJson(mSetup), limit);
    for (const auto& [kind, path] : places) {
        for (const Listed& one : listed) {
            if (one.head.kind != kind || one.head.path != path) continue;
            worker.restart();
            NNAPI_ASSIGN_OR_RETURN(taskResult, worker.run(file, one.task));
            const CaseResult result = caseResultOf(one.head, taskResult, limit);
            if (!result.isBad()) continue;
            made.smallest = one.head;
            made.end = result.end;
            made.outcome = result.outcome;
            if (mRun.repeatCommand) made.repeat = mRun.repeatCommand(one.head);
            return {};
        }
    }
    // Only as a drawn model does it fail.
    failing.worker.restart();
    NNAPI_ASSIGN_OR_RETURN(result, resultWith(failing, testCase));
    made.smallest = head;
    made.end = result.end;
    made.outcome = result.outcome;
    return {};
}

}  // namespace nn::testing
