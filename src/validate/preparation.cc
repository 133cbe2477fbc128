#include "validate/preparation.h"

#include <absl/algorithm/container.h>
#include <algorithm>
#include <functional>

#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"
#include "validate/checks.h"
#include "validate/control_flow.h"
#include "validate/operation_check.h"
#include "validate/shape_inference.h"

namespace nn {
namespace {

using ops::CallValues;
using ops::Dim;
using ops::Shape;
using ops::Value;

constexpr std::string_view kExtensionRule = "interpreter.extension";

// Any number of operations may walk through one list.
inline bool isLongList(const Value& value) {
    return value.type == OperandType::TENSOR_INT32 && value.data != nullptr &&
           value.elementCount().value_or(UINT64_MAX) > SmallConstants::kMaxBytes / sizeof(int32_t);
}

Refusal refusalOf(const Status& status, std::string_view rule) {
    const auto why = diagnostic(status);
    return {.rule = why ? why->rule : std::string(rule),
            .message = why ? why->message : std::string(status.message()),
            .code = errorStatus(status)};
}

Refusal refusalOf(const OperationSink& sink) {
    return {.rule = std::string(sink.rule()), .message = sink.message(), .code = sink.code()};
}

// The declared dimensions must fit.
void fillUnknown(Shape& shape, std::span<const uint32_t> declared) {
    if (declared.empty()) return;
    if (!shape) shape.emplace(declared.size());
    for (size_t i = 0; i < declared.size(); ++i) {
        if (declared[i] != 0) (*shape)[i] = declared[i];
    }
}

}  // namespace

bool KnownOperation::mayOmitAt(size_t i, size_t count) const {
    if (extension != nullptr) return true;
    const bool repeats = form->inputCounts.most == ops::Counts::kUnlimited;
    const ops::Param* param = repeats                   ? ops::paramAt(form->inputs, i, count)
                              : i < form->inputs.size() ? &form->inputs[i]
                                                        : nullptr;
    return param != nullptr && param->presence == ops::Param::Presence::OMITTED;
}

GraphPreparation::GraphPreparation(const Model::Subgraph& graph, const GraphFacts& found,
                                   bool isMain, const Extensions* extensions, const Limits& limits)
    : operands(graph.operands.size()),
      operations(graph.operations.size()),
      values(graph.operands.size()),
      mGraph(graph),
      mFound(found),
      mIsMain(isMain),
      mExtensions(extensions),
      mLimits(limits) {}

bool GraphPreparation::run(PreparationListener& listener) {
    using Part = PreparationListener::Part;
    for (size_t k = 0; k < operations.size(); ++k) {
        std::optional<Refusal> why = findOperation(k);
        if (why && !listener.refused(Part::OPERATION, k, *std::move(why))) return false;
    }
    for (size_t i = 0; i < operands.size(); ++i) {
        if (!listener.begins(Part::OPERAND, i)) return false;
        std::optional<Refusal> why = findType(i);
        if (!why && isConstant(mGraph.operands[i].lifetime)) why = takeConstant(i, listener);
        if (why && !listener.refused(Part::OPERAND, i, *std::move(why))) return false;
    }
    for (size_t k = 0; k < operations.size(); ++k) {
        if (!listener.begins(Part::OPERATION, k)) return false;
        std::optional<Refusal> why = infer(k);
        if (why && !listener.refused(Part::OPERATION, k, *std::move(why))) return false;
    }
    return true;
}

std::optional<Refusal> GraphPreparation::findOperation(size_t k) {
    const OperationType type = mGraph.operations[k].type;
    if (isControlFlow(type)) return std::nullopt;
    KnownOperation& known = operations[k];
    if (!isExtension(type)) {
        known.spec = ops::specOf(type);
        // Operations that break rules are left to devices that ignore these rules; nothing is
        // inferred.
        const FoundOperation& found = mFound.operations[k];
        known.form = found.isLegal ? found.form : nullptr;
        if (known.spec != nullptr || mExtensions == nullptr) return std::nullopt;
        return Refusal{.rule = "interpreter.operation",
                       .message = fmt::format("not implemented: {}", type)};
    }
    if (mExtensions == nullptr) return std::nullopt;
    const auto found = mExtensions->operation(type);
    if (!found.ok()) return refusalOf(found.status(), kExtensionRule);
    known.extension = *found;
    return std::nullopt;
}

std::optional<Refusal> GraphPreparation::findType(size_t i) {
    const Operand& operand = mGraph.operands[i];
    KnownOperand& known = operands[i];
    known.dimensions = operand.dimensions;
    declare(operand, static_cast<uint32_t>(i), values[i]);
    if (operand.lifetime == Operand::LifeTime::SUBGRAPH) return std::nullopt;
    if (mExtensions == nullptr && isExtension(operand.type)) return std::nullopt;

    if (operand.type != mType) mInfo = operandTypeInfo(mType = operand.type);
    ElementType element = elementTypeOf(mInfo);
    if (mInfo == nullptr && isExtension(operand.type)) {
        const Result<ElementType> found = mExtensions->elementType(operand.type);
        if (!found.ok()) return refusalOf(found.status(), kExtensionRule);
        element = *found;
    }
    if (element.size == 0) {
        if (mExtensions == nullptr) return std::nullopt;
        return Refusal{.rule = "interpreter.type",
                       .message = fmt::format("not implemented: values of type {}", operand.type)};
    }
    if (!element.isTensor && !operand.dimensions.empty()) {
        return Refusal{.rule = std::string(kExtensionRule),
                       .message = fmt::format("dimensions are {}, allowed [] for a scalar",
                                              DimensionList{operand.dimensions})};
    }
    known.element = element;
    known.isKnown = !isUnspecified(known.element, operand.dimensions);
    // Only of listed types is it known without an extension whether they are scalars.
    values[i].zeroIsSize = mInfo == nullptr && known.isKnown;
    return std::nullopt;
}

std::optional<Refusal> GraphPreparation::takeConstant(size_t i, PreparationListener& listener) {
    constexpr std::string_view kRule = "interpreter.constant";
    if (operands[i].element.size == 0) return std::nullopt;
    Status status = requireLength(mGraph.operands[i], operands[i].element);
    if (status.ok()) values[i].data = listener.constant(i, operands[i].element, status);
    if (status.ok()) return std::nullopt;
    return refusalOf(status, kRule);
}

void GraphPreparation::fillIn(const std::vector<uint32_t>& indexes, bool isExtension,
                              CallValues& list) const {
    list.clear();
    list.reserve(indexes.size());
    for (const uint32_t index : indexes) {
        Value& value = list.emplace_back(values[index]);
        if (!isExtension && isLongList(value)) value.data = nullptr;
    }
}

std::optional<Refusal> GraphPreparation::infer(size_t k) {
    const Operation& operation = mGraph.operations[k];
    KnownOperation& known = operations[k];
    fillIn(operation.inputs, known.extension != nullptr, mInputs);
    fillIn(operation.outputs, known.extension != nullptr, mOutputs);
    OperationSink sink;
    const ops::OpView op(operation.type, mInputs, mOutputs, known.form, sink);
    if (isControlFlow(operation.type)) {  // hands its inputs to graphs
        const auto omitted = absl::c_find_if(mInputs, std::mem_fn(&Value::omitted));
        if (omitted == mInputs.end()) return std::nullopt;
        const auto at = static_cast<size_t>(omitted - mInputs.begin());
        return Refusal{.rule = "interpreter.omitted",
                       .message = fmt::format("{} has no value, allowed only for optional operands",
                                              op.inputName(at))};
    }
    if (known.extension == nullptr && known.form == nullptr) return std::nullopt;
    if (known.extension != nullptr && !mExtensions->validate(*known.extension, op)) {
        return refusalOf(sink);
    }
    mShapes.assign(mOutputs.size(), std::nullopt);
    if (outputShapes(known, mExtensions, mLimits, op, mShapes) && !sink.failed()) {
        return learn(op, known, operation);
    }
    if (mayGetLess(operation, known)) return std::nullopt;  // decided at execution
    return refusalOf(sink);
}

std::optional<Refusal> GraphPreparation::learn(const ops::OpView& op, KnownOperation& known,
                                               const Operation& operation) {
    known.isSettled = known.extension == nullptr && !op.missedInts() &&
                      absl::c_all_of(mInputs, [](const Value& input) {
                          return input.omitted ||
                                 (input.isFullyKnown() &&
                                  (input.data != nullptr || input.type == ops::TENSOR_INT32 ||
                                   !isParameter(input.type)));
                      });
    for (size_t i = 0; i < mShapes.size(); ++i) {
        known.isSettled = known.isSettled && isFullyKnown(mShapes[i]);
        KnownOperand& output = operands[operation.outputs[i]];
        Shape& shape = mShapes[i];
        if (!fitsDeclared(shape, output.dimensions)) {
            known.isSettled = false;
            if (mayGetLess(operation, known)) continue;
            return Refusal{.rule = "operation.output_shape",
                           .message = shapeContradiction(op, i, output.dimensions, shape)};
        }
        fillUnknown(shape, output.dimensions);
        if (!shape) continue;
        output.isKnown = output.isKnown || isFullyKnown(shape);
        // A 0 among others that are unknown is unknown too.
        const auto isThere = [](Dim dim, uint32_t there) { return dim.value_or(0) == there; };
        if (!absl::c_equal(*shape, output.dimensions, isThere)) {
            output.inferred.resize(shape->size());
            absl::c_transform(*shape, output.inferred.begin(),
                              [](Dim dim) { return dim.value_or(0); });
            output.dimensions = output.inferred;
        }
        Value& value = values[operation.outputs[i]];
        value.dimensions = output.dimensions;
        // From here on a 0 is a size; this matters only if there is one.
        value.zeroIsSize =
                output.isKnown && (isExtension(value.type) ||
                                   absl::c_find(output.dimensions, 0u) != output.dimensions.end());
    }
    return std::nullopt;
}

// True if an execution may omit an input of the model that the operation can do without.
bool GraphPreparation::mayGetLess(const Operation& operation, const KnownOperation& known) const {
    if (!mIsMain || !known.mayOmitAny()) return false;
    for (size_t i = 0; i < operation.inputs.size(); ++i) {
        const Operand& operand = mGraph.operands[operation.inputs[i]];
        if (operand.lifetime == Operand::LifeTime::SUBGRAPH_INPUT &&
            known.mayOmit(i, operation.inputs.size())) {
            return true;
        }
    }
    return false;
}

bool outputShapes(const KnownOperation& known, const Extensions* extensions, const Limits& limits,
                  const ops::OpView& op, std::span<Shape> shapes) {
    const bool inferred =
            known.extension != nullptr
                    ? extensions->outputShapes(*known.extension, op, shapes)
                    : known.spec->inferShapes == nullptr || known.spec->inferShapes(op, shapes);
    return inferred && requireRanks(shapes, limits, op.sink());
}

void OperationSink::fail(std::string_view rule, std::string message) {
    if (failed()) return;
    mRule = rule;
    mMessage = std::move(message);
}

bool isParameter(OperandType type) {
    return isNonExtensionScalar(type) || type == OperandType::TENSOR_INT32 || isExtension(type);
}

Status requireVendorLength(const Operand& constant, ElementType element) {
    const std::optional<uint64_t> size = byteSize(element, constant.dimensions);
    const uint32_t length = constant.location.length;
    if (size && *size == length) return {};
    return makeError(ErrorStatus::INVALID_ARGUMENT,
                     fmt::format("length is {}, allowed {}", length, size.value_or(0)));
}

std::string shapeContradiction(const ops::OpView& op, size_t output,
                               std::span<const uint32_t> dimensions, const Shape& computed) {
    std::vector<uint32_t> given(computed ? computed->size() : 0);
    for (size_t i = 0; i < given.size(); ++i) given[i] = (*computed)[i].value_or(0);
    return fmt::format("{} has dimensions {}, but the operation gives {}", op.outputName(output),
                       DimensionList{dimensions}, DimensionList{given});
}

bool fitsDeclared(const Shape& shape, std::span<const uint32_t> declared) {
    if (declared.empty() || !shape) return true;
    return absl::c_equal(*shape, declared, [](const Dim& dim, uint32_t there) {
        return !dim || there == 0 || *dim == there;
    });
}

bool fill(Shape& shape, std::span<const uint32_t> declared) {
    if (!fitsDeclared(shape, declared)) return false;
    fillUnknown(shape, declared);
    return true;
}

}  // namespace nn
