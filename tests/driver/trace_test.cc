// Slices of a trace. The numbers are rules on devices.
#include "nnapi/driver/trace.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "driver/fake_driver.h"
#include "driver/models.h"
#include "in_threads.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/memory.h"

namespace nn::driver_trace_test {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

struct Slice {
    std::string name;
    std::string category;
    int64_t thread = 0;
    double begin = 0;
    double end = 0;
    bool operator<(const Slice& other) const {
        return std::tuple(thread, begin, -end) < std::tuple(other.thread, other.begin, -other.end);
    }
};

// The slices of a trace by thread and time; also checks the format.
std::vector<Slice> slicesOf(const Trace& trace) {
    const json parsed = json::parse(trace.json());
    EXPECT_EQ(parsed["displayTimeUnit"].get<std::string>(), "ns");
    std::vector<Slice> slices;
    for (const json& event : parsed["traceEvents"]) {
        EXPECT_EQ(event["ph"].get<std::string>(), "X");
        EXPECT_EQ(event["pid"].dump(), std::to_string(getpid()));
        EXPECT_GE(event["ts"].get<double>(), 0);
        EXPECT_GE(event["dur"].get<double>(), 0);
        const double begin = event["ts"];
        slices.push_back({event["name"], event["cat"], event["tid"], begin,
                          begin + event["dur"].get<double>()});
    }
    std::stable_sort(slices.begin(), slices.end());
    return slices;
}

std::vector<std::string> namesOf(const Trace& trace) {
    std::vector<std::string> names;
    for (const Slice& slice : slicesOf(trace)) names.push_back(slice.name);
    return names;
}

// Two slices of a thread are nested or disjoint.
void expectNesting(const Trace& trace) {
    constexpr double kRounding = 0.0005;
    std::map<int64_t, std::vector<Slice>> open;
    for (const Slice& slice : slicesOf(trace)) {
        std::vector<Slice>& around = open[slice.thread];
        while (!around.empty() && around.back().end <= slice.begin + kRounding) around.pop_back();
        if (!around.empty()) {
            EXPECT_LE(slice.end, around.back().end + kRounding)
                    << slice.name << " leaves " << around.back().name;
        }
        around.push_back(slice);
    }
}

// Rule trace.slices.
TEST(Trace, NamesSlices) {
    using L = TraceLayer;
    using P = TracePhase;
    using M = TraceMode;
    const struct {
        TraceLayer layer;
        TracePhase phase;
        TraceMode mode;
        const char* name;
    } kRows[] = {
            {L::APPLICATION, P::OVERALL, M::PLAIN, "[NN_LA_PO]x"},
            {L::RUNTIME, P::WARMUP, M::PLAIN, "[NN_LR_PWU]x"},
            {L::IPC, P::BENCHMARK, M::PLAIN, "[NN_LI_PBM]x"},
            {L::DRIVER, P::INITIALIZATION, M::PLAIN, "[NN_LD_PI]x"},
            {L::CPU, P::PREPARATION, M::PLAIN, "[NN_LC_PP]x"},
            {L::OTHER, P::COMPILATION, M::PLAIN, "[NN_LO_PC]x"},
            {L::UTILITY, P::EXECUTION, M::PLAIN, "[NN_LU_PE]x"},
            {L::DRIVER, P::TERMINATION, M::SWITCH, "[SW][NN_LD_PT]x"},
            {L::DRIVER, P::UNSPECIFIED, M::SUBTRACT, "[SUB][NN_LD_PU]x"},
            {L::DRIVER, P::INPUTS_AND_OUTPUTS, M::PLAIN, "[NN_LD_PIO]x"},
            {L::DRIVER, P::TRANSFORMATION, M::PLAIN, "[NN_LD_PTR]x"},
            {L::DRIVER, P::COMPUTATION, M::PLAIN, "[NN_LD_PCO]x"},
            {L::DRIVER, P::RESULTS, M::PLAIN, "[NN_LD_PR]x"},
            {L{99}, P{99}, M{99}, "[NN_LO_PU]x"},
    };
    for (const auto& row : kRows) {
        EXPECT_EQ(sliceName(row.layer, row.phase, "x", row.mode), row.name);
        Trace trace;
        { const TraceScope scope(&trace, row.layer, row.phase, "x", row.mode); }
        EXPECT_THAT(namesOf(trace), ElementsAre(row.name));
        EXPECT_EQ(slicesOf(trace)[0].category, codeOf(row.layer));
    }
}

// Rule trace.slices: valid JSON for any details.
TEST(Trace, IsJson) {
    Trace trace;
    EXPECT_THAT(slicesOf(trace), IsEmpty());
    const std::pair<std::string, std::string> kRows[] = {
            {"plain", "plain"},
            {"\"quoted\" \\ back", "\"quoted\" \\ back"},
            {"line\nend\t\x01\x7f", "line\nend\t\x01\x7f"},
            {"caf\xc3\xa9 \xf0\x9f\x98\x80", "caf\xc3\xa9 \xf0\x9f\x98\x80"},
            {"bad \xff\xfe utf", "bad \\xff\\xfe utf"},
            {std::string("nul\0nul", 7), std::string("nul\0nul", 7)},
            {std::string(1000, 'x'), std::string(256, 'x')},
    };
    for (const auto& [detail, expected] : kRows) {
        trace.clear();
        { NNAPI_TRACE(&trace, DRIVER, EXECUTION, detail); }
        EXPECT_THAT(namesOf(trace), ElementsAre("[NN_LD_PE]" + expected));
    }
}

int leavesEarly(Trace& trace, int how) {
    NNAPI_TRACE(&trace, RUNTIME, EXECUTION, "outer");
    if (how == 0) return 0;
    {
        NNAPI_TRACE_SUBTRACT(&trace, RUNTIME, TRANSFORMATION, "inner");
        if (how == 1) return 1;
        NNAPI_TRACE_SWITCH(&trace, RUNTIME, RESULTS, "innermost");
        if (how == 2) throw how;
    }
    return 3;
}

// Rule trace.nesting.
TEST(Trace, NestsHoweverAScopeIsLeft) {
    const std::vector<std::string> kExpected[] = {
            {"[NN_LR_PE]outer"},
            {"[NN_LR_PE]outer", "[SUB][NN_LR_PTR]inner"},
            {"[NN_LR_PE]outer", "[SUB][NN_LR_PTR]inner", "[SW][NN_LR_PR]innermost"},
            {"[NN_LR_PE]outer", "[SUB][NN_LR_PTR]inner", "[SW][NN_LR_PR]innermost"},
    };
    for (int how = 0; how < 4; ++how) {
        Trace trace;
        try {
            leavesEarly(trace, how);
        } catch (int thrown) {
            EXPECT_EQ(thrown, how);
        }
        std::vector<std::string> names = namesOf(trace);
        std::sort(names.begin(), names.end());
        EXPECT_EQ(names, kExpected[how]) << how;
        expectNesting(trace);
    }
}

TEST(Trace, KeepsThreadsApart) {
    Trace trace;
    inThreads(4, [&](int) {
        for (int i = 0; i < 100; ++i) leavesEarly(trace, 3);
    });
    EXPECT_EQ(trace.size(), 1200u);
    expectNesting(trace);
    std::map<int64_t, int> counts;
    for (const Slice& slice : slicesOf(trace)) ++counts[slice.thread];
    EXPECT_THAT(counts, SizeIs(4));
    for (const auto& [thread, count] : counts) EXPECT_EQ(count, 300);
}

TEST(Trace, IsOffOrAbsent) {
    Trace off({.isOn = false});
    { NNAPI_TRACE(&off, DRIVER, EXECUTION, "x"); }
    { NNAPI_TRACE(static_cast<Trace*>(nullptr), DRIVER, EXECUTION, "x"); }
    { NNAPI_TRACE(SharedTrace(), DRIVER, EXECUTION, "x"); }
    EXPECT_EQ(off.size(), 0u);
    {
        off.setOn(true);
        NNAPI_TRACE(&off, DRIVER, EXECUTION, "ends");
        off.setOn(false);
    }
    EXPECT_THAT(namesOf(off), ElementsAre("[NN_LD_PE]ends"));
}

TEST(Trace, KeepsNoMoreThanAllowed) {
    Trace trace({.maxSlices = 2});
    for (int i = 0; i < 5; ++i) {
        NNAPI_TRACE(&trace, DRIVER, EXECUTION, "x");
    }
    EXPECT_EQ(trace.size(), 2u);
    EXPECT_EQ(trace.dropped(), 3u);
    EXPECT_EQ(json::parse(trace.json())["otherData"]["dropped"].get<std::string>(), "3");
    trace.clear();
    EXPECT_EQ(trace.dropped(), 0u);
}

// ---- devices

TEST(TracedDevice, HasASliceForEachCall) {
    const auto trace = std::make_shared<Trace>();
    const SharedDevice device = traced(referenceDevice({.name = "npu"}), trace);
    EXPECT_EQ(device->getName(), "npu");
    EXPECT_EQ(device->getFeatureLevel(), kNewestRuntimeVersion);
    EXPECT_EQ(device->getType(), DeviceType::CPU);
    EXPECT_TRUE(device->wait().has_value());
    EXPECT_TRUE(device->getSupportedOperations(addition()).has_value());
    const SharedPreparedModel model = prepareOn(*device, addition()).value();
    EXPECT_FALSE(device->prepareModelFromCache({}, {}, {}, {}).has_value());
    EXPECT_FALSE(device->allocate({}, {model}, {}, {}).has_value());
    Sum sum;
    EXPECT_TRUE(executeOn(*model, sum.request()).has_value());
    EXPECT_TRUE(executeFencedOn(*model, sum.request()).has_value());
    const SharedExecution execution = reusableOn(*model, sum.request()).value();
    EXPECT_TRUE(execution->compute({}).has_value());
    EXPECT_TRUE(execution->computeFenced({}, {}, {}).has_value());
    const SharedBurst burst = model->configureExecutionBurst().value();
    EXPECT_EQ(burst->cacheMemory(createSharedMemory(8).value()), nullptr);
    EXPECT_TRUE(executeOn(*burst, sum.request()).has_value());
    EXPECT_TRUE(reusableOn(*burst, sum.request()).value()->compute({}).has_value());
    EXPECT_TRUE(model->getUnderlyingResource().has_value());
    EXPECT_THAT(
            namesOf(*trace),
            ElementsAre("[NN_LD_PI]npu wait", "[NN_LD_PC]npu getSupportedOperations",
                        "[NN_LD_PC]npu prepareModel", "[NN_LD_PC]npu prepareModelFromCache",
                        "[NN_LD_PC]npu allocate", "[NN_LD_PE]npu execute",
                        "[NN_LD_PE]npu executeFenced", "[NN_LD_PE]npu createReusableExecution",
                        "[NN_LD_PE]npu compute", "[NN_LD_PE]npu computeFenced",
                        "[NN_LD_PE]npu configureExecutionBurst", "[NN_LD_PIO]npu burst cacheMemory",
                        "[NN_LD_PE]npu burst execute",
                        "[NN_LD_PE]npu burst createReusableExecution", "[NN_LD_PE]npu compute"));
    trace->clear();
    trace->setOn(false);
    EXPECT_TRUE(executeOn(*model, sum.request()).has_value());
    EXPECT_EQ(trace->size(), 0u);
}

TEST(TracedDevice, IsTheDeviceWithoutATrace) {
    const SharedDevice device = referenceDevice();
    EXPECT_EQ(traced(device, nullptr), device);
    EXPECT_EQ(traced(nullptr, std::make_shared<Trace>()), nullptr);
}

// The device receives its own objects back, not their wrappers.
TEST(TracedDevice, GivesTheDeviceItsOwnObjects) {
    const auto trace = std::make_shared<Trace>();
    const auto driver = hidl::sp<fake::Device>::make(HalVersion::V1_3);
    const SharedDevice device = traced(wrap("npu", driver).value(), trace, TraceLayer::IPC);
    const SharedPreparedModel model = prepareOn(*device, addition()).value();
    const auto buffer =
            device->allocate({.dimensions = {4}}, {model},
                             {{.modelIndex = 0, .ioIndex = 0, .probability = 1.0f}}, {});
    ASSERT_TRUE(buffer.has_value()) << buffer.error().message;
    EXPECT_NE(static_cast<uint32_t>((*buffer)->getToken()), 0u);
    EXPECT_TRUE((*buffer)->copyTo(createSharedMemory(16).value()).has_value());
    EXPECT_TRUE((*buffer)->copyFrom(createSharedMemory(16).value(), {4}).has_value());
    Sum sum;
    Request request = sum.request();
    request.inputs[0] = {.lifetime = Request::Argument::LifeTime::POOL};
    request.pools = {*buffer};
    // The driver fails for lack of values; its call shows that the token was passed through.
    (void)executeOn(*model, request);
    const std::vector<std::string> names = namesOf(*trace);
    EXPECT_THAT(names, ElementsAre("[NN_LI_PC]npu prepareModel", "[NN_LI_PC]npu allocate",
                                   "[NN_LI_PIO]npu copyTo", "[NN_LI_PIO]npu copyFrom",
                                   "[NN_LI_PE]npu execute"));
}

// ---- operations

TEST(TracedOperations, LieWithinThoseAroundThem) {
    const auto trace = std::make_shared<Trace>();
    const SharedDevice device = referenceDevice({.trace = trace});
    const SharedPreparedModel model = prepareOn(*traced(device, trace), endlessLoop()).value();
    std::vector<float> from{0}, to{0};
    const Request request = {.inputs = {pointerTo(from)}, .outputs = {pointerTo(to)}};
    EXPECT_FALSE(
            model->execute(request, MeasureTiming::NO, {}, std::chrono::microseconds(200), {}, {})
                    .has_value());
    const std::vector<std::string> names = namesOf(*trace);
    ASSERT_GE(names.size(), 4u);
    EXPECT_EQ(names[1], "[NN_LD_PE]nnapi-reference execute");
    EXPECT_EQ(names[2], "[NN_LC_PCO]WHILE main.operations[0]");
    EXPECT_EQ(names[3], "[NN_LC_PCO]EQUAL referenced[0].operations[0]");
    expectNesting(*trace);
    for (const Slice& slice : slicesOf(*trace)) {
        if (slice.name.starts_with("[NN_LC")) {
            EXPECT_EQ(slice.category, "LC");
        }
    }
}

TEST(TracedOperations, LeaveOtherFunctionsInPlace) {
    const auto trace = std::make_shared<Trace>();
    int started = 0, observed = 0;
    const ExecuteOptions plain{.starter =
                                       [&](const ComputedOperation& operation) {
                                           EXPECT_THAT(operation.outputs, IsEmpty());
                                           EXPECT_EQ(operation.path, "main.operations[0]");
                                           EXPECT_EQ(started++, observed);
                                       },
                               .observer =
                                       [&](const ComputedOperation& operation) {
                                           EXPECT_THAT(operation.outputs, SizeIs(1));
                                           EXPECT_EQ(++observed, started);
                                       }};
    const PreparedModel model = prepare(addition()).value();
    Sum sum;
    EXPECT_TRUE(model.execute(sum.request(), traced(plain, trace)).status.ok());
    EXPECT_EQ(started, 1);
    EXPECT_EQ(observed, 1);
    EXPECT_THAT(namesOf(*trace), ElementsAre("[NN_LC_PCO]ADD main.operations[0]"));
    EXPECT_EQ(traced(ExecuteOptions(), nullptr).observer, nullptr);
    trace->setOn(false);
    EXPECT_EQ(traced(ExecuteOptions(), trace).starter, nullptr);
}

}  // namespace
}  // namespace nn::driver_trace_test
