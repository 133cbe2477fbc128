#include "interpreter/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "interpreter/arena_planner.h"
#include "nnapi/checked.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"
#include "validate/checks.h"
#include "validate/control_flow.h"
#include "validate/operation_check.h"
#include "validate/shape_inference.h"

namespace nn {
namespace {

using ops::Dim;
using ops::Shape;
using ops::Value;

Status error(size_t graph, std::string_view field, size_t index, std::string_view operation,
             ErrorStatus code, std::string_view rule, std::string message) {
    return makeError(code, Diagnostic{.rule = std::string(rule),
                                      .path = pathOf(graph, field, index),
                                      .operation = std::string(operation),
                                      .message = std::move(message)});
}

class Planner {
   public:
    Planner(Plan& plan, Watched& watched) : mPlan(plan), mWatched(watched) {}

    Status plan() {
        mPlan.constants = Constants(mPlan.model, mPlan.extensions, mPlan.limits);
        mPlan.graphs.resize(mPlan.model.referenced.size() + 1);
        for (size_t g = 0; g < mPlan.graphs.size(); ++g) mPlan.graphs[g].graph = &graphOf(g);
        std::optional<uint64_t> bytes = 0;
        for (size_t g = 0; g < mPlan.graphs.size(); ++g) {
            GraphPlan& graph = mPlan.graphs[g];
            NNAPI_RETURN_IF_ERROR(findKernels(g, graph));
            NNAPI_RETURN_IF_ERROR(planOperands(g, graph));
            for (size_t k = 0; k < graph.operations.size(); ++k) {
                const Operation& operation = graph.graph->operations[k];
                if (const auto end = spend(1 + operation.inputs.size() + operation.outputs.size()))
                    return operationError(mPlan, g, k, end->code, end->rule, end->message);
                NNAPI_RETURN_IF_ERROR(planOperation(g, graph, k));
            }
            bytes = planArena(graph) ? checkedAdd<uint64_t>(bytes, graph.arenaSize) : std::nullopt;
            if (const uint64_t most = mPlan.limits.peakBytes; !bytes || *bytes > most) {
                return makeError(
                        kLimitExceeded,
                        Diagnostic{
                                .rule = ruleOf(&Limits::peakBytes),
                                .path = "main",
                                .message = fmt::format(
                                        "temporaries take {} bytes, allowed {}",
                                        bytes ? std::to_string(*bytes) : "more than 2^64", most)});
            }
            for (Value& value : graph.values) value.isExecuting = true;
        }
        return {};
    }

   private:
    const Model::Subgraph& graphOf(size_t graph) const {
        return graph == 0 ? mPlan.model.main : mPlan.model.referenced[graph - 1];
    }

    // Work in preparation is some times that of validation.
    std::optional<Watched::End> spend(uint64_t steps) { return mWatched.spend(8 * steps); }

    Status findKernels(size_t g, GraphPlan& graph) {
        graph.operations.resize(graph.graph->operations.size());
        for (size_t k = 0; k < graph.operations.size(); ++k) {
            const OperationType type = graph.graph->operations[k].type;
            if (isControlFlow(type)) continue;
            PlannedOperation& planned = graph.operations[k];
            if (isExtension(type)) {
                const auto found = mPlan.extensions.operation(type);
                if (!found.ok()) return extensionError(g, k, found.status());
                planned.extension = *found;
                continue;
            }
            planned.spec = ops::specOf(type);
            planned.kernel = ops::kernelOf(type);
            if (planned.spec == nullptr || planned.kernel == nullptr) {
                return operationError(mPlan, g, k, ErrorStatus::GENERAL_FAILURE,
                                      "interpreter.operation",
                                      fmt::format("not implemented: {}", toString(type)));
            }
        }
        return {};
    }

    Status planOperands(size_t g, GraphPlan& graph) {
        const Model::Subgraph& model = *graph.graph;
        graph.operands.resize(model.operands.size());
        graph.values.resize(model.operands.size());
        for (size_t i = 0; i < model.operands.size(); ++i) {
            const Operand& operand = model.operands[i];
            if (const auto end = spend(1))
                return operandError(mPlan, g, i, end->code, end->rule, end->message);
            PlannedOperand& planned = graph.operands[i];
            planned.dimensions = operand.dimensions;
            graph.values[i] = declaredValue(operand, static_cast<uint32_t>(i));
            graph.values[i].dimensions = planned.dimensions;
            if (operand.lifetime == Operand::LifeTime::SUBGRAPH) continue;
            NNAPI_RETURN_IF_ERROR(planType(g, i, operand, planned));
            planned.isKnown = !isUnspecified(planned.element, operand.dimensions);
            // Only of listed types is it known without an extension whether they are scalars.
            graph.values[i].isExecuting = isExtension(operand.type) && planned.isKnown;
            if (isConstant(operand.lifetime)) {
                const Result<ops::Bytes> data = mPlan.constants.data(operand, planned.element);
                if (!data.ok()) {
                    const auto why = diagnostic(data.status());
                    return operandError(mPlan, g, i, errorStatus(data.status()),
                                        why ? why->rule : "interpreter.constant",
                                        why ? why->message : std::string(data.status().message()));
                }
                graph.values[i].data = *data;
            }
        }
        for (size_t i = 0; i < model.outputIndexes.size(); ++i) {
            graph.operands[model.outputIndexes[i]].output = static_cast<uint32_t>(i);
        }
        return {};
    }

    Status planType(size_t g, size_t i, const Operand& operand, PlannedOperand& planned) const {
        const Result<ElementType> element = mPlan.extensions.elementType(operand.type);
        if (!element.ok()) {
            return operandError(mPlan, g, i, ErrorStatus::GENERAL_FAILURE, "interpreter.extension",
                                std::string(element.status().message()));
        }
        if (element->size == 0) {
            return operandError(
                    mPlan, g, i, ErrorStatus::GENERAL_FAILURE, "interpreter.type",
                    fmt::format("not implemented: values of type {}", toString(operand.type)));
        }
        if (!element->isTensor && !operand.dimensions.empty()) {
            return operandError(mPlan, g, i, ErrorStatus::GENERAL_FAILURE, "interpreter.extension",
                                fmt::format("dimensions are {}, allowed [] for a scalar",
                                            DimensionList{operand.dimensions}));
        }
        planned.element = *element;
        return {};
    }

    Status extensionError(size_t g, size_t k, const Status& why) const {
        return operationError(mPlan, g, k, ErrorStatus::GENERAL_FAILURE, "interpreter.extension",
                              std::string(why.message()));
    }

    Status planOperation(size_t g, GraphPlan& graph, size_t k) {
        const Operation& operation = graph.graph->operations[k];
        PlannedOperation& planned = graph.operations[k];
        const auto valuesOf = [&](const std::vector<uint32_t>& indexes) {
            std::vector<Value> values;
            values.reserve(indexes.size());
            for (const uint32_t index : indexes) {
                values.push_back(graph.values[index]);
                if (isLongList(values.back()) && planned.extension == nullptr)
                    values.back().data = nullptr;
            }
            return values;
        };
        const std::vector<Value> inputs = valuesOf(operation.inputs);
        const std::vector<Value> outputs = valuesOf(operation.outputs);
        if (planned.spec != nullptr) {
            Report report({});
            planned.form = checkOperation(operation.type, inputs, outputs, {}, report);
        }
        noteUses(graph, k);

        OperationSink sink;
        const ops::Operation op(operation.type, inputs, outputs, planned.form, sink);
        if (isControlFlow(operation.type)) {  // hands its inputs to graphs
            const auto omitted = std::ranges::find_if(inputs, &Value::omitted);
            if (omitted == inputs.end()) return {};
            return operationError(
                    mPlan, g, k, ErrorStatus::GENERAL_FAILURE, "interpreter.omitted",
                    fmt::format("{} has no value, allowed only for optional operands",
                                op.inputName(static_cast<size_t>(omitted - inputs.begin()))));
        }
        if (planned.extension != nullptr && !mPlan.extensions.validate(*planned.extension, op)) {
            return operationError(mPlan, g, k, ErrorStatus::GENERAL_FAILURE, sink.rule(),
                                  sink.message());
        }
        std::vector<Shape> shapes(outputs.size());
        if (!inferShapes(mPlan, planned, op, shapes) || sink.failed()) {
            if (g == 0 && mayGetLess(graph, k)) return {};  // an execution will tell
            return operationError(mPlan, g, k, sink.code(), sink.rule(), sink.message());
        }
        planned.isSettled =
                planned.extension == nullptr && std::ranges::all_of(inputs, [](const Value& input) {
                    return input.omitted || (input.isFullyKnown() &&
                                             (input.data != nullptr || !isParameter(input.type)));
                });
        for (size_t i = 0; i < outputs.size(); ++i) {
            planned.isSettled = planned.isSettled && knownDimensions(shapes[i]).has_value();
            PlannedOperand& output = graph.operands[operation.outputs[i]];
            Shape shape = shapes[i];
            if (!fill(shape, output.dimensions)) {
                if (g == 0 && mayGetLess(graph, k)) {
                    planned.isSettled = false;
                    continue;
                }
                return operationError(mPlan, g, k, ErrorStatus::GENERAL_FAILURE,
                                      "operation.output_shape",
                                      shapeContradiction(op, i, output.dimensions, shapes[i]));
            }
            auto dimensions = knownDimensions(shape);
            if (!dimensions) continue;
            output.isKnown = true;
            output.dimensions = *std::move(dimensions);
            Value& value = graph.values[operation.outputs[i]];
            value.dimensions = output.dimensions;
            // From here on a 0 is a size, and only where there is one it makes a difference.
            value.isExecuting = isExtension(value.type) ||
                                std::ranges::find(output.dimensions, 0u) != output.dimensions.end();
        }
        return {};
    }

    // Any number of operations may walk through one list.
    static bool isLongList(const Value& value) {
        return value.type == OperandType::TENSOR_INT32 && value.data != nullptr &&
               value.elementCount().value_or(UINT64_MAX) >
                       SmallConstants::kMostBytes / sizeof(int32_t);
    }

    // True where the i-th input of an operation may have no value.
    static bool isOmittable(const GraphPlan& graph, size_t k, size_t i) {
        const ExtensionOperation* extension = graph.operations[k].extension;
        if (extension != nullptr) return extension->takesOmittedInputs;
        const ops::Form* form = graph.operations[k].form;
        const ops::Param* param =
                form == nullptr
                        ? nullptr
                        : ops::paramAt(form->inputs, i, graph.graph->operations[k].inputs.size());
        return param != nullptr && param->presence == ops::Param::Presence::OMITTED;
    }

    // True where an execution may omit an input of the model that the operation can do without.
    static bool mayGetLess(const GraphPlan& graph, size_t k) {
        const std::vector<uint32_t>& inputs = graph.graph->operations[k].inputs;
        for (size_t i = 0; i < inputs.size(); ++i) {
            const Operand& operand = graph.graph->operands[inputs[i]];
            if (operand.lifetime == Operand::LifeTime::SUBGRAPH_INPUT && isOmittable(graph, k, i))
                return true;
        }
        return false;
    }

    static void noteUses(GraphPlan& graph, size_t k) {
        const std::vector<uint32_t>& inputs = graph.graph->operations[k].inputs;
        for (size_t i = 0; i < inputs.size(); ++i) {
            PlannedOperand& operand = graph.operands[inputs[i]];
            operand.isConsumed = true;
            if (!isOmittable(graph, k, i)) operand.neededBy = static_cast<uint32_t>(k);
        }
    }

    // Gives temporaries of known size a place, and notes when each is read for the last time. False
    // where sizes overflow.
    static bool planArena(GraphPlan& graph) {
        const Model::Subgraph& model = *graph.graph;
        constexpr size_t kNever = SIZE_MAX;
        std::vector<size_t> lastUse(model.operands.size(), kNever);
        for (size_t k = 0; k < model.operations.size(); ++k) {
            for (const uint32_t output : model.operations[k].outputs) lastUse[output] = k;
            for (const uint32_t input : model.operations[k].inputs) lastUse[input] = k;
        }
        for (size_t i = 0; i < lastUse.size(); ++i) {
            if (model.operands[i].lifetime == Operand::LifeTime::TEMPORARY_VARIABLE &&
                lastUse[i] != kNever) {
                graph.operations[lastUse[i]].lastUses.push_back(static_cast<uint32_t>(i));
            }
        }

        ArenaPlanner planner;
        for (size_t k = 0; k < model.operations.size(); ++k) {
            for (const uint32_t output : model.operations[k].outputs) {
                PlannedOperand& planned = graph.operands[output];
                if (!planned.isKnown || planned.output) continue;
                const auto size = byteSize(planned.element, planned.dimensions);
                if (!size) return false;
                planned.size = *size;
                planned.offset = planner.allocate(planned.size);
                if (!planned.offset) return false;
            }
            for (const uint32_t operand : graph.operations[k].lastUses) {
                const PlannedOperand& planned = graph.operands[operand];
                if (planned.offset) planner.release(*planned.offset, planned.size);
            }
        }
        graph.arenaSize = planner.size();
        return true;
    }

    Plan& mPlan;
    Watched& mWatched;
};

}  // namespace

Result<std::unique_ptr<const Plan>> makePlan(Model model, const PrepareOptions& options) {
    Watched watched(options.until, options.limits, "the preparation");
    NNAPI_RETURN_IF_ERROR(validateWatched(model, options.limits, watched).status());
    auto plan = std::make_unique<Plan>();
    plan->model = std::move(model);
    plan->limits = options.limits;
    NNAPI_ASSIGN_OR_RETURN(extensions, Extensions::create(plan->model, options.extensions));
    plan->extensions = std::move(extensions);
    NNAPI_RETURN_IF_ERROR(Planner(*plan, watched).plan());
    return std::unique_ptr<const Plan>(std::move(plan));
}

namespace {

bool infer(const Plan& plan, const PlannedOperation& planned, const ops::Operation& op,
           std::span<Shape> shapes) {
    if (planned.extension != nullptr)
        return plan.extensions.inferShapes(*planned.extension, op, shapes);
    return planned.spec->inferShapes == nullptr || planned.spec->inferShapes(op, shapes);
}

}  // namespace

bool inferShapes(const Plan& plan, const PlannedOperation& planned, const ops::Operation& op,
                 std::span<Shape> shapes) {
    return infer(plan, planned, op, shapes) && requireRanks(shapes, plan.limits, op.sink());
}

size_t referencedGraph(const Operand& operand) { return size_t{operand.location.offset} + 1; }

std::string pathOf(size_t graph, std::string_view field, size_t index) {
    const Place place =
            graph == 0 ? Place{.field = "main"}
                       : Place{.field = "referenced", .index = static_cast<int64_t>(graph - 1)};
    return Place{.parent = &place, .field = field, .index = static_cast<int64_t>(index)}.path();
}

void OperationSink::fail(std::string_view rule, std::string message) {
    if (failed()) return;
    mRule = rule;
    mMessage = std::move(message);
}

Status operationError(const Plan& plan, size_t graph, size_t operation, ErrorStatus code,
                      std::string_view rule, std::string message) {
    const OperationType type = plan.graphs[graph].graph->operations[operation].type;
    return error(graph, "operations", operation, plan.extensions.operationName(type), code, rule,
                 std::move(message));
}

Status operandError(const Plan&, size_t graph, size_t operand, ErrorStatus code,
                    std::string_view rule, std::string message) {
    return error(graph, "operands", operand, "", code, rule, std::move(message));
}

std::string shapeContradiction(const ops::Operation& op, size_t output,
                               std::span<const uint32_t> dimensions, const Shape& computed) {
    std::vector<uint32_t> given(computed ? computed->size() : 0);
    for (size_t i = 0; i < given.size(); ++i) given[i] = (*computed)[i].value_or(0);
    return fmt::format("{} has dimensions {}, but the operation gives {}", op.outputName(output),
                       DimensionList{dimensions}, DimensionList{given});
}

bool fill(Shape& shape, std::span<const uint32_t> declared) {
    if (declared.empty()) return true;
    if (!shape) shape.emplace(declared.size());
    if (shape->size() != declared.size()) return false;
    for (size_t i = 0; i < declared.size(); ++i) {
        if (declared[i] == 0) continue;
        Dim& dim = (*shape)[i];
        if (dim && *dim != declared[i]) return false;
        dim = declared[i];
    }
    return true;
}

bool agree(std::span<const uint32_t> dimensions, std::span<const uint32_t> declared) {
    if (declared.empty()) return true;
    return std::ranges::equal(dimensions, declared,
                              [](uint32_t d, uint32_t known) { return known == 0 || d == known; });
}

std::optional<std::vector<uint32_t>> knownDimensions(const Shape& shape) {
    if (!shape) return std::nullopt;
    std::vector<uint32_t> dimensions;
    dimensions.reserve(shape->size());
    for (const Dim& dim : *shape) {
        if (!dim) return std::nullopt;
        dimensions.push_back(*dim);
    }
    return dimensions;
}

std::optional<uint64_t> byteSize(ElementType type, std::span<const uint32_t> dimensions) {
    return checkedMul<uint64_t>(type.size, checkedProduct<uint64_t>(dimensions));
}

bool isUnspecified(ElementType type, std::span<const uint32_t> dimensions) {
    return type.isTensor && (dimensions.empty() || std::ranges::count(dimensions, 0u) != 0);
}

bool hasPassed(const OptionalTimePoint& deadline) { return deadline && Clock::now() >= *deadline; }

}  // namespace nn
