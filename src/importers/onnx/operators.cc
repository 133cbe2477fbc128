#include "importers/onnx/operators.h"

#include <algorithm>
#include <tuple>

#include "importers/onnx/rows.h"

namespace nn::onnx {
namespace {

constexpr OperatorRow kRows[] = {
#define NNAPI_ONNX_OPERATOR(domain, type, least, most, outputs, attributes, quantized, function, \
                            operation, becomes, conditions)                                      \
    {domain,                                                                                     \
     type,                                                                                       \
     least,                                                                                      \
     most,                                                                                       \
     outputs,                                                                                    \
     attributes,                                                                                 \
     QuantizedForm::quantized,                                                                   \
     &lower##function,                                                                           \
     OperationType::operation,                                                                   \
     becomes,                                                                                    \
     conditions},
#include "importers/onnx/operators.def"
};

constexpr bool isBefore(const OperatorRow& a, const OperatorRow& b) {
    return std::tie(a.domain, a.type) < std::tie(b.domain, b.type);
}
static_assert(std::is_sorted(std::begin(kRows), std::end(kRows), isBefore));

}  // namespace

std::span<const OperatorRow> operatorRows() { return kRows; }

const OperatorRow* operatorRow(std::string_view domain, std::string_view type) {
    const auto found = std::lower_bound(std::begin(kRows), std::end(kRows), std::tie(domain, type),
                                        [](const OperatorRow& row, const auto& key) {
                                            return std::tie(row.domain, row.type) < key;
                                        });
    if (found == std::end(kRows) || found->domain != domain || found->type != type) return nullptr;
    return found;
}

}  // namespace nn::onnx
