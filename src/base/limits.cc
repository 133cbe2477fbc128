#include "base/limits.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include "base/plurals.h"

namespace nn {
namespace {

constexpr LimitInfo kInfos[] = {
#define NNAPI_LIMIT(field, name, value, noun, counts, why) \
    {&Limits::field, #name, noun, counts, why},
#include "nnapi/limits.def"
};

const LimitInfo& infoOf(Limit limit) {
    return *absl::c_find_if(kInfos, [&](const LimitInfo& info) { return info.limit == limit; });
}

}  // namespace

std::span<const LimitInfo> limitInfos() { return kInfos; }

std::string ruleOf(Limit limit) { return fmt::format("limits.{}", infoOf(limit).name); }

Diagnostic exceeded(Limit limit, uint64_t found, uint64_t allowed, std::string path) {
    return {.rule = ruleOf(limit),
            .path = std::move(path),
            .message =
                    fmt::format("has {}, allowed {}", Plural{found, infoOf(limit).noun}, allowed)};
}

Status within(const Limits& limits, Limit limit, uint64_t found, std::string_view path) {
    if (found <= limits.*limit) return {};
    return makeError(kLimitExceeded, exceeded(limit, found, limits.*limit, std::string(path)));
}

}  // namespace nn
