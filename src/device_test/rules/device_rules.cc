// The numbers and names of the rules of devices.
#include <absl/algorithm/container.h>

#include <charconv>
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

const DeviceRule* ruleOf(int number) {
    return absl::c_find_if(kRules,
                           [number](const DeviceRule& rule) { return rule.number == number; });
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
    const DeviceRule* found = ruleOf(rule.number);
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
    const char* const end = rules.data() + rules.size();
    for (const char* at = rules.data(); at != end;) {
        int number = 0;
        const auto [next, error] = std::from_chars(at, end, number);
        if (error != std::errc()) {
            ++at;
            continue;
        }
        at = next;
        const DeviceRule* rule = ruleOf(number);
        if (rule != std::end(kRules)) found.push_back(*rule);
    }
    return found;
}

std::vector<std::string_view> deviceRuleNames(std::string_view rules) {
    std::vector<std::string_view> names;
    for (const DeviceRule& rule : deviceRulesIn(rules)) names.push_back(rule.name);
    return names;
}

}  // namespace nn::testing
