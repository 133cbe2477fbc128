// The cost of partitioning a model among devices, and of executing the plan: each row alternates
// with the same work on one device.
//
//   taskset -c 0,1 build/release/bin/nnapi_bench --benchmark_filter=Plan
//
// Counters: see baseline.h; beyondNs and times are of the shortest times.
#include <benchmark/benchmark.h>

#include <cstring>

#include "baseline.h"
#include "driver/models.h"
#include "examples.h"
#ifdef NNAPI_WITH_XNNPACK
#include "nnapi/driver/xnnpack.h"
#endif
#include "runtime/plan_models.h"

namespace nn::runtime {
namespace {

// Like the C API: a device for everything, followed by the reference device.
std::vector<PlanDevice> hostAndCpu(const SharedDevice& host) {
    return {{masked({.name = "host"}, host)}, cpu(2)};
}

// Large constants lie in a pool, as in a finished model of the C API.
void BM_PlanPrepareMobileNet(benchmark::State& state, const SharedDevice& host, const char* name) {
    const Model model = **ownModel(example(std::string("models/") + name).model);
    const std::vector<PlanDevice> devices = hostAndCpu(host);
    besides(
            state, [&] { return prepareOn(*host, model).has_value(); },
            [&] { return makePlan(model, devices, {}).has_value(); });
}
#define BM_PLAN_PREPARE(name, host)                                                                \
    BENCHMARK_CAPTURE(BM_PlanPrepareMobileNet, name##_float32, host, "mobilenet_224_gender")       \
            ->UseManualTime();                                                                     \
    BENCHMARK_CAPTURE(BM_PlanPrepareMobileNet, name##_quant8, host, "mobilenet_224_gender_quant8") \
            ->UseManualTime()
BM_PLAN_PREPARE(reference, referenceDevice());
#ifdef NNAPI_WITH_XNNPACK
BM_PLAN_PREPARE(xnnpack, xnnpackDevice());
#endif

// Every second operation on another device: as many steps as operations.
void BM_PlanExecute(benchmark::State& state, bool isCompound, bool isReusable) {
    const SharedDevice host = referenceDevice();
    const Model model = sumTimes();
    const auto whole = *prepareOn(*host, model);
    const auto plan = *makePlan(model, isCompound ? addAndMul(host, host) : hostAndCpu(host), {});
    const auto divided = plan->preparedModel();
    Floats values;
    const Request request = values.request();
    if (isReusable) {
        const auto yard = *whole->createReusableExecution(request, MeasureTiming::NO, {}, {}, {});
        const auto work = *divided->createReusableExecution(request, MeasureTiming::NO, {}, {}, {});
        return besides(
                state, [&] { return yard->compute({}).has_value(); },
                [&] { return work->compute({}).has_value(); });
    }
    besides(
            state, [&] { return execute(*whole, request).has_value(); },
            [&] { return execute(*divided, request).has_value(); });
}
BENCHMARK_CAPTURE(BM_PlanExecute, simple, false, false)->UseManualTime();
BENCHMARK_CAPTURE(BM_PlanExecute, simple_reusable, false, true)->UseManualTime();
BENCHMARK_CAPTURE(BM_PlanExecute, two_steps, true, false)->UseManualTime();
BENCHMARK_CAPTURE(BM_PlanExecute, two_steps_reusable, true, true)->UseManualTime();

// A network of two branches: `depth` convolutions of 3 by 3 each, of 32 channels and 28 by 28
// pixels, 7 million multiplications each, followed by an addition. The convolutions of one branch
// have a RELU, so that devices can distinguish the branches.
constexpr int kRelu = 1;
Model twoTowers(int depth) {
    Model model;
    Graph main(model);
    const Dimensions image{1, 28, 28, 32};
    const auto x = main.input(TENSOR_FLOAT32, image);
    const auto filter = main.constant<float>(TENSOR_FLOAT32, {32, 3, 3, 32},
                                             std::vector<float>(size_t{32} * 9 * 32, 0.01f));
    const auto bias = main.constant<float>(TENSOR_FLOAT32, {32}, std::vector<float>(32, 0.5f));
    const auto tower = [&](int activation) {
        uint32_t value = x;
        for (int i = 0; i < depth; ++i) {
            const auto next = main.temporary(TENSOR_FLOAT32, image);
            main.add(OperationType::CONV_2D,
                     {value, filter, bias, main.scalar(1), main.scalar(1), main.scalar(1),
                      main.scalar(activation)},
                     {next});
            value = next;
        }
        return value;
    };
    const auto left = tower(0), right = tower(kRelu);
    main.add(OperationType::ADD, {left, right, main.scalar(0)},
             {main.output(TENSOR_FLOAT32, image)});
    model.main = main.graph;
    return model;
}

// Both branches on one device, compared with one branch on each of two equally fast devices.
void BM_PlanExecuteBranches(benchmark::State& state, const SharedDevice& host) {
    const Model model = twoTowers(static_cast<int>(state.range(0)));
    const auto hasRelu = [](const Model& m, const Operation& o) {
        int32_t activation = 0;
        std::memcpy(&activation,
                    m.operandValues.data() + m.main.operands[o.inputs.back()].location.offset, 4);
        return activation == kRelu;
    };
    const auto whole = (*makePlan(model, hostAndCpu(host), {}))->preparedModel();
    const auto plan = *makePlan(
            model,
            {{masked({.name = "relu", .mask = hasRelu}, host)},
             {masked({.name = "other",
                      .mask = [=](const Model& m, const Operation& o) { return !hasRelu(m, o); }},
                     host)},
             cpu(2)},
            {});
    const auto divided = plan->preparedModel();
    std::vector<float> x(size_t{28} * 28 * 32, 1.0f), y(x.size());
    const Request request{.inputs = {pointerTo(x)}, .outputs = {pointerTo(y)}};
    besides(
            state, [&] { return execute(*whole, request).has_value(); },
            [&] { return execute(*divided, request).has_value(); });
    state.counters["steps"] = static_cast<double>(plan->steps().size());
}
#define BM_PLAN_BRANCHES(name, host) \
    BENCHMARK_CAPTURE(BM_PlanExecuteBranches, name, host)->Arg(1)->Arg(2)->Arg(8)->UseManualTime()
BM_PLAN_BRANCHES(reference, referenceDevice());
#ifdef NNAPI_WITH_XNNPACK
BM_PLAN_BRANCHES(xnnpack, xnnpackDevice());
#endif

// A loop of 3 iterations that the plan interprets, 1 + 3 * 3 steps.
void BM_PlanExecuteLoop(benchmark::State& state) {
    const SharedDevice host = referenceDevice();
    const Model model = doubling();
    const auto whole = *prepareOn(*host, model);
    const auto divided = (*makePlan(model, addAndMul(host, host), {}))->preparedModel();
    std::vector<float> x{1}, i{0}, y{0};
    const Request request{.inputs = {pointerTo(x)}, .outputs = {pointerTo(i), pointerTo(y)}};
    besides(
            state, [&] { return execute(*whole, request).has_value(); },
            [&] { return execute(*divided, request).has_value(); });
}
BENCHMARK(BM_PlanExecuteLoop)->UseManualTime();

}  // namespace
}  // namespace nn::runtime
