#include "importers/tflite/graph_import.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <map>

#include "base/plurals.h"
#include "base/printable.h"
#include "importers/common/inference.h"
#include "importers/tflite/folding.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::tflite {
namespace {

bool callsGraphs(OperationType type) {
    return type == OperationType::IF || type == OperationType::WHILE;
}

// The operand that a message of the validator names, "(operand 17)".
std::optional<uint32_t> operandIn(std::string_view message) {
    constexpr std::string_view kStart = "(operand ";
    const size_t start = message.find(kStart);
    if (start == std::string_view::npos) return std::nullopt;
    message.remove_prefix(start + kStart.size());
    uint32_t operand = 0;
    const auto [end, error] =
            std::from_chars(message.data(), message.data() + message.size(), operand);
    if (error != std::errc()) return std::nullopt;
    return operand;
}

}  // namespace

GraphImport::GraphImport(FileImport& file, uint32_t number, FlatGraph graph)
    : mFile(file),
      mNumber(number),
      mGraph(std::move(graph)),
      mTensors(mGraph, file.mConstants, file.mOptions.target),
      mPartOfTensor(mGraph.tensors.size(), 0),
      mIsReadByMissing(mGraph.tensors.size(), false) {}

Status GraphImport::run() {
    if (isMainGraph()) {
        NNAPI_RETURN_IF_ERROR(mTensors.reshape(mFile.mOptions.shapes, mGraph.inputs));
    }
    addInputs();
    const std::vector<bool> isUnread = unreadOperators();
    for (size_t i = 0; i < mGraph.operators.size(); ++i) {
        importOperator(mGraph.operators[i], isUnread[i]);
        NNAPI_RETURN_IF_ERROR(mTensors.builder().status());
        NNAPI_RETURN_IF_ERROR(mFile.mFailure);
    }
    for (const uint32_t output : mGraph.outputs) {
        if (mTensors.isWritten(output)) continue;
        return makeError(
                ErrorStatus::INVALID_ARGUMENT,
                fmt::format("nothing computes output {}", inQuotes(mTensors.nameOf(output))));
    }
    addOutputs();
    return mTensors.builder().status();
}

// An input of a type that there is not is missing where an operator reads it, which is refused.
void GraphImport::addInputs() {
    nn::Model::Subgraph& graph = mTensors.builder().graph();
    for (const uint32_t tensor : mGraph.inputs) {
        const auto made = mTensors.operandOf(tensor);
        const uint32_t* operand = std::get_if<uint32_t>(&made);
        if (operand == nullptr || *operand == kNoOperand) continue;
        graph.operands[*operand].lifetime = Operand::LifeTime::SUBGRAPH_INPUT;
        graph.inputIndexes.push_back(*operand);
        tellMadeUnsigned("input", tensor);
    }
}

void GraphImport::tellMadeUnsigned(std::string_view kind, uint32_t tensor) {
    const bool isUnsigned =
            mTensors.builder().makesUnsigned() && mTensors[tensor].type == TensorType::INT8;
    if (!isMainGraph() || !isUnsigned) return;
    mFile.mLosses.push_back(importing::unsignedInPlaceOfSigned(
            fmt::format("{} '{}'", kind, mTensors.nameOf(tensor))));
}

// An output that no operation computes, or that is listed twice, is a copy.
void GraphImport::addOutputs() {
    for (const uint32_t tensor : mGraph.outputs) {
        nn::Model::Subgraph& graph = mTensors.builder().graph();
        const auto made = mTensors.operandOf(tensor);
        mPartOfOperation.resize(graph.operations.size(), mPartOfTensor[tensor]);
        const uint32_t* known = std::get_if<uint32_t>(&made);
        if (known == nullptr || *known == kNoOperand) continue;
        uint32_t operand = *known;
        if (graph.operands[operand].lifetime != Operand::LifeTime::TEMPORARY_VARIABLE) {
            const auto copy = copyOf(tensor);
            if (!copy) continue;
            operand = *copy;
        }
        graph.operands[operand].lifetime = Operand::LifeTime::SUBGRAPH_OUTPUT;
        graph.outputIndexes.push_back(operand);
        tellMadeUnsigned("output", tensor);
    }
    nn::Model::Subgraph& graph = mTensors.builder().graph();
    for (const State& state : mStates) {
        Operand& before = graph.operands[state.before];
        if (before.lifetime == Operand::LifeTime::TEMPORARY_VARIABLE) {
            before.lifetime = Operand::LifeTime::SUBGRAPH_INPUT;
            graph.inputIndexes.push_back(state.before);
        }
        Operand& after = graph.operands[state.after];
        if (after.lifetime == Operand::LifeTime::TEMPORARY_VARIABLE) {
            after.lifetime = Operand::LifeTime::SUBGRAPH_OUTPUT;
            graph.outputIndexes.push_back(state.after);
        }
    }
}

// The same value in another operand.
std::optional<uint32_t> GraphImport::copyOf(uint32_t tensor) {
    const uint32_t operand = std::get<uint32_t>(mTensors.operandOf(tensor));
    importing::GraphBuilder& builder = mTensors.builder();
    Operand copy = builder.operand(operand);
    copy.lifetime = Operand::LifeTime::TEMPORARY_VARIABLE;
    copy.location = {};
    const uint32_t made = builder.add(std::move(copy), std::string(mTensors[tensor].name));
    if (made == kNoOperand) return std::nullopt;
    importing::composeCopy(builder, operand, made);
    mPartOfOperation.push_back(mPartOfTensor[tensor]);
    return made;
}

// ---------------------------------------------------------------------------------------------
// Operators

uint32_t GraphImport::partOf(const FlatOperator& op) const {
    uint32_t part = 0;
    for (const int32_t tensor : op.inputs) {
        if (tensor >= 0) part = std::max(part, mPartOfTensor[tensor]);
    }
    return part;
}

void GraphImport::passPart(const FlatOperator& op, uint32_t part) {
    for (const int32_t tensor : op.outputs) {
        if (tensor >= 0) mPartOfTensor[tensor] = std::max(mPartOfTensor[tensor], part);
    }
}

// Operators on which no output depends, and that keep no state, compute nothing.
std::vector<bool> GraphImport::unreadOperators() const {
    std::vector<bool> isUnread(mGraph.operators.size(), false);
    std::vector<bool> isRead(mGraph.tensors.size(), false);
    for (const uint32_t output : mGraph.outputs) isRead[output] = true;
    for (size_t i = isUnread.size(); i-- > 0;) {
        const FlatOperator& op = mGraph.operators[i];
        if (op.isReplaced) continue;
        const bool keepsState = absl::c_any_of(op.inputs, [&](int32_t tensor) {
            return tensor >= 0 && mGraph.tensors[static_cast<size_t>(tensor)].isVariable;
        });
        isUnread[i] = !op.outputs.empty() && !keepsState &&
                      absl::c_none_of(op.outputs, [&](int32_t tensor) {
                          return tensor >= 0 && isRead[static_cast<size_t>(tensor)];
                      });
        if (isUnread[i]) continue;
        for (const int32_t tensor : op.inputs) {
            if (tensor >= 0) isRead[static_cast<size_t>(tensor)] = true;
        }
    }
    return isUnread;
}

void GraphImport::importOperator(const FlatOperator& op, bool isUnread) {
    const FileOperatorKind& kind = mFile.mFile.kindOf(*op.table);
    ImportedOperator imported{.index = op.index, .type = kind.name, .version = kind.version};
    if (op.graph != 0) {
        imported.graph = std::string(mFile.mFile.graphs()[op.graph].name);
        if (imported.graph.empty()) imported.graph = fmt::format("#{}", op.graph);
    }
    if (!op.outputs.empty() && op.outputs[0] >= 0) {
        imported.name = std::string(mGraph.tensors[op.outputs[0]].name);
    }
    if (isUnread || op.isReplaced) return mOperators.push_back(std::move(imported));
    mPlace = toString(imported);
    for (const int32_t output : op.outputs) {
        if (output >= 0) mTensors.markWritten(static_cast<uint32_t>(output));
    }
    const uint32_t part = partOf(op);
    mTensors.begin();
    convert(op, imported);
    if (imported.refusals.empty()) {
        mPartOfOperation.resize(mTensors.builder().graph().operations.size(), part);
        mStates.insert(mStates.end(), mNewStates.begin(), mNewStates.end());
        mFile.mLosses.insert(mFile.mLosses.end(), mNewLosses.begin(), mNewLosses.end());
        mSince = combineVersions(mSince, imported.since);
        inferDimensions(op);
        passPart(op, part);
    } else {
        ++mRefused;
        mTensors.rollBack();
        imported.operations.clear();
        for (const int32_t tensor : op.inputs) {
            if (tensor >= 0) keepForMissing(static_cast<uint32_t>(tensor));
        }
        passPart(op, part + 1);
    }
    mNewStates.clear();
    mNewLosses.clear();
    mOperators.push_back(std::move(imported));
}

// A tensor in one axis gets all of its axes, as the operator that is missing reads it.
void GraphImport::keepForMissing(uint32_t tensor) {
    mIsReadByMissing[tensor] = true;
    if (!mTensors.knownOperandOf(tensor)) return;
    mTensors.operandOf(tensor);
    mPartOfOperation.resize(mTensors.builder().graph().operations.size(), mPartOfTensor[tensor]);
}

void GraphImport::convert(const FlatOperator& op, ImportedOperator& imported) {
    const FileOperatorKind& kind = mFile.mFile.kindOf(*op.table);
    const Row* row = rowOf(kind);
    if (row == nullptr) {
        const bool isCustom = kind.code == BuiltinOperator::CUSTOM;
        imported.refusals.push_back(
                {.found = isCustom ? "is an operator of its own, which NNAPI does not have"
                                   : "is an operator that NNAPI does not have"});
        return;
    }
    if (kind.version < 1 || kind.version > row->version) {
        imported.refusals.push_back({.found = fmt::format("has version {}", kind.version),
                                     .allowed = fmt::format("1 to {}", row->version)});
        return;
    }
    const auto late = mFile.mRefused.find(static_cast<uint32_t>(mOperators.size()));
    if (isMainGraph() && late != mFile.mRefused.end()) {
        imported.refusals = late->second;
        return;
    }
    Conversion conversion(*this, mTensors, op, *row);
    if (!fold(conversion, kind.code)) {
        if (isElementwise(kind.code)) conversion.joinAxes();
        if (row->function == nullptr) {
            conversion.apply(*row);
        } else if (!conversion.isRefused() && conversion.hasInputs(row->minInputs) &&
                   (row->minOutputs == 0 || conversion.hasOutputs(row->minOutputs))) {
            row->function(conversion);
        }
        conversion.splitAxes();
    }
    if (!conversion.isRefused()) checkOperations(conversion, imported);
    std::vector<ImportRefusal> refusals = conversion.takeRefusals();
    imported.refusals.insert(imported.refusals.end(), refusals.begin(), refusals.end());
}

// Makes the output a constant, if it follows from constants: the arithmetic of shapes.
bool GraphImport::fold(Conversion& conversion, BuiltinOperator code) {
    auto folded = foldIntegers(conversion, code, mFile.mBudget);
    if (!folded) return false;
    std::vector<uint8_t> bytes(folded->values.size() * sizeof(int32_t));
    std::memcpy(bytes.data(), folded->values.data(), bytes.size());
    if (conversion.mayMake(bytes.size())) {
        mTensors.fold(conversion.outputTensor(0), TensorType::INT32, std::move(bytes));
        mTensors.setDimensions(conversion.outputTensor(0), std::move(folded->dimensions));
    }
    return true;
}

// Dimensions that the file leaves open and that follow from those of inputs.
void GraphImport::inferDimensions(const FlatOperator& op) {
    importing::GraphBuilder& builder = mTensors.builder();
    const auto isOpen = [&](int32_t tensor) {
        return tensor >= 0 && mTensors[static_cast<uint32_t>(tensor)].hasUnknownDimension;
    };
    const auto operations = builder.operationsOfTransaction();
    const bool callsGraph = absl::c_any_of(
            operations, [](const Operation& operation) { return callsGraphs(operation.type); });
    const auto outputs = op.outputs;
    if (callsGraph || absl::c_none_of(outputs, isOpen) || absl::c_any_of(op.inputs, isOpen)) return;
    const auto inferred = importing::inferredDimensions(
            operations, builder.graph(), mFile.mConstants.store().model(), mFile.mOptions.limits);
    for (const auto& [operand, dimensions] : inferred)
        builder.operand(operand).dimensions = dimensions;
    for (const int32_t output : outputs) {
        if (!isOpen(output)) continue;
        const auto tensor = static_cast<uint32_t>(output);
        const auto operand = mTensors.knownOperandOf(tensor);
        const auto found = operand ? inferred.find(*operand) : inferred.end();
        if (found != inferred.end()) mTensors.setDimensions(tensor, found->second);
    }
}

// The signatures of operations know which types and ranks they take.
void GraphImport::checkOperations(Conversion& conversion, ImportedOperator& imported) {
    importing::GraphBuilder& builder = mTensors.builder();
    const nn::Model& model = mFile.mConstants.store().model();
    uint32_t index = builder.firstOperationOfTransaction();
    imported.since = conversion.calledSince();
    for (const Operation& operation : builder.operationsOfTransaction()) {
        const OperationTypeInfo* info = operationTypeInfo(operation.type);
        // A called graph was checked when it was imported.
        const auto since =
                callsGraphs(operation.type)
                        ? validateOperationButNotOperands(operation, builder.graph(), model)
                        : validateOperation(operation, builder.graph(), model);
        OperationIndex place{.operation = index++};
        if (!isMainGraph()) place.graph = mFile.mGraphs[mNumber].referenced;
        imported.operations.push_back({.index = place, .type = operation.type});
        if (since.ok()) {
            imported.since = combineVersions(imported.since, *since);
            continue;
        }
        const std::optional<Diagnostic> broken = diagnostic(since.status());
        ImportRefusal refusal{
                .found = fmt::format("becomes {}{}: ", info->name,
                                     conversion.isMadeUnsigned()
                                             ? ", with INT8 as TENSOR_QUANT8_ASYMM before HAL 1.3"
                                             : "")};
        refusal.found += broken ? broken->message : since.error().message;
        if (broken) refusal.since = broken->since;
        const auto operand = operandIn(refusal.found);
        if (operand && *operand < builder.names().size())
            refusal.tensor = builder.names()[*operand];
        const bool isWide =
                operand && builder.operand(*operand).type == OperandType::TENSOR_QUANT16_SYMM;
        if (isWide) {
            refusal.allowed =
                    "8 bits: the network has to be quantized again, with int8 activations";
        }
        imported.refusals.push_back(std::move(refusal));
    }
}

// ---------------------------------------------------------------------------------------------
// ConversionHost

std::variant<CalledGraph, std::string> GraphImport::callGraph(int32_t graph) {
    return mFile.callGraph(graph);
}

void GraphImport::addState(uint32_t, uint32_t before, uint32_t after) {
    mNewStates.push_back({.before = before, .after = after});
}

void GraphImport::addLoss(Loss loss) {
    loss.path = mPlace;
    mNewLosses.push_back(std::move(loss));
}

importing::IncompleteModel GraphImport::takeMain() {
    importing::GraphBuilder& builder = mTensors.builder();
    importing::IncompleteModel whole;
    whole.isReadElsewhere.resize(builder.graph().operands.size(), false);
    for (uint32_t i = 0; i < mIsReadByMissing.size(); ++i) {
        if (!mIsReadByMissing[i]) continue;
        if (const auto operand = mTensors.knownOperandOf(i)) whole.isReadElsewhere[*operand] = true;
    }
    const auto places = [](const std::vector<uint32_t>& operands) {
        std::map<uint32_t, uint32_t> places;
        for (uint32_t i = 0; i < operands.size(); ++i) places.emplace(operands[i], i);
        return places;
    };
    const auto inputs = places(builder.graph().inputIndexes);
    const auto outputs = places(builder.graph().outputIndexes);
    for (const State& state : mStates) {
        const auto input = inputs.find(state.before), output = outputs.find(state.after);
        if (input == inputs.end() || output == outputs.end()) continue;
        whole.states.push_back({.input = input->second, .output = output->second});
    }
    whole.partOfOperation = std::move(mPartOfOperation);
    whole.operandNames = std::move(builder.names());
    whole.model = mFile.mConstants.store().take(takeGraph());
    return whole;
}

}  // namespace nn::tflite
