// The overhead of the C API over the driver: an execution of an addition of 4 floats, and a
// preparation of MobileNet. Each row alternates with its baseline in one run.
//
//   taskset -c 0,1 build/release/bin/nnapi_bench --benchmark_filter=CApi
#include "baseline.h"
#include "driver/models.h"
#include "examples.h"
#include "runtime/c_api_models.h"
#include "runtime/devices/pointer_staging.h"

namespace nn::c_api {
namespace {

// An addition on the reference device, through the C API and directly.
class BothWays {
   public:
    BothWays() {
        useDevices({});
        mModel = addition();
        mCompilation = compiled(mModel);
    }

    ANeuralNetworksCompilation* compilation() const { return mCompilation; }
    Values values{};

    auto own() {
        return [this, request = mSum.request()] {
            return mOwn->execute(request, MeasureTiming::NO, {}, {}, {}, {}).has_value();
        };
    }

   private:
    SharedPreparedModel mOwn = prepareOn(*referenceDevice(), nn::addition()).value();
    Sum mSum{};
    OwnedModel mModel{};
    OwnedCompilation mCompilation{};
};

// Includes creating and freeing the execution.
void CApiExecution(benchmark::State& state) {
    BothWays both;
    besides(state, both.own(), [&] {
        const OwnedExecution execution = executionOf(both.compilation());
        both.values.set(execution);
        return ANeuralNetworksExecution_compute(execution) == OK;
    });
}
BENCHMARK(CApiExecution)->UseManualTime();

void CApiReusable(benchmark::State& state) {
    BothWays both;
    const OwnedExecution execution = executionOf(both.compilation());
    (void)ANeuralNetworksExecution_setReusable(execution, true);
    both.values.set(execution);
    besides(state, both.own(), [&] { return ANeuralNetworksExecution_compute(execution) == OK; });
}
BENCHMARK(CApiReusable)->UseManualTime();

void CApiBurst(benchmark::State& state) {
    BothWays both;
    const OwnedExecution execution = executionOf(both.compilation());
    (void)ANeuralNetworksExecution_setReusable(execution, true);
    both.values.set(execution);
    OwnedBurst burst;
    (void)ANeuralNetworksBurst_create(both.compilation(), burst.out());
    besides(state, both.own(),
            [&] { return ANeuralNetworksExecution_burstCompute(execution, burst) == OK; });
}
BENCHMARK(CApiBurst)->UseManualTime();

// Inputs and the output are in one memory, whose file can shrink.
void CApiMemory(benchmark::State& state) {
    BothWays both;
    constexpr size_t kBytes = Values::kBytes;
    const OwnedMemory memory = memoryOf(3 * kBytes);
    const OwnedExecution execution = executionOf(both.compilation());
    (void)ANeuralNetworksExecution_setReusable(execution, true);
    for (int32_t i : {0, 1}) {
        (void)ANeuralNetworksExecution_setInputFromMemory(execution, i, nullptr, memory,
                                                          static_cast<size_t>(i) * kBytes, kBytes);
    }
    (void)ANeuralNetworksExecution_setOutputFromMemory(execution, 0, nullptr, memory, 2 * kBytes,
                                                       kBytes);
    besides(state, both.own(), [&] { return ANeuralNetworksExecution_compute(execution) == OK; });
}
BENCHMARK(CApiMemory)->UseManualTime();

// From the first operand to the end of the compilation, compared with the driver alone, which
// receives the model in the application's memory. Counter heapCopies: the peak of heap bytes for
// each byte of the weights.
void CApiPrepareMobileNet(benchmark::State& state, const SharedDevice& device, const char* name) {
    const Model model = example(std::string("models/") + name).model;
    const std::vector<Mapping> pools = mapped(model.pools);
    const auto compile = [](ANeuralNetworksModel* finished) {
        const OwnedCompilation compilation = compilationOf(finished);
        return ANeuralNetworksCompilation_finish(compilation) == OK;
    };
    std::vector<runtime::PlanDevice> devices = {{runtime::takingPointers(device)},
                                                {referenceDevice(), true}};
    runtime::setRuntime(std::make_unique<const runtime::Runtime>(std::move(devices),
                                                                 runtime::Runtime::Options{}));
    besides(
            state, [&] { return prepareOn(*device, model).has_value(); },
            [&] { return compile(described(model, pools)); });
    size_t weights = 0;
    for (const Operand& operand : model.main.operands) weights += operand.location.length;
    const size_t peak = heap::peakOf([&] { (void)described(model, pools); });
    state.counters["heapCopies"] = static_cast<double>(peak) / static_cast<double>(weights);
    useDevices({});
}
#define CAPI_PREPARE(name, device)                                                          \
    BENCHMARK_CAPTURE(CApiPrepareMobileNet, name##_float32, device, "mobilenet_224_gender") \
            ->UseManualTime();                                                              \
    BENCHMARK_CAPTURE(CApiPrepareMobileNet, name##_quant8, device,                          \
                      "mobilenet_224_gender_quant8_per_channel")                            \
            ->UseManualTime()
CAPI_PREPARE(reference, referenceDevice({.name = "npu"}));
CAPI_PREPARE(host, runtime::hostDevice({}));

}  // namespace
}  // namespace nn::c_api
