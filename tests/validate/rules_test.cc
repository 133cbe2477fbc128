// Every rule stands in three places: the source, its page, and a test that provokes it.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nn {
namespace {

std::string textOf(const std::filesystem::path& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
}

// The text of all source files of a folder.
std::string sourcesOf(const std::string& folder) {
    std::string text;
    for (const auto& entry : std::filesystem::directory_iterator(NNAPI_SOURCE_DIR "/" + folder)) {
        if (entry.path().extension() == ".cc") text += textOf(entry.path());
    }
    return text;
}

std::set<std::string> found(const std::string& text, const char* pattern) {
    const std::regex regex(pattern);
    std::set<std::string> matches;
    for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
        matches.insert((*match)[1]);
    }
    return matches;
}

TEST(Rules, AreDocumentedAndTested) {
    const auto inSource = found(sourcesOf("src/validate"), "\"([a-z_]+\\.[a-z_]+|since)\"");
    const auto inPage =
            found(textOf(NNAPI_SOURCE_DIR "/docs/rules/structure.md"), "- \\*\\*([a-z_.]+)\\*\\*");
    EXPECT_EQ(inSource, inPage);

    // Messages are broken across lines, so that a rule may stand alone in its literal.
    const auto inTests = found(sourcesOf("tests/validate"), "\\[([a-z_]+\\.[a-z_]+|since)\\]");
    std::set<std::string> untested;
    std::ranges::set_difference(inSource, inTests, std::inserter(untested, untested.end()));
    EXPECT_THAT(untested, testing::IsEmpty());
}

}  // namespace
}  // namespace nn
