// Every rule occurs in three places: the source, a documentation page, and a test that triggers it.
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "nnapi/limits.h"
#include "nnapi/type_utils.h"

namespace nn::rules_test {
namespace {

using Ids = std::set<std::string>;

// Ids that the source composes for every stem, as the pages write them.
const Ids kGenericIds = {"<stem>.inputs", "<stem>.outputs", "<stem>.types", "<stem>.omitted"};

// The lines of all files below a folder with one of the extensions, without comments and includes.
std::string linesOf(const std::string& folder, const std::set<std::string>& extensions) {
    std::string text;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(NNAPI_SOURCE_DIR "/" + folder)) {
        if (!extensions.contains(entry.path().extension())) continue;
        // Rules of devices have a page and a check of their own.
        if (entry.path().string().find("/src/device_test/") != std::string::npos) continue;
        std::ifstream file(entry.path());
        for (std::string line; std::getline(file, line);) {
            if (line.starts_with("#include")) continue;
            if (extensions.contains(".cc")) line = line.substr(0, line.find("//"));
            text += line + "\n";
        }
    }
    return text;
}

// "since", or two words with a dot between them that are not a file name; "<stem>" counts as a
// word.
bool isId(std::string_view text) {
    if (text.ends_with(".h") || text.ends_with(".cc")) return false;
    const size_t dot = text.find('.');
    if (dot == text.npos) return text == "since";
    const auto isWord = [](std::string_view word) {
        return !word.empty() && (word[0] == '<' || std::islower(word[0])) &&
               word.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_<>") == word.npos;
    };
    return isWord(text.substr(0, dot)) && isWord(text.substr(dot + 1));
}

// The ids between two characters. (std::regex takes seconds under sanitizers.)
Ids idsBetween(char open, char close, std::string_view text) {
    Ids ids;
    for (size_t at = text.find(open); at != text.npos; at = text.find(open, at + 1)) {
        const size_t end = text.find_first_of("\"[] \n", at + 1);
        if (end == text.npos || text[end] != close) continue;
        const std::string_view id = text.substr(at + 1, end - at - 1);
        if (isId(id)) ids.emplace(id);
    }
    return ids;
}

Ids without(const Ids& ids, const Ids& others) {
    Ids rest;
    std::ranges::set_difference(ids, others, std::inserter(rest, rest.end()));
    return rest;
}

// Removes the tables of rule texts.
std::string withoutTexts(std::string source) {
    constexpr std::string_view kBegin = "RuleText kRules[] = {", kEnd = "\n};";
    for (size_t at; (at = source.find(kBegin)) != source.npos;) {
        source.erase(at, source.find(kEnd, at) - at);
    }
    return source;
}

Ids idsOfSource() {
    Ids ids = idsBetween('"', '"', withoutTexts(linesOf("src", {".cc", ".h"})));
    ids.erase("ai.onnx");  // an operator set
    ids.insert(kGenericIds.begin(), kGenericIds.end());
    for (const LimitInfo& info : limitInfos()) ids.insert(ruleOf(info.limit));
    return ids;
}

// Messages are broken across lines, so a literal may contain only the rule. The ids of one
// operation are returned as generic ones.
Ids idsOfTests() {
    Ids stems;
    for (const OperationTypeInfo& info : operationTypes()) stems.emplace(info.stem);
    Ids ids;
    for (const std::string& id : idsBetween('[', ']', linesOf("tests", {".cc", ".h", ".test"}))) {
        const size_t dot = id.find('.');
        const std::string generic = "<stem>" + id.substr(std::min(dot, id.size()));
        ids.insert(id);
        if (stems.contains(id.substr(0, dot)) && kGenericIds.contains(generic)) ids.insert(generic);
    }
    return ids;
}

TEST(Rules, AreDocumentedOnce) {
    std::multiset<std::string> inIndex;
    std::istringstream lines(linesOf("docs/rules", {".md"}));
    for (std::string line; std::getline(lines, line);) {
        std::erase(line, '`');
        const size_t end = line.find("): ");  // "- [page](link): id, id"
        if (!line.starts_with("- [") || end == line.npos) continue;
        std::istringstream ids(line.substr(end + 3));
        for (std::string id; std::getline(ids >> std::ws, id, ',');) inIndex.insert(id);
    }
    EXPECT_THAT(inIndex, ::testing::ContainerEq([] {
                    const Ids ids = idsOfSource();
                    return std::multiset<std::string>(ids.begin(), ids.end());
                }()));
}

TEST(Rules, AreTested) {
    const Ids inSource = idsOfSource();
    const Ids inTests = idsOfTests();
    EXPECT_THAT(without(inSource, inTests), ::testing::IsEmpty());
}

}  // namespace
}  // namespace nn::rules_test
