// Operators that hold graphs.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <span>

#include "importers/onnx/rows.h"

namespace nn::onnx {
namespace {

// Null after a refusal.
const InnerGraph* graphOf(Lowering& at, std::string_view attribute, size_t inputs, size_t outputs) {
    const auto found = at.node().graphs.find(attribute);
    if (found == at.node().graphs.end()) {
        at.refuse("", fmt::format("has no graph {}", attribute));
        return nullptr;
    }
    const Graph& graph = *found->second.graph;
    if (graph.inputs.size() == inputs && graph.outputs.size() == outputs) return &found->second;
    at.refuse("",
              fmt::format("has a graph {} with {} inputs and {} outputs", attribute,
                          graph.inputs.size(), graph.outputs.size()),
              fmt::format("{} and {}", inputs, outputs));
    return nullptr;
}

void requireOne(Lowering& at, size_t input, ElementType type) {
    const Value& value = at.in(input);
    if (value.type == type && operandDimensions(value.dimensions) == Dimensions{1}) return;
    at.refuse(input, fmt::format("is {} {}", toString(value.type), shapeText(value.dimensions)),
              "one element of " + toString(type));
}

// The values of the enclosing graph that graphs of the node read and that are not constant.
std::vector<ValueId> valuesRead(const Lowering& at) {
    std::vector<ValueId> values;
    for (size_t i = at.message().inputs.size(); i < at.node().inputs.size(); ++i) {
        const ValueId id = at.node().inputs[i];
        if (!at.value(id).constant) values.push_back(id);
    }
    return values;
}

void setLike(Value& value, const Value& like) {
    value.describe(like.type, like.dimensions);
    value.quantization = like.quantization;
}

// An input like a value.
ValueId addInput(Graph& graph, const Value& like) {
    const auto id = static_cast<ValueId>(graph.values.size());
    setLike(graph.values.emplace_back(), like);
    graph.inputs.push_back(id);
    return id;
}

// A graph with values of the one around it as inputs, behind its own. Constants are known in both.
Graph withInputs(const Lowering& at, Graph graph, std::span<const Capture> captures,
                 const std::vector<ValueId>& values) {
    std::map<ValueId, ValueId> places;
    for (const auto& [outer, inner] : captures) {
        places[outer] = inner;
        setLike(graph[inner], at.value(outer));
        graph[inner].constant = at.value(outer).constant;
    }
    for (const ValueId id : values) {
        const auto place = places.find(id);
        if (place == places.end()) {
            addInput(graph, at.value(id));
        } else {
            graph.inputs.push_back(place->second);
        }
    }
    return graph;
}

std::string textOf(const Value& value) {
    std::string text = fmt::format("{} {}", toString(value.type), shapeText(value.dimensions));
    if (value.quantization) {
        text += fmt::format(" with the scale {} and the zero point {}", value.quantization->scale,
                            value.quantization->zeroPoint);
    }
    return text;
}

ValueId addNumber(Graph& graph, int64_t number) {
    return addConstant(graph, makeIntegers(ElementType::INT64, {}, {&number, 1}));
}

// The values of a WHILE, in its order: those that the loop carries, the number of the iteration,
// the condition and the number of iterations where these are not known, and the outer values that
// the body reads.
class Loop {
   public:
    Loop(Lowering& at, const InnerGraph& body)
        : mAt(at),
          mBody(*body.graph),
          mCaptures(body.captures),
          mCarried(mBody.inputs.size() - kFirst),
          mRead(valuesRead(at)),
          mHasCondition(at.has(kCondition)),
          mHasTrips(at.has(kTrips)) {}

    void lower() {
        std::vector<uint32_t> inputs = operands();
        if (!mAt.ok() || !mAt.fitsCopies(mBody)) return;
        const auto condition = mAt.call(conditionGraph(), "condition");
        const auto body = mAt.call(bodyGraph(), "body");
        if (!mAt.ok()) return;
        std::vector<uint32_t> outputs;
        for (size_t i = 0; i < mCarried; ++i) {
            const Value& value = mAt.in(kFirst + i);
            const std::string before = textOf(value), after = textOf(body->outputs[i]);
            if (before != after) {
                mAt.refuse(mAt.outputName(i), fmt::format("is {} after an iteration", after),
                           before + ", as before");
            }
            outputs.push_back(mAt.define(i, value.type, value.dimensions, value.quantization));
        }
        inputs.insert(inputs.begin(), {mAt.builder().graphReference(condition->referenced),
                                       mAt.builder().graphReference(body->referenced)});
        mAt.emit({OperationType::WHILE, std::move(inputs), std::move(outputs)});
    }

    enum Input : size_t { kTrips, kCondition, kFirst };

   private:
    bool isTripsComputed() const { return mHasTrips && !mAt.in(kTrips).constant; }

    // The constant number of iterations, which is one element of int64.
    int64_t constantTrips() const { return mAt.in(kTrips).constant->head().integers()->front(); }

    std::vector<uint32_t> operands() {
        constexpr int64_t kZero = 0;
        std::vector<uint32_t> operands;
        for (size_t i = 0; i < mCarried; ++i) operands.push_back(mAt.operand(kFirst + i));
        operands.push_back(mAt.constantOperand(makeIntegers(ElementType::INT64, {}, {&kZero, 1})));
        if (mHasCondition) operands.push_back(mAt.operand(kCondition));
        if (isTripsComputed()) operands.push_back(mAt.operand(kTrips));
        for (const ValueId id : mRead) operands.push_back(mAt.operandOf(id));
        return operands;
    }

    // iteration < iterations && condition
    Graph conditionGraph() {
        static const NodeMessage kLess{.type = "Less"}, kAnd{.type = "And"};
        Graph graph{.version = mAt.version()};
        for (size_t i = 0; i < mCarried; ++i) addInput(graph, mAt.in(kFirst + i));
        const ValueId iteration = addInput(graph, kIteration);
        const ValueId condition = mHasCondition ? addInput(graph, kBool) : kNoValue;
        ValueId output = condition;
        if (mHasTrips) {
            // More of them would not fit into the 32 bits of the iteration.
            const ValueId trips =
                    isTripsComputed()
                            ? addInput(graph, mAt.in(kTrips))
                            : addNumber(graph, std::min<int64_t>(constantTrips(), INT32_MAX));
            output = addNode(graph, kLess, {iteration, trips});
            if (mHasCondition) output = addNode(graph, kAnd, {output, condition});
        }
        for (const ValueId id : mRead) addInput(graph, mAt.value(id));
        graph.outputs = {output};
        return graph;
    }

    // The values that the body carries, the next iteration, and its condition.
    Graph bodyGraph() {
        static const NodeMessage kAdd{.type = "Add"};
        Graph graph = mBody;
        const ValueId iteration = mBody.inputs[0], condition = mBody.inputs[1];
        setLike(graph[iteration], kIteration);
        setLike(graph[condition], kBool);
        graph.inputs.assign(mBody.inputs.begin() + kFirst, mBody.inputs.end());
        for (size_t i = 0; i < mCarried; ++i) setLike(graph[graph.inputs[i]], mAt.in(kFirst + i));
        graph.inputs.push_back(iteration);
        if (mHasCondition) {
            graph.inputs.push_back(condition);
        } else {
            graph[condition].constant = makeConstant(ElementType::BOOL, {}, {1});
        }
        if (isTripsComputed()) addInput(graph, mAt.in(kTrips));
        graph.outputs.assign(mBody.outputs.begin() + 1, mBody.outputs.end());
        graph.outputs.push_back(addNode(graph, kAdd, {iteration, addNumber(graph, 1)}));
        if (mHasCondition) graph.outputs.push_back(mBody.outputs[0]);
        for (Value& value : graph.values) value.isInput = false;
        return withInputs(mAt, std::move(graph), mCaptures, mRead);
    }

    static inline const Value kIteration{.type = ElementType::INT64},
            kBool{.type = ElementType::BOOL};

    Lowering& mAt;
    const Graph& mBody;
    std::span<const Capture> mCaptures;
    size_t mCarried;
    std::vector<ValueId> mRead;
    bool mHasCondition, mHasTrips;
};

// The outputs become names of values that other nodes compute.
void aliasOutputs(Lowering& at) {
    for (size_t i = 0; i < at.outputCount(); ++i)
        if (at.hasOutput(i)) at.alias(i, at.id(i));
}

}  // namespace

void lowerIf(Lowering& at, OperationType operation) {
    if (at.node().isReplaced) return aliasOutputs(at);
    requireOne(at, 0, ElementType::BOOL);
    const InnerGraph* const branches[] = {graphOf(at, "then_branch", 0, at.outputCount()),
                                          graphOf(at, "else_branch", 0, at.outputCount())};
    const std::vector<ValueId> values = valuesRead(at);
    std::vector<uint32_t> inputs;
    inputs.reserve(values.size());
    for (const ValueId id : values) inputs.push_back(at.operandOf(id));
    const auto callOf = [&](const InnerGraph& branch, std::string_view attribute) {
        return at.fitsCopies(*branch.graph)
                       ? at.call(withInputs(at, *branch.graph, branch.captures, values), attribute)
                       : std::nullopt;
    };
    if (!at.ok()) return;
    const auto whenTrue = callOf(*branches[0], "then_branch");
    const auto whenFalse = callOf(*branches[1], "else_branch");
    if (!at.ok()) return;
    std::vector<uint32_t> outputs;
    for (size_t i = 0; i < at.outputCount(); ++i) {
        const Value& value = whenTrue->outputs[i];
        const std::string text = textOf(value), other = textOf(whenFalse->outputs[i]);
        if (text != other) {
            at.refuse(at.outputName(i), fmt::format("is {} or {}", text, other),
                      "the same from both branches");
        }
        outputs.push_back(at.define(i, value.type, value.dimensions, value.quantization));
    }
    inputs.insert(inputs.begin(), {at.operand(0), at.builder().graphReference(whenTrue->referenced),
                                   at.builder().graphReference(whenFalse->referenced)});
    at.emit({operation, std::move(inputs), std::move(outputs)});
}

void lowerLoop(Lowering& at, OperationType) {
    if (at.node().isReplaced) return aliasOutputs(at);
    const size_t inputs = at.message().inputs.size();
    const auto found = at.node().graphs.find("body");
    if (inputs <= Loop::kFirst || found == at.node().graphs.end()) {
        return at.refuse("", "carries no value, or has no body", "both");
    }
    const size_t carried = inputs - Loop::kFirst;
    for (size_t i = carried; i < at.outputCount(); ++i) {
        at.refuse(at.outputName(i), "collects a value of each iteration",
                  fmt::format("outputs that the loop carries, or a constant number of iterations, "
                              "with at most {} operators in all, which no condition ends",
                              Budget::kSteps));
    }
    const InnerGraph* body = at.ok() ? graphOf(at, "body", inputs, carried + 1) : nullptr;
    for (size_t i = Loop::kFirst; i < inputs; ++i)
        if (!at.has(i)) at.refuse("", fmt::format("omits input {}", i));
    if (at.has(Loop::kTrips)) requireOne(at, Loop::kTrips, ElementType::INT64);
    if (at.has(Loop::kCondition)) requireOne(at, Loop::kCondition, ElementType::BOOL);
    if (!at.has(Loop::kTrips) && !at.has(Loop::kCondition)) {
        at.refuse("", "ends neither after a number of iterations nor by a condition");
    }
    if (body != nullptr && at.ok()) Loop(at, *body).lower();
}

}  // namespace nn::onnx
