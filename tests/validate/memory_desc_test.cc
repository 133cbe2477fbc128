// Arguments of allocate: errors that Android's vendor test suite requires, and the operand of a
// buffer.
#include <functional>

#include "validate/models.h"

namespace nn::memory_desc_test {
namespace {

using enum OperandType;

// Prepared models 0 and 1, whose inputs and outputs declare different dimensions.
struct Call {
    BufferDesc desc{};
    Model first = softmaxModel();
    Model second = softmaxModel();
    std::vector<const Model*> models{&first, &second};
    std::vector<BufferRole> inputRoles{{.modelIndex = 0, .ioIndex = 0, .probability = 1.0f}};
    std::vector<BufferRole> outputRoles{{.modelIndex = 1, .ioIndex = 0, .probability = 0.5f}};

    Operand& input() { return first.main.operands[0]; }
    Operand& output() { return second.main.operands[3]; }

    Result<Operand> validate() const {
        return validateMemoryDesc(desc, models, inputRoles, outputRoles);
    }
};

struct Row {
    const char* name;
    std::function<void(Call&)> change;
    const char* message;
};

void makeScalar(Call& call) {
    for (Operand* operand : {&call.input(), &call.output()}) {
        operand->type = FLOAT32;
        operand->dimensions = {};
    }
}

TEST(ValidateMemoryDesc, SaysWhyItRefuses) {
    const Row kRows[] = {
            {"NoModels", [](Call& c) { c.models = {}; },
             "0 prepared models are given, allowed 1 or more [memory_desc.models]"},
            {"NoRoles", [](Call& c) { c.inputRoles = c.outputRoles = {}; },
             "0 roles are given, allowed 1 or more [memory_desc.roles]"},
            {"NullModel", [](Call& c) { c.models[1] = nullptr; },
             "outputRoles[0]: prepared model 1 is null or another device's [memory_desc.models]"},
            {"ModelIndex", [](Call& c) { c.inputRoles[0].modelIndex = 2; },
             "inputRoles[0]: modelIndex is 2, allowed below 2, the number of prepared models "
             "[memory_desc.models]"},
            {"InputIndex", [](Call& c) { c.inputRoles[0].ioIndex = 1; },
             "inputRoles[0]: ioIndex is 1, allowed below 1, the number of inputs "
             "[memory_desc.roles]"},
            {"OutputIndex", [](Call& c) { c.outputRoles[0].ioIndex = 1; },
             "outputRoles[0]: ioIndex is 1, allowed below 1, the number of outputs "
             "[memory_desc.roles]"},
            {"NoInputs", [](Call& c) { c.first.main.inputIndexes = {}; },
             "inputRoles[0]: ioIndex is 0, but the model has no inputs [memory_desc.roles]"},
            {"NoOperands", [](Call& c) { c.first.main.operands = {}; },
             "inputRoles[0]: names operand 0 of prepared model 0, but it has no operands "
             "[memory_desc.roles]"},
            {"BrokenModel", [](Call& c) { c.first.main.inputIndexes = {9}; },
             "inputRoles[0]: names operand 9 of prepared model 0, allowed below 4, the number of "
             "operands [memory_desc.roles]"},
            {"ProbabilityZero", [](Call& c) { c.inputRoles[0].probability = 0; },
             "inputRoles[0]: probability is 0, allowed above 0, at most 1 "
             "[buffer_role.probability]"},
            {"ProbabilityTwo", [](Call& c) { c.outputRoles[0].probability = 2; },
             "outputRoles[0]: probability is 2, allowed above 0, at most 1 "
             "[buffer_role.probability]"},
            {"SameRoleTwice", [](Call& c) { c.inputRoles.push_back(c.inputRoles[0]); },
             "inputRoles[1]: input 0 of prepared model 0 is a role already, allowed once "
             "[memory_desc.roles]"},
            {"SameModelTwice",
             [](Call& c) {
                 c.models[1] = c.models[0];
                 c.outputRoles = {};
                 c.inputRoles.push_back({.modelIndex = 1, .ioIndex = 0, .probability = 1.0f});
             },
             "inputRoles[1]: input 0 of prepared model 1 is a role already, allowed once "
             "[memory_desc.roles]"},
            {"OtherType", [](Call& c) { c.output().type = TENSOR_FLOAT16; },
             "outputRoles[0]: the operand is TENSOR_FLOAT16, allowed TENSOR_FLOAT32 as the "
             "description and the roles before it say [memory_desc.operand]"},
            {"OtherScale", [](Call& c) { c.output().scale = 0.5f; },
             "outputRoles[0]: the operand has scale 0.5, allowed 0 as the description and the "
             "roles before it say [memory_desc.operand]"},
            {"OtherZeroPoint", [](Call& c) { c.output().zeroPoint = 3; },
             "outputRoles[0]: the operand has zeroPoint 3, allowed 0 as the description and the "
             "roles before it say [memory_desc.operand]"},
            {"OtherRank", [](Call& c) { c.output().dimensions.push_back(1); },
             "outputRoles[0]: the operand has dimensions [2, 3, 1], allowed [2, 3] as the "
             "description and the roles before it say [memory_desc.operand]"},
            {"OtherDimension", [](Call& c) { c.output().dimensions[1] = 4; },
             "outputRoles[0]: the operand has dimensions [2, 4], allowed [2, 3] as the description "
             "and the roles before it say [memory_desc.operand]"},
            {"RankOfDescription",
             [](Call& c) {
                 c.desc.dimensions = {2, 3, 1};
             },
             "inputRoles[0]: the operand has dimensions [2, 3], allowed [2, 3, 1] as the "
             "description and the roles before it say [memory_desc.operand]"},
            {"DimensionOfDescription",
             [](Call& c) {
                 c.desc.dimensions = {2, 4};
             },
             "inputRoles[0]: the operand has dimensions [2, 3], allowed [2, 4] as the description "
             "and the roles before it say [memory_desc.operand]"},
            {"ScalarWithDimensions",
             [](Call& c) {
                 makeScalar(c);
                 c.desc.dimensions = {1};
             },
             "inputRoles[0]: the operand is FLOAT32, allowed only a tensor where the description "
             "has dimensions [memory_desc.operand]"},
    };
    for (const Row& row : kRows) {
        Call call;
        row.change(call);
        EXPECT_THAT(call.validate(), Refuses(std::string(row.message))) << row.name;
    }
}

TEST(ValidateMemoryDesc, CombinesWhatIsKnown) {
    Call call;
    call.desc.dimensions = {0, 0};
    call.input().dimensions = {2, 0};
    call.output().dimensions = {0, 3};
    EXPECT_EQ(call.validate().value(), operandOf(TENSOR_FLOAT32, {2, 3}));
    call.output().dimensions = {};
    EXPECT_EQ(call.validate().value(), operandOf(TENSOR_FLOAT32, {2, 0}));
    makeScalar(call);
    call.desc.dimensions = {};
    EXPECT_EQ(call.validate().value(), operandOf(FLOAT32, {}));
}

TEST(ValidateMemoryDesc, LeavesParametersOfExtensionsToTheVendor) {
    Call call;
    for (Operand* operand : {&call.input(), &call.output()}) {
        operand->type = static_cast<OperandType>(0x00010007);
    }
    call.output().extraParams = Operand::ExtensionParams{1, 2, 3};
    EXPECT_TRUE(call.validate().ok());
}

}  // namespace
}  // namespace nn::memory_desc_test
