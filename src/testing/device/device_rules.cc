// The numbers and names of the rules of devices.
#include <algorithm>
#include <charconv>

#include "nnapi/testing/device_test.h"

namespace nn::testing {
namespace {

constexpr DeviceRule kRules[] = {
#define NNAPI_DEVICE_SECTION(title, introduction)
#define NNAPI_DEVICE_RULE(number, name, statement) {number, name},
#include "testing/device/rules.def"
#undef NNAPI_DEVICE_RULE
#undef NNAPI_DEVICE_SECTION
};

}  // namespace

std::span<const DeviceRule> deviceRules() { return kRules; }

std::vector<std::string_view> deviceRuleNames(std::string_view rules) {
    std::vector<std::string_view> names;
    const char* const end = rules.data() + rules.size();
    for (const char* at = rules.data(); at != end;) {
        int number = 0;
        const auto [next, error] = std::from_chars(at, end, number);
        if (error != std::errc()) {
            ++at;
            continue;
        }
        at = next;
        const auto* rule = std::ranges::find(kRules, number, &DeviceRule::number);
        if (rule != std::end(kRules)) names.push_back(rule->name);
    }
    return names;
}

}  // namespace nn::testing
