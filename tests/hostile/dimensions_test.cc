// Dimensions: overflowing sizes, excessive ranks, tensors without elements.
#include "hostile/hostile_models.h"

namespace nn::hostile::dimensions_test {
namespace {

void setAll(Operand& operand, uint32_t dimension) {
    for (uint32_t& d : operand.dimensions) d = dimension;
}

void setRank(Operand& operand, size_t rank) { operand.dimensions.assign(rank, 1); }

// The dimensions of the input differ from those of its value.
#define NNAPI_INPUT(function) \
    [](Subject& s) { return s.change(s.tensor(), [](Operand& o) { function; }); }
#define NNAPI_OUTPUT(function) \
    [](Subject& s) { return s.change(s.output(0), [](Operand& o) { function; }); }

constexpr Case kCases[] = {
        {"InputProductWraps32Bits", NNAPI_INPUT(setAll(o, 65536))},
        {"InputProductWraps64Bits", NNAPI_INPUT(o.dimensions.assign(5, 65536))},
        {"InputDimensionMax", NNAPI_INPUT(if (!o.dimensions.empty()) o.dimensions[0] = UINT32_MAX)},
        {"InputAllMax", NNAPI_INPUT(setAll(o, UINT32_MAX))},
        {"InputRank0", NNAPI_INPUT(setRank(o, 0))},
        {"InputRank9", NNAPI_INPUT(setRank(o, 9))},
        {"InputRank64", NNAPI_INPUT(setRank(o, 64))},
        {"InputRank65", NNAPI_INPUT(setRank(o, 65))},
        {"InputRank1000", NNAPI_INPUT(setRank(o, 1000))},
        {"InputDimension0", NNAPI_INPUT(if (!o.dimensions.empty()) o.dimensions[0] = 0)},
        {"OutputProductWraps32Bits", NNAPI_OUTPUT(setAll(o, 65536))},
        {"OutputProductWraps64Bits", NNAPI_OUTPUT(o.dimensions.assign(5, 65536))},
        {"OutputDimensionMax",
         NNAPI_OUTPUT(if (!o.dimensions.empty()) o.dimensions[0] = UINT32_MAX)},
        {"OutputAllMax", NNAPI_OUTPUT(setAll(o, UINT32_MAX))},
        {"OutputRank0", NNAPI_OUTPUT(setRank(o, 0))},
        {"OutputRank9", NNAPI_OUTPUT(setRank(o, 9))},
        {"OutputRank1000", NNAPI_OUTPUT(setRank(o, 1000))},
        {"OutputDimension0", NNAPI_OUTPUT(if (!o.dimensions.empty()) o.dimensions[0] = 0)},
};

TEST(Hostile, Dimensions) { runSection("dimensions", kCases); }

#undef NNAPI_INPUT
#undef NNAPI_OUTPUT

}  // namespace
}  // namespace nn::hostile::dimensions_test
