#include <functional>

#include "validate/models.h"

namespace nn::model_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using enum OperandType;

constexpr Version V1_0 = kVersionFeatureLevel1, V1_2 = kVersionFeatureLevel3,
                  V1_3 = kVersionFeatureLevel4;

struct Changed {
    const char* name;
    std::function<void(Model&)> change;
    Version needed;
};

TEST(ValidateModel, NeedsTheLeastVersion) {
    const Changed kLegal[] = {
            {"Softmax", [](Model&) {}, V1_0},
            {"Relaxed", [](Model& m) { m.relaxComputationFloat32toFloat16 = true; }, V1_0},
            {"NoInputs",
             [](Model& m) {
                 m.main.operands[0] = operandOf(TENSOR_FLOAT32, {1}, LifeTime::NO_VALUE);
                 m.main.operations[0].type = OperationType::OEM_OPERATION;
                 m.main.inputIndexes.clear();
             },
             V1_0},
            {"UnknownRank", [](Model& m) { m.main.operands[2].dimensions.clear(); }, V1_2},
            {"ExtensionOperation",
             [](Model& m) { m.main.operations[0].type = static_cast<OperationType>(0x10000); },
             V1_2},
            {"UnusedExtension",
             [](Model& m) {
                 m.extensionNameToPrefix = {{"a.b", 1}};
             },
             V1_2},
            {"UnusedPool",
             [](Model& m) {
                 m.pools = {std::make_shared<const Memory>(Memory{Memory::Unknown{}})};
             },
             V1_2},
            {"UnreferencedSubgraph", [](Model& m) { m.referenced = {m.main}; }, V1_3},
            {"SameSubgraphTwice",
             [](Model& m) {
                 m = ifModel();
                 m.main.operands[2].location.offset = 0;
             },
             V1_3},
    };
    for (const Changed& row : kLegal) {
        Model model = softmaxModel();
        row.change(model);
        EXPECT_THAT(validate(model), Needs(row.needed)) << row.name;
    }
}

struct Broken {
    std::function<void(Model&)> change;
    std::string message;
};

TEST(ValidateModel, SaysWhyItRefuses) {
    const Broken kBroken[] = {
            // graph
            {[](Model& m) { m.main = {}; },
             "main: has no operands, allowed 1 or more [graph.empty]"},
            {[](Model& m) { m.main.operations.clear(); },
             "main: has no operations, allowed 1 or more [graph.empty]"},
            {[](Model& m) { m.main.inputIndexes = {4}; },
             "main.inputIndexes[0]: operand 4 does not exist, allowed below 4, the number of "
             "operands [graph.inputs]"},
            {[](Model& m) { m.main.inputIndexes.push_back(2); },
             "main.inputIndexes[1]: operand 2 has lifetime TEMPORARY_VARIABLE, allowed "
             "SUBGRAPH_INPUT [graph.inputs]"},
            {[](Model& m) { m.main.inputIndexes.push_back(0); },
             "main.inputIndexes[1]: operand 0 is listed twice, allowed once [graph.inputs]"},
            {[](Model& m) { m.main.inputIndexes = {}; },
             "main.operands[0]: lifetime is SUBGRAPH_INPUT, but the operand is not in inputIndexes "
             "[graph.inputs]"},
            {[](Model& m) { m.main.outputIndexes = {0xFFFFFFFF}; },
             "main.outputIndexes[0]: operand 4294967295 does not exist, allowed below 4, the "
             "number of operands [graph.outputs]"},
            {[](Model& m) { m.main.outputIndexes.push_back(0); },
             "main.outputIndexes[1]: operand 0 has lifetime SUBGRAPH_INPUT, allowed "
             "SUBGRAPH_OUTPUT [graph.outputs]"},
            {[](Model& m) { m.main.outputIndexes.push_back(3); },
             "main.outputIndexes[1]: operand 3 is listed twice, allowed once [graph.outputs]"},
            {[](Model& m) { m.main.outputIndexes = {}; },
             "main.operands[3]: lifetime is SUBGRAPH_OUTPUT, but the operand is not in "
             "outputIndexes [graph.outputs]"},
            {[](Model& m) { std::swap(m.main.operations[0], m.main.operations[1]); },
             "main.operations[0] SOFTMAX: input 0 (operand 2) is read before an operation writes "
             "it [graph.execution_order]"},
            {[](Model& m) { m.main.operations[0].inputs[0] = 2; },
             "main.operations[0] SOFTMAX: input 0 (operand 2) is an output of the operation "
             "itself, allowed no cycles [graph.execution_order]"},
            {[](Model& m) { m.main.operations[0].inputs[0] = 3; },
             "main.operations[0] SOFTMAX: input 0 (operand 3) closes a cycle, allowed none: "
             "operations 0 SOFTMAX and 1 SOFTMAX wait for each other [graph.execution_order]"},
            {[](Model& m) {
                 m.main.operands.push_back(operandOf(TENSOR_FLOAT32, {2, 3}));
                 m.main.operations[0].inputs[0] = 4;
             },
             "main.operations[0] SOFTMAX: input 0 (operand 4) is read, but no operation writes it "
             "[graph.execution_order]"},
            {[](Model& m) { m.main.operations[1].outputs[0] = 0; },
             "main.operations[1] SOFTMAX: output 0 (operand 0) has lifetime SUBGRAPH_INPUT, "
             "allowed TEMPORARY_VARIABLE and SUBGRAPH_OUTPUT [graph.writers]"},
            {[](Model& m) { m.main.operations[1].outputs[0] = 2; },
             "main.operations[1] SOFTMAX: output 0 (operand 2) is written already, allowed once "
             "[graph.writers]"},
            {[](Model& m) { m.main.operands.push_back(operandOf(TENSOR_FLOAT32, {1})); },
             "main.operands[4]: lifetime is TEMPORARY_VARIABLE, but no operation writes the "
             "operand [graph.unwritten]"},
            {[](Model& m) { m.main.operations.pop_back(); },
             "main.operands[3]: lifetime is SUBGRAPH_OUTPUT, but no operation writes the operand "
             "[graph.unwritten]"},
            // operation
            {[](Model& m) {
                 m.main.operations[1].type = static_cast<OperationType>(kOperationCount);
             },
             "main.operations[1]: type is " + std::to_string(kOperationCount) + ", " +
                     kAllowedOperationTypes},
            {[](Model& m) { m.main.operations[0].inputs[1] = 4; },
             "main.operations[0] SOFTMAX: input 1 is operand 4, allowed below 4, the number of "
             "operands [operation.input_index]"},
            {[](Model& m) { m.main.operations[0].outputs[0] = 4; },
             "main.operations[0] SOFTMAX: output 0 is operand 4, allowed below 4, the number of "
             "operands [operation.output_index]"},
            {[](Model& m) { m.main.operations[0].inputs.assign(1000000, 0); },
             "main.operations[0] SOFTMAX: has 1000000 inputs, allowed 2 or 3 [softmax.inputs]"},
            {[](Model& m) { m.main.operations[0].inputs.clear(); },
             "main.operations[0] SOFTMAX: has 0 inputs, allowed 2 or 3 [softmax.inputs]"},
            // model
            {[](Model& m) { m.pools = {nullptr}; }, "pools[0]: memory is null [memory.null]"},
            {[](Model& m) {
                 m.extensionNameToPrefix = {{"A", 1}};
             },
             "extensionNameToPrefix[0]: name is \"A\", allowed a-z, 0-9, '_' and '.', with a '.' "
             "at least [extension.name]"},
            {[](Model& m) { m.referenced.resize(1); },
             "referenced[0]: has no operands, allowed 1 or more [graph.empty]"},
            {[](Model& m) {
                 m = ifModel();
                 m.referenced[1].operands[1].zeroPoint = 1;
             },
             "referenced[1].operands[1]: zeroPoint is 1, allowed 0 for FLOAT32 "
             "[operand.zero_point]"},
    };
    for (const Broken& row : kBroken) {
        Model model = softmaxModel();
        row.change(model);
        EXPECT_THAT(validate(model), Refuses(row.message));
    }
}

// SOFTMAX number k reads a temporary and writes the next; the last one writes the output.
Model chainModel(uint32_t operations) {
    Model model = softmaxModel();
    const Operand output = model.main.operands.back();
    model.main.operands.resize(2);
    model.main.operations.clear();
    for (uint32_t k = 0; k < operations; ++k) {
        const uint32_t read = k == 0 ? 0 : k + 1;
        model.main.operations.push_back(
                {.type = OperationType::SOFTMAX, .inputs = {read, 1}, .outputs = {k + 2}});
        model.main.operands.push_back(operandOf(TENSOR_FLOAT32, {2, 3}));
    }
    model.main.operands.back() = output;
    model.main.outputIndexes = {operations + 1};
    return model;
}

TEST(ValidateModel, NamesTheOperationsOfACycleBriefly) {
    EXPECT_THAT(validate(chainModel(6)), Needs(V1_0));
    Model model = chainModel(6);
    model.main.operations[1].inputs[0] = 6;  // of operation 4
    EXPECT_THAT(textsOf(validateAll(model).errors),
                ElementsAre("main.operations[1] SOFTMAX: input 0 (operand 6) closes a cycle, "
                            "allowed none: operations 1 SOFTMAX, 2 SOFTMAX, 3 SOFTMAX and 1 other "
                            "wait for each other [graph.execution_order]"));
}

// Two cycles that share an operation, with another operation that only comes too early.
TEST(ValidateModel, TellsCyclesFromAnotherOrder) {
    Model model = chainModel(5);
    model.main.operations[0].inputs[0] = 3;                  // of operation 1
    model.main.operations[1] = {.type = OperationType::ADD,  //
                                .inputs = {2, 4, 1},
                                .outputs = {3}};
    std::swap(model.main.operations[3], model.main.operations[4]);
    const auto errors = textsOf(validateAll(model).errors);
    EXPECT_THAT(errors, testing::Contains("main.operations[0] SOFTMAX: input 0 (operand 3) closes "
                                          "a cycle, allowed none: operations 0 SOFTMAX, 1 ADD and "
                                          "2 SOFTMAX wait for each other [graph.execution_order]"));
    EXPECT_THAT(errors, testing::Contains("main.operations[1] ADD: input 1 (operand 4) closes a "
                                          "cycle, allowed none: operations 0 SOFTMAX, 1 ADD and 2 "
                                          "SOFTMAX wait for each other [graph.execution_order]"));
    EXPECT_THAT(errors, testing::Contains("main.operations[3] SOFTMAX: input 0 (operand 5) is read "
                                          "before an operation writes it [graph.execution_order]"));
}

TEST(ValidateModel, FindsLongCycles) {
    Model model = chainModel(100000);
    model.main.operations[0].inputs[0] = 100001;
    EXPECT_THAT(validate(model),
                Refuses("main.operations[0] SOFTMAX: input 0 (operand 100001) closes a cycle, "
                        "allowed none: operations 0 SOFTMAX, 1 SOFTMAX, 2 SOFTMAX and 99997 others "
                        "wait for each other [graph.execution_order]"));
    std::ranges::reverse(model.main.operations);
    model.main.operations.back().inputs[0] = 0;
    EXPECT_EQ(validateAll(model).errors.size(), 1000u);  // a different order would be valid
}

// Makes the IF of referenced[from] refer to another subgraph.
void redirect(Model& model, size_t from, uint32_t to) {
    model.referenced[from].operands.push_back(subgraphOperand(to));
}

TEST(ValidateModel, RefusesCycles) {
    Model self = ifModel();
    redirect(self, 1, 1);
    EXPECT_THAT(validate(self), Refuses("referenced[1].operands[4]: refers to referenced[1], which "
                                        "leads back here, allowed no cycles [model.cycle]"));
    Model mutual = ifModel();
    redirect(mutual, 0, 1);
    EXPECT_THAT(validate(mutual), Needs(V1_3));
    redirect(mutual, 1, 0);
    EXPECT_THAT(validate(mutual),
                Refuses("referenced[1].operands[4]: refers to referenced[0], which leads back "
                        "here, allowed no cycles [model.cycle]"));
}

// If all errors are collected, a graph that does not exist does not hide the cycle after it, which
// is reported once, however many paths lead to it.
TEST(ValidateModel, RefusesCyclesAndGraphsThatDoNotExistTogether) {
    Model model = ifModel();
    redirect(model, 0, 1);
    redirect(model, 1, 2);
    redirect(model, 1, 1);
    EXPECT_THAT(textsOf(validateAll(model).errors),
                ElementsAre("referenced[1].operands[4]: location.offset is 2, allowed below 2, the "
                            "number of referenced subgraphs [operand.location]",
                            "referenced[1].operands[5]: refers to referenced[1], which leads back "
                            "here, allowed no cycles [model.cycle]"));
}

TEST(ValidateModel, NestsDeep) {
    Model model = modelReading(operandOf(FLOAT32, {}, LifeTime::SUBGRAPH_INPUT));
    model.referenced.assign(100000, model.main);
    for (uint32_t i = 0; i + 1 < model.referenced.size(); ++i) redirect(model, i, i + 1);
    const Limits limits{.subgraphs = UINT64_MAX, .nesting = UINT64_MAX};
    EXPECT_THAT(validate(model, limits), Needs(V1_3));
    redirect(model, model.referenced.size() - 1, 0);
    EXPECT_THAT(validate(model, limits),
                Refuses("referenced[99999].operands[2]: refers to referenced[0], which leads back "
                        "here, allowed no cycles [model.cycle]"));
}

TEST(ValidateFor, NamesWhatIsTooNew) {
    Model model = softmaxModel();
    EXPECT_TRUE(validateFor(model, V1_0).ok());
    for (const size_t i : {0, 2, 3}) model.main.operands[i].type = TENSOR_FLOAT16;
    model.main.operands[1] = constantOf<uint16_t>(model, FLOAT16, {}, {0x3C00});
    EXPECT_TRUE(validateFor(model, V1_2).ok());

    const Status refused = validateFor(model, V1_0);
    EXPECT_EQ(refused.message(),
              "main.operands[0]: TENSOR_FLOAT16 needs HAL 1.2, target is HAL 1.0 [since]");
    EXPECT_EQ(diagnostic(refused)->since, V1_2);
    const auto errors = textsOf(validateAll(model, {.target = V1_0}).errors);
    EXPECT_THAT(errors, testing::Contains("main.operations[0] SOFTMAX: TENSOR_FLOAT16 needs HAL "
                                          "1.2, target is HAL 1.0 [since]"));
}

TEST(ValidateAll, NamesTheCausesOfTheVersion) {
    Model model = softmaxModel();
    EXPECT_THAT(validateAll(model).causes, IsEmpty());
    model.main.operands[2].dimensions.clear();
    model.extensionNameToPrefix = {{"a.b", 1}};
    Findings findings = validateAll(model);
    EXPECT_EQ(findings.version, V1_2);
    EXPECT_THAT(textsOf(findings.causes),
                ElementsAre("extensionNameToPrefix[0]: an extension needs HAL 1.2",
                            "main.operands[2]: a tensor of unknown rank needs HAL 1.2"));

    findings = validateAll(ifModel());
    EXPECT_EQ(findings.version, V1_3);
    EXPECT_THAT(textsOf(findings.causes),
                ElementsAre("referenced: a referenced subgraph needs HAL 1.3",
                            "main.operands[1]: SUBGRAPH needs HAL 1.3",
                            "main.operands[2]: SUBGRAPH needs HAL 1.3",
                            "main.operations[0] IF: IF needs HAL 1.3"));
}

TEST(ValidateAll, GivesAllErrorsUpToALimit) {
    Model model = softmaxModel();
    for (Operand& operand : model.main.operands) operand.zeroPoint = 1;
    model.main.operations[1].outputs = {2};
    EXPECT_THAT(
            textsOf(validateAll(model).errors),
            ElementsAre(
                    "main.operands[0]: zeroPoint is 1, allowed 0 for TENSOR_FLOAT32 "
                    "[operand.zero_point]",
                    "main.operands[1]: zeroPoint is 1, allowed 0 for FLOAT32 [operand.zero_point]",
                    "main.operands[2]: zeroPoint is 1, allowed 0 for TENSOR_FLOAT32 "
                    "[operand.zero_point]",
                    "main.operands[3]: zeroPoint is 1, allowed 0 for TENSOR_FLOAT32 "
                    "[operand.zero_point]",
                    "main.operations[1] SOFTMAX: output 0 (operand 2) is written already, allowed "
                    "once [graph.writers]",
                    "main.operands[3]: lifetime is SUBGRAPH_OUTPUT, but no operation writes the "
                    "operand [graph.unwritten]"));
    EXPECT_EQ(validateAll(model, {.maxDiagnostics = 2}).errors.size(), 2);
    EXPECT_FALSE(validateAll(model, {.maxDiagnostics = 0}).valid());
}

TEST(ValidateAll, WarnsOfEmptyLists) {
    Model model = modelReading(operandOf(FLOAT32, {}, LifeTime::NO_VALUE));
    EXPECT_THAT(textsOf(validateAll(model).warnings),
                ElementsAre("main: inputIndexes is empty, the HAL wants 1 or more [graph.inputs]"));
    EXPECT_TRUE(validateAll(model).valid());
}

}  // namespace
}  // namespace nn::model_test
