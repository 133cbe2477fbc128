// Models that the reference device does not prepare: applications that name no device can compile
// them, and each execution fails; if devices are named, the compilation fails.
#include <algorithm>
#include <functional>

#include "runtime/c_api_objects.h"
#include "runtime/observe/report.h"

namespace nn::c_api::refused_test {
namespace {

using runtime::PlanDevice;
using runtime::Runtime;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;
using Partitioning = runtime::PlanOptions::Partitioning;

// z = RELU(x) + y with this activation, where y has this many elements instead of 4.
OwnedModel sum(int32_t activation, uint32_t size = 4) {
    ModelBuilder model;
    const auto x = model.floats(4), y = model.floats(size), fused = model.scalar(activation);
    const auto positive = model.floats(4), z = model.floats(4);
    model.operation(ANEURALNETWORKS_RELU, {x}, {positive});
    model.operation(ANEURALNETWORKS_ADD, {positive, y, fused}, {z});
    return model.finish({x, y}, {z});
}

struct Row {
    const char* name;
    std::function<OwnedModel()> model;
    const char* why;
    uint32_t size = 4;  // of the second input
};
const Row kRows[] = {
        {"NoSuchActivation", [] { return sum(999); }, "activation"},
        {"DimensionsContradict", [] { return sum(0, 3); }, "dimension", 3},
};

// The log of a runtime, as lines.
class LogLines {
   public:
    SharedLog log() {
        return std::make_shared<const Log>(
                [this](const LogRecord& record) { mLines.emplace_back(record.text); }, kVlogAll);
    }
    // The lines with the text since the last call.
    std::vector<std::string> take(const char* text) {
        std::vector<std::string> found;
        for (std::string& line : mLines) {
            if (line.find(text) != std::string::npos) found.push_back(std::move(line));
        }
        mLines.clear();
        return found;
    }

   private:
    std::vector<std::string> mLines{};
};

// An NPU without ADD, the host device, or neither, and the reference device; distinguishable by
// their log lines.
void use(bool hasNpu, bool hasHost, Runtime::Options options) {
    std::vector<PlanDevice> devices;
    if (hasNpu) {
        FakeOptions npu{.capabilities = runtime::sameForAll({0.1f, 0.1f})};
        npu.supports = [](const Operation& o) { return o.type != OperationType::ADD; };
        devices.push_back({fakeDevice(std::move(npu)), false});
    }
    if (hasHost) devices.push_back({runtime::hostDevice({}), false});
    devices.push_back({referenceDevice({.versionString = "UNKNOWN",
                                        .capabilities = runtime::sameForAll({1, 1}),
                                        .fencedThreads = 2,
                                        .hasCache = false}),
                       true});
    runtime::setRuntime(std::make_unique<const Runtime>(std::move(devices), std::move(options)));
}

void expectFailures(ANeuralNetworksCompilation* compilation, const Row& row, LogLines& logLines) {
    const auto expectFailure = [&](ExecutionMode mode, bool isReusable) {
        SCOPED_TRACE(testing::Message() << "mode " << int(mode) << " reusable " << isReusable);
        const OwnedExecution execution = executionOf(compilation);
        Values values;
        EXPECT_EQ(ANeuralNetworksExecution_setReusable(execution, isReusable), OK);
        EXPECT_EQ(ANeuralNetworksExecution_setInput(execution, 0, nullptr, values.x.data(), 16),
                  OK);
        EXPECT_EQ(ANeuralNetworksExecution_setInput(execution, 1, nullptr, values.y.data(),
                                                    4 * row.size),
                  OK);
        EXPECT_EQ(ANeuralNetworksExecution_setOutput(execution, 0, nullptr, values.z.data(), 16),
                  OK);
        for (int time = 0; time < (isReusable ? 2 : 1); ++time) {
            (void)logLines.take("");
            EXPECT_EQ(executeIn(mode, compilation, execution), OP_FAILED);
            EXPECT_THAT(logLines.take(row.why),
                        ElementsAre(HasSubstr("ANeuralNetworksExecution_")));
        }
        EXPECT_EQ(values.z, Values().z);
    };
    for (const ExecutionMode mode : kModes) {
        for (const bool isReusable : {false, true}) expectFailure(mode, isReusable);
    }
}

TEST(Refused, CompilesWhereNoDeviceIsNamedAndFailsInEachExecution) {
    const struct {
        const char* name;
        bool hasNpu;
        bool hasHost;
        bool cpuOnly;
        Partitioning partitioning;
    } kSetups[] = {
            {"Reference", false, false, false, Partitioning::WITH_FALLBACK},
            {"Host", false, true, false, Partitioning::WITH_FALLBACK},
            {"HostOfCpuOnly", false, true, true, Partitioning::WITH_FALLBACK},
            {"HostUndivided", false, true, false, Partitioning::NO},
            {"ReferenceWithoutFallback", false, false, false, Partitioning::WITHOUT_FALLBACK},
            {"Divided", true, false, false, Partitioning::WITH_FALLBACK},
            {"DividedWithoutFallback", true, false, false, Partitioning::WITHOUT_FALLBACK},
            {"DividedWithHost", true, true, false, Partitioning::WITH_FALLBACK},
    };
    for (const auto& setup : kSetups) {
        for (const Row& row : kRows) {
            SCOPED_TRACE(testing::Message() << setup.name << row.name);
            LogLines logLines;
            const auto report = std::make_shared<runtime::Report>();
            use(setup.hasNpu, setup.hasHost,
                {.partitioning = setup.partitioning,
                 .cpuOnly = setup.cpuOnly,
                 .log = logLines.log(),
                 .report = report});
            const OwnedModel model = row.model();
            const OwnedCompilation compilation = compilationOf(model, /*isForOne=*/false);
            ASSERT_EQ(ANeuralNetworksCompilation_finish(compilation), OK);
            EXPECT_THAT(logLines.take("each execution will fail"), ElementsAre(HasSubstr(row.why)));
            EXPECT_THAT(report->text(), HasSubstr("failed 1 time, nnapi-reference: main.oper"));
            expectFailures(compilation, row, logLines);
        }
    }
}

TEST(Refused, DoesNotCompileForDevicesThatAreNamed) {
    constexpr uint32_t kNpu = 0, kHost = 1, kReference = 2;
    const struct {
        std::vector<uint32_t> named;
        int code;
        const char* why;  // null: the message of the reference device
    } kNamed[] = {
            {{kReference}, OP_FAILED, nullptr},
            {{kHost, kReference}, OP_FAILED, nullptr},
            {{kNpu, kHost, kReference}, OP_FAILED, nullptr},
            {{kHost}, BAD_DATA, "no device supports it"},
            {{kNpu, kHost}, BAD_DATA, "no device supports it"},
    };
    for (const Row& row : kRows) {
        for (const auto& [named, code, why] : kNamed) {
            SCOPED_TRACE(testing::Message() << row.name << testing::PrintToString(named));
            LogLines logLines;
            use(true, true, {.log = logLines.log()});
            std::vector<const ANeuralNetworksDevice*> devices;
            for (const uint32_t i : named) devices.push_back(deviceAt(i));
            const OwnedModel model = row.model();
            const OwnedCompilation compilation = compilationFor(model, devices);
            EXPECT_EQ(ANeuralNetworksCompilation_finish(compilation), code);
            EXPECT_THAT(logLines.take(why == nullptr ? row.why : why),
                        ElementsAre(HasSubstr("Compilation_finish")));
            OwnedExecution execution;
            EXPECT_EQ(ANeuralNetworksExecution_create(compilation, execution.out()), BAD_STATE);
        }
    }
}

// Failures of a driver, or for lack of memory or time, still fall back.
TEST(Refused, FallsBackIfDriverFails) {
    FakeOptions npu{.capabilities = runtime::sameForAll({0.1f, 0.1f})};
    npu.onPrepare = [] { return error() << "this board has no heart"; };
    LogLines logLines;
    useDevices({std::move(npu)}, {.log = logLines.log()});
    const OwnedModel model = addition();
    const OwnedCompilation compilation = compiled(model, /*isForOne=*/false);
    // The name of the device and its error.
    EXPECT_THAT(logLines.take("falls back"),
                ElementsAre("falls back from npu: this board has no heart"));
    const OwnedExecution execution = executionOf(compilation);
    Values values;
    values.set(execution);
    EXPECT_EQ(ANeuralNetworksExecution_compute(execution), OK);
    EXPECT_EQ(values.z, Values::kSum);
}

}  // namespace
}  // namespace nn::c_api::refused_test
