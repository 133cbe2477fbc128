// What executing costs: the networks of examples/, an LSTM, and one operation of each family.
//
//   build/release/bin/nnapi_bench --benchmark_filter='Network|EigenProducts'
//
// Network and EigenProducts count multiplications and additions: "mac" is their rate.
#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <algorithm>

#include "examples.h"
#include "interpreter/graph.h"
#include "nnapi/interpreter.h"
#include "nnapi/print.h"

namespace nn {
namespace {

using enum OperationType;

// A product of [rows, depth] and [depth, columns].
struct Product {
    int64_t rows, depth, columns;
    int64_t macs() const { return rows * depth * columns; }
};

// What the convolutions of a network that mix channels come to.
std::vector<Product> productsOf(const Model& model) {
    std::vector<Product> products;
    for (const Operation& operation : model.main.operations) {
        if (operation.type != CONV_2D && operation.type != FULLY_CONNECTED) continue;
        const auto sizesOf = [&](uint32_t operand) -> const std::vector<uint32_t>& {
            return model.main.operands[operand].dimensions;
        };
        const auto product = [](auto first, auto last) {
            int64_t size = 1;
            for (; first != last; ++first) size *= *first;
            return size;
        };
        const auto &filter = sizesOf(operation.inputs[1]), &output = sizesOf(operation.outputs[0]);
        products.push_back({.rows = product(output.begin(), output.end() - 1),
                            .depth = product(filter.begin() + 1, filter.end()),
                            .columns = filter[0]});
    }
    return products;
}

void countMacs(benchmark::State& state, const Model& model) {
    int64_t macs = 0;
    for (const Product& product : productsOf(model)) macs += product.macs();
    state.counters["mac"] = benchmark::Counter(static_cast<double>(macs),
                                               benchmark::Counter::kIsIterationInvariantRate);
}

void Network(benchmark::State& state, const char* name, size_t threads = 1) {
    const TestCase testCase = example(name);
    const Result<PreparedModel> prepared = prepare(testCase.model, {.threads = threads});
    for (auto _ : state) benchmark::DoNotOptimize(prepared->run(testCase.inputs));
    countMacs(state, testCase.model);
}
BENCHMARK_CAPTURE(Network, float32, "models/mobilenet_224_gender")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Network, float32_two_threads, "models/mobilenet_224_gender", 2)
        ->Unit(benchmark::kMillisecond)
        ->UseRealTime();
BENCHMARK_CAPTURE(Network, quant8, "models/mobilenet_224_gender_quant8")
        ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Network, quant8_per_channel, "models/mobilenet_224_gender_quant8_per_channel")
        ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Network, quant8_signed, "models/mobilenet_224_gender_quant8_signed_per_channel")
        ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Network, digits_float32, "digits/digits")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Network, digits_quant8, "digits/digits_quant8")->Unit(benchmark::kMillisecond);

// The matrix products of the float32 MobileNet and nothing else, by Eigen alone.
void EigenProducts(benchmark::State& state) {
    using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const TestCase testCase = example("models/mobilenet_224_gender");
    struct Factors {
        Matrix a, b, c;
    };
    std::vector<Factors> all;
    for (const Product& p : productsOf(testCase.model)) {
        all.push_back({Matrix::Random(p.rows, p.depth), Matrix::Random(p.columns, p.depth),
                       Matrix(p.rows, p.columns)});
    }
    for (auto _ : state) {
        for (auto& [a, b, c] : all) {
            c.noalias() = a * b.transpose();
            benchmark::DoNotOptimize(c.data());
        }
    }
    countMacs(state, testCase.model);
}
BENCHMARK(EigenProducts)->Unit(benchmark::kMillisecond);

// ---- one operation of each family

struct Layer {
    OperandType type;  // of the tensors
    std::vector<uint32_t> input;
    std::vector<uint32_t> output;
};

// Runs an operation on an input; `rest` adds its further inputs.
template <class Rest>
void runLayer(benchmark::State& state, OperationType operation, const Layer& layer, Rest rest) {
    Model model;
    Graph main(model);
    std::vector<uint32_t> inputs = {main.input(layer.type, layer.input)};
    rest(main, inputs);
    main.add(operation, inputs,
             {main.output(operation == ARGMAX ? TENSOR_INT32 : layer.type, layer.output)});
    for (Operand& operand : main.graph.operands) {
        if (operand.type == TENSOR_QUANT8_ASYMM) operand.scale = 0.5f;
        if (operand.type == TENSOR_INT32 && layer.type == TENSOR_QUANT8_ASYMM) {
            operand.scale = 0.25f;
        }
    }
    // The one that the specification fixes.
    Operand& output = main.graph.operands[main.graph.outputIndexes[0]];
    if (output.type == TENSOR_QUANT8_ASYMM && (operation == SOFTMAX || operation == LOGISTIC)) {
        output.scale = 1.0f / 256;
    } else if (output.type == TENSOR_QUANT8_ASYMM && operation == L2_NORMALIZATION) {
        output.scale = 1.0f / 128;
        output.zeroPoint = 128;
    }
    model.main = std::move(main.graph);

    const Result<PreparedModel> prepared = prepare(model);
    if (!prepared.ok())
        return state.SkipWithError(std::string(prepared.status().message()).c_str());
    size_t elements = layer.type == TENSOR_FLOAT32 ? 4 : 1;
    for (const uint32_t size : layer.input) elements *= size;
    const std::vector<Tensor> values = {
            {.dimensions = layer.input, .data = std::vector<uint8_t>(elements, 60)}};
    for (auto _ : state) benchmark::DoNotOptimize(prepared->run(values));
}

// A constant of that type, all bytes 60: small positive numbers.
uint32_t weights(Graph& main, OperandType type, std::vector<uint32_t> dimensions) {
    size_t bytes = type == TENSOR_QUANT8_ASYMM ? 1 : 4;
    for (const uint32_t size : dimensions) bytes *= size;
    return main.constant(type, std::move(dimensions), std::vector<uint8_t>(bytes, 60));
}
OperandType biasType(OperandType type) { return type == TENSOR_QUANT8_ASYMM ? TENSOR_INT32 : type; }

using Inputs = std::vector<uint32_t>;
constexpr uint32_t kSize = 56, kDepth = 64;

void Family(benchmark::State& state, OperationType operation, OperandType type) {
    const std::vector<uint32_t> image = {1, kSize, kSize, kDepth}, matrix = {256, 1024};
    const auto scalars = [](const std::vector<int32_t>& values) {
        return [values](Graph& main, Inputs& inputs) {
            for (const int32_t value : values) inputs.push_back(main.scalar(value));
        };
    };
    switch (operation) {
        case ADD:
            return runLayer(state, operation, {type, image, image}, [&](Graph& main, Inputs& in) {
                in.push_back(weights(main, type, image));
                in.push_back(main.scalar(0));
            });
        case LOGISTIC:
            return runLayer(state, operation, {type, image, image}, scalars({}));
        case CONV_2D:
        case DEPTHWISE_CONV_2D:
            return runLayer(state, operation, {type, image, image}, [&](Graph& main, Inputs& in) {
                const bool isDepthwise = operation == DEPTHWISE_CONV_2D;
                in.push_back(weights(main, type, {isDepthwise ? 1 : kDepth, 3, 3, kDepth}));
                in.push_back(weights(main, biasType(type), {kDepth}));
                for (const int32_t value : {1, 1, 1}) in.push_back(main.scalar(value));
                if (isDepthwise) in.push_back(main.scalar(1));
                in.push_back(main.scalar(0));
            });
        case FULLY_CONNECTED:
            return runLayer(state, operation, {type, matrix, {256, 256}},
                            [&](Graph& main, Inputs& in) {
                                in.push_back(weights(main, type, {256, 1024}));
                                in.push_back(weights(main, biasType(type), {256}));
                                in.push_back(main.scalar(0));
                            });
        case MAX_POOL_2D:
            return runLayer(state, operation, {type, image, image}, scalars({1, 1, 1, 3, 3, 0}));
        case SOFTMAX:
            return runLayer(state, operation, {type, matrix, matrix},
                            [](Graph& main, Inputs& in) { in.push_back(main.scalar(1.0f)); });
        case REDUCE_MAX:
            return runLayer(state, operation, {type, image, {1, kDepth}},
                            [](Graph& main, Inputs& in) {
                                in.push_back(main.constant<int32_t>(TENSOR_INT32, {2}, {1, 2}));
                                in.push_back(main.constant<uint8_t>(BOOL, {}, {0}));
                            });
        case TRANSPOSE:
            return runLayer(
                    state, operation, {type, image, {1, kDepth, kSize, kSize}},
                    [](Graph& main, Inputs& in) {
                        in.push_back(main.constant<int32_t>(TENSOR_INT32, {4}, {0, 3, 1, 2}));
                    });
        case RESIZE_BILINEAR:
            return runLayer(state, operation, {type, image, {1, 2 * kSize, 2 * kSize, kDepth}},
                            scalars({2 * kSize, 2 * kSize}));
        case L2_NORMALIZATION:
            return runLayer(state, operation, {type, matrix, matrix}, scalars({}));
        case ARGMAX:
            return runLayer(state, operation, {type, image, {1, kSize, kSize}}, scalars({-1}));
        case GATHER:
            return runLayer(state, operation, {type, image, {1, 3, kSize, kDepth}},
                            [](Graph& main, Inputs& in) {
                                in.push_back(main.scalar(1));
                                in.push_back(main.constant<int32_t>(TENSOR_INT32, {3}, {7, 50, 0}));
                            });
        case ROI_ALIGN:  // of two boxes, four samples in each direction of each bin
            return runLayer(state, operation, {type, image, {2, 7, 7, kDepth}},
                            [&](Graph& main, Inputs& in) {
                                if (type == TENSOR_FLOAT32) {
                                    in.push_back(main.constant<float>(
                                            type, {2, 4}, {0, 0, 56, 56, 10, 20, 30, 50}));
                                } else {
                                    in.push_back(main.constant<uint16_t>(
                                            TENSOR_QUANT16_ASYMM, {2, 4},
                                            {0, 0, 448, 448, 80, 160, 240, 400}));
                                    main.graph.operands[in.back()].scale = 0.125f;
                                }
                                in.push_back(main.constant<int32_t>(TENSOR_INT32, {2}, {0, 0}));
                                for (const int32_t size : {7, 7}) in.push_back(main.scalar(size));
                                for (const float ratio : {1.0f, 1.0f})
                                    in.push_back(main.scalar(ratio));
                                for (const int32_t samples : {4, 4})
                                    in.push_back(main.scalar(samples));
                                in.push_back(main.constant<uint8_t>(BOOL, {}, {0}));
                            });
        default:  // UNIDIRECTIONAL_SEQUENCE_LSTM: 20 steps of 256 cells
            return runLayer(state, operation, {type, {20, 1, 256}, {20, 1, 256}},
                            [&](Graph& main, Inputs& in) {
                                const auto omit = [&](size_t count) {
                                    const uint32_t none = main.constant<float>(type, {}, {});
                                    main.graph.operands[none].lifetime = LifeTime::NO_VALUE;
                                    main.graph.operands[none].location = {};
                                    for (; count > 0; --count) in.push_back(none);
                                };
                                for (int i = 0; i < 8; ++i)
                                    in.push_back(weights(main, type, {256, 256}));
                                omit(3);
                                for (int i = 0; i < 4; ++i)
                                    in.push_back(weights(main, type, {256}));
                                omit(2);
                                in.push_back(weights(main, type, {1, 256}));
                                in.push_back(weights(main, type, {1, 256}));
                                in.push_back(main.scalar(4));
                                in.push_back(main.scalar(0.0f));
                                in.push_back(main.scalar(0.0f));
                                in.push_back(main.constant<uint8_t>(BOOL, {}, {1}));
                                omit(4);
                            });
    }
}

const bool kRegistered = [] {
    for (const OperationType operation :
         {ADD, LOGISTIC, CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED, MAX_POOL_2D, SOFTMAX,
          REDUCE_MAX, TRANSPOSE, RESIZE_BILINEAR, L2_NORMALIZATION, ARGMAX, GATHER, ROI_ALIGN,
          UNIDIRECTIONAL_SEQUENCE_LSTM}) {
        for (const OperandType type : {TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM}) {
            if (operation == UNIDIRECTIONAL_SEQUENCE_LSTM && type != TENSOR_FLOAT32) continue;
            benchmark::RegisterBenchmark(
                    ("Family/" + toString(operation) + "/" + toString(type)).c_str(), Family,
                    operation, type)
                    ->Unit(benchmark::kMicrosecond);
        }
    }
    return true;
}();

}  // namespace
}  // namespace nn
