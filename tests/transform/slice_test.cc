// The operations that a version can represent, and the model made of them.
#include "nnapi/slice.h"

#include <functional>

#include "convert/convert_test.h"
#include "nnapi/compat.h"
#include "nnapi/print.h"

namespace nn::slice_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using LifeTime = Operand::LifeTime;
using enum HalVersion;

// in -> RELU -> a -> HARD_SWISH -> b -> RELU -> out, and c = a + b, the second output. HARD_SWISH
// requires HAL 1.3.
Model chain() {
    return {.main = {.operands = {tensor(LifeTime::SUBGRAPH_INPUT),      // 0 in
                                  tensor(LifeTime::TEMPORARY_VARIABLE),  // 1 a
                                  tensor(LifeTime::TEMPORARY_VARIABLE),  // 2 b
                                  tensor(LifeTime::SUBGRAPH_OUTPUT),     // 3 out
                                  tensor(LifeTime::SUBGRAPH_OUTPUT),     // 4 c
                                  {.type = OperandType::INT32,           // 5 no activation
                                   .lifetime = LifeTime::CONSTANT_COPY,
                                   .location = {.length = 4}}},
                     .operations =
                             {{.type = OperationType::RELU, .inputs = {0}, .outputs = {1}},
                              {.type = OperationType::HARD_SWISH, .inputs = {1}, .outputs = {2}},
                              {.type = OperationType::RELU, .inputs = {2}, .outputs = {3}},
                              {.type = OperationType::ADD, .inputs = {1, 2, 5}, .outputs = {4}}},
                     .inputIndexes = {0},
                     .outputIndexes = {4, 3}},
            .operandValues = Model::OperandValues({0, 0, 0, 0})};
}

std::set<uint32_t> nonCompliant(const V1_3::Model& model,
                                bool (*compliant)(const V1_3::Model&, std::set<uint32_t>*)) {
    std::set<uint32_t> operations = {77};  // the previous content is dropped
    EXPECT_FALSE(compliant(model, &operations));
    return operations;
}

TEST(NonCompliant, OperationsByTypeOperandAndPool) {
    Model model = chain();
    EXPECT_THAT(nonCompliantOperations(model, V1_3), IsEmpty());
    EXPECT_THAT(nonCompliantOperations(model, V1_2), ElementsAre(OperationIndex{.operation = 1}));

    model.main.operands[3].dimensions = {};  // a tensor of unknown rank needs HAL 1.2
    EXPECT_THAT(nonCompliantOperations(model, V1_1),
                ElementsAre(OperationIndex{.operation = 1}, OperationIndex{.operation = 2}));

    // The activation of ADD in a memory that HAL 1.1 cannot represent.
    model.pools = {share(Memory::Unknown{.handle = {}, .size = 4, .name = "mine"})};
    model.main.operands[5].lifetime = LifeTime::CONSTANT_REFERENCE;
    EXPECT_THAT(nonCompliantOperations(model, V1_1),
                ElementsAre(OperationIndex{.operation = 1}, OperationIndex{.operation = 2},
                            OperationIndex{.operation = 3}));
    EXPECT_THAT(nonCompliantOperations(model, V1_2), ElementsAre(OperationIndex{.operation = 1}));
    EXPECT_EQ(nonCompliant(V1_3::utils::convert(model).value(), compliantWithV1_1<V1_3::Model>),
              (std::set<uint32_t>{1, 2, 3}));
    EXPECT_EQ(nonCompliantOperations(validateModel(model).value(), V1_1),
              nonCompliantOperations(model, V1_1));
}

TEST(NonCompliant, IllegalOperationsAreAmongThem) {
    Model model = chain();
    model.main.operations[3].type = static_cast<OperationType>(777);
    for (const uint32_t input : {6u, 99u, UINT32_MAX}) {  // of operands 0 to 5
        model.main.operations[0].inputs = {input};
        EXPECT_THAT(nonCompliantOperations(model, V1_3),
                    ElementsAre(OperationIndex{.operation = 0}, OperationIndex{.operation = 3}));
    }
    model.main.operations[2].outputs = {99};
    EXPECT_THAT(nonCompliantOperations(model, V1_3),
                ElementsAre(OperationIndex{.operation = 0}, OperationIndex{.operation = 2},
                            OperationIndex{.operation = 3}));
}

// IF over graph 0, whose RELU is an IF over graphs 1 and 2 with `type`.
Model nested(OperationType type) {
    Model model = reluModel();
    const auto makeIf = [](Model::Subgraph& graph, uint32_t then, uint32_t otherwise) {
        const auto add = [&](Operand operand) {
            graph.operands.push_back(std::move(operand));
            return static_cast<uint32_t>(graph.operands.size() - 1);
        };
        const auto graphOperand = [&](uint32_t index) {
            return add({.type = OperandType::SUBGRAPH,
                        .lifetime = LifeTime::SUBGRAPH,
                        .location = {.offset = index}});
        };
        const uint32_t condition = add({.type = OperandType::TENSOR_BOOL8,
                                        .dimensions = {1},
                                        .lifetime = LifeTime::CONSTANT_COPY,
                                        .location = {.length = 1}});
        graph.operations[0] = {
                .type = OperationType::IF,
                .inputs = {condition, graphOperand(then), graphOperand(otherwise), 0},
                .outputs = {1}};
    };
    model.operandValues = Model::OperandValues({1});
    model.referenced.assign(3, reluModel().main);
    model.referenced[1].operations[0].type = type;
    makeIf(model.referenced[0], 1, 2);
    makeIf(model.main, 0, 0);
    return model;
}

TEST(NonCompliant, GraphsThatDoNotExistAreIllegal) {
    Model model = nested(OperationType::RELU);
    model.main.operands.back().location.offset = 3;  // of graphs 0 to 2
    EXPECT_THAT(nonCompliantOperations(model, V1_3), ElementsAre(OperationIndex{}));
}

TEST(NonCompliant, ControlFlowThatDoesNotFitItsGraphsIsIllegal) {
    Model model = nested(OperationType::RELU);
    model.main.operations[0].inputs.push_back(0);
    EXPECT_THAT(nonCompliantOperations(model, V1_3), ElementsAre(OperationIndex{}));
}

TEST(NonCompliant, ControlFlowOverNonCompliantGraphs) {
    EXPECT_THAT(nonCompliantOperations(nested(OperationType::RELU), V1_3), IsEmpty());
    // PACK was added with feature level 6; here it is invalid in any version.
    EXPECT_THAT(
            nonCompliantOperations(nested(OperationType::PACK), V1_3),
            ElementsAre(OperationIndex{}, OperationIndex{.graph = 0}, OperationIndex{.graph = 1}));
    EXPECT_THAT(nonCompliantOperations(nested(OperationType::RELU), V1_2),
                ElementsAre(OperationIndex{}, OperationIndex{.graph = 0}));
    // For a model of a version, only operations of main are named.
    EXPECT_EQ(nonCompliant(V1_3::utils::convert(nested(OperationType::RELU)).value(),
                           compliantWithV1_2<V1_3::Model>),
              std::set<uint32_t>{0});
}

// Only SUBGRAPH operands refer to graphs; the offsets of other operands do not matter.
TEST(NonCompliant, UnreferencedGraphsDoNotAffectOthers) {
    Model model = chain();
    model.referenced = {reluModel().main};
    model.referenced[0].operations[0].type = OperationType::PACK;
    EXPECT_THAT(nonCompliantOperations(model, V1_3), ElementsAre(OperationIndex{.graph = 0}));
}

TEST(NonCompliant, VisitsGraphsThatReferToEachOtherOnce) {
    Model model = nested(OperationType::PACK);
    Model::Subgraph& inner = model.referenced[1];
    inner.operands.push_back({.type = OperandType::SUBGRAPH, .lifetime = LifeTime::SUBGRAPH});
    inner.operations.push_back(
            {.type = OperationType::OEM_OPERATION, .inputs = {2}, .outputs = {}});
    EXPECT_THAT(
            nonCompliantOperations(model, V1_3),
            ElementsAre(OperationIndex{}, OperationIndex{.graph = 0}, OperationIndex{.graph = 1},
                        OperationIndex{.graph = 1, .operation = 1}));
}

TEST(NonCompliant, NoneIfOnlyOtherPartsAreLost) {
    auto model = V1_3::utils::convert(reluModel()).value();
    std::set<uint32_t> operations = {77};
    EXPECT_TRUE(compliantWithV1_0(model, &operations));
    EXPECT_THAT(operations, IsEmpty());
    model.relaxComputationFloat32toFloat16 = true;
    EXPECT_THAT(nonCompliant(model, compliantWithV1_0<V1_3::Model>), IsEmpty());
    EXPECT_FALSE(compliantWithV1_0(model, nullptr));
    EXPECT_TRUE(compliantWithV1_1(model, nullptr));
}

TEST(NonCompliant, NoneOfAnInvalidModel) {
    auto model = V1_3::utils::convert(reluModel()).value();
    model.main.operands[0].lifetime = static_cast<V1_3::OperandLifeTime>(77);
    EXPECT_THAT(nonCompliant(model, compliantWithV1_0<V1_3::Model>), IsEmpty());
    EXPECT_FALSE(compliantWithV1_0(model));
    EXPECT_FALSE(compliantWithV1_0(model.main.operands[0]));
}

TEST(Compliant, OperandsAndOperationsAlone) {
    const auto operand = [](Operand canonical) {
        return V1_3::utils::unvalidatedConvert(canonical).value();
    };
    Operand graph{.type = OperandType::SUBGRAPH, .lifetime = LifeTime::SUBGRAPH};
    Operand unknownRank = tensor(LifeTime::TEMPORARY_VARIABLE);
    unknownRank.dimensions = {};
    Operand wrong = tensor(LifeTime::TEMPORARY_VARIABLE);
    wrong.scale = 2;
    const struct {
        V1_3::Operand operand;
        bool v1_0, v1_2;
    } operands[] = {
            {operand(tensor(LifeTime::SUBGRAPH_INPUT)), true, true},
            {operand(unknownRank), false, true},
            {operand({.type = OperandType::BOOL}), false, true},
            {operand(graph), false, false},
            {operand(wrong), false, false},
    };
    for (const auto& row : operands) {
        EXPECT_EQ(compliantWithV1_0(row.operand), row.v1_0) << print(row.operand);
        EXPECT_EQ(compliantWithV1_1(row.operand), row.v1_0) << print(row.operand);
        EXPECT_EQ(compliantWithV1_2(row.operand), row.v1_2) << print(row.operand);
    }
    const auto operation = [](OperationType type) {
        return V1_3::Operation{
                .type = static_cast<V1_3::OperationType>(type), .inputs = {}, .outputs = {}};
    };
    EXPECT_TRUE(compliantWithV1_0(operation(OperationType::RELU)));
    EXPECT_TRUE(compliantWithV1_0(operation(OperationType::OEM_OPERATION)));
    EXPECT_FALSE(compliantWithV1_0(operation(OperationType::MEAN)));
    EXPECT_TRUE(compliantWithV1_1(operation(OperationType::MEAN)));
    EXPECT_FALSE(compliantWithV1_1(operation(static_cast<OperationType>(0x20001))));
    EXPECT_TRUE(compliantWithV1_2(operation(static_cast<OperationType>(0x20001))));
    EXPECT_FALSE(compliantWithV1_3(operation(OperationType::PACK)));
}

// RELU, OEM_OPERATION on its result, and RELU on that result.
Model withOem() {
    Model model{.main = {.operands = {tensor(LifeTime::SUBGRAPH_INPUT),
                                      tensor(LifeTime::TEMPORARY_VARIABLE),
                                      tensor(LifeTime::TEMPORARY_VARIABLE),
                                      tensor(LifeTime::SUBGRAPH_OUTPUT)},
                         .inputIndexes = {0},
                         .outputIndexes = {3}}};
    model.main.operations = {{.type = OperationType::RELU, .inputs = {0}, .outputs = {1}},
                             {.type = OperationType::OEM_OPERATION, .inputs = {1}, .outputs = {2}},
                             {.type = OperationType::RELU, .inputs = {2}, .outputs = {3}}};
    return model;
}

TEST(Slice, TowardsAidlHasNothingOfOems) {
    Model model = withOem();
    EXPECT_THAT(nonCompliantOperations(model, V1_3), IsEmpty());
    EXPECT_EQ(sliceForVersion(model, V1_0).value().model, model);
    for (const HalVersion version : {AIDL1, AIDL4}) {
        EXPECT_THAT(nonCompliantOperations(model, version),
                    ElementsAre(OperationIndex{.operation = 1}));
        const Slice slice = sliceForVersion(model, version).value();
        EXPECT_EQ(slice.origin.main.operations, (std::vector<uint32_t>{0, 2}));
        EXPECT_TRUE(convertTo(version, slice.model).ok());
    }
    // OEM types as well.
    model.main.operands[2].type = OperandType::TENSOR_OEM_BYTE;
    model.main.operations[2] = {.type = OperationType::RELU, .inputs = {1}, .outputs = {3}};
    const Slice slice = sliceForVersion(model, AIDL2).value();
    EXPECT_EQ(slice.origin.main.operations, (std::vector<uint32_t>{0, 2}));
    EXPECT_TRUE(AIDL2::utils::convert(slice.model).ok());
}

TEST(Slice, TowardsAidlHasPrefixesOf15Bits) {
    Model model = withOem();
    model.main.operations[1].type = static_cast<OperationType>(0x80010001);
    model.extensionNameToPrefix = {{.name = "com.example.long", .prefix = 0x8001}};
    EXPECT_THAT(nonCompliantOperations(model, V1_3), IsEmpty());
    const Slice slice = sliceForVersion(model, AIDL1).value();
    EXPECT_EQ(slice.origin.main.operations, (std::vector<uint32_t>{0, 2}));
    EXPECT_THAT(slice.model.extensionNameToPrefix, IsEmpty());
    EXPECT_TRUE(AIDL1::utils::convert(slice.model).ok());
}

// Each change is valid in HAL 1.3 but in no AIDL version. At most the first operation depends on
// it, and is left out.
TEST(Slice, TowardsAidlLeavesOutWhatAidlLacks) {
    constexpr uint32_t kLarge = 1u << 31;
    const struct {
        const char* name;
        std::function<void(Model&)> change;
        size_t operations;
    } kRows[] = {
            {"Nothing", [](Model&) {}, 2},
            {"Dimension",
             [](Model& m) {
                 for (const size_t i : {0, 1}) {
                     m.main.operands[i].type = OperandType::TENSOR_QUANT8_ASYMM;
                     m.main.operands[i].scale = 1;
                     m.main.operands[i].dimensions = {kLarge};
                 }
             },
             1},
            {"OperandOfAGraph",
             [](Model& m) {
                 m.referenced.push_back(reluModel().main);
                 m.referenced[0].operands.push_back(
                         {.type = OperandType::OEM, .lifetime = LifeTime::NO_VALUE});
             },
             2},
            {"OperationOfAGraph",
             [](Model& m) {
                 m.referenced.push_back(reluModel().main);
                 m.referenced[0].operations[0].type = OperationType::OEM_OPERATION;
             },
             2},
            {"Pool",
             [](Model& m) { m.pools = {share(Memory::Unknown{.size = 4, .name = "mine"})}; }, 2},
            {"Prefix",
             [](Model& m) {
                 m.extensionNameToPrefix = {{.name = "com.example.long", .prefix = 0x8001}};
             },
             2},
    };
    for (const auto& row : kRows) {
        SCOPED_TRACE(row.name);
        Model model = reluModel();
        model.main.operands.push_back(tensor(LifeTime::SUBGRAPH_INPUT));
        model.main.operands.push_back(tensor(LifeTime::SUBGRAPH_OUTPUT));
        model.main.operations.push_back(
                {.type = OperationType::RELU, .inputs = {2}, .outputs = {3}});
        model.main.inputIndexes = {0, 2};
        model.main.outputIndexes = {1, 3};
        row.change(model);
        ASSERT_TRUE(V1_3::utils::convert(model).ok()) << V1_3::utils::convert(model).status();
        EXPECT_EQ(sliceForVersion(model, V1_3)->model, model);
        for (const HalVersion version : {AIDL1, AIDL4}) {
            const Slice slice = sliceForVersion(model, version).value();
            EXPECT_EQ(slice.model.main.operations.size(), row.operations);
            EXPECT_EQ(nonCompliantOperations(model, version).size(),
                      model.referenced.size() * (row.name == std::string("OperationOfAGraph")) + 2 -
                              row.operations);
            EXPECT_TRUE(convertTo(version, slice.model).ok());
        }
    }
}

TEST(NonCompliant, NoLimitsOfAidlForAnUnknownVersion) {
    EXPECT_THAT(nonCompliantOperations(withOem(), HalVersion(kHalVersions.size())), IsEmpty());
}

// in -> RELU -> a -> REVERSE -> out: REVERSE needs AIDL 3.
Model withReverse() {
    return {.main = {.operands = {tensor(LifeTime::SUBGRAPH_INPUT),
                                  tensor(LifeTime::TEMPORARY_VARIABLE),
                                  tensor(LifeTime::SUBGRAPH_OUTPUT),
                                  {.type = OperandType::TENSOR_INT32,
                                   .dimensions = {1},
                                   .lifetime = LifeTime::CONSTANT_COPY,
                                   .location = {.length = 4}}},
                     .operations = {{.type = OperationType::RELU, .inputs = {0}, .outputs = {1}},
                                    {.type = OperationType::REVERSE,
                                     .inputs = {1, 3},
                                     .outputs = {2}}},
                     .inputIndexes = {0},
                     .outputIndexes = {2}},
            .operandValues = Model::OperandValues({0, 0, 0, 0})};
}

TEST(Slice, BetweenVersionsOfAidlCutsWhatIsNewer) {
    const Model model = withReverse();
    for (const HalVersion version : {AIDL3, AIDL4}) {
        EXPECT_THAT(nonCompliantOperations(model, version), IsEmpty());
        EXPECT_EQ(sliceForVersion(model, version).value().model, model);
    }
    for (const HalVersion version : {V1_0, AIDL1, AIDL2}) {
        EXPECT_THAT(nonCompliantOperations(model, version),
                    ElementsAre(OperationIndex{.operation = 1}));
        const Slice slice = sliceForVersion(model, version).value();
        EXPECT_EQ(slice.origin.main.operations, (std::vector<uint32_t>{0}));
        EXPECT_EQ(slice.model.main.operands.size(), 2u);
        EXPECT_TRUE(convertTo(version, slice.model).ok());
    }
    const auto hal = AIDL3::utils::convert(model).value();
    EXPECT_TRUE(compliantBetween<AIDL4>(hal));
    std::set<uint32_t> operations = {77};
    EXPECT_FALSE(compliantBetween<AIDL2>(hal, &operations));
    EXPECT_THAT(operations, ElementsAre(1u));
}

TEST(Slice, CutsAtTheBorderAndMapsBack) {
    const Slice slice = sliceForVersion(chain(), V1_0).value();
    const Model expected{
            .main = {.operands = {tensor(LifeTime::SUBGRAPH_INPUT),
                                  tensor(LifeTime::SUBGRAPH_OUTPUT),  // HARD_SWISH reads it
                                  tensor(LifeTime::SUBGRAPH_INPUT),   // HARD_SWISH writes it
                                  tensor(LifeTime::SUBGRAPH_OUTPUT),
                                  tensor(LifeTime::SUBGRAPH_OUTPUT), chain().main.operands[5]},
                     .operations = {{.type = OperationType::RELU, .inputs = {0}, .outputs = {1}},
                                    {.type = OperationType::RELU, .inputs = {2}, .outputs = {3}},
                                    {.type = OperationType::ADD,
                                     .inputs = {1, 2, 5},
                                     .outputs = {4}}},
                     .inputIndexes = {0, 2},
                     .outputIndexes = {4, 3, 1}},
            .operandValues = chain().operandValues};
    EXPECT_EQ(slice.model, expected);
    EXPECT_TRUE(V1_0::utils::convert(slice.model).ok());
    EXPECT_THAT(slice.origin.main.operations, ElementsAre(0u, 2u, 3u));
    EXPECT_THAT(slice.origin.main.operands, ElementsAre(0u, 1u, 2u, 3u, 4u, 5u));

    EXPECT_THAT(slice.supportedOperations({true, false, true}),
                ElementsAre(true, false, false, true));
    EXPECT_THAT(slice.supportedOperations({true}), ElementsAre(true, false, false, false));
    EXPECT_THAT(slice.supportedOperations({true, true, true, true, true}),
                ElementsAre(true, false, true, true));
}

TEST(Slice, OfOperationsByChoice) {
    const ValidatedModel model = validateModel(chain()).value();
    const Slice needed = sliceOfOperations(model, {true, true, false, false}).value();
    EXPECT_THAT(needed.origin.main.operations, ElementsAre(0u, 1u));
    EXPECT_THAT(needed.origin.main.operands, ElementsAre(0u, 1u, 2u));
    EXPECT_THAT(needed.model.main.inputIndexes, ElementsAre(0u));
    EXPECT_THAT(needed.model.main.outputIndexes, ElementsAre(1u, 2u)) << "both are read later";
    EXPECT_EQ(needed.operationCount, 4u);

    EXPECT_EQ(sliceOfOperations(model, {true, true, true, true})->model, chain());
    const Slice all = sliceOfOperations(model, {true, true, true, true}, SliceOutputs::ALL).value();
    EXPECT_THAT(all.model.main.outputIndexes, ElementsAre(4u, 3u, 1u, 2u));
    EXPECT_TRUE(validate(all.model).ok());

    const Slice last = sliceOfOperations(model, {false, false, false, true}).value();
    EXPECT_THAT(last.origin.main.operands, ElementsAre(1u, 2u, 4u, 5u));
    EXPECT_THAT(last.model.main.inputIndexes, ElementsAre(0u, 1u));
    EXPECT_TRUE(validate(last.model).ok());
}

TEST(Slice, OfOperationsThatAreNone) {
    const ValidatedModel model = validateModel(chain()).value();
    for (const std::vector<bool>& wrong :
         {std::vector<bool>(), std::vector<bool>(4), std::vector<bool>(3, true),
          std::vector<bool>(5, true)}) {
        EXPECT_EQ(errorStatus(sliceOfOperations(model, wrong).status()),
                  ErrorStatus::INVALID_ARGUMENT);
    }
    EXPECT_EQ(std::string(sliceOfOperations(model, std::vector<bool>(4)).status().message()),
              "main.operations: 4 values with 0 true, allowed one for each of the 4, at least one "
              "of them true");
}

// An output that the slice reads but does not compute.
TEST(Slice, AnOutputOfTheOthersBecomesAnInput) {
    Model model = chain();
    model.main.operands[2].lifetime = LifeTime::SUBGRAPH_OUTPUT;
    model.main.outputIndexes = {2, 4, 3};
    const Slice slice = sliceForVersion(model, V1_0).value();
    EXPECT_EQ(slice.model.main.operands[2].lifetime, LifeTime::SUBGRAPH_INPUT);
    EXPECT_THAT(slice.model.main.inputIndexes, ElementsAre(0u, 2u));
    EXPECT_THAT(slice.model.main.outputIndexes, ElementsAre(4u, 3u, 1u));
}

TEST(Slice, LeavesOutWhatOnlyTheOthersNeed) {
    Model model = chain();
    model.main.operations[3].type = OperationType::HARD_SWISH;  // reads a, writes c
    model.main.operations[3].inputs = {1};
    model.main.operands.erase(model.main.operands.begin() + 5);
    const Slice slice = sliceForVersion(model, V1_1).value();
    EXPECT_THAT(slice.origin.main.operands, ElementsAre(0u, 1u, 2u, 3u));
    EXPECT_THAT(slice.model.main.inputIndexes, ElementsAre(0u, 2u));
    EXPECT_THAT(slice.model.main.outputIndexes, ElementsAre(3u, 1u));
    EXPECT_EQ(slice.model.operandValues.size(), 0u);
}

// The first operand crosses the border: a -> b by RELU, or c -> a by HARD_SWISH.
TEST(Slice, TheFirstOperandCanBecomeInputOrOutput) {
    const auto model = [](OperationType writer, OperationType reader) {
        return Model{.main = {.operands = {tensor(LifeTime::TEMPORARY_VARIABLE),
                                           tensor(LifeTime::SUBGRAPH_INPUT),
                                           tensor(LifeTime::SUBGRAPH_OUTPUT)},
                              .operations = {{.type = writer, .inputs = {1}, .outputs = {0}},
                                             {.type = reader, .inputs = {0}, .outputs = {2}}},
                              .inputIndexes = {1},
                              .outputIndexes = {2}}};
    };
    const Slice behind =
            sliceForVersion(model(OperationType::HARD_SWISH, OperationType::RELU), V1_0).value();
    EXPECT_THAT(behind.origin.main.operands, ElementsAre(0u, 2u));
    EXPECT_THAT(behind.model.main.inputIndexes, ElementsAre(0u));
    EXPECT_THAT(behind.model.main.outputIndexes, ElementsAre(1u));
    EXPECT_EQ(behind.model.main.operands[0].lifetime, LifeTime::SUBGRAPH_INPUT);
    const Slice before =
            sliceForVersion(model(OperationType::RELU, OperationType::HARD_SWISH), V1_0).value();
    EXPECT_THAT(before.origin.main.operands, ElementsAre(0u, 1u));
    EXPECT_THAT(before.model.main.inputIndexes, ElementsAre(1u));
    EXPECT_THAT(before.model.main.outputIndexes, ElementsAre(0u));
    EXPECT_EQ(before.model.main.operands[0].lifetime, LifeTime::SUBGRAPH_OUTPUT);
}

TEST(Slice, WhatOnlyKeptOperationsUseStaysTemporary) {
    Model model = chain();
    model.main.operations[1] = {.type = OperationType::RELU, .inputs = {1}, .outputs = {2}};
    model.main.operations[3].type = OperationType::HARD_SWISH;  // reads in, writes c
    model.main.operations[3].inputs = {0};
    model.main.operands.pop_back();
    const Slice slice = sliceForVersion(model, V1_0).value();
    EXPECT_THAT(slice.origin.main.operations, ElementsAre(0u, 1u, 2u));
    EXPECT_EQ(slice.model.main.operands[1].lifetime, LifeTime::TEMPORARY_VARIABLE);
    EXPECT_EQ(slice.model.main.operands[2].lifetime, LifeTime::TEMPORARY_VARIABLE);
    EXPECT_THAT(slice.model.main.inputIndexes, ElementsAre(0u));
    EXPECT_THAT(slice.model.main.outputIndexes, ElementsAre(3u));
}

TEST(Slice, AnOriginThatFitsNoModelSupportsNothing) {
    Slice slice{.operationCount = 1};
    slice.origin.main.operations = {1};
    EXPECT_THAT(slice.supportedOperations({true}), ElementsAre(false));
    slice = {.operationCount = 0};
    slice.origin.main.operations = {0};
    EXPECT_THAT(slice.supportedOperations({true}), IsEmpty());
}

TEST(Slice, AllOrNothing) {
    const Slice all = sliceForVersion(chain(), V1_3).value();
    EXPECT_EQ(all.model, chain());
    EXPECT_EQ(all.origin, unchangedOrigin(chain()));
    EXPECT_EQ(all.origin.main.graph, 0u);
    EXPECT_EQ(all.operationCount, 4u);
    Model withDeadParts = chain();
    withDeadParts.extensionNameToPrefix = {{.name = "com.example.unused", .prefix = 3}};
    EXPECT_EQ(sliceForVersion(withDeadParts, V1_3)->model, withDeadParts);

    Model model = reluModel();
    model.main.operations[0].type = OperationType::HARD_SWISH;
    const Slice none = sliceForVersion(model, V1_2).value();
    EXPECT_EQ(none.model, Model());
    EXPECT_THAT(none.supportedOperations({}), ElementsAre(false));

    model.main.operations[0].inputs = {5};
    EXPECT_THAT(sliceForVersion(model, V1_2),
                IsInvalid("main.operations[0] HARD_SWISH: input 0 is operand 5, allowed below 2, "
                          "the number of operands [operation.input_index]"));
}

}  // namespace
}  // namespace nn::slice_test
