#include "model_generation/control_flow.h"

#include <utility>

namespace nn::testing {
namespace {

void addFunctions(Draft& draft, uint32_t from, uint32_t to) {
    static constexpr OperationType kFunctions[] = {OperationType::RELU, OperationType::TANH,
                                                   OperationType::FLOOR, OperationType::LOGISTIC,
                                                   OperationType::RELU6};
    for (size_t more = draft.source.below(3);; --more) {
        const uint32_t result = more == 0 ? to : draft.addFloats(LifeTime::TEMPORARY_VARIABLE);
        draft.graph.operations.push_back({.type = draft.source.pick<OperationType>(kFunctions),
                                          .inputs = {from},
                                          .outputs = {result}});
        if (more == 0) return;
        from = result;
    }
}

// Both branches take the condition and x, and return y, computed by a nested IF or by a few
// functions.
void addIf(Draft& draft, uint32_t condition, uint32_t x, uint32_t y, size_t nesting) {
    const auto branch = [&] {
        const uint32_t innerCondition =
                draft.addTensor(OperandType::TENSOR_BOOL8, {1}, LifeTime::SUBGRAPH_INPUT);
        const uint32_t from = draft.addFloats(LifeTime::SUBGRAPH_INPUT);
        const uint32_t to = draft.addFloats(LifeTime::SUBGRAPH_OUTPUT);
        if (nesting > 1 && draft.source.oneIn(3)) {
            addIf(draft, innerCondition, from, to, nesting - 1);
        } else {
            addFunctions(draft, from, to);
        }
    };
    const uint32_t thenGraph = draft.addGraph(branch);
    const uint32_t elseGraph = draft.addGraph(branch);
    draft.graph.operations.push_back({.type = OperationType::IF,
                                      .inputs = {condition, thenGraph, elseGraph, condition, x},
                                      .outputs = {y}});
}

// Applies functions to x a few times: the loop counts from an input up to a constant.
void addWhile(Draft& draft) {
    const auto most = static_cast<int32_t>(draft.source.below(4));
    const auto addCounter = [&](LifeTime lifetime) {
        return draft.addTensor(OperandType::TENSOR_INT32, {1}, lifetime);
    };
    const uint32_t condition = draft.addGraph([&] {
        const uint32_t counter = addCounter(LifeTime::SUBGRAPH_INPUT);
        draft.addFloats(LifeTime::SUBGRAPH_INPUT);
        const uint32_t bound = draft.addInteger(OperandType::TENSOR_INT32, {1}, most);
        const uint32_t goesOn =
                draft.addTensor(OperandType::TENSOR_BOOL8, {1}, LifeTime::SUBGRAPH_OUTPUT);
        draft.graph.operations.push_back(
                {.type = OperationType::LESS, .inputs = {counter, bound}, .outputs = {goesOn}});
    });
    const uint32_t body = draft.addGraph([&] {
        const uint32_t counter = addCounter(LifeTime::SUBGRAPH_INPUT);
        const uint32_t x = draft.addFloats(LifeTime::SUBGRAPH_INPUT);
        const uint32_t one = draft.addInteger(OperandType::TENSOR_INT32, {1}, 1);
        const uint32_t none = draft.addInteger(OperandType::INT32, {}, 0);
        const uint32_t next = addCounter(LifeTime::SUBGRAPH_OUTPUT);
        draft.graph.operations.push_back(
                {.type = OperationType::ADD, .inputs = {counter, one, none}, .outputs = {next}});
        addFunctions(draft, x, draft.addFloats(LifeTime::SUBGRAPH_OUTPUT));
    });
    Operation operation{.type = OperationType::WHILE};
    operation.inputs = {condition, body, draft.addInteger(OperandType::TENSOR_INT32, {1}, 0),
                        draft.addFloats(LifeTime::SUBGRAPH_INPUT)};
    operation.outputs = {addCounter(LifeTime::SUBGRAPH_OUTPUT),
                         draft.addFloats(LifeTime::SUBGRAPH_OUTPUT)};
    draft.graph.operations.push_back(std::move(operation));
}

}  // namespace

void addControlFlow(Draft& draft) {
    if (!isCompliantVersion(kVersionFeatureLevel4, draft.target)) return;
    const auto isChosen = [&](OperationType type) {
        return draft.isWanted(type) && (!draft.options.operations.empty() || draft.source.oneIn(4));
    };
    constexpr size_t kMaxNesting = 3;
    if (isChosen(OperationType::IF)) {
        const uint32_t condition =
                draft.addTensor(OperandType::TENSOR_BOOL8, {1}, LifeTime::SUBGRAPH_INPUT);
        addIf(draft, condition, draft.addFloats(LifeTime::SUBGRAPH_INPUT),
              draft.addFloats(LifeTime::SUBGRAPH_OUTPUT), kMaxNesting);
    }
    if (isChosen(OperationType::WHILE)) addWhile(draft);
}

}  // namespace nn::testing
