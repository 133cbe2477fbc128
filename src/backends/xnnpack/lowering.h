// Converts one operation of a graph to one operator of XNNPACK, or reports why there is none.
// src/ops/<stem>/lowering.cc describes how XNNPACK computes each operation.
#pragma once

#include <xnnpack.h>

#include <optional>
#include <string_view>
#include <vector>

#include "op_support/xnnpack/lowering.h"
#include "validate/preparation.h"

namespace nn::xnnpack {

// `sink` is that of the operation; `isStoredSigned` has an entry for each operand of the graph:
// whether it is stored as signed. The data of constants must outlive the result.
std::optional<Refusal> lower(const ops::OpView& op, const OperationSink& sink,
                             const KnownOperation& known, const std::vector<bool>& isStoredSigned,
                             Lowering& lowering);

// The reason why an operator could not be created or set up.
Refusal refusalOf(xnn_status status, std::string_view what);

}  // namespace nn::xnnpack
