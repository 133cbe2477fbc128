// Paths of commands that stand for open descriptors.
#include "schema/inputs.h"

#include <gtest/gtest.h>

namespace nn::schema::inputs_test {
namespace {

TEST(Inputs, NameDescriptors) {
    const struct {
        const char* path;
        std::optional<int> descriptor;
    } kRows[] = {
            {"-", 0},
            {"/dev/stdin", 0},
            {"/dev/fd/0", 0},
            {"/dev/fd/63", 63},
            {"/proc/self/fd/7", 7},
            {"/dev/fd/", std::nullopt},
            {"/dev/fd/-1", std::nullopt},
            {"/dev/fd/7x", std::nullopt},
            {"/dev/fd/99999999999", std::nullopt},
            {"/proc/self/fd", std::nullopt},
            {"--", std::nullopt},
            {"model.json", std::nullopt},
            {"", std::nullopt},
    };
    for (const auto& row : kRows) EXPECT_EQ(openDescriptor(row.path), row.descriptor) << row.path;
    EXPECT_EQ(shownName("-"), "standard input");
    EXPECT_EQ(shownName("folder/model.json"), "folder/model.json");
}

}  // namespace
}  // namespace nn::schema::inputs_test
