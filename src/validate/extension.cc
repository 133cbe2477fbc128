// The checks of vendor extensions: what a device offers, and the prefixes that a model assigns.
#include "validate/checks.h"

namespace nn {
namespace {

// Names come from outside: what is not printable ASCII is escaped, and what is long is cut.
std::string quoted(std::string_view name) {
    constexpr size_t kMost = 64;
    std::string text = "'";
    for (const char c : name.substr(0, kMost)) {
        if (c >= ' ' && c <= '~' && c != '\'' && c != '\\') {
            text += c;
        } else {
            text += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        }
    }
    text += '\'';
    return name.size() > kMost ? text + fmt::format("... of {}", Counted{name.size(), "bytes"})
                               : text;
}

bool isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
}

void checkName(std::string_view name, const Place& place, Report& report) {
    if (!report.within(&Limits::nameBytes, name.size(), place)) return;
    if (std::ranges::all_of(name, isNameCharacter) && name.find('.') != name.npos) return;
    report.fail(place, "extension.name",
                fmt::format("name is {}, allowed a-z, 0-9, '_' and '.', with a '.' at least",
                            quoted(name)));
}

}  // namespace

void check(const Extension& extension, const Place& place, Report& report) {
    report.needs(place, kVersionFeatureLevel3, "an extension");
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
    report.needs(place, kVersionFeatureLevel3, "an extension");
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
