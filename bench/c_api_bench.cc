// What an execution through the C API costs beyond that of the driver, for an addition of 4 floats:
// each row alternates with its yardstick in one run.
//
//   taskset -c 0,1 build/release/bin/nnapi_bench --benchmark_filter=CApi
#include "besides.h"
#include "driver/models.h"
#include "runtime/world.h"

namespace nn::c_api {
namespace {

// An addition on the reference, by the C API and by itself.
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

// From its creation to its end.
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

}  // namespace
}  // namespace nn::c_api
