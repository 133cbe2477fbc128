// nnapi/device_test/device_rules.h -- The rules that device tests check.
//
//   for (const nn::testing::DeviceRule& rule : nn::testing::deviceRules()) {
//       printf("%s\n", std::string(rule.name).c_str());
//   }
//
// Thread-safe. Texts live as long as the program.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace nn::testing {

// A rule of devices. Numbers and names never change their meaning; docs/device_rules.md has the
// statements.
struct DeviceRule {
    int number = 0;                // as on the page, from 1
    std::string_view name{};       // "execution.unmeasured"
    std::string_view statement{};  // as on the page
};

// The source of a rule, with the interface whose documentation has it if that is known: "the HAL's
// documentation, IPreparedModel", "Android's conformance suite", "Android's implementation", "this
// library".
std::string sourceOf(const DeviceRule& rule);

// All of them, in the order of the page.
std::span<const DeviceRule> deviceRules();

// The rules of DeviceOutcome::rules, "execution.timing, execution.unmeasured", by name or number.
// Others are left out.
std::vector<DeviceRule> deviceRulesIn(std::string_view rules);

}  // namespace nn::testing
