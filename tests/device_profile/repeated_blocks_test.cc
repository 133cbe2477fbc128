// Blocks of operations that repeat.
#include "device_profile/repeated_blocks.h"

#include <gmock/gmock.h>

#include <string_view>

namespace nn::repeated_blocks_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A letter is a kind; each result is read by the next operation.
std::vector<RepeatedOperation> chain(std::string_view kinds) {
    std::vector<RepeatedOperation> operations;
    for (size_t i = 0; i < kinds.size(); ++i)
        operations.push_back({.kind = static_cast<uint32_t>(kinds[i]), .lastReader = i + 1});
    return operations;
}

TEST(RepeatedBlocks, FindsThreeOrMore) {
    EXPECT_THAT(repeatedBlocks(chain("xababaty")), IsEmpty());  // twice and a half
    EXPECT_THAT(repeatedBlocks(chain("xabababy")), ElementsAre(RepeatedBlock{1, 2, 3}));
    EXPECT_THAT(repeatedBlocks(chain("abcabcabcabc")), ElementsAre(RepeatedBlock{0, 3, 4}));
    EXPECT_THAT(repeatedBlocks(chain("xaaaaay")), ElementsAre(RepeatedBlock{1, 1, 5}));
    EXPECT_THAT(repeatedBlocks(chain("xaaay")), IsEmpty());  // hides too few
}

TEST(RepeatedBlocks, PrefersWhatHidesMost) {
    // The first six are two blocks of three as well.
    EXPECT_THAT(repeatedBlocks(chain("abababcdcdcdcdab")),
                ElementsAre(RepeatedBlock{0, 2, 3}, RepeatedBlock{6, 2, 4}));
}

TEST(RepeatedBlocks, LeavesResultsThatAreReadLater) {
    std::vector<RepeatedOperation> operations = chain("abababab");
    operations[2].lastReader = 7;
    EXPECT_THAT(repeatedBlocks(operations), IsEmpty());  // only from operation 3 on
    operations[2].lastReader = RepeatedOperation::kOutput;
    EXPECT_THAT(repeatedBlocks(operations), IsEmpty());
    operations[2].lastReader = 4;  // of the next block
    EXPECT_THAT(repeatedBlocks(operations), ElementsAre(RepeatedBlock{0, 2, 4}));
}

TEST(RepeatedBlocks, AcceptsNothing) { EXPECT_THAT(repeatedBlocks({}), IsEmpty()); }

}  // namespace
}  // namespace nn::repeated_blocks_test
