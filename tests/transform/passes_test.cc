// Passes: the parts that they remove, the parts that they keep, and the origins of the parts.
#include "nnapi/passes.h"
#include "convert/convert_test.h"
#include "nnapi/type_utils.h"
#include "op_support/rules/op_view.h"

namespace nn::transform_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using LifeTime = Operand::LifeTime;
using enum OperandType;

std::vector<std::string> texts(const std::vector<Removal>& removed) {
    std::vector<std::string> texts;
    for (const Removal& removal : removed) texts.push_back(toString(removal));
    return texts;
}

// An operation whose first input and only output are float images, and whose other inputs are
// constants.
class Call {
   public:
    explicit Call(OperationType type) {
        const uint32_t input = add({.type = TENSOR_FLOAT32,
                                    .dimensions = {1, 4, 4, 1},
                                    .lifetime = LifeTime::SUBGRAPH_INPUT});
        const uint32_t output = add({.type = TENSOR_FLOAT32,
                                     .dimensions = {1, 4, 4, 1},
                                     .lifetime = LifeTime::SUBGRAPH_OUTPUT});
        model.main.operations = {{.type = type, .inputs = {input}, .outputs = {output}}};
        model.main.inputIndexes = {input};
        model.main.outputIndexes = {output};
    }

    Call& with(OperandType type, std::vector<uint32_t> dimensions, const void* value,
               size_t length) {
        const DataLocation location = *model.operandValues.append(value, length);
        operation().inputs.push_back(add({.type = type,
                                          .dimensions = std::move(dimensions),
                                          .lifetime = LifeTime::CONSTANT_COPY,
                                          .location = location}));
        return *this;
    }
    Call& with(float value) { return with(FLOAT32, {}, &value, sizeof(value)); }
    Call& with(int32_t value) { return with(INT32, {}, &value, sizeof(value)); }
    Call& with(bool value) { return with(BOOL, {}, &value, sizeof(value)); }

    Operation& operation() { return model.main.operations[0]; }

    Model model{};

   private:
    uint32_t add(Operand operand) {
        model.main.operands.push_back(std::move(operand));
        return static_cast<uint32_t>(model.main.operands.size() - 1);
    }
};

// CONV_2D with a 1 x 1 filter and a bias.
Call conv2d() {
    const float one = 1, zero = 0;
    return Call(OperationType::CONV_2D)
            .with(TENSOR_FLOAT32, {1, 1, 1, 1}, &one, sizeof(one))
            .with(TENSOR_FLOAT32, {1}, &zero, sizeof(zero));
}

Call conv2dWithImplicitPadding() { return conv2d().with(1).with(1).with(1).with(0); }
Call conv2dWithExplicitPadding() {
    return conv2d().with(0).with(0).with(0).with(0).with(1).with(1).with(0);
}

TEST(TrailingDefaults, AreTakenGroupByGroupAndLowerTheNeededVersion) {
    using Texts = std::vector<std::string>;
    const struct {
        const char* name;
        Call call;
        Texts removed;
        size_t inputs;  // that remain
        HalVersion needed;
    } rows[] = {
            {"softmax", Call(OperationType::SOFTMAX).with(1.0f).with(-1),
             Texts{"main.operations[0].inputs[2]: axis is -1, which is the default"}, 2,
             HalVersion::V1_0},
            {"softmax over another axis", Call(OperationType::SOFTMAX).with(1.0f).with(1), Texts{},
             3, HalVersion::V1_2},
            {"implicit padding", conv2dWithImplicitPadding().with(false).with(1).with(1),
             Texts{"main.operations[0].inputs[8]: dilationWidth is 1, which is the default",
                   "main.operations[0].inputs[9]: dilationHeight is 1, which is the default",
                   "main.operations[0].inputs[7]: isNchw is false, which is the default"},
             7, HalVersion::V1_0},
            {"explicit padding", conv2dWithExplicitPadding().with(false),
             Texts{"main.operations[0].inputs[10]: isNchw is false, which is the default"}, 10,
             HalVersion::V1_0},
            {"one of two dilations", conv2dWithImplicitPadding().with(false).with(2).with(1),
             Texts{}, 10, HalVersion::V1_2},
            {"default dilations behind another layout",
             conv2dWithImplicitPadding().with(true).with(1).with(1),
             Texts{"main.operations[0].inputs[8]: dilationWidth is 1, which is the default",
                   "main.operations[0].inputs[9]: dilationHeight is 1, which is the default"},
             8, HalVersion::V1_2},
            {"nothing to take", conv2dWithImplicitPadding(), Texts{}, 7, HalVersion::V1_0},
            {"no defaults", Call(OperationType::RELU), Texts{}, 1, HalVersion::V1_0},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        const Minimized minimized = withoutTrailingDefaults(row.call.model);
        EXPECT_EQ(texts(minimized.removed), row.removed);
        EXPECT_EQ(minimized.model.main.operations[0].inputs.size(), row.inputs);
        EXPECT_EQ(minimized.model.main.operands, row.call.model.main.operands);
        EXPECT_EQ(minimized.origin, unchangedOrigin(row.call.model));

        // The operands that the operation has lost still require their version.
        const Result<Version> needed = validate(minimize(row.call.model).model);
        ASSERT_TRUE(needed.ok()) << needed.status();
        EXPECT_EQ(*needed, toVersion(row.needed));
    }
}

TEST(TrailingDefaults, AreFoundWhereverConstantsLie) {
    const int32_t axis = -1;
    Call call = Call(OperationType::SOFTMAX).with(1.0f).with(axis);
    Operand& operand = call.model.main.operands[3];

    const auto size = static_cast<uint32_t>(call.model.operandValues.size());
    for (const uint32_t offset : {size - 3, UINT32_MAX - 3}) {  // out of the range of the values
        operand.location = {.offset = offset, .length = sizeof(axis)};
        EXPECT_THAT(withoutTrailingDefaults(call.model).removed, IsEmpty());
    }
    operand.lifetime = LifeTime::POINTER;
    operand.location = {.pointer = static_cast<const void*>(&axis), .length = sizeof(axis)};
    EXPECT_EQ(withoutTrailingDefaults(call.model).removed.size(), 1u);
    operand.location = {.length = sizeof(axis)};  // null
    EXPECT_THAT(withoutTrailingDefaults(call.model).removed, IsEmpty());

    const uint32_t end = 1 << 20;
    call.model.pools = {createSharedMemory(end).value()};
    std::memcpy(map(call.model.pools[0])->mutableData() + 8, &axis, sizeof(axis));
    operand.lifetime = LifeTime::CONSTANT_REFERENCE;
    operand.location = {.offset = 8, .length = sizeof(axis)};
    EXPECT_EQ(withoutTrailingDefaults(call.model).removed.size(), 1u);

    for (const uint32_t length : {3u, 5u, 8u, 9u, end}) {  // not the size of its type
        operand.location = {.length = length};
        EXPECT_THAT(withoutTrailingDefaults(call.model).removed, IsEmpty());
    }
    operand.location.length = sizeof(axis);
    std::memcpy(map(call.model.pools[0])->mutableData() + end - 4, &axis, sizeof(axis));
    operand.location.offset = end - 4;  // the last bytes of the pool
    EXPECT_EQ(withoutTrailingDefaults(call.model).removed.size(), 1u);
    operand.location.offset = end - 3;  // out of the range of the pool
    EXPECT_THAT(withoutTrailingDefaults(call.model).removed, IsEmpty());
    operand.location = {.poolIndex = 1, .length = sizeof(axis)};
    EXPECT_THAT(withoutTrailingDefaults(call.model).removed, IsEmpty());
    operand.lifetime = LifeTime::SUBGRAPH_INPUT;
    EXPECT_THAT(withoutTrailingDefaults(call.model).removed, IsEmpty());
}

TEST(TrailingDefaults, AreFoundTogetherInOnePool) {
    Call call = conv2dWithImplicitPadding().with(false).with(1).with(1);
    call.model.pools = {createSharedMemory(4).value()};
    const int32_t one = 1;
    std::memcpy(map(call.model.pools[0])->mutableData(), &one, sizeof one);
    for (const size_t dilation : {size_t{9}, size_t{10}}) {
        Operand& operand = call.model.main.operands[dilation];
        operand.lifetime = LifeTime::CONSTANT_REFERENCE;
        operand.location = {.length = 4};
    }
    EXPECT_EQ(withoutTrailingDefaults(call.model).removed.size(), 3u);
    call.model.main.operands[8].location.length = 2;  // no BOOL has two bytes
    EXPECT_EQ(withoutTrailingDefaults(call.model).removed.size(), 2u);
}

TEST(TrailingDefaults, OfReferencedGraphsGoToo) {
    Model model = Call(OperationType::SOFTMAX).with(1.0f).with(-1).model;
    model.referenced = {model.main};
    EXPECT_THAT(texts(withoutTrailingDefaults(model).removed),
                ElementsAre("main.operations[0].inputs[2]: axis is -1, which is the default",
                            "referenced[0].operations[0].inputs[2]: axis is -1, which is the "
                            "default"));
}

TEST(TrailingDefaults, OfIllegalOperationsStay) {
    Call call = Call(OperationType::SOFTMAX).with(1.0f).with(-1);
    call.operation().outputs[0] = 77;
    EXPECT_THAT(withoutTrailingDefaults(call.model).removed, IsEmpty());
    call.operation().outputs[0] = 1;
    call.operation().inputs[0] = 77;
    EXPECT_THAT(withoutTrailingDefaults(call.model).removed, IsEmpty());
    call.operation().inputs = {};
    EXPECT_THAT(withoutTrailingDefaults(call.model).removed, IsEmpty());
    call.operation().type = static_cast<OperationType>(-1);
    EXPECT_THAT(withoutTrailingDefaults(call.model).removed, IsEmpty());

    call = Call(OperationType::SOFTMAX).with(1.0f).with(-1);
    // Fits the types, but violates a rule.
    call.model.main.operands[0].dimensions = {1, 1, 1, 4, 4};
    EXPECT_THAT(withoutTrailingDefaults(call.model).removed, IsEmpty());
}

// A required input stays even if it is 0.
TEST(TrailingDefaults, AreNotRequiredInputs) {
    Call call = Call(OperationType::SOFTMAX).with(0.0f).with(-1);
    Operand& input = call.model.main.operands[0];
    input = call.model.main.operands[2];
    input.type = TENSOR_FLOAT32;
    input.dimensions = {1};
    EXPECT_THAT(texts(withoutTrailingDefaults(call.model).removed),
                ElementsAre("main.operations[0].inputs[2]: axis is -1, which is the default"));
}

// The default values in the tables can be compared with constants.
TEST(TrailingDefaults, AreAllOfTypesThatThePassReads) {
    for (const OperationTypeInfo& info : operationTypes()) {
        const ops::OperationSpec* spec = ops::specOf(info.type);
        if (spec == nullptr) continue;
        for (const ops::Form& form : spec->forms) {
            for (const ops::Param& param : form.inputs) {
                if (param.fallback.empty()) continue;
                const std::string text(param.fallback);
                const bool isBool = param.type.fixed == BOOL && (text == "true" || text == "false");
                const bool isInt = param.type.fixed == INT32 &&
                                   std::to_string(std::atoi(text.c_str())) == text;
                EXPECT_TRUE(isBool || isInt) << info.name << " " << param.name;
            }
        }
    }
}

TEST(DeadParts, GoAndTheRestIsRenumbered) {
    Model model = reluModel();
    auto& operands = model.main.operands;
    // A dead constant comes first, with bytes, a pool and an extension that no other part needs.
    operands.insert(
            operands.begin(),
            {.type = FLOAT32, .lifetime = LifeTime::CONSTANT_REFERENCE, .location = {.length = 4}});
    operands.push_back({.type = FLOAT32, .lifetime = LifeTime::CONSTANT_COPY});
    operands.back().location = {.offset = 64, .length = 4};
    model.main.operations = {{.type = OperationType::RELU6, .inputs = {1}, .outputs = {2}}};
    model.main.inputIndexes = {1};
    model.main.outputIndexes = {2};
    model.operandValues = Model::OperandValues(std::vector<uint8_t>(68));
    model.pools = {createSharedMemory(4).value()};
    model.extensionNameToPrefix = {{.name = "com.example.unused", .prefix = 3}};

    const Minimized minimized = withoutDeadParts(model);
    EXPECT_EQ(minimized.model, reluModel());
    EXPECT_THAT(texts(minimized.removed),
                ElementsAre("main.operands[0]: no operation, input or output refers to it",
                            "main.operands[3]: no operation, input or output refers to it",
                            "pools[0]: no operand refers to it",
                            "operandValues: no operand refers to 68 of 68 bytes",
                            "extensionNameToPrefix[0]: no type has prefix 3"));
    EXPECT_THAT(minimized.origin.main.operands, ElementsAre(1u, 2u));
    EXPECT_THAT(minimized.origin.main.operations, ElementsAre(0u));
    EXPECT_THAT(minimized.origin.pools, IsEmpty());
}

TEST(DeadParts, BytesThatStayKeepTheirValueAndAlignment) {
    if (kMinMemoryAlignment != 16) GTEST_SKIP() << "the rows are those of an alignment of 16 bytes";
    std::vector<uint8_t> bytes(100);
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<uint8_t>(i);
    // Live: [4, 8), [36, 44), [38, 40), [40, 48), [90, 94); these bytes move towards the start.
    const struct {
        uint32_t offset, length, moves;
    } values[] = {{40, 8, 16}, {4, 4, 0}, {90, 4, 48}, {36, 8, 16}, {38, 2, 16}};
    Model model = reluModel();
    model.operandValues = Model::OperandValues(bytes);
    for (const auto& value : values) {
        model.main.operands.push_back(
                {.type = TENSOR_QUANT8_ASYMM,
                 .dimensions = {value.length},
                 .scale = 1,
                 .lifetime = LifeTime::CONSTANT_COPY,
                 .location = {.offset = value.offset, .length = value.length}});
        model.main.operations[0].inputs.push_back(
                static_cast<uint32_t>(model.main.operands.size() - 1));
    }
    const Minimized minimized = withoutDeadParts(model);
    EXPECT_THAT(texts(minimized.removed),
                ElementsAre("operandValues: no operand refers to 54 of 100 bytes"));
    for (size_t i = 0; i < std::size(values); ++i) {
        const DataLocation& now = minimized.model.main.operands[2 + i].location;
        EXPECT_EQ(now.offset, values[i].offset - values[i].moves);
        for (uint32_t b = 0; b < now.length; ++b) {
            EXPECT_EQ(minimized.model.operandValues.data()[now.offset + b], values[i].offset + b);
        }
    }
    EXPECT_THAT(withoutDeadParts(minimized.model).removed, IsEmpty());

    model.main.operands[3].location.offset = 1000;  // invalid parts stay unchanged
    EXPECT_EQ(withoutDeadParts(model).model, model);
}

TEST(DeadParts, PoolsAndExtensionsThatAreUsedStay) {
    Model model = reluModel();
    model.pools = {createSharedMemory(4).value(), createSharedMemory(8).value()};
    model.main.operands.push_back({.type = static_cast<OperandType>(0x00030001),
                                   .lifetime = LifeTime::CONSTANT_REFERENCE,
                                   .location = {.poolIndex = 1, .length = 8}});
    model.main.operations[0].type = static_cast<OperationType>(0x00040002);
    model.main.operations[0].inputs.push_back(2);
    for (const uint16_t prefix : {2, 3, 4, 5}) {
        model.extensionNameToPrefix.push_back({.name = "com.example.test", .prefix = prefix});
    }
    const Minimized minimized = withoutDeadParts(model);
    EXPECT_THAT(texts(minimized.removed),
                ElementsAre("pools[0]: no operand refers to it",
                            "extensionNameToPrefix[0]: no type has prefix 2",
                            "extensionNameToPrefix[3]: no type has prefix 5"));
    EXPECT_THAT(minimized.model.pools, ElementsAre(model.pools[1]));
    EXPECT_EQ(minimized.model.main.operands[2].location.poolIndex, 0u);
    EXPECT_THAT(minimized.origin.pools, ElementsAre(1u));
    ASSERT_EQ(minimized.model.extensionNameToPrefix.size(), 2u);
    EXPECT_EQ(minimized.model.extensionNameToPrefix[0].prefix, 3u);
}

Operand graphOperand(uint32_t index) {
    return {.type = SUBGRAPH, .lifetime = LifeTime::SUBGRAPH, .location = {.offset = index}};
}

TEST(DeadParts, GraphsThatOnlyDeadOperandsReferToGo) {
    Model model = reluModel();
    // main refers to graph 2, which refers to graph 3; only a dead operand refers to graphs 0 and
    // 1.
    model.referenced.assign(4, reluModel().main);
    model.main.operands.push_back(graphOperand(0));
    model.main.operands.push_back(graphOperand(2));
    model.main.operations[0].inputs.push_back(3);
    model.referenced[0].operands.push_back(graphOperand(1));
    model.referenced[0].operations[0].inputs.push_back(2);
    model.referenced[2].operands.insert(model.referenced[2].operands.begin(), graphOperand(3));
    model.referenced[2].operations[0] = {
            .type = OperationType::RELU6, .inputs = {1, 0}, .outputs = {2}};
    model.referenced[2].inputIndexes = {1};
    model.referenced[2].outputIndexes = {2};

    const Minimized minimized = withoutDeadParts(model);
    EXPECT_THAT(texts(minimized.removed),
                ElementsAre("main.operands[2]: no operation, input or output refers to it",
                            "referenced[0]: no operand refers to it",
                            "referenced[1]: no operand refers to it"));
    ASSERT_EQ(minimized.model.referenced.size(), 2u);
    EXPECT_EQ(minimized.model.main.operands[2].location.offset, 0u);
    EXPECT_EQ(minimized.model.referenced[0].operands[0].location.offset, 1u);
    EXPECT_EQ(minimized.origin.referenced[0].graph, 2u);
    EXPECT_EQ(minimized.origin.referenced[1].graph, 3u);
    EXPECT_THAT(minimized.origin.main.operands, ElementsAre(0u, 1u, 3u));
}

TEST(DeadParts, OfAGraphThatTwoOperandsReferToGoOnce) {
    Model model = reluModel();
    model.referenced = {reluModel().main};
    model.referenced[0].operands.push_back({.type = FLOAT32});
    for (const uint32_t operand : {2u, 3u}) {
        model.main.operands.push_back(graphOperand(0));
        model.main.operations[0].inputs.push_back(operand);
    }
    const Minimized minimized = withoutDeadParts(model);
    EXPECT_THAT(texts(minimized.removed),
                ElementsAre("referenced[0].operands[2]: no operation, input or output refers to "
                            "it"));
    EXPECT_EQ(minimized.model.referenced, std::vector{reluModel().main});
}

TEST(DeadParts, OfGraphsThatReferToEachOtherGoOnce) {
    Model model = reluModel();
    model.referenced.assign(2, reluModel().main);
    model.main.operands.push_back(graphOperand(0));
    model.main.operations[0].inputs.push_back(2);
    for (const uint32_t graph : {0u, 1u}) {
        model.referenced[graph].operands.push_back({.type = FLOAT32});
        model.referenced[graph].operands.push_back(graphOperand(1 - graph));
        model.referenced[graph].operations[0].inputs.push_back(3);
    }
    EXPECT_THAT(texts(withoutDeadParts(model).removed),
                ElementsAre("referenced[0].operands[2]: no operation, input or output refers to it",
                            "referenced[1].operands[2]: no operation, input or output refers to "
                            "it"));
}

// The operand of a removed default value is dead.
TEST(Minimize, TakesDefaultsFirst) {
    const Minimized minimized = minimize(Call(OperationType::SOFTMAX).with(1.0f).with(-1).model);
    EXPECT_THAT(texts(minimized.removed),
                ElementsAre("main.operations[0].inputs[2]: axis is -1, which is the default",
                            "main.operands[3]: no operation, input or output refers to it",
                            "operandValues: no operand refers to 4 of 8 bytes"));
    EXPECT_THAT(minimized.origin.main.operands, ElementsAre(0u, 1u, 2u));
    EXPECT_EQ(minimized.model.operandValues.size(), 4u);
}

// A part that only dead parts need is dead as well: a graph with REVERSE, introduced with AIDL 3.
TEST(Minimize, ReachesOlderVersionsOfAidl) {
    Model model = reluModel();
    Model::Subgraph& graph = model.referenced.emplace_back(model.main);
    graph.operations[0].type = OperationType::REVERSE;
    graph.operations[0].inputs = {0, 2};
    graph.operands.push_back({.type = OperandType::TENSOR_INT32,
                              .dimensions = {1},
                              .lifetime = Operand::LifeTime::CONSTANT_COPY,
                              .location = {.length = 4}});
    model.operandValues = Model::OperandValues({0, 0, 0, 0});
    EXPECT_EQ(validate(model).value(), toVersion(HalVersion::AIDL3));
    EXPECT_FALSE(AIDL2::utils::convert(model).ok());
    const Minimized minimized = minimize(model);
    EXPECT_THAT(texts(minimized.removed),
                ElementsAre("referenced[0]: no operand refers to it",
                            "operandValues: no operand refers to 4 of 4 bytes"));
    EXPECT_EQ(minimized.model, reluModel());
    forEachVersion([&]<HalVersion V>() { EXPECT_TRUE(convertTo<V>(minimized.model).ok()); });
}

TEST(DeadParts, AnyModelIsAccepted) {
    for (const uint32_t graph : {1u, 9u, UINT32_MAX}) {
        Model model = reluModel();
        model.main.operands.insert(model.main.operands.begin(), graphOperand(graph));
        model.main.operations = {
                {.type = OperationType::IF, .inputs = {99, 0}, .outputs = {2, 100}}};
        model.main.inputIndexes = {3, 1};
        model.main.outputIndexes = {UINT32_MAX};
        model.referenced = {model.main};
        const Minimized minimized = withoutDeadParts(model);
        EXPECT_THAT(texts(minimized.removed),
                    ElementsAre("referenced[0]: no operand refers to it"));
        EXPECT_EQ(minimized.model.main, model.main);
    }
    EXPECT_EQ(minimize(Model()).model, Model());
}

}  // namespace
}  // namespace nn::transform_test
