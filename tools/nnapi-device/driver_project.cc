#include "tools/nnapi-device/driver_project.h"

#include <absl/strings/ascii.h>
#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace nn::cli {
namespace {

bool isOfWord(char c) { return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_'; }

// Replaces a whole word.
std::string withWord(std::string_view text, std::string_view word, std::string_view by) {
    std::string result;
    for (size_t at = 0; at < text.size();) {
        const bool isWord = text.substr(at, word.size()) == word &&
                            (at == 0 || !isOfWord(text[at - 1])) &&
                            (at + word.size() == text.size() || !isOfWord(text[at + word.size()]));
        result += isWord ? by : text.substr(at, 1);
        at += isWord ? word.size() : 1;
    }
    return result;
}

// The parts between separators; one that ends the text is not followed by a part.
std::vector<std::string_view> parts(std::string_view text, char separator) {
    std::vector<std::string_view> all;
    while (!text.empty()) {
        const size_t end = std::min(text.find(separator), text.size());
        all.push_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return all;
}

// The driver's name as part of a C++ identifier.
std::string identifier(std::string_view name) {
    std::string result(name);
    std::replace(result.begin(), result.end(), '-', '_');
    return result;
}

// The template's name replaced in all its forms; by way of marks, since the new name may contain
// it.
std::string renamed(std::string_view text, std::string_view name) {
    constexpr std::string_view kNamespace = "\1", kLibrary = "\2";
    std::string result = withWord(withWord(text, "npu_driver", kNamespace), "libnpu", kLibrary);
    result = withWord(result, "npu", name);
    result = withWord(result, kNamespace, identifier(name) + "_driver");
    return withWord(result, kLibrary, fmt::format("lib{}", name));
}

// The value of a condition such as NPU_BURST; none for conditions that are the driver's own.
std::optional<bool> valueOf(std::string_view condition, const DriverChoices& choices) {
    if (condition == "NPU_BURST") return choices.burst;
    if (condition == "NPU_CACHING") return choices.caching;
    if (condition == "NPU_MEMORY_DOMAINS") return choices.memoryDomains;
    if (condition == "NPU_AIDL") return choices.level == "aidl";
    return std::nullopt;
}

// Resolves conditions line by line. They are not nested.
class Conditions {
   public:
    explicit Conditions(const DriverChoices& choices) : mChoices(choices) {}

    // True if the line stays.
    bool keeps(std::string_view line) {
        if (line.starts_with(kIf)) {
            const auto value = valueOf(line.substr(kIf.size()), mChoices);
            mIsInside = value.has_value();
            mIsOn = value.value_or(true);
            return !mIsInside;
        }
        if (!mIsInside) return true;
        if (line == "#endif") {
            mIsInside = false;
            return false;
        }
        if (line != "#else") return mIsOn;
        mIsOn = !mIsOn;
        return false;
    }

   private:
    static constexpr std::string_view kIf = "#if ";

    const DriverChoices& mChoices;
    bool mIsInside = false;  // of a condition that the choices decide
    bool mIsOn = true;
};

// The name in the project of a source; empty if this driver has no use for it.
std::string projectName(std::string_view source, const DriverChoices& choices) {
    if (source.starts_with("burst.")) return choices.burst ? std::string(source) : "";
    if (source.starts_with("plugin_")) {
        return source == fmt::format("plugin_{}.cc", choices.level) ? "plugin.cc" : "";
    }
    for (const std::string_view level : {"hidl", "aidl"}) {
        if (source.starts_with(level)) {
            return choices.level == level ? std::string(source) : "";
        }
    }
    return std::string(source);
}

constexpr DriverSource kSources[] = {
#include "driver_sources.inc"
};

// Names of targets that generators have.
constexpr std::string_view kReservedTargets[] = {
        "all",     "clean",          "depend", "edit_cache", "help",         "install",
        "package", "package_source", "test",   "preinstall", "rebuild_cache"};

}  // namespace

std::span<const DriverSource> driverSources() { return kSources; }

Status checkDriverName(std::string_view name) {
    const bool isName =
            !name.empty() && name.size() <= 40 &&
            absl::ascii_islower(static_cast<unsigned char>(name.front())) &&
            std::all_of(name.begin(), name.end(), [](unsigned char c) {
                return absl::ascii_islower(c) || absl::ascii_isdigit(c) || c == '-' || c == '_';
            });
    if (isName && std::ranges::find(kReservedTargets, name) != std::end(kReservedTargets)) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("the name of a driver cannot be {}, which CMake needs", name));
    }
    if (isName) return {};
    return makeError(ErrorStatus::INVALID_ARGUMENT,
                     "the name of a driver has up to 40 of a-z, 0-9, - and _, first a letter");
}

std::string kernelName(std::string_view operation) {
    std::string name;
    for (const std::string_view word : parts(operation, '_')) {
        const size_t first = name.size();
        for (const unsigned char c : word) name += absl::ascii_tolower(c);
        if (first != 0 && first < name.size()) {
            name[first] = absl::ascii_toupper(static_cast<unsigned char>(name[first]));
        }
    }
    return name;
}

std::string renderSource(std::string_view text, const DriverChoices& choices) {
    std::string result;
    Conditions conditions(choices);
    std::optional<std::string> repeated;  // the lines within [for each operation]
    for (const std::string_view line : parts(text, '\n')) {
        const std::string_view trimmed =
                line.substr(std::min(line.find_first_not_of(' '), line.size()));
        if (!conditions.keeps(line)) continue;
        if (trimmed == "// [for each operation]") {
            repeated.emplace();
        } else if (trimmed == "// [end]") {
            for (const std::string& operation : choices.operations) {
                result += withWord(withWord(repeated.value_or(""), "ADD", operation), "add",
                                   kernelName(operation));
            }
            repeated.reset();
        } else {
            (repeated ? *repeated : result).append(line).push_back('\n');
        }
    }
    return renamed(result, choices.name);
}

std::vector<DriverFile> driverFiles(const DriverChoices& choices) {
    std::vector<DriverFile> files;
    for (const DriverSource& source : driverSources()) {
        std::string name = projectName(source.name, choices);
        if (!name.empty()) files.push_back({std::move(name), renderSource(source.text, choices)});
    }
    std::sort(files.begin(), files.end(),
              [](const DriverFile& a, const DriverFile& b) { return a.name < b.name; });
    return files;
}

}  // namespace nn::cli
