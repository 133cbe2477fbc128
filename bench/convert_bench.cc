// The cost of validating, converting, minimizing and slicing: linear in the graph, independent of
// the weights.
//
//   build/release/bin/nnapi_bench --benchmark_filter=Pool
//
// The counter "copies" of the Memory benchmarks is the peak memory, including the converted model,
// in units of one copy of that model.
#include <benchmark/benchmark.h>

#include <optional>

#include "beside_copy.h"
#include "chain.h"
#include "examples.h"
#include "heap.h"
#include "nnapi/convert.h"
#include "nnapi/hal/aidl/clone.h"
#include "nnapi/memory.h"
#include "nnapi/passes.h"
#include "nnapi/slice.h"
#include "nnapi/type_utils.h"

namespace nn {
namespace {

using heap::peakOf;

// A chain of RELU over [1], with one constant of this many bytes in a pool.
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

// Like a driver: the caller keeps the model, and the versioned one is moved from on the way back.
template <HalVersion V = HalVersion::V1_3>
void convertThereAndBack(benchmark::State& state, const Model& model) {
    for (auto _ : state) {
        auto versioned = convertTo<V>(model);
        benchmark::DoNotOptimize(convert(*std::move(versioned)));
    }
}

// The baseline: one copy of the canonical graph.
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

void ConvertGraphToAidl(benchmark::State& state) {
    convertThereAndBack<HalVersion::AIDL4>(state, chain(static_cast<uint32_t>(state.range(0)), 0));
    state.SetComplexityN(state.range(0));
}
BENCHMARK(ConvertGraphToAidl)->RangeMultiplier(10)->Range(100, 1000000)->Complexity();

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

// Chains of CONV_2D, which from some length on are larger than any CPU cache.
template <class Work>
void onConvolutions(benchmark::State& state, const Model& model, Work&& work) {
    for (auto _ : state) benchmark::DoNotOptimize(work());
    const auto operations = static_cast<double>(model.main.operations.size());
    state.counters["perOperation"] =
            benchmark::Counter(operations, benchmark::Counter::kIsIterationInvariantRate |
                                                   benchmark::Counter::kInvert);
}
void ConvolutionsTo(benchmark::State& state) {
    const Model model = Chain(static_cast<uint32_t>(state.range(0))).convolutions();
    onConvolutions(state, model, [&] { return V1_3::utils::unvalidatedConvert(model); });
}
void ConvolutionsFrom(benchmark::State& state) {
    const Model model = Chain(static_cast<uint32_t>(state.range(0))).convolutions();
    const V1_3::Model hal = V1_3::utils::unvalidatedConvert(model).value();
    onConvolutions(state, model, [&] { return unvalidatedConvert(hal); });
}
BENCHMARK(ConvolutionsTo)->Arg(70000)->Arg(700000);  // operands; a seventh of it, operations
BENCHMARK(ConvolutionsFrom)->Arg(70000)->Arg(700000);

// The caller keeps the model.
template <HalVersion V>
void memoryToConvert(benchmark::State& state) {
    const Model model = chain(static_cast<uint32_t>(state.range(0)), 0);
    const size_t copy = peakOf([&] { benchmark::DoNotOptimize(Model(model)); });
    size_t peak = 0;
    for (auto _ : state) peak = peakOf([&] { (void)convertTo<V>(model); });
    state.counters["copies"] = static_cast<double>(copy + peak) / static_cast<double>(copy);
}
void MemoryToConvert(benchmark::State& state) { memoryToConvert<HalVersion::V1_3>(state); }
BENCHMARK(MemoryToConvert)->RangeMultiplier(10)->Range(100, 1000000);
void MemoryToConvertToAidl(benchmark::State& state) { memoryToConvert<HalVersion::AIDL4>(state); }
BENCHMARK(MemoryToConvertToAidl)->RangeMultiplier(10)->Range(100, 1000000);

// The model is moved from on the way there, and the versioned one on the way back.
template <HalVersion V>
void memoryToConvertThereAndBack(benchmark::State& state) {
    const auto operations = static_cast<uint32_t>(state.range(0));
    const Model model = chain(operations, 0);
    const size_t copy = peakOf([&] { benchmark::DoNotOptimize(Model(model)); });
    size_t peak = 0;
    for (auto _ : state) {
        peak = peakOf([&] {
            Model given(model);
            auto versioned = convertTo<V>(std::move(given));
            given = {};
            benchmark::DoNotOptimize(convert(*std::move(versioned)));
        });
    }
    state.counters["copies"] = static_cast<double>(peak) / static_cast<double>(copy);
}
void MemoryToConvertThereAndBack(benchmark::State& state) {
    memoryToConvertThereAndBack<HalVersion::V1_3>(state);
}
BENCHMARK(MemoryToConvertThereAndBack)->RangeMultiplier(10)->Range(100, 1000000);
void MemoryToConvertToAidlAndBack(benchmark::State& state) {
    memoryToConvertThereAndBack<HalVersion::AIDL4>(state);
}
BENCHMARK(MemoryToConvertToAidlAndBack)->RangeMultiplier(10)->Range(100, 1000000);

void ValidatePool(benchmark::State& state) {
    validateModel(state, chain(100, static_cast<uint32_t>(state.range(0))));
}
BENCHMARK(ValidatePool)->RangeMultiplier(64)->Range(1 << 12, 1 << 30);

void ConvertPool(benchmark::State& state) {
    convertThereAndBack(state, chain(100, static_cast<uint32_t>(state.range(0))));
}
BENCHMARK(ConvertPool)->RangeMultiplier(64)->Range(1 << 12, 1 << 30);

void ConvertPoolToAidl(benchmark::State& state) {
    convertThereAndBack<HalVersion::AIDL4>(state,
                                           chain(100, static_cast<uint32_t>(state.range(0))));
}
BENCHMARK(ConvertPoolToAidl)->RangeMultiplier(64)->Range(1 << 12, 1 << 30);

// Default values may lie in a pool; only such pools are mapped.
void MinimizePool(benchmark::State& state) {
    const Model model = chain(100, static_cast<uint32_t>(state.range(0)));
    for (auto _ : state) benchmark::DoNotOptimize(minimize(model));
}
BENCHMARK(MinimizePool)->RangeMultiplier(64)->Range(1 << 12, 1 << 30);

// ---- each direction compared with a copy of the graph

template <HalVersion V>
using Converted = HalType<Model, V>;

template <HalVersion V>
Converted<V> versioned(const Model& model) {
    return convertTo<V>(model).value();
}

Converted<HalVersion::V1_3> copyOf(const Converted<HalVersion::V1_3>& hal) { return hal; }
Converted<HalVersion::AIDL4> copyOf(const Converted<HalVersion::AIDL4>& hal) {
    return clone(hal).value();
}

template <HalVersion V>
void unvalidatedTo(benchmark::State& state, const Model& model) {
    besideCopy(
            state, model, [&] { return &model; },
            [](const Model* m) { return unvalidatedConvertTo<V>(*m).ok(); });
}
template <HalVersion V>
void unvalidatedFrom(benchmark::State& state, const Model& model) {
    const Converted<V> hal = versioned<V>(model);
    besideCopy(
            state, model, [&] { return &hal; },
            [](const Converted<V>* m) { return unvalidatedConvert(*m).ok(); });
}
template <HalVersion V>
void validatedTo(benchmark::State& state, const Model& model) {
    besideCopy(
            state, model, [&] { return &model; },
            [](const Model* m) { return convertTo<V>(*m).ok(); });
}
template <HalVersion V>
void validatedFrom(benchmark::State& state, const Model& model) {
    const Converted<V> hal = versioned<V>(model);
    besideCopy(
            state, model, [&] { return &hal; },
            [](const Converted<V>* m) { return convert(*m).ok(); });
}

// The model is moved from; the time includes freeing the arrays of the new model, but not its own.
template <HalVersion V>
void unvalidatedRvalueTo(benchmark::State& state, const Model& model) {
    std::optional<Result<Converted<V>>> result;
    besideCopy(
            state, model,
            [&] {
                result.reset();
                return Model(model);
            },
            [&](Model& m) {
                result = unvalidatedConvertTo<V>(std::move(m));
                return result->ok();
            });
}
template <HalVersion V>
void unvalidatedRvalueFrom(benchmark::State& state, const Model& model) {
    const Converted<V> hal = versioned<V>(model);
    std::optional<Result<Model>> result;
    besideCopy(
            state, model,
            [&] {
                result.reset();
                return copyOf(hal);
            },
            [&](Converted<V>& m) {
                result = unvalidatedConvert(std::move(m));
                return result->ok();
            });
}

#define NNAPI_BESIDE_COPY_ROWS(name)                                                   \
    BENCHMARK_CAPTURE(name, relus, chain(1000, 0))->UseManualTime();                   \
    BENCHMARK_CAPTURE(name, mobilenet, example("models/mobilenet_224_gender").model)   \
            ->UseManualTime();                                                         \
    BENCHMARK_CAPTURE(name, mobilenet_per_channel,                                     \
                      example("models/mobilenet_224_gender_quant8_per_channel").model) \
            ->UseManualTime();
// To or from HAL 1.3, and to or from AIDL 4.
#define NNAPI_BESIDE_COPY(Name, function)                          \
    void Name(benchmark::State& state, const Model& model) {       \
        function<HalVersion::V1_3>(state, model);                  \
    }                                                              \
    NNAPI_BESIDE_COPY_ROWS(Name)                                   \
    void Name##Aidl(benchmark::State& state, const Model& model) { \
        function<HalVersion::AIDL4>(state, model);                 \
    }                                                              \
    NNAPI_BESIDE_COPY_ROWS(Name##Aidl)
NNAPI_BESIDE_COPY(UnvalidatedTo, unvalidatedTo)
NNAPI_BESIDE_COPY(UnvalidatedFrom, unvalidatedFrom)
NNAPI_BESIDE_COPY(ValidatedTo, validatedTo)
NNAPI_BESIDE_COPY(ValidatedFrom, validatedFrom)
NNAPI_BESIDE_COPY(UnvalidatedRvalueTo, unvalidatedRvalueTo)
NNAPI_BESIDE_COPY(UnvalidatedRvalueFrom, unvalidatedRvalueFrom)
#undef NNAPI_BESIDE_COPY
#undef NNAPI_BESIDE_COPY_ROWS

// ---- requests: one input and one output in one pool

struct MobilenetRequest {
    Model model = example("models/mobilenet_224_gender").model;
    Request request = [this] {
        const auto bytes = [&](uint32_t operand) {
            return static_cast<uint32_t>(*operandSize(model.main.operands[operand]));
        };
        const uint32_t in = bytes(model.main.inputIndexes[0]);
        const uint32_t out = bytes(model.main.outputIndexes[0]);
        return Request{.inputs = {{.location = {.length = in}}},
                       .outputs = {{.location = {.offset = in, .length = out}}},
                       .pools = {*createSharedMemory(in + out)}};
    }();
};

template <class Work>
void onRequest(benchmark::State& state, Work&& work) {
    size_t allocated = 0;
    for (auto _ : state) {
        const size_t before = heap::allocations;
        if (!work()) return state.SkipWithError("refused");
        allocated = heap::allocations - before;
    }
    state.counters["allocations"] = static_cast<double>(allocated);
}

void ValidateRequest(benchmark::State& state) {
    const MobilenetRequest m;
    onRequest(state, [&] { return validateRequestForModel(m.request, m.model).ok(); });
}
BENCHMARK(ValidateRequest);
void ConvertRequestTo(benchmark::State& state) {
    const MobilenetRequest m;
    onRequest(state, [&] { return V1_3::utils::unvalidatedConvert(m.request).ok(); });
}
BENCHMARK(ConvertRequestTo);
void ConvertRequestFrom(benchmark::State& state) {
    const MobilenetRequest m;
    const V1_3::Request hal = V1_3::utils::convert(m.request).value();
    onRequest(state, [&] { return unvalidatedConvert(hal).ok(); });
}
BENCHMARK(ConvertRequestFrom);
void ConvertRequestToAidl(benchmark::State& state) {
    const MobilenetRequest m;
    onRequest(state, [&] { return AIDL4::utils::unvalidatedConvert(m.request).ok(); });
}
BENCHMARK(ConvertRequestToAidl);
void ConvertRequestFromAidl(benchmark::State& state) {
    const MobilenetRequest m;
    const aidl_hal::Request hal = AIDL4::utils::convert(m.request).value();
    onRequest(state, [&] { return unvalidatedConvert(hal).ok(); });
}
BENCHMARK(ConvertRequestFromAidl);
// The part of it that duplicating and closing one file descriptor takes.
void DuplicateDescriptor(benchmark::State& state) {
    const SharedMemory memory = *createSharedMemory(4096);
    const int fd = std::get<Memory::Ashmem>(memory->handle).fd.get();
    for (auto _ : state) benchmark::DoNotOptimize(duplicate(fd));
}
BENCHMARK(DuplicateDescriptor);

void ValidateMobilenet(benchmark::State& state) {
    validateModel(state, example("models/mobilenet_224_gender").model);
}
BENCHMARK(ValidateMobilenet);

void ConvertMobilenet(benchmark::State& state) {
    convertThereAndBack(state, example("models/mobilenet_224_gender").model);
}
BENCHMARK(ConvertMobilenet);

void ConvertMobilenetToAidl(benchmark::State& state) {
    convertThereAndBack<HalVersion::AIDL4>(state, example("models/mobilenet_224_gender").model);
}
BENCHMARK(ConvertMobilenetToAidl);

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
