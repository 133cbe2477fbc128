// Long sums, where errors accumulate that the small models of the other tests do not show. Each row
// is one operation, with values from -1 to 1 or from 0 to 1; as in the other tests, its results
// must be within half of the accuracy criteria.
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "interpreter/builder.h"
#include "nnapi/interpreter.h"
#include "oracle/compare.h"
#include "oracle/oracle.h"

namespace nn::oracle {
namespace {

using Shape = std::vector<uint32_t>;
using Shapes = std::vector<Shape>;

struct Row {
    const char* name;
    OperationType type;
    Shapes tensors;  // inputs 0 and up, random
    std::function<std::vector<uint32_t>(Graph&)> parameters;
    Shape output;
    double least = -1;  // of the values
};

const auto kNone = [](Graph&) { return std::vector<uint32_t>{}; };

// No padding, strides of 1.
std::vector<uint32_t> pooling(Graph& graph, int32_t width, int32_t height) {
    return {graph.scalar(2),     graph.scalar(1),      graph.scalar(1),
            graph.scalar(width), graph.scalar(height), graph.scalar(0)};
}
std::vector<uint32_t> axes(Graph& graph, bool isFlag) {
    const auto list = graph.constant<int32_t>(TENSOR_INT32, {1}, {1});
    return {list, isFlag ? graph.constant<uint8_t>(BOOL, {}, {0}) : graph.scalar(0)};
}
uint32_t no(Graph& graph) { return graph.constant<uint8_t>(BOOL, {}, {0}); }

const Row kRows[] = {
        {"AveragePool", OperationType::AVERAGE_POOL_2D, Shapes{{1, 200, 200, 2}},
         [](Graph& g) { return pooling(g, 200, 200); }, Shape{1, 1, 1, 2}, 0},
        {"L2Pool", OperationType::L2_POOL_2D, Shapes{{1, 200, 200, 2}},
         [](Graph& g) { return pooling(g, 200, 200); }, Shape{1, 1, 1, 2}},
        {"Softmax", OperationType::SOFTMAX, Shapes{{1, 100000}},
         [](Graph& g) { return std::vector{g.scalar(1.0f)}; }, Shape{1, 100000}},
        {"LogSoftmax", OperationType::LOG_SOFTMAX, Shapes{{1, 100000}},
         [](Graph& g) {
             return std::vector{g.scalar(1.0f), g.scalar(-1)};
         },
         Shape{1, 100000}},
        {"LocalResponseNormalization", OperationType::LOCAL_RESPONSE_NORMALIZATION,
         Shapes{{1, 1, 1, 4000}},
         [](Graph& g) {
             return std::vector{g.scalar(2000), g.scalar(1.0f), g.scalar(0.001f), g.scalar(0.5f)};
         },
         Shape{1, 1, 1, 4000}},
        {"L2Normalization", OperationType::L2_NORMALIZATION, Shapes{{1, 1, 1, 100000}}, kNone,
         Shape{1, 1, 1, 100000}},
        {"InstanceNormalization", OperationType::INSTANCE_NORMALIZATION, Shapes{{1, 200, 200, 2}},
         [](Graph& g) {
             return std::vector{g.scalar(1.0f), g.scalar(0.0f), g.scalar(0.001f), no(g)};
         },
         Shape{1, 200, 200, 2}},
        {"RoiAlign", OperationType::ROI_ALIGN, Shapes{{1, 8, 8, 1}},
         [](Graph& g) {
             return std::vector{g.constant<float>(TENSOR_FLOAT32, {1, 4}, {0, 0, 8, 8}),
                                g.constant<int32_t>(TENSOR_INT32, {1}, {0}),
                                g.scalar(1),
                                g.scalar(1),
                                g.scalar(1.0f),
                                g.scalar(1.0f),
                                g.scalar(500),
                                g.scalar(500),
                                no(g)};
         },
         Shape{1, 1, 1, 1}, 0},
        {"Mean", OperationType::MEAN, Shapes{{2, 100000}}, [](Graph& g) { return axes(g, false); },
         Shape{2}, 0},
        {"ReduceSum", OperationType::REDUCE_SUM, Shapes{{2, 100000}},
         [](Graph& g) { return axes(g, true); }, Shape{2}},
        {"BatchMatmul", OperationType::BATCH_MATMUL, Shapes{{2, 20000}, {20000, 3}},
         [](Graph& g) {
             return std::vector{no(g), no(g)};
         },
         Shape{2, 3}},
        {"FullyConnected", OperationType::FULLY_CONNECTED, Shapes{{2, 100000}, {16, 100000}, {16}},
         [](Graph& g) { return std::vector{g.scalar(0)}; }, Shape{2, 16}},
        {"Conv2d", OperationType::CONV_2D, Shapes{{1, 4, 4, 2000}, {9, 3, 3, 2000}, {9}},
         [](Graph& g) {
             return std::vector{g.scalar(2), g.scalar(1), g.scalar(1), g.scalar(0)};
         },
         Shape{1, 2, 2, 9}},
        {"DepthwiseConv2d", OperationType::DEPTHWISE_CONV_2D,
         Shapes{{1, 128, 128, 9}, {1, 128, 128, 9}, {9}},
         [](Graph& g) {
             return std::vector{g.scalar(2), g.scalar(1), g.scalar(1), g.scalar(1), g.scalar(0)};
         },
         Shape{1, 1, 1, 9}},
        {"DepthwiseConv2dOfShortSums", OperationType::DEPTHWISE_CONV_2D,
         Shapes{{1, 32, 32, 3}, {1, 4, 8, 33}, {33}},
         [](Graph& g) {
             return std::vector{g.scalar(2), g.scalar(1), g.scalar(1), g.scalar(11), g.scalar(0)};
         },
         Shape{1, 29, 25, 33}},
        {"TransposeConv2d", OperationType::TRANSPOSE_CONV_2D,
         Shapes{{1, 3, 3, 2000}, {9, 3, 3, 2000}, {9}},
         [](Graph& g) {
             return std::vector{g.constant<int32_t>(TENSOR_INT32, {4}, {1, 5, 5, 9}),
                                g.scalar(2),
                                g.scalar(1),
                                g.scalar(1),
                                g.scalar(0),
                                no(g)};
         },
         Shape{1, 5, 5, 9}},
};
void PrintTo(const Row& row, std::ostream* out) { *out << row.name; }

class LongSums : public ::testing::TestWithParam<Row> {};

TEST_P(LongSums, AreWithinHalfOfTheCriteria) {
    const Row& row = GetParam();
    Model model;
    Graph main(model);
    std::mt19937_64 random(1);
    std::uniform_real_distribution<float> values(static_cast<float>(row.least), 1);
    std::vector<uint32_t> inputs;
    std::vector<Tensor> tensors;
    for (const Shape& shape : row.tensors) {
        size_t count = 1;
        for (const uint32_t dimension : shape) count *= dimension;
        std::vector<float> elements(count);
        for (float& element : elements) element = values(random);
        inputs.push_back(main.input(TENSOR_FLOAT32, shape));
        tensors.push_back(floats(shape, elements));
    }
    for (const uint32_t parameter : row.parameters(main)) inputs.push_back(parameter);
    main.add(row.type, inputs, {main.output(TENSOR_FLOAT32, row.output)});
    model.main = main.graph;

    const auto actual = prepare(model)->run(tensors);
    ASSERT_TRUE(actual.ok()) << actual.status();
    const Evaluation evaluation = evaluate(model, tensors);
    ASSERT_EQ(evaluation.why, "");
    const auto differs = difference(TENSOR_FLOAT32, evaluation.outputs[0], (*actual)[0],
                                    toleranceOf(row.type, TENSOR_FLOAT32));
    EXPECT_FALSE(differs) << *differs;
}

INSTANTIATE_TEST_SUITE_P(All, LongSums, ::testing::ValuesIn(kRows),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace nn::oracle
