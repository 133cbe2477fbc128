// All test cases of tests/vectors, file by file in the order of their names.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <set>

#include "nnapi/io.h"

namespace nn {

inline void forEachVector(const std::function<void(const TestCase&)>& function) {
    namespace fs = std::filesystem;
    std::set<fs::path> files;
    for (const auto& entry : fs::recursive_directory_iterator(NNAPI_SOURCE_DIR "/tests/vectors")) {
        if (entry.path().extension() == ".gz") files.insert(entry.path());
    }
    for (const fs::path& file : files) {
        Result<TestCaseReader> reader = TestCaseReader::open(file);
        ASSERT_TRUE(reader.ok()) << reader.status();
        while (auto next = reader->next()) {
            ASSERT_TRUE(next->ok()) << next->status();
            function(**next);
        }
    }
}

}  // namespace nn
