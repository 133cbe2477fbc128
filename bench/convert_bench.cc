// What validating, converting, minimising and slicing cost: linear in the graph, independent of the
// weights.
//
//   build/release/bin/nnapi_bench --benchmark_filter=Pool
//
// The counter "copies" of the Memory benchmarks is the most memory that was in use, the model that
// is converted included, in units of one copy of that model.
#include <benchmark/benchmark.h>

#include "examples.h"
#include "heap.h"
#include "nnapi/convert.h"
#include "nnapi/memory.h"
#include "nnapi/passes.h"
#include "nnapi/slice.h"

namespace nn {
namespace {

using heap::peakOf;

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

// As a driver does: the caller keeps the model, the versioned one is given up on the way back.
void convertThereAndBack(benchmark::State& state, const Model& model) {
    for (auto _ : state) {
        Result<V1_3::Model> versioned = V1_3::utils::convert(model);
        benchmark::DoNotOptimize(convert(*std::move(versioned)));
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

void MinimizeGraph(benchmark::State& state) {
    const Model model = chain(static_cast<uint32_t>(state.range(0)), 0);
    for (auto _ : state) benchmark::DoNotOptimize(minimize(model));
    state.SetComplexityN(state.range(0));
}
BENCHMARK(MinimizeGraph)->RangeMultiplier(10)->Range(100, 1000000)->Complexity();

void SliceGraph(benchmark::State& state) {
    Model model = chain(static_cast<uint32_t>(state.range(0)), 0);
    model.main.operations.front().type = OperationType::HARD_SWISH;
    for (auto _ : state) benchmark::DoNotOptimize(sliceForVersion(model, HalVersion::V1_2));
    state.SetComplexityN(state.range(0));
}
BENCHMARK(SliceGraph)->RangeMultiplier(10)->Range(100, 1000000)->Complexity();

// The model stays, as for a caller who goes on using it.
void MemoryToConvert(benchmark::State& state) {
    const Model model = chain(static_cast<uint32_t>(state.range(0)), 0);
    const size_t copy = peakOf([&] { benchmark::DoNotOptimize(Model(model)); });
    size_t peak = 0;
    for (auto _ : state) peak = peakOf([&] { (void)V1_3::utils::convert(model); });
    state.counters["copies"] = static_cast<double>(copy + peak) / static_cast<double>(copy);
}
BENCHMARK(MemoryToConvert)->RangeMultiplier(10)->Range(100, 1000000);

// The model is given up on the way there, and the versioned one on the way back.
void MemoryToConvertThereAndBack(benchmark::State& state) {
    const auto operations = static_cast<uint32_t>(state.range(0));
    const Model model = chain(operations, 0);
    const size_t copy = peakOf([&] { benchmark::DoNotOptimize(Model(model)); });
    size_t peak = 0;
    for (auto _ : state) {
        peak = peakOf([&] {
            Model given(model);
            Result<V1_3::Model> versioned = V1_3::utils::convert(std::move(given));
            given = {};
            benchmark::DoNotOptimize(convert(*std::move(versioned)));
        });
    }
    state.counters["copies"] = static_cast<double>(peak) / static_cast<double>(copy);
}
BENCHMARK(MemoryToConvertThereAndBack)->RangeMultiplier(10)->Range(100, 1000000);

void ValidatePool(benchmark::State& state) {
    validateModel(state, chain(100, static_cast<uint32_t>(state.range(0))));
}
BENCHMARK(ValidatePool)->RangeMultiplier(64)->Range(1 << 12, 1 << 30);

void ConvertPool(benchmark::State& state) {
    convertThereAndBack(state, chain(100, static_cast<uint32_t>(state.range(0))));
}
BENCHMARK(ConvertPool)->RangeMultiplier(64)->Range(1 << 12, 1 << 30);

// Defaults may lie in a pool, which is mapped to read them, and only them.
void MinimizePool(benchmark::State& state) {
    const Model model = chain(100, static_cast<uint32_t>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(minimize(model));
}
BENCHMARK(MinimizePool)->RangeMultiplier(64)->Range(1 << 12, 1 << 30);

void ValidateMobilenet(benchmark::State& state) {
    validateModel(state, example("models/mobilenet_224_gender").model);
}
BENCHMARK(ValidateMobilenet);

void ConvertMobilenet(benchmark::State& state) {
    convertThereAndBack(state, example("models/mobilenet_224_gender").model);
}
BENCHMARK(ConvertMobilenet);

void CopyMobilenetWeights(benchmark::State& state) {
    const Model model = example("models/mobilenet_224_gender").model;
    const Result<Mapping> weights = map(model.pools.front());
    for (auto _ : state)
        benchmark::DoNotOptimize(
                std::vector<uint8_t>(weights->data(), weights->data() + weights->size()));
}
BENCHMARK(CopyMobilenetWeights);

}  // namespace
}  // namespace nn
