#include "tools/nnapi/rules_index.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include "nnapi/limits.h"
#include "nnapi/type_utils.h"
#include "op_support/rules/op_view.h"

namespace nn::cli {
namespace {

constexpr ops::RuleText kRulesOfLayers[] = {
#define NNAPI_RULE(id, sentence) {id, sentence},
#include "backends/xnnpack/rules.def"
#include "convert/common/rules.def"
#include "device_profile/rules.def"
#include "interpreter/rules.def"
#include "transform/rules.def"
#include "types/rules.def"
#include "validate/rules.def"
#undef NNAPI_RULE
};

}  // namespace

std::vector<Rule> allRules() {
    std::vector<Rule> rules;
    const auto add = [&](std::span<const ops::RuleText> texts) {
        for (const ops::RuleText& text : texts) {
            rules.push_back({std::string(text.id), std::string(text.sentence)});
        }
    };
    add(kRulesOfLayers);
    for (const OperationTypeInfo& info : operationTypes()) {
        const ops::OperationSpec* spec = ops::specOf(info.type);
        if (spec != nullptr) add(spec->ruleTexts);
    }
    for (const LimitInfo& info : limitInfos()) {
        rules.push_back({ruleOf(info.limit),
                         fmt::format("At most {} {}.", Limits{}.*info.limit, info.counts)});
    }
    // Operations of one family share rules.
    const auto byId = [](const Rule& a, const Rule& b) { return a.id < b.id; };
    const auto sameId = [](const Rule& a, const Rule& b) { return a.id == b.id; };
    absl::c_stable_sort(rules, byId);
    rules.erase(std::unique(rules.begin(), rules.end(), sameId), rules.end());
    return rules;
}

}  // namespace nn::cli
