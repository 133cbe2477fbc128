// Small models with results computed by hand, for users without test cases.
#include "device_test/cases/models.h"
#include "nnapi/device_test/device_test.h"

namespace nn::testing {
namespace {

struct Build {
    TestCase testCase{};
    SubgraphBuilder main{testCase.model};

    std::shared_ptr<const TestCase> done(const char* name, std::vector<Tensor> inputs,
                                         Tensor output) {
        testCase.name = name;
        testCase.spec = "built in";
        testCase.model.main = std::move(main.graph);
        testCase.inputs = std::move(inputs);
        testCase.outputs = {{.value = std::move(output)}};
        return std::make_shared<const TestCase>(std::move(testCase));
    }
};

std::shared_ptr<const TestCase> addFloat() {
    Job job = sumJob();
    TestCase made{.name = "add_float", .spec = "built in", .model = std::move(job.model)};
    made.inputs = std::move(job.inputs);
    made.outputs = {{.value = std::move(job.outputs[0])}};
    return std::make_shared<const TestCase>(std::move(made));
}

// (3 + 5) * 0.5 at scale 0.5: 3 + 5 in stored units.
std::shared_ptr<const TestCase> addQuant8() {
    Build b;
    const auto x = b.main.input(quantTensor({3}, 0.5f, 0));
    const auto y = b.main.input(quantTensor({3}, 0.5f, 0));
    b.main.add(OperationType::ADD, {x, y, b.main.scalar(0)},
               {b.main.output(quantTensor({3}, 0.5f, 0))});
    return b.done("add_quant8",
                  {tensorOf<uint8_t>({3}, {3, 10, 200}), tensorOf<uint8_t>({3}, {5, 20, 100})},
                  tensorOf<uint8_t>({3}, {8, 30, 255}));
}

std::shared_ptr<const TestCase> reluFloat() {
    Build b;
    const auto x = b.main.input(floatTensor({2, 2}));
    b.main.add(OperationType::RELU, {x}, {b.main.output(floatTensor({2, 2}))});
    return b.done("relu_float", {tensorOf<float>({2, 2}, {-1, 0, 2, -3})},
                  tensorOf<float>({2, 2}, {0, 0, 2, 0}));
}

// A 1x2x2x1 input, a 1x1 filter of 2 and a bias of 1: 2x + 1.
std::shared_ptr<const TestCase> convFloat() {
    Build b;
    const auto x = b.main.input(floatTensor({1, 2, 2, 1}));
    const auto filter = b.main.constant<float>(floatTensor({1, 1, 1, 1}), {2});
    const auto bias = b.main.constant<float>(floatTensor({1}), {1});
    const auto valid = b.main.scalar(2), one = b.main.scalar(1), none = b.main.scalar(0);
    b.main.add(OperationType::CONV_2D, {x, filter, bias, valid, one, one, none},
               {b.main.output(floatTensor({1, 2, 2, 1}))});
    return b.done("conv_2d_float", {tensorOf<float>({1, 2, 2, 1}, {1, 2, 3, 4})},
                  tensorOf<float>({1, 2, 2, 1}, {3, 5, 7, 9}));
}

// [1 2] times [[1 0] [3 4]] transposed, plus [10 20].
std::shared_ptr<const TestCase> fullyConnectedFloat() {
    Build b;
    const auto x = b.main.input(floatTensor({1, 2}));
    const auto weights = b.main.constant<float>(floatTensor({2, 2}), {1, 0, 3, 4});
    const auto bias = b.main.constant<float>(floatTensor({2}), {10, 20});
    b.main.add(OperationType::FULLY_CONNECTED, {x, weights, bias, b.main.scalar(0)},
               {b.main.output(floatTensor({1, 2}))});
    return b.done("fully_connected_float", {tensorOf<float>({1, 2}, {1, 2})},
                  tensorOf<float>({1, 2}, {11, 31}));
}

std::shared_ptr<const TestCase> maxPoolFloat() {
    Build b;
    const auto x = b.main.input(floatTensor({1, 2, 2, 1}));
    const auto valid = b.main.scalar(2), one = b.main.scalar(1), two = b.main.scalar(2);
    b.main.add(OperationType::MAX_POOL_2D, {x, valid, one, one, two, two, b.main.scalar(0)},
               {b.main.output(floatTensor({1, 1, 1, 1}))});
    return b.done("max_pool_2d_float", {tensorOf<float>({1, 2, 2, 1}, {1, 7, -3, 4})},
                  tensorOf<float>({1, 1, 1, 1}, {7}));
}

std::shared_ptr<const TestCase> reshapeFloat() {
    Build b;
    const auto x = b.main.input(floatTensor({2, 3}));
    const auto shape = b.main.constant<int32_t>(
            {.type = OperandType::TENSOR_INT32, .dimensions = {2}}, {3, 2});
    b.main.add(OperationType::RESHAPE, {x, shape}, {b.main.output(floatTensor({3, 2}))});
    return b.done("reshape_float", {tensorOf<float>({2, 3}, {1, 2, 3, 4, 5, 6})},
                  tensorOf<float>({3, 2}, {1, 2, 3, 4, 5, 6}));
}

// Two equal values give one half each.
std::shared_ptr<const TestCase> softmaxFloat() {
    Build b;
    const auto x = b.main.input(floatTensor({1, 2}));
    const auto beta = b.main.constant<float>({.type = OperandType::FLOAT32}, {1});
    b.main.add(OperationType::SOFTMAX, {x, beta}, {b.main.output(floatTensor({1, 2}))});
    return b.done("softmax_float", {tensorOf<float>({1, 2}, {5, 5})},
                  tensorOf<float>({1, 2}, {0.5f, 0.5f}));
}

}  // namespace

std::vector<std::shared_ptr<const TestCase>> builtInTestCases() {
    return {addFloat(),     addQuant8(),    reluFloat(),   convFloat(), fullyConnectedFloat(),
            maxPoolFloat(), reshapeFloat(), softmaxFloat()};
}

}  // namespace nn::testing
