#include <functional>

#include "validate/models.h"

namespace nn::control_flow_test {
namespace {

using enum OperandType;

struct Broken {
    std::function<void(Model&)> change;
    const char* message;
};

void expectRefused(const Model& legal, const char* place, const std::vector<Broken>& rows) {
    for (const Broken& row : rows) {
        Model model = legal;
        row.change(model);
        EXPECT_THAT(validate(model), Refuses(std::string(place) + row.message));
    }
}

// Adds an input to a graph, and with it one to every graph that must have as many.
void addInput(Model::Subgraph& graph) {
    graph.inputIndexes.push_back(graph.operands.size());
    graph.operands.push_back(operandOf(TENSOR_FLOAT32, {1}, LifeTime::SUBGRAPH_INPUT));
}

TEST(ValidateIf, TakesUnknownDimensions) {
    EXPECT_THAT(validate(ifModel()), Needs(kVersionFeatureLevel4));
    Model model = ifModel();
    model.main.operands[3].dimensions = {};
    model.main.operands[4].dimensions = {0, 3};
    EXPECT_THAT(validate(model), Needs(kVersionFeatureLevel4));
}

TEST(ValidateIf, SaysWhyItRefuses) {
    expectRefused(
            ifModel(), "main.operations[0] IF: ",
            {
                    {[](Model& m) {
                         m.main.operations[0].inputs = {0, 1};
                     },
                     "has 2 inputs, allowed 3 or more [if_while.inputs]"},
                    {[](Model& m) { m.main.operations[0].outputs = {}; },
                     "has 0 outputs, allowed 1 or more [if_while.outputs]"},
                    {[](Model& m) { m.main.operands[0].dimensions = {0}; },
                     "input 0 (operand 0) is TENSOR_BOOL8[0], allowed TENSOR_BOOL8[1] "
                     "[if_while.condition]"},
                    {[](Model& m) {
                         m.main.operands[0] = operandOf(BOOL, {}, LifeTime::SUBGRAPH_INPUT);
                     },
                     "input 0 (operand 0) is BOOL[], allowed TENSOR_BOOL8[1] [if_while.condition]"},
                    {[](Model& m) { m.main.operands[0].dimensions = {}; },
                     "input 0 (operand 0) is TENSOR_BOOL8[], allowed TENSOR_BOOL8[1] "
                     "[if_while.condition]"},
                    {[](Model& m) {
                         m.main.operands[0].dimensions = {1, 1};
                     },
                     "input 0 (operand 0) is TENSOR_BOOL8[1, 1], allowed TENSOR_BOOL8[1] "
                     "[if_while.condition]"},
                    {[](Model& m) {
                         m.main.operations[0].inputs = {0, 1, 3};
                     },
                     "referenced[0] has 1 input, allowed 0: the operation passes 0 "
                     "[if_while.subgraph]"},
                    {[](Model& m) {
                         m.main.operations[0].inputs = {0, 3, 1, 3};
                     },
                     "input 1 (operand 3) is TENSOR_FLOAT32, allowed SUBGRAPH [if_while.types]"},
                    {[](Model& m) { addInput(m.referenced[1]); },
                     "referenced[1] has 2 inputs, allowed 1: the operation passes 1 "
                     "[if_while.subgraph]"},
                    {[](Model& m) {
                         m.main.operands.push_back(
                                 operandOf(TENSOR_FLOAT32, {1}, LifeTime::SUBGRAPH_OUTPUT));
                         m.main.outputIndexes.push_back(5);
                         m.main.operations[0].outputs.push_back(5);
                     },
                     "referenced[0] has 1 output, allowed 2: the operation has 2 "
                     "[if_while.subgraph]"},
                    {[](Model& m) {
                         m.main.operands[3].dimensions = {2, 4};
                     },
                     "input 3 (operand 3) has dimensions [2, 4], allowed [2, 3] as input 0 of "
                     "referenced[0] [if_while.operands]"},
                    {[](Model& m) { m.main.operands[3].dimensions = {2}; },
                     "input 3 (operand 3) has dimensions [2], allowed [2, 3] as input 0 of "
                     "referenced[0] [if_while.operands]"},
                    {[](Model& m) { m.main.operands[4].type = TENSOR_FLOAT16; },
                     "output 0 of referenced[0] is TENSOR_FLOAT32, allowed TENSOR_FLOAT16 as "
                     "output 0 (operand 4) [if_while.operands]"},
            });
}

TEST(ValidateIf, ComparesQuantisation) {
    Model legal = ifModel();
    for (Model::Subgraph* graph : {&legal.main, &legal.referenced[0], &legal.referenced[1]}) {
        for (Operand& operand : graph->operands) {
            if (operand.type != TENSOR_FLOAT32) continue;
            operand.type = TENSOR_QUANT8_ASYMM;
            operand.scale = 1.0f / 256;
        }
    }
    EXPECT_THAT(validate(legal), Needs(kVersionFeatureLevel4));
    expectRefused(legal, "main.operations[0] IF: ",
                  {
                          {[](Model& m) { m.main.operands[3].scale = 2; },
                           "input 3 (operand 3) has scale 2, allowed 0.00390625 as input 0 of "
                           "referenced[0] [if_while.operands]"},
                          {[](Model& m) { m.main.operands[4].zeroPoint = 2; },
                           "output 0 of referenced[0] has zeroPoint 0, allowed 2 as output 0 "
                           "(operand 4) [if_while.operands]"},
                  });
}

TEST(ValidateIf, ComparesExtraParams) {
    Model model = ifModel();
    Operand filter = operandOf(TENSOR_QUANT8_SYMM_PER_CHANNEL, {1}, LifeTime::SUBGRAPH_INPUT);
    filter.extraParams = Operand::SymmPerChannelQuantParams{.scales = {1}, .channelDim = 0};
    for (Model::Subgraph* graph : {&model.main, &model.referenced[0], &model.referenced[1]}) {
        addInput(*graph);
        graph->operands.back() = filter;
    }
    model.main.operations[0].inputs.push_back(5);
    EXPECT_THAT(validate(model), Needs(kVersionFeatureLevel4));
    std::get<Operand::SymmPerChannelQuantParams>(model.main.operands[5].extraParams).scales = {2};
    EXPECT_THAT(validate(model),
                Refuses("main.operations[0] IF: input 4 (operand 5) has other extraParams, allowed "
                        "the same as input 1 of referenced[0] [if_while.operands]"));
}

TEST(ValidateWhile, NeedsARuntimeForUnknownSizes) {
    EXPECT_THAT(validate(whileModel()), Needs(kVersionFeatureLevel4));
    const Version runtimeOnly{.level = Version::Level::FEATURE_LEVEL_4,
                              .runtimeOnlyFeatures = true};
    const std::vector<std::function<Operand&(Model&)>> kOperands = {
            [](Model& m) -> Operand& { return m.main.operands[2]; },
            [](Model& m) -> Operand& { return m.main.operands[3]; },
            [](Model& m) -> Operand& { return m.referenced[0].operands[0]; },
            [](Model& m) -> Operand& { return m.referenced[1].operands[0]; },
            [](Model& m) -> Operand& { return m.referenced[1].operands[3]; },
    };
    for (const auto& operand : kOperands) {
        Model model = whileModel();
        operand(model).dimensions = {0, 3};
        EXPECT_THAT(validate(model), Needs(runtimeOnly));
        EXPECT_EQ(validateFor(model, kVersionFeatureLevel4).message(),
                  "main.operations[0] WHILE: an operand of unknown size needs HAL 1.3 with "
                  "runtime-only features, target is HAL 1.3 [since]");
    }
    Model inner = whileModel();  // what stays within a subgraph may be unknown
    inner.referenced[1].operands[2].dimensions = {0, 3};
    EXPECT_THAT(validate(inner), Needs(kVersionFeatureLevel4));
}

// How large a value of an extension's type is, only its vendor knows.
TEST(ValidateWhile, TakesTypesOfExtensions) {
    Model model = whileModel();
    for (Model::Subgraph* graph : {&model.main, &model.referenced[0], &model.referenced[1]}) {
        for (Operand& operand : graph->operands) {
            if (operand.type == TENSOR_FLOAT32) operand.type = static_cast<OperandType>(0x00010000);
        }
        for (Operation& operation : graph->operations) {
            if (operation.type == OperationType::SOFTMAX)
                operation.type = OperationType::OEM_OPERATION;
        }
    }
    EXPECT_THAT(validate(model), Needs(kVersionFeatureLevel4));
}

// A loop whose body counts, of which only the value is wanted.
TEST(ValidateWhile, TakesMoreOutputsOfTheBodyThanOfTheOperation) {
    Model model = whileModel();
    for (Model::Subgraph* graph : {&model.main, &model.referenced[0], &model.referenced[1]}) {
        addInput(*graph);
    }
    model.main.operations[0].inputs.push_back(4);
    Model::Subgraph& body = model.referenced[1];
    body.operands.push_back(operandOf(TENSOR_FLOAT32, {1}, LifeTime::SUBGRAPH_OUTPUT));
    body.operations.push_back(
            {.type = OperationType::OEM_OPERATION, .inputs = {4}, .outputs = {5}});
    body.outputIndexes.push_back(5);
    model.main.operations[0].outputs = {3, 0};
    model.main.operations[0].outputs.pop_back();  // what stands behind the last is not looked at
    EXPECT_THAT(validate(model), Needs(kVersionFeatureLevel4));
    expectRefused(model, "main.operations[0] WHILE: ",
                  {{[](Model& m) { m.referenced[1].operands[5].dimensions = {2}; },
                    "output 1 of referenced[1] has dimensions [2], allowed [1] as input 1 of "
                    "referenced[1] [if_while.operands]"},
                   {[](Model& m) { m.main.operands[4].dimensions = {2}; },
                    "input 3 (operand 4) has dimensions [2], allowed [1] as input 1 of "
                    "referenced[0] [if_while.operands]"}});
}

TEST(ValidateWhile, SaysWhyItRefuses) {
    expectRefused(
            whileModel(), "main.operations[0] WHILE: ",
            {
                    {[](Model& m) {
                         m.main.operations[0].inputs = {0, 1};
                     },
                     "has 2 inputs, allowed 3 or more [if_while.inputs]"},
                    {[](Model& m) { m.main.operations[0].outputs = {}; },
                     "has 0 outputs, allowed 1 or more [if_while.outputs]"},
                    {[](Model& m) {
                         m.main.operations[0].inputs = {2, 1, 2};
                     },
                     "input 0 (operand 2) is TENSOR_FLOAT32, allowed SUBGRAPH [if_while.types]"},
                    {[](Model& m) { addInput(m.referenced[0]); },
                     "referenced[0] has 2 inputs, allowed 1: the operation passes 1 "
                     "[if_while.subgraph]"},
                    {[](Model& m) { addInput(m.referenced[1]); },
                     "referenced[1] has 2 inputs, allowed 1: the operation passes 1 "
                     "[if_while.subgraph]"},
                    {[](Model& m) {
                         m.referenced[0].outputIndexes = {1, 1};
                     },
                     "referenced[0] has 2 outputs, allowed 1: a condition has 1 "
                     "[if_while.subgraph]"},
                    {[](Model& m) { m.referenced[0].operands[1].dimensions = {2}; },
                     "output 0 of referenced[0] is TENSOR_BOOL8[2], allowed TENSOR_BOOL8[1] "
                     "[if_while.condition]"},
                    {[](Model& m) {
                         m.referenced[1].outputIndexes = {3, 3};
                     },
                     "referenced[1] has 2 outputs, allowed 1 to 1: as many as the operation has "
                     "outputs to as many as the body has inputs [if_while.subgraph]"},
                    {[](Model& m) { m.referenced[1].outputIndexes = {}; },
                     "referenced[1] has 0 outputs, allowed 1 to 1: as many as the operation has "
                     "outputs to as many as the body has inputs [if_while.subgraph]"},
                    {[](Model& m) {
                         m.referenced[1].operands[3].dimensions = {2, 4};
                     },
                     "output 0 of referenced[1] has dimensions [2, 4], allowed [2, 3] as output 0 "
                     "(operand 3) [if_while.operands]"},
                    {[](Model& m) {
                         m.main.operands[3].dimensions = {2, 4};
                         m.referenced[1].operands[3].dimensions = {2, 4};
                     },
                     "output 0 of referenced[1] has dimensions [2, 4], allowed [2, 3] as input 0 "
                     "of referenced[1] [if_while.operands]"},
            });
}

TEST(ValidateWhile, LeavesBrokenSubgraphsToTheirOwnCheck) {
    Model model = whileModel();
    model.referenced[1].inputIndexes = {77};
    EXPECT_THAT(validate(model),
                Refuses("referenced[1].inputIndexes[0]: operand 77 does not exist, allowed below "
                        "4, the number of operands [graph.inputs]"));
    model = whileModel();
    model.referenced[0].outputIndexes = {77};  // the condition
    EXPECT_THAT(textsOf(validateAll(model).errors),
                testing::Contains("referenced[0].outputIndexes[0]: operand 77 does not exist, "
                                  "allowed below 2, the number of operands [graph.outputs]"));
}

}  // namespace
}  // namespace nn::control_flow_test
