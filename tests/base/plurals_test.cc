// Numbers with singular and plural nouns.
#include "base/plurals.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace nn::counted_test {
namespace {

TEST(Plural, OneIsSingular) {
    struct Row {
        uint64_t number;
        const char* nouns;
        const char* text;
    };
    const Row kRows[] = {
            {0, "inputs", "0 inputs"},
            {1, "inputs", "1 input"},
            {2, "inputs", "2 inputs"},
            {UINT64_MAX, "bytes", "18446744073709551615 bytes"},
            {1, "bytes", "1 byte"},
            {1, "batches", "1 batch"},
            {1, "classes", "1 class"},
            {1, "boxes", "1 box"},
            {1, "file descriptors", "1 file descriptor"},
            {1, "graphs inside each other", "1 graph inside each other"},
            {1, "sheep", "1 sheep"},
            {1, "", "1 "},
    };
    for (const Row& row : kRows) {
        EXPECT_EQ(toString(Plural{row.number, row.nouns}), row.text);
        EXPECT_EQ(fmt::format("{}", Plural{row.number, row.nouns}), row.text);
    }
}

TEST(Below, NothingIsBelowNothing) {
    EXPECT_EQ(toString(Below{3, "the model", "pools"}), "allowed below 3, the number of pools");
    EXPECT_EQ(toString(Below{1, "the model", "pools"}), "allowed below 1, the number of pools");
    EXPECT_EQ(toString(Below{0, "the model", "pools"}), "but the model has no pools");
}

}  // namespace
}  // namespace nn::counted_test
