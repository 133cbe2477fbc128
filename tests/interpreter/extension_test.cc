// Operations and types of extensions: registered by name, used under any prefix, refused with the
// reason.
#include <array>

#include "interpreter/builder.h"

namespace nn::extension_test {
namespace {

constexpr auto kInvalid = ErrorStatus::INVALID_ARGUMENT;
constexpr auto kFailure = ErrorStatus::GENERAL_FAILURE;

// com.example.points: type 0 is a tensor of points, type 1 a point; operation 0 adds a point to
// each, operation 3 keeps those whose flag is set and finds no place for none.
using Point = std::array<float, 3>;
constexpr char kName[] = "com.example.points";
constexpr uint16_t kAdd = 0, kKeep = 3;

Status refuse(const char* why) { return makeError(ErrorStatus::INVALID_ARGUMENT, why); }

Status validateAdd(const ExtensionCall& call) {
    return call.inputs.size() == 2 && call.inputs[0].is(kName, 0) && call.inputs[1].is(kName, 1)
                   ? Status()
                   : refuse("takes points and a point");
}

Status sameDimensions(const ExtensionCall& call,
                      std::span<ExtensionOperation::Dimensions> outputs) {
    outputs[0].emplace(call.inputs[0].dimensions.begin(), call.inputs[0].dimensions.end());
    return {};
}

Status add(const ExtensionCall& call) {
    const auto points = call.inputs[0].as<Point>();
    const auto sums = call.outputs[0].mutableAs<Point>();
    for (size_t i = 0; i < sums.size(); ++i) {
        for (size_t k = 0; k < 3; ++k) sums[i][k] = points[i][k] + call.inputs[1].as<Point>()[0][k];
    }
    return {};
}

Status keptDimensions(const ExtensionCall& call,
                      std::span<ExtensionOperation::Dimensions> outputs) {
    const auto flags = call.inputs[1].as<uint8_t>();
    if (!flags.empty())
        outputs[0] = {static_cast<uint32_t>(std::count(flags.begin(), flags.end(), 1))};
    return {};
}

Status keep(const ExtensionCall& call) {
    const auto points = call.inputs[0].as<Point>();
    const auto flags = call.inputs[1].as<uint8_t>();
    const auto kept = call.outputs[0].mutableAs<Point>();
    if (kept.empty()) return refuse("keeps no point");
    for (size_t i = 0, n = 0; i < points.size(); ++i) {
        if (flags[i] == 1) kept[n++] = points[i];
    }
    return {};
}

ExtensionOperations points() {
    return {.extension = {.name = kName,
                          .operandTypes = {{.type = 0, .isTensor = true, .byteSize = 12},
                                           {.type = 1, .isTensor = false, .byteSize = 12}}},
            .operations = {{.number = kAdd,
                            .validate = validateAdd,
                            .inferShapes = sameDimensions,
                            .compute = add},
                           {.number = kKeep, .inferShapes = keptDimensions, .compute = keep}}};
}

PrepareOptions with(const ExtensionOperations& extension) {
    return {.extensions = {std::make_shared<const ExtensionOperations>(extension)}};
}

OperandType typeOf(uint16_t prefix, uint16_t number) {
    return static_cast<OperandType>(uint32_t{prefix} << kExtensionTypeBits | number);
}
OperationType operationOf(uint16_t prefix, uint16_t number) {
    return static_cast<OperationType>(uint32_t{prefix} << kExtensionTypeBits | number);
}

// keep(add(add(points, (1, 2, 3)), point), flags)
Model sums(uint16_t prefix, const std::vector<uint32_t>& dimensions) {
    MainGraph main;
    main.model.extensionNameToPrefix = {{.name = kName, .prefix = prefix}};
    const auto x = main.input(typeOf(prefix, 0), dimensions);
    const auto point = main.input(typeOf(prefix, 1), {});
    const auto flags = main.input(TENSOR_BOOL8, dimensions);
    const auto fixed = main.constant<Point>(typeOf(prefix, 1), {}, {{1, 2, 3}});
    const auto first = main.temporary(typeOf(prefix, 0), dimensions);
    const auto second = main.temporary(typeOf(prefix, 0), dimensions);
    const auto kept = main.output(typeOf(prefix, 0), {0});
    main.add(operationOf(prefix, kAdd), {x, fixed}, {first});
    main.add(operationOf(prefix, kAdd), {first, point}, {second});
    main.add(operationOf(prefix, kKeep), {second, flags}, {kept});
    return main.build();
}

Tensor pointsOf(std::vector<uint32_t> dimensions, const std::vector<Point>& values) {
    return tensorOf(std::move(dimensions), values);
}

const std::vector<Tensor> kInputs = {pointsOf({2}, {{1, 1, 1}, {5, 5, 5}}),
                                     pointsOf({}, {{10, 20, 30}}), bools({2}, {0, 1})};
const Tensor kExpected = pointsOf({1}, {{16, 27, 38}});

TEST(Extension, RunsUnderAnyPrefix) {
    for (const uint16_t prefix : {1, 2, 0x7FFF, 0xFFFF}) {
        for (const std::vector<uint32_t>& dimensions :
             {std::vector<uint32_t>{2}, std::vector<uint32_t>{0}, std::vector<uint32_t>{}}) {
            expectRuns(sums(prefix, dimensions), kInputs, {kExpected}, {}, with(points()));
        }
    }
}

// Output memory that a function does not write is 0, not old content.
TEST(Extension, OutputsAreZeroBeforeTheyAreComputed) {
    ExtensionOperations lazy = points();
    size_t calls = 0;
    lazy.operations[0].compute = [&](const ExtensionCall& call) {
        EXPECT_TRUE(call.outputs[0].data.empty());
        if (++calls <= 2) std::ranges::fill(call.outputs[0].mutableData, 9);
        return Status();
    };
    const PreparedModel prepared = prepare(sums(1, {2}), with(lazy)).value();
    EXPECT_NE(prepared.run(kInputs).value()[0], pointsOf({1}, {{0, 0, 0}}));
    EXPECT_EQ(prepared.run(kInputs).value()[0], pointsOf({1}, {{0, 0, 0}}));
    EXPECT_EQ(calls, 4u);
}

TEST(Extension, GetsTheScalesOfChannels) {
    std::vector<float> scales;
    uint32_t channelDim = 0;
    ExtensionOperations scaled = points();
    scaled.operations = {
            {.number = kAdd, .inferShapes = sameDimensions, .compute = [&](const auto& call) {
                 scales.assign(call.inputs[0].channelScales.begin(),
                               call.inputs[0].channelScales.end());
                 channelDim = call.inputs[0].channelDim;
                 EXPECT_TRUE(call.inputs[1].channelScales.empty());
                 return Status();
             }}};
    MainGraph main;
    main.model.extensionNameToPrefix = {{.name = kName, .prefix = 1}};
    const auto filter = main.constant<int8_t>(TENSOR_QUANT8_SYMM_PER_CHANNEL, {1, 2}, {3, -4});
    main.graph.operands[filter].extraParams =
            Operand::SymmPerChannelQuantParams{.scales = {0.5f, 0.25f}, .channelDim = 1};
    const auto point = main.input(typeOf(1, 1), {});
    main.add(operationOf(1, kAdd), {filter, point}, {main.output(TENSOR_FLOAT32, {1, 2})});
    const Model model = main.build();
    const PreparedModel prepared = prepare(model, with(scaled)).value();
    ASSERT_THAT(prepared.run(std::vector<Tensor>{pointsOf({}, {{1, 2, 3}})}), Succeeds());
    EXPECT_THAT(scales, testing::ElementsAre(0.5f, 0.25f));
    EXPECT_EQ(channelDim, 1u);
}

// A function that takes long asks whether it may go on.
TEST(Extension, EndsWithTheExecution) {
    bool isCalled = false;
    ExtensionOperations endless = points();
    endless.operations[0].compute = [&](const ExtensionCall& call) {
        isCalled = true;
        for (;;) NNAPI_RETURN_IF_ERROR(call.checkContinues());
    };
    const PreparedModel prepared = prepare(sums(1, {2}), with(endless)).value();
    const struct {
        ExecuteOptions options;
        ErrorStatus code;
        const char* message;
    } rows[] = {
            {{.isCancelled = [&] { return isCalled; }},
             kFailure,
             "the execution was stopped during it"},
            {{.deadline = Clock::now() + std::chrono::milliseconds(200)},
             ErrorStatus::MISSED_DEADLINE_TRANSIENT,
             "the deadline passed during it"},
    };
    for (const auto& row : rows) {
        const Status status = prepared.run(kInputs, row.options).status();
        EXPECT_EQ(errorStatus(status), row.code) << status;
        EXPECT_THAT(std::string(status.message()), testing::HasSubstr(row.message));
    }
    EXPECT_EQ(ExtensionCall().checkContinues(), Status());
}

TEST(Extension, ExecutesOnTheMemoryOfARequest) {
    const PreparedModel prepared = prepare(sums(1, {2}), with(points())).value();
    std::vector<Tensor> inputs = kInputs;
    inputs[0].data.insert(inputs[0].data.begin(), 1);  // misaligned
    std::vector<uint8_t> kept(12);
    Request request{.inputs = {pointerTo(inputs[0].data.data() + 1, 24), pointerTo(inputs[1].data),
                               pointerTo(inputs[2].data)},
                    .outputs = {pointerTo(kept)}};
    const ExecutionOutcome result = prepared.execute(request);
    ASSERT_THAT(result, Succeeds());
    EXPECT_EQ(kept, kExpected.data);
    EXPECT_EQ(result.outputShapes, (std::vector<OutputShape>{{{1}, true}}));

    request.outputs = {pointerTo(kept.data(), 11)};
    EXPECT_THAT(
            prepared.execute(request),
            Fails(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE,
                  "outputs[0]: has 11 bytes, needed 12 for dimensions [1] [request.output_size]"));
    request.inputs[0] = pointerTo(inputs[0].data.data() + 1, 23);
    EXPECT_THAT(prepared.execute(request),
                Fails(kInvalid,
                      "inputs[0]: has 23 bytes, allowed 24 for dimensions [2] [request.length]"));
    request.inputs[1] = pointerTo(inputs[1].data, {1});
    request.inputs[0] = pointerTo(inputs[0].data.data() + 1, 24);
    EXPECT_THAT(
            prepared.execute(request),
            Fails(kInvalid,
                  "inputs[1]: dimensions are [1], allowed [] for a scalar [request.dimensions]"));
}

TEST(Extension, InputsOfUnknownRankMustHaveOneInARequest) {
    const PreparedModel prepared = prepare(sums(1, {}), with(points())).value();
    std::vector<Tensor> inputs = kInputs;
    std::vector<uint8_t> kept(12);
    const Request request{.inputs = {pointerTo(inputs[0].data), pointerTo(inputs[1].data),
                                     pointerTo(inputs[2].data, {2})},
                          .outputs = {pointerTo(kept)}};
    EXPECT_THAT(
            prepared.execute(request),
            Fails(kInvalid,
                  "inputs[0]: dimensions are [], allowed only known ones [request.dimensions]"));
}

// if (condition) points + point else points + (1, 1, 1)
TEST(Extension, ValuesPassThroughIf) {
    Model model;
    model.extensionNameToPrefix = {{.name = kName, .prefix = 5}};
    for (const bool isThen : {true, false}) {
        Graph branch(model);
        const auto x = branch.input(typeOf(5, 0), {2});
        const auto point = branch.input(typeOf(5, 1), {});
        const auto ones = branch.constant<Point>(typeOf(5, 1), {}, {{1, 1, 1}});
        branch.add(operationOf(5, kAdd), {x, isThen ? point : ones},
                   {branch.output(typeOf(5, 0), {2})});
        model.referenced.push_back(std::move(branch.graph));
    }
    Graph main(model);
    const auto condition = main.input(TENSOR_BOOL8, {1});
    const auto x = main.input(typeOf(5, 0), {2});
    const auto point = main.input(typeOf(5, 1), {});
    const auto thenGraph = main.subgraph(0);
    const auto elseGraph = main.subgraph(1);
    main.add(OperationType::IF, {condition, thenGraph, elseGraph, x, point},
             {main.output(typeOf(5, 0), {2})});
    model.main = std::move(main.graph);
    const Tensor input = pointsOf({2}, {{1, 2, 3}, {4, 5, 6}});
    const Tensor ten = pointsOf({}, {{10, 10, 10}});
    expectRuns(model, {bools({1}, {1}), input, ten}, {pointsOf({2}, {{11, 12, 13}, {14, 15, 16}})},
               {}, with(points()));
    expectRuns(model, {bools({1}, {0}), input, ten}, {pointsOf({2}, {{2, 3, 4}, {5, 6, 7}})}, {},
               with(points()));
}

// ---- refusals

struct Refused {
    const char* name;
    void (*change)(Model& model, ExtensionOperations& extension);
    ErrorStatus code;
    const char* message;
};

const Refused kRefused[] = {
        {"OtherExtension", [](Model&, ExtensionOperations& e) { e.extension.name = "com.other"; },
         kFailure,
         "main.operations[0] com.example.points:0: operation 0 of extension com.example.points "
         "(prefix 1) is not registered: give its ExtensionOperations in PrepareOptions::extensions "
         "[interpreter.extension]"},
        {"OperationMissing", [](Model&, ExtensionOperations& e) { e.operations.pop_back(); },
         kFailure,
         "main.operations[2] com.example.points:3: extension com.example.points is registered "
         "without operation 3: add it to ExtensionOperations::operations [interpreter.extension]"},
        {"TypeMissing", [](Model&, ExtensionOperations& e) { e.extension.operandTypes.pop_back(); },
         kFailure,
         "main.operands[1]: extension com.example.points is registered without type 1: add it to "
         "ExtensionOperations::extension [interpreter.extension]"},
        {"PrefixWithoutName",
         [](Model& m, ExtensionOperations&) { m.main.operations[1].type = operationOf(9, 0); },
         kFailure,
         "main.operations[1]: operation type 0x00090000 has prefix 9, which extensionNameToPrefix "
         "does not name [interpreter.extension]"},
        {"TypeWithoutName",
         [](Model& m, ExtensionOperations&) { m.main.operands[4].type = typeOf(9, 0); }, kFailure,
         "main.operands[4]: operand type 0x00090000 has prefix 9, which extensionNameToPrefix does "
         "not name [interpreter.extension]"},
        {"ScalarWithDimensions",
         [](Model& m, ExtensionOperations&) { m.main.operands[1].dimensions = {3}; }, kFailure,
         "main.operands[1]: dimensions are [3], allowed [] for a scalar [interpreter.extension]"},
        {"ConstantOfOtherSize",
         [](Model& m, ExtensionOperations&) { m.main.operands[3].location.length = 8; }, kInvalid,
         "main.operands[3]: length is 8, allowed 12 [interpreter.constant]"},
        {"RefusedByValidate",
         [](Model& m, ExtensionOperations&) { m.main.operations[1].inputs[1] = 2; }, kFailure,
         "main.operations[1] com.example.points:0: takes points and a point "
         "[interpreter.extension]"},
        {"RefusedByInferShapes",
         [](Model&, ExtensionOperations& e) {
             e.operations[0].inferShapes = [](const ExtensionCall&, auto) {
                 return refuse("no shape is good enough");
             };
         },
         kFailure,
         "main.operations[0] com.example.points:0: no shape is good enough "
         "[interpreter.extension]"},
        {"ShapeContradictsTheModel",
         [](Model& m, ExtensionOperations&) { m.main.operands[4].dimensions = {3}; }, kFailure,
         "main.operations[0] com.example.points:0: output 0 (operand 4) has dimensions [3], but "
         "the operation gives [2] [operation.output_shape]"},
        {"InputWithoutValue",
         [](Model& m, ExtensionOperations&) {
             m.main.operands[3].lifetime = LifeTime::NO_VALUE;
             m.main.operands[3].location = {};
         },
         kFailure,
         "main.operations[0] com.example.points:0: input 1 (operand 3) has no value, allowed only "
         "for optional operands [interpreter.extension]"},
        {"IllegalName", [](Model&, ExtensionOperations& e) { e.extension.name = "Points"; },
         kInvalid,
         "extension Points: name is \"Points\", allowed a-z, 0-9, '_' and '.', with a '.' at least "
         "[extension.name] [interpreter.extension]"},
        {"NothingToCompute",
         [](Model&, ExtensionOperations& e) { e.operations[1].compute = nullptr; }, kInvalid,
         "extension com.example.points: operation 3 has no compute [interpreter.extension]"},
        {"NumberTwice", [](Model&, ExtensionOperations& e) { e.operations[1].number = 0; },
         kInvalid,
         "extension com.example.points: operation 0 stands there twice, allowed once "
         "[interpreter.extension]"},
};

TEST(Extension, PreparationSaysWhatIsWrong) {
    for (const Refused& row : kRefused) {
        Model model = sums(1, {2});
        ExtensionOperations extension = points();
        row.change(model, extension);
        EXPECT_THAT(prepare(model, with(extension)), Fails(row.code, row.message)) << row.name;
    }
}

TEST(Extension, RegisteredTwice) {
    const auto extension = std::make_shared<const ExtensionOperations>(points());
    EXPECT_THAT(prepare(sums(1, {2}), {.extensions = {extension, nullptr, extension}}),
                Fails(kInvalid,
                      "extension com.example.points: is registered twice, allowed once "
                      "[interpreter.extension]"));
}

struct Failing {
    const char* name;
    void (*change)(std::vector<Tensor>& inputs, ExtensionOperations& extension);
    ErrorStatus code;
    const char* message;
};

const Failing kFailing[] = {
        {"ComputeFails",
         [](std::vector<Tensor>& inputs, ExtensionOperations&) {
             inputs[2] = bools({2}, {0, 0});
         },
         kFailure,
         "main.operations[2] com.example.points:3: keeps no point [interpreter.extension]"},
        {"NoDimensions",
         [](std::vector<Tensor>&, ExtensionOperations& e) {
             e.operations[1].inferShapes = nullptr;
         },
         kFailure,
         "main.operations[2] com.example.points:3: inferShapes gives output 0 (operand 6) no "
         "dimensions [interpreter.extension]"},
        {"OmittedInput",
         [](std::vector<Tensor>& inputs, ExtensionOperations&) {
             inputs[1] = {.hasNoValue = true};
         },
         kInvalid,
         "inputs[1]: has no value, but main.operations[1] com.example.points:0 needs one "
         "[interpreter.omitted]"},
        {"ZeroSizedInput",
         [](std::vector<Tensor>& inputs, ExtensionOperations&) { inputs[0] = pointsOf({0}, {}); },
         kInvalid, "inputs[0]: has dimensions [0], allowed only known ones [input.dimensions]"},
        {"ScalarWithDimensions",
         [](std::vector<Tensor>& inputs, ExtensionOperations&) { inputs[1].dimensions = {1}; },
         kInvalid, "inputs[1]: has dimensions [1], allowed [] [input.dimensions]"},
        {"OtherSize",
         [](std::vector<Tensor>& inputs, ExtensionOperations&) { inputs[0].data.pop_back(); },
         kInvalid, "inputs[0]: has 23 bytes, allowed 24 for dimensions [2] [input.size]"},
};

TEST(Extension, ExecutionSaysWhatIsWrong) {
    for (const Failing& row : kFailing) {
        std::vector<Tensor> inputs = kInputs;
        ExtensionOperations extension = points();
        row.change(inputs, extension);
        const Result<PreparedModel> prepared = prepare(sums(1, {0}), with(extension));
        ASSERT_THAT(prepared, Succeeds()) << row.name;
        EXPECT_THAT(prepared->run(inputs), Fails(row.code, row.message)) << row.name;
    }
}

// An operation that takes omitted and empty inputs sees them.
TEST(Extension, TakesOmittedInputsWhereItSaysSo) {
    MainGraph main;
    main.model.extensionNameToPrefix = {{.name = kName, .prefix = 1}};
    const auto x = main.input(TENSOR_FLOAT32, {2});
    const auto y = main.input(TENSOR_FLOAT32, {0});
    main.add(operationOf(1, 8), {x, y}, {main.output(TENSOR_INT32, {2})});
    const Model model = main.build();
    ExtensionOperations extension = points();
    extension.operations.push_back({.number = 8,
                                    .compute =
                                            [](const ExtensionCall& call) {
                                                for (size_t i = 0; i < 2; ++i)
                                                    call.outputs[0].mutableAs<int32_t>()[i] =
                                                            call.inputs[i].hasNoValue;
                                                return Status();
                                            },
                                    .takesOmittedInputs = true});
    const Tensor none{.hasNoValue = true};
    expectRuns(model, {none, none}, {ints({2}, {1, 1})}, {}, with(extension));
    expectRuns(model, {floats({2}, {1, 2}), none}, {ints({2}, {0, 1})}, {}, with(extension));
}

// The number of points that are kept may be 0.
TEST(Extension, TakesZeroSizedInputsWhereItSaysSo) {
    MainGraph main;
    main.model.extensionNameToPrefix = {{.name = kName, .prefix = 1}};
    const auto x = main.input(typeOf(1, 0), {2});
    const auto flags = main.input(TENSOR_BOOL8, {2});
    const auto kept = main.temporary(typeOf(1, 0), {0});
    main.add(operationOf(1, kKeep), {x, flags}, {kept});
    main.add(operationOf(1, 9), {kept}, {main.output(TENSOR_INT32, {1})});
    const Model model = main.build();
    ExtensionOperations extension = points();
    extension.operations[1].compute = [](const ExtensionCall&) { return Status(); };
    extension.operations.push_back({.number = 9, .compute = [](const ExtensionCall& call) {
                                        call.outputs[0].mutableAs<int32_t>()[0] =
                                                static_cast<int32_t>(
                                                        call.inputs[0].as<Point>().size());
                                        return Status();
                                    }});
    const std::vector<Tensor> inputs = {pointsOf({2}, {{1, 1, 1}, {5, 5, 5}}), bools({2}, {0, 0})};
    const PreparedModel refusing = prepare(model, with(extension)).value();
    EXPECT_THAT(refusing.run(inputs),
                Fails(kFailure,
                      "main.operations[1] com.example.points:9: input 0 (operand 2) has dimensions "
                      "[0], allowed no 0 [interpreter.zero_size]"));
    extension.operations.back().takesZeroSizedInputs = true;
    expectRuns(model, inputs, {ints({1}, {0})}, {}, with(extension));
}

}  // namespace
}  // namespace nn::extension_test
