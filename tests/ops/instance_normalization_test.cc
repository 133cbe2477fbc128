#include "ops/tables.h"

namespace nn::ops::instance_normalization_test {
namespace {

constexpr auto INSTANCE_NORMALIZATION = OperationType::INSTANCE_NORMALIZATION;

// Inputs with gamma 2, beta 1, epsilon 3.
std::vector<Arg> with(Arg input, bool nchw) {
    return {std::move(input), real(2), real(1), real(3), boolean(nchw)};
}

TEST(InstanceNormalization, SaysWhyItRefuses) {
    expectFails(
            infer, INSTANCE_NORMALIZATION,
            {{"RankThree", with(f32({2, 2, 3}), false),
              "input 0 'input' (operand 0) has rank 3, allowed 4 [instance_normalization.rank]"}});
}

TEST(InstanceNormalization, Computes) {
    // One channel with variance 1, where the root is 2; one that is constant.
    expectComputes(INSTANCE_NORMALIZATION,
                   {{"Nhwc", with(f32({1, 1, 2, 2}, {0, 5, 2, 5}), false),
                     Out{f32({1, 1, 2, 2}, {0, 1, 2, 1})}},
                    {"Nchw", with(f32({1, 2, 1, 2}, {0, 2, 5, 5}), true),
                     Out{f32({1, 2, 1, 2}, {0, 2, 1, 1})}},
                    {"EachImageForItself", with(f32({2, 2, 1, 1}, {0, 2, 5, 5}), false),
                     Out{f32({2, 2, 1, 1}, {0, 2, 1, 1})}},
                    {"LargeMean", with(f32({1, 1, 2, 1}, {1e6f, 1e6f + 2}), false),
                     Out{f32({1, 1, 2, 1}, {0, 2})}},
                    {"Half",
                     In{f16({1, 1, 2, 1}, {0, 2}), real16(2), real16(1), real16(3), boolean(false)},
                     Out{f16({1, 1, 2, 1}, {0, 2})}}});
}

}  // namespace
}  // namespace nn::ops::instance_normalization_test
