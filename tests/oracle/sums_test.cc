// Sums of products whose numbers of rows, channels and groups are around the sizes of vectors and
// blocks, with each set of vector loops. Numbers are small and all scales are powers of two, so
// that nothing is rounded: the results equal those of the oracle.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "interpreter/builder.h"
#include "nnapi/interpreter.h"
#include "op_support/kernels/vector_kernels.h"
#include "oracle/oracle.h"

namespace nn::oracle {
namespace {

using Shape = std::vector<uint32_t>;

constexpr OperandType kTypes[] = {TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM, TENSOR_QUANT8_ASYMM_SIGNED};

// An operation of an input, a filter and a bias. The output has the scale of products.
struct Sum {
    OperationType type{};
    Shape input{}, filter{}, output{};
    std::vector<int32_t> parameters{};
    std::optional<bool> isNchw{};
};

// Numbers from -size to size around the zero point.
Tensor numbers(const Operand& operand, int32_t size, size_t step) {
    size_t count = 1;
    for (const uint32_t dimension : operand.dimensions) count *= dimension;
    const auto as = [&]<class E>(E) {
        std::vector<E> elements(count);
        for (size_t i = 0; i < count; ++i) {
            const auto number = static_cast<int32_t>(i * step % (2 * size + 1)) - size;
            elements[i] = static_cast<E>(number + operand.zeroPoint);
        }
        return tensorOf(operand.dimensions, elements);
    };
    if (operand.type == TENSOR_FLOAT32) return as(float{});
    if (operand.type == TENSOR_INT32) return as(int32_t{});
    return as(uint8_t{});
}

void expectExact(const Sum& sum, OperandType type, bool isPerChannel = false) {
    SCOPED_TRACE(fmt::format("{} of {}, filter {}{}, to {}", toString(type),
                             fmt::join(sum.input, " x "), fmt::join(sum.filter, " x "),
                             isPerChannel ? " per channel" : "", fmt::join(sum.output, " x ")));
    const bool isFloat = type == TENSOR_FLOAT32, isSigned = type == TENSOR_QUANT8_ASYMM_SIGNED;
    const uint32_t channels = sum.filter[0];
    MainGraph main;
    std::vector<uint32_t> inputs = {
            main.input(type, sum.input),
            main.input(isPerChannel ? TENSOR_QUANT8_SYMM_PER_CHANNEL : type, sum.filter),
            main.input(isFloat ? TENSOR_FLOAT32 : TENSOR_INT32, {channels})};
    for (const int32_t parameter : sum.parameters) inputs.push_back(main.scalar(parameter));
    if (sum.isNchw) inputs.push_back(main.constant<uint8_t>(BOOL, {}, {*sum.isNchw}));
    const uint32_t output = main.output(type, sum.output);
    main.add(sum.type, inputs, {output});
    const auto quantize = [&](uint32_t operand, float scale, int32_t zeroPoint) {
        if (isFloat) return;
        main.graph.operands[operand].scale = scale;
        main.graph.operands[operand].zeroPoint = zeroPoint;
    };
    quantize(inputs[0], 0.5f, isSigned ? -2 : 126);
    quantize(output, 0.25f, isSigned ? -2 : 126);
    if (isPerChannel) {
        std::vector<float> scales(channels, 0.5f);
        for (uint32_t k = 1; k < channels; k += 3) scales[k] = 1;
        main.graph.operands[inputs[1]].extraParams =
                Operand::SymmPerChannelQuantParams{.scales = scales, .channelDim = 0};
    } else {
        quantize(inputs[1], 0.5f, isSigned ? 0 : 5);
        quantize(inputs[2], 0.25f, 0);
    }
    const std::vector<Operand>& operands = main.graph.operands;
    const std::vector<Tensor> values = {numbers(operands[inputs[0]], 5, 7),
                                        numbers(operands[inputs[1]], 3, 5),
                                        numbers(operands[inputs[2]], 4, 1)};
    const Model model = main.build();
    const Evaluation expected = evaluate(model, values);
    ASSERT_EQ(expected.why, "");
    const auto prepared = prepare(model);
    ASSERT_TRUE(prepared.ok()) << prepared.status();
    for (const ops::VectorKernels* set : ops::allVectorKernels()) {
        ops::usedVectorKernels = set;
        const auto actual = prepared->run(values);
        ASSERT_TRUE(actual.ok()) << actual.status();
        EXPECT_EQ((*actual)[0].data, expected.outputs[0].data) << set->instructionSet;
    }
    ops::usedVectorKernels = ops::allVectorKernels().front();
}

// Channels and groups around the number of columns that a product computes at once, so that a group
// is a part of the columns, all of them, or several times as many.
TEST(Sums, OfAnyNumberOfChannelsInAnyNumberOfGroups) {
    for (const uint32_t outputs : {1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 33}) {
        for (const uint32_t groups : {1, 2, 3, 4, 5, 7, 8, 9, 16}) {
            for (const uint32_t inputs : {1, 2, 3, 4, 8}) {
                const auto sum = [&](uint32_t taps, bool isNchw) {
                    const auto image = [&](uint32_t width, uint32_t channels) {
                        return isNchw ? Shape{2, channels, 2, width} : Shape{2, 2, width, channels};
                    };
                    return Sum{.type = OperationType::GROUPED_CONV_2D,
                               .input = image(3, groups * inputs),
                               .filter = {groups * outputs, 1, taps, inputs},
                               .output = image(4 - taps, groups * outputs),
                               .parameters = {2, 1, 1, static_cast<int32_t>(groups), 0},
                               .isNchw = isNchw};
                };
                for (const Sum& one : {sum(1, false), sum(2, false), sum(2, true)}) {
                    for (const OperandType type : kTypes) expectExact(one, type);
                    expectExact(one, TENSOR_QUANT8_ASYMM, true);
                    expectExact(one, TENSOR_QUANT8_ASYMM_SIGNED, true);
                }
            }
        }
    }
}

// Every shape that takes another path through the products of matrices.
TEST(Sums, OfImages) {
    const struct {
        uint32_t height, width, inputs, outputs, filter;
    } kSizes[] = {{5, 7, 3, 5, 3}, {9, 4, 8, 4, 1}, {3, 3, 17, 9, 3}, {40, 50, 1, 2, 2}};
    for (const auto& size : kSizes) {
        const Sum sum{.type = OperationType::CONV_2D,
                      .input = {2, size.height, size.width, size.inputs},
                      .filter = {size.outputs, size.filter, size.filter, size.inputs},
                      .output = {2, size.height - size.filter + 1, size.width - size.filter + 1,
                                 size.outputs},
                      .parameters = {2, 1, 1, 0}};
        for (const OperandType type : kTypes) expectExact(sum, type);
    }
}

// Numbers of rows around the threshold for packing weights.
TEST(Sums, OfEachNumberOfRows) {
    for (const uint32_t rows : {1, 2, 6, 7, 8}) {
        for (const uint32_t size : {1, 7, 8, 9, 15, 16, 17, 33}) {
            for (const uint32_t units : {1, 3, 4, 5, 7, 8, 9, 16, 17, 35}) {
                const Sum sum{.type = OperationType::FULLY_CONNECTED,
                              .input = {rows, size},
                              .filter = {units, size},
                              .output = {rows, units},
                              .parameters = {0}};
                for (const OperandType type : kTypes) expectExact(sum, type);
            }
        }
    }
}

}  // namespace
}  // namespace nn::oracle
