// The checks of vendor extensions: those of a device, and the prefixes that a model assigns.
#include "base/printable.h"
#include "validate/checks.h"

#include <absl/algorithm/container.h>

namespace nn {
namespace {

// Truncates long names.
std::string shown(std::string_view name) {
    constexpr size_t kMax = 64;
    if (name.size() <= kMax) return inQuotes(name);
    return fmt::format("{}... of {}", inQuotes(name.substr(0, kMax)), Plural{name.size(), "bytes"});
}

bool isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
}

void checkName(std::string_view name, const Place& place, Report& report) {
    if (!report.within(&Limits::nameBytes, name.size(), place)) return;
    if (absl::c_all_of(name, isNameCharacter) && name.find('.') != name.npos) return;
    report.fail(place, "extension.name",
                fmt::format("name is {}, allowed a-z, 0-9, '_' and '.', with a '.' at least",
                            shown(name)));
}

}  // namespace

void check(const Extension& extension, const Place& place, Report& report) {
    report.requireVersion(place, kVersionFeatureLevel3, "an extension");
    checkName(extension.name, place, report);
    const Place types{&place, "operandTypes"};
    for (size_t i = 0; i < extension.operandTypes.size() && !report.done(); ++i) {
        report.require(extension.operandTypes[i].byteSize != 0,
                       Place{&place, "operandTypes", static_cast<int64_t>(i)},
                       "extension.byte_size", "byteSize is 0, allowed 1 or more");
    }
    requireUnique(extension.operandTypes, &Extension::OperandTypeInformation::type, "type",
                  "extension.operand_type", types, report);
}

void check(const std::vector<Extension>& extensions, const Place& place, Report& report) {
    check<Extension>(extensions, place, report);
    requireUnique(extensions, &Extension::name, "name", "extension.unique_name", place, report);
}

void check(const ExtensionNameAndPrefix& nameAndPrefix, const Place& place, Report& report) {
    report.requireVersion(place, kVersionFeatureLevel3, "an extension");
    checkName(nameAndPrefix.name, place, report);
    if (nameAndPrefix.prefix == 0 || nameAndPrefix.prefix > INT16_MAX) {
        report.warn(place, "extension.prefix",
                    fmt::format("prefix is {}, the HAL assigns 1 to {}", nameAndPrefix.prefix,
                                INT16_MAX));
    }
}

void check(const std::vector<ExtensionNameAndPrefix>& namesAndPrefixes, const Place& place,
           Report& report) {
    check<ExtensionNameAndPrefix>(namesAndPrefixes, place, report);
    requireUnique(namesAndPrefixes, &ExtensionNameAndPrefix::name, "name", "extension.unique_name",
                  place, report);
    requireUnique(namesAndPrefixes, &ExtensionNameAndPrefix::prefix, "prefix",
                  "extension.unique_prefix", place, report);
}

}  // namespace nn
