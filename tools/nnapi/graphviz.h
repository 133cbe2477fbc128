// Lays out drawings by Graphviz, a program that users install.
#pragma once

#include <string>
#include <string_view>

#include "nnapi/result.h"

namespace nn::cli {

// The drawing as the <svg> element that `dot -Tsvg` writes. Fails if Graphviz is not installed, if
// it fails, and with MISSED_DEADLINE_PERSISTENT if it takes more than 20 s of processor time, as
// for thousands of operations.
Result<std::string> svgOf(std::string_view drawing);

}  // namespace nn::cli
