// Validating compared with copying, in the same run: `timesCopy` is how many copies of the model
// one validation costs (at most 2), `allocations` the number of allocations for each operand (0,
// except for a few for the whole model).
//
//   build/release/bin/nnapi_bench --benchmark_filter=BesideCopy
//
// MobilenetBesideCopy does the same for a network, comparing minima: validating it, checking it
// (which keeps the facts found), and preparing a checked model, without the time to read its
// weights once.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <limits>

#include "chain.h"
#include "examples.h"
#include "heap.h"
#include "nnapi/interpreter.h"
#include "nnapi/memory.h"
#include "nnapi/validate.h"

namespace nn {
namespace {

using Clock = std::chrono::steady_clock;

void besideCopy(benchmark::State& state, const Model& model) {
    std::chrono::duration<double> copying{};
    std::chrono::duration<double> validating{};
    size_t allocated = 0;
    for (auto _ : state) {
        const auto start = Clock::now();
        benchmark::DoNotOptimize(Model(model));
        const auto copied = Clock::now();
        const size_t before = heap::allocations;
        const Result<Version> needed = validate(model);
        allocated = heap::allocations - before;
        const auto validated = Clock::now();
        if (!needed.ok()) return state.SkipWithError("the model is not legal");
        copying += copied - start;
        validating += validated - copied;
        state.SetIterationTime(std::chrono::duration<double>(validated - copied).count());
    }
    const auto operands = static_cast<double>(model.main.operands.size());
    state.counters["timesCopy"] = validating / copying;
    state.counters["allocations"] = static_cast<double>(allocated) / operands;
    state.SetComplexityN(state.range(0));
}

// The shortest time of some work.
class Least {
   public:
    template <class Work>
    void take(Work&& work) {
        const auto start = Clock::now();
        work();
        mSeconds = std::min(mSeconds, std::chrono::duration<double>(Clock::now() - start).count());
    }
    double seconds() const { return mSeconds; }

   private:
    double mSeconds = std::numeric_limits<double>::infinity();
};

void MobilenetBesideCopy(benchmark::State& state) {
    const auto model = std::make_shared<const Model>(example("models/mobilenet_224_gender").model);
    const ValidatedModel checked = validateModel(model).value();
    const SharedMemory& pool = model->pools.front();
    std::vector<uint8_t> weights(size(pool));
    Least copying, validating, checking, reading, preparing;
    for (auto _ : state) {
        for (int i = 0; i < 4; ++i) {
            copying.take([&] { benchmark::DoNotOptimize(Model(*model)); });
            validating.take([&] { benchmark::DoNotOptimize(validate(*model)); });
            checking.take([&] { benchmark::DoNotOptimize(validateModel(model)); });
        }
        reading.take([&] { benchmark::DoNotOptimize(readMemory(pool, 0, weights)); });
        preparing.take([&] { benchmark::DoNotOptimize(prepare(checked)); });
    }
    state.counters["validate"] = validating.seconds() / copying.seconds();
    state.counters["check"] = checking.seconds() / copying.seconds();
    state.counters["prepare"] = (preparing.seconds() - reading.seconds()) / copying.seconds();
}
BENCHMARK(MobilenetBesideCopy);

// With its one input and its outputs in memory of the caller.
void ValidateMobilenetRequest(benchmark::State& state) {
    const TestCase testCase = example("models/mobilenet_224_gender");
    std::vector<Tensor> outputs;
    Request request;
    for (const Tensor& input : testCase.inputs) {
        const void* data = input.data.data();
        request.inputs.push_back(
                {.lifetime = Request::Argument::LifeTime::POINTER,
                 .location = {.pointer = data,
                              .length = static_cast<uint32_t>(input.data.size())}});
    }
    for (const TestCase::Output& output : testCase.outputs) outputs.push_back(output.value);
    for (Tensor& output : outputs) {
        void* data = output.data.data();
        request.outputs.push_back(
                {.lifetime = Request::Argument::LifeTime::POINTER,
                 .location = {.pointer = data,
                              .length = static_cast<uint32_t>(output.data.size())}});
    }
    const size_t before = heap::allocations;
    size_t requests = 0;
    for (auto _ : state) {
        if (!validateRequestForModel(request, testCase.model).ok())
            return state.SkipWithError("the request is not legal");
        ++requests;
    }
    state.counters["allocations"] =
            static_cast<double>(heap::allocations - before) / static_cast<double>(requests);
}
BENCHMARK(ValidateMobilenetRequest);

void ValidateRelusBesideCopy(benchmark::State& state) {
    besideCopy(state, Chain(static_cast<uint32_t>(state.range(0))).relus());
}
void ValidateConvolutionsBesideCopy(benchmark::State& state) {
    besideCopy(state, Chain(static_cast<uint32_t>(state.range(0))).convolutions());
}
BENCHMARK(ValidateRelusBesideCopy)
        ->RangeMultiplier(10)
        ->Range(100, 1000000)
        ->UseManualTime()
        ->Complexity();
BENCHMARK(ValidateConvolutionsBesideCopy)
        ->RangeMultiplier(10)
        ->Range(100, 1000000)
        ->UseManualTime()
        ->Complexity();

}  // namespace
}  // namespace nn
