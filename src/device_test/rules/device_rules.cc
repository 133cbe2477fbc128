// The rules of devices.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "nnapi/device_test/device_rules.h"

namespace nn::testing {
namespace {

constexpr DeviceRule kRules[] = {
#define NNAPI_DEVICE_SECTION(title, introduction)
#define NNAPI_DEVICE_RULE(number, source, name, statement) {number, name, statement},
#include "device_test/rules/rules.def"
#undef NNAPI_DEVICE_RULE
};

enum class RuleSource { HAL, SUITE, ANDROID, LIBRARY };

constexpr RuleSource kRuleSources[] = {
// of the rules above
#define NNAPI_DEVICE_RULE(number, source, name, statement) RuleSource::source,
#include "device_test/rules/rules.def"
#undef NNAPI_DEVICE_RULE
#undef NNAPI_DEVICE_SECTION
};

// By its name or number; the end if there is none.
const DeviceRule* ruleOf(std::string_view word) {
    return absl::c_find_if(kRules, [&](const DeviceRule& rule) {
        return rule.name == word || fmt::to_string(rule.number) == word;
    });
}

// The interface that the first part of a rule's name belongs to; empty if it is not one.
std::string_view interfaceOf(const DeviceRule& rule) {
    constexpr std::pair<std::string_view, std::string_view> kInterfaces[] = {
            {"device.", "IDevice"},        {"prepare.", "IDevice"},
            {"cache.", "IDevice"},         {"execution.", "IPreparedModel"},
            {"fenced.", "IPreparedModel"}, {"prepared_model.", "IPreparedModel"},
    };
    for (const auto& [beginning, name] : kInterfaces) {
        if (rule.name.starts_with(beginning)) return name;
    }
    return {};
}

}  // namespace

std::span<const DeviceRule> deviceRules() { return kRules; }

std::string sourceOf(const DeviceRule& rule) {
    const DeviceRule* found = ruleOf(rule.name);
    switch (found == std::end(kRules) ? RuleSource::LIBRARY : kRuleSources[found - kRules]) {
        case RuleSource::HAL: {
            const std::string_view name = interfaceOf(rule);
            return name.empty() ? "the HAL's documentation"
                                : "the HAL's documentation, " + std::string(name);
        }
        case RuleSource::SUITE:
            return "Android's conformance suite";
        case RuleSource::ANDROID:
            return "Android's implementation";
        case RuleSource::LIBRARY:
            break;
    }
    return "this library";
}

std::vector<DeviceRule> deviceRulesIn(std::string_view rules) {
    std::vector<DeviceRule> found;
    for (std::string_view rest = rules; !rest.empty();) {
        const size_t end = std::min(rest.find(", "), rest.size());
        const DeviceRule* rule = ruleOf(rest.substr(0, end));
        if (rule != std::end(kRules)) found.push_back(*rule);
        rest.remove_prefix(std::min(end + 2, rest.size()));
    }
    return found;
}

}  // namespace nn::testing
