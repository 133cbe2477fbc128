// nnapi/limits.h -- Resource limits for files, models and executions.
//
//   const nn::Limits limits{.operations = 1000, .peakBytes = 64 << 20};
//   nn::Result<nn::AnyModel> model = nn::readModel("model.pb", limits);
//   nn::Result<nn::PreparedModel> prepared = nn::prepare(canonical, {.limits = limits});
//
// Reading, validating, preparing and executing check a limit before the allocation or computation
// that it bounds. Exceeding it fails with RESOURCE_EXHAUSTED_PERSISTENT and the rule limits.<name>,
// listed in docs/security.md. Conversion is linear in the model and has no limit of its own.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace nn {

// One field for each row of limits.def, with its default; bytes, counts or milliseconds.
struct Limits {
#define NNAPI_LIMIT(field, name, value, ...) uint64_t field = value;
#include "nnapi/limits.def"
    bool operator==(const Limits&) const = default;
};

// Identifies a limit by its field.
using Limit = uint64_t Limits::*;

// One row of limits.def.
struct LimitInfo {
    Limit limit;              // the field
    std::string_view name;    // "constant_bytes"
    std::string_view noun;    // "bytes"
    std::string_view counts;  // "bytes of constants that a model or its file holds"
    std::string_view why;     // the limit exists, and has this default
};

// All rows, in the order of the file.
std::span<const LimitInfo> limitInfos();

// "limits.constant_bytes"
std::string ruleOf(Limit limit);

}  // namespace nn
