#include "ops/tables.h"

namespace nn::ops::lsh_projection_test {
namespace {

constexpr auto LSH_PROJECTION = OperationType::LSH_PROJECTION;

std::vector<Arg> with(Arg hash, Arg input, Arg weights, int32_t type) {
    return {std::move(hash), std::move(input), std::move(weights), integer(type)};
}

const Arg kHash = f32({4, 2});
const Arg kInput = i32({3, 2});
const Arg kNone = omitted(TENSOR_FLOAT32);

TEST(LshProjection, NeedsTheLeastVersion) {
    expectNeeds(LSH_PROJECTION, {{"Float", with(kHash, kInput, kNone, 1), Out{i32({})}, V1_0},
                                 {"Half", with(f16({4, 2}), kInput, omitted(TENSOR_FLOAT16), 1),
                                  Out{i32({})}, V1_2}});
}

TEST(LshProjection, SaysWhyItRefuses) {
    expectFails(infer, LSH_PROJECTION,
                {{"RankOne", with(f32({4}), kInput, kNone, 1), Out{i32({})},
                  "input 0 'hash' (operand 0) has rank 1, allowed 2 [lsh_projection.rank]"},
                 {"ManyBits", with(f32({4, 33}), kInput, kNone, 1), Out{i32({})},
                  "dimension 1 of input 0 'hash' (operand 0) is 33, allowed 1 to 32 "
                  "[lsh_projection.bits]"},
                 {"Type", with(kHash, kInput, kNone, 0), Out{i32({})},
                  "input 3 'type' (operand 3) is 0, allowed 1 (SPARSE_DEPRECATED), 2 (DENSE) or 3 "
                  "(SPARSE) [lsh_projection.type]"},
                 {"SparseWithWeights", with(kHash, kInput, f32({3}), 3), Out{i32({})},
                  "input 2 'weights' (operand 2) has a value, allowed only for type 2 (DENSE) "
                  "[lsh_projection.weights]"},
                 {"DenseWithoutWeights", with(kHash, kInput, kNone, 2), Out{i32({})},
                  "input 2 'weights' (operand 2) has no value, allowed only for types 1 and 3 "
                  "[lsh_projection.weights]"},
                 {"OtherWeights", with(kHash, kInput, f32({4}), 2), Out{i32({})},
                  "dimension 0 of input 2 'weights' (operand 2) is 4, allowed 3 as dimension 0 of "
                  "input 1 'input' (operand 1) [lsh_projection.shapes]"},
                 {"ManyHashes", with(f32({UINT32_MAX, 2}), kInput, f32({3}), 2), Out{i32({})},
                  "input 0 'hash' (operand 0) has 8589934590 bits, allowed up to 4294967295 "
                  "[lsh_projection.shapes]"}});
}

TEST(LshProjection, InfersShapes) {
    expectShapes(LSH_PROJECTION,
                 {{"Unknown", with(f32({}), kInput, f32({3}), 2), Out{i32({})}, Shapes{{0}}}});
}

// Each of eight seeds is hashed with each row of two integers.
TEST(LshProjection, CountsItsSteps) {
    EXPECT_EQ(stepsOf(LSH_PROJECTION,
                      with(f32({4, 2}, std::vector<float>(8)), i32({3, 2}, {1, 2, 3, 4, 5, 6}),
                           kNone, 1),
                      {i32({})}),
              3u * 8 * (4 + 8));
}

}  // namespace
}  // namespace nn::ops::lsh_projection_test
