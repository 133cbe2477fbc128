#include "ops/tables.h"

namespace nn::ops::rank_test {
namespace {

constexpr auto RANK = OperationType::RANK;

TEST(Rank, Computes) {
    expectComputes(RANK, {{"Six", In{b8({1, 1, 1, 1, 1, 1}, {1})}, Out{integer(6)}}});
}

}  // namespace
}  // namespace nn::ops::rank_test
