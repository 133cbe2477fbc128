// All test cases of tests/vectors, by file in the order of their names.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include "nnapi/io.h"

namespace nn {

inline std::vector<std::filesystem::path> vectorFiles() {
    std::set<std::filesystem::path> files;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(NNAPI_SOURCE_DIR "/tests/vectors")) {
        if (entry.path().extension() == ".gz") files.insert(entry.path());
    }
    return {files.begin(), files.end()};
}

inline void forEachVector(const std::vector<std::filesystem::path>& files,
                          const std::function<void(const TestCase&)>& function) {
    for (const std::filesystem::path& file : files) {
        Result<TestCaseReader> reader = TestCaseReader::open(file);
        ASSERT_TRUE(reader.ok()) << reader.status();
        while (auto next = reader->next()) {
            ASSERT_TRUE(next->ok()) << next->status();
            function(**next);
        }
    }
}

// Read once for all tests of a program.
inline void forEachVector(const std::function<void(const TestCase&)>& function) {
    static std::vector<TestCase> all;
    if (all.empty()) {
        std::vector<TestCase> read;
        forEachVector(vectorFiles(), [&](const TestCase& testCase) { read.push_back(testCase); });
        if (::testing::Test::HasFatalFailure()) return;
        all = std::move(read);
    }
    for (const TestCase& testCase : all) function(testCase);
}

}  // namespace nn
