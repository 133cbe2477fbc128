#include "ops/tables.h"

namespace nn::ops::embedding_lookup_test {
namespace {

constexpr auto EMBEDDING_LOOKUP = OperationType::EMBEDDING_LOOKUP;

TEST(EmbeddingLookup, SaysWhyPreparationFails) {
    expectFails(
            infer, EMBEDDING_LOOKUP,
            {{"LookupsOfRankTwo", In{i32({1, 1}), f32({2, 2})},
              "input 0 'lookups' (operand 0) has rank 2, allowed 1 [embedding_lookup.rank]"},
             {"ValuesOfRankOne", In{i32({1}), f32({2})},
              "input 1 'values' (operand 1) has rank 1, allowed 2 or more [embedding_lookup.rank]"},
             {"OtherScale", In{i32({1}), q8({2, 2}, {}, 1, 3)}, Out{q8({}, {}, 2, 3)},
              "output 0 'output' (operand 2) has scale 2 and zeroPoint 3, allowed 1 and 3 as input "
              "1 'values' (operand 1) [embedding_lookup.quantization]"}});
}

TEST(EmbeddingLookup, SaysWhyExecutionFails) {
    expectFails(run, EMBEDDING_LOOKUP,
                {{"Negative", In{i32({2}, {0, -1}), f32({2, 1}, {1, 2})},
                  "element 1 of input 0 'lookups' (operand 0) is -1, allowed 0 to 1 "
                  "[embedding_lookup.index]"},
                 {"TooLarge", In{i32({1}, {2}), f32({2, 1}, {1, 2})},
                  "element 0 of input 0 'lookups' (operand 0) is 2, allowed 0 to 1 "
                  "[embedding_lookup.index]"}});
}

TEST(EmbeddingLookup, InfersShapes) {
    expectShapes(EMBEDDING_LOOKUP, {{"UnknownNumber", In{i32({}), f32({2, 3})}, Shapes{{0, 3}}},
                                    {"UnknownRank", In{i32({4}), f32({})}, Shapes{{}}}});
}

}  // namespace
}  // namespace nn::ops::embedding_lookup_test
