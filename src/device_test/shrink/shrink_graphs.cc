// Shrinks the graphs of IF and WHILE: replaces the main graph or a call by a graph, takes one
// branch for both, and drops outputs, arguments and operations.
#include <absl/algorithm/container.h>

#include "device_test/cases/reference_values.h"
#include "device_test/shrink/shrinker.h"
#include "nnapi/passes.h"

namespace nn::testing {
namespace {

using LifeTime = Operand::LifeTime;

bool hasEqualType(const Operand& a, const Operand& b) {
    return a.type == b.type && a.dimensions == b.dimensions && a.scale == b.scale &&
           a.zeroPoint == b.zeroPoint && a.extraParams == b.extraParams;
}

void eraseAt(auto& list, size_t index) {
    if (index < list.size()) list.erase(list.begin() + static_cast<ptrdiff_t>(index));
}

// The operand becomes a constant, if there is a value.
bool makeConstant(EditableCase& candidate, size_t graph, uint32_t index,
                  const std::vector<MainValues>& values) {
    const auto found = values[graph].find(index);
    if (found == values[graph].end() || found->second.data.empty()) return false;
    Operand& operand = candidate.graph(graph).operands[index];
    operand.lifetime = LifeTime::CONSTANT_COPY;
    operand.location = {};
    operand.dimensions = found->second.dimensions;
    candidate.constants[graph][index] = found->second.data;
    return true;
}

bool isRead(const Model::Subgraph& graph, uint32_t index) {
    return absl::c_any_of(graph.operations, [index](const Operation& operation) {
        return absl::c_linear_search(operation.inputs, index);
    });
}

// An IF or WHILE loses an output; what reads it gets a constant.
bool dropResult(EditableCase& candidate, size_t graph, Operation& call, size_t output,
                const std::vector<MainValues>& values) {
    Model::Subgraph& own = candidate.graph(graph);
    const uint32_t index = call.outputs[output];
    if (absl::c_linear_search(own.outputIndexes, index)) return false;
    eraseAt(call.outputs, output);
    return !isRead(own, index) || makeConstant(candidate, graph, index, values);
}

// A graph loses an output, or an input in whose place a constant is read.
void dropOutput(EditableCase& candidate, size_t graph, size_t output) {
    Model::Subgraph& own = candidate.graph(graph);
    if (output >= own.outputIndexes.size()) return;
    own.operands[own.outputIndexes[output]].lifetime = LifeTime::TEMPORARY_VARIABLE;
    eraseAt(own.outputIndexes, output);
}
bool dropInput(EditableCase& candidate, size_t graph, size_t input,
               const std::vector<MainValues>& values) {
    Model::Subgraph& own = candidate.graph(graph);
    const uint32_t index = own.inputIndexes[input];
    eraseAt(own.inputIndexes, input);
    if (makeConstant(candidate, graph, index, values)) return true;
    own.operands[index].lifetime = LifeTime::NO_VALUE;
    return !isRead(own, index);
}

std::vector<uint32_t> graphsOf(const GraphCall& call) {
    std::vector<uint32_t> graphs = call.graphs;
    graphs.erase(std::unique(graphs.begin(), graphs.end()), graphs.end());
    return graphs;
}

// The operations of a graph replace the IF or WHILE that refers to it; a WHILE computes its body
// once.
bool inlineGraph(EditableCase& candidate, size_t graph, size_t operation, size_t which) {
    Model::Subgraph& own = candidate.graph(graph);
    const Operation replaced = own.operations[operation];
    const GraphCall call = graphCallOf(own, replaced);
    const size_t inner = call.graphs[which] + 1;
    const Model::Subgraph child = candidate.graph(inner);
    const auto& constants = candidate.constants[inner];
    if (child.inputIndexes.size() != call.arguments.size() ||
        child.outputIndexes.size() < replaced.outputs.size()) {
        return false;
    }
    std::vector<std::optional<uint32_t>> places(child.operands.size());
    for (size_t i = 0; i < call.arguments.size(); ++i) {
        places[child.inputIndexes[i]] = call.arguments[i];
    }
    for (size_t i = 0; i < replaced.outputs.size(); ++i) {
        places[child.outputIndexes[i]] = replaced.outputs[i];
    }
    for (size_t i = 0; i < places.size(); ++i) {
        if (places[i]) continue;
        places[i] = static_cast<uint32_t>(own.operands.size());
        Operand& added = own.operands.emplace_back(child.operands[i]);
        if (added.lifetime == LifeTime::SUBGRAPH_OUTPUT) {
            added.lifetime = LifeTime::TEMPORARY_VARIABLE;
        }
        candidate.constants[graph].push_back(constants[i]);
    }
    std::vector<Operation> inside = child.operations;
    for (Operation& each : inside) {
        for (uint32_t& index : each.inputs) index = *places[index];
        for (uint32_t& index : each.outputs) index = *places[index];
    }
    const auto at =
            own.operations.erase(own.operations.begin() + static_cast<ptrdiff_t>(operation));
    own.operations.insert(at, inside.begin(), inside.end());
    return true;
}

// What reads the output of an operation reads another operand; a graph with this output gets the
// other, if an operation computes it.
bool replaceResult(Model::Subgraph& graph, uint32_t result, uint32_t other) {
    if (result == other || !hasEqualType(graph.operands[result], graph.operands[other])) {
        return false;
    }
    for (Operation& operation : graph.operations) {
        std::replace(operation.inputs.begin(), operation.inputs.end(), result, other);
    }
    const auto output = absl::c_find(graph.outputIndexes, result);
    if (output == graph.outputIndexes.end()) return true;
    if (graph.operands[other].lifetime != LifeTime::TEMPORARY_VARIABLE) return false;
    *output = other;
    graph.operands[other].lifetime = LifeTime::SUBGRAPH_OUTPUT;
    graph.operands[result].lifetime = LifeTime::TEMPORARY_VARIABLE;
    return true;
}

}  // namespace

// A graph takes the place of its call, or one branch is that of both conditions.
bool Shrinker::replaceCall(size_t graph, size_t operation) {
    const bool isIf = edit().graph(graph).operations[operation].type == OperationType::IF;
    for (const size_t which : {size_t{0}, size_t{1}}) {
        if (!isIf && which == 0) continue;  // the condition has other results than the WHILE
        if (acceptsPart([&](EditableCase& candidate) {
                return inlineGraph(candidate, graph, operation, which);
            })) {
            return true;
        }
    }
    for (const size_t which : {size_t{0}, size_t{1}}) {
        if (isIf && acceptsPart([&](EditableCase& candidate) {
                std::vector<uint32_t>& inputs = candidate.graph(graph).operations[operation].inputs;
                inputs[2 - which] = inputs[1 + which];
                return true;
            })) {
            return true;
        }
    }
    return false;
}

// An output of an IF, a value that a WHILE passes on, or an argument of both.
bool Shrinker::dropFromCall(size_t graph, size_t operation) {
    const std::vector<MainValues>* values = knownOfGraphs();
    if (values == nullptr) return false;
    EditableCase now = edit();
    const Operation call = now.graph(graph).operations[operation];
    const GraphCall graphs = graphCallOf(now.graph(graph), call);
    const bool isIf = call.type == OperationType::IF;
    const size_t body = graphs.graphs.back() + 1;
    for (size_t i = 0; isIf && i < call.outputs.size(); ++i) {
        if (acceptsPart([&](EditableCase& candidate) {
                for (const uint32_t inner : graphsOf(graphs)) dropOutput(candidate, inner + 1, i);
                return dropResult(candidate, graph, candidate.graph(graph).operations[operation], i,
                                  *values);
            })) {
            return true;
        }
    }
    for (size_t i = 0; i < graphs.arguments.size(); ++i) {
        if (acceptsPart([&](EditableCase& candidate) {
                Operation& own = candidate.graph(graph).operations[operation];
                eraseAt(own.inputs, own.inputs.size() - graphs.arguments.size() + i);
                if (!isIf) dropOutput(candidate, body, i);
                const bool hasResult = !isIf && i < own.outputs.size();
                if (hasResult && !dropResult(candidate, graph, own, i, *values)) return false;
                return absl::c_all_of(graphsOf(graphs), [&](uint32_t inner) {
                    return dropInput(candidate, inner + 1, i, *values);
                });
            })) {
            return true;
        }
    }
    return false;
}

// Its result is that of an operand that it reads, or a constant.
bool Shrinker::dropOperation(size_t graph, size_t operation) {
    const std::vector<MainValues>* values = knownOfGraphs();
    if (values == nullptr) return false;
    const Operation dropped = edit().graph(graph).operations[operation];
    if (dropped.outputs.size() == 1) {
        for (const uint32_t input : dropped.inputs) {
            if (acceptsPart([&](EditableCase& candidate) {
                    return replaceResult(candidate.graph(graph), dropped.outputs[0], input);
                })) {
                return true;
            }
        }
    }
    return acceptsPart([&](EditableCase& candidate) {
        Model::Subgraph& own = candidate.graph(graph);
        eraseAt(own.operations, operation);
        return absl::c_all_of(dropped.outputs, [&](uint32_t output) {
            if (absl::c_linear_search(own.outputIndexes, output)) return false;
            return !isRead(own, output) || makeConstant(candidate, graph, output, *values);
        });
    });
}

// The main graph becomes one that an IF or WHILE refers to.
bool Shrinker::enterGraph() {
    for (size_t graph = 0; graph < mSmallest.model.referenced.size() && !isOver(); ++graph) {
        const std::vector<MainValues>* values = knownOfGraphs();
        if (values == nullptr) return false;
        const MainValues& own = (*values)[graph + 1];
        TestCase entered = mSmallest;
        entered.model.main = mSmallest.model.referenced[graph];
        entered.inputs.clear();
        for (const uint32_t index : entered.model.main.inputIndexes) {
            const auto found = own.find(index);
            entered.inputs.push_back(found != own.end() ? found->second : Tensor());
        }
        entered.outputs.assign(entered.model.main.outputIndexes.size(), {});
        entered.model = withoutDeadParts(std::move(entered.model)).model;
        const Result<EditableCase> candidate = editable(entered);
        if (candidate.ok() && accepts(*candidate)) return true;
    }
    return false;
}

bool Shrinker::shrinkGraphs() {
    bool isSmaller = false;
    while (enterGraph()) isSmaller = true;
    const auto& referenced = mSmallest.model.referenced;
    using Step = bool (Shrinker::*)(size_t, size_t);
    for (const Step step :
         {&Shrinker::replaceCall, &Shrinker::dropFromCall, &Shrinker::dropOperation}) {
        for (size_t graph = 0; graph <= referenced.size(); ++graph) {
            for (size_t i = 0; graph <= referenced.size() && !isOver();) {
                const auto& own = graph == 0 ? mSmallest.model.main : referenced[graph - 1];
                if (i >= own.operations.size()) break;
                const bool isCall = !graphCallOf(own, own.operations[i]).graphs.empty();
                // Slices of the main graph drop its operations.
                const bool fits = step == &Shrinker::dropOperation ? graph != 0 : isCall;
                const bool isTaken = fits && (this->*step)(graph, i);
                isSmaller = isSmaller || isTaken;
                if (!isTaken) ++i;
            }
        }
    }
    return isSmaller;
}

}  // namespace nn::testing
