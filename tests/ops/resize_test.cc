#include "ops/tables.h"

namespace nn::ops::resize_test {
namespace {

constexpr auto RESIZE_BILINEAR = OperationType::RESIZE_BILINEAR;
constexpr auto RESIZE_NEAREST_NEIGHBOR = OperationType::RESIZE_NEAREST_NEIGHBOR;

const Arg kImage = f32({1, 2, 2, 3});
const Arg kNo = boolean(false);
const Arg kYes = boolean(true);

TEST(Resize, SaysWhyItRefuses) {
    expectFails(infer, RESIZE_BILINEAR,
                {{"RankThree", In{f32({2, 2, 3}), integer(1), integer(1)},
                  "input 0 'input' (operand 0) has rank 3, allowed 4 [resize.rank]"},
                 {"SizeZero", In{kImage, integer(1), integer(0)},
                  "input 2 'outputHeight' (operand 2) is 0, allowed 1 or more [resize.size]"},
                 {"FactorTooSmall", In{kImage, real(0.25f), real(1)},
                  "input 1 'widthFactor' (operand 1) is 0.25 and gives size 0, allowed 1 to "
                  "2147483647 [resize.factor]"},
                 {"FactorTooLarge", In{kImage, real(1), real(2e9f)},
                  "input 2 'heightFactor' (operand 2) is 2000000000 and gives size 4000000000, "
                  "allowed 1 to 2147483647 [resize.factor]"},
                 {"BothCorners", In{kImage, integer(1), integer(1), kNo, kYes, kYes},
                  "input 4 'alignCorners' (operand 4) and input 5 'halfPixelCenters' (operand 5) "
                  "are true, allowed one of them [resize.corners]"},
                 {"OtherScale", In{q8({1, 2, 2, 3}, {}, 1, 0), integer(1), integer(1)},
                  Out{q8({}, {}, 2, 0)},
                  "output 0 'output' (operand 3) has scale 2 and zeroPoint 0, allowed 1 and 0 as "
                  "input 0 'input' (operand 0) [resize.quantization]"}});
    expectFails(run, RESIZE_BILINEAR,
                {{"NoColumns", In{f32({1, 2, 0, 3}), integer(1), integer(1)},
                  "dimension 2 of input 0 'input' (operand 0) is 0, allowed 1 or more "
                  "[resize.empty]"}});
}

TEST(Resize, InfersShapes) {
    const Arg unknownFlag{.type = BOOL};
    const Arg unknownSize{.type = INT32};
    expectShapes(RESIZE_BILINEAR,
                 {{"UnknownImage", In{f32({0, 0, 2, 0}), real(2), real(2)}, Shapes{{0, 0, 4, 0}}},
                  {"UnknownRank", In{f32({}), integer(4), integer(5)}, Shapes{{0, 5, 4, 0}}},
                  {"UnknownWidth", In{kImage, unknownSize, integer(5)}, Shapes{{1, 5, 0, 3}}},
                  {"UnknownLayout", In{kImage, integer(4), integer(5), unknownFlag},
                   Shapes{{1, 0, 0, 0}}}});
}

// A row of pixels, and the number of pixels to resize it to.
std::vector<Arg> row(std::vector<float> pixels, int32_t width, Arg alignCorners = kNo,
                     Arg halfPixels = kNo) {
    const auto size = static_cast<uint32_t>(pixels.size());
    return {f32({1, 1, size, 1}, std::move(pixels)),
            integer(width),
            integer(1),
            kNo,
            std::move(alignCorners),
            std::move(halfPixels)};
}

TEST(Resize, ComputesBilinear) {
    expectComputes(
            RESIZE_BILINEAR,
            {{"Wider", row({0, 3}, 3), Out{f32({1, 1, 3, 1}, {0, 2, 3})}},
             {"Narrower", row({0, 3, 6}, 2), Out{f32({1, 1, 2, 1}, {0, 4.5f})}},
             {"AlignCorners", row({0, 3}, 3, kYes), Out{f32({1, 1, 3, 1}, {0, 1.5f, 3})}},
             {"HalfPixelsStayInside", row({0, 3}, 4, kNo, kYes),
              Out{f32({1, 1, 4, 1}, {0, 0.75f, 2.25f, 3})}},
             {"BothAxes", In{f32({1, 2, 2, 1}, {0, 4, 8, 12}), integer(4), integer(4)},
              Out{f32({1, 4, 4, 1}, {0, 2, 4, 4, 4, 6, 8, 8, 8, 10, 12, 12, 8, 10, 12, 12})}},
             {"Nhwc", In{f32({1, 1, 2, 2}, {0, 10, 3, 13}), integer(3), integer(1)},
              Out{f32({1, 1, 3, 2}, {0, 10, 2, 12, 3, 13})}},
             {"Nchw", In{f32({1, 2, 1, 2}, {0, 3, 10, 13}), integer(3), integer(1), kYes},
              Out{f32({1, 2, 1, 3}, {0, 2, 3, 10, 12, 13})}},
             {"Factor", In{f32({1, 1, 2, 1}, {0, 3}), real(1.5f), real(1)},
              Out{f32({1, 1, 3, 1}, {0, 2, 3})}},
             {"Half", In{f16({1, 1, 2, 1}, {0, 3}), real16(1.5f), real16(1)},
              Out{f16({1, 1, 3, 1}, {0, 2, 3})}},
             {"Quantized", In{q8({1, 1, 2, 1}, {4, 7}, 0.5f, 9), integer(3), integer(1)},
              Out{q8({1, 1, 3, 1}, {4, 6, 7}, 0.5f, 9)}},
             {"Signed", In{qs8({1, 1, 2, 1}, {-12, -9}, 0.5f, 9), integer(3), integer(1)},
              Out{qs8({1, 1, 3, 1}, {-12, -10, -9}, 0.5f, 9)}},
             {"NoBatches", In{f32({0, 1, 2, 1}), integer(3), integer(1)}, Out{f32({0, 1, 3, 1})}}});
}

TEST(Resize, ComputesNearest) {
    expectComputes(
            RESIZE_NEAREST_NEIGHBOR,
            {{"Wider", row({0, 3}, 3), Out{f32({1, 1, 3, 1}, {0, 0, 3})}},
             {"Narrower", row({0, 1, 2, 3}, 3), Out{f32({1, 1, 3, 1}, {0, 1, 2})}},
             {"AlignCornersRounds", row({0, 3}, 3, kYes), Out{f32({1, 1, 3, 1}, {0, 3, 3})}},
             {"HalfPixels", row({0, 1, 2, 3}, 3, kNo, kYes), Out{f32({1, 1, 3, 1}, {0, 2, 3})}},
             {"Nchw", In{f32({1, 2, 1, 2}, {0, 3, 10, 13}), integer(3), integer(1), kYes},
              Out{f32({1, 2, 1, 3}, {0, 0, 3, 10, 10, 13})}},
             {"Half", In{f16({1, 1, 2, 2}, {0, 10, 3, 13}), integer(3), integer(1), kNo},
              Out{f16({1, 1, 3, 2}, {0, 10, 0, 10, 3, 13})}},
             {"NoBatches", In{f32({0, 1, 2, 1}), integer(3), integer(1), kNo},
              Out{f32({0, 1, 3, 1})}}});
}

}  // namespace
}  // namespace nn::ops::resize_test
