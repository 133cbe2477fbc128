// What validating and converting cost: linear in the graph, independent of the weights.
//
//   build/release/bin/nnapi_bench --benchmark_filter=Pool
#include <benchmark/benchmark.h>

#include "nnapi/convert.h"
#include "nnapi/interpreter.h"
#include "nnapi/io.h"
#include "nnapi/memory.h"

namespace nn {
namespace {

TestCase mobilenet(const char* name) {
    const std::string path = std::string(NNAPI_SOURCE_DIR "/examples/models/") + name + ".jsonl.gz";
    return **TestCaseReader::open(path)->next();
}

// A chain of RELU over [1], with one constant of so many bytes in a pool.
Model chain(uint32_t operations, uint32_t poolBytes) {
    Model model;
    auto& [operands, operationList, inputs, outputs] = model.main;
    operands.push_back({.type = OperandType::TENSOR_FLOAT32,
                        .dimensions = {1},
                        .lifetime = Operand::LifeTime::SUBGRAPH_INPUT});
    for (uint32_t i = 0; i < operations; ++i) {
        const bool last = i + 1 == operations;
        operands.push_back({.type = OperandType::TENSOR_FLOAT32,
                            .dimensions = {1},
                            .lifetime = last ? Operand::LifeTime::SUBGRAPH_OUTPUT
                                             : Operand::LifeTime::TEMPORARY_VARIABLE});
        operationList.push_back({.type = OperationType::RELU, .inputs = {i}, .outputs = {i + 1}});
    }
    inputs = {0};
    outputs = {operations};
    if (poolBytes != 0) {
        operands.push_back({.type = OperandType::TENSOR_FLOAT32,
                            .dimensions = {poolBytes / 4},
                            .lifetime = Operand::LifeTime::CONSTANT_REFERENCE,
                            .location = {.length = poolBytes}});
        model.pools = {*createSharedMemory(poolBytes)};
    }
    return model;
}

void validateModel(benchmark::State& state, const Model& model) {
    for (auto _ : state) benchmark::DoNotOptimize(validate(model));
}

void convertThereAndBack(benchmark::State& state, const Model& model) {
    for (auto _ : state) {
        const Result<V1_3::Model> versioned = V1_3::utils::convert(model);
        benchmark::DoNotOptimize(convert(*versioned));
    }
}

// The yardstick: one copy of the canonical graph.
void Copy(benchmark::State& state) {
    const Model model = chain(static_cast<uint32_t>(state.range(0)), 0);
    for (auto _ : state) benchmark::DoNotOptimize(Model(model));
    state.SetComplexityN(state.range(0));
}
BENCHMARK(Copy)->RangeMultiplier(10)->Range(100, 1000000)->Complexity();

void ValidateGraph(benchmark::State& state) {
    validateModel(state, chain(static_cast<uint32_t>(state.range(0)), 0));
    state.SetComplexityN(state.range(0));
}
BENCHMARK(ValidateGraph)->RangeMultiplier(10)->Range(100, 1000000)->Complexity();

void ConvertGraph(benchmark::State& state) {
    convertThereAndBack(state, chain(static_cast<uint32_t>(state.range(0)), 0));
    state.SetComplexityN(state.range(0));
}
BENCHMARK(ConvertGraph)->RangeMultiplier(10)->Range(100, 1000000)->Complexity();

void ValidatePool(benchmark::State& state) {
    validateModel(state, chain(100, static_cast<uint32_t>(state.range(0))));
}
BENCHMARK(ValidatePool)->RangeMultiplier(64)->Range(1 << 12, 1 << 30);

void ConvertPool(benchmark::State& state) {
    convertThereAndBack(state, chain(100, static_cast<uint32_t>(state.range(0))));
}
BENCHMARK(ConvertPool)->RangeMultiplier(64)->Range(1 << 12, 1 << 30);

void ValidateMobilenet(benchmark::State& state) {
    validateModel(state, mobilenet("mobilenet_224_gender").model);
}
BENCHMARK(ValidateMobilenet);

void ConvertMobilenet(benchmark::State& state) {
    convertThereAndBack(state, mobilenet("mobilenet_224_gender").model);
}
BENCHMARK(ConvertMobilenet);

void CopyMobilenetWeights(benchmark::State& state) {
    const Model model = mobilenet("mobilenet_224_gender").model;
    const Result<Mapping> weights = map(model.pools.front());
    for (auto _ : state)
        benchmark::DoNotOptimize(
                std::vector<uint8_t>(weights->data(), weights->data() + weights->size()));
}
BENCHMARK(CopyMobilenetWeights);

void execute(benchmark::State& state, const char* name) {
    const TestCase testCase = mobilenet(name);
    const Result<PreparedModel> prepared = prepare(testCase.model);
    for (auto _ : state) benchmark::DoNotOptimize(prepared->run(testCase.inputs));
}
BENCHMARK_CAPTURE(execute, float32, "mobilenet_224_gender")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(execute, quant8, "mobilenet_224_gender_quant8")->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace nn

BENCHMARK_MAIN();
