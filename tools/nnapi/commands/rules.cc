#include <absl/algorithm/container.h>

#include <nlohmann/json.hpp>

#include "nnapi/device_test/device_rules.h"
#include "nnapi/type_utils.h"
#include "tools/nnapi/command.h"
#include "tools/nnapi/command_table.h"
#include "tools/nnapi/rules_index.h"
#include "tools/nnapi/text_layout.h"

namespace nn::cli {
namespace {

// The id under which a rule is listed: `<stem>.types` and the like stand for those of every
// operation.
std::string listed(const std::string& id) {
    const size_t dot = id.find('.');
    const std::string_view stem = std::string_view(id).substr(0, dot);
    const bool isOfOperation = absl::c_any_of(
            operationTypes(), [&](const OperationTypeInfo& info) { return info.stem == stem; });
    return isOfOperation && dot != id.npos ? "<stem>" + id.substr(dot) : id;
}

}  // namespace

Exit rules(const Options& options) {
    const Output output(options.json);
    std::vector<Rule> shown;
    Exit worst = kGood;
    std::vector<Rule> all = allRules();
    for (const std::string& name : options.names) {
        const auto has = [&](const std::string& id) {
            return absl::c_find_if(all, [&](const Rule& rule) { return rule.id == id; });
        };
        auto found = has(name);
        const std::vector<testing::DeviceRule> ofDevices = testing::deviceRulesIn(name);
        for (const testing::DeviceRule& rule : ofDevices) {
            shown.push_back({std::string(rule.name),
                             fmt::format("{} Demanded by {}.", rule.statement, sourceOf(rule))});
        }
        if (!ofDevices.empty()) continue;
        if (found == all.end()) found = has(listed(name));
        if (found == all.end()) {
            Output::complain(
                    fmt::format("there is no rule {}{}", name, didYouMean(name, valuesOf("RULE"))));
            worst = kUsageOrUnreadable;
        } else {
            shown.push_back({name, found->text});
        }
    }
    if (options.names.empty()) shown = std::move(all);
    std::vector<std::vector<std::string>> rows = {{"rule", "demands"}};
    for (Rule& rule : shown) {
        if (output.isJson()) output.object({{"rule", rule.id}, {"text", rule.text}});
        rows.push_back({std::move(rule.id), std::move(rule.text)});
    }
    if (rows.size() > 1) output.text("{}", Lines{table(std::move(rows), 0, 100)});
    return worst;
}

}  // namespace nn::cli
