// The limits of an execution: time, operations, memory, deadlines and stop functions. And its
// observers.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "interpreter/builder.h"

namespace nn::limits_test {
namespace {

using namespace std::chrono_literals;

constexpr auto ADD = OperationType::ADD;
constexpr auto EQUAL = OperationType::EQUAL;
constexpr auto WHILE = OperationType::WHILE;
constexpr auto kFailure = ErrorStatus::GENERAL_FAILURE;
constexpr auto kLate = ErrorStatus::MISSED_DEADLINE_TRANSIENT;
constexpr auto kExhausted = ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT;

// while (x == x) x = x + x
Model endless() {
    Model model;
    Graph condition(model);
    const auto x = condition.input(TENSOR_INT32, {1});
    condition.add(EQUAL, {x, x}, {condition.output(TENSOR_BOOL8, {1})});
    Graph body(model);
    const auto y = body.input(TENSOR_INT32, {1});
    body.add(ADD, {y, y, body.scalar(0)}, {body.output(TENSOR_INT32, {1})});
    model.referenced = {std::move(condition.graph), std::move(body.graph)};
    Graph main(model);
    const auto z = main.input(TENSOR_INT32, {1});
    const auto conditionGraph = main.subgraph(0);
    const auto bodyGraph = main.subgraph(1);
    main.add(WHILE, {conditionGraph, bodyGraph, z}, {main.output(TENSOR_INT32, {1})});
    model.main = std::move(main.graph);
    return model;
}

TEST(Limits, EndAnEndlessLoop) {
    struct Row {
        const char* name;
        Limits limits;
        ExecuteOptions options;
        ErrorStatus code;
        const char* message;
    };
    const Row kRows[] = {
            {"LoopTimeout", Limits{}, ExecuteOptions{.loopTimeout = 1ms}, kLate,
             "main.operations[0] WHILE: still goes on after 1 ms [interpreter.loop_timeout]"},
            {"Deadline", Limits{}, ExecuteOptions{.deadline = Clock::now() - 1s}, kLate,
             "main.operations[0] WHILE: the deadline passed before it [interpreter.deadline]"},
            {"NoOperations", Limits{.loopFuel = 0}, ExecuteOptions{}, kExhausted,
             "main.operations[0] WHILE: the execution has computed 0 operations before it, allowed "
             "no more [limits.loop_fuel]"},
            {"InTheCondition", Limits{.loopFuel = 1}, ExecuteOptions{}, kExhausted,
             "referenced[0].operations[0] EQUAL: the execution has computed 1 operation before it, "
             "allowed no more [limits.loop_fuel]"},
            {"AfterManyTimesRound", Limits{.loopFuel = 1000}, ExecuteOptions{}, kExhausted,
             "referenced[1].operations[0] ADD: the execution has computed 1000 operations before "
             "it, allowed no more [limits.loop_fuel]"},
            {"Stopped", Limits{}, ExecuteOptions{.isCancelled = [] { return true; }}, kFailure,
             "main.operations[0] WHILE: the execution was stopped before it [interpreter.stop]"},
    };
    const Tensor inputs[] = {ints({1}, {1})};
    for (const Row& row : kRows) {
        const PreparedModel prepared = prepare(endless(), {.limits = row.limits}).value();
        EXPECT_THAT(prepared.run(inputs, row.options), Fails(row.code, row.message)) << row.name;
    }
}

TEST(Limits, Time) {
    const PreparedModel prepared = prepare(endless(), {.limits = {.time = 5}}).value();
    const Tensor inputs[] = {ints({1}, {1})};
    const Status late = prepared.run(inputs).status();
    EXPECT_EQ(errorStatus(late), kExhausted);
    EXPECT_THAT(std::string(late.message()),
                testing::EndsWith("the execution takes more than the 5 ms allowed [limits.time]"));
    EXPECT_THAT(prepare(endless(), {.limits = {.time = 0}}),
                Fails(kExhausted,
                      "main.operands[0]: the preparation takes more than the 0 ms "
                      "allowed [limits.time]"));
    EXPECT_THAT(prepare(endless(), {.limits = {.time = UINT64_MAX}}), Succeeds());
}

TEST(Limits, AnotherThreadStopsAnExecution) {
    const PreparedModel prepared = prepare(endless()).value();
    std::atomic<bool> isStopped = false;
    std::thread stopper;
    size_t seen = 0;
    const ExecuteOptions options{.loopTimeout = kLoopTimeoutMaximum,
                                 .isCancelled = [&] { return isStopped.load(); },
                                 .observer =
                                         [&](const ComputedOperation&) {
                                             if (++seen == 1)  // the loop certainly continues
                                                 stopper = std::thread([&] { isStopped = true; });
                                         }};
    const Tensor inputs[] = {ints({1}, {1})};
    const auto stopped = prepared.run(inputs, options);
    stopper.join();
    EXPECT_EQ(errorStatus(stopped.status()), kFailure);
    EXPECT_THAT(std::string(stopped.status().message()),
                testing::EndsWith("the execution was stopped before it [interpreter.stop]"));
}

// Each element of a long lane is divided by the sum of all.
TEST(Limits, EndOneOperation) {
    constexpr uint32_t kSize = 1 << 22;
    MainGraph main;
    const auto x = main.input(TENSOR_FLOAT32, {1, kSize});
    const auto radius = main.scalar(INT32_MAX);
    const auto one = main.scalar(1.0f);
    main.add(OperationType::LOCAL_RESPONSE_NORMALIZATION, {x, radius, one, one, one},
             {main.output(TENSOR_FLOAT32, {1, kSize})});
    const Model model = main.build();
    const PreparedModel prepared = prepare(model, {.limits = {.time = 50}}).value();
    const Tensor inputs[] = {floats({1, kSize}, std::vector<float>(kSize))};
    for (int i = 0; i < 2; ++i) {  // the second time with the memory of the first
        EXPECT_THAT(prepared.run(inputs),
                    Fails(kExhausted,
                          "main.operations[0] LOCAL_RESPONSE_NORMALIZATION: the execution takes "
                          "more than the 50 ms allowed [limits.time]"));
    }
    const ExecuteOptions soon{.deadline = Clock::now() + 1ms};
    EXPECT_EQ(errorStatus(prepared.run(inputs, soon).status()), kLate);
}

// A convolution of many minutes, whose windows two threads share.
TEST(Limits, AnotherThreadStopsOneOperation) {
    constexpr uint32_t kImage = 1024, kFilter = 512;
    MainGraph main;
    const auto x = main.input(TENSOR_FLOAT32, {1, kImage, kImage, 1});
    const auto filter = main.constant<float>(TENSOR_FLOAT32, {1, kFilter, kFilter, 1},
                                             std::vector<float>(kFilter * kFilter));
    const auto bias = main.constant<float>(TENSOR_FLOAT32, {1}, {0});
    const auto relu = main.temporary(TENSOR_FLOAT32, {1, kImage, kImage, 1});
    const auto valid = main.scalar(2), one = main.scalar(1), none = main.scalar(0);
    main.add(OperationType::RELU, {x}, {relu});
    main.add(OperationType::CONV_2D, {relu, filter, bias, valid, one, one, none},
             {main.output(TENSOR_FLOAT32, {1, kImage - kFilter + 1, kImage - kFilter + 1, 1})});
    const Model model = main.build();
    const Tensor inputs[] = {
            floats({1, kImage, kImage, 1}, std::vector<float>(size_t{kImage} * kImage))};
    for (const uint32_t threads : {1u, 2u}) {
        const PreparedModel prepared = prepare(model, {.threads = threads}).value();
        std::atomic<bool> isStopped = false;
        std::thread stopper;
        const ExecuteOptions options{.isCancelled = [&] { return isStopped.load(); },
                                     .observer =
                                             [&](const ComputedOperation&) {
                                                 stopper = std::thread([&] {
                                                     std::this_thread::sleep_for(100ms);
                                                     isStopped = true;
                                                 });
                                             }};
        EXPECT_THAT(prepared.run(inputs, options),
                    Fails(kFailure,
                          "main.operations[1] CONV_2D: the execution was stopped during it "
                          "[interpreter.stop]"));
        stopper.join();
    }
}

TEST(Limits, AsManyOperationsAsNeeded) {
    MainGraph main;
    const auto x = main.input(TENSOR_INT32, {1});
    const auto y = main.temporary(TENSOR_INT32, {1});
    main.add(ADD, {x, x, main.scalar(0)}, {y});
    main.add(ADD, {y, y, main.scalar(0)}, {main.output(TENSOR_INT32, {1})});
    const Model model = main.build();
    expectRuns(model, {ints({1}, {3})}, {ints({1}, {12})}, {}, {.limits = {.loopFuel = 2}});
}

// ---- memory that a small model requests

using Tensors = std::vector<Tensor>;
using Types = std::vector<OperandType>;
struct Huge {
    const char* name;
    OperationType type;
    Tensors inputs;  // of rank 1, dimensions unspecified
    Types types;
    const char* message;
};

const Huge kHuge[] = {
        {"Tile", OperationType::TILE, Tensors{floats({2}, {1, 2}), ints({1}, {INT32_MAX})},
         Types{TENSOR_FLOAT32, TENSOR_INT32},
         "main.operations[0] TILE: the execution needs more memory than the 1048576 bytes allowed "
         "[limits.peak_bytes]"},
        {"Pad", OperationType::PAD, Tensors{floats({2}, {1, 2}), ints({1, 2}, {INT32_MAX, 0})},
         Types{TENSOR_FLOAT32, TENSOR_INT32},
         "main.operations[0] PAD: the execution needs more memory than the 1048576 bytes allowed "
         "[limits.peak_bytes]"},
        {"Maximum", OperationType::MAXIMUM,
         Tensors{floats({512, 1}, std::vector<float>(512)),
                 floats({1, 513}, std::vector<float>(513))},
         Types{TENSOR_FLOAT32, TENSOR_FLOAT32},
         "main.operations[0] MAXIMUM: the execution needs more memory than the 1048576 bytes "
         "allowed [limits.peak_bytes]"},
};

TEST(Limits, HugeOutputs) {
    for (const Huge& row : kHuge) {
        SCOPED_TRACE(row.name);
        MainGraph main;
        std::vector<uint32_t> operands;
        for (size_t i = 0; i < row.inputs.size(); ++i) {
            operands.push_back(main.input(
                    row.types[i], std::vector<uint32_t>(row.inputs[i].dimensions.size(), 0)));
        }
        main.add(row.type, operands, {main.output(row.types[0], {})});
        const Model model = main.build();
        const PreparedModel prepared = prepare(model, {.limits = {.peakBytes = 1 << 20}}).value();
        EXPECT_THAT(prepared.run(row.inputs), Fails(kExhausted, row.message));
    }
}

// Outputs that are known to be too large, and sizes that overflow.
TEST(Limits, HugeDeclaredOutputs) {
    MainGraph main;
    const auto x = main.input(TENSOR_FLOAT32, {1, 1});
    const auto times = main.constant<int32_t>(TENSOR_INT32, {2}, {INT32_MAX, INT32_MAX});
    main.add(OperationType::TILE, {x, times},
             {main.output(TENSOR_FLOAT32, {INT32_MAX, INT32_MAX})});
    const Model model = main.build();
    const PreparedModel prepared = prepare(model).value();
    const Tensor inputs[] = {floats({1, 1}, {1})};
    EXPECT_THAT(prepared.run(inputs),
                Fails(kExhausted,
                      "main.operations[0] TILE: the execution needs more memory than the "
                      "4294967296 bytes allowed [limits.peak_bytes]"));
}

// ---- observers

TEST(Observer, SeesEachOperationWithWhatItComputed) {
    Model model;
    Graph branch(model);
    const auto value = branch.input(TENSOR_INT32, {0});
    const auto branchNone = branch.scalar(0);
    branch.add(ADD, {value, value, branchNone}, {branch.output(TENSOR_INT32, {0})});
    model.referenced = {std::move(branch.graph)};
    Graph main(model);
    const auto x = main.input(TENSOR_INT32, {2});
    const auto same = main.temporary(TENSOR_BOOL8, {1});
    const auto one = main.constant<int32_t>(TENSOR_INT32, {1}, {1});
    const auto doubled = main.temporary(TENSOR_INT32, {0});
    const auto graph = main.subgraph(0);
    const auto none = main.scalar(0);
    main.add(EQUAL, {one, one}, {same});
    main.add(OperationType::IF, {same, graph, graph, x}, {doubled});
    main.add(ADD, {doubled, one, none}, {main.output(TENSOR_INT32, {0})});
    model.main = std::move(main.graph);

    std::vector<std::string> seen;
    const ExecuteOptions options{.observer = [&](const ComputedOperation& computed) {
        for (const auto& output : computed.outputs) {
            std::string bytes;
            for (const uint8_t byte : output.data) bytes += fmt::format(" {}", byte);
            seen.push_back(fmt::format("{} {} {}/{}: operand {} {} [{}]{}", computed.path,
                                       computed.name, computed.graph, computed.operation,
                                       output.operand, toString(output.type),
                                       fmt::join(output.dimensions, ", "), bytes));
        }
    }};
    const PreparedModel prepared = prepare(model).value();
    const Tensor inputs[] = {ints({2}, {3, 4})};
    const std::vector<std::string> expected = {
            "main.operations[0] EQUAL 0/0: operand 1 TENSOR_BOOL8 [1] 1",
            "referenced[0].operations[0] ADD 1/0: operand 2 TENSOR_INT32 [2] 6 0 0 0 8 0 0 0",
            "main.operations[1] IF 0/1: operand 3 TENSOR_INT32 [2] 6 0 0 0 8 0 0 0",
            "main.operations[2] ADD 0/2: operand 6 TENSOR_INT32 [2] 7 0 0 0 9 0 0 0",
    };
    ASSERT_THAT(prepared.run(inputs, options), Succeeds());
    EXPECT_EQ(seen, expected);
    ASSERT_THAT(prepared.run(inputs), Succeeds());
    EXPECT_EQ(seen, expected);
}

}  // namespace
}  // namespace nn::limits_test
