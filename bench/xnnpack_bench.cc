// Times of the networks of examples/ on the XNNPACK device with one thread, compared with the
// matrix products of the float32 network in Eigen, which alternate with it:
//
//   build/release/bin/nnapi_bench --benchmark_filter=Xnnpack
//
// Counters, of the shortest times: "times" is the network divided by the products; "least" and
// "yard" are the two times in milliseconds.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>

#include "examples.h"
#include "nnapi/driver/xnnpack.h"
#include "nnapi/type_utils.h"
#include "products.h"

namespace nn {
namespace {

Request::Argument argument(std::vector<uint8_t>& bytes) {
    return {.lifetime = Request::Argument::LifeTime::POINTER,
            .location = {.pointer = static_cast<void*>(bytes.data()),
                         .length = static_cast<uint32_t>(bytes.size())}};
}

template <class Work>
double millisecondsOf(Work&& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
            .count();
}

void XnnpackNetwork(benchmark::State& state, const char* name, size_t threads) {
    TestCase testCase = example(name);
    std::vector<Factors> products = factorsOf(example("models/mobilenet_224_gender").model);
    const SharedDevice device = xnnpackDevice({.prepare = {.threads = threads}});
    const auto prepared = device->prepareModel(testCase.model, ExecutionPreference::DEFAULT,
                                               Priority::DEFAULT, {}, {}, {}, {}, {}, {});
    if (!prepared.has_value()) return state.SkipWithError(prepared.error().message.c_str());
    Request request;
    for (Tensor& input : testCase.inputs) request.inputs.push_back(argument(input.data));
    std::vector<std::vector<uint8_t>> outputs;
    for (const TestCase::Output& output : testCase.outputs) {
        outputs.emplace_back(output.value.data.size());
    }
    for (auto& output : outputs) request.outputs.push_back(argument(output));
    double yard = 1e9, least = 1e9;
    bool isDone = true;
    for (auto _ : state) {
        yard = std::min(yard, millisecondsOf([&] { multiply(products); }));
        const double took = millisecondsOf([&] {
            isDone = isDone &&
                     (*prepared)->execute(request, MeasureTiming::NO, {}, {}, {}, {}).has_value();
        });
        least = std::min(least, took);
        state.SetIterationTime(took / 1000);
    }
    if (!isDone) return state.SkipWithError("an execution failed");
    state.counters["least"] = least;
    state.counters["yard"] = yard;
    state.counters["times"] = least / yard;
}
BENCHMARK_CAPTURE(XnnpackNetwork, float32, "models/mobilenet_224_gender", 1)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
BENCHMARK_CAPTURE(XnnpackNetwork, float32_two_threads, "models/mobilenet_224_gender", 2)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
BENCHMARK_CAPTURE(XnnpackNetwork, quant8, "models/mobilenet_224_gender_quant8", 1)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
BENCHMARK_CAPTURE(XnnpackNetwork, quant8_per_channel,
                  "models/mobilenet_224_gender_quant8_per_channel", 1)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();
BENCHMARK_CAPTURE(XnnpackNetwork, quant8_signed,
                  "models/mobilenet_224_gender_quant8_signed_per_channel", 1)
        ->Unit(benchmark::kMillisecond)
        ->UseManualTime();

}  // namespace
}  // namespace nn
