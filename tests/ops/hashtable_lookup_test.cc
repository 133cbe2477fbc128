#include "ops/tables.h"

namespace nn::ops::hashtable_lookup_test {
namespace {

constexpr auto HASHTABLE_LOOKUP = OperationType::HASHTABLE_LOOKUP;

TEST(HashtableLookup, SaysWhyPreparationFails) {
    const Arg hits = q8({}, {}, 1, 0);
    expectFails(
            infer, HASHTABLE_LOOKUP,
            {{"LookupsOfRankTwo", In{i32({1, 1}), i32({2}), f32({2})}, Out{f32({}), hits},
              "input 0 'lookups' (operand 0) has rank 2, allowed 1 [hashtable_lookup.rank]"},
             {"OtherNumberOfKeys", In{i32({1}), i32({3}), f32({2})}, Out{f32({}), hits},
              "the number of keys is 3, allowed 2 as the number of rows of values "
              "[hashtable_lookup.keys]"},
             {"Hits", In{i32({1}), i32({2}), f32({2})}, Out{f32({}), q8({}, {}, 0.5f, 1)},
              "output 1 'hits' (operand 4) has scale 0.5 and zeroPoint 1, allowed 1 and 0 "
              "[hashtable_lookup.hits]"},
             {"OtherScale", In{i32({1}), i32({2}), q8({2}, {}, 1, 3)}, Out{q8({}, {}, 2, 3), hits},
              "output 0 'output' (operand 3) has scale 2 and zeroPoint 3, allowed 1 and 3 as input "
              "2 'values' (operand 2) [hashtable_lookup.quantization]"}});
}

TEST(HashtableLookup, InfersShapes) {
    const Arg hits = q8({}, {}, 1, 0);
    expectShapes(HASHTABLE_LOOKUP, {{"UnknownNumber", In{i32({}), i32({2}), f32({2, 3})},
                                     Out{f32({}), hits}, Shapes{{0, 3}, {0}}},
                                    {"UnknownRank", In{i32({4}), i32({2}), f32({})},
                                     Out{f32({}), q8({}, {}, 1, 0)}, Shapes{{}, {4}}}});
}

TEST(HashtableLookup, Computes) {
    expectComputes(HASHTABLE_LOOKUP,
                   {{"MissIsBytesOfZero", In{i32({1}, {1}), i32({1}, {0}), q8({1}, {7}, 1, 3)},
                     Out{q8({1}, {0}, 1, 3), q8({1}, {0}, 1, 0)}}});
}

}  // namespace
}  // namespace nn::ops::hashtable_lookup_test
