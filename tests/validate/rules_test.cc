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

// The text of all files of a folder of the sources with that extension.
std::string textOf(const std::string& folder, const std::string& extension) {
    std::string text;
    for (const auto& entry : std::filesystem::directory_iterator(NNAPI_SOURCE_DIR "/" + folder)) {
        if (entry.path().extension() != extension) continue;
        std::ifstream file(entry.path());
        text.append(std::istreambuf_iterator<char>(file), {});
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
    const auto inSource = found(textOf("src/validate", ".cc"), "\"([a-z_]+\\.[a-z_]+|since)\"");
    const auto inPage = found(textOf("docs/rules", ".md"), "- \\*\\*([a-z_.]+)\\*\\*");
    EXPECT_EQ(inSource, inPage);

    // Messages are broken across lines, so that a rule may stand alone in its literal.
    const auto inTests = found(textOf("tests/validate", ".cc"), "\\[([a-z_]+\\.[a-z_]+|since)\\]");
    std::set<std::string> untested;
    std::ranges::set_difference(inSource, inTests, std::inserter(untested, untested.end()));
    EXPECT_THAT(untested, testing::IsEmpty());
}

}  // namespace
}  // namespace nn
