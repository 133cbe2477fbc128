// Failing cases with IF and WHILE become the smallest ones that fail.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device_test/bugs/bugs.h"
#include "device_test/cases/models.h"
#include "device_test/shrink_cases.h"
#include "nnapi/device_test/shrink.h"

namespace nn::shrink_test {
namespace {

using nn::SubgraphBuilder;
using nn::testing::CaseSize;
using nn::testing::floatTensor;
using nn::testing::ramp;
using nn::testing::shrink;
using nn::testing::Shrunk;
using nn::testing::sizeOf;
using nn::testing::tensorOf;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using enum OperandType;
using enum OperationType;

Operand truth() { return {.type = TENSOR_BOOL8, .dimensions = {1}}; }
Operand counter() { return {.type = TENSOR_INT32, .dimensions = {1}}; }

uint32_t keep(Model& model, SubgraphBuilder&& graph) {
    model.referenced.push_back(std::move(graph.graph));
    return static_cast<uint32_t>(model.referenced.size() - 1);
}

bool hasOperation(const Model::Subgraph& graph, OperationType type) {
    return std::ranges::count(graph.operations, type, &Operation::type) != 0;
}
bool hasAnywhere(const Model& model, OperationType type) {
    return hasOperation(model.main, type) ||
           std::ranges::any_of(model.referenced,
                               [type](const auto& graph) { return hasOperation(graph, type); });
}

// Two results: -x, and |-x| plus a number that IFs inside of each other choose.
void fillChoice(Model& model, SubgraphBuilder& graph, size_t depth, float& number) {
    constexpr size_t kConditions = 3;
    const Operand tensor = floatTensor({2, 3});
    std::vector<uint32_t> conditions;
    for (size_t i = 0; i < kConditions; ++i) conditions.push_back(graph.input(truth()));
    const uint32_t x = graph.input(tensor), negative = graph.output(tensor);
    const uint32_t positive = graph.temporary(tensor), result = graph.output(tensor);
    graph.add(NEG, {x}, {negative});
    graph.add(ABS, {negative}, {positive});
    if (depth == 0) {
        const uint32_t added = graph.constant<float>(floatTensor({1}), {number++});
        graph.add(ADD, {positive, added, graph.scalar(0)}, {result});
        return;
    }
    std::vector<uint32_t> inputs{conditions[depth - 1]};
    for (int i = 0; i < 2; ++i) {
        SubgraphBuilder branch(model);
        fillChoice(model, branch, depth - 1, number);
        inputs.push_back(graph.subgraph(keep(model, std::move(branch))));
    }
    inputs.insert(inputs.end(), conditions.begin(), conditions.end());
    inputs.push_back(positive);
    graph.add(IF, std::move(inputs), {graph.temporary(tensor), result});
}

TestCase nestedChoice() {
    Model model;
    SubgraphBuilder graph(model);
    float number = 1;
    fillChoice(model, graph, 3, number);
    model.main = std::move(graph.graph);
    const Tensor yes = tensorOf<uint8_t>({1}, {1}), no = tensorOf<uint8_t>({1}, {0});
    return caseOf(std::move(model), {yes, no, yes, tensorOf({2, 3}, ramp(6, -2, 1))});
}

// An IF inside of a branch needs both, and two leaves that differ.
TEST(ShrinkGraphs, LeavesOneIfInsideOfAnother) {
    const TestCase whole = nestedChoice();
    EXPECT_EQ(sizeOf(whole).operations, 7u * 3 + 8 * 3);
    const SharedDevice device = bugs::openDevice(bugs::Bug::nested_ifs_swapped).value();
    const Shrunk small = shrink(whole, [&](const TestCase& candidate) {
        return outcomeOf(device, candidate, "sync").place == "results";
    });
    EXPECT_TRUE(small.isFinished);
    const Model& model = small.testCase.model;
    EXPECT_THAT(operationsOf(small.testCase), ElementsAre(IF));
    ASSERT_EQ(model.referenced.size(), 3u);
    // Each graph has one result, so one operation.
    EXPECT_EQ(sizeOf(small.testCase).operations, 4u);
    EXPECT_EQ(small.testCase.outputs.size(), 1u);
    EXPECT_THAT(small.testCase.outputs[0].value.dimensions, ElementsAre(1));
    EXPECT_LE(small.testCase.inputs.size(), 3u);
}

// i = 0; while (i < 3) { i = i + 1; x = x * y; }, then x - y.
TestCase loopAndSum() {
    Model model;
    const Operand tensor = floatTensor({4});
    SubgraphBuilder condition(model);
    const uint32_t tested = condition.input(counter());
    condition.input(tensor);
    condition.input(tensor);
    condition.add(LESS, {tested, condition.constant<int32_t>(counter(), {3})},
                  {condition.output(truth())});
    SubgraphBuilder body(model);
    const uint32_t i = body.input(counter()), x = body.input(tensor), y = body.input(tensor);
    const uint32_t none = body.scalar(0);
    body.add(ADD, {i, body.constant<int32_t>(counter(), {1}), none}, {body.output(counter())});
    body.add(MUL, {x, y, none}, {body.output(tensor)});
    SubgraphBuilder graph(model);
    const uint32_t first = graph.input(tensor), second = graph.input(tensor);
    const uint32_t product = graph.temporary(tensor);
    const uint32_t tests = graph.subgraph(keep(model, std::move(condition)));
    const uint32_t steps = graph.subgraph(keep(model, std::move(body)));
    graph.add(WHILE, {tests, steps, graph.constant<int32_t>(counter(), {0}), first, second},
              {graph.temporary(counter()), product});
    graph.add(SUB, {product, second, graph.scalar(0)}, {graph.output(tensor)});
    model.main = std::move(graph.graph);
    return caseOf(std::move(model), {tensorOf({4}, ramp(4, 1, 1)), tensorOf({4}, ramp(4, 2, 1))});
}

TEST(ShrinkGraphs, EntersTheGraphOfAnIf) {
    Model model;
    for (const OperationType type : {NEG, ABS}) {
        SubgraphBuilder branch(model);
        const uint32_t in = branch.input(floatTensor({3}));
        branch.add(type, {in}, {branch.output(floatTensor({3}))});
        keep(model, std::move(branch));
    }
    SubgraphBuilder graph(model);
    const uint32_t condition = graph.input(truth()), x = graph.input(floatTensor({3}));
    const uint32_t yes = graph.subgraph(0), no = graph.subgraph(1);
    graph.add(IF, {condition, yes, no, x}, {graph.output(floatTensor({3}))});
    model.main = std::move(graph.graph);
    const TestCase whole =
            caseOf(std::move(model), {tensorOf<uint8_t>({1}, {0}), tensorOf({3}, ramp(3, -2, 1))});
    const Shrunk small = shrink(whole, [](const TestCase& c) { return hasAnywhere(c.model, ABS); });
    EXPECT_THAT(operationsOf(small.testCase), ElementsAre(ABS));
    EXPECT_THAT(small.testCase.model.referenced, IsEmpty());
    EXPECT_EQ(sizeOf(small.testCase), (CaseSize{1, 2}));
}

// The body takes the place of the loop.
TEST(ShrinkGraphs, UnrollsALoopOnce) {
    const Shrunk small = shrink(loopAndSum(), [](const TestCase& c) {
        return hasOperation(c.model.main, SUB) && hasAnywhere(c.model, MUL);
    });
    EXPECT_THAT(operationsOf(small.testCase), ElementsAre(MUL, SUB));
    EXPECT_THAT(small.testCase.model.referenced, IsEmpty());
}

// The counter is the only value that remains; each graph computes one result.
TEST(ShrinkGraphs, DropsTheValuesOfALoop) {
    const Shrunk small = shrink(
            loopAndSum(), [](const TestCase& c) { return hasOperation(c.model.main, WHILE); });
    const Model& model = small.testCase.model;
    EXPECT_THAT(operationsOf(small.testCase), ElementsAre(WHILE));
    EXPECT_EQ(sizeOf(small.testCase).operations, 3u);
    EXPECT_EQ(model.main.operations[0].outputs.size(), 1u);
    EXPECT_EQ(model.main.operations[0].inputs.size(), 3u);
}

// One branch for both conditions, without the operations around.
TEST(ShrinkGraphs, TakesOneBranchForBothConditions) {
    const Shrunk small = shrink(nestedChoice(),
                                [](const TestCase& c) { return hasOperation(c.model.main, IF); });
    EXPECT_EQ(sizeOf(small.testCase).operations, 2u);
    EXPECT_EQ(small.testCase.model.referenced.size(), 1u);
}

}  // namespace
}  // namespace nn::shrink_test
