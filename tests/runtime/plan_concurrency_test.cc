// Steps of different devices that execute at the same time: their selection, and failures of some
// of them.
#include <future>
#include <stdexcept>
#include <thread>

#include "device_test/cases/execution_paths.h"
#include "driver/threads/cancellation.h"
#include "driver/threads/run_together.h"
#include "runtime/concurrent_models.h"
#include "runtime/fake_device.h"
#include "runtime/plan/concurrent_groups.h"
#include "runtime/plan/work.h"

namespace nn::runtime::plan_concurrency_test {
namespace {

using nn::testing::executeBy;
using nn::testing::ExecutionPath;
using ::testing::HasSubstr;

// ---- the work of an operation

TEST(PlanConcurrency, WorkOfOperations) {
    const struct {
        OperationType type;
        std::vector<Dimensions> inputs;
        Dimensions output;
        uint64_t work;
    } kRows[] = {
            {ADD, {{2, 3}, {2, 3}}, {2, 3}, 6},
            {OperationType::CONV_2D, {{1, 8, 8, 3}, {16, 5, 5, 3}}, {1, 4, 4, 16}, 256 * 75},
            {OperationType::GROUPED_CONV_2D, {{1, 8, 8, 4}, {8, 3, 3, 2}}, {1, 8, 8, 8}, 512 * 18},
            {OperationType::DEPTHWISE_CONV_2D, {{1, 8, 8, 4}, {1, 3, 3, 8}}, {1, 8, 8, 8}, 512 * 9},
            {OperationType::TRANSPOSE_CONV_2D,
             {{1, 4, 4, 3}, {16, 2, 2, 3}},
             {1, 8, 8, 16},
             48 * 64},
            {OperationType::FULLY_CONNECTED, {{2, 10}, {7, 10}}, {2, 7}, 140},
            {OperationType::BATCH_MATMUL, {{5, 2, 3}, {5, 3, 4}}, {5, 2, 4}, 120},
            {IF, {{1}}, {1000}, 0},
            // Unknown sizes, and work that overflows 64 bits.
            {ADD, {{2, 0}, {2, 3}}, {2, 0}, 0},
            {OperationType::CONV_2D, {{}, {}}, {1, 4, 4, 16}, 0},
            {OperationType::FULLY_CONNECTED, {{2, 10}, {0, 10}}, {2, 7}, 0},
            {ADD, {}, {UINT32_MAX, UINT32_MAX, UINT32_MAX}, UINT64_MAX},
            {OperationType::FULLY_CONNECTED,
             {{}, {1, UINT32_MAX}},
             {UINT32_MAX, UINT32_MAX},
             UINT64_MAX},
    };
    for (const auto& row : kRows) {
        Model model;
        Graph main(model);
        std::vector<uint32_t> inputs;
        for (const Dimensions& dimensions : row.inputs) {
            inputs.push_back(main.input(TENSOR_FLOAT32, dimensions));
        }
        main.add(row.type, inputs, {main.output(TENSOR_FLOAT32, row.output)});
        EXPECT_EQ(workOf(main.graph, main.graph.operations.front()), row.work)
                << toString(row.type) << " " << row.work;
    }
}

// ---- groups

// A graph described by the operations that each operation reads; an operation that reads none reads
// the input of the graph. Results that no operation reads are outputs of the graph.
Model::Subgraph graphOf(const std::vector<std::vector<uint32_t>>& reads) {
    Model::Subgraph graph;
    std::vector<bool> isRead(reads.size());
    for (const auto& list : reads) {
        for (const uint32_t operation : list) isRead[operation] = true;
    }
    for (uint32_t i = 0; i < reads.size(); ++i) {
        graph.operands.push_back({.type = TENSOR_FLOAT32,
                                  .dimensions = {1},
                                  .lifetime = isRead[i] ? Operand::LifeTime::TEMPORARY_VARIABLE
                                                        : Operand::LifeTime::SUBGRAPH_OUTPUT});
    }
    const auto input = static_cast<uint32_t>(reads.size());
    graph.operands.push_back({.type = TENSOR_FLOAT32,
                              .dimensions = {1},
                              .lifetime = Operand::LifeTime::SUBGRAPH_INPUT});
    for (uint32_t i = 0; i < reads.size(); ++i) {
        graph.operations.push_back({ADD, reads[i].empty() ? std::vector{input} : reads[i], {i}});
    }
    return graph;
}

// As in the documentation: "B1 | A0 + C2, A3" is a group of operation 1 on device B, then operation
// 0 on A at the same time as 2 on C, and so on.
std::string shown(const std::vector<Group>& groups) {
    std::string text;
    for (const Group& group : groups) {
        if (!text.empty()) text += group.isConcurrent ? " + " : " | ";
        text += static_cast<char>('A' + group.device);
        for (const uint32_t operation : group.operations) text += std::to_string(operation);
    }
    return text;
}

TEST(PlanConcurrency, Groups) {
    const struct {
        const char* what;
        std::vector<std::vector<uint32_t>> reads;
        std::vector<size_t> devices;
        const char* expected;
        std::vector<uint64_t> work{};  // 10 each if empty; the threshold is 10
        size_t deviceCount = 2;
    } kRows[] = {
            {"two branches", {{}, {}}, {0, 1}, "B1 + A0"},
            {"a chain", {{}, {0}, {1}}, {0, 1, 0}, "A0 | B1 | A2"},
            {"one device", {{}, {}}, {0, 0}, "A01"},
            {"a join is divided from its branch", {{}, {}, {0, 1}}, {0, 1, 0}, "B1 + A0 | A2"},
            {"unless the branch has too little work",
             {{}, {}, {0, 1}},
             {0, 1, 0},
             "B1 | A02",
             {9, 10, 10}},
            {"or the other branch", {{}, {}, {0, 1}}, {0, 1, 0}, "B1 | A02", {10, 9, 10}},
            {"work adds up", {{}, {0}, {}, {1, 2}}, {0, 0, 1, 0}, "B2 + A01 | A3", {5, 5, 10, 1}},
            {"three devices", {{}, {}, {}, {0, 1, 2}}, {0, 1, 2, 0}, "C2 + B1 + A0 | A3", {}, 3},
            {"the least waits", {{}, {}, {}}, {0, 1, 2}, "C2 + A0 | B1", {10, 1, 10}, 3},
            {"the plan's own operations run separately", {{}, {}, {}}, {2, 0, 1}, "C0 | B2 + A1"},
            {"two pairs", {{}, {}, {0, 1}, {0, 1}}, {0, 1, 0, 1}, "B1 + A0 | A2 + B3"},
            {"what depends on a part that waits",
             {{}, {}, {0, 1}, {2}, {}},
             {0, 1, 0, 2, 2},
             "C4 + B1 + A0 | A2 | C3",
             {},
             3},
            {"saturates", {{}, {}}, {0, 1}, "B1 + A0", {UINT64_MAX, UINT64_MAX}},
    };
    for (const auto& row : kRows) {
        const Model::Subgraph graph = graphOf(row.reads);
        const std::vector<uint64_t> work =
                row.work.empty() ? std::vector<uint64_t>(row.reads.size(), 10) : row.work;
        EXPECT_EQ(shown(concurrentGroups(graph, partition(graph, row.devices, row.deviceCount),
                                         row.deviceCount, work, 10)),
                  row.expected)
                << row.what;
    }
}

// A step needs inputs and outputs; here only the whole group has both.
TEST(PlanConcurrency, NoPartWithoutInputsOrOutputs) {
    // A0 reads only constants.
    Model::Subgraph constant = graphOf({{}, {}, {0, 1}});
    constant.operands.push_back({.lifetime = Operand::LifeTime::CONSTANT_COPY});
    constant.operations[0].inputs = {4};
    // No operation reads A0.
    Model::Subgraph unread = graphOf({{}, {}, {1}});
    unread.operands[0].lifetime = Operand::LifeTime::TEMPORARY_VARIABLE;
    // No operation reads A2, which reads A0 and B1.
    Model::Subgraph unreadRest = graphOf({{}, {}, {0, 1}});
    unreadRest.operands[2].lifetime = Operand::LifeTime::TEMPORARY_VARIABLE;
    const std::vector<size_t> devices{0, 1, 0};
    const std::vector<uint64_t> work{10, 10, 10};
    for (const Model::Subgraph* graph : {&constant, &unread, &unreadRest}) {
        EXPECT_EQ(shown(concurrentGroups(*graph, partition(*graph, devices, 2), 2, work, 10)),
                  "B1 | A02");
    }
}

// ---- tasks

TEST(RunTogether, RunsAllOfThem) {
    for (const size_t most : {1, 3}) {
        driver::ThreadPool pool(most);
        for (const size_t count : {0, 1, 2, 20}) {
            std::vector<int> runs(count);
            std::vector<driver::Task> tasks;
            for (size_t i = 0; i < count; ++i) {
                tasks.emplace_back([&runs, i] {
                    ++runs[i];
                    if (i % 3 == 0) throw std::runtime_error("dropped");
                });
            }
            driver::runTogether(pool, tasks);
            EXPECT_EQ(runs, std::vector<int>(count, 1)) << most << " threads, " << count;
        }
    }
}

// The only thread of the pool is busy during the whole call.
TEST(RunTogether, NeedsNoThreadOfThePool) {
    driver::ThreadPool pool(1);
    std::promise<void> end;
    pool.run([&, ended = end.get_future().share()] { ended.wait(); });
    int runs = 0;
    const std::vector<driver::Task> tasks(3, [&] { ++runs; });
    driver::runTogether(pool, tasks);
    EXPECT_EQ(runs, 3);
    end.set_value();
}

TEST(RunTogether, TasksBelongToTheScopeOfTheCaller) {
    driver::ThreadPool pool(2);
    Rendezvous all(3);
    const auto isCancelled = std::make_shared<std::atomic<bool>>(false);
    const driver::CancellationScope scope(isCancelled, TimePoint::max());
    std::atomic<int> stops = 0;
    const std::vector<driver::Task> tasks(3, [&] {
        EXPECT_TRUE(all.meet());
        const StopFunction stop = driver::currentStop();
        ASSERT_TRUE(stop);
        EXPECT_FALSE(stop());
        EXPECT_TRUE(all.meet());
        *isCancelled = true;
        stops += stop();
    });
    driver::runTogether(pool, tasks);
    EXPECT_EQ(stops, 3);
    // The threads of the pool have left the scope.
    std::promise<bool> hasStop;
    pool.run([&] { hasStop.set_value(driver::currentScope() != nullptr); });
    EXPECT_FALSE(hasStop.get_future().get());
}

// ---- executions

// u = x + y on A and v = x * y on B, then w = u + v on A.
struct Branches {
    FakeOptions a{.name = "A",
                  .capabilities = capabilities(1.0f),
                  .supports = [](const Operation& o) { return o.type == ADD; }};
    FakeOptions b{.name = "B",
                  .capabilities = capabilities(1.0f),
                  .supports = [](const Operation& o) { return o.type == MUL; }};
    std::vector<std::string> fallbacks{};

    std::vector<PlanDevice> devices() const {
        return {{fakeDevice(a)}, {fakeDevice(b)}, cpu(2.0f)};
    }
    SharedPreparedModel prepare(Partitioning partitioning = Partitioning::WITH_FALLBACK) {
        const auto plan = makePlan(twoBranches(), devices(),
                                   {.partitioning = partitioning,
                                    .minConcurrentWork = 1,
                                    .onFallback = [this](std::string_view name, const Status&) {
                                        fallbacks.emplace_back(name);
                                    }});
        EXPECT_EQ((*plan)->steps().size(), 3u);
        return (*plan)->preparedModel();
    }
};

TEST(PlanConcurrency, BothDevicesExecuteAtTheSameTime) {
    for (const ExecutionPath path :
         {ExecutionPath::SYNC, ExecutionPath::REUSABLE, ExecutionPath::BURST}) {
        Branches branches;
        Rendezvous both(2);
        // The first execution of A, and that of B; the second of A is the join.
        std::atomic<int> ofA = 0;
        branches.a.onExecute = [&] { return ofA++ % 2 == 0 ? both.meetOrFail() : Status(); };
        branches.b.onExecute = [&] { return both.meetOrFail(); };
        const SharedPreparedModel prepared = branches.prepare(Partitioning::WITHOUT_FALLBACK);
        for (int n = 0; n < 3; ++n) {
            Floats values;
            const auto executed =
                    executeBy(path, *prepared, values.request(), {.measure = MeasureTiming::YES});
            ASSERT_TRUE(executed.has_value()) << executed.error().message;
            EXPECT_EQ(values.z, twoBranchesOf(values)) << nameOf(path);
        }
    }
}

TEST(PlanConcurrency, LaunchesAreMadeOneAfterTheOther) {
    Branches branches;
    Floats values;
    const auto executed = executeBy(ExecutionPath::FENCED, *branches.prepare(), values.request());
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    EXPECT_EQ(values.z, twoBranchesOf(values));
}

TEST(PlanConcurrency, WhereTheWorkIsTooLittleStepsComeOneAfterTheOther) {
    const Branches branches;
    const auto plan = makePlan(twoBranches(), branches.devices(), withoutFallback());
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ((*plan)->steps().size(), 2u);
}

// The sum has 4 additions, on a device that declares this fraction of the CPU's time.
TEST(PlanConcurrency, FastDevicesHaveLessToDo) {
    const struct {
        float execTime;
        uint64_t least;
        size_t steps;
    } kRows[] = {{1, 4, 3}, {1, 5, 2}, {0.5f, 2, 3}, {0.5f, 3, 2}, {3, 4, 3}, {3, 5, 2}};
    for (const auto& row : kRows) {
        Branches branches;
        branches.a.capabilities = capabilities(row.execTime);
        std::vector<PlanDevice> devices = branches.devices();
        devices.back() = cpu(9.0f);
        const auto plan = makePlan(twoBranches(), devices, {.minConcurrentWork = row.least});
        ASSERT_TRUE(plan.has_value());
        EXPECT_EQ((*plan)->steps().size(), row.steps) << row.execTime << " " << row.least;
    }
}

TEST(PlanConcurrency, FailuresFallBackInTheOrderOfSteps) {
    const Status kFailure = error(ErrorStatus::DEAD_OBJECT) << "gone";
    const struct {
        const char* what;
        Status a, b;
        std::vector<std::string> fallbacks;
    } kRows[] = {
            {"none", {}, {}, {}},
            {"one", kFailure, {}, {"A", "A"}},  // A also fails at the join
            {"the other", {}, kFailure, {"B"}},
            {"both", kFailure, kFailure, {"B", "A", "A"}},
    };
    for (const auto& row : kRows) {
        for (const ExecutionPath path :
             {ExecutionPath::SYNC, ExecutionPath::REUSABLE, ExecutionPath::BURST}) {
            Branches branches;
            branches.a.onExecute = [&] { return row.a; };
            branches.b.onExecute = [&] { return row.b; };
            const SharedPreparedModel prepared = branches.prepare();
            Floats values;
            const auto executed = executeBy(path, *prepared, values.request());
            ASSERT_TRUE(executed.has_value()) << row.what << executed.error().message;
            EXPECT_EQ(values.z, twoBranchesOf(values)) << row.what << " " << nameOf(path);
            EXPECT_EQ(branches.fallbacks, row.fallbacks) << row.what << " " << nameOf(path);
        }
    }
}

// The plan reports the first failure in the order of the steps, whichever occurred first.
TEST(PlanConcurrency, WithoutFallbackReportsTheFirstFailure) {
    Branches branches;
    Rendezvous both(2);
    branches.a.onExecute = [&] {
        EXPECT_TRUE(both.meet());
        return Status(error() << "of A");
    };
    branches.b.onExecute = [&] {
        EXPECT_TRUE(both.meet());
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return Status(error() << "of B");
    };
    Floats values;
    const auto executed =
            execute(*branches.prepare(Partitioning::WITHOUT_FALLBACK), values.request());
    ASSERT_FALSE(executed.has_value());
    EXPECT_THAT(executed.error().message, HasSubstr("of B"));
}

TEST(PlanConcurrency, ADeadlineThatHasPassedCallsNoDevice) {
    Branches branches;
    std::atomic<int> calls = 0;
    branches.b.onExecute = branches.a.onExecute = [&] {
        ++calls;
        return Status();
    };
    Floats values;
    const auto prepared = branches.prepare();
    EXPECT_FALSE(execute(*prepared, values.request(), Clock::now()).has_value());
    EXPECT_EQ(calls, 0);
    // The deadline passes while both compute: neither is repeated, and the join is not started.
    branches.b.onExecute = [&] {
        ++calls;
        std::this_thread::sleep_for(2 * kSoon);
        return Status();
    };
    branches.a.onExecute = [&] {
        ++calls;
        return Status();
    };
    const auto late = execute(*branches.prepare(), values.request(), soon());
    ASSERT_FALSE(late.has_value());
    EXPECT_EQ(late.error().code, ErrorStatus::MISSED_DEADLINE_TRANSIENT);
    EXPECT_LE(calls, 2);
}

// Each device writes all its outputs before it reads.
TEST(PlanConcurrency, OverlappingArguments) {
    const auto eager = runtime::eager(referenceDevice());
    std::vector<PlanDevice> devices = addAndMul(eager, eager);
    const auto plan = makePlan(branchesWithOutputs(), devices, {.minConcurrentWork = 1});
    ASSERT_TRUE(plan.has_value());
    ASSERT_EQ((*plan)->steps().size(), 2u);
    Floats apart;
    const std::vector<float> sum{11, 22, 33, 44}, product{10, 40, 90, 160};
    const struct {
        const char* what;
        std::vector<float> Floats::*u;
        std::vector<float> Floats::*v;
        std::vector<float> x, y;
    } kRows[] = {
            {"sum over x, product over y", &Floats::x, &Floats::y, sum, product},
            {"sum over y, product over x", &Floats::y, &Floats::x, product, sum},
            {"product over sum over x", &Floats::x, &Floats::x, product, apart.y},
    };
    for (const auto& row : kRows) {
        for (const ExecutionPath path : nn::testing::kExecutionPaths) {
            Floats values;
            const Request request{.inputs = {pointerTo(values.x), pointerTo(values.y)},
                                  .outputs = {pointerTo(values.*row.u), pointerTo(values.*row.v)}};
            const auto executed = executeBy(path, *(*plan)->preparedModel(), request);
            ASSERT_TRUE(executed.has_value()) << executed.error().message;
            EXPECT_EQ(values.x, row.x) << row.what << " " << nameOf(path);
            EXPECT_EQ(values.y, row.y) << row.what << " " << nameOf(path);
        }
    }
}

TEST(PlanConcurrency, ManyThreads) {
    Branches branches;
    const SharedPreparedModel prepared = branches.prepare(Partitioning::WITHOUT_FALLBACK);
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int t = 0; t < 12; ++t) {
        threads.emplace_back([&, t] {
            for (int n = 0; n < 30; ++n) {
                Floats values;
                values.x[0] = static_cast<float>(t * 100 + n);
                if (!execute(*prepared, values.request()).has_value() ||
                    values.z != twoBranchesOf(values)) {
                    ++wrong;
                }
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace nn::runtime::plan_concurrency_test
