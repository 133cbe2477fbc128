// Permitted results of a chain of operations: later ones amplify the errors of earlier ones.
#include "device_test/cases/chain_errors.h"

#include <gtest/gtest.h>

#include <limits>

#include "device_test/cases/models.h"
#include "nnapi/device_test/device_test.h"
#include "nnapi/interpreter.h"
#include "nnapi/type_utils.h"
#ifdef NNAPI_HAS_XNNPACK
#include "nnapi/driver/xnnpack.h"
#endif

namespace nn::chain_errors_test {
namespace {

using testing::Criteria;
using testing::floatTensor;
using testing::quantTensor;
using enum OperandType;
using enum OperationType;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

// Two operations, each with one input, or with what else it takes.
struct Chain {
    explicit Chain(Operand input) { x = main.input(std::move(input)); }

    Model model{};
    SubgraphBuilder main{model};
    uint32_t x = 0;

    Model done() {
        model.main = std::move(main.graph);
        return model;
    }
};

Model quantizedThenTanh() {
    Chain chain(floatTensor({1}));
    const uint32_t coarse = chain.main.temporary(quantTensor({1}, 4, 128));
    chain.main.add(QUANTIZE, {chain.x}, {coarse});
    chain.main.add(TANH, {coarse}, {chain.main.output(quantTensor({1}, 1.0f / 128, 128))});
    return chain.done();
}

Model reshapedThenTanh() {
    Chain chain(quantTensor({1}, 4, 128));
    const uint32_t shape =
            chain.main.constant<int32_t>({.type = TENSOR_INT32, .dimensions = {1}}, {1});
    const uint32_t same = chain.main.temporary(quantTensor({1}, 4, 128));
    chain.main.add(RESHAPE, {chain.x, shape}, {same});
    chain.main.add(TANH, {same}, {chain.main.output(quantTensor({1}, 1.0f / 128, 128))});
    return chain.done();
}

Model logThenRelu() {
    Chain chain(floatTensor({1}));
    const uint32_t log = chain.main.temporary(floatTensor({1}));
    chain.main.add(LOG, {chain.x}, {log});
    chain.main.add(RELU1, {log}, {chain.main.output(floatTensor({1}))});
    return chain.done();
}

Model logThenNegated() {
    Chain chain(floatTensor({1}));
    const uint32_t log = chain.main.temporary(floatTensor({1}));
    chain.main.add(LOG, {chain.x}, {log});
    chain.main.add(NEG, {log}, {chain.main.output(floatTensor({1}))});
    return chain.done();
}

Model maximumOfWindow() {
    Chain chain(floatTensor({1, 1, 1, 1}));
    const uint32_t one = chain.main.scalar(1), none = chain.main.scalar(0);
    const uint32_t valid = chain.main.scalar(2);
    chain.main.add(MAX_POOL_2D, {chain.x, valid, one, one, one, one, none},
                   {chain.main.output(floatTensor({1, 1, 1, 1}))});
    return chain.done();
}

// As many elements as a truncated product says.
Model tripledThenFilled() {
    Chain chain(floatTensor({1}));
    const uint32_t three = chain.main.constant<float>(floatTensor({1}), {3});
    const uint32_t value = chain.main.constant<float>({.type = FLOAT32}, {7});
    const uint32_t tripled = chain.main.temporary(floatTensor({1}));
    const uint32_t size = chain.main.temporary({.type = TENSOR_INT32, .dimensions = {1}});
    chain.main.add(MUL, {chain.x, three, chain.main.scalar(0)}, {tripled});
    chain.main.add(CAST, {tripled}, {size});
    chain.main.add(FILL, {size, value}, {chain.main.output(floatTensor({0}))});
    return chain.done();
}

// Rows of three; each element depends on the others.
Model quantizedThenSoftmax() {
    Chain chain(floatTensor({1, 3}));
    const uint32_t coarse = chain.main.temporary(quantTensor({1, 3}, 1, 3));
    const uint32_t beta = chain.main.constant<float>({.type = FLOAT32}, {1});
    chain.main.add(QUANTIZE, {chain.x}, {coarse});
    chain.main.add(SOFTMAX, {coarse, beta},
                   {chain.main.output(quantTensor({1, 3}, 1.0f / 256, 0))});
    return chain.done();
}

Model logThenGreater() {
    Chain chain(floatTensor({1}));
    const uint32_t zero = chain.main.constant<float>(floatTensor({1}), {0});
    const uint32_t log = chain.main.temporary(floatTensor({1}));
    chain.main.add(LOG, {chain.x}, {log});
    chain.main.add(GREATER, {log, zero},
                   {chain.main.output({.type = TENSOR_BOOL8, .dimensions = {1}})});
    return chain.done();
}

Model tripledThenArgmax() {
    Chain chain(floatTensor({2}));
    const uint32_t three = chain.main.constant<float>(floatTensor({1}), {3});
    const uint32_t tripled = chain.main.temporary(floatTensor({2}));
    chain.main.add(MUL, {chain.x, three, chain.main.scalar(0)}, {tripled});
    chain.main.add(ARGMAX, {tripled, chain.main.scalar(0)},
                   {chain.main.output({.type = TENSOR_INT32, .dimensions = {1}})});
    return chain.done();
}

// Of two rows of three.
template <int32_t kAxis>
Model argmax() {
    Chain chain(floatTensor({2, 3}));
    chain.main.add(
            ARGMAX, {chain.x, chain.main.scalar(kAxis)},
            {chain.main.output({.type = TENSOR_INT32, .dimensions = {kAxis == 0 ? 3U : 2U}})});
    return chain.done();
}

template <class E>
Tensor tensor(std::vector<E> values) {
    Tensor made{.dimensions = {static_cast<uint32_t>(values.size())}};
    made.data.resize(values.size() * sizeof(E));
    std::memcpy(made.data.data(), values.data(), made.data.size());
    return made;
}

using Tensors = std::vector<Tensor>;
struct Row {
    const char* name;
    Model (*model)();
    Tensor input;
    Tensors allowed;
    Tensors refused;
};

// A chain of two may be off by three steps or 3e-5 altogether.
const Criteria kOfAll{
        .float32 = {.absolute = 3e-5, .relative = 2e-6}, .int32 = {}, .quant8 = {.absolute = 3}};

TEST(ChainErrors, AreThoseOfEachOperationAmplified) {
    using Bytes = std::vector<uint8_t>;
    using Floats = std::vector<float>;
    using Integers = std::vector<int32_t>;
    const Row kRows[] = {
            // 2 is half a step of 4: 0 or 4, whose hyperbolic tangents are 0 and 1.
            {"a half", quantizedThenTanh, tensor(Floats{2}),
             Tensors{tensor(Bytes{255}), tensor(Bytes{128}), tensor(Bytes{124})},
             Tensors{tensor(Bytes{123}), tensor(Bytes{0}), tensor(Bytes{255, 255})}},
            // Nothing is rounded before the hyperbolic tangent.
            {"moved", reshapedThenTanh, tensor(Bytes{129}),
             Tensors{tensor(Bytes{255}), tensor(Bytes{251})},
             Tensors{tensor(Bytes{250}), tensor(Bytes{128})}},
            {"NaN at the end", logThenRelu, tensor(Floats{-1}),
             Tensors{tensor(Floats{kNan}), tensor(Floats{-1}), tensor(Floats{1}),
                     tensor(Floats{0})},
             Tensors{}},
            {"no NaN", logThenRelu, tensor(Floats{1.5f}),
             Tensors{tensor(Floats{0.40546511f}), tensor(Floats{0.40543f})},
             Tensors{tensor(Floats{kNan}), tensor(Floats{0.4054f}), tensor(Floats{1})}},
            {"infinite", logThenNegated, tensor(Floats{0}), Tensors{tensor(Floats{kInfinity})},
             Tensors{tensor(Floats{-kInfinity}), tensor(Floats{3e38f}), tensor(Floats{kNan})}},
            {"a number instead of NaN", maximumOfWindow,
             Tensor{.dimensions = {1, 1, 1, 1}, .data = tensor(Floats{kNan}).data},
             Tensors{Tensor{.dimensions = {1, 1, 1, 1}, .data = tensor(Floats{kNan}).data}},
             Tensors{}},
            {"a row", quantizedThenSoftmax,
             Tensor{.dimensions = {1, 3}, .data = tensor(Floats{0, 0.5f, 0}).data},
             Tensors{Tensor{.dimensions = {1, 3}, .data = {54, 147, 54}},
                     Tensor{.dimensions = {1, 3}, .data = {85, 85, 85}}},
             Tensors{Tensor{.dimensions = {1, 3}, .data = {250, 85, 85}}}},
            {"another size", tripledThenFilled, tensor(Floats{1}),
             Tensors{tensor(Floats{7, 7, 7}), tensor(Floats{7, 7})}, Tensors{}},
            {"the same size", tripledThenFilled, tensor(Floats{1.1f}),
             Tensors{tensor(Floats{7, 7, 7})}, Tensors{tensor(Floats{7, 7})}},
            {"NaN between", logThenGreater, tensor(Floats{-1}),
             Tensors{tensor(Bytes{0}), tensor(Bytes{1})}, Tensors{}},
            {"compared", logThenGreater, tensor(Floats{2}), Tensors{tensor(Bytes{1})},
             Tensors{tensor(Bytes{0})}},
            {"close to each other", tripledThenArgmax, tensor(Floats{1, 1.000001f}),
             Tensors{tensor(Integers{1}), tensor(Integers{0})}, Tensors{tensor(Integers{2})}},
            {"apart", tripledThenArgmax, tensor(Floats{1, 1.1f}), Tensors{tensor(Integers{1})},
             Tensors{tensor(Integers{0})}},
            {"equal in rows", argmax<-1>,
             Tensor{.dimensions = {2, 3}, .data = tensor(Floats{1, 1, 0, 0, 5, 5}).data},
             Tensors{tensor(Integers{0, 1}), tensor(Integers{1, 1}), tensor(Integers{0, 2})},
             Tensors{tensor(Integers{2, 1}), tensor(Integers{0, 0})}},
            {"equal in columns", argmax<0>,
             Tensor{.dimensions = {2, 3}, .data = tensor(Floats{1, 2, 3, 1, 2, 0}).data},
             Tensors{tensor(Integers{0, 0, 0}), tensor(Integers{1, 1, 0})},
             Tensors{tensor(Integers{0, 0, 1}), tensor(Integers{2, 0, 0})}},
    };
    for (const Row& row : kRows) {
        SCOPED_TRACE(row.name);
        TestCase testCase{.model = row.model(), .inputs = {row.input}};
        const auto expected = prepare(testCase.model)->run(testCase.inputs);
        ASSERT_TRUE(expected.ok()) << expected.status();
        testCase.outputs = {{.value = expected->front()}};
        const auto isAllowed = [&](const Tensor& output) {
            return testing::areWithinErrors(testCase, {&output, 1}, Criteria(), kOfAll);
        };
        for (size_t i = 0; i < row.allowed.size(); ++i) EXPECT_TRUE(isAllowed(row.allowed[i])) << i;
        for (size_t i = 0; i < row.refused.size(); ++i) {
            EXPECT_FALSE(isAllowed(row.refused[i])) << i;
        }
    }
}

#ifdef NNAPI_HAS_XNNPACK
// Random models in which a permitted difference of one operation becomes any result of the next:
// halves that are rounded to even, NaN that becomes a bound, numbers hardly above 0.
TEST(ChainErrors, AreAllowedInRandomModels) {
    const SharedDevice device = xnnpackDevice();
    for (const uint64_t seed :
         {6627, 6667, 6669, 6781, 6789, 14389, 29695, 44564, 48620, 56246, 208282, 210166}) {
        const auto outcome = testing::runCase(device, testing::randomCase(seed));
        EXPECT_EQ(toString(outcome), "passed") << seed;
    }
}
#endif

}  // namespace
}  // namespace nn::chain_errors_test
