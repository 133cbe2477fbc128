#include "device_test/runner/case_lister.h"

#include <fmt/format.h>

#include <algorithm>

#include "device_test/runner/case_result.h"
#include "model_io/inputs.h"

namespace nn::testing {
namespace {

void fill(CaseResult& result, const Json& line) {
    using Outcome = DeviceOutcome::Result;
    result.outcome = outcomeOf(line);
    switch (result.outcome.result) {
        case Outcome::PASSED:
            result.end = CaseEnd::SUCCESS;
            break;
        case Outcome::FAILED:
            result.end = CaseEnd::FAILURE;
            break;
        case Outcome::NOT_SUPPORTED:
            result.end = CaseEnd::NOT_SUPPORTED;
            break;
    }
}

}  // namespace

CaseLister::CaseLister(const WorkerSetup& setup, Hooks hooks)
    : mHooks(std::move(hooks)),
      mLists(setup.options, setup.limits, [this](const Status& why) { refuse(why); }) {}

void CaseLister::addDevice() { add(std::string(kOfDevice)); }

void CaseLister::addFiles(const std::vector<std::string>& files) {
    if (files.empty()) return add(std::string(kBuiltIn));
    const schema::Expanded expanded = schema::expand(files);
    const auto isNamed = [&](const std::filesystem::path& file) {
        return std::ranges::count(files, file.string()) != 0;
    };
    const bool hasTestCases = std::ranges::any_of(expanded.files, schema::isTestCaseFile);
    const auto wrong = [&](const std::string& message) {
        refuse(makeError(ErrorStatus::INVALID_ARGUMENT, message));
    };
    for (const std::string& message : expanded.unreadable) wrong(message);
    if (expanded.files.empty() && expanded.unreadable.empty()) {
        wrong("the arguments name no test cases");
    }
    for (const std::filesystem::path& file : expanded.files) {
        if (mHooks.isCancelled && mHooks.isCancelled()) break;
        if (mHooks.onFile) mHooks.onFile(file, expanded.files.size());
        if (schema::isTestCaseFile(file)) {
            add(file.string());
        } else if (isNamed(file) || !hasTestCases) {
            // Folders may have models and test cases, as NNAPI_RECORD writes both.
            wrong(
                    fmt::format("{}: is not a file of test cases, whose name ends in .jsonl or "
                                ".jsonl.gz",
                                schema::shownName(file)));
        }
    }
}

void CaseLister::refuse(const Status& why) {
    if (mHooks.onUnreadable) mHooks.onUnreadable(why);
}

void CaseLister::add(const std::string& file) {
    const auto cases = mLists.of(file);
    if (!cases.ok()) return refuse(cases.status());
    for (size_t i = 0; i < (*cases)->size(); ++i) {
        const DeviceCase& one = (**cases)[i];
        if (!mHooks.fits(one)) continue;
        const bool isReal = file != kOfDevice && file != kBuiltIn;
        mListed.push_back({.head = {.name = one.name,
                                    .kind = one.kind,
                                    .operation = one.operation,
                                    .type = one.type,
                                    .path = one.path,
                                    .file = isReal ? file : ""},
                           .file = file,
                           .task = i});
    }
}

std::optional<WorkerPool::Batch> nextBatch(const std::deque<Listed>& listed, size_t& next) {
    while (next < listed.size() && listed[next].isDone) ++next;
    if (next == listed.size()) return std::nullopt;
    const std::string& file = listed[next].file;
    // Cases of the device itself come first, since they take longer.
    const size_t most = file == kOfDevice ? 4 : 64;
    WorkerPool::Batch batch{.line = {{"file", file}, {"tasks", Json::array()}}};
    for (; next < listed.size() && batch.tasks.size() < most; ++next) {
        if (listed[next].file != file) break;
        if (listed[next].isDone) continue;
        batch.line["tasks"].push_back(listed[next].task);
        batch.tasks.push_back(next);
    }
    return batch;
}

CaseResult caseResultOf(const CaseHead& head, const WorkerPool::TaskResult& taskResult,
                        Duration timeLimit) {
    CaseResult result{.head = head, .took = taskResult.took};
    switch (taskResult.kind) {
        case WorkerPool::TaskResult::Kind::COMPLETED:
            fill(result, taskResult.line);
            break;
        case WorkerPool::TaskResult::Kind::MALFORMED:
            result.end = CaseEnd::FAILURE;
            result.outcome = {.result = DeviceOutcome::Result::FAILED,
                              .message = "somebody has written to the socket of the worker"};
            break;
        case WorkerPool::TaskResult::Kind::HANG:
            result.end = CaseEnd::HANG;
            result.outcome.message = fmt::format(
                    "no result for {} ms",
                    std::chrono::duration_cast<std::chrono::milliseconds>(timeLimit).count());
            break;
        case WorkerPool::TaskResult::Kind::CRASH:
            result.end = CaseEnd::CRASH;
            result.outcome.message = "the process " + taskResult.how;
            break;
    }
    if (result.end == CaseEnd::HANG || result.end == CaseEnd::CRASH) {
        result.outcome.result = DeviceOutcome::Result::FAILED;
        result.outcome.place = taskResult.call ? taskResult.call->name : "";
        result.arguments = taskResult.call ? taskResult.call->arguments : "";
        result.stacks = taskResult.stacks;
    }
    return result;
}

}  // namespace nn::testing
