// The device of XNNPACK: its errors with reasons, the 8-bit values that it stores in another way
// than the model, and the guarantees of nn::IDevice and its like. tests/acceptance/xnnpack_test.cc
// compares all its operations with the reference.
#include "nnapi/driver/xnnpack.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <random>
#include <thread>

#include "backends/xnnpack/fused_activations.h"
#include "backends/xnnpack/lowering.h"
#include "backends/xnnpack/program.h"
#include "driver/models.h"
#include "in_threads.h"
#include "interpreter/plan.h"
#include "odd_float_environment.h"
#include "op_support/xnnpack/depthwise.h"
#include "op_support/xnnpack/quant8_convolution.h"

namespace nn::driver_xnnpack_test {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using enum ErrorStatus;

const SharedDevice kDevice = xnnpackDevice();

SharedPreparedModel prepared(const Model& model) { return prepareOn(*kDevice, model).value(); }

// ---- models

// Operands with scales, and constants of small values.
class Net {
   public:
    Net() : main(model) {}
    Net(const Net&) = delete;
    Net& operator=(const Net&) = delete;

    uint32_t quantized(uint32_t operand, float scale, int32_t zeroPoint) {
        main.graph.operands[operand].scale = scale;
        main.graph.operands[operand].zeroPoint = zeroPoint;
        return operand;
    }
    uint32_t input(OperandType type, std::vector<uint32_t> dimensions, float scale = 0,
                   int32_t zeroPoint = 0) {
        return quantized(main.input(type, std::move(dimensions)), scale, zeroPoint);
    }
    uint32_t output(OperandType type, std::vector<uint32_t> dimensions, float scale = 0,
                    int32_t zeroPoint = 0) {
        return quantized(main.output(type, std::move(dimensions)), scale, zeroPoint);
    }
    uint32_t temporary(OperandType type, std::vector<uint32_t> dimensions, float scale = 0,
                       int32_t zeroPoint = 0) {
        return quantized(main.temporary(type, std::move(dimensions)), scale, zeroPoint);
    }

    // Bytes from `least` on, in a period of 11.
    uint32_t bytes(OperandType type, std::vector<uint32_t> dimensions, int32_t least,
                   float scale = 0, int32_t zeroPoint = 0) {
        size_t size = 1;
        for (const uint32_t extent : dimensions) size *= extent;
        std::vector<uint8_t> values(size);
        for (size_t i = 0; i < size; ++i) {
            values[i] = static_cast<uint8_t>(least + static_cast<int32_t>(i * 7 % 11));
        }
        return quantized(main.constant<uint8_t>(type, std::move(dimensions), values), scale,
                         zeroPoint);
    }
    // A filter with a scale for each of its channels.
    uint32_t perChannel(std::vector<uint32_t> dimensions, uint32_t channelDim) {
        std::vector<float> scales;
        for (uint32_t c = 0; c < dimensions[channelDim]; ++c) {
            scales.push_back(0.25f + 0.125f * static_cast<float>(c % 3));
        }
        const uint32_t filter = bytes(TENSOR_QUANT8_SYMM_PER_CHANNEL, std::move(dimensions), -5);
        main.graph.operands[filter].extraParams =
                Operand::SymmPerChannelQuantParams{.scales = scales, .channelDim = channelDim};
        return filter;
    }
    uint32_t bias(uint32_t channels, float scale) {
        std::vector<int32_t> values(channels);
        for (uint32_t c = 0; c < channels; ++c) values[c] = static_cast<int32_t>(c * 3) - 4;
        return quantized(main.constant<int32_t>(TENSOR_INT32, {channels}, values), scale, 0);
    }
    std::vector<uint32_t> scalars(std::vector<uint32_t> operands,
                                  const std::vector<int32_t>& values) {
        for (const int32_t value : values) operands.push_back(main.scalar(value));
        return operands;
    }

    Model done() {
        model.main = main.graph;
        return std::move(model);
    }

    Model model;
    Graph main;
};

// One operation on an input [1, 4, 4, 4] of float32, in a form that XNNPACK has but for what `how`
// changes.
Model convolution(const std::function<void(Net&, Operation&)>& how) {
    Net net;
    const auto x = net.input(TENSOR_FLOAT32, {1, 4, 4, 4});
    const auto filter =
            net.main.constant<float>(TENSOR_FLOAT32, {4, 1, 1, 4}, std::vector<float>(16, 0.5f));
    const auto bias = net.main.constant<float>(TENSOR_FLOAT32, {4}, std::vector<float>(4, 1.0f));
    const auto no = net.main.constant<uint8_t>(BOOL, {}, {0});
    auto inputs = net.scalars({x, filter, bias}, {1, 1, 1, 0});
    inputs.push_back(no);
    net.main.add(OperationType::CONV_2D, inputs, {net.output(TENSOR_FLOAT32, {1, 4, 4, 4})});
    how(net, net.main.graph.operations[0]);
    return net.done();
}

Model unary(OperationType type, OperandType operands, const std::vector<int32_t>& scalars = {},
            std::vector<uint32_t> dimensions = {2, 3}) {
    Net net;
    const auto x = net.input(operands, dimensions);
    net.main.add(type, net.scalars({x}, scalars), {net.output(operands, dimensions)});
    return net.done();
}

// An operation on [2, 3] of float32, with these scalars.
Model withScalars(OperationType type, const auto&... scalars) {
    Net net;
    std::vector<uint32_t> inputs = {net.input(TENSOR_FLOAT32, {2, 3})};
    (inputs.push_back(net.main.scalar(scalars)), ...);
    net.main.add(type, inputs, {net.output(TENSOR_FLOAT32, {2, 3})});
    return net.done();
}

Model softmax(float beta, int32_t axis) { return withScalars(OperationType::SOFTMAX, beta, axis); }

Model quant8Softmax(OperandType type, uint32_t channels, float scale, float beta) {
    const bool isSigned = type == TENSOR_QUANT8_ASYMM_SIGNED;
    Net net;
    const auto x = net.input(type, {3, channels}, scale, isSigned ? -20 : 110);
    const auto b = net.main.scalar(beta);
    net.main.add(OperationType::SOFTMAX, {x, b},
                 {net.output(type, {3, channels}, 1.0f / 256, isSigned ? -128 : 0)});
    return net.done();
}

// The sum of two inputs with these scales.
Model quant8Sum(float xScale, float yScale, float zScale, int32_t activation) {
    Net net;
    const auto x = net.input(TENSOR_QUANT8_ASYMM, {4}, xScale);
    const auto y = net.input(TENSOR_QUANT8_ASYMM, {4}, yScale);
    const auto inputs = net.scalars({x, y}, {activation});
    net.main.add(OperationType::ADD, inputs, {net.output(TENSOR_QUANT8_ASYMM, {4}, zScale)});
    return net.done();
}

// The averages of windows of 2902 x 2902 elements in an image of `extent` rows and columns.
Model longAverage(uint32_t extent) {
    constexpr int32_t kWindow = 2902;
    Net net;
    const auto x = net.input(TENSOR_QUANT8_ASYMM, {1, extent, extent, 1}, 1.0f, 0);
    const uint32_t windows = extent - kWindow + 1;
    net.main.add(OperationType::AVERAGE_POOL_2D,
                 net.scalars({x}, {0, 0, 0, 0, 1, 1, kWindow, kWindow, 0}),
                 {net.output(TENSOR_QUANT8_ASYMM, {1, windows, windows, 1}, 1.0f, 0)});
    return net.done();
}

// TRANSPOSE_CONV_2D by a stride that is longer than the output has rows.
Model longStride() {
    Net net;
    const auto x = net.input(TENSOR_FLOAT32, {1, 1, 4, 1});
    const auto filter = net.main.constant<float>(TENSOR_FLOAT32, {1, 3, 1, 1}, {1, 1, 1});
    const auto bias = net.main.constant<float>(TENSOR_FLOAT32, {1}, {0});
    auto inputs = net.scalars({x, filter, bias}, {0, 0, 0, 2, 1, 3, 0});
    inputs.push_back(net.main.constant<uint8_t>(BOOL, {}, {0}));
    net.main.add(OperationType::TRANSPOSE_CONV_2D, inputs,
                 {net.output(TENSOR_FLOAT32, {1, 1, 4, 1})});
    return net.done();
}

// ---- rejected models

// FULLY_CONNECTED whose results are multiplied by `factor`.
Model product(float factor) {
    Net net;
    const auto x = net.input(TENSOR_QUANT8_ASYMM, {2, 3}, 1.0f, 120);
    const auto filter = net.bytes(TENSOR_QUANT8_ASYMM, {4, 3}, 120, factor, 128);
    net.main.add(OperationType::FULLY_CONNECTED, net.scalars({x, filter, net.bias(4, factor)}, {0}),
                 {net.output(TENSOR_QUANT8_ASYMM, {2, 4}, 1.0f, 110)});
    return net.done();
}

// Rules device.supported_operations, prepare.arguments and sample.unsupported_model.
TEST(Xnnpack, SaysWhyItRefuses) {
    Model loop = endlessLoop();
    loop.main.operands[loop.main.inputIndexes[0]].dimensions = {1};
    const struct {
        const char* name;
        Model model;
        const char* message;  // after the operation's path
    } kRows[] = {
            {"Operation", unary(OperationType::RSQRT, TENSOR_FLOAT32),
             "RSQRT: is not an operation that XNNPACK has [xnnpack.operation]"},
            {"ControlFlow", loop,
             "WHILE: is not an operation that XNNPACK has [xnnpack.operation]"},
            {"Type", unary(OperationType::FLOOR, TENSOR_FLOAT16),
             "FLOOR: input 0 'input' (operand 0) is TENSOR_FLOAT16, allowed TENSOR_FLOAT32 "
             "[xnnpack.type]"},
            {"Dimensions", addition(0),
             "ADD: input 0 'input0' (operand 0) has dimensions [0], allowed only known ones above "
             "0 [xnnpack.dimensions]"},
            {"Layout", convolution([](Net& net, Operation& conv) {
                 conv.inputs[7] = net.main.constant<uint8_t>(BOOL, {}, {1});
             }),
             "CONV_2D: input 7 'isNchw' (operand 9) is true, allowed false: the channels come last "
             "[xnnpack.layout]"},
            {"Weights", convolution([](Net& net, Operation& conv) {
                 conv.inputs[1] = net.input(TENSOR_FLOAT32, {4, 1, 1, 4});
             }),
             "CONV_2D: input 1 'filter' (operand 9) is not a constant, which XNNPACK needs to pack "
             "it beforehand [xnnpack.constant]"},
            {"Parameter",
             convolution([](Net& net, Operation& conv) { conv.inputs[4] = net.input(INT32, {}); }),
             "CONV_2D: input 4 'strideWidth' (operand 9) is not a constant [xnnpack.constant]"},
            {"Beta", softmax(2.0f, -1),
             "SOFTMAX: input 1 'beta' (operand 1) is 2, allowed 1 [xnnpack.value]"},
            {"Quant8Beta",
             quant8Softmax(TENSOR_QUANT8_ASYMM, 3, 0.5f, std::numeric_limits<float>::infinity()),
             "SOFTMAX: input 1 'beta' (operand 1) is inf, allowed a finite one [xnnpack.value]"},
            {"Alpha", withScalars(OperationType::ELU, -1.0f),
             "ELU: input 1 'alpha' (operand 1) is -1, allowed above 0 [xnnpack.value]"},
            {"Axis", softmax(1.0f, 0),
             "SOFTMAX: input 2 'axis' (operand 2) is 0, allowed -1 and 1, the last axis "
             "[xnnpack.axis]"},
            {"Windows",
             unary(OperationType::MAX_POOL_2D, TENSOR_FLOAT32, {1, 1, 1, 70000, 70000, 0},
                   {1, 4, 4, 1}),
             "MAX_POOL_2D: has 16 windows of 4900000000 elements, allowed 134217728 elements in "
             "all [xnnpack.value]"},
            {"Average", longAverage(2902),
             "AVERAGE_POOL_2D: sums 8421604 elements up, allowed 8421504 [xnnpack.value]"},
            {"AverageOfWindows", longAverage(2903),
             "AVERAGE_POOL_2D: sums 8421604 elements up, allowed 8421504 [xnnpack.value]"},
            {"Strides", longStride(),
             "TRANSPOSE_CONV_2D: output 0 'output' (operand 11) has 1 rows and 4 columns, allowed "
             "at least the strides, 3 and 1, less 1 [xnnpack.value]"},
            // XNNPACK has no multiplier for scales that differ so much.
            {"Scales", quant8Sum(1000, 1, 1, 0),
             "ADD: it is not supported: XNNPACK does not take these sizes, scales or values "
             "[xnnpack.value]"},
            {"Factor", product(0x1p-33f),
             "FULLY_CONNECTED: has scales that give a factor of 1.1641532e-10, allowed "
             "2.3283064e-10 or more [xnnpack.value]"},
            // RELU1 of values that are all stored as one.
            {"Activation", quant8Sum(100, 100, 100, 2),
             "ADD: output 0 'output' (operand 3) stores all that the activation allows as 0, "
             "allowed are different values [xnnpack.quantization]"},
    };
    for (const auto& row : kRows) {
        const std::string message = std::string("main.operations[0] ") + row.message;
        const auto support = xnnpackSupport(row.model);
        ASSERT_TRUE(support.ok()) << row.name << support.status();
        ASSERT_EQ(support->operations.size(), 1u) << row.name;
        EXPECT_FALSE(support->all()) << row.name;
        ASSERT_EQ(support->operations[0].reasons.size(), 1u) << row.name;
        EXPECT_EQ(toString(support->operations[0].reasons[0]), message);
        EXPECT_THAT(kDevice->getSupportedOperations(row.model).value(), ElementsAre(false));
        EXPECT_THAT(prepareOn(*kDevice, row.model), Refuses(INVALID_ARGUMENT, message));
    }
    Model broken = addition();
    broken.main.operands[0].scale = 1;
    EXPECT_EQ(errorStatus(xnnpackSupport(broken).status()), INVALID_ARGUMENT);
    EXPECT_EQ(kDevice->getSupportedOperations(broken).error().code, INVALID_ARGUMENT);
}

// What only another machine, or one without memory, makes happen.
TEST(Xnnpack, SaysWhyXnnpackFails) {
    const struct {
        xnn_status status;
        const char* message;
        ErrorStatus code;
    } kRows[] = {
            {xnn_status_out_of_memory, "it: XNNPACK has no memory for it [xnnpack.memory]",
             RESOURCE_EXHAUSTED_TRANSIENT},
            {xnn_status_unsupported_hardware,
             "it: XNNPACK has no code for it on this processor [xnnpack.hardware]",
             INVALID_ARGUMENT},
            {xnn_status_invalid_state, "it: XNNPACK fails with 3 [xnnpack.failure]",
             GENERAL_FAILURE},
    };
    for (const auto& row : kRows) {
        const Refusal refusal = xnnpack::refusalOf(row.status, "it");
        EXPECT_EQ(refusal.message + " [" + refusal.rule + "]", row.message);
        EXPECT_EQ(refusal.code, row.code) << row.message;
    }
}

TEST(Xnnpack, JudgesEachOperation) {
    Model model;
    Graph main(model);
    const auto x = main.input(TENSOR_FLOAT32, {4});
    const auto a = main.temporary(TENSOR_FLOAT32, {4}), b = main.temporary(TENSOR_FLOAT32, {4});
    main.add(OperationType::ABS, {x}, {a});
    main.add(OperationType::RSQRT, {a}, {b});
    main.add(OperationType::RELU, {b}, {main.output(TENSOR_FLOAT32, {4})});
    model.main = main.graph;
    EXPECT_THAT(kDevice->getSupportedOperations(model).value(), ElementsAre(true, false, true));
    EXPECT_THAT(prepareOn(*kDevice, model), Refuses(INVALID_ARGUMENT,
                                                    "main.operations[1] RSQRT: is not an operation "
                                                    "that XNNPACK has [xnnpack.operation]"));
    // RSQRT is newer than the device.
    EXPECT_THAT(xnnpackDevice({.featureLevel = kVersionFeatureLevel1})
                        ->getSupportedOperations(model)
                        .value(),
                ElementsAre(false, false, true));
}

// Rules cache.load, device.hints and sample.order_of_refusals.
TEST(Xnnpack, RefusesToPrepareInOrder) {
    const Model model = addition(), unsupported = unary(OperationType::RSQRT, TENSOR_FLOAT32);
    const struct {
        const char* name;
        Model what = addition();
        ExecutionPreference preference = ExecutionPreference::DEFAULT;
        Priority priority = Priority::DEFAULT;
        std::vector<TokenValuePair> hints{};
        ErrorStatus code = INVALID_ARGUMENT;
    } kRows[] = {
            {.name = "Preference", .preference = ExecutionPreference{9}},
            {.name = "Priority", .priority = Priority{9}},
            {.name = "HintTwice", .hints = {{1, {}}, {1, {}}}},
            {.name = "UnsupportedBeforeTheDeadline", .what = unsupported},
            {.name = "Deadline", .code = MISSED_DEADLINE_PERSISTENT},
    };
    for (const auto& row : kRows) {
        const auto result = kDevice->prepareModel(row.what, row.preference, row.priority,
                                                  TimePoint{}, {}, {}, {}, row.hints, {});
        EXPECT_EQ(codeOf(result), row.code) << row.name;
    }
    EXPECT_EQ(codeOf(prepareOn(*xnnpackDevice({.featureLevel = kVersionFeatureLevel1}),
                               unary(OperationType::ABS, TENSOR_FLOAT32))),
              INVALID_ARGUMENT);
    EXPECT_EQ(codeOf(prepareOn(*xnnpackDevice({.prepare = {.limits = {.peakBytes = 100}}}), model)),
              RESOURCE_EXHAUSTED_PERSISTENT);
    EXPECT_EQ(codeOf(kDevice->prepareModelFromCache({}, {}, {}, {})), GENERAL_FAILURE);
    constexpr auto kPreference = ExecutionPreference::DEFAULT;
    EXPECT_EQ(codeOf(kDevice->prepareModel(model, kPreference, Priority::LOW, TimePoint::max(), {},
                                           {}, {}, {}, {})),
              NONE);
    const std::vector<SharedHandle> odd = {nullptr, std::make_shared<const Handle>(9999)};
    EXPECT_EQ(codeOf(kDevice->prepareModel(model, kPreference, Priority::DEFAULT, {}, odd, odd, {},
                                           {}, {})),
              NONE);
    EXPECT_THAT(kDevice->allocate({}, {}, {}, {}),
                Refuses(INVALID_ARGUMENT,
                        "0 prepared models are given, allowed 1 or more [memory_desc.models]"));
}

// ---- values

// Executes on random bytes, and compares with the reference.
size_t sizeOf(const Operand& operand) {
    size_t size = 1;
    for (const uint32_t extent : operand.dimensions) size *= extent;
    return size;
}

// Each of these inputs, of bytes, gives the reference's outputs.
void expectAsReference(const std::string& name, const Model& model, int most,
                       const std::vector<std::vector<uint8_t>>& inputs) {
    const auto device = prepareOn(*kDevice, model);
    ASSERT_TRUE(device.has_value()) << name << ": " << device.error().message;
    const Operand& input = model.main.operands[model.main.inputIndexes[0]];
    const Operand& output = model.main.operands[model.main.outputIndexes[0]];
    std::vector<uint8_t> found(sizeOf(output));
    for (std::vector<uint8_t> given : inputs) {
        const auto expected = prepare(model)->run(std::vector{tensorOf(input.dimensions, given)});
        ASSERT_THAT(expected, Succeeds()) << name;
        const Request request{.inputs = {pointerTo(given)}, .outputs = {pointerTo(found)}};
        const auto executed = executeOn(**device, request);
        ASSERT_TRUE(executed.has_value()) << name << ": " << executed.error().message;
        const bool isSigned = output.type == TENSOR_QUANT8_ASYMM_SIGNED;
        for (size_t i = 0; i < found.size(); ++i) {
            const auto valueOf = [&](uint8_t byte) {
                return isSigned ? int{static_cast<int8_t>(byte)} : int{byte};
            };
            EXPECT_NEAR(valueOf(found[i]), valueOf((*expected)[0].data[i]), most)
                    << name << " element " << i;
        }
    }
}

std::vector<std::vector<uint8_t>> randomInputs(const Model& model) {
    std::minstd_rand random(1);
    std::vector<std::vector<uint8_t>> inputs(3);
    for (std::vector<uint8_t>& input : inputs) {
        input.resize(sizeOf(model.main.operands[model.main.inputIndexes[0]]));
        for (uint8_t& byte : input) byte = static_cast<uint8_t>(random() >> 8);
    }
    return inputs;
}
void expectAsReference(const std::string& name, const Model& model, int most) {
    expectAsReference(name, model, most, randomInputs(model));
}

// A convolution of `type` with a filter of another kind than its input.
Model mixedConvolution(OperandType type, bool isPerChannel, int32_t filterZero) {
    const int32_t zero = type == TENSOR_QUANT8_ASYMM ? 120 : -8;
    Net net;
    const auto x = net.input(type, {1, 5, 5, 3}, 0.5f, zero);
    const auto filter = isPerChannel
                                ? net.perChannel({4, 3, 3, 3}, 0)
                                : net.bytes(type, {4, 3, 3, 3}, filterZero - 5, 0.25f, filterZero);
    net.main.add(OperationType::CONV_2D,
                 net.scalars({x, filter, net.bias(4, isPerChannel ? 0.0f : 0.125f)}, {1, 2, 2, 3}),
                 {net.output(type, {1, 3, 3, 4}, 0.75f, zero + 3)});
    return net.done();
}

// Operators of both kinds, so that values change from the one to the other: signed convolutions,
// an average that is only unsigned, operations of both, an unsigned softmax.
Model changingKinds(OperandType type) {
    const bool isSigned = type == TENSOR_QUANT8_ASYMM_SIGNED;
    const int32_t zero = isSigned ? 0 : 128;
    Net net;
    const auto x = net.input(type, {1, 6, 6, 4}, 0.5f, zero);
    const auto mixed = net.temporary(type, {1, 6, 6, 4}, 2.0f, zero);
    const auto average = net.temporary(type, {1, 3, 3, 4}, 2.0f, zero);
    const auto sum = net.temporary(type, {1, 3, 3, 4}, 2.5f, zero);
    const auto padded = net.temporary(type, {1, 5, 5, 4}, 2.5f, zero);
    const auto again = net.temporary(type, {1, 5, 5, 4}, 20.0f, zero);
    const auto flat = net.temporary(type, {5, 20}, 20.0f, zero);
    const auto y = net.output(type, {5, 20}, 1.0f / 256, isSigned ? -128 : 0);
    net.main.add(OperationType::CONV_2D,
                 net.scalars({x, net.perChannel({4, 1, 1, 4}, 0), net.bias(4, 0)}, {1, 1, 1, 0}),
                 {mixed});
    net.main.add(OperationType::AVERAGE_POOL_2D, net.scalars({mixed}, {2, 2, 2, 2, 2, 0}),
                 {average});
    net.main.add(OperationType::ADD,
                 net.scalars({average, net.bytes(type, {4}, zero - 5, 1.0f, zero)}, {0}), {sum});
    net.main.add(OperationType::PAD,
                 {sum, net.main.constant<int32_t>(TENSOR_INT32, {4, 2}, {0, 0, 1, 1, 1, 1, 0, 0})},
                 {padded});
    net.main.add(
            OperationType::DEPTHWISE_CONV_2D,
            net.scalars({padded, net.perChannel({1, 3, 3, 4}, 3), net.bias(4, 0)}, {1, 1, 1, 1, 0}),
            {again});
    net.main.add(OperationType::RESHAPE,
                 {again, net.main.constant<int32_t>(TENSOR_INT32, {2}, {5, -1})}, {flat});
    net.main.add(OperationType::SOFTMAX, {flat, net.main.scalar(0.002f)}, {y});
    return net.done();
}

// A bias of more elements than shape inference looks at beforehand.
TEST(Xnnpack, TakesLongBiases) {
    constexpr uint32_t kUnits = 3000;
    Net net;
    const auto x = net.input(TENSOR_QUANT8_ASYMM, {2, 3}, 0.5f, 120);
    const auto weights = net.bytes(TENSOR_QUANT8_ASYMM, {kUnits, 3}, 120, 0.25f, 128);
    const std::vector<int32_t> values(kUnits, 40);
    const auto bias =
            net.quantized(net.main.constant<int32_t>(TENSOR_INT32, {kUnits}, values), 0.125f, 0);
    net.main.add(OperationType::FULLY_CONNECTED, net.scalars({x, weights, bias}, {0}),
                 {net.output(TENSOR_QUANT8_ASYMM, {2, kUnits}, 4.0f, 110)});
    expectAsReference("long bias", net.done(), 1);
}

// Around the number of values of a byte, and that from which on the sums of XNNPACK's own operator
// overflow, which is where all inputs are equal.
TEST(Xnnpack, ComputesQuant8SoftmaxOfAnyLength) {
    for (const OperandType type : {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM_SIGNED}) {
        for (const uint32_t channels : {1u, 2u, 3u, 255u, 256u, 257u, 511u, 512u, 513u, 1001u,
                                        1024u, 1025u, 65536u, 100'000u}) {
            for (const auto& [scale, beta] : {std::pair(1.0f / 256, 0.875f), std::pair(0.25f, 1.0f),
                                              std::pair(1e30f, 1e30f), std::pair(1e-30f, 1e-30f)}) {
                const Model model = quant8Softmax(type, channels, scale, beta);
                auto inputs = randomInputs(model);
                for (const uint8_t value : {0, 127, 128, 255}) {
                    inputs.emplace_back(inputs[0].size(), value);
                    inputs.back().back() = 130;  // of one row
                }
                expectAsReference(fmt::format("{} {} {} {}", type, channels, scale, beta), model, 1,
                                  inputs);
            }
        }
    }
}

TEST(Xnnpack, ComputesProductsOfAnyFactorThatItTakes) {
    for (const float factor : {0x1p-32f, 0x1.8p-32f, 1.0f, 0x1.fffffep7f}) {
        expectAsReference(fmt::to_string(factor), product(factor), 1);
    }
}

// One operation of two values with these scales, and the scale of its output.
Model ofScales(OperationType operation, OperandType type, float a, float b, float output) {
    const int32_t zero = type == TENSOR_QUANT8_ASYMM ? 128 : 0;
    Net net;
    const auto x = net.input(type, {1, 2, 2, 3}, a, zero - 3);
    std::vector<uint32_t> operands = {x};
    std::vector<uint32_t> dimensions = {1, 2, 2, 3};
    using enum OperationType;
    if (operation == CONV_2D || operation == DEPTHWISE_CONV_2D || operation == FULLY_CONNECTED) {
        operands.push_back(operation == FULLY_CONNECTED
                                   ? net.bytes(type, {3, 12}, zero - 5, b, zero)
                                   : net.bytes(type, {operation == CONV_2D ? 3u : 1u, 1, 1, 3},
                                               zero - 5, b, zero));
        operands.push_back(net.bias(3, a * b));
        if (operation != FULLY_CONNECTED) operands = net.scalars(operands, {1, 1, 1});
        if (operation == DEPTHWISE_CONV_2D) operands = net.scalars(operands, {1});
        operands = net.scalars(operands, {0});
        if (operation == FULLY_CONNECTED) dimensions = {1, 3};
    } else if (operation == ADD || operation == SUB || operation == MUL) {
        operands = net.scalars({x, net.bytes(type, {3}, zero - 5, b, zero)}, {0});
    }
    net.main.add(operation, operands, {net.output(type, dimensions, output, zero)});
    return net.done();
}

// XNNPACK aborts, with assertions, where it computes with factors that it does not expect.
TEST(Xnnpack, TakesOrRefusesAnyScales) {
    using enum OperationType;
    const float kScales[] = {0x1p-149f,       0x1p-126f, 0x1p-60f, 0x1p-33f,
                             0x1.fffffep-33f, 0x1p-32f,  0x1p-16f, 0x1.fffffep-9f,
                             0x1p-8f,         1,         0x1.4p0f, 0x1p7f,
                             0x1.fffffep7f,   0x1p8f,    0x1p60f,  0x1p100f};
    size_t taken = 0;
    for (const OperationType operation :
         {CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED, ADD, SUB, MUL}) {
        for (const OperandType type : {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM_SIGNED}) {
            for (const float a : kScales) {
                for (const float b : kScales) {
                    for (const float output : kScales) {
                        const Model model = ofScales(operation, type, a, b, output);
                        if (!prepareOn(*kDevice, model).has_value()) continue;
                        ++taken;
                        expectAsReference(fmt::format("{} of {} {} {}", operation, a, b, output),
                                          model, 1, {randomInputs(model)[0]});
                        if (HasFailure()) return;
                    }
                }
            }
        }
    }
    EXPECT_GT(taken, 1000u);
}

// As many bytes as 32 bits have sums for.
TEST(Xnnpack, ComputesLongAverages) {
    constexpr uint32_t kMost = INT32_MAX / UINT8_MAX;
    for (const int32_t zeroPoint : {0, 255}) {
        Net net;
        const auto x = net.input(TENSOR_QUANT8_ASYMM, {1, kMost, 1}, 1.0f, zeroPoint);
        const auto axes = net.main.constant<int32_t>(TENSOR_INT32, {1}, {1});
        net.main.add(OperationType::MEAN, net.scalars({x, axes}, {0}),
                     {net.output(TENSOR_QUANT8_ASYMM, {1, 1}, 1.0f, zeroPoint)});
        expectAsReference(fmt::format("zero point {}", zeroPoint), net.done(), 0,
                          {std::vector<uint8_t>(kMost, 0), std::vector<uint8_t>(kMost, 255)});
    }
}

TEST(Xnnpack, StoresValuesOfBothKinds) {
    using enum OperandType;
    for (const OperandType type : {TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM_SIGNED}) {
        const std::string name = toString(type);
        expectAsReference(name + " per channel", mixedConvolution(type, true, 0), 1);
        for (const int32_t zero : {0, 3}) {
            expectAsReference(
                    name + " zero " + std::to_string(zero),
                    mixedConvolution(type, false, type == TENSOR_QUANT8_ASYMM ? zero + 128 : zero),
                    1);
        }
        expectAsReference(name + " chain", changingKinds(type), 2);
    }
}

// ---- activations that are fused

// x - 2, then each activation; then, where `isReadTwice`, the difference is added to the result.
struct Chain {
    const char* name;
    std::vector<OperationType> activations;
    const char* fused;  // the operations of activation
    int32_t own = 0;    // the activation of the subtraction
    bool isReadTwice = false;
    bool isOutput = false;  // the difference is an output of the model, too
    OperandType type = TENSOR_FLOAT32;
};

Model modelOf(const Chain& chain) {
    const bool isQuantized = chain.type != TENSOR_FLOAT32;
    const float scale = isQuantized ? 0.5f : 0.0f;
    const int32_t zero = chain.type == TENSOR_QUANT8_ASYMM ? 100 : 0;
    const std::vector<uint32_t> size{2, 6};
    Net net;
    const auto x = net.input(chain.type, size, scale, zero);
    const auto two = isQuantized ? net.bytes(chain.type, {6}, 4 + zero, scale, zero)
                                 : net.main.constant<float>(chain.type, {6}, {2, 2, 2, 2, 2, 2});
    const auto difference = chain.isOutput ? net.output(chain.type, size, scale, zero)
                                           : net.temporary(chain.type, size, scale, zero);
    net.main.add(OperationType::SUB, net.scalars({x, two}, {chain.own}), {difference});
    uint32_t value = difference;
    for (size_t i = 0; i < chain.activations.size(); ++i) {
        const bool isLast = i + 1 == chain.activations.size() && !chain.isReadTwice;
        const auto next = isLast ? net.output(chain.type, size, scale, zero)
                                 : net.temporary(chain.type, size, scale, zero);
        net.main.add(chain.activations[i], {value}, {next});
        value = next;
    }
    if (chain.isReadTwice) {
        net.main.add(OperationType::ADD, net.scalars({value, difference}, {0}),
                     {net.output(chain.type, size, scale, zero)});
    }
    return net.done();
}

TEST(Xnnpack, FusesActivations) {
    using enum OperationType;
    const Chain kRows[] = {
            {"RELU", {RELU}, "1"},
            {"RELU1", {RELU1}, "1"},
            {"RELU6", {RELU6}, "1"},
            {"of unsigned values", {RELU6}, "1", 0, false, false, TENSOR_QUANT8_ASYMM},
            {"of signed values", {RELU}, "1", 0, false, false, TENSOR_QUANT8_ASYMM_SIGNED},
            {"an activation of its own", {RELU}, "", 3},
            {"another reader", {RELU}, "", 0, true},
            {"an output of the model", {RELU}, "", 0, false, true},
            {"two, of which RELU has none itself", {RELU, RELU6}, "1"},
            {"none", {ABS}, ""},
    };
    for (const Chain& row : kRows) {
        const Model model = modelOf(row);
        const auto plan = makePlan(model, {});
        ASSERT_THAT(plan.status(), Succeeds()) << row.name;
        std::string fused;
        for (const auto& each : xnnpack::fusedActivations(model.main, (*plan)->graphs[0].values,
                                                          (*plan)->graphs[0].operations)) {
            if (each) fused += std::to_string(each->operation);
        }
        EXPECT_EQ(fused, row.fused) << row.name;

        const bool isFloat = row.type == TENSOR_FLOAT32;
        std::vector<float> reals(12);
        std::vector<uint8_t> bytes(12);
        for (size_t i = 0; i < reals.size(); ++i) {
            reals[i] = static_cast<float>(i) - 1.5f;
            bytes[i] = static_cast<uint8_t>(i * 21);
        }
        const Tensor x = isFloat ? tensorOf({2, 6}, reals) : tensorOf({2, 6}, bytes);
        const auto expected = prepare(model)->run(std::vector{x});
        ASSERT_THAT(expected, Succeeds()) << row.name;
        std::vector<Tensor> found = *expected;
        Request request;
        const auto size = static_cast<uint32_t>(x.data.size());
        std::vector<uint8_t> given = x.data;
        request.inputs = {pointerTo(given.data(), size, {})};
        for (Tensor& output : found) {
            absl::c_fill(output.data, uint8_t{0xA5});
            request.outputs.push_back(pointerTo(output.data.data(), size, {}));
        }
        const auto executed = executeOn(*prepared(model), request);
        ASSERT_TRUE(executed.has_value()) << row.name << executed.error().message;
        EXPECT_EQ(found, *expected) << row.name;
    }
}

// The lowering of a model of one operation.
class OneLowering {
   public:
    explicit OneLowering(const Model& model) : mPlan(makePlan(model, {}).value()) {
        xnnpack::Lowerings lowerings(mPlan->model.main, mPlan->graphs[0].values,
                                     mPlan->graphs[0].operations);
        EXPECT_FALSE(lowerings.lower(0, mLowering).has_value());
    }
    xnnpack::Rows rows() const {
        return mLowering.makeRows ? mLowering.makeRows() : xnnpack::Rows();
    }

    // By XNNPACK's operator.
    void compute(const uint8_t* input, uint8_t* output) const {
        xnnpack::Operator made;
        ASSERT_FALSE(xnnpack::make(mLowering, made).has_value());
        ASSERT_EQ(mLowering.setUp(made, {{input}}, output, nullptr), xnn_status_success);
        ASSERT_EQ(xnnpack::run(made, nullptr), xnn_status_success);
    }

   private:
    std::unique_ptr<const Plan> mPlan;
    xnnpack::Lowering mLowering;
};

// DEPTHWISE_CONV_2D with an image, a filter of size x size, and paddings on the left, on the right,
// above and below.
struct Depthwise {
    const char* name;
    std::vector<uint32_t> image;
    std::vector<int32_t> paddings;
    size_t rows = 0;  // that are computed without XNNPACK, where the processor can
    int32_t stride = 1;
    int32_t activation = 0;
    uint32_t size = 3;
    int32_t multiplier = 1;

    uint32_t extent(size_t axis) const {
        const size_t first = axis == 1 ? 2 : 0;
        const int32_t padded = static_cast<int32_t>(image[axis]) + paddings[first] +
                               paddings[first + 1] - static_cast<int32_t>(size);
        return static_cast<uint32_t>(padded / stride + 1);
    }
};

// From -1 to 1.
std::vector<float> realsOf(size_t count, uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<float> reals(count);
    for (float& real : reals) real = static_cast<float>(random() % 2001) / 1000 - 1;
    return reals;
}

Model modelOf(const Depthwise& row) {
    Net net;
    const uint32_t channels = row.image[3] * static_cast<uint32_t>(row.multiplier);
    const auto x = net.input(TENSOR_FLOAT32, row.image);
    const auto filter =
            net.main.constant<float>(TENSOR_FLOAT32, {1, row.size, row.size, channels},
                                     realsOf(size_t{row.size} * row.size * channels, 2));
    const auto bias = net.main.constant<float>(TENSOR_FLOAT32, {channels}, realsOf(channels, 3));
    auto parameters = row.paddings;
    parameters.insert(parameters.end(), {row.stride, row.stride, row.multiplier, row.activation});
    net.main.add(
            OperationType::DEPTHWISE_CONV_2D, net.scalars({x, filter, bias}, parameters),
            {net.output(TENSOR_FLOAT32, {row.image[0], row.extent(1), row.extent(2), channels})});
    return net.done();
}

TEST(Xnnpack, ComputesRowsOfDepthwise) {
    const Depthwise kRows[] = {
            {"without paddings", {1, 5, 6, 16}, {0, 0, 0, 0}, 3},
            {"around the image", {1, 5, 6, 16}, {1, 1, 1, 1}, 5},
            {"three vectors", {1, 4, 4, 48}, {1, 1, 1, 1}, 4},
            {"a stride of two", {1, 8, 8, 32}, {0, 1, 0, 1}, 4, 2},
            {"a stride of three", {1, 8, 9, 16}, {1, 1, 1, 1}, 3, 3},
            {"wide paddings", {1, 4, 4, 16}, {2, 2, 2, 2}, 6},
            {"an image of one pixel", {1, 1, 1, 16}, {1, 1, 1, 1}, 1},
            {"two rows of one pixel", {1, 2, 1, 16}, {1, 1, 1, 1}, 2},
            {"batches", {3, 4, 5, 16}, {1, 1, 1, 1}, 12},
            {"RELU", {1, 5, 6, 16}, {1, 1, 1, 1}, 5, 1, 1},
            {"RELU1", {1, 5, 6, 16}, {1, 1, 1, 1}, 5, 1, 2},
            {"RELU6", {1, 5, 6, 16}, {1, 1, 1, 1}, 5, 1, 3},
            {"channels that do not fill vectors", {1, 5, 6, 20}, {1, 1, 1, 1}, 5},
            {"one more than a vector", {1, 5, 6, 17}, {1, 1, 1, 1}, 5},
            {"three vectors but one channel", {1, 5, 6, 47}, {1, 1, 1, 1}, 5},
            {"a filter of 5 x 5", {1, 7, 7, 16}, {2, 2, 2, 2}, 7, 1, 0, 5},
            {"of 5 x 5 with a stride of two", {1, 14, 31, 24}, {1, 2, 1, 2}, 7, 2, 0, 5},
            {"of 5 x 5 with a stride of three", {1, 14, 31, 24}, {1, 2, 1, 2}, 5, 3, 0, 5},
            {"of 5 x 5 on few pixels", {1, 2, 3, 16}, {2, 2, 2, 2}, 2, 1, 0, 5},
            {"of 5 x 5 in wide paddings", {1, 1, 2, 16}, {4, 4, 4, 4}, 5, 1, 0, 5},
            {"a filter of 4 x 4", {1, 7, 7, 16}, {2, 1, 2, 1}, 0, 1, 0, 4},
            {"few channels", {1, 5, 6, 15}, {1, 1, 1, 1}},
            {"two outputs of each channel", {1, 5, 5, 16}, {1, 1, 1, 1}, 0, 1, 0, 3, 2},
    };
    for (const size_t threads : {1, 3}) {
        const SharedDevice device = xnnpackDevice({.prepare = {.threads = threads}});
        for (const Depthwise& row : kRows) {
            SCOPED_TRACE(row.name);
            const Model model = modelOf(row);
            EXPECT_EQ(OneLowering(model).rows().count,
                      xnnpack::depthwiseOfProcessor() == nullptr ? 0 : row.rows);

            std::vector<float> x =
                    realsOf(size_t{row.image[0]} * row.image[1] * row.image[2] * row.image[3], 1);
            const auto expected = prepare(model)->run(std::vector{tensorOf(row.image, x)});
            ASSERT_THAT(expected, Succeeds());
            std::vector<float> known(expected->front().data.size() / sizeof(float));
            std::memcpy(known.data(), expected->front().data.data(), expected->front().data.size());
            std::vector<float> y(known.size(), -99.0f);
            const Request request{.inputs = {pointerTo(x)}, .outputs = {pointerTo(y)}};
            ASSERT_TRUE(executeOn(*prepareOn(*device, model).value(), request).has_value());
            EXPECT_THAT(y, ::testing::Pointwise(::testing::FloatNear(1e-5f), known));
        }
    }
}

TEST(Xnnpack, KeepsNanInRowsOfDepthwise) {
    const Model model = modelOf({"RELU6", {1, 3, 3, 16}, {0, 0, 0, 0}, 1, 1, 3});
    std::vector<float> x(3 * 3 * 16, 0.5f), y(16, -99.0f);
    x[5] = std::nanf("");
    const Request request{.inputs = {pointerTo(x)}, .outputs = {pointerTo(y)}};
    ASSERT_TRUE(executeOn(*prepareOn(*xnnpackDevice(), model).value(), request).has_value());
    for (size_t i = 0; i < y.size(); ++i) EXPECT_EQ(std::isnan(y[i]), i == 5) << i;
}

// Rows that take each way through the pixels that are computed at once.
TEST(Xnnpack, ComputesRowsOfDepthwiseOfAllWidths) {
    for (const uint32_t size : {3, 5}) {
        for (const int32_t stride : {1, 2, 3}) {
            for (uint32_t width = size; width < size + 40; ++width) {
                SCOPED_TRACE(fmt::format("{} columns, stride {}, filter {}", width, stride, size));
                const Depthwise row{.name = "",
                                    .image = {1, size, width, 18},
                                    .paddings = {1, 1, 0, 0},
                                    .stride = stride,
                                    .size = size};
                const Model model = modelOf(row);
                const OneLowering lowering(model);
                const std::vector<float> x = realsOf(size_t{size} * width * 18, width);
                const size_t outputs = size_t{row.extent(2)} * 18;
                std::vector<float> byRows(outputs + 8, -99.0f), byXnnpack = byRows;
                const auto bytes = [](auto& reals) {
                    return reinterpret_cast<uint8_t*>(reals.data());
                };
                auto padded = x;
                padded.resize(x.size() + XNN_EXTRA_BYTES / sizeof(float));
                lowering.compute(bytes(padded), bytes(byXnnpack));
                const xnnpack::Rows rows = lowering.rows();
                if (rows.count == 0) GTEST_SKIP() << "XNNPACK's are the best";
                for (size_t i = 0; i < rows.count; ++i) {
                    rows.compute(bytes(padded), bytes(byRows), i);
                }
                EXPECT_THAT(byRows, ::testing::Pointwise(::testing::FloatNear(1e-5f), byXnnpack));
            }
        }
    }
}

#if defined(__x86_64__)
// Each instruction set of the processor, not only the best.
TEST(Xnnpack, ComputesTheSameDepthwiseByEach) {
    constexpr size_t kChannels = 37;
    constexpr int64_t kWidth = 21, kMaxColumns = 5;
    const std::vector<float> image = realsOf(5 * kWidth * kChannels, 1);
    const std::vector<float> weights = realsOf(25 * kChannels, 2), bias = realsOf(kChannels, 3);
    const auto rowBy = [&](xnnpack::DepthwiseFunction function, size_t inputs, int64_t columns,
                           int64_t stride) {
        const int64_t width = (kWidth + 2 - columns) / stride + 1;
        std::vector<float> y(size_t(width) * kChannels);
        xnnpack::DepthwiseRow row{.inputs = {},
                                  .inputCount = inputs,
                                  .weights = weights.data(),
                                  .bias = bias.data(),
                                  .output = y.data(),
                                  .channels = kChannels,
                                  .filterWidth = columns,
                                  .inputWidth = kWidth,
                                  .outputWidth = width,
                                  .stride = stride,
                                  .head = 1,
                                  .firstWhole = 1,
                                  .endWhole = (kWidth + 1 - columns) / stride + 1,
                                  .least = -1.5f,
                                  .most = 1.5f};
        for (size_t i = 0; i < inputs; ++i) row.inputs[i] = &image[i * kWidth * kChannels];
        function(row);
        return y;
    };
    const auto narrow = xnnpack::depthwiseByAvx2(), wide = xnnpack::depthwiseByAvx512();
    if (narrow == nullptr || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
        wide == nullptr || !__builtin_cpu_supports("avx512f")) {
        GTEST_SKIP() << "the processor has not both AVX2 and AVX-512";
    }
    for (int64_t columns = 3; columns <= kMaxColumns; columns += 2) {
        for (int64_t stride = 1; stride <= 3; ++stride) {
            for (size_t inputs = 0; inputs <= 5; ++inputs) {
                EXPECT_EQ(rowBy(narrow, inputs, columns, stride),
                          rowBy(wide, inputs, columns, stride));
            }
        }
    }
}
#endif

// CONV_2D of signed bytes with an image, and with filters of `filter` rows and columns.
using Paddings = std::vector<int32_t>;
struct Quant8Convolution {
    const char* name = "";
    Dimensions image;
    uint32_t outputs;
    Dimensions filter = {1, 1};
    Paddings paddings = {0, 0, 0, 0};  // on the left, on the right, above and below
    int32_t stride = 1;
    int32_t dilation = 1;
    int32_t activation = 0;
    bool isPerChannel = true;
    float outputScale = 0.75f;
    OperandType input = TENSOR_QUANT8_ASYMM_SIGNED;
    uint32_t groups = 1;

    uint32_t extent(size_t axis) const {
        const size_t first = axis == 0 ? 2 : 0;
        const auto window = static_cast<int32_t>(filter[axis] - 1) * dilation + 1;
        const auto padded = static_cast<int32_t>(image[axis + 1]) + paddings[first] +
                            paddings[first + 1] - window;
        return static_cast<uint32_t>(padded / stride + 1);
    }
};

// All 256 values come up.
template <class E>
std::vector<E> bytesOf(size_t count, uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<E> bytes(count);
    for (E& byte : bytes) byte = static_cast<E>(random() >> 8);
    return bytes;
}

Model modelOf(const Quant8Convolution& row, uint32_t seed) {
    Net net;
    const uint32_t inputs = row.image[3] / row.groups, outputs = row.outputs;
    const auto x = net.input(row.input, row.image, 0.5f,
                             row.input == TENSOR_QUANT8_ASYMM ? 135 : int32_t(seed % 256) - 128);
    const std::vector<uint32_t> dimensions = {outputs, row.filter[0], row.filter[1], inputs};
    const auto weights =
            bytesOf<int8_t>(size_t{outputs} * row.filter[0] * row.filter[1] * inputs, seed + 1);
    const auto filter = net.main.constant<int8_t>(
            row.isPerChannel ? TENSOR_QUANT8_SYMM_PER_CHANNEL : TENSOR_QUANT8_ASYMM_SIGNED,
            dimensions, weights);
    // Sums are a quarter of the stored bound, and many times as much.
    std::mt19937 random(seed + 2);
    const float usual = 1.0f / 64 / std::sqrt(static_cast<float>(weights.size()) / outputs);
    if (row.isPerChannel) {
        std::vector<float> scales(outputs);
        for (float& scale : scales) scale = usual * static_cast<float>(random() % 1000 + 100) / 500;
        net.main.graph.operands[filter].extraParams =
                Operand::SymmPerChannelQuantParams{.scales = scales, .channelDim = 0};
    } else {
        net.quantized(filter, usual, 0);
    }
    std::vector<int32_t> values(outputs);
    for (int32_t& value : values) value = static_cast<int32_t>(random() % 4001) - 2000;
    const auto bias = net.quantized(net.main.constant<int32_t>(TENSOR_INT32, {outputs}, values),
                                    row.isPerChannel ? 0 : usual * 0.5f, 0);
    auto parameters = row.paddings;
    parameters.insert(parameters.end(), {row.stride, row.stride});
    if (row.groups > 1) parameters.push_back(static_cast<int32_t>(row.groups));
    parameters.push_back(row.activation);
    auto operands = net.scalars({x, filter, bias}, parameters);
    operands.push_back(net.main.constant<uint8_t>(BOOL, {}, {0}));
    if (row.groups == 1) operands = net.scalars(operands, {row.dilation, row.dilation});
    net.main.add(row.groups > 1 ? OperationType::GROUPED_CONV_2D : OperationType::CONV_2D, operands,
                 {net.output(row.input, {row.image[0], row.extent(0), row.extent(1), outputs},
                             row.outputScale, row.input == TENSOR_QUANT8_ASYMM ? 100 : -7)});
    return net.done();
}

// The rows of a convolution give what XNNPACK's operator does, and write nothing else.
void expectSameBits(const Quant8Convolution& row, uint32_t seed) {
    const OneLowering lowering(modelOf(row, seed));
    const size_t inputs = size_t{row.image[0]} * row.image[1] * row.image[2] * row.image[3];
    const size_t outputs = size_t{row.image[0]} * row.extent(0) * row.extent(1) * row.outputs;
    const auto x = bytesOf<uint8_t>(inputs + XNN_EXTRA_BYTES, seed + 3);
    constexpr size_t kBehind = 64;
    constexpr uint8_t kNoResult = 0x5a;
    std::vector<uint8_t> byRows(outputs + kBehind, kNoResult), byXnnpack = byRows;
    lowering.compute(x.data(), byXnnpack.data());
    const xnnpack::Rows rows = lowering.rows();
    ASSERT_GT(rows.count, 0u);
    for (size_t i = rows.count; i > 0; --i) rows.compute(x.data(), byRows.data(), i - 1);
    EXPECT_EQ(byRows, byXnnpack);
}

TEST(Xnnpack, ComputesRowsOfQuant8Convolutions) {
    const Quant8Convolution kRows[] = {
            {"one pixel", {1, 1, 1, 16}, 16},
            {"all pixels as one row", {2, 7, 5, 16}, 16},
            {"more than one call computes", {1, 10, 20, 8}, 24},
            {"a stride", {2, 7, 9, 8}, 16, {1, 1}, {0, 0, 0, 0}, 2},
            {"without paddings", {1, 5, 6, 3}, 8, {3, 3}},
            {"around the image", {2, 5, 6, 3}, 8, {3, 3}, {1, 1, 1, 1}},
            {"a filter larger than the image", {1, 2, 1, 5}, 16, {3, 5}, {2, 2, 1, 1}},
            {"gaps", {1, 9, 9, 4}, 16, {3, 3}, {2, 2, 2, 2}, 1, 2},
            {"gaps and strides", {1, 9, 8, 4}, 16, {3, 2}, {1, 2, 3, 0}, 3, 2},
            {"windows beside the image", {1, 1, 1, 4}, 8, {2, 2}, {2, 2, 2, 2}, 1, 3},
            {"the largest filter", {1, 8, 9, 2}, 8, {8, 8}, {0, 0, 0, 0}},
            {"one scale", Dimensions{1, 5, 6, 8}, 16, Dimensions{3, 3}, Paddings{1, 1, 1, 1}, 1, 1,
             0, false},
            {"RELU", {1, 5, 6, 8}, 16, {1, 1}, {0, 0, 0, 0}, 1, 1, 1},
            {"RELU1", {1, 5, 6, 8}, 16, {1, 1}, {0, 0, 0, 0}, 1, 1, 2},
            {"RELU6", {1, 5, 6, 8}, 16, {1, 1}, {0, 0, 0, 0}, 1, 1, 3},
            {"sums beyond the output", Dimensions{1, 5, 6, 8}, 16, Dimensions{1, 1},
             Paddings{0, 0, 0, 0}, 1, 1, 0, true, 0.01f},
            {"unsigned values", Dimensions{1, 5, 6, 8}, 16, Dimensions{3, 3}, Paddings{1, 1, 1, 1},
             1, 1, 0, true, 0.75f, TENSOR_QUANT8_ASYMM},
    };
    if (xnnpack::quant8ConvolutionOfProcessor() == nullptr)
        GTEST_SKIP() << "XNNPACK's are the best";
    ASSERT_THAT(xnnpack::initialize(), Succeeds());
    for (const Quant8Convolution& row : kRows) {
        SCOPED_TRACE(row.name);
        expectSameBits(row, 1);
    }
}

// Around the widths of panels, fours and tiles.
TEST(Xnnpack, ComputesRowsOfQuant8ConvolutionsOfAllWidths) {
    if (xnnpack::quant8ConvolutionOfProcessor() == nullptr)
        GTEST_SKIP() << "XNNPACK's are the best";
    ASSERT_THAT(xnnpack::initialize(), Succeeds());
    for (const uint32_t outputs : {8, 9, 16, 17, 32, 33, 48, 49, 64, 65, 113, 130}) {
        for (const uint32_t inputs : {2, 3, 4, 5, 8}) {
            for (uint32_t pixels = 1; pixels <= 33; ++pixels) {
                SCOPED_TRACE(
                        fmt::format("{} inputs, {} outputs, {} pixels", inputs, outputs, pixels));
                expectSameBits({.image = {1, 1, pixels, inputs}, .outputs = outputs},
                               outputs * inputs + pixels);
                if (::testing::Test::HasFailure()) return;
            }
        }
    }
    for (const uint32_t pixels : {41, 42, 43, 47, 48, 49, 95, 97, 300}) {
        SCOPED_TRACE(pixels);
        expectSameBits({.image = {1, 2, pixels, 5},
                        .outputs = 20,
                        .filter = {1, 3},
                        .paddings = {1, 1, 0, 0}},
                       pixels);
    }
}

TEST(Xnnpack, LeavesOtherConvolutionsToXnnpack) {
    const Quant8Convolution kRows[] = {
            {"one input", {1, 5, 6, 1}, 16, {3, 3}},
            {"few outputs", {1, 5, 6, 8}, 7},
            {"a filter of many elements", {1, 8, 9, 2}, 8, {8, 9}},
            {"a scale that XNNPACK refuses", Dimensions{1, 5, 6, 8}, 16, Dimensions{1, 1},
             Paddings{0, 0, 0, 0}, 1, 1, 0, true, 1e-6f},
            {"groups", Dimensions{1, 5, 6, 8}, 16, Dimensions{1, 1}, Paddings{0, 0, 0, 0}, 1, 1, 0,
             true, 0.75f, TENSOR_QUANT8_ASYMM_SIGNED, 2},
    };
    for (const Quant8Convolution& row : kRows) {
        SCOPED_TRACE(row.name);
        EXPECT_EQ(OneLowering(modelOf(row, 1)).rows().count, 0u);
    }
    constexpr uint32_t kMany = 512;
    const bool isFast = xnnpack::quant8ConvolutionOfProcessor() != nullptr &&
                        kMany <= xnnpack::maxQuant8Inputs();
    EXPECT_EQ(OneLowering(modelOf({"many inputs", {1, 5, 6, kMany}, 16}, 1)).rows().count > 0,
              isFast);
}

TEST(Xnnpack, LogsWhatComputesEachOperation) {
    Net net;
    const auto x = net.input(TENSOR_FLOAT32, {2, 3});
    const auto sum = net.temporary(TENSOR_FLOAT32, {2, 3});
    const auto root = net.temporary(TENSOR_FLOAT32, {2, 3});
    net.main.add(OperationType::ADD, net.scalars({x, x}, {0}), {sum});
    net.main.add(OperationType::SQRT, {sum}, {root});
    const auto shape = net.main.constant<int32_t>(TENSOR_INT32, {1}, {6});
    net.main.add(OperationType::RESHAPE, {root, shape}, {net.output(TENSOR_FLOAT32, {6})});
    std::vector<std::string> messages;
    const auto log = std::make_shared<Log>(
            [&](const LogRecord& record) { messages.emplace_back(record.text); });
    log->setMask(maskOf(VlogTag::COMPILATION));
    ASSERT_TRUE(xnnpackDevice({.name = "npu", .log = log})
                        ->prepareModel(net.done(), {}, {}, {}, {}, {}, {}, {}, {})
                        .has_value());
    EXPECT_THAT(messages, ElementsAre("npu: main.operations[0] ADD by add_nd_f32",
                                      "npu: main.operations[1] SQRT by square_root_nc_f32",
                                      "npu: main.operations[2] RESHAPE by copy"));
}

// What XNNPACK of 2024 has and that of 2022 has not.
TEST(Xnnpack, SupportsWhatNewerVersionsHave) {
    Net net;
    const auto x = net.input(TENSOR_QUANT8_ASYMM_SIGNED, {1, 3, 3, 4}, 0.5f, 3);
    const auto filter = net.perChannel({5, 2, 2, 4}, 0);
    const auto shape = net.main.constant<int32_t>(TENSOR_INT32, {4}, {1, 3, 3, 5});
    auto inputs = net.scalars({x, filter, net.bias(5, 0), shape}, {1, 1, 1, 0});
    inputs.push_back(net.main.constant<uint8_t>(BOOL, {}, {0}));
    net.main.add(OperationType::TRANSPOSE_CONV_2D, inputs,
                 {net.output(TENSOR_QUANT8_ASYMM_SIGNED, {1, 3, 3, 5}, 4.0f, -7)});
    const Model perChannel = net.done();
    const Model tanh = unary(OperationType::TANH, TENSOR_FLOAT32);
    if (xnnpack::kReshapes) {
        expectAsReference("perChannel", perChannel, 1);
        EXPECT_TRUE(prepareOn(*kDevice, tanh).has_value());
        return;
    }
    EXPECT_THAT(prepareOn(*kDevice, perChannel),
                Refuses(INVALID_ARGUMENT,
                        "main.operations[0] TRANSPOSE_CONV_2D: input 1 'filter' (operand 1) is "
                        "TENSOR_QUANT8_SYMM_PER_CHANNEL, allowed one with a single scale "
                        "[xnnpack.type]"));
    EXPECT_THAT(
            prepareOn(*kDevice, tanh),
            Refuses(INVALID_ARGUMENT,
                    "main.operations[0] TANH: input 0 'input' (operand 0) is TENSOR_FLOAT32, "
                    "allowed TENSOR_QUANT8_ASYMM and TENSOR_QUANT8_ASYMM_SIGNED [xnnpack.type]"));
}

TEST(Xnnpack, NormalizesReals) {
    std::vector<float> x = {0, std::log(3.0f), 0, 5, 5, 5}, y(6);
    const Request request{.inputs = {pointerTo(x)}, .outputs = {pointerTo(y)}};
    ASSERT_TRUE(executeOn(*prepared(softmax(1.0f, 1)), request).has_value());
    const float third = 1.0f / 3;
    EXPECT_THAT(y, testing::Pointwise(testing::FloatNear(1e-6f),
                                      {0.2f, 0.6f, 0.2f, third, third, third}));
}

TEST(Xnnpack, ComputesAlikeInAnyFloatEnvironment) {
    constexpr float kInfinity = std::numeric_limits<float>::infinity();
    std::vector<float> x = {0, 1.0f / 3, 5, kInfinity, -kInfinity, 1e30f};
    const Request inputs{.inputs = {pointerTo(x)}};
    const auto compute = [&] {
        std::vector<uint32_t> bits(x.size());
        Request request = inputs;
        request.outputs = {pointerTo(bits)};
        EXPECT_TRUE(executeOn(*prepared(softmax(1.0f, 1)), request).has_value());
        return bits;
    };
    const auto expected = compute();
    const auto found = [&] {
        const OddFloatEnvironment odd;
        return compute();
    }();
    EXPECT_EQ(found, expected);
}

// Outputs that another operation reads, twice among the outputs, and an input that no operation
// reads.
TEST(Xnnpack, GivesAllOutputs) {
    Model model;
    Graph main(model);
    const auto x = main.input(TENSOR_FLOAT32, {2});
    main.input(TENSOR_FLOAT32, {3});
    const auto y = main.output(TENSOR_FLOAT32, {2}), z = main.output(TENSOR_FLOAT32, {0});
    main.add(OperationType::NEG, {x}, {y});
    main.add(OperationType::ADD,
             {y, main.constant<float>(TENSOR_FLOAT32, {1}, {10.0f}), main.scalar(1)}, {z});
    model.main = main.graph;
    std::vector<float> in = {1, 20}, unused = {0, 0, 0}, negative(2), sum(2), small(1);
    Request request{.inputs = {pointerTo(in), pointerTo(unused)},
                    .outputs = {pointerTo(negative), pointerTo(sum)}};
    const SharedPreparedModel shared = prepared(model);
    const auto executed = executeOn(*shared, request);
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    EXPECT_THAT(negative, ElementsAre(-1, -20));
    EXPECT_THAT(sum, ElementsAre(9, 0));
    EXPECT_THAT(executed->first, ElementsAre(OutputShape{.dimensions = {2}, .isSufficient = true},
                                             OutputShape{.dimensions = {2}, .isSufficient = true}));

    // Rule execution.insufficient_shapes.
    request.outputs[1] = pointerTo(small);
    const auto tooSmall = executeOn(*shared, request);
    ASSERT_FALSE(tooSmall.has_value());
    EXPECT_EQ(tooSmall.error().code, OUTPUT_INSUFFICIENT_SIZE);
    EXPECT_THAT(tooSmall.error().outputShapes,
                ElementsAre(OutputShape{.dimensions = {2}, .isSufficient = true},
                            OutputShape{.dimensions = {2}, .isSufficient = false}));

    // The model leaves it open, so only the device can detect the error.
    request.outputs[1] = pointerTo(small, {1});
    EXPECT_EQ(executeOn(*shared, request).error().message,
              "outputs[1]: has dimensions [1] in the request, allowed [2] [xnnpack.dimensions]");
}

// ---- what interfaces promise

// Rules device.getters, device.version_string, device.cache_files and device.wait.
TEST(Xnnpack, GettersStay) {
    const SharedDevice device = xnnpackDevice();
    EXPECT_EQ(device->getName(), "nnapi-xnnpack");
    EXPECT_EQ(&device->getName(), &device->getName());
    EXPECT_EQ(device->getVersionString(), "xnnpack");
    EXPECT_EQ(device->getFeatureLevel(), kNewestVersion);
    EXPECT_EQ(device->getType(), DeviceType::CPU);
    EXPECT_THAT(device->getSupportedExtensions(), IsEmpty());
    EXPECT_EQ(device->getCapabilities(), Capabilities{});
    EXPECT_EQ(&device->getCapabilities(), &device->getCapabilities());
    EXPECT_THAT(device->getNumberOfCacheFilesNeeded(), Pair(0u, 0u));
    EXPECT_TRUE(device->wait().has_value());
}

// Rules execution.failure_shapes, fenced.deadlines, device.hints, deadline.execution and
// deadline.past.
TEST(Xnnpack, RefusesToExecute) {
    const SharedPreparedModel model = prepared(addition());
    const struct {
        const char* name;
        MeasureTiming measure = MeasureTiming::NO;
        OptionalTimePoint deadline{};
        OptionalDuration loopTimeout{};
        std::vector<TokenValuePair> hints{};
        std::vector<ExtensionNameAndPrefix> prefixes{};
        size_t inputs = 2;
        ErrorStatus code = INVALID_ARGUMENT;
    } kRows[] = {
            {.name = "Measure", .measure = MeasureTiming{7}},
            {.name = "LoopTime", .loopTimeout = Duration(-1)},
            {.name = "HintTwice", .hints = {{1, {}}, {1, {}}}},
            {.name = "Prefix", .prefixes = {{.name = "no dot", .prefix = 1}}},
            {.name = "InputsBeforeTheDeadline", .deadline = TimePoint{}, .inputs = 1},
            {.name = "Deadline", .deadline = TimePoint{}, .code = MISSED_DEADLINE_PERSISTENT},
    };
    for (const auto& row : kRows) {
        Sum sum;
        Request request = sum.request();
        request.inputs.resize(row.inputs);
        const auto result = model->execute(request, row.measure, row.deadline, row.loopTimeout,
                                           row.hints, row.prefixes);
        ASSERT_FALSE(result.has_value()) << row.name;
        EXPECT_EQ(result.error().code, row.code) << row.name << ": " << result.error().message;
        EXPECT_THAT(result.error().outputShapes, IsEmpty()) << row.name;
        const auto fenced = model->executeFenced(request, {}, row.measure, row.deadline,
                                                 row.loopTimeout, {}, row.hints, row.prefixes);
        ASSERT_FALSE(fenced.has_value()) << row.name;
        EXPECT_EQ(fenced.error().code, row.code) << row.name << ": " << fenced.error().message;
        EXPECT_THAT(sum.z, ElementsAre(0, 0, 0, 0)) << row.name;
    }
}

// Enough convolutions to take a while.
Model slow() {
    Net net;
    const std::vector<uint32_t> image = {1, 64, 64, 32};
    auto x = net.input(TENSOR_FLOAT32, image);
    const auto filter = net.main.constant<float>(TENSOR_FLOAT32, {32, 3, 3, 32},
                                                 std::vector<float>(32 * 9 * 32, 0.001f));
    const auto bias = net.main.constant<float>(TENSOR_FLOAT32, {32}, std::vector<float>(32));
    constexpr int kLayers = 200;
    for (int i = 1; i <= kLayers; ++i) {
        const auto y = i == kLayers ? net.output(TENSOR_FLOAT32, image)
                                    : net.temporary(TENSOR_FLOAT32, image);
        net.main.add(OperationType::CONV_2D, net.scalars({x, filter, bias}, {1, 1, 1, 0}), {y});
        x = y;
    }
    return net.done();
}

// Rules fenced.deadlines, deadline.execution and deadline.between_operations: on the way, and while
// others execute.
TEST(Xnnpack, EndsWithItsDeadline) {
    const SharedPreparedModel model =
            prepareOn(*xnnpackDevice({.executionsAtOnce = 1}), slow()).value();
    const size_t size = size_t{64} * 64 * 32;
    const auto executeUntil = [&](const OptionalTimePoint& deadline) {
        std::vector<float> in(size), out(size);
        const Request request{.inputs = {pointerTo(in)}, .outputs = {pointerTo(out)}};
        const auto executed = model->execute(request, MeasureTiming::YES, deadline, {}, {}, {});
        return executed.has_value() ? NONE : executed.error().code;
    };
    const auto soon = [] { return Clock::now() + std::chrono::milliseconds(2); };
    const auto isMissed = AnyOf(MISSED_DEADLINE_TRANSIENT, MISSED_DEADLINE_PERSISTENT);
    EXPECT_THAT(executeUntil(soon()), isMissed);
    ErrorStatus first = GENERAL_FAILURE;
    std::thread other([&] { first = executeUntil({}); });
    for (int i = 0; i < 5; ++i) EXPECT_THAT(executeUntil(soon()), isMissed);
    EXPECT_EQ(executeUntil(TimePoint::max()), NONE);
    other.join();
    EXPECT_EQ(first, NONE);
}

// Rules object.concurrency and hidl.concurrency: more threads than there are executions at one
// time, with threads of the device and without.
TEST(Xnnpack, ServesManyThreads) {
    for (const size_t threads : {0, 2}) {
        for (const size_t executionsAtOnce : {1, 3, 8}) {
            const SharedDevice device = xnnpackDevice(
                    {.executionsAtOnce = executionsAtOnce, .prepare = {.threads = threads}});
            const SharedPreparedModel model = prepareOn(*device, addition(1000)).value();
            std::atomic<int> wrong = 0;
            const Model chain = changingKinds(OperandType::TENSOR_QUANT8_ASYMM);
            // Several execute, and one prepares at the same time.
            inThreads(9, [&](int t) {
                for (int i = 0; i < (t == 8 ? 10 : 30); ++i) {
                    if (t == 8) {
                        wrong += !prepareOn(*device, chain).has_value();
                        continue;
                    }
                    std::vector<float> x(1000, static_cast<float>(t));
                    std::vector<float> y(1000, static_cast<float>(i)), z(1000);
                    const Request request{.inputs = {pointerTo(x), pointerTo(y)},
                                          .outputs = {pointerTo(z)}};
                    const bool isDone = executeOn(*model, request).has_value();
                    const std::vector<float> sum(1000, static_cast<float>(t + i));
                    if (!isDone || z != sum) ++wrong;
                }
            });
            EXPECT_EQ(wrong, 0) << threads << " " << executionsAtOnce;
        }
    }
}

// Rules prepared_model.resource and prepared_model.release.
TEST(Xnnpack, KeepsNoReferences) {
    SharedDevice device = xnnpackDevice({.prepare = {.threads = 2}});
    SharedPreparedModel model = prepareOn(*device, addition()).value();
    const std::weak_ptr<const IPreparedModel> ofModel = model;
    const std::weak_ptr<const IDevice> ofDevice = device;
    EXPECT_TRUE(model->getUnderlyingResource().has_value());
    device.reset();
    EXPECT_TRUE(ofDevice.expired());
    Sum sum;
    SharedExecution execution = reusableOn(*model, sum.request()).value();
    EXPECT_TRUE(execution->compute({}).has_value()) << "its threads are still there";
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    model.reset();
    sum.z.assign(4, 0);
    EXPECT_TRUE(execution->compute({}).has_value()) << "the execution owns what it needs";
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    execution.reset();
    EXPECT_TRUE(ofModel.expired());
}

}  // namespace
}  // namespace nn::driver_xnnpack_test
