// Parts of the output of several commands.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/losses.h"
#include "nnapi/validate.h"
#include "tools/nnapi/output.h"

namespace nn::cli {

Json toJson(const std::vector<Diagnostic>& diagnostics);
Json toJson(const Losses& losses);
Json dimensionsToJson(const std::vector<uint32_t>& dimensions);

// The status as diagnostics; a failure without one has the rule "".
std::vector<Diagnostic> diagnosticsOf(const Status& status);

// "HAL 1.3 (feature level 4)"
std::string withLevel(Version version);

// "1 loss", "2 losses"
std::string counted(size_t count, std::string_view one, std::string_view many);

}  // namespace nn::cli
