#include "ops/tables.h"

namespace nn::ops::rank_test {
namespace {

constexpr auto RANK = OperationType::RANK;

TEST(Rank, NeedsTheLeastVersion) {
    const Arg scalar = as(INT32, i32({}));
    expectNeeds(RANK, {{"Float", {f32({2})}, {scalar}, V1_3},
                       {"Truth", {b8({2})}, {scalar}, V1_3},
                       {"PerChannel", {perChannel({2}, {}, {1, 1}, 0)}, {scalar}, V1_3}});
}

TEST(Rank, SaysWhyItRefuses) {
    expectFails(check, RANK,
                {{"Tensor",
                  {f32({2})},
                  {i32({})},
                  "output 0 'output' (operand 1) is TENSOR_INT32, allowed INT32 [rank.types]"}});
}

TEST(Rank, Computes) {
    expectComputes(RANK, {{"Two", {f32({1, 2}, {5, 6})}, {integer(2)}},
                          {"Six", {b8({1, 1, 1, 1, 1, 1}, {1})}, {integer(6)}}});
}

}  // namespace
}  // namespace nn::ops::rank_test
