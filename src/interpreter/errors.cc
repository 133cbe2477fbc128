#include "interpreter/errors.h"

#include <utility>

#include "validate/report.h"

namespace nn {
namespace {

Status error(size_t graph, std::string_view field, size_t index, std::string_view operation,
             ErrorStatus code, std::string_view rule, std::string message) {
    return makeError(code, Diagnostic{.rule = std::string(rule),
                                      .path = pathOf(graph, field, index),
                                      .operation = std::string(operation),
                                      .message = std::move(message)});
}

}  // namespace

std::string pathOf(size_t graph, std::string_view field, size_t index) {
    const Place place =
            graph == 0 ? Place{.field = "main"}
                       : Place{.field = "referenced", .index = static_cast<int64_t>(graph - 1)};
    return Place{.parent = &place, .field = field, .index = static_cast<int64_t>(index)}.path();
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

}  // namespace nn
