// The cost of executing: the networks of examples/, an LSTM, and one operation of each family.
//
//   build/release/bin/nnapi_bench --benchmark_filter='Network|EigenProducts'
//
// Network and Eigen count multiplications and additions: "mac" is their rate, "least" the shortest
// execution in milliseconds, the figure to compare on a machine that other processes use.
//
// Family/* are compared with the limits of the machine: "copy" is the speed relative to copying as
// many bytes as inputs, outputs and constants have, "peak" relative to multiplying float32 in
// registers. If one of the two is near 1, no gain is possible.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

#include "examples.h"
#include "interpreter/graph.h"
#include "machine.h"
#include "nnapi/interpreter.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "op_support/kernels/gemm.h"
#include "products.h"

namespace nn {
namespace {

using enum OperationType;

void countMacs(benchmark::State& state, const Model& model) {
    int64_t macs = 0;
    for (const Product& product : productsOf(model)) macs += product.macs();
    state.counters["mac"] = benchmark::Counter(static_cast<double>(macs),
                                               benchmark::Counter::kIsIterationInvariantRate);
}

// Runs f for each iteration, and records the shortest time.
template <class F>
void runEach(benchmark::State& state, const F& f) {
    double least = 1e9;
    for (auto _ : state) {
        const auto start = std::chrono::steady_clock::now();
        f();
        const std::chrono::duration<double, std::milli> passed =
                std::chrono::steady_clock::now() - start;
        least = std::min(least, passed.count());
    }
    state.counters["least"] = least;
}

void runModel(benchmark::State& state, const Model& model, const std::vector<Tensor>& inputs,
              size_t threads) {
    const Result<PreparedModel> prepared = prepare(model, {.threads = threads});
    if (!prepared.ok()) {
        return state.SkipWithError(std::string(prepared.status().message()).c_str());
    }
    runEach(state, [&] { benchmark::DoNotOptimize(prepared->run(inputs)); });
    countMacs(state, model);
}

void Network(benchmark::State& state, const char* name, size_t threads = 1) {
    const TestCase testCase = example(name);
    runModel(state, testCase.model, testCase.inputs, threads);
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

// A network that takes longer than starting threads does: convolutions of 3 x 3 on 56 x 56 pixels
// of 64 channels, each followed by a depthwise one.
void Convolutions(benchmark::State& state, size_t threads) {
    Model model;
    Graph main(model);
    const std::vector<uint32_t> image = {1, 56, 56, 64};
    const auto filled = [&](std::vector<uint32_t> dimensions) {
        size_t size = 1;
        for (const uint32_t extent : dimensions) size *= extent;
        return main.constant<float>(TENSOR_FLOAT32, std::move(dimensions),
                                    std::vector<float>(size, 0.01f));
    };
    uint32_t x = main.input(TENSOR_FLOAT32, image);
    for (int layer = 0; layer < 3; ++layer) {
        const uint32_t mixed = main.temporary(TENSOR_FLOAT32, image);
        main.add(CONV_2D,
                 {x, filled({64, 3, 3, 64}), filled({64}), main.scalar(1), main.scalar(1),
                  main.scalar(1), main.scalar(1)},
                 {mixed});
        x = layer == 2 ? main.output(TENSOR_FLOAT32, image) : main.temporary(TENSOR_FLOAT32, image);
        main.add(DEPTHWISE_CONV_2D,
                 {mixed, filled({1, 3, 3, 64}), filled({64}), main.scalar(1), main.scalar(1),
                  main.scalar(1), main.scalar(1), main.scalar(1)},
                 {x});
    }
    model.main = std::move(main.graph);
    runModel(state, model,
             {{.dimensions = image, .data = std::vector<uint8_t>(size_t{4} * 56 * 56 * 64, 60)}},
             threads);
}
BENCHMARK_CAPTURE(Convolutions, one_thread, 1)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(Convolutions, two_threads, 2)->Unit(benchmark::kMillisecond)->UseRealTime();

// FULLY_CONNECTED of few rows, whose time is spent on its weights. E and Bias are element types.
template <class E, class Bias>
void fewRows(benchmark::State& state, OperandType type, OperandType biasType) {
    constexpr uint32_t kSize = 256, kUnits = 1024;
    const std::vector<uint32_t> dimensions = {static_cast<uint32_t>(state.range(0)), kSize};
    const std::vector<E> weights(size_t{kUnits} * kSize, E{1});
    Model model;
    Graph main(model);
    const uint32_t input = main.input(type, dimensions);
    const uint32_t filter = main.constant<E>(type, {kUnits, kSize}, weights);
    const uint32_t bias = main.constant<Bias>(biasType, {kUnits}, std::vector<Bias>(kUnits));
    const uint32_t output = main.output(type, {dimensions[0], kUnits});
    if (type != TENSOR_FLOAT32) {
        for (const uint32_t i : {input, filter, bias}) main.graph.operands[i].scale = 1;
        main.graph.operands[output].scale = 1000;
    }
    main.add(FULLY_CONNECTED, {input, filter, bias, main.scalar(0)}, {output});
    model.main = std::move(main.graph);
    runModel(state, model,
             {{.dimensions = dimensions,
               .data = std::vector<uint8_t>(sizeof(E) * dimensions[0] * kSize, 60)}},
             /*threads=*/1);
}
void FewRows(benchmark::State& state) {
    fewRows<float, float>(state, TENSOR_FLOAT32, TENSOR_FLOAT32);
}
void FewQuantizedRows(benchmark::State& state) {
    fewRows<uint8_t, int32_t>(state, TENSOR_QUANT8_ASYMM, TENSOR_INT32);
}
BENCHMARK(FewRows)->Arg(1)->Arg(4)->Arg(8)->Unit(benchmark::kMicrosecond);
BENCHMARK(FewQuantizedRows)->Arg(1)->Arg(4)->Arg(8)->Unit(benchmark::kMicrosecond);

// With Eigen only, for the instruction set that the project is compiled for.
void EigenProducts(benchmark::State& state) {
    const TestCase testCase = example("models/mobilenet_224_gender");
    std::vector<Factors> all = factorsOf(testCase.model);
    runEach(state, [&] { multiply(all); });
    countMacs(state, testCase.model);
    state.SetLabel(Eigen::SimdInstructionSetsInUse());
}
BENCHMARK(EigenProducts)->Unit(benchmark::kMillisecond);

// With the library, on packed factors, for each instruction set that this processor has.
template <class Gemm>
void Products(benchmark::State& state, const ops::VectorKernels* kernels) {
    using Factor = typename Gemm::Factor;
    using Sum = typename Gemm::Sum;
    const TestCase testCase = example("models/mobilenet_224_gender");
    struct Packed {
        size_t rows, depth, columns;
        std::vector<Factor> a, b;
        std::vector<Sum> c;
    };
    std::vector<Packed> all;
    for (const Product& p : productsOf(testCase.model)) {
        const auto rows = static_cast<size_t>(p.rows);
        const size_t depth = ops::roundUp(static_cast<size_t>(p.depth), Gemm::kDepth);
        const size_t columns = ops::roundUp(static_cast<size_t>(p.columns), ops::kGemmColumns);
        all.push_back({rows, depth, columns, std::vector<Factor>(rows * depth, 3),
                       std::vector<Factor>(columns * depth, 5), std::vector<Sum>(rows * columns)});
    }
    runEach(state, [&] {
        for (Packed& p : all) {
            const ops::Matrix<const Factor> a{p.a.data(), p.rows, p.depth, p.depth};
            const ops::Matrix<Sum> c{p.c.data(), p.rows, p.columns, p.columns};
            if constexpr (std::is_same_v<Factor, double>) {
                kernels->multiplyReals(a, p.b.data(), c);
            } else {
                kernels->multiplyIntegers(a, p.b.data(), c);
            }
            benchmark::DoNotOptimize(p.c.data());
        }
    });
    countMacs(state, testCase.model);
}

// ---- one operation of each family

struct Layer {
    OperandType type;  // of the tensors
    std::vector<uint32_t> input;
    std::vector<uint32_t> output;
    double macs = 0;
};

// The bytes of all operands that have a value.
size_t bytesOf(const Model::Subgraph& graph) {
    size_t all = 0;
    for (const Operand& operand : graph.operands) {
        size_t bytes = elementSize(operand.type);
        for (const uint32_t size : operand.dimensions) bytes *= size;
        if (operand.lifetime != LifeTime::NO_VALUE) all += bytes;
    }
    return all;
}

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
    // The output with the shape and type that the specification determines.
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
    runEach(state, [&] { benchmark::DoNotOptimize(prepared->run(values)); });
    const auto beside = [](double seconds) {
        return benchmark::Counter(seconds, benchmark::Counter::kIsIterationInvariantRate);
    };
    state.counters["copy"] = beside(secondsToMove(bytesOf(model.main)));
    if (layer.macs != 0) state.counters["peak"] = beside(layer.macs / peakMacs());
}

// A constant of this type, with all bytes 60: small positive numbers.
uint32_t weights(Graph& main, OperandType type, std::vector<uint32_t> dimensions) {
    size_t bytes = type == TENSOR_QUANT8_ASYMM ? 1 : 4;
    for (const uint32_t size : dimensions) bytes *= size;
    return main.constant(type, std::move(dimensions), std::vector<uint8_t>(bytes, 60));
}
OperandType biasType(OperandType type) { return type == TENSOR_QUANT8_ASYMM ? TENSOR_INT32 : type; }

using Inputs = std::vector<uint32_t>;
constexpr uint32_t kSize = 56, kDepth = 64;
constexpr double kPixels = kSize * kSize;

// ADD adds two images, MUL multiplies by a number for each channel, SUB subtracts one number from
// all.
void Family(benchmark::State& state, OperationType operation, OperandType type) {
    const std::vector<uint32_t> image = {1, kSize, kSize, kDepth}, matrix = {256, 1024};
    const auto reduced = [](bool isBoolean) {
        return [=](Graph& main, Inputs& in) {
            in.push_back(main.constant<int32_t>(TENSOR_INT32, {2}, {1, 2}));
            in.push_back(isBoolean ? main.constant<uint8_t>(BOOL, {}, {0}) : main.scalar(0));
        };
    };
    const auto scalars = [](const std::vector<int32_t>& values) {
        return [values](Graph& main, Inputs& inputs) {
            for (const int32_t value : values) inputs.push_back(main.scalar(value));
        };
    };
    switch (operation) {
        case ADD:
        case MUL:
        case SUB:
            return runLayer(state, operation, {type, image, image}, [&](Graph& main, Inputs& in) {
                in.push_back(weights(main, type,
                                     operation == ADD   ? image
                                     : operation == MUL ? std::vector<uint32_t>{kDepth}
                                                        : std::vector<uint32_t>{1}));
                in.push_back(main.scalar(0));
            });
        case CONCATENATION:  // of two, along the channels
            return runLayer(state, operation, {type, image, {1, kSize, kSize, 2 * kDepth}},
                            [&](Graph& main, Inputs& in) {
                                in.push_back(weights(main, type, image));
                                in.push_back(main.scalar(3));
                            });
        case LOGISTIC:
            return runLayer(state, operation, {type, image, image}, scalars({}));
        case CONV_2D:
        case DEPTHWISE_CONV_2D: {
            const bool isDepthwise = operation == DEPTHWISE_CONV_2D;
            const double macs = kPixels * kDepth * 9 * (isDepthwise ? 1 : kDepth);
            return runLayer(
                    state, operation, {type, image, image, macs}, [&](Graph& main, Inputs& in) {
                        in.push_back(weights(main, type, {isDepthwise ? 1 : kDepth, 3, 3, kDepth}));
                        in.push_back(weights(main, biasType(type), {kDepth}));
                        for (const int32_t value : {1, 1, 1}) in.push_back(main.scalar(value));
                        if (isDepthwise) in.push_back(main.scalar(1));
                        in.push_back(main.scalar(0));
                    });
        }
        case GROUPED_CONV_2D:  // of four groups
            return runLayer(state, operation,
                            {type, image, image, kPixels * kDepth * 9 * kDepth / 4},
                            [&](Graph& main, Inputs& in) {
                                in.push_back(weights(main, type, {kDepth, 3, 3, kDepth / 4}));
                                in.push_back(weights(main, biasType(type), {kDepth}));
                                for (const int32_t value : {1, 1, 1, 4, 0})
                                    in.push_back(main.scalar(value));
                                in.push_back(main.constant<uint8_t>(BOOL, {}, {0}));
                            });
        case TRANSPOSE_CONV_2D:  // to twice the size
            return runLayer(state, operation,
                            {type, image, {1, 2 * kSize, 2 * kSize, 16}, kPixels * kDepth * 9 * 16},
                            [&](Graph& main, Inputs& in) {
                                in.push_back(weights(main, type, {16, 3, 3, kDepth}));
                                in.push_back(weights(main, biasType(type), {16}));
                                for (const int32_t value : {0, 1, 0, 1, 2, 2, 0})
                                    in.push_back(main.scalar(value));
                                in.push_back(main.constant<uint8_t>(BOOL, {}, {0}));
                            });
        case FULLY_CONNECTED:
            return runLayer(state, operation, {type, matrix, {256, 256}, 256.0 * 1024 * 256},
                            [&](Graph& main, Inputs& in) {
                                in.push_back(weights(main, type, {256, 1024}));
                                in.push_back(weights(main, biasType(type), {256}));
                                in.push_back(main.scalar(0));
                            });
        case BATCH_MATMUL:
            return runLayer(state, operation, {type, matrix, {256, 256}, 256.0 * 1024 * 256},
                            [&](Graph& main, Inputs& in) {
                                in.push_back(weights(main, type, {1024, 256}));
                                for (int i = 0; i < 2; ++i)
                                    in.push_back(main.constant<uint8_t>(BOOL, {}, {0}));
                            });
        case MAX_POOL_2D:
        case AVERAGE_POOL_2D:
        case L2_POOL_2D:
            return runLayer(state, operation, {type, image, image}, scalars({1, 1, 1, 3, 3, 0}));
        case SOFTMAX:
            return runLayer(state, operation, {type, matrix, matrix},
                            [](Graph& main, Inputs& in) { in.push_back(main.scalar(1.0f)); });
        case REDUCE_MAX:
            return runLayer(state, operation, {type, image, {1, kDepth}}, reduced(true));
        case MEAN:
            return runLayer(state, operation, {type, image, {1, kDepth}}, reduced(false));
        case TRANSPOSE:
            return runLayer(
                    state, operation, {type, image, {1, kDepth, kSize, kSize}},
                    [](Graph& main, Inputs& in) {
                        in.push_back(main.constant<int32_t>(TENSOR_INT32, {4}, {0, 3, 1, 2}));
                    });
        case RESIZE_BILINEAR:
            return runLayer(state, operation, {type, image, {1, 2 * kSize, 2 * kSize, kDepth}},
                            scalars({2 * kSize, 2 * kSize}));
        case RESIZE_NEAREST_NEIGHBOR:
            return runLayer(state, operation, {type, image, {1, 2 * kSize, 2 * kSize, kDepth}},
                            [](Graph& main, Inputs& in) {
                                for (int i = 0; i < 2; ++i)
                                    in.push_back(main.scalar(int32_t{2 * kSize}));
                                in.push_back(main.constant<uint8_t>(BOOL, {}, {0}));
                            });
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
            return runLayer(state, operation,
                            {type, {20, 1, 256}, {20, 1, 256}, 20.0 * 8 * 256 * 256},
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
    for (const ops::VectorKernels* kernels : ops::allVectorKernels()) {
        const std::string set = kernels->instructionSet;
        benchmark::RegisterBenchmark(("Products/reals/" + set).c_str(), Products<ops::RealGemm>,
                                     kernels)
                ->Unit(benchmark::kMillisecond);
        benchmark::RegisterBenchmark(("Products/integers/" + set).c_str(),
                                     Products<ops::IntegerGemm>, kernels)
                ->Unit(benchmark::kMillisecond);
    }
    for (const OperationType operation : {ADD,
                                          MUL,
                                          SUB,
                                          LOGISTIC,
                                          CONV_2D,
                                          DEPTHWISE_CONV_2D,
                                          GROUPED_CONV_2D,
                                          TRANSPOSE_CONV_2D,
                                          FULLY_CONNECTED,
                                          BATCH_MATMUL,
                                          AVERAGE_POOL_2D,
                                          L2_POOL_2D,
                                          MAX_POOL_2D,
                                          SOFTMAX,
                                          REDUCE_MAX,
                                          MEAN,
                                          TRANSPOSE,
                                          CONCATENATION,
                                          RESIZE_BILINEAR,
                                          RESIZE_NEAREST_NEIGHBOR,
                                          L2_NORMALIZATION,
                                          ARGMAX,
                                          GATHER,
                                          ROI_ALIGN,
                                          UNIDIRECTIONAL_SEQUENCE_LSTM}) {
        for (const OperandType type : {TENSOR_FLOAT32, TENSOR_QUANT8_ASYMM}) {
            const bool isReal = operation == UNIDIRECTIONAL_SEQUENCE_LSTM ||
                                operation == L2_POOL_2D || operation == BATCH_MATMUL;
            if (isReal && type != TENSOR_FLOAT32) continue;
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
