#include "device_profile/drawing_items.h"

#include <fmt/format.h>

#include <initializer_list>

#include "base/printable.h"
#include "nnapi/type_utils.h"

namespace nn::draw {
namespace {

constexpr std::string_view kWidth = "Width", kHeight = "Height";
constexpr size_t kMaxNameShown = 60;

}  // namespace

std::string_view meaning(std::string_view name, std::string_view value) {
    struct Named {
        std::string_view name, value, meaning;
    };
    // LSTM has two more activations.
    static constexpr Named kNamed[] = {
            {"activation", "1", "RELU"},    {"activation", "2", "RELU1"},
            {"activation", "3", "RELU6"},   {"activation", "4", "TANH"},
            {"activation", "6", "SIGMOID"}, {"paddingScheme", "1", "SAME"},
            {"paddingScheme", "2", "VALID"}};
    for (const Named& named : kNamed) {
        if (named.name == name && named.value == value) return named.meaning;
    }
    return "";
}

std::vector<std::string> joined(const std::vector<Item>& items) {
    std::vector<std::string> list;
    for (size_t i = 0; i < items.size(); ++i) {
        std::string item = items[i].text;
        // True if the next items have names with these endings, and equal values.
        const auto together = [&](std::initializer_list<std::string_view> ends) {
            const std::string_view first = items[i].name;
            if (!first.ends_with(*ends.begin()) || items[i].value.empty()) return false;
            const std::string_view stem = first.substr(0, first.size() - ends.begin()->size());
            size_t at = i;
            for (const std::string_view end : ends) {
                if (at == items.size() || items[at].value != items[i].value ||
                    items[at].name != std::string(stem).append(end)) {
                    return false;
                }
                ++at;
            }
            item = fmt::format("{} {}", stem, items[i].value);
            i = at - 1;
            return true;
        };
        const auto pair = [&](std::string_view first, std::string_view second) {
            if (!items[i].name.ends_with(first) || i + 1 == items.size()) return false;
            const std::string stem = items[i].name.substr(0, items[i].name.size() - first.size());
            const Item& other = items[i + 1];
            if (items[i].value.empty() || other.value.empty() ||
                other.name != stem + std::string(second))
                return false;
            const bool isHeightFirst = first == kHeight;
            item = fmt::format("{} {}×{}", stem, (isHeightFirst ? items[i] : other).value,
                               (isHeightFirst ? other : items[i]).value);
            ++i;
            return true;
        };
        if (!pair(kWidth, kHeight) && !pair(kHeight, kWidth))
            together({"Left", "Right", "Top", "Bottom"});
        if (!list.empty()) list.back() += ',';
        list.push_back(std::move(item));
    }
    return list;
}

Params paramsOf(const Operation& operation, const Model::Subgraph& graph,
                DeclaredOperands& declared) {
    if (!declared.take(operation, graph)) return {};
    const ops::Form* form = formOf(operation.type, declared.inputs(), declared.outputs());
    return form == nullptr ? Params() : Params{form->inputs, form->outputs};
}

std::string nameOf(std::string_view kind, std::span<const ops::Param> params, size_t i,
                   size_t count) {
    const ops::Param* param = ops::paramAt(params, i, count);
    if (param == nullptr) return fmt::format("{} {}", kind, i);
    if (param->presence != ops::Param::Presence::REPEATED) return std::string(param->name);
    return fmt::format("{} {}", param->name, i - static_cast<size_t>(param - params.data()));
}

std::string colorOf(DrawingMark::Color color) {
    switch (color) {
        case DrawingMark::Color::GREEN:
            return "#dcf2dc";
        case DrawingMark::Color::ORANGE:
            return "#ffe3b3";
        case DrawingMark::Color::RED:
            return "#f9c6c0";
    }
    return "";
}

OperationNames::OperationNames(const Model& model) {
    for (const ExtensionNameAndPrefix& entry : model.extensionNameToPrefix) {
        mExtensions.try_emplace(entry.prefix, beginningOf(entry.name, kMaxNameShown));
    }
}

std::string OperationNames::of(OperationType type) const {
    const auto code = static_cast<uint32_t>(type);
    const auto extension = mExtensions.find(getExtensionPrefix(code));
    if (!isExtension(type) || extension == mExtensions.end()) return toString(type);
    return fmt::format("{} {}", extension->second, getTypeWithinExtension(code));
}

}  // namespace nn::draw
