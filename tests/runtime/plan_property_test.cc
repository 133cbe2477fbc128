// Whatever device an operation is given to, the results have the same bits.
#include <fmt/format.h>

#include <map>

#include "environment.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/interpreter.h"
#include "runtime/plan_devices.h"
#include "testing/device/arguments.h"
#include "testing/device/subject.h"
#include "testing/device/ways.h"
#include "vectors.h"

namespace nn::runtime::plan_property_test {
namespace {

using nn::testing::Arguments;
using nn::testing::kWays;
using nn::testing::Way;

// What one execution answers, with the bits of all outputs.
struct Answer {
    ErrorStatus code = ErrorStatus::NONE;
    std::string message{};
    std::vector<Tensor> outputs{};
};

Answer answerOf(const IPreparedModel& prepared, Way way, const Model& model,
                const TestCase& testCase) {
    Result<Arguments> arguments = nn::testing::argumentsFor(model, testCase);
    if (!arguments.ok()) return {ErrorStatus::GENERAL_FAILURE, arguments.status().ToString()};
    const auto executed = nn::testing::executeBy(way, prepared, arguments->request());
    if (const auto failure = arguments->checkUntouched()) {
        return {ErrorStatus::GENERAL_FAILURE, nn::testing::toString(*failure)};
    }
    if (!executed.has_value()) return {executed.error().code, executed.error().message};
    return {.outputs = arguments->outputs(executed->first, nn::testing::outputTypes(model))};
}

// Compares a division among devices with one device, in every way to execute.
struct Comparison {
    int models = 0, compared = 0, compounds = 0, steps = 0, loops = 0, dynamic = 0, failures = 0;

    void compare(const TestCase& testCase, const IPreparedModel& whole,
                 const IPreparedModel& divided) {
        ++models;
        const Answer expected = answerOf(whole, Way::SYNC, testCase.model, testCase);
        for (const Way way : kWays) {
            if (way == Way::FENCED && !nn::testing::areOutputsSpecified(testCase.model)) continue;
            const Answer found = answerOf(divided, way, testCase.model, testCase);
            const std::string where = fmt::format("{} {}", testCase.name, nameOf(way));
            if (expected.code != ErrorStatus::NONE) {
                EXPECT_NE(found.code, ErrorStatus::NONE) << where << ": " << expected.message;
                ++failures;
                continue;
            }
            ASSERT_EQ(found.code, ErrorStatus::NONE) << where << ": " << found.message;
            ASSERT_EQ(found.outputs.size(), expected.outputs.size()) << where;
            for (size_t i = 0; i < expected.outputs.size(); ++i) {
                ASSERT_EQ(found.outputs[i].dimensions, expected.outputs[i].dimensions)
                        << where << " output " << i;
                ASSERT_EQ(found.outputs[i].data, expected.outputs[i].data)
                        << where << " output " << i;
            }
            ++compared;
        }
    }
    void print(const std::string& what) const {
        fmt::print(
                "{}: {} models, {} executions equal, {} refused by both, {} compound plans of {} "
                "steps, {} that interpret control flow, {} with values of unknown size\n",
                what, models, compared, failures, compounds, steps, loops, dynamic);
    }
};

TestCase randomCase(uint64_t seed) {
    std::mt19937_64 dice(seed);
    std::vector<uint8_t> bytes(1 << 14);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(dice());
    nn::testing::Source source(bytes);
    TestCase made{.name = fmt::format("random {}", seed)};
    made.model = nn::testing::validModel(source, {.version = HalVersion::V1_3,
                                                  .mostOperations = 12,
                                                  .executable = true,
                                                  .unknownDimensions = seed % 2 == 0});
    made.inputs = nn::testing::anyInputs(source, made.model);
    return made;
}

bool hasControlFlow(const Model& model) { return !model.referenced.empty(); }

TEST(PlanProperty, AnyAssignmentOfRandomModels) {
    const uint64_t models = fromEnvironment("NNAPI_PROPERTY_CASES", 1500);
    const SharedDevice reference = referenceDevice();
    Comparison all;
    for (uint64_t seed = 0; seed < models; ++seed) {
        TestCase testCase = randomCase(seed);
        if (testCase.model.main.operations.size() == 1 && !hasControlFlow(testCase.model)) continue;
        const auto outputs = prepare(testCase.model)->run(testCase.inputs);
        if (!outputs.ok()) continue;  // values that an operation refuses
        for (const Tensor& output : *outputs) testCase.outputs.push_back({.value = output});
        const auto whole = prepareOn(*reference, testCase.model);
        ASSERT_TRUE(whole.has_value()) << whole.error().message;
        for (uint64_t division = 0; division < 3; ++division) {
            auto devices = randomDevices(seed * 3 + division, reference, reference);
            if (hasControlFlow(testCase.model) && division != 0) {
                // So that plans interpret control flow, however deep.
                for (size_t i = 0; i < 2; ++i) {
                    const Mask chance = random(seed + i);
                    devices[i].device = masked({.name = devices[i].device->getName(),
                                                .mask = [=](const Model& m, const Operation& o) {
                                                    return o.type != OperationType::IF &&
                                                           o.type != OperationType::WHILE &&
                                                           chance(m, o);
                                                }});
                }
            }
            const auto plan = makePlan(testCase.model, devices, {});
            ASSERT_TRUE(plan.has_value()) << testCase.name << ": " << plan.error().message;
            all.compounds += !(*plan)->isSimple();
            all.steps += static_cast<int>((*plan)->steps().size());
            all.loops += (*plan)->interpretsControlFlow();
            all.dynamic += (*plan)->hasDynamicTemporaries();
            ASSERT_NO_FATAL_FAILURE(all.compare(testCase, **whole, *(*plan)->preparedModel()));
        }
    }
    all.print("random models");
    EXPECT_GT(all.compounds, models / 2);
    EXPECT_GT(all.loops, models / 5);
    EXPECT_GT(all.dynamic, models / 50);
}

// Drivers of older versions: requests and models are converted for each step.
TEST(PlanProperty, DriversOfOlderVersions) {
    const SharedDevice reference = referenceDevice();
    const auto driver = hal::adapter::adapt(reference);
    ASSERT_TRUE(driver.has_value());
    const auto newer = V1_3::utils::Device::create("A", *driver);
    const auto older = V1_2::utils::Device::create("B", *driver);
    ASSERT_TRUE(newer.has_value() && older.has_value());
    Comparison all;
    int fallbacks = 0;
    for (uint64_t seed = 5000; seed < 5150; ++seed) {
        TestCase testCase = randomCase(seed);
        const auto outputs = prepare(testCase.model)->run(testCase.inputs);
        if (!outputs.ok()) continue;
        for (const Tensor& output : *outputs) testCase.outputs.push_back({.value = output});
        const auto whole = prepareOn(*reference, testCase.model);
        std::vector<PlanDevice> devices = randomDevices(seed, *newer, *older);
        devices[1].device =
                masked({.name = "B", .mask = random(seed), .level = kVersionFeatureLevel3}, *older);
        const auto plan =
                makePlan(testCase.model, devices,
                         {.onFallback = [&](std::string_view, const Status&) { ++fallbacks; }});
        ASSERT_TRUE(plan.has_value()) << testCase.name << ": " << plan.error().message;
        all.compounds += !(*plan)->isSimple();
        all.steps += static_cast<int>((*plan)->steps().size());
        ASSERT_NO_FATAL_FAILURE(all.compare(testCase, **whole, *(*plan)->preparedModel()));
    }
    all.print("through HAL 1.2 and 1.3");
    fmt::print("{} fallbacks\n", fallbacks);
    EXPECT_GT(all.compounds, 30);
}

// All test vectors. Most have one operation: a plan that is compound nevertheless has one step.
TEST(PlanProperty, AllVectors) {
    const SharedDevice reference = referenceDevice();
    Comparison all;
    int refused = 0, ofOneStep = 0;
    uint64_t seed = 0;
    // Where sanitizers are on, some of them.
    const uint64_t step = fromEnvironment("NNAPI_PROPERTY_CASES", 1500) < 1500 ? 20 : 1;
    forEachVector([&](const TestCase& testCase) {
        if (HasFatalFailure() || ++seed % step != 0) return;
        const auto whole = prepareOn(*reference, testCase.model);
        const PartitionedDevice partitioned(randomDevices(seed, reference, reference), {}, true);
        const auto divided = prepareOn(partitioned, testCase.model);
        ASSERT_EQ(whole.has_value(), divided.has_value())
                << testCase.name << ": " << divided.error().message;
        if (!whole.has_value()) {
            ++refused;
            return;
        }
        all.compounds += partitioned.divided;
        ofOneStep += partitioned.forced;
        all.compare(testCase, **whole, **divided);
    });
    fmt::print(
            "vectors: {} models in 4 ways, {} executions equal, {} refused by both, {} compound "
            "plans, {} of one step; {} cannot be prepared\n",
            all.models, all.compared, all.failures, all.compounds, ofOneStep, refused);
    const auto cases = static_cast<int>(seed / step);
    EXPECT_GT(all.models, cases * 9 / 10);
    EXPECT_GT(all.compounds, cases / 4);
    EXPECT_GT(ofOneStep, cases / 2);
}

}  // namespace
}  // namespace nn::runtime::plan_property_test
