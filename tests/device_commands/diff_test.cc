// Finds the first operation whose results differ from the reference, with few preparations, also if
// the device supports only parts or fuses operations.
#include "tools/nnapi-device/diff/device.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "device_commands/hooked_device.h"
#include "interpreter/builder.h"

namespace nn::device_commands_diff_test {
namespace {

using cli::Side;
using cli::Verdict;
using device_commands_test::hooked;
using device_commands_test::Hooks;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// relu(x), tanh of that, its double, logistic of that, and the sum of the last two.
Side chain() {
    Model model;
    Graph main(model);
    const auto tensor = [&] { return main.temporary(TENSOR_FLOAT32, {3}); };
    const uint32_t x = main.input(TENSOR_FLOAT32, {3});
    const uint32_t a = tensor(), b = tensor(), c = tensor(), d = tensor();
    const uint32_t none = main.scalar(0);
    const uint32_t y = main.output(TENSOR_FLOAT32, {3});
    main.add(OperationType::RELU, {x}, {a});
    main.add(OperationType::TANH, {a}, {b});
    main.add(OperationType::ADD, {b, b, none}, {c});
    main.add(OperationType::LOGISTIC, {c}, {d});
    main.add(OperationType::MUL, {c, d, none}, {y});
    model.main = main.graph;
    const std::vector<float> values = {-1, 0.5f, 2};
    Tensor input{.dimensions = {3}};
    input.data.resize(12);
    std::memcpy(input.data.data(), values.data(), 12);
    return {.model = model, .inputs = {.values = {input}}, .name = {"chain"}};
}

bool has(const Model& model, OperationType type) {
    return std::ranges::count(model.main.operations, type, &Operation::type) != 0;
}

// Replaces the operations of a type.
std::function<void(Model&)> replace(OperationType of, OperationType other) {
    return [=](Model& model) {
        for (Operation& operation : model.main.operations) {
            if (operation.type == of) operation.type = other;
        }
    };
}

Verdict compare(Hooks hooks, const Side& side = chain(), const cli::Options& options = {}) {
    return cli::compareWithDevice(side, options, hooked(std::move(hooks)));
}

TEST(DiffDevice, AgreesWithTheReference) {
    const Verdict verdict = compare({});
    EXPECT_TRUE(verdict.same());
    EXPECT_EQ(verdict.operations, 5u);
    EXPECT_THAT(verdict.device->left, IsEmpty());
    EXPECT_EQ(verdict.device->preparations, 2u) << "all values, and the model as it is";
}

TEST(DiffDevice, NamesTheFirstOperation) {
    struct Row {
        OperationType of, other;
        const char* place;
        uint32_t operand;
    };
    const Row kRows[] = {
            {OperationType::RELU, OperationType::ABS, "main.operations[0] RELU", 1},
            {OperationType::TANH, OperationType::LOGISTIC, "main.operations[1] TANH", 2},
            {OperationType::LOGISTIC, OperationType::TANH, "main.operations[3] LOGISTIC", 4},
            {OperationType::MUL, OperationType::SUB, "main.operations[4] MUL", 6},
    };
    for (const Row& row : kRows) {
        const Verdict verdict = compare({.change = replace(row.of, row.other)});
        ASSERT_TRUE(verdict.first) << row.place;
        EXPECT_EQ(verdict.first->step.place, row.place);
        EXPECT_EQ(verdict.first->step.outputs[0].operand, row.operand);
        EXPECT_EQ(verdict.first->output, 0u);
        EXPECT_TRUE(verdict.first->comparison.first) << "the element with both values";
        EXPECT_GT(verdict.first->tolerance.absolute, 0);
        EXPECT_EQ(verdict.device->alone, true) << row.place;
        EXPECT_FALSE(verdict.device->fused);
        EXPECT_EQ(verdict.device->preparations, 2u) << "all values, and the one alone";
    }
}

// The test case of the single operation shows the difference on the device, and none on the
// reference.
TEST(DiffDevice, GivesATestCaseOfTheOperation) {
    const Hooks hooks{.change = replace(OperationType::TANH, OperationType::LOGISTIC)};
    const Verdict verdict = compare(hooks);
    ASSERT_EQ(verdict.device->examples.size(), 1u);
    const TestCase& example = verdict.device->examples[0];
    EXPECT_EQ(example.name, "chain_operation_1");
    ASSERT_EQ(example.model.main.operations.size(), 1u);
    EXPECT_EQ(example.model.main.operations[0].type, OperationType::TANH);
    const Side alone{.model = example.model, .inputs = {example.inputs}, .name = {example.name}};
    EXPECT_TRUE(compare(hooks, alone).first);
    EXPECT_TRUE(compare({}, alone).same());
}

// Unsupported operations are reported, and those around them are compared on the values of the
// reference.
TEST(DiffDevice, SkipsUnsupportedOperations) {
    const auto noTanh = [](const Operation& o) { return o.type != OperationType::TANH; };
    const Verdict good = compare({.supports = noTanh});
    EXPECT_TRUE(good.same());
    EXPECT_EQ(good.operations, 4u);
    EXPECT_THAT(good.device->left,
                ElementsAre("main.operations[1] TANH: the device does not support it"));
    EXPECT_EQ(good.device->preparations, 1u);

    const Verdict bad = compare(
            {.change = replace(OperationType::LOGISTIC, OperationType::TANH), .supports = noTanh});
    EXPECT_EQ(bad.first->step.place, "main.operations[3] LOGISTIC");
    EXPECT_EQ(bad.operations, 2u);

    const Verdict none = compare({.supports = [](const Operation&) { return false; }});
    EXPECT_FALSE(none.same());
    EXPECT_EQ(none.diagnostics.at(0).message, "the device supports none of the operations");
}

// Down to parts that the device prepares; an operation that it never prepares is a difference.
TEST(DiffDevice, HalvesModelsThatAreNotPrepared) {
    const auto many = [](const Model& m) { return m.main.operations.size() > 2; };
    const Verdict parts = compare(
            {.change = replace(OperationType::LOGISTIC, OperationType::TANH), .refuses = many});
    EXPECT_EQ(parts.first->step.place, "main.operations[3] LOGISTIC");
    EXPECT_EQ(parts.operations, 3u);
    EXPECT_LE(parts.device->preparations, 6u);

    const auto tanh = [](const Model& m) { return has(m, OperationType::TANH); };
    const Verdict refused = compare({.refuses = tanh});
    EXPECT_EQ(refused.first->step.place, "main.operations[1] TANH");
    EXPECT_THAT(refused.first->message,
                HasSubstr("prepareModel: GENERAL_FAILURE: too much for this device"));
    EXPECT_EQ(refused.operations, 1u);
}

// The device is wrong only if it may fuse two operations: no value between them is an output.
TEST(DiffDevice, FindsErrorsOfFusedOperations) {
    const auto join = [](Model& model) {
        for (Operation& operation : model.main.operations) {
            if (operation.type != OperationType::LOGISTIC) continue;
            const Operand& in = model.main.operands[operation.inputs[0]];
            if (in.lifetime == Operand::LifeTime::TEMPORARY_VARIABLE) {
                operation.type = OperationType::TANH;
            }
        }
    };
    // c is read twice, so that a beginning without its second reader has it as an output.
    Side side = chain();
    side.model.main.operations[4].inputs[0] = side.model.main.operations[4].inputs[1];
    const Verdict verdict = compare({.change = join}, side);
    ASSERT_TRUE(verdict.first);
    EXPECT_TRUE(verdict.device->fused);
    EXPECT_EQ(verdict.first->step.place, "main.operations[3] LOGISTIC");
    EXPECT_EQ(verdict.operations, 3u);
    EXPECT_LE(verdict.device->preparations, 5u);
    ASSERT_EQ(verdict.device->examples.size(), 1u);
    EXPECT_EQ(verdict.device->examples[0].model.main.operations.size(), 4u);
}

// Differences too small for each operation, which add up: executed separately the operation agrees.
TEST(DiffDevice, ReportsErrorsThatAddUp) {
    Model model;
    Graph main(model);
    const uint32_t x = main.input(TENSOR_FLOAT32, {1});
    uint32_t last = x;
    for (int i = 0; i < 6; ++i) {
        const uint32_t next =
                i == 5 ? main.output(TENSOR_FLOAT32, {1}) : main.temporary(TENSOR_FLOAT32, {1});
        const uint32_t zero = main.constant<float>(TENSOR_FLOAT32, {1}, {0});
        const uint32_t none = main.scalar(0);
        main.add(OperationType::ADD, {last, zero, none}, {next});
        last = next;
    }
    model.main = main.graph;
    Tensor input{.dimensions = {1}, .data = {0, 0, 0, 0}};
    const Side side{.model = model, .inputs = {.values = {input}}, .name = {"sum"}};
    // Each addition of 0 adds 4e-6, where 1e-5 is allowed.
    const auto drift = [](Model& changed) {
        Model::Subgraph& graph = changed.main;
        for (const Operation& operation : graph.operations) {
            Operand& zero = graph.operands[operation.inputs[1]];
            const float little = 4e-6f;
            zero.location = changed.operandValues.append(&little, sizeof(little)).value();
        }
    };
    cli::Options written;
    written.out = "wrong.jsonl";
    const Verdict verdict = compare({.change = drift}, side, written);
    ASSERT_TRUE(verdict.first);
    EXPECT_EQ(verdict.first->step.place, "main.operations[2] ADD");
    EXPECT_EQ(verdict.device->alone, false);
    EXPECT_EQ(verdict.device->byItself, "");
    EXPECT_THAT(verdict.device->examples, IsEmpty());
    EXPECT_THAT(verdict.device->passing, ElementsAre("sum_operation_2"));

    // Executed separately, all agree, and still are off by as much.
    cli::Options each;
    each.each = true;
    const Verdict alone = compare({.change = drift}, side, each);
    EXPECT_TRUE(alone.same());
    EXPECT_EQ(alone.operations, 6u);
    for (const cli::OperationAlone& one : alone.device->each) {
        EXPECT_GT(one.statistics.meanError(), 0) << one.place;
        EXPECT_EQ(one.statistics.share(0), 0) << one.place;
    }

    // The last is another operation, which is wrong without their help.
    Side longer = side;
    longer.model.main.operations.back().type = OperationType::SUB;
    const auto worse = [=](Model& changed) {
        drift(changed);
        for (Operation& operation : changed.main.operations) {
            if (operation.type != OperationType::SUB) continue;
            Operand& zero = changed.main.operands[operation.inputs[1]];
            const float much = 1;
            zero.location = changed.operandValues.append(&much, sizeof(much)).value();
        }
    };
    const Verdict both = compare({.change = worse}, longer);
    EXPECT_EQ(both.first->step.place, "main.operations[2] ADD");
    EXPECT_EQ(both.device->byItself, "main.operations[5] SUB");
    EXPECT_EQ(both.device->examples.at(0).name, "sum_operation_5");
}

// ---- --each

std::vector<std::string> placesThatDiffer(const Verdict& verdict) {
    std::vector<std::string> places;
    for (const cli::OperationAlone& alone : verdict.device->each) {
        if (!alone.difference.empty()) places.push_back(alone.place);
    }
    return places;
}

// An error does not reach later operations, and each that differs becomes a test case.
TEST(DiffDeviceEach, ExecutesEveryOperationSeparately) {
    cli::Options options;
    options.each = true;
    options.out = "wrong.jsonl";
    const auto two = [](Model& model) {
        replace(OperationType::TANH, OperationType::LOGISTIC)(model);
        replace(OperationType::MUL, OperationType::SUB)(model);
    };
    const Verdict verdict = compare({.change = two}, chain(), options);
    EXPECT_FALSE(verdict.same());
    ASSERT_EQ(verdict.device->each.size(), 5u);
    EXPECT_THAT(placesThatDiffer(verdict),
                ElementsAre("main.operations[1] TANH", "main.operations[4] MUL"));
    EXPECT_EQ(verdict.operations, 3u);
    EXPECT_EQ(verdict.device->preparations, 5u);
    const testing::ValueStatistics& relu = verdict.device->each[0].statistics;
    EXPECT_EQ(relu.values(), 3u);
    EXPECT_EQ(relu.share(0), 1);
    EXPECT_LT(verdict.device->each[1].statistics.share(0), 1);
    EXPECT_THAT(verdict.device->each[1].difference, HasSubstr("output 0, element 0: "));
    ASSERT_EQ(verdict.device->examples.size(), 2u);
    EXPECT_EQ(verdict.device->examples[1].name, "chain_operation_4");
    EXPECT_THAT(verdict.device->passing, IsEmpty());

    const auto refuses = [](const Model& m) { return has(m, OperationType::TANH); };
    const auto noMul = [](const Operation& o) { return o.type != OperationType::MUL; };
    const Verdict refused = compare({.supports = noMul, .refuses = refuses}, chain(), options);
    EXPECT_THAT(placesThatDiffer(refused), ElementsAre("main.operations[1] TANH"));
    EXPECT_THAT(refused.device->each[1].difference, HasSubstr("too much for this device"));
    EXPECT_THAT(refused.device->left,
                ElementsAre("main.operations[4] MUL: the device does not support it"));
    EXPECT_EQ(refused.operations, 3u);
}

// Of outputs, until the execution.
TEST(DiffDevice, UnknownDimensions) {
    Side side = chain();
    for (Operand& operand : side.model.main.operands) {
        if (operand.lifetime == Operand::LifeTime::TEMPORARY_VARIABLE ||
            operand.lifetime == Operand::LifeTime::SUBGRAPH_OUTPUT) {
            operand.dimensions = {0};
        }
    }
    EXPECT_TRUE(compare({}, side).same());
    const Verdict verdict =
            compare({.change = replace(OperationType::TANH, OperationType::LOGISTIC)}, side);
    EXPECT_EQ(verdict.first->step.place, "main.operations[1] TANH");
}

}  // namespace
}  // namespace nn::device_commands_diff_test
