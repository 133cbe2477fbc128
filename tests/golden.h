// Texts whose changes must be reviewed: tests/golden.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>

namespace nn {

// Compares a text with a file of tests/golden. BLESS=1 writes the text there; review the
// difference.
inline void expectGolden(const std::string& name, const std::string& found) {
    const std::string golden = NNAPI_SOURCE_DIR "/tests/golden/" + name;
    if (std::getenv("BLESS") != nullptr) std::ofstream(golden) << found;
    std::ifstream file(golden);
    const std::string expected{std::istreambuf_iterator<char>(file), {}};
    EXPECT_TRUE(found == expected) << "BLESS=1 writes " << golden << "; read the diff";
}

}  // namespace nn
