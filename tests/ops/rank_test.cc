#include "ops/tables.h"

namespace nn::ops::rank_test {
namespace {

constexpr auto RANK = OperationType::RANK;

TEST(Rank, SaysWhyItRefuses) {
    expectFails(check, RANK,
                {{"Tensor", In{f32({2})}, Out{i32({})},
                  "output 0 'output' (operand 1) is TENSOR_INT32, allowed INT32 [rank.types]"}});
}

TEST(Rank, Computes) {
    expectComputes(RANK, {{"Two", In{f32({1, 2}, {5, 6})}, Out{integer(2)}},
                          {"Six", In{b8({1, 1, 1, 1, 1, 1}, {1})}, Out{integer(6)}}});
}

}  // namespace
}  // namespace nn::ops::rank_test
