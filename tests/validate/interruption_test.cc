// Validation that the caller or a limit ends early.
#include "nnapi/stop_condition.h"

#include "validate/models.h"

namespace nn::until_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

// A long chain of RELUs.
Model chain(uint32_t operations) {
    Model model;
    const Operand x = operandOf(OperandType::TENSOR_FLOAT32, {2});
    model.main.operands.assign(operations + 1, x);
    model.main.operands.front().lifetime = LifeTime::SUBGRAPH_INPUT;
    model.main.operands.back().lifetime = LifeTime::SUBGRAPH_OUTPUT;
    model.main.inputIndexes = {0};
    model.main.outputIndexes = {operations};
    for (uint32_t i = 0; i < operations; ++i) {
        model.main.operations.push_back(
                {.type = OperationType::RELU, .inputs = {i}, .outputs = {i + 1}});
    }
    return model;
}

TEST(ValidateUntil, SaysWhyAndWhere) {
    const Model model = softmaxModel();
    for (const EarlyEnd& row : earlyEnds("the validation")) {
        const std::string message = "main.operands[0]: " + row.message;
        for (const Status& status :
             {validate(model, row.limits, row.until).status(),
              validateFor(model, kVersionFeatureLevel8, row.limits, row.until)}) {
            EXPECT_EQ(errorStatus(status), row.code) << message;
            EXPECT_EQ(std::string(status.message()), message);
        }
        const Findings findings = validateAll(model, {.limits = row.limits, .until = row.until});
        EXPECT_THAT(textsOf(findings.errors), ElementsAre(message));
        EXPECT_FALSE(findings.valid());
    }
    const StopCondition later{.deadline = Clock::now() + 1h, .isCancelled = [] { return false; }};
    EXPECT_TRUE(validate(model, {}, later).ok());
    EXPECT_TRUE(validateFor(model, kVersionFeatureLevel8, {}, later).ok());
    EXPECT_TRUE(validateAll(model, {.until = later}).valid());
}

// Validation polls before the first step and during the work, more often for a larger model.
TEST(ValidateUntil, IsAskedAllTheTime) {
    const auto asked = [](uint32_t operations, size_t most) {
        size_t count = 0;
        const StopCondition until{.isCancelled = [&] { return ++count == most; }};
        const Result<Version> needed = validate(chain(operations), {}, until);
        EXPECT_EQ(needed.ok(), most == 0);
        return std::pair(count, std::string(needed.status().message()));
    };
    EXPECT_EQ(asked(10, 0).first, 1u);
    EXPECT_EQ(asked(100'000, 0).first, 25u);  // 4 steps for an operation and its operand
    EXPECT_EQ(asked(100'000, 2), std::pair(size_t{2}, std::string("main.operands[16384]: the "
                                                                  "validation was stopped "
                                                                  "[until.stop]")));
    EXPECT_EQ(asked(100'000, 20).second,
              "main.operations[70460] RELU: the validation was stopped [until.stop]");
}

// Entries of a list count as work, whatever they refer to.
TEST(ValidateUntil, IsAskedWithinLists) {
    Model model = softmaxModel();
    model.main.inputIndexes.resize(100'000, 0);
    size_t count = 0;
    const Findings findings = validateAll(
            model,
            {.maxDiagnostics = 1'000'000, .until = {.isCancelled = [&] { return ++count == 3; }}});
    EXPECT_EQ(textsOf(findings.errors).back(),
              "main.inputIndexes[32767]: the validation was stopped [until.stop]");
}

// Earlier findings remain, and the rest is not checked.
TEST(ValidateUntil, KeepsWhatIsFound) {
    Model model = chain(100'000);
    for (const size_t i : {1u, 2u, 99'999u}) model.main.operands[i].zeroPoint = 7;
    size_t count = 0;
    const Findings findings =
            validateAll(model, {.until = {.isCancelled = [&] { return ++count == 2; }}});
    EXPECT_THAT(textsOf(findings.errors),
                ElementsAre("main.operands[1]: zeroPoint is 7, allowed 0 for TENSOR_FLOAT32 "
                            "[operand.zero_point]",
                            "main.operands[2]: zeroPoint is 7, allowed 0 for TENSOR_FLOAT32 "
                            "[operand.zero_point]",
                            "main.operands[16384]: the validation was stopped [until.stop]"));
    EXPECT_EQ(count, 2u);
}

// Shape inference can be interrupted as well.
TEST(ValidateUntil, EndsWhileItWarns) {
    size_t count = 0;
    const Model model = chain(100'000);
    const Findings findings =
            validateAll(model, {.until = {.isCancelled = [&] { return ++count == 30; }}});
    EXPECT_THAT(
            textsOf(findings.errors),
            ElementsAre("main.operations[25080] RELU: the validation was stopped [until.stop]"));
}

}  // namespace
}  // namespace nn::until_test
