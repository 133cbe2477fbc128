// Assignment of operations to devices, and the resulting steps.
#include "runtime/plan_models.h"

#include "nnapi/driver/sample.h"
#include "nnapi/memory.h"
#include "runtime/plan/extract.h"
#include "runtime/plan/partition.h"

namespace nn::runtime::plan_choice_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<std::string> chosen(const Model& model, const std::vector<PlanDevice>& devices,
                                PlanOptions options = withoutFallback()) {
    const auto plan = makePlan(model, devices, options);
    if (!plan.has_value()) return {plan.error().message};
    return devicesOf(**plan);
}

PlanDevice device(std::string name, Capabilities figures, Mask mask = everything(),
                  Version level = kNewestVersion) {
    return {masked({std::move(name), std::move(mask), std::move(figures), level})};
}

TEST(PlanChoice, MinCostOfTheFirstInput) {
    Capabilities figures = capabilities(1.5f);
    figures.operandPerformance.update(TENSOR_QUANT8_ASYMM, {0.1f, 0.1f});
    const std::vector<PlanDevice> devices = {device("quant", figures),
                                             device("fast", capabilities(0.8f)), cpu()};
    EXPECT_THAT(chosen(addition(), devices), ElementsAre("fast"));
    Model quantized;
    Graph main(quantized);
    const auto x = main.input(TENSOR_QUANT8_ASYMM, {2});
    const auto y = main.output(TENSOR_QUANT8_ASYMM, {2});
    main.graph.operands[x].scale = main.graph.operands[y].scale = 1;
    main.add(OperationType::RELU, {x}, {y});
    quantized.main = main.graph;
    EXPECT_THAT(chosen(quantized, devices), ElementsAre("quant"));
}

TEST(PlanChoice, TiesGoToTheCpuElseToTheFirst) {
    EXPECT_THAT(
            chosen(addition(), {device("A", capabilities(1)), device("B", capabilities(1)), cpu()}),
            ElementsAre("nnapi-reference"));
    EXPECT_THAT(chosen(addition(),
                       {device("A", capabilities(1)), device("B", capabilities(1)), cpu(2)}),
                ElementsAre("A"));
}

TEST(PlanChoice, LowPowerLooksAtPower) {
    const std::vector<PlanDevice> devices = {device("fast", capabilities({0.5f, 2.0f})),
                                             device("thrifty", capabilities({2.0f, 0.5f})), cpu()};
    EXPECT_THAT(chosen(addition(), devices), ElementsAre("fast"));
    PlanOptions options = withoutFallback();
    options.preference = ExecutionPreference::LOW_POWER;
    EXPECT_THAT(chosen(addition(), devices, options), ElementsAre("thrifty"));
}

TEST(PlanChoice, RelaxedModelsHaveFiguresOfTheirOwn) {
    Capabilities figures = capabilities(2);
    figures.relaxedFloat32toFloat16PerformanceTensor = {0.5f, 0.5f};
    const std::vector<PlanDevice> devices = {device("half", figures), cpu()};
    Model model = addition();
    EXPECT_THAT(chosen(model, devices), ElementsAre("nnapi-reference"));
    model.relaxComputationFloat32toFloat16 = true;
    EXPECT_THAT(chosen(model, devices), ElementsAre("half"));
}

// The cost of an IF is its own and the mean of both branches.
TEST(PlanChoice, CostOfIf) {
    Capabilities figures = capabilities(1);
    figures.ifPerformance = {1.5f, 1.5f};
    const Model model = choice();
    EXPECT_THAT(chosen(model, {device("A", figures), device("B", capabilities(1.2f)), cpu(9)}),
                ElementsAre("B"));  // 1.5 + 1 against 1.2 + 1.2
    figures.ifPerformance = {1.3f, 1.3f};
    EXPECT_THAT(chosen(model, {device("A", figures), device("B", capabilities(1.2f)), cpu(9)}),
                ElementsAre("A"));
}

// The cost of a WHILE is its own, its condition (1 operation) and its body (2 operations).
TEST(PlanChoice, CostOfWhile) {
    Capabilities figures = capabilities(1);
    figures.whilePerformance = {2.0f, 2.0f};
    EXPECT_THAT(chosen(doubling(), {device("A", figures), device("B", capabilities(1.2f)), cpu(9)}),
                ElementsAre("B"));  // 2 + 3 against 4.8
    figures.whilePerformance = {1.7f, 1.7f};
    EXPECT_THAT(chosen(doubling(), {device("A", figures), device("B", capabilities(1.2f)), cpu(9)}),
                ElementsAre("A"));
}

TEST(PlanChoice, NobodySupportsIt) {
    const auto plan = makePlan(sumTimes(), {device("A", capabilities(1), only({ADD}))}, {});
    EXPECT_THAT(plan, Refuses(ErrorStatus::INVALID_ARGUMENT,
                              "main.operations[1] MUL: no device supports it"));
}

TEST(PlanChoice, NobodySupportsItAndOneHasFailed) {
    const SharedDevice dead = fakes::hooked(
            referenceDevice(), {.support = [](const Model&, const IDevice&) -> fakes::Supported {
                return error(ErrorStatus::DEAD_OBJECT) << "the server is gone";
            }});
    EXPECT_THAT(makePlan(sumTimes(), {device("A", capabilities(1), only({ADD})), {dead}}, {}),
                Refuses(ErrorStatus::DEAD_OBJECT,
                        "main.operations[1] MUL: no device supports it: the server is gone"));
}

TEST(PlanChoice, OldDevicesAreAskedAboutTheirPart) {
    // PRELU needs HAL 1.2.
    Model model;
    Graph main(model);
    const auto x = main.input(TENSOR_FLOAT32, {4});
    const auto sum = main.temporary(TENSOR_FLOAT32, {4});
    main.add(ADD, {x, x, main.scalar(0)}, {sum});
    main.add(OperationType::PRELU, {sum, x}, {main.output(TENSOR_FLOAT32, {4})});
    model.main = main.graph;
    const auto old = device("old", capabilities(0.5f), everything(), kVersionFeatureLevel1);
    EXPECT_THAT(chosen(model, {old, cpu()}), ElementsAre("old", "nnapi-reference"));
}

TEST(PlanChoice, FailingDevicesSupportNothing) {
    using nn::testing::DeviceFault;
    for (const DeviceFault fault :
         {DeviceFault::IS_DEAD, DeviceFault::ANSWERS_FOR_TOO_FEW_OPERATIONS,
          DeviceFault::ANSWERS_FOR_TOO_MANY_OPERATIONS}) {
        const auto faulty = nn::testing::faultyDevice(referenceDevice(), {fault});
        const PlanDevice wrapped{masked({.name = "A"}, *faulty)};
        EXPECT_THAT(chosen(addition(), {wrapped, cpu(2)}), ElementsAre("nnapi-reference"));
    }
}

TEST(PlanChoice, ControlFlowOfUnknownSizeIsForTheCpu) {
    const std::vector<PlanDevice> devices = {device("A", capabilities(0.5f)), cpu()};
    EXPECT_THAT(chosen(choice(2), devices), ElementsAre("A"));
    EXPECT_THAT(chosen(choice(0), devices), ElementsAre("nnapi-reference"));
    // Without a CPU in the list, a device that supports it may execute it.
    EXPECT_THAT(chosen(choice(0), {devices.front()}), ElementsAre("A"));
}

// Records the operations that it is queried about, and supports all of them.
SharedDevice recordingDevice(Version level, std::vector<std::string>& queried) {
    return fakes::hooked(referenceDevice(),
                         {.featureLevel = level,
                          .capabilities = capabilities(0.5f),
                          .support = [&](const Model& model, const IDevice&) -> fakes::Supported {
                              for (const Operation& operation : model.main.operations) {
                                  queried.push_back(toString(operation.type));
                              }
                              return std::vector<bool>(model.main.operations.size(), true);
                          }});
}

// doubling() over values of unknown size, followed by an ADD.
Model doublingOfAnySize() {
    Model model = doubling();
    for (Model::Subgraph* graph : {&model.referenced[0], &model.referenced[1], &model.main}) {
        for (const uint32_t i : graph->inputIndexes) graph->operands[i].dimensions = {0};
    }
    Model::Subgraph& body = model.referenced[1];
    for (const uint32_t i : body.outputIndexes) body.operands[i].dimensions = {0};
    Graph main(model);
    main.graph = std::move(model.main);
    const uint32_t doubled = main.graph.outputIndexes.back();
    for (const uint32_t i : main.graph.outputIndexes) main.graph.operands[i].dimensions = {0};
    main.add(ADD, {doubled, doubled, main.scalar(0)}, {main.output(TENSOR_FLOAT32, {0})});
    model.main = std::move(main.graph);
    return model;
}

// No HAL version can represent a WHILE over values of unknown size, so drivers are not queried.
TEST(PlanChoice, WhatOnlyRuntimesHaveIsAskedOfRuntimesAlone) {
    const Model model = doublingOfAnySize();
    ASSERT_EQ(validate(model).value(),
              (Version{.level = Version::Level::FEATURE_LEVEL_4, .runtimeOnlyFeatures = true}));
    const struct {
        Version level;
        std::vector<std::string> queried;
        std::vector<std::string> steps;  // without the CPU
    } kRows[] = {
            {kVersionFeatureLevel4, {"ADD"}, {"main.operations[0] WHILE: no device supports it"}},
            {kNewestVersion, {"ADD"}, {"main.operations[0] WHILE: no device supports it"}},
            {kNewestRuntimeVersion, {"WHILE", "ADD"}, {"nnapi-reference"}},
    };
    for (const auto& row : kRows) {
        std::vector<std::string> queried;
        const SharedDevice device = recordingDevice(row.level, queried);
        const auto plan = makePlan(model, {{device}, cpu()}, withoutFallback());
        ASSERT_TRUE(plan.has_value()) << plan.error().message;
        EXPECT_EQ(queried, row.queried);
        ASSERT_EQ((*plan)->steps().size(), 2u);
        EXPECT_EQ((*plan)->steps()[1].device, device);
        EXPECT_EQ(chosen(model, {{device}}), row.steps);

        std::vector<float> x{3}, i(1), y(1), z(1);
        const Request request{.inputs = {pointerTo(x, {1})},
                              .outputs = {pointerTo(i), pointerTo(y), pointerTo(z)}};
        const auto executed = execute(*(*plan)->preparedModel(), request);
        ASSERT_TRUE(executed.has_value()) << executed.error().message;
        EXPECT_EQ(std::tuple(i[0], y[0], z[0]), std::tuple(3, 24, 48));
    }
}

TEST(PlanChoice, ThePlanInterpretsWhatTheCpuWouldExecute) {
    EXPECT_THAT(chosen(choice(), addAndMul()), ElementsAre("plan", "A", "B"));
    EXPECT_THAT(chosen(doubling(), addAndMul()), ElementsAre("plan", "nnapi-reference", "B", "A"));
    // Branches are divided even if one device supports all of the IF.
    EXPECT_THAT(chosen(choice(), {cpu()}),
                ElementsAre("plan", "nnapi-reference", "nnapi-reference"));
}

TEST(PlanChoice, OneDeviceForAllIsASimplePlan) {
    const Model model = sumTimes();
    const auto a = masked({.name = "A"});
    const auto plan = makePlan(model, {{a}, cpu(2)}, withoutFallback());
    ASSERT_TRUE(plan.has_value());
    EXPECT_TRUE((*plan)->isSimple());
    ASSERT_EQ(a->prepared.size(), 1u);
    EXPECT_EQ(a->prepared.front(), model);
    EXPECT_THAT((*plan)->steps().front().operations, ElementsAre(0u, 1u));
}

TEST(PlanChoice, SwitchesOfPartitioning) {
    const auto a = device("A", capabilities(0.5f));
    EXPECT_THAT(chosen(addition(), {a, cpu()}, {.partitioning = Partitioning::NO}),
                ElementsAre("nnapi-reference"));
    EXPECT_THAT(chosen(addition(), {a, cpu()}, {.partitioning = Partitioning::WITHOUT_FALLBACK}),
                ElementsAre("A"));
    // An application that chooses devices uses them.
    EXPECT_THAT(
            chosen(addition(), {a, cpu()}, {.partitioning = Partitioning::NO, .isExplicit = true}),
            ElementsAre("A"));
}

TEST(PlanChoice, SampleDevices) {
    std::vector<PlanDevice> devices;
    for (ReferenceDeviceOptions& options : sampleDevices()) {
        if (options.name != "nnapi-sample_sl") devices.push_back({referenceDevice(options)});
    }
    devices.push_back(cpu());
    EXPECT_THAT(chosen(addition(), devices), ElementsAre("nnapi-sample_minimal"));
    EXPECT_THAT(chosen(sumTimes(), devices),
                ElementsAre("nnapi-sample_minimal", "nnapi-sample_float_fast"));
    PlanOptions thrifty = withoutFallback();
    thrifty.preference = ExecutionPreference::LOW_POWER;
    EXPECT_THAT(chosen(sumTimes(), devices, thrifty),
                ElementsAre("nnapi-sample_minimal", "nnapi-sample_float_slow"));
}

// ---- groups

TEST(PlanPartition, TheLastDeviceGoesFirstAndTakesAllItCan) {
    // 0: a = x + x, 1: b = a + x, 2: c = x + x, 3: d = b + c.
    Model model;
    Graph main(model);
    const auto x = main.input(TENSOR_FLOAT32, {1});
    const auto none = main.scalar(0);
    const auto a = main.temporary(TENSOR_FLOAT32, {1});
    const auto b = main.temporary(TENSOR_FLOAT32, {1});
    const auto c = main.temporary(TENSOR_FLOAT32, {1});
    main.add(ADD, {x, x, none}, {a});
    main.add(ADD, {a, x, none}, {b});
    main.add(ADD, {x, x, none}, {c});
    main.add(ADD, {b, c, none}, {main.output(TENSOR_FLOAT32, {1})});
    const auto groups = [&](std::vector<size_t> devices) {
        return partition(main.graph, devices, 2);
    };
    EXPECT_THAT(groups({0, 0, 1, 1}), ElementsAre(Group{1, {2}}, Group{0, {0, 1}}, Group{1, {3}}));
    EXPECT_THAT(groups({1, 0, 0, 1}), ElementsAre(Group{1, {0}}, Group{0, {2, 1}}, Group{1, {3}}));
    // The plan's own operations come before all others, one at a time.
    EXPECT_THAT(groups({2, 0, 2, 0}), ElementsAre(Group{2, {0}}, Group{2, {2}}, Group{0, {1, 3}}));
}

// Inputs: those of the model, temporaries, outputs of the model; outputs: those of the model,
// temporaries.
TEST(PlanPartition, OrderOfInputsAndOutputsOfSteps) {
    Model model;
    model.relaxComputationFloat32toFloat16 = true;
    Graph main(model);
    const auto none = main.scalar(0);
    const auto first = main.output(TENSOR_FLOAT32, {1});
    const auto temporary = main.temporary(TENSOR_FLOAT32, {1});
    const auto other = main.temporary(TENSOR_FLOAT32, {1});
    const auto second = main.output(TENSOR_FLOAT32, {1});
    const auto third = main.output(TENSOR_FLOAT32, {1});
    const auto x = main.input(TENSOR_FLOAT32, {1});
    main.add(ADD, {x, x, none}, {first});
    main.add(ADD, {first, x, none}, {temporary});
    main.add(MUL, {first, temporary, none}, {other});
    main.add(MUL, {other, x, none}, {second});
    main.add(ADD, {other, x, none}, {third});
    model.main = main.graph;
    const std::vector<size_t> group = {0, 0, 1, 1, 2};
    const Boundary boundary(model.main, group);
    const std::vector<uint32_t> operations = {2, 3};
    const auto part = extract(model, model.main, boundary, operations);
    ASSERT_TRUE(part.ok());
    EXPECT_THAT(part->inputs, ElementsAre(x, temporary, first));
    EXPECT_THAT(part->outputs, ElementsAre(second, other));
    EXPECT_TRUE(part->model.relaxComputationFloat32toFloat16);
    EXPECT_THAT(validate(part->model), Succeeds());
    const std::vector<uint32_t> before = {0, 1};
    EXPECT_THAT(extract(model, model.main, boundary, before)->outputs,
                ElementsAre(first, temporary));
}

// Each operation on its own device would be a step without inputs or without outputs.
TEST(PlanPartition, StepsWithoutInputsOrOutputs) {
    Model model;
    Graph main(model);
    const auto none = main.scalar(0);
    const auto one = main.constant<float>(TENSOR_FLOAT32, {1}, {1});
    const auto sum = main.temporary(TENSOR_FLOAT32, {1});
    main.add(ADD, {one, one, none}, {sum});
    const auto x = main.input(TENSOR_FLOAT32, {1});
    main.add(MUL, {sum, x, none}, {main.output(TENSOR_FLOAT32, {1})});
    model.main = main.graph;
    EXPECT_THAT(makePlan(model, addAndMul(), withoutFallback()),
                Refuses(ErrorStatus::GENERAL_FAILURE, "a step on A has no inputs"));
    EXPECT_THAT(chosen(model, addAndMul(), {}), ElementsAre("nnapi-reference"));

    Model unused = sumTimes();
    unused.main.operands.push_back({.type = TENSOR_FLOAT32, .dimensions = {4}});
    unused.main.operations.push_back(
            {SUB, {0, 1, 3}, {static_cast<uint32_t>(unused.main.operands.size() - 1)}});
    EXPECT_THAT(makePlan(unused, addAndMul(), withoutFallback()),
                Refuses(ErrorStatus::GENERAL_FAILURE, "a step on nnapi-reference has no outputs"));
    EXPECT_THAT(chosen(unused, addAndMul(), {}), ElementsAre("nnapi-reference"));
}

TEST(PlanPartition, ConstantsAreShared) {
    constexpr uint32_t kSize = 64;  // 256 bytes
    Model model;
    Graph main(model);
    const auto x = main.input(TENSOR_FLOAT32, {kSize});
    const auto none = main.scalar(0);
    const auto weights =
            main.constant<float>(TENSOR_FLOAT32, {kSize}, std::vector<float>(kSize, 2));
    const auto sum = main.temporary(TENSOR_FLOAT32, {kSize});
    main.add(ADD, {x, weights, none}, {sum});
    main.add(MUL, {sum, weights, none}, {main.output(TENSOR_FLOAT32, {kSize})});
    model.main = main.graph;
    const auto a = masked({.name = "A", .mask = only({ADD})});
    const auto b = masked({.name = "B", .mask = only({MUL})});
    ASSERT_TRUE(makePlan(model, {{a}, {b}, cpu(2)}, withoutFallback()).has_value());
    ASSERT_EQ(a->prepared.size(), 1u);
    ASSERT_EQ(b->prepared.size(), 1u);
    for (const auto& each : {a, b}) {
        const Model& step = each->prepared.front();
        EXPECT_LE(step.operandValues.size(), 16u);
        ASSERT_EQ(step.pools.size(), 1u);
        EXPECT_EQ(step.pools.front().get(), a->prepared.front().pools.front().get());
        EXPECT_TRUE(cannotChange(step.pools.front()));  // so that no device has to copy it
    }
}

TEST(PlanPartition, UnknownSizesNeedNewDevices) {
    const Model model = sumTimes(0);
    const auto devices = [](Version level) {
        return std::vector<PlanDevice>{device("A", capabilities(1), only({ADD}), level),
                                       device("B", capabilities(1), only({MUL})), cpu(2)};
    };
    const auto plan = makePlan(model, devices(kVersionFeatureLevel3), withoutFallback());
    ASSERT_TRUE(plan.has_value()) << plan.error().message;
    EXPECT_TRUE((*plan)->hasDynamicTemporaries());
    EXPECT_THAT(makePlan(model, devices(kVersionFeatureLevel2), withoutFallback()),
                FailsWithCode(ErrorStatus::GENERAL_FAILURE));
    EXPECT_THAT(chosen(model, devices(kVersionFeatureLevel2), {}), ElementsAre("nnapi-reference"));
}

TEST(PlanPartition, RefusesWhatIsNotLegal) {
    Model model = sumTimes();
    model.main.operations[0].inputs[0] = 99;
    EXPECT_THAT(makePlan(model, addAndMul(), {}), FailsWithCode(ErrorStatus::INVALID_ARGUMENT));
    EXPECT_THAT(makePlan(sumTimes(), {{nullptr}}, {}),
                Refuses(ErrorStatus::INVALID_ARGUMENT, "a device is null"));
    EXPECT_THAT(makePlan(sumTimes(), {}, {}), FailsWithCode(ErrorStatus::INVALID_ARGUMENT));
    EXPECT_THAT(makePlan(sumTimes(), addAndMul(), {.priority = Priority(7)}),
                FailsWithCode(ErrorStatus::INVALID_ARGUMENT));
    EXPECT_THAT(makePlan(sumTimes(), addAndMul(), {.deadline = Clock::now()}),
                FailsWithCode(ErrorStatus::MISSED_DEADLINE_PERSISTENT));
}

TEST(PlanPartition, MemoryPreferences) {
    const auto a = device("A", capabilities(1), only({ADD}), kVersionFeatureLevel4);
    const auto b = device("B", capabilities(1), only({MUL}));
    const auto plan = makePlan(sumTimes(), {a, b, cpu(2)}, withoutFallback());
    ASSERT_TRUE(plan.has_value());
    EXPECT_EQ((*plan)->memoryPreference({0, true}), (MemoryPreference{64, 1}));
    EXPECT_EQ((*plan)->memoryPreference({1, true}), (MemoryPreference{64, 64}));
    EXPECT_EQ((*plan)->memoryPreference({0, false}), (MemoryPreference{64, 64}));
}

}  // namespace
}  // namespace nn::runtime::plan_choice_test
