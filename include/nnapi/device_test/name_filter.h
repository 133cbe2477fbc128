// nnapi/device_test/name_filter.h -- Selects test cases by name.
//
//   nn::Result<std::function<bool(const std::string&)>> filter =
//   nn::testing::nameFilter({"basics/*"}); if (filter.ok() && (*filter)("basics/names"))
//   puts("selected");
//
// Thread-safe.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "nnapi/result.h"

namespace nn::testing {

// A filter for names that match at least one of the patterns: a glob for the whole name, where *
// matches / too, or "re:" and a regular expression (ECMAScript) for a part of it. Without patterns,
// all names match. INVALID_ARGUMENT for an invalid regular expression.
Result<std::function<bool(const std::string& name)>> nameFilter(
        const std::vector<std::string>& patterns);

}  // namespace nn::testing
