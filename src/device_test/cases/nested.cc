// Cases of control flow inside of control flow, and of truth values other than 1.
#include <fmt/ranges.h>

#include <array>

#include "device_test/cases/cases.h"
#include "device_test/cases/prepared_case.h"

namespace nn::testing {
namespace {

constexpr size_t kConditions = 3;
using Conditions = std::array<uint8_t, kConditions>;

Operand truthTensor(uint32_t size = 1) {
    return {.type = OperandType::TENSOR_BOOL8, .dimensions = {size}};
}
Operand counter() { return {.type = OperandType::TENSOR_INT32, .dimensions = {1}}; }

// The function of x that a graph computes: IF has two children and a condition, WHILE computes its
// child twice, and a leaf adds its own number.
struct Node {
    enum class Kind { LEAF, IF, WHILE } kind = Kind::LEAF;
    size_t depth = 0;  // the number of the condition
    float number = 0;
    std::vector<Node> children{};

    // Of "IW": an IF whose branches are WHILEs. `next` is the number of the next leaf.
    static Node of(std::string_view shape, size_t depth, float& next) {
        Node node{.depth = depth};
        if (shape.empty()) {
            node.number = next;
            next *= 2;
            return node;
        }
        node.kind = shape[0] == 'I' ? Kind::IF : Kind::WHILE;
        for (size_t i = 0; i < (node.kind == Kind::IF ? 2u : 1u); ++i) {
            node.children.push_back(of(shape.substr(1), depth + 1, next));
        }
        return node;
    }

    float resultOf(float x, const Conditions& conditions) const {
        switch (kind) {
            case Kind::LEAF:
                break;
            case Kind::IF:
                return children[conditions[depth] != 0 ? 0 : 1].resultOf(x, conditions);
            case Kind::WHILE:
                return children[0].resultOf(children[0].resultOf(x, conditions), conditions);
        }
        return x + number;
    }
};

// Builds the graphs of a node.
class NestedModel {
   public:
    static Model of(const Node& node) {
        NestedModel made;
        SubgraphBuilder main(made.mModel);
        made.fill(main, node);
        made.mModel.main = std::move(main.graph);
        return std::move(made.mModel);
    }

   private:
    struct Inputs {
        std::vector<uint32_t> conditions{};
        uint32_t x = 0;
    };

    static Inputs inputsOf(SubgraphBuilder& graph) {
        Inputs inputs;
        for (size_t i = 0; i < kConditions; ++i) {
            inputs.conditions.push_back(graph.input(truthTensor()));
        }
        inputs.x = graph.input(floatTensor({1}));
        return inputs;
    }

    void fill(SubgraphBuilder& graph, const Node& node) {
        const Inputs inputs = inputsOf(graph);
        add(graph, node, inputs, graph.output(floatTensor({1})));
    }

    void add(SubgraphBuilder& graph, const Node& node, const Inputs& inputs, uint32_t result) {
        switch (node.kind) {
            case Node::Kind::LEAF: {
                const auto number = graph.constant<float>(floatTensor({1}), {node.number});
                return graph.add(OperationType::ADD, {inputs.x, number, graph.scalar(0)}, {result});
            }
            case Node::Kind::IF:
                return addIf(graph, node, inputs, result);
            case Node::Kind::WHILE:
                return addWhile(graph, node, inputs, result);
        }
    }

    void addIf(SubgraphBuilder& graph, const Node& node, const Inputs& inputs, uint32_t result) {
        std::vector<uint32_t> operands{inputs.conditions[node.depth]};
        for (const Node& child : node.children) {
            SubgraphBuilder branch(mModel);
            fill(branch, child);
            operands.push_back(graph.subgraph(keep(std::move(branch))));
        }
        operands.insert(operands.end(), inputs.conditions.begin(), inputs.conditions.end());
        operands.push_back(inputs.x);
        graph.add(OperationType::IF, std::move(operands), {result});
    }

    // Counts from 0 to 2; the conditions go in, and are not changed.
    void addWhile(SubgraphBuilder& graph, const Node& node, const Inputs& inputs, uint32_t result) {
        SubgraphBuilder condition(mModel);
        const auto count = condition.input(counter());
        condition.input(floatTensor({1}));
        for (size_t i = 0; i < kConditions; ++i) condition.input(truthTensor());
        condition.add(OperationType::LESS, {count, condition.constant<int32_t>(counter(), {2})},
                      {condition.output(truthTensor())});
        SubgraphBuilder body(mModel);
        const auto before = body.input(counter());
        Inputs own{.x = body.input(floatTensor({1}))};
        for (size_t i = 0; i < kConditions; ++i)
            own.conditions.push_back(body.input(truthTensor()));
        const auto next = body.output(counter());
        body.add(OperationType::ADD,
                 {before, body.constant<int32_t>(counter(), {1}), body.scalar(0)}, {next});
        add(body, node.children[0], own, body.output(floatTensor({1})));
        const auto first = keep(std::move(condition)), second = keep(std::move(body));
        std::vector<uint32_t> operands{graph.subgraph(first), graph.subgraph(second),
                                       graph.constant<int32_t>(counter(), {0}), inputs.x};
        operands.insert(operands.end(), inputs.conditions.begin(), inputs.conditions.end());
        graph.add(OperationType::WHILE, std::move(operands), {graph.temporary(counter()), result});
    }

    uint32_t keep(SubgraphBuilder&& graph) {
        mModel.referenced.push_back(std::move(graph.graph));
        return static_cast<uint32_t>(mModel.referenced.size() - 1);
    }

    Model mModel{};
};

// "if_in_while" of "WI"
std::string nameOfShape(std::string_view shape) {
    std::string name;
    for (size_t i = shape.size(); i-- > 0;) {
        name += std::string(name.empty() ? "" : "_in_") + (shape[i] == 'I' ? "if" : "while");
    }
    return name;
}

Failure executesNested(const SharedDevice& device, std::string_view shape) {
    float next = 1;
    const Node node = Node::of(shape, 0, next);
    const Model model = NestedModel::of(node);
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, model, &prepared)) return failure;
    for (unsigned bits = 0; bits < 1u << kConditions; ++bits) {
        Conditions conditions{};
        Job job{.model = model};
        for (size_t i = 0; i < kConditions; ++i) {
            conditions[i] = bits >> i & 1;
            job.inputs.push_back(tensorOf<uint8_t>({1}, {conditions[i]}));
        }
        job.inputs.push_back(tensorOf<float>({1}, {0.5f}));
        job.outputs = {tensorOf<float>({1}, {node.resultOf(0.5f, conditions)})};
        if (Failure failure = checkComputes(
                    fmt::format("execute with the conditions {}",
                                fmt::join(std::vector<int>(conditions.begin(), conditions.end()),
                                          ", ")),
                    *prepared, JobCase(std::move(job)))) {
            return failure;
        }
    }
    return std::nullopt;
}

// ---- truth values: all that are not 0 are true

const std::vector<uint8_t> kTruths = {0, 1, 2, 128, 255, 0};
const std::vector<uint8_t> kOthers = {2, 255, 0, 4, 128, 0};

Tensor truths(const std::vector<uint8_t>& values) {
    return tensorOf({static_cast<uint32_t>(values.size())}, values);
}

Job logicalJob(OperationType type, bool (*compute)(bool, bool), bool hasTwo) {
    const auto size = static_cast<uint32_t>(kTruths.size());
    Job job;
    SubgraphBuilder main(job.model);
    std::vector<uint32_t> inputs{main.input(truthTensor(size))};
    if (hasTwo) inputs.push_back(main.input(truthTensor(size)));
    main.add(type, std::move(inputs), {main.output(truthTensor(size))});
    job.model.main = std::move(main.graph);
    job.inputs = {truths(kTruths)};
    if (hasTwo) job.inputs.push_back(truths(kOthers));
    std::vector<uint8_t> results;
    for (size_t i = 0; i < kTruths.size(); ++i) {
        results.push_back(compute(kTruths[i] != 0, kOthers[i] != 0) ? 1 : 0);
    }
    job.outputs = {truths(results)};
    return job;
}

Job selectJob() {
    const auto size = static_cast<uint32_t>(kTruths.size());
    Job job;
    SubgraphBuilder main(job.model);
    const auto chosen = main.input(truthTensor(size));
    const auto x = main.input(floatTensor({size})), y = main.input(floatTensor({size}));
    main.add(OperationType::SELECT, {chosen, x, y}, {main.output(floatTensor({size}))});
    job.model.main = std::move(main.graph);
    const std::vector<float> ones = ramp(size, 1, 1), tens = ramp(size, 10, 10);
    std::vector<float> results;
    for (size_t i = 0; i < size; ++i) results.push_back(kTruths[i] != 0 ? ones[i] : tens[i]);
    job.inputs = {truths(kTruths), tensorOf({size}, ones), tensorOf({size}, tens)};
    job.outputs = {tensorOf({size}, results)};
    return job;
}

// Of {2, 128}: all and any are true; of {0, 64} only any.
Job reductionJob(OperationType type) {
    Job job;
    SubgraphBuilder main(job.model);
    Operand pairs{.type = OperandType::TENSOR_BOOL8, .dimensions = {2, 2}};
    const auto x = main.input(pairs);
    const auto axes = main.constant<int32_t>(counter(), {1});
    const auto keep = main.constant<uint8_t>({.type = OperandType::BOOL}, {0});
    main.add(type, {x, axes, keep}, {main.output(truthTensor(2))});
    job.model.main = std::move(main.graph);
    job.inputs = {tensorOf<uint8_t>({2, 2}, {2, 128, 0, 64})};
    const uint8_t second = type == OperationType::REDUCE_ANY ? 1 : 0;
    job.outputs = {tensorOf<uint8_t>({2}, {1, second})};
    return job;
}

Failure computesJob(const SharedDevice& device, Job job) {
    const JobCase made(std::move(job));
    SharedPreparedModel prepared;
    if (Failure failure = prepareOn(*device, made.model(), &prepared)) return failure;
    return checkComputes("execute with truth values other than 1", *prepared, made);
}

// The condition of an IF, by each value that is true.
Failure branchesOnTruth(const SharedDevice& device) {
    float next = 1;
    const Node node = Node::of("I", 0, next);
    const Model model = NestedModel::of(node);
    for (const uint8_t truth : kTruths) {
        Job job{.model = model};
        job.inputs.assign(kConditions, tensorOf<uint8_t>({1}, {truth}));
        job.inputs.push_back(tensorOf<float>({1}, {0.5f}));
        job.outputs = {tensorOf<float>({1}, {node.resultOf(0.5f, {truth, truth, truth})})};
        if (Failure failure = computesJob(device, std::move(job))) return failure;
    }
    return std::nullopt;
}

}  // namespace

void addNested(Cases& cases, const DeviceTestOptions&) {
    for (const std::string_view shape :
         {"II", "WI", "IW", "WW", "III", "WII", "IWI", "IIW", "WIW", "WWI"}) {
        cases.push_back(
                deviceCase(fmt::format("execution/nested/{}", nameOfShape(shape)),
                           [shape](const SharedDevice& d) { return executesNested(d, shape); }));
    }
    const auto add = [&](const char* name, const Job& job) {
        cases.push_back(
                deviceCase(fmt::format("execution/truth/{}", name),
                           [job](const SharedDevice& device) { return computesJob(device, job); }));
    };
    add("LOGICAL_AND",
        logicalJob(
                OperationType::LOGICAL_AND, [](bool a, bool b) { return a && b; }, true));
    add("LOGICAL_OR",
        logicalJob(
                OperationType::LOGICAL_OR, [](bool a, bool b) { return a || b; }, true));
    add("LOGICAL_NOT", logicalJob(
                               OperationType::LOGICAL_NOT, [](bool a, bool) { return !a; }, false));
    add("SELECT", selectJob());
    add("REDUCE_ALL", reductionJob(OperationType::REDUCE_ALL));
    add("REDUCE_ANY", reductionJob(OperationType::REDUCE_ANY));
    cases.push_back(deviceCase("execution/truth/IF", branchesOnTruth));
}

}  // namespace nn::testing
