// Models that are partitioned among devices by their operations.
#pragma once

#include <vector>

#include "runtime/plan_devices.h"

namespace nn::runtime {

inline constexpr auto ADD = OperationType::ADD;
inline constexpr auto MUL = OperationType::MUL;
inline constexpr auto SUB = OperationType::SUB;
inline constexpr auto LESS = OperationType::LESS;
inline constexpr auto IF = OperationType::IF;
inline constexpr auto WHILE = OperationType::WHILE;

// z = (x + y) * y, of one dimension.
inline Model sumTimes(uint32_t size = 4) {
    Model model;
    Graph main(model);
    const auto x = main.input(TENSOR_FLOAT32, {size});
    const auto y = main.input(TENSOR_FLOAT32, {size});
    const auto sum = main.temporary(TENSOR_FLOAT32, {size});
    const auto none = main.scalar(0);
    main.add(ADD, {x, y, none}, {sum});
    main.add(MUL, {sum, y, none}, {main.output(TENSOR_FLOAT32, {size})});
    model.main = main.graph;
    return model;
}

// ADD on A, MUL on B, the rest on the CPU.
inline std::vector<PlanDevice> addAndMul(SharedDevice a = referenceDevice(),
                                         SharedDevice b = referenceDevice()) {
    return {{masked({.name = "A", .mask = only({ADD})}, std::move(a))},
            {masked({.name = "B", .mask = only({MUL})}, std::move(b))},
            cpu(2.0f)};
}

// Each value is a float of one vector of 4.
struct Floats {
    std::vector<float> x{1, 2, 3, 4};
    std::vector<float> y{10, 20, 30, 40};
    std::vector<float> z{0, 0, 0, 0};
    Request request() {
        return {.inputs = {pointerTo(x), pointerTo(y)}, .outputs = {pointerTo(z)}};
    }
    // Of sumTimes().
    static std::vector<float> expected() { return {110, 440, 990, 1760}; }
};

inline ExecutionResult<Executed> execute(const IPreparedModel& prepared, const Request& request,
                                         const OptionalTimePoint& deadline = {},
                                         const OptionalDuration& loopTimeout = {}) {
    return prepared.execute(request, MeasureTiming::NO, deadline, loopTimeout, {}, {});
}

// while (i < bound) { i = i + one; x = x * two }, of one element each; `bound` is a constant.
inline Model doubling(float bound = 3) {
    Model model;
    Graph condition(model);
    {
        const auto i = condition.input(TENSOR_FLOAT32, {1});
        condition.input(TENSOR_FLOAT32, {1});
        const auto most = condition.constant<float>(TENSOR_FLOAT32, {1}, {bound});
        condition.add(LESS, {i, most}, {condition.output(TENSOR_BOOL8, {1})});
    }
    Graph body(model);
    {
        const auto i = body.input(TENSOR_FLOAT32, {1});
        const auto x = body.input(TENSOR_FLOAT32, {1});
        const auto none = body.scalar(0);
        const auto one = body.constant<float>(TENSOR_FLOAT32, {1}, {1});
        const auto two = body.constant<float>(TENSOR_FLOAT32, {1}, {2});
        body.add(ADD, {i, one, none}, {body.output(TENSOR_FLOAT32, {1})});
        body.add(MUL, {x, two, none}, {body.output(TENSOR_FLOAT32, {1})});
    }
    Graph main(model);
    const auto zero = main.constant<float>(TENSOR_FLOAT32, {1}, {0});
    const auto x = main.input(TENSOR_FLOAT32, {1});
    main.add(WHILE, {main.subgraph(0), main.subgraph(1), zero, x},
             {main.output(TENSOR_FLOAT32, {1}), main.output(TENSOR_FLOAT32, {1})});
    model.main = main.graph;
    model.referenced = {condition.graph, body.graph};
    return model;
}

// The values of one execution of doubling().
struct LoopValues {
    std::vector<float> x{1};
    std::vector<float> i{0};
    std::vector<float> y{0};
    Request request() {
        return {.inputs = {pointerTo(x)}, .outputs = {pointerTo(i), pointerTo(y)}};
    }
};

// condition ? x + x : x * x, of `size` elements.
inline Model choice(uint32_t size = 2) {
    Model model;
    const auto branch = [&](OperationType type) {
        Graph graph(model);
        const auto x = graph.input(TENSOR_FLOAT32, {size});
        graph.add(type, {x, x, graph.scalar(0)}, {graph.output(TENSOR_FLOAT32, {size})});
        return graph.graph;
    };
    Graph main(model);
    const auto condition = main.input(TENSOR_BOOL8, {1});
    const auto x = main.input(TENSOR_FLOAT32, {size});
    main.add(IF, {condition, main.subgraph(0), main.subgraph(1), x},
             {main.output(TENSOR_FLOAT32, {size})});
    model.main = main.graph;
    model.referenced = {branch(ADD), branch(MUL)};
    return model;
}

// The names of the devices of all steps; "plan" for those that the plan interprets.
inline std::vector<std::string> devicesOf(const Plan& plan) {
    std::vector<std::string> names;
    for (const PlanStep& step : plan.steps()) {
        names.push_back(step.device == nullptr ? "plan" : step.device->getName());
    }
    return names;
}

// A launch without a deadline.
inline GeneralResult<ExecutedFenced> launch(const Plan& plan, const Request& request,
                                            const std::vector<SyncFence>& waitFor = {},
                                            MeasureTiming measure = MeasureTiming::YES) {
    return plan.preparedModel()->executeFenced(request, waitFor, measure, {}, {}, {}, {}, {});
}

MATCHER_P(FailsWithCode, code, "fails with " + toString(code)) {
    if (arg.has_value()) return false;
    *result_listener << toString(arg.error().code) << " " << arg.error().message;
    return arg.error().code == code;
}

}  // namespace nn::runtime
