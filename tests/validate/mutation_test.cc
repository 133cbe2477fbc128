// What the vendor test suite of Android does to every model of its collection: change one thing,
// and expect a refusal. Here for each of a few models, at every place where the change is possible.
#include <functional>
#include <limits>

#include "nnapi/type_utils.h"
#include "validate/models.h"

namespace nn {
namespace {

using enum OperandType;

Model quantisedModel() {
    Model model = softmaxModel();
    for (const size_t i : {0, 2, 3}) {
        model.main.operands[i].type = TENSOR_QUANT8_ASYMM;
        model.main.operands[i].scale = 1.0f / 256;
    }
    return model;
}

struct Named {
    const char* name;
    Model model;
};

std::vector<Named> models() {
    return {{"softmax", softmaxModel()},
            {"quantised", quantisedModel()},
            {"if", ifModel()},
            {"while", whileModel()}};
}

void expectRefused(const Model& model, const std::string& what) {
    const Result<Version> answer = validate(model);
    EXPECT_FALSE(answer.ok()) << what;
    EXPECT_EQ(errorStatus(answer.status()), ErrorStatus::INVALID_ARGUMENT) << what;
    EXPECT_TRUE(diagnostic(answer.status())) << what;
}

using Graph = Model::Subgraph;

std::vector<Graph*> graphsOf(Model& model) {
    std::vector<Graph*> graphs{&model.main};
    for (Graph& graph : model.referenced) graphs.push_back(&graph);
    return graphs;
}

// Applies a change to a copy for every element that a graph's list has.
template <class List>
void mutate(const char* what, List list,
            const std::function<bool(Model&, Graph&, size_t)>& change) {
    size_t mutants = 0;
    for (const auto& [name, legal] : models()) {
        Model counted = legal;
        const size_t graphs = graphsOf(counted).size();
        for (size_t g = 0; g < graphs; ++g) {
            for (size_t i = 0; i < list(*graphsOf(counted)[g]).size(); ++i) {
                Model model = legal;
                if (!change(model, *graphsOf(model)[g], i)) continue;
                ++mutants;
                expectRefused(model, std::string(what) + " of " + name + ", graph " +
                                             std::to_string(g) + ", element " + std::to_string(i));
            }
        }
    }
    EXPECT_NE(mutants, 0u) << what;
}

const auto kOperands = [](Graph & graph) -> auto& { return graph.operands; };
const auto kOperations = [](Graph & graph) -> auto& { return graph.operations; };

void mutateOperands(const char* what, const std::function<bool(Operand&)>& change) {
    mutate(what, kOperands,
           [&](Model&, Graph& graph, size_t i) { return change(graph.operands[i]); });
}

void mutateOperations(const char* what, const std::function<bool(Graph&, Operation&)>& change) {
    mutate(what, kOperations, [&](Model&, Graph& graph, size_t i) {
        return graph.operations[i].type != OperationType::OEM_OPERATION &&
               change(graph, graph.operations[i]);
    });
}

bool isWritten(const Operand& operand) {
    return operand.lifetime == LifeTime::TEMPORARY_VARIABLE ||
           operand.lifetime == LifeTime::SUBGRAPH_OUTPUT;
}

TEST(Mutation, StartsFromLegalModels) {
    for (const auto& [name, model] : models()) EXPECT_TRUE(validate(model).ok()) << name;
}

TEST(Mutation, OperandType) {
    for (const int32_t code : {16, 9999, 10002}) {
        mutateOperands("type out of range", [&](Operand& operand) {
            operand.type = static_cast<OperandType>(code);
            return true;
        });
    }
}

TEST(Mutation, OperandRank) {
    mutateOperands("rank of a scalar", [](Operand& operand) {
        operand.dimensions.push_back(0);
        return isNonExtensionScalar(operand.type);
    });
}

TEST(Mutation, OperandScale) {
    for (const float scale : {-1.0f, std::numeric_limits<float>::quiet_NaN()}) {
        mutateOperands("scale", [&](Operand& operand) {
            operand.scale = scale;
            return operandTypeInfo(operand.type)->scale != ScaleRule::ANY;
        });
    }
    mutateOperands("scale that must be 0 or not", [](Operand& operand) {
        operand.scale = operand.scale == 0 ? 1.0f : 0.0f;
        return operandTypeInfo(operand.type)->scale != ScaleRule::ANY;
    });
}

TEST(Mutation, OperandZeroPoint) {
    for (const int32_t zeroPoint : {-1, 256}) {
        mutateOperands("zeroPoint", [&](Operand& operand) {
            operand.zeroPoint = zeroPoint;
            return operandTypeInfo(operand.type)->scale != ScaleRule::ANY;
        });
    }
}

TEST(Mutation, OperandLifetime) {
    for (const LifeTime lifetime : {LifeTime::SUBGRAPH_INPUT, LifeTime::CONSTANT_COPY}) {
        mutate("lifetime of what is written", kOperands, [&](Model& model, Graph& graph, size_t i) {
            Operand& operand = graph.operands[i];
            if (!isWritten(operand)) return false;
            operand.lifetime = lifetime;
            if (lifetime == LifeTime::CONSTANT_COPY) {
                const std::vector<uint8_t> zeros(*operandSize(operand));
                operand.location = *model.operandValues.append(zeros.data(), zeros.size());
            }
            return true;
        });
    }
    for (const LifeTime lifetime : {LifeTime::TEMPORARY_VARIABLE, LifeTime::SUBGRAPH_OUTPUT}) {
        mutateOperands("lifetime of what is given", [&](Operand& operand) {
            if (isWritten(operand) || operand.type == SUBGRAPH) return false;
            operand.lifetime = lifetime;
            operand.location = {};
            return true;
        });
    }
}

TEST(Mutation, InputsAndOutputs) {
    mutateOperands("input and output exchanged", [](Operand& operand) {
        const bool isInput = operand.lifetime == LifeTime::SUBGRAPH_INPUT;
        if (!isInput && operand.lifetime != LifeTime::SUBGRAPH_OUTPUT) return false;
        operand.lifetime = isInput ? LifeTime::SUBGRAPH_OUTPUT : LifeTime::SUBGRAPH_INPUT;
        return true;
    });
    mutate("input listed as output", kOperands, [](Model&, Graph& graph, size_t i) {
        graph.outputIndexes.push_back(static_cast<uint32_t>(i));
        return graph.operands[i].lifetime == LifeTime::SUBGRAPH_INPUT;
    });
}

TEST(Mutation, SecondWriter) {
    mutateOperations("second writer", [](Graph& graph, Operation& operation) {
        graph.operations.push_back(Operation(operation));
        return true;
    });
}

TEST(Mutation, ExecutionOrder) {
    mutate("reader before its writer", kOperations, [](Model&, Graph& graph, size_t i) {
        if (i == 0) return false;
        std::swap(graph.operations[i - 1], graph.operations[i]);
        return true;
    });
}

TEST(Mutation, TypeOfAnOperationsOperand) {
    for (const OperandTypeInfo& info : operandTypes()) {
        if (info.elementSize == 0 || info.type == TENSOR_OEM_BYTE) continue;
        mutateOperations("type of an input", [&](Graph& graph, Operation& operation) {
            Operand& operand = graph.operands[operation.inputs[0]];
            if (operand.type == info.type || operand.type == SUBGRAPH) return false;
            operand.type = info.type;
            operand.scale = info.scale == ScaleRule::POSITIVE ? 1.0f : 0.0f;
            if (!info.isTensor) operand.dimensions.clear();
            operand.extraParams = {};
            if (info.type == TENSOR_QUANT8_SYMM_PER_CHANNEL) {
                operand.extraParams = Operand::SymmPerChannelQuantParams{
                        .scales = std::vector<float>(operand.dimensions[0], 1.0f), .channelDim = 0};
            }
            return true;
        });
    }
}

TEST(Mutation, OperationType) {
    for (const int32_t code : {106, 9999, 10001}) {
        mutateOperations("operation out of range", [&](Graph&, Operation& operation) {
            operation.type = static_cast<OperationType>(code);
            return true;
        });
    }
}

TEST(Mutation, OperationIndexes) {
    mutateOperations("input out of range", [](Graph& graph, Operation& operation) {
        operation.inputs.back() = static_cast<uint32_t>(graph.operands.size());
        return true;
    });
    mutateOperations("output out of range", [](Graph& graph, Operation& operation) {
        operation.outputs.back() = static_cast<uint32_t>(graph.operands.size());
        return true;
    });
}

TEST(Mutation, RemovedWrite) {
    mutateOperations("write redirected", [](Graph& graph, Operation& operation) {
        Operand copy = graph.operands[operation.outputs[0]];
        copy.lifetime = LifeTime::TEMPORARY_VARIABLE;
        operation.outputs[0] = static_cast<uint32_t>(graph.operands.size());
        graph.operands.push_back(copy);
        return true;
    });
}

TEST(Mutation, RemovedOperand) {
    mutate("operand removed", kOperands, [](Model&, Graph& graph, size_t i) {
        graph.operands.erase(graph.operands.begin() + static_cast<ptrdiff_t>(i));
        const auto remove = [i](std::vector<uint32_t>& indexes) {
            std::erase(indexes, i);
            for (uint32_t& index : indexes) index -= index > i ? 1 : 0;
        };
        remove(graph.inputIndexes);
        remove(graph.outputIndexes);
        for (Operation& operation : graph.operations) {
            remove(operation.inputs);
            remove(operation.outputs);
        }
        return true;
    });
}

TEST(Mutation, RemovedOperation) {
    mutate("operation removed", kOperations, [](Model&, Graph& graph, size_t i) {
        graph.operations.erase(graph.operations.begin() + static_cast<ptrdiff_t>(i));
        return true;
    });
}

TEST(Mutation, NumberOfOperands) {
    mutateOperations("input removed", [](Graph&, Operation& operation) {
        operation.inputs.pop_back();
        return true;
    });
    mutateOperations("output removed", [](Graph&, Operation& operation) {
        operation.outputs.pop_back();
        return true;
    });
    mutateOperations("input added", [](Graph&, Operation& operation) {
        // SOFTMAX takes a third input, which must be an INT32.
        operation.inputs.push_back(operation.inputs[0]);
        return true;
    });
    mutateOperations("output added", [](Graph& graph, Operation& operation) {
        operation.outputs.push_back(static_cast<uint32_t>(graph.operands.size()));
        graph.operands.push_back(operandOf(TENSOR_FLOAT32, {1}));
        return true;
    });
}

}  // namespace
}  // namespace nn
