// Recording of compilations and executions.
#include "runtime/extras/record.h"

#include <fstream>

#include "driver/models.h"
#include "nnapi/io.h"
#include "nnapi/memory.h"
#include "temporary_folder.h"

namespace nn::runtime::record_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const SharedDevice kDevice = referenceDevice();

std::string nameOf(const std::string& ending) {
    return "model_" + std::to_string(getpid()) + "_1" + ending;
}

// A folder, a log, and the recorder of a model with ADD.
class Recorded {
   public:
    explicit Recorded(uint64_t executions, std::string_view folder = "made")
        : mRecorder(
                  mFolder / folder, executions,
                  std::make_shared<const Log>(
                          [this](const LogRecord& record) { complaints.emplace_back(record.text); },
                          kVlogNone)) {}

    SharedPreparedModel prepare(const Model& model) {
        return mRecorder.record(std::make_shared<const Model>(model),
                                prepareOn(*kDevice, model).value());
    }
    std::filesystem::path path(const std::string& ending) const {
        return mFolder / "made" / nameOf(ending);
    }
    std::vector<std::string> files() const {
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(mFolder / "made"))
            names.push_back(entry.path().filename().string());
        std::ranges::sort(names);
        return names;
    }
    TestCase execution(int number) const {
        auto reader = TestCaseReader::open(path("_execution_" + std::to_string(number) + ".jsonl"));
        if (!reader.ok()) return {.name = std::string(reader.status().message())};
        auto next = reader->next();
        return next && next->ok() ? *std::move(*next) : TestCase();
    }

    std::vector<std::string> complaints{};

   private:
    TemporaryFolder mFolder;
    Recorder mRecorder;
};

const Tensor kX = floats({4}, {1, 2, 3, 4}), kY = floats({4}, {10, 20, 30, 40});
const Tensor kZ = floats({4}, {11, 22, 33, 44});

void expectSum(const TestCase& testCase) {
    EXPECT_EQ(testCase.model, addition());
    EXPECT_THAT(testCase.inputs, ElementsAre(kX, kY));
    ASSERT_THAT(testCase.outputs, SizeIs(1));
    EXPECT_EQ(testCase.outputs[0].value, kZ);
}

TEST(Record, ModelsAlone) {
    Recorded recorded(0);
    const SharedPreparedModel prepared = recorded.prepare(addition());
    Sum sum;
    EXPECT_TRUE(prepared->execute(sum.request(), MeasureTiming::NO, {}, {}, {}, {}).has_value());
    EXPECT_THAT(recorded.files(), ElementsAre(nameOf(".pb")));
    const Result<AnyModel> model = readModel(recorded.path(".pb"));
    ASSERT_TRUE(model.ok()) << model.status();
    EXPECT_EQ(std::get<Model>(*model), addition());
    EXPECT_THAT(recorded.complaints, IsEmpty());
}

// In every way of executing, each the first execution of its model.
TEST(Record, AnExecution) {
    struct Row {
        const char* name;
        std::function<bool(const IPreparedModel&, const Request&)> execute;
    };
    const Row rows[] = {
            {"execute",
             [](const IPreparedModel& p, const Request& r) {
                 return p.execute(r, MeasureTiming::NO, {}, {}, {}, {}).has_value();
             }},
            {"executeFenced",
             [](const IPreparedModel& p, const Request& r) {
                 const Fence fence;
                 fence.signal();
                 const auto fenced =
                         p.executeFenced(r, {fence.get()}, MeasureTiming::NO, {}, {}, {}, {}, {});
                 return fenced.has_value() &&
                        fenced->first.syncWait({}) == SyncFence::FenceState::SIGNALED;
             }},
            {"burst",
             [](const IPreparedModel& p, const Request& r) {
                 const auto burst = p.configureExecutionBurst();
                 return burst.has_value() &&
                        (*burst)->execute(r, MeasureTiming::NO, {}, {}, {}, {}).has_value();
             }},
            {"reusable",
             [](const IPreparedModel& p, const Request& r) {
                 const auto execution = p.createReusableExecution(r, MeasureTiming::NO, {}, {}, {});
                 return execution.has_value() && (*execution)->compute({}).has_value();
             }},
            {"reusable of a burst",
             [](const IPreparedModel& p, const Request& r) {
                 const auto burst = p.configureExecutionBurst();
                 if (!burst.has_value()) return false;
                 const auto execution =
                         (*burst)->createReusableExecution(r, MeasureTiming::NO, {}, {}, {});
                 return execution.has_value() && (*execution)->compute({}).has_value();
             }},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.name);
        Recorded recorded(1);
        const SharedPreparedModel prepared = recorded.prepare(addition());
        for (int i = 0; i < 2; ++i) {
            Sum sum;
            EXPECT_TRUE(row.execute(*prepared, sum.request()));
            EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
        }
        EXPECT_THAT(recorded.files(), ElementsAre(nameOf(".pb"), nameOf("_execution_1.jsonl")));
        expectSum(recorded.execution(1));
        EXPECT_THAT(recorded.complaints, IsEmpty());
    }
}

// The value of each output, even if the next output, or an input, overlaps it.
TEST(Record, OutputsOverOtherArguments) {
    Model model;
    Graph main(model);
    const auto x = main.input(TENSOR_FLOAT32, {2});
    main.add(OperationType::ADD, {x, x, main.scalar(0)}, {main.output(TENSOR_FLOAT32, {2})});
    main.add(OperationType::MUL, {x, x, main.scalar(0)}, {main.output(TENSOR_FLOAT32, {2})});
    model.main = main.graph;
    Recorded recorded(1);
    const SharedPreparedModel prepared = recorded.prepare(model);
    std::vector<float> values{3, 5, 7};
    const auto at = [&](size_t i) { return pointerTo(values.data() + i, 8); };
    const Request request{.inputs = {at(0)}, .outputs = {at(0), at(1)}};
    EXPECT_TRUE(prepared->execute(request, MeasureTiming::NO, {}, {}, {}, {}).has_value());
    EXPECT_THAT(values, ElementsAre(6, 9, 25));
    const TestCase testCase = recorded.execution(1);
    EXPECT_THAT(testCase.inputs, ElementsAre(floats({2}, {3, 5})));
    ASSERT_THAT(testCase.outputs, SizeIs(2));
    EXPECT_EQ(testCase.outputs[0].value, floats({2}, {6, 10}));
    EXPECT_EQ(testCase.outputs[1].value, floats({2}, {9, 25}));
    EXPECT_THAT(recorded.complaints, IsEmpty());
}

// Values lie anywhere in memory, and in device memory; dimensions come with the request.
TEST(Record, Pools) {
    Recorded recorded(2);
    const SharedPreparedModel prepared = recorded.prepare(addition(0));
    const SharedMemory memory = createSharedMemory(64).value();
    ASSERT_TRUE(writeMemory(memory, 8, kX.data).ok());
    ASSERT_TRUE(writeMemory(memory, 24, kY.data).ok());
    const auto at = [](uint32_t pool, uint32_t offset) {
        return Request::Argument{.lifetime = Request::Argument::LifeTime::POOL,
                                 .location = {.poolIndex = pool, .offset = offset, .length = 16},
                                 .dimensions = {4}};
    };
    Request request{.inputs = {at(0, 8), at(0, 24)}, .outputs = {at(0, 48)}, .pools = {memory}};
    ASSERT_TRUE(prepared->execute(request, MeasureTiming::NO, {}, {}, {}, {}).has_value());

    const SharedPreparedModel own = prepareOn(*kDevice, addition(0)).value();
    const auto buffer = kDevice->allocate({.dimensions = {4}}, {own},
                                          {{.modelIndex = 0, .ioIndex = 0, .probability = 1}}, {});
    ASSERT_TRUE(buffer.has_value()) << buffer.error().message;
    const SharedMemory x = createSharedMemory(16).value();
    ASSERT_TRUE(writeMemory(x, 0, kX.data).ok());
    ASSERT_TRUE((*buffer)->copyFrom(x, {}).has_value());
    Recorder recorder(recorded.path(""), 1, nullptr);
    const SharedPreparedModel withBuffer =
            recorder.record(std::make_shared<const Model>(addition(0)), own);
    Request::Argument whole = at(1, 0);
    whole.location.length = 0;
    request.inputs[0] = whole;
    request.pools.emplace_back(*buffer);
    const auto executed = withBuffer->execute(request, MeasureTiming::NO, {}, {}, {}, {});
    ASSERT_TRUE(executed.has_value()) << executed.error().message;

    auto reader = TestCaseReader::open(recorded.path("") / nameOf("_execution_1.jsonl"));
    ASSERT_TRUE(reader.ok()) << reader.status();
    for (const TestCase& testCase : {recorded.execution(1), reader->next()->value()}) {
        EXPECT_THAT(testCase.inputs, ElementsAre(kX, kY));
        ASSERT_THAT(testCase.outputs, SizeIs(1));
        EXPECT_EQ(testCase.outputs[0].value, kZ);
    }
}

// A failed execution does not count as recorded.
TEST(Record, SkipsFailedExecutions) {
    Recorded recorded(1);
    const SharedPreparedModel prepared = recorded.prepare(addition());
    EXPECT_FALSE(prepared->execute({}, MeasureTiming::NO, {}, {}, {}, {}).has_value());
    EXPECT_THAT(recorded.files(), SizeIs(1));
    Sum sum;
    EXPECT_TRUE(prepared->execute(sum.request(), MeasureTiming::NO, {}, {}, {}, {}).has_value());
    expectSum(recorded.execution(1));
}

TEST(Record, AnApplicationDoesNotNoticeAFullDisk) {
    const TemporaryFolder folder;
    std::ofstream(folder / "file") << "no folder";
    std::vector<std::string> complaints;
    const Recorder recorder(
            folder / "file", 1,
            std::make_shared<const Log>(
                    [&](const LogRecord& record) { complaints.emplace_back(record.text); },
                    kVlogNone));
    const SharedPreparedModel prepared = recorder.record(std::make_shared<const Model>(addition()),
                                                         prepareOn(*kDevice, addition()).value());
    Sum sum;
    EXPECT_TRUE(prepared->execute(sum.request(), MeasureTiming::NO, {}, {}, {}, {}).has_value());
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    // One complaint for each of the folder, the model and the execution.
    EXPECT_THAT(complaints, ElementsAre(HasSubstr("NNAPI_RECORD"), HasSubstr(nameOf(".pb")),
                                        HasSubstr(nameOf("_execution_1.jsonl"))));
}

// Generated file names do not follow links: another user who may write to the folder could have
// created links there.
TEST(Record, ReplacesLinksAndFollowsNone) {
    Recorded recorded(1);
    const TemporaryFolder elsewhere;
    const auto precious = elsewhere / "precious";
    for (const char* ending : {".pb", "_execution_1.jsonl"}) {
        std::ofstream(precious) << "precious";
        std::filesystem::create_symlink(precious, recorded.path(ending));
    }
    const SharedPreparedModel prepared = recorded.prepare(addition());
    Sum sum;
    EXPECT_TRUE(prepared->execute(sum.request(), MeasureTiming::NO, {}, {}, {}, {}).has_value());
    EXPECT_THAT(recorded.complaints, IsEmpty());
    std::string content;
    std::ifstream(precious) >> content;
    EXPECT_EQ(content, "precious");
    for (const char* ending : {".pb", "_execution_1.jsonl"}) {
        EXPECT_FALSE(std::filesystem::is_symlink(recorded.path(ending))) << ending;
        EXPECT_GT(std::filesystem::file_size(recorded.path(ending)), 60u) << ending;
    }
}

}  // namespace
}  // namespace nn::runtime::record_test
