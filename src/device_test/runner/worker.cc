#include "device_test/runner/worker.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/status_message.h"
#include "device_test/runner/call_recorder.h"
#include "device_test/runner/case_result.h"
#include "device_test/runner/stack_report.h"
#include "device_test/runner/worker_pool.h"
#include "nnapi/io.h"

namespace nn::testing {
namespace {

Json jsonOf(const OperationTolerance& row) {
    return {{"operation", row.operation ? static_cast<int32_t>(*row.operation) : -1},
            {"type", static_cast<int32_t>(row.type)},
            {"absolute", row.tolerance.absolute},
            {"relative", row.tolerance.relative}};
}

OperationTolerance toleranceIn(const Json& json) {
    OperationTolerance row{.type = static_cast<OperandType>(json.value("type", 0)),
                           .tolerance = {.absolute = json.value("absolute", 0.0),
                                         .relative = json.value("relative", 0.0)}};
    const int32_t operation = json.value("operation", -1);
    if (operation >= 0) row.operation = static_cast<OperationType>(operation);
    return row;
}

// The case that a task names: by its number in the file, or by the seed of a random model.
std::optional<DeviceCase> caseOf(const Json& task, const std::vector<DeviceCase>& cases,
                                 const DeviceTestOptions& options) {
    if (task.is_object()) return randomCase(task.value("seed", uint64_t{0}), options);
    const size_t index = task.is_number_unsigned() ? task.get<size_t>() : cases.size();
    return index < cases.size() ? std::optional(cases[index]) : std::nullopt;
}

DeviceOutcome failedTask(const std::string& why) {
    return {.result = DeviceOutcome::Result::FAILED, .message = why};
}

// Writes the test case of a case to a file.
DeviceOutcome drawTo(const std::string& file, const DeviceCase& one, const SharedDevice& device) {
    if (!one.testCase) {
        return {.result = DeviceOutcome::Result::NOT_SUPPORTED, .message = "runs no test case"};
    }
    const Result<TestCase> drawn = one.testCase(device);
    const Status written = drawn.ok() ? writeTestCases(file, {&*drawn, 1}) : drawn.status();
    return written.ok() ? DeviceOutcome{} : failedTask(messageOf(written));
}

// Runs the case with the test case of a file.
DeviceOutcome runWith(const std::string& file, const DeviceCase& one, const SharedDevice& device,
                      const Limits& limits) {
    auto reader = TestCaseReader::open(file, limits);
    if (!reader.ok()) return failedTask(messageOf(reader.status()));
    const std::optional<Result<TestCase>> other = reader->next();
    if (!other || !other->ok() || !one.runOther) return failedTask("no test case in " + file);
    DeviceCase replaced = one;
    replaced.run = [&](const SharedDevice& d) { return one.runOther(d, **other); };
    return runCase(device, replaced);
}

// A task is a case; or {"case": a case, "draw" or "with": a file}.
DeviceOutcome runTask(const SharedDevice& device, const Json& task,
                      const std::vector<DeviceCase>& cases, const WorkerSetup& setup) {
    const bool isDrawn = task.is_object() && task.contains("draw");
    const bool isOther = task.is_object() && task.contains("with");
    const std::optional<DeviceCase> one =
            caseOf(isDrawn || isOther ? task.value("case", Json()) : task, cases, setup.options);
    if (!one) return failedTask("the file has changed since the cases were listed");
    if (isDrawn) return drawTo(task.value("draw", ""), *one, device);
    if (isOther) return runWith(task.value("with", ""), *one, device, setup.limits);
    return runCase(device, *one);
}

// Null if the other end is closed.
Json nextLine(LineSocket& socket) {
    for (;;) {
        if (std::optional<Json> line = socket.next()) return *std::move(line);
        if (!socket.receive()) return nullptr;
    }
}

}  // namespace

Json toJson(const WorkerSetup& setup) {
    Json tolerances = Json::array();
    for (const auto& row : setup.options.tolerances) tolerances.push_back(jsonOf(row));
    Json limits = Json::object();
    for (const LimitInfo& info : limitInfos()) {
        limits[std::string(info.name)] = setup.limits.*info.limit;
    }
    return {{"device", setup.device},
            {"settings", setup.settings},
            {"seed", setup.options.seed},
            {"randomModels", setup.options.randomModels},
            {"mutants", setup.options.mutants},
            {"executions", setup.options.executions},
            {"drawnModels", setup.options.drawnModels},
            {"temporaryFolder", setup.options.temporaryFolder},
            {"patience", setup.options.patience.count()},
            {"tolerances", std::move(tolerances)},
            {"limits", std::move(limits)}};
}

WorkerSetup workerSetupOf(const Json& json) {
    WorkerSetup setup{.device = json.value("device", ""), .settings = json.value("settings", "")};
    DeviceTestOptions& options = setup.options;
    options.seed = json.value("seed", options.seed);
    options.randomModels = json.value("randomModels", options.randomModels);
    options.mutants = json.value("mutants", options.mutants);
    options.executions = json.value("executions", options.executions);
    options.drawnModels = json.value("drawnModels", options.drawnModels);
    options.temporaryFolder = json.value("temporaryFolder", options.temporaryFolder);
    options.patience = Duration(json.value("patience", options.patience.count()));
    for (const Json& row : json.value("tolerances", Json::array())) {
        options.tolerances.push_back(toleranceIn(row));
    }
    const Json limits = json.value("limits", Json::object());
    for (const LimitInfo& info : limitInfos()) {
        uint64_t& limit = setup.limits.*info.limit;
        limit = limits.value(std::string(info.name), limit);
    }
    return setup;
}

Result<const std::vector<DeviceCase>*> CaseLists::of(const std::string& file) {
    if (mIsRead && file == mFile) return &mCases;
    mCases.clear();
    mIsRead = true;
    mFile = file;
    const auto add = [&](const std::shared_ptr<const TestCase>& testCase) {
        for (DeviceCase& made : listCases(testCase, mOptions)) {
            mCases.push_back(std::move(made));
        }
    };
    if (file == kOfDevice) {
        mCases = listCases(mOptions);
        return &mCases;
    }
    if (file == kBuiltIn) {
        for (const auto& testCase : builtInTestCases()) add(testCase);
        return &mCases;
    }
    NNAPI_ASSIGN_OR_RETURN(reader, TestCaseReader::open(file, mLimits));
    while (std::optional<Result<TestCase>> next = reader.next()) {
        if (next->ok()) {
            add(std::make_shared<const TestCase>(**std::move(next)));
        } else if (mOnUnreadable) {
            mOnUnreadable(next->status());
        }
    }
    return &mCases;
}

Status serveDeviceRun(const std::function<GeneralResult<SharedDevice>(
                              const std::string& device, const std::string& settings)>& open) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "worker");  // instead of "exe"
    LineSocket socket{UniqueFd(kWorkerSocket)};
    const Json hello = nextLine(socket);
    const Result<CallPage*> calls = mapCallPage(kWorkerCalls);
    if (!hello.is_object() || !calls.ok()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "no run has started this process");
    }
    close(kWorkerCalls);
    fcntl(kWorkerSocket, F_SETFD, FD_CLOEXEC);  // a program that the driver starts does not hold it
    installStackHandlers(**calls, kWorkerSocket);
    WorkerSetup setup = workerSetupOf(hello);
    setup.options.onOwnWork = [&page = **calls](bool begins) { recordOwnWork(page, begins); };
    const auto openRecorded = [&]() -> GeneralResult<SharedDevice> {
        NNAPI_ASSIGN_OR_RETURN(opened, open(setup.device, setup.settings));
        if (opened == nullptr) return opened;
        return recordedDevice(std::move(opened), **calls);
    };
    auto device = openRecorded();
    if (!device.has_value()) {
        // The run fails with this error.
        socket.send({{"error", messageOf(device.status())}});
        return {};
    }
    socket.send({{"ready", true}});
    CaseLists lists(setup.options, setup.limits);
    for (Json batch = nextLine(socket); batch.is_object(); batch = nextLine(socket)) {
        const auto cases = lists.of(batch.value("file", ""));
        static const std::vector<DeviceCase> kNone;
        for (const Json& task : batch.value("tasks", Json::array())) {
            const DeviceOutcome outcome =
                    runTask(*device, task, cases.ok() ? **cases : kNone, setup);
            if (!socket.send(toJson(outcome))) {
                waitForCrash(**calls);
                return {};
            }
            // A dead driver recovers only with a new device.
            if (outcome.code == ErrorStatus::DEAD_OBJECT) {
                auto again = openRecorded();
                if (again.has_value()) device = std::move(again);
            }
        }
    }
    waitForCrash(**calls);
    return {};
}

}  // namespace nn::testing
