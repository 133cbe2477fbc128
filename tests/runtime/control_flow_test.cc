// IF and WHILE over values of unknown size in applications: compiled for each kind of device,
// executed in every mode, recorded. No HAL version can represent such a WHILE.
#include <algorithm>

#include "nnapi/driver/registry.h"
#include "nnapi/interpreter.h"
#include "nnapi/io.h"
#include "nnapi/validate.h"
#include "runtime/c_api_objects.h"
#include "runtime/devices/configuration.h"
#include "temporary_folder.h"
#ifdef NNAPI_HAS_SERVICE
#include "nnapi/service/server.h"
#endif

namespace nn::c_api::control_flow_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Owns the graphs, which must live while the model that refers to them is built.
struct Built {
    std::vector<OwnedModel> graphs{};
    OwnedModel model{};
};

// while (n > 0) { n = n - 1; x = concat(x, x) }, starting with one element.
Built growing() {
    Built built;
    ModelBuilder condition;
    {
        const auto n = condition.counter(), x = condition.floats(0);
        const auto holds = condition.boolean();
        condition.operation(ANEURALNETWORKS_GREATER, {n, condition.number(condition.counter(), 0)},
                            {holds});
        built.graphs.push_back(condition.finish({n, x}, {holds}));
    }
    ModelBuilder body;
    {
        const auto n = body.counter(), x = body.floats(0);
        const auto less = body.counter(), more = body.floats(0);
        body.operation(ANEURALNETWORKS_SUB, {n, body.number(body.counter(), 1), body.scalar(0)},
                       {less});
        body.operation(ANEURALNETWORKS_CONCATENATION, {x, x, body.scalar(0)}, {more});
        built.graphs.push_back(body.finish({n, x}, {less, more}));
    }
    ModelBuilder main;
    const auto n = main.counter(), x = main.floats(1);
    const auto done = main.counter(), result = main.floats(0);
    main.operation(ANEURALNETWORKS_WHILE,
                   {main.graph(built.graphs[0]), main.graph(built.graphs[1]), n, x},
                   {done, result});
    built.model = main.finish({n, x}, {result});
    return built;
}

// n[0] > 2 ? concat(x, x) : x, of a size known only after execution; all of it four times.
Built choosing() {
    Built built;
    for (const bool isTwice : {true, false}) {
        ModelBuilder branch;
        const auto x = branch.floats(0), y = branch.floats(0);
        if (isTwice) {
            branch.operation(ANEURALNETWORKS_CONCATENATION, {x, x, branch.scalar(0)}, {y});
        } else {
            branch.operation(ANEURALNETWORKS_RELU, {x}, {y});
        }
        built.graphs.push_back(branch.finish({x}, {y}));
    }
    ModelBuilder main;
    const auto n = main.counter(), x = main.floats(0);
    const auto holds = main.boolean(), chosen = main.floats(0), result = main.floats(0);
    main.operation(ANEURALNETWORKS_GREATER, {n, main.number(main.counter(), 2)}, {holds});
    main.operation(ANEURALNETWORKS_IF,
                   {holds, main.graph(built.graphs[0]), main.graph(built.graphs[1]), x}, {chosen});
    main.operation(ANEURALNETWORKS_CONCATENATION, {chosen, chosen, chosen, chosen, main.scalar(0)},
                   {result});
    built.model = main.finish({n, x}, {result});
    return built;
}

// n[0] > 2 ? growing()(n, x) : x. The first branch has graphs of its own.
Built growingAtTimes() {
    Built built = growing();
    built.graphs.push_back(std::move(built.model));
    ModelBuilder other;
    {
        const auto n = other.counter(), x = other.floats(1), y = other.floats(0);
        other.operation(ANEURALNETWORKS_RELU, {x}, {y});
        built.graphs.push_back(other.finish({n, x}, {y}));
    }
    ModelBuilder main;
    const auto n = main.counter(), x = main.floats(1);
    const auto holds = main.boolean(), result = main.floats(0);
    main.operation(ANEURALNETWORKS_GREATER, {n, main.number(main.counter(), 2)}, {holds});
    main.operation(ANEURALNETWORKS_IF,
                   {holds, main.graph(built.graphs[2]), main.graph(built.graphs[3]), n, x},
                   {result});
    built.model = main.finish({n, x}, {result});
    return built;
}

// The result for n and one element x.
std::vector<float> executed(ANeuralNetworksCompilation* compilation, ExecutionMode mode,
                            bool isReusable, int32_t n, float x) {
    const OwnedExecution execution = executionOf(compilation);
    std::vector<float> out(64);
    const Type one(ANEURALNETWORKS_TENSOR_FLOAT32, {1});
    const Type eight(ANEURALNETWORKS_TENSOR_FLOAT32, {8});
    const bool isFenced = mode == ExecutionMode::FENCED;  // whose output sizes must be known
    EXPECT_EQ(ANeuralNetworksExecution_setReusable(execution, isReusable), OK);
    EXPECT_EQ(ANeuralNetworksExecution_setInput(execution, 0, nullptr, &n, sizeof n), OK);
    EXPECT_EQ(ANeuralNetworksExecution_setInput(execution, 1, one, &x, sizeof x), OK);
    EXPECT_EQ(ANeuralNetworksExecution_setOutput(
                      execution, 0, isFenced ? eight.get() : nullptr, out.data(),
                      isFenced ? 8 * sizeof(float) : out.size() * sizeof(float)),
              OK);
    for (int time = 0; time < (isReusable ? 2 : 1); ++time) {
        std::ranges::fill(out, -1.0f);
        const int code = executeIn(mode, compilation, execution);
        if (code != OK) return {static_cast<float>(-code)};
    }
    uint32_t rank = 0, size = 0;
    EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandRank(execution, 0, &rank), OK);
    EXPECT_EQ(rank, 1u);
    if (rank == 1) {
        EXPECT_EQ(ANeuralNetworksExecution_getOutputOperandDimensions(execution, 0, &size), OK);
    }
    out.resize(std::min<size_t>(size, out.size()));
    return out;
}

void expectValues(ANeuralNetworksCompilation* compilation) {
    for (const ExecutionMode mode : kModes) {
        for (const bool isReusable : {false, true}) {
            SCOPED_TRACE(testing::Message() << "mode " << int(mode) << " reusable " << isReusable);
            EXPECT_EQ(executed(compilation, mode, isReusable, 3, 7), std::vector<float>(8, 7));
        }
    }
    // Other executions of the same compilation have other sizes.
    EXPECT_EQ(executed(compilation, ExecutionMode::COMPUTE, false, 2, 5), std::vector<float>(4, 5));
}

const std::string kPlugin = NNAPI_PLUGINS "/nnapi_plugin_odd.so:good";

class ControlFlow : public testing::Test {
   protected:
    void SetUp() override {
#ifdef NNAPI_HAS_SERVICE
        auto made = service::serve({referenceDevice({.name = "remote"})},
                                   "unix:" + (mFolder / "s").string());
        ASSERT_TRUE(made.has_value()) << made.error().message;
        mServer = *std::move(made);
#endif
    }
    void TearDown() override { useDevices({}); }  // before the server ends

    static void use(const runtime::Configuration& configuration) {
        runtime::setRuntime(runtime::Runtime::create(configuration));
    }
    static void useSpecs(const std::vector<std::string>& specs) {
        runtime::Configuration configuration;
        for (const std::string& spec : specs) {
            if (!spec.empty()) configuration.devices.push_back({.spec = spec});
        }
        use(configuration);
    }
    static const ANeuralNetworksDevice* find(std::string_view name) {
        for (const auto& device : runtime::runtime().devices()) {
            if (device->name == name) return device.get();
        }
        return nullptr;
    }

    TemporaryFolder mFolder{};
#ifdef NNAPI_HAS_SERVICE
    std::unique_ptr<service::Server> mServer{};
#endif
};

TEST_F(ControlFlow, OfUnknownSizeOnEachKindOfDevice) {
    const struct {
        const char* device;
        std::string spec;
        bool hasIf;
        bool hasWhile;
    } kRows[] = {
            {"nnapi-host", "", true, true},
            {"nnapi-reference", "", true, true},
            {"good", kPlugin, true, true},
            // No HAL version can represent a WHILE over them, and 1.2 has no IF at all.
            {"nnapi-sample_all", "nnapi-sample_all", true, false},
            {"good", kPlugin + "@aidl4", true, false},
            {"good", kPlugin + "@aidl1", true, false},
            {"good", kPlugin + "@1.3", true, false},
            {"good", kPlugin + "@1.2", false, false},
#ifdef NNAPI_HAS_SERVICE
            {"remote", mServer->address(), true, true},
            {"remote", mServer->address() + "@1.3", true, false},
#endif
    };
    const Built ifs = choosing(), whiles = growing();
    for (const auto& row : kRows) {
        useSpecs({row.spec});
        const ANeuralNetworksDevice* device = find(row.device);
        ASSERT_NE(device, nullptr) << row.spec;
        const std::pair<const Built*, bool> kModels[] = {{&ifs, row.hasIf},
                                                         {&whiles, row.hasWhile}};
        for (const auto& [built, isThere] : kModels) {
            SCOPED_TRACE(testing::Message()
                         << row.device << row.spec << (built == &ifs ? " IF" : " WHILE"));
            // Support for the operation that decides; the other operations of the IF suit any
            // device.
            bool supported[3] = {};
            EXPECT_EQ(ANeuralNetworksModel_getSupportedOperationsForDevices(built->model, &device,
                                                                            1, supported),
                      OK);
            EXPECT_EQ(supported[built == &ifs ? 1 : 0], isThere);
            const OwnedCompilation compilation = compilationFor(built->model, {device});
            ASSERT_EQ(ANeuralNetworksCompilation_finish(compilation), isThere ? OK : BAD_DATA);
            if (isThere) expectValues(compilation);
        }
    }
}

// For an application that names no device, the reference device executes them, whatever other
// devices exist; for one that names several, a device that supports them.
TEST_F(ControlFlow, OfUnknownSizeIsPlanned) {
    useSpecs({kPlugin, "nnapi-sample_float_fast@1.2", "nnapi-sample_all@1.3"});
    for (const bool isWhile : {false, true}) {
        const Built built = isWhile ? growing() : choosing();
        expectValues(compiled(built.model, /*isForOne=*/false));
        for (const char* able : {"nnapi-host", "nnapi-reference", "good"}) {
            SCOPED_TRACE(able);
            const OwnedCompilation several = compilationFor(
                    built.model,
                    {find("nnapi-sample_float_fast"), find("nnapi-sample_all"), find(able)});
            ASSERT_EQ(ANeuralNetworksCompilation_finish(several), OK);
            expectValues(several);
        }
    }
}

TEST_F(ControlFlow, OfUnknownSizeInABranch) {
    useSpecs({});
    const Built built = growingAtTimes();
    for (const char* name : {"nnapi-host", "nnapi-reference"}) {
        const OwnedCompilation compilation = compilationFor(built.model, {find(name)});
        ASSERT_EQ(ANeuralNetworksCompilation_finish(compilation), OK) << name;
        const auto of = [&](int32_t n) {
            return executed(compilation, ExecutionMode::COMPUTE, false, n, 7);
        };
        EXPECT_EQ(of(3), std::vector<float>(8, 7)) << name;
        EXPECT_EQ(of(4), std::vector<float>(16, 7)) << name;
        EXPECT_EQ(of(2), std::vector<float>(1, 7)) << name;
    }
}

// Without a fallback and without the host device, with drivers.
TEST_F(ControlFlow, OfUnknownSizeInEveryPartitioning) {
    using Partitioning = runtime::PlanOptions::Partitioning;
    for (const auto partitioning :
         {Partitioning::NO, Partitioning::WITH_FALLBACK, Partitioning::WITHOUT_FALLBACK}) {
        use({.devices = {{.spec = "nnapi-sample_float_fast@1.3"}, {.spec = "nnapi-sample_quant"}},
             .hasHost = false,
             .partitioning = partitioning});
        for (const bool isWhile : {false, true}) {
            SCOPED_TRACE(int(partitioning));
            const Built built = isWhile ? growing() : choosing();
            expectValues(compiled(built.model, /*isForOne=*/false));
        }
    }
}

// The recorded files can be read, validated and executed.
TEST_F(ControlFlow, OfUnknownSizeIsRecorded) {
    int number = 0;
    for (const char* device : {"", "nnapi-host", "nnapi-reference", "good"}) {
        for (const bool isWhile : {false, true}) {
            SCOPED_TRACE(testing::Message() << device << (isWhile ? " WHILE" : " IF"));
            const auto folder = mFolder / std::to_string(++number);
            use({.devices = {{.spec = kPlugin}}, .record = folder, .recordedExecutions = 1});
            const Built built = isWhile ? growing() : choosing();
            const ANeuralNetworksDevice* named = find(device);
            const OwnedCompilation compilation = named == nullptr
                                                         ? compilationFor(built.model, {})
                                                         : compilationFor(built.model, {named});
            ASSERT_EQ(ANeuralNetworksCompilation_finish(compilation), OK);
            EXPECT_EQ(executed(compilation, ExecutionMode::COMPUTE, false, 3, 7),
                      std::vector<float>(8, 7));

            const std::string name = "model_" + std::to_string(getpid()) + "_1";
            const Result<AnyModel> model = readModel(folder / (name + ".pb"));
            ASSERT_TRUE(model.ok()) << model.status();
            const auto needed = validate(std::get<Model>(*model));
            ASSERT_TRUE(needed.ok()) << needed.status();
            EXPECT_EQ(needed->runtimeOnlyFeatures, isWhile);

            auto reader = TestCaseReader::open(folder / (name + "_execution_1.jsonl"));
            ASSERT_TRUE(reader.ok()) << reader.status();
            const auto next = reader->next();
            ASSERT_TRUE(next && next->ok());
            const TestCase& testCase = **next;
            EXPECT_EQ(testCase.model, std::get<Model>(*model));
            const auto outputs = prepare(testCase.model)->run(testCase.inputs);
            ASSERT_TRUE(outputs.ok()) << outputs.status();
            EXPECT_EQ((*outputs)[0], testCase.outputs[0].value);
            EXPECT_EQ((*outputs)[0].dimensions, Dimensions{8});
        }
    }
}

}  // namespace
}  // namespace nn::c_api::control_flow_test
