// Every row of docs/deviations.md names existing tests.
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "temporary_folder.h"

namespace nn::deviations_test {
namespace {

// "Suite.Test" to the source of the test, up to the next one.
std::map<std::string, std::string> sourcesOfTests() {
    std::map<std::string, std::string> sources;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(NNAPI_SOURCE_DIR "/tests")) {
        if (entry.path().extension() != ".cc") continue;
        const std::string text = contentsOf(entry.path());
        std::string* last = nullptr;
        size_t begin = 0;
        for (size_t at = 0; (at = text.find("TEST", at)) != text.npos; ++at) {
            const size_t open = text.find('(', at), comma = text.find(", ", open);
            const size_t close = text.find(')', comma);
            if (close == text.npos) break;
            const std::string macro = text.substr(at, open - at);
            if (macro != "TEST" && macro != "TEST_F" && macro != "TEST_P") continue;
            if (last != nullptr) *last += text.substr(begin, at - begin);
            last = &sources[text.substr(open + 1, comma - open - 1) + "." +
                            text.substr(comma + 2, close - comma - 2)];
            begin = at;
        }
        if (last != nullptr) *last += text.substr(begin);
    }
    return sources;
}

std::vector<std::string> split(const std::string& text, const std::string& separator) {
    std::vector<std::string> parts;
    for (size_t at = 0; at <= text.size();) {
        const size_t end = std::min(text.find(separator, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + separator.size();
    }
    return parts;
}

// The names "Suite.Test" or "Suite.Test Row" of a cell that do not exist.
std::vector<std::string> missing(const std::string& cell,
                                 const std::map<std::string, std::string>& tests) {
    std::vector<std::string> names;
    for (const std::string& name : split(cell, ", ")) {
        const std::vector<std::string> words = split(name, " ");
        const auto test = tests.find(words[0]);
        const bool isThere =
                test != tests.end() && words.size() <= 2 &&
                (words.size() == 1 || test->second.find('"' + words[1] + '"') != std::string::npos);
        if (!isThere) names.push_back(name);
    }
    return names;
}

TEST(Deviations, NameTheirTests) {
    const auto tests = sourcesOfTests();
    std::istringstream page(contentsOf(NNAPI_SOURCE_DIR "/docs/deviations.md"));
    size_t rows = 0;
    for (std::string line; std::getline(page, line);) {
        if (!line.starts_with("| ") || line.starts_with("| topic") || line.starts_with("| ---"))
            continue;
        const std::vector<std::string> cells = split(line.substr(2, line.size() - 4), " | ");
        ASSERT_EQ(cells.size(), 5u) << line;
        EXPECT_THAT(missing(cells[4], tests), ::testing::IsEmpty()) << line;
        ++rows;
    }
    EXPECT_GT(rows, 60u);
}

TEST(Deviations, NamesThatAreNotThereAreFound) {
    const std::map<std::string, std::string> tests = {{"A.B", "TEST(A, B) { \"Row\" }"}};
    EXPECT_THAT(missing("A.B, A.B Row", tests), ::testing::IsEmpty());
    EXPECT_THAT(missing("A.C, A.B Ro, A.B Row", tests), ::testing::ElementsAre("A.C", "A.B Ro"));
}

}  // namespace
}  // namespace nn::deviations_test
