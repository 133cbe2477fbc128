// IF and WHILE: values by reference, loops whose values change size, limits.
#include "interpreter/builder.h"

namespace nn::control_flow_test {
namespace {

using namespace std::chrono_literals;

constexpr auto ADD = OperationType::ADD;
constexpr auto MUL = OperationType::MUL;
constexpr auto LESS = OperationType::LESS;
constexpr auto EQUAL = OperationType::EQUAL;
constexpr auto CONCATENATION = OperationType::CONCATENATION;
constexpr auto IF = OperationType::IF;
constexpr auto WHILE = OperationType::WHILE;

constexpr auto kLate = ErrorStatus::MISSED_DEADLINE_TRANSIENT;
constexpr auto kFailure = ErrorStatus::GENERAL_FAILURE;
constexpr auto kExhausted = ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT;

using Dims = std::vector<uint32_t>;

// y = op(x, x)
Model::Subgraph twice(Model& model, OperationType op, Dims in, Dims out) {
    Graph graph(model);
    const auto x = graph.input(TENSOR_FLOAT32, std::move(in));
    graph.add(op, {x, x, graph.scalar(0)}, {graph.output(TENSOR_FLOAT32, std::move(out))});
    return std::move(graph.graph);
}

// condition ? x + x : x * x
Model choice(const Dims& dimensions) {
    Model model;
    model.referenced = {twice(model, ADD, dimensions, dimensions),
                        twice(model, MUL, dimensions, dimensions)};
    Graph main(model);
    const auto condition = main.input(TENSOR_BOOL8, {1});
    const auto x = main.input(TENSOR_FLOAT32, dimensions);
    main.add(IF, {condition, main.subgraph(0), main.subgraph(1), x},
             {main.output(TENSOR_FLOAT32, dimensions)});
    model.main = std::move(main.graph);
    return model;
}

TEST(If, RunsTheChosenBranch) {
    for (const Dims& dimensions : {Dims{2}, Dims{0}, Dims{}}) {
        const Model model = choice(dimensions);
        const Tensor x = floats({2}, {3, -4});
        expectRuns(model, {bools({1}, {1}), x}, {floats({2}, {6, -8})});
        expectRuns(model, {bools({1}, {255}), x}, {floats({2}, {6, -8})});
        expectRuns(model, {bools({1}, {0}), x}, {floats({2}, {9, 16})});
    }
}

// What comes out of an IF goes on, from memory that was planned and from memory that was not.
TEST(If, ResultsAreReadAgain) {
    for (const Dims& dimensions : {Dims{2}, Dims{0}}) {
        Model model = choice(dimensions);
        Graph main(model);
        const auto condition = main.input(TENSOR_BOOL8, {1});
        const auto x = main.input(TENSOR_FLOAT32, dimensions);
        const auto first = main.temporary(TENSOR_FLOAT32, dimensions);
        const auto second = main.temporary(TENSOR_FLOAT32, dimensions);
        const auto thenGraph = main.subgraph(0);
        const auto elseGraph = main.subgraph(1);
        main.add(IF, {condition, thenGraph, elseGraph, x}, {first});
        main.add(IF, {condition, elseGraph, thenGraph, first}, {second});
        main.add(ADD, {first, second, main.scalar(0)}, {main.output(TENSOR_FLOAT32, dimensions)});
        model.main = std::move(main.graph);
        // 2x + (2x)^2, x^2 + 2x^2
        expectRuns(model, {bools({1}, {1}), floats({2}, {1, 3})}, {floats({2}, {6, 42})});
        expectRuns(model, {bools({1}, {0}), floats({2}, {1, 3})}, {floats({2}, {3, 27})});
    }
}

TEST(If, OutputThatIsTooSmall) {
    const Result<PreparedModel> prepared = prepare(choice({0}));
    ASSERT_THAT(prepared, Succeeds());
    std::vector<uint8_t> condition = {1};
    std::vector<float> x = {1, 2};
    std::vector<float> y = {7};
    const ExecutionResult result = prepared->execute(
            {.inputs = {pointerTo(condition), pointerTo(x, {2})}, .outputs = {pointerTo(y)}});
    EXPECT_THAT(result, Fails(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE,
                              "outputs[0]: has 4 bytes, needed 8 for dimensions [2] "
                              "[request.output_size]"));
    EXPECT_EQ(result.outputShapes, (std::vector<OutputShape>{{{2}, false}}));
}

TEST(If, ValueThatTheBranchDoesNotTake) {
    Model model = choice({0});
    for (Model::Subgraph& branch : model.referenced) {
        branch.operands[branch.inputIndexes[0]].dimensions = {3};
    }
    const Result<PreparedModel> prepared = prepare(model);
    ASSERT_THAT(prepared, Succeeds());
    const Tensor inputs[] = {bools({1}, {1}), floats({2}, {1, 2})};
    EXPECT_THAT(prepared->run(inputs),
                Fails(kFailure,
                      "referenced[0].operands[0]: the value has dimensions [2], allowed [3] "
                      "[interpreter.dimensions]"));
}

TEST(If, FailureInsideABranch) {
    Model model = choice({0});
    model.referenced[0] = twice(model, CONCATENATION, {0}, {0});
    Graph wrong(model);
    const auto x = wrong.input(TENSOR_FLOAT32, {0});
    const auto y = wrong.constant<float>(TENSOR_FLOAT32, {3}, {1, 2, 3});
    wrong.add(ADD, {x, y, wrong.scalar(0)}, {wrong.output(TENSOR_FLOAT32, {0})});
    model.referenced[1] = std::move(wrong.graph);
    const Result<PreparedModel> prepared = prepare(model);
    ASSERT_THAT(prepared, Succeeds());
    const Tensor inputs[] = {bools({1}, {0}), floats({2}, {1, 2})};
    const Result<std::vector<Tensor>> result = prepared->run(inputs);
    EXPECT_THAT(result,
                Fails(kFailure,
                      "referenced[1].operations[0] ADD: dimension 1 from the end is 2 in input 0 "
                      "'input0' (operand 0) and 3 in input 1 'input1' (operand 1), allowed equal "
                      "or 1 [arithmetic.shapes]"));
}

TEST(If, OmittedValueIsRefused) {
    const Result<PreparedModel> prepared = prepare(choice({2}));
    ASSERT_THAT(prepared, Succeeds());
    const Tensor inputs[] = {bools({1}, {0}), Tensor{.hasNoValue = true}};
    EXPECT_THAT(prepared->run(inputs),
                Fails(ErrorStatus::INVALID_ARGUMENT,
                      "inputs[1]: has no value, but main.operations[0] IF needs one "
                      "[interpreter.omitted]"));
}

// while (counter < limit) { ++counter; value = step(value, value) }
Model countedLoop(OperationType step, const Dims& dimensions, int32_t limit) {
    Model model;
    Graph condition(model);
    {
        const auto counter = condition.input(TENSOR_INT32, {1});
        condition.input(TENSOR_FLOAT32, dimensions);
        const auto most = condition.constant<int32_t>(TENSOR_INT32, {1}, {limit});
        condition.add(LESS, {counter, most}, {condition.output(TENSOR_BOOL8, {1})});
    }
    Graph body(model);
    {
        const auto counter = body.input(TENSOR_INT32, {1});
        const auto value = body.input(TENSOR_FLOAT32, dimensions);
        const auto one = body.constant<int32_t>(TENSOR_INT32, {1}, {1});
        body.add(ADD, {counter, one, body.scalar(0)}, {body.output(TENSOR_INT32, {1})});
        body.add(step, {value, value, body.scalar(0)}, {body.output(TENSOR_FLOAT32, dimensions)});
    }
    model.referenced = {std::move(condition.graph), std::move(body.graph)};
    Graph main(model);
    const auto counter = main.input(TENSOR_INT32, {1});
    const auto value = main.input(TENSOR_FLOAT32, dimensions);
    const auto conditionGraph = main.subgraph(0);
    const auto bodyGraph = main.subgraph(1);
    main.add(WHILE, {conditionGraph, bodyGraph, counter, value},
             {main.output(TENSOR_INT32, {1}), main.output(TENSOR_FLOAT32, dimensions)});
    model.main = std::move(main.graph);
    return model;
}

TEST(While, RunsUntilTheConditionFails) {
    for (const Dims& dimensions : {Dims{2}, Dims{0}, Dims{}}) {
        const Model model = countedLoop(ADD, dimensions, 5);
        const Tensor x = floats({2}, {1, -3});
        expectRuns(model, {ints({1}, {0}), x}, {ints({1}, {5}), floats({2}, {32, -96})});
        expectRuns(model, {ints({1}, {4}), x}, {ints({1}, {5}), floats({2}, {2, -6})});
    }
}

TEST(While, WithoutAnyIterationGivesTheInitialValues) {
    for (const Dims& dimensions : {Dims{2}, Dims{0}, Dims{}}) {
        const Tensor x = floats({2}, {1, -3});
        expectRuns(countedLoop(ADD, dimensions, 5), {ints({1}, {7}), x}, {ints({1}, {7}), x});
    }
}

TEST(While, ValuesMayGrow) {
    const Model model = countedLoop(CONCATENATION, {0}, 3);
    expectRuns(model, {ints({1}, {1}), floats({2}, {1, 2})},
               {ints({1}, {3}), floats({8}, {1, 2, 1, 2, 1, 2, 1, 2})});
}

TEST(While, OutputMayHaveALargerBuffer) {
    const Result<PreparedModel> prepared = prepare(countedLoop(ADD, {0}, 2));
    ASSERT_THAT(prepared, Succeeds());
    std::vector<int32_t> counter = {1}, count(1);
    std::vector<float> x = {1, -3}, y(4, 7);
    const ExecutionResult result =
            prepared->execute({.inputs = {pointerTo(counter), pointerTo(x, {2})},
                               .outputs = {pointerTo(count), pointerTo(y)}});
    ASSERT_THAT(result, Succeeds());
    EXPECT_EQ(y, (std::vector<float>{2, -6, 7, 7}));
    EXPECT_EQ(result.outputShapes, (std::vector<OutputShape>{{{1}, true}, {{2}, true}}));
}

TEST(While, EndsWithItsTime) {
    Model model = countedLoop(ADD, {2}, 5);
    Graph condition(model);  // equal to itself, for ever
    const auto counter = condition.input(TENSOR_INT32, {1});
    condition.input(TENSOR_FLOAT32, {2});
    condition.add(EQUAL, {counter, counter}, {condition.output(TENSOR_BOOL8, {1})});
    model.referenced[0] = std::move(condition.graph);
    const Result<PreparedModel> prepared = prepare(model);
    ASSERT_THAT(prepared, Succeeds());
    const Tensor inputs[] = {ints({1}, {0}), floats({2}, {1, 2})};
    EXPECT_THAT(prepared->run(inputs, {.loopTimeout = 1ms}),
                Fails(kLate,
                      "main.operations[0] WHILE: still goes on after 1 ms "
                      "[interpreter.loop_timeout]"));
    EXPECT_THAT(prepared->run(inputs, {.loopTimeout = -1ms}),
                Fails(kLate,
                      "main.operations[0] WHILE: still goes on after 0 ms "
                      "[interpreter.loop_timeout]"));
    const Result<std::vector<Tensor>> late =
            prepared->run(inputs, {.deadline = Clock::now() + 10ms, .loopTimeout = 10s});
    EXPECT_EQ(errorStatus(late.status()), kLate);
    EXPECT_THAT(std::string(late.status().message()),
                testing::EndsWith("the deadline passed before it [interpreter.deadline]"));
}

// while (i < 3) { ++i; value = while (j < 2) { ++j; value += value } with j = 0 }
TEST(While, InsideAWhile) {
    Model model = countedLoop(ADD, {2}, 2);
    Model outer = countedLoop(ADD, {2}, 3);  // for its condition
    model.referenced.push_back(outer.referenced[0]);
    Operand& limit = model.referenced[2].operands[2];
    const int32_t three = 3;
    limit.location = *model.operandValues.append(&three, sizeof(three));

    Graph body(model);
    const auto counter = body.input(TENSOR_INT32, {1});
    const auto value = body.input(TENSOR_FLOAT32, {2});
    const auto one = body.constant<int32_t>(TENSOR_INT32, {1}, {1});
    const auto zero = body.constant<int32_t>(TENSOR_INT32, {1}, {0});
    const auto conditionGraph = body.subgraph(0);
    const auto bodyGraph = body.subgraph(1);
    body.add(ADD, {counter, one, body.scalar(0)}, {body.output(TENSOR_INT32, {1})});
    body.add(WHILE, {conditionGraph, bodyGraph, zero, value},
             {body.temporary(TENSOR_INT32, {1}), body.output(TENSOR_FLOAT32, {2})});
    model.referenced.push_back(std::move(body.graph));
    model.main.operands[2].location.offset = 2;
    model.main.operands[3].location.offset = 3;
    expectRuns(model, {ints({1}, {0}), floats({2}, {1, -1})},
               {ints({1}, {3}), floats({2}, {64, -64})});
    expectRuns(model, {ints({1}, {3}), floats({2}, {1, -1})},
               {ints({1}, {3}), floats({2}, {1, -1})});
}

// The body chooses: the value is squared while it stands at that, else doubled.
TEST(While, AnIfInside) {
    Model model = countedLoop(ADD, {2}, 3);
    model.referenced.push_back(twice(model, ADD, {2}, {2}));
    model.referenced.push_back(twice(model, MUL, {2}, {2}));
    Graph body(model);
    const auto counter = body.input(TENSOR_INT32, {1});
    const auto value = body.input(TENSOR_FLOAT32, {2});
    const auto one = body.constant<int32_t>(TENSOR_INT32, {1}, {1});
    const auto isEarly = body.temporary(TENSOR_BOOL8, {1});
    const auto thenGraph = body.subgraph(2);
    const auto elseGraph = body.subgraph(3);
    body.add(LESS, {counter, one}, {isEarly});
    body.add(ADD, {counter, one, body.scalar(0)}, {body.output(TENSOR_INT32, {1})});
    body.add(IF, {isEarly, thenGraph, elseGraph, value}, {body.output(TENSOR_FLOAT32, {2})});
    model.referenced[1] = std::move(body.graph);
    // ((2x)^2)^2
    expectRuns(model, {ints({1}, {0}), floats({2}, {1, -2})},
               {ints({1}, {3}), floats({2}, {16, 256})});
}

// referenced[i] is an IF whose branches are both referenced[i + 1].
Model nested(uint32_t depth) {
    Model model;
    for (uint32_t i = 0; i <= depth; ++i) {
        Graph graph(model);
        const auto condition = graph.input(TENSOR_BOOL8, {1});
        const auto x = graph.input(TENSOR_FLOAT32, {1});
        const auto y = graph.output(TENSOR_FLOAT32, {1});
        if (i == depth) {
            graph.add(ADD, {x, x, graph.scalar(0)}, {y});
        } else {
            const auto inner = graph.subgraph(i);  // one less: main stands in front
            graph.add(IF, {condition, inner, inner, condition, x}, {y});
        }
        if (i == 0) {
            model.main = std::move(graph.graph);
        } else {
            model.referenced.push_back(std::move(graph.graph));
        }
    }
    return model;
}

TEST(If, NestsAsDeepAsAllowed) {
    expectRuns(nested(63), {bools({1}, {1}), floats({1}, {2})}, {floats({1}, {4})});
    EXPECT_THAT(prepare(nested(64)),
                Fails(kExhausted,
                      "main: has 65 graphs inside each other, allowed 64 [limits.nesting]"));
    EXPECT_THAT(prepare(nested(20000)),
                Fails(kExhausted,
                      "main: has 20001 graphs inside each other, allowed 64 [limits.nesting]"));
}

}  // namespace
}  // namespace nn::control_flow_test
