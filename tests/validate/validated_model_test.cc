// A model that is checked once: its results, and the state that copies share.
#include "nnapi/validated_model.h"

#include "validate/checks.h"
#include "validate/models.h"
#include "validate/validation_facts.h"

namespace nn::validated_model_test {
namespace {

using testing::ElementsAre;

// SOFTMAX over a tensor of unknown rank, then HARD_SWISH: the operation that requires HAL 1.2 comes
// before the one that requires 1.3.
Model newModel() {
    Model model = softmaxModel();
    model.main.operands[0].dimensions = {};
    model.main.operations[1] = {.type = OperationType::HARD_SWISH, .inputs = {2}, .outputs = {3}};
    return model;
}

TEST(ValidatedModel, FailsAsValidateDoes) {
    Model model = softmaxModel();
    model.main.operands[1].scale = 1;
    EXPECT_THAT(validateModel(model), Refuses(std::string(validate(model).status().message())));
    EXPECT_THAT(validateModel(std::shared_ptr<const Model>()), Refuses("model is null"));
    EXPECT_EQ(validateModel(softmaxModel(), {.operands = 3}).status(),
              validate(softmaxModel(), {.operands = 3}).status());
    const StopCondition until{.isCancelled = [] { return true; }};
    EXPECT_EQ(validateModel(softmaxModel(), {}, until).status(),
              validate(softmaxModel(), {}, until).status());
}

TEST(ValidatedModel, SaysTheFirstReasonAgainstEveryTarget) {
    const Model model = newModel();
    const ValidatedModel checked = validateModel(model).value();
    EXPECT_EQ(checked.version(), kVersionFeatureLevel4);
    EXPECT_THAT(Result<Version>(validateFor(checked, kVersionFeatureLevel2)),
                Refuses("main.operands[0]: a tensor of unknown rank needs HAL 1.2, target is HAL "
                        "1.1 [since]"));
    EXPECT_THAT(Result<Version>(validateFor(checked, kVersionFeatureLevel3)),
                Refuses("main.operations[1] HARD_SWISH: HARD_SWISH needs HAL 1.3, target is HAL "
                        "1.2 [since]"));
    EXPECT_TRUE(validateFor(checked, kVersionFeatureLevel4).ok());
    for (const Version target : {kVersionFeatureLevel1, kVersionFeatureLevel2,
                                 kVersionFeatureLevel3, kVersionFeatureLevel4}) {
        EXPECT_EQ(validateFor(checked, target), validateFor(model, target));
        EXPECT_EQ(checkFor(model, target).status(), validateFor(model, target));
    }
}

TEST(ValidatedModel, KnowsEachPart) {
    Model model = newModel();
    model.main.operations[0].inputs.push_back(4);  // an axis requires HAL 1.2
    model.main.operands.push_back(constantOf<int32_t>(model, OperandType::INT32, {}, {-1}));
    const ValidatedModel checked = validateModel(std::move(model)).value();
    const GraphFacts& main = checked.found().main();
    EXPECT_THAT(main.operands,
                ElementsAre(kVersionFeatureLevel3, kVersionFeatureLevel1, kVersionFeatureLevel1,
                            kVersionFeatureLevel1, kVersionFeatureLevel1));
    ASSERT_EQ(main.operations.size(), 2u);
    EXPECT_EQ(main.operations[0].version, kVersionFeatureLevel3);
    EXPECT_EQ(main.operations[1].version, kVersionFeatureLevel4);
    for (const FoundOperation& operation : main.operations) {
        EXPECT_TRUE(operation.isLegal);
        ASSERT_NE(operation.form, nullptr);
        EXPECT_EQ(operation.form->inputs.front().name, "input");
    }
}

TEST(ValidatedModel, SharesTheModel) {
    const auto model = std::make_shared<const Model>(softmaxModel());
    const ValidatedModel checked = validateModel(model).value();
    EXPECT_EQ(&checked.model(), model.get());
    ValidatedModel first = checked;
    const ValidatedModel second = std::move(first);
    EXPECT_EQ(&second.model(), model.get());
    EXPECT_EQ(&first.model(), model.get());  // NOLINT(bugprone-use-after-move): a copy, as said
    EXPECT_EQ(&second.found(), &checked.found());
}

TEST(ValidatedModel, CopiesNoConstants) {
    Model model = softmaxModel();
    const std::vector<uint8_t> bytes(1 << 20);
    ASSERT_TRUE(model.operandValues.append(bytes.data(), bytes.size()));
    const uint8_t* data = model.operandValues.data();
    const ValidatedModel checked = validateModel(std::move(model)).value();
    EXPECT_EQ(checked.model().operandValues.data(), data);
}

// Devices lift rules; the findings mark parts that violate them.
TEST(ValidatedModel, FormsOfOperationsThatBreakRules) {
    Model model = softmaxModel();
    model.main.operands[3].dimensions = {2, 4};
    model.main.operands[2].type = OperandType::TENSOR_INT32;
    ValidationFacts found;
    EXPECT_FALSE(findAll(model, {}, found).valid());
    EXPECT_FALSE(found.main().operations[0].isLegal);
    EXPECT_EQ(found.main().operations[0].form, nullptr);
}

}  // namespace
}  // namespace nn::validated_model_test
