#include <cmath>

#include "ops/tables.h"

namespace nn::ops::roi_test {
namespace {

constexpr auto ROI_ALIGN = OperationType::ROI_ALIGN;
constexpr auto ROI_POOLING = OperationType::ROI_POOLING;

const Arg kMap = f32({1, 4, 4, 2});
const Arg kRoi = f32({3, 4});
const Arg kBatchIndex = i32({3});

struct Grid {
    int32_t height = 1, width = 1;
    float ratio = 1;
    int32_t samples = 1;
    bool nchw = false;
};

std::vector<Arg> align(Arg map, Arg roi, Arg batchIndex, Grid grid = {}) {
    return {std::move(map),        std::move(roi),    std::move(batchIndex), integer(grid.height),
            integer(grid.width),   real(grid.ratio),  real(grid.ratio),      integer(grid.samples),
            integer(grid.samples), boolean(grid.nchw)};
}

std::vector<Arg> pool(Arg map, Arg roi, Arg batchIndex, Grid grid = {}) {
    return {std::move(map),      std::move(roi),   std::move(batchIndex), integer(grid.height),
            integer(grid.width), real(grid.ratio), real(grid.ratio),      boolean(grid.nchw)};
}

TEST(Roi, SaysWhyItRefuses) {
    expectFails(
            infer, ROI_ALIGN,
            {{"RankThree", align(f32({4, 4, 2}), kRoi, kBatchIndex),
              "input 0 'input' (operand 0) has rank 3, allowed 4 [roi.rank]"},
             {"FiveCoordinates", align(kMap, f32({3, 5}), kBatchIndex),
              "dimension 1 of input 1 'roi' (operand 1) is 5, allowed 4 [roi.boxes]"},
             {"OtherBatches", align(kMap, kRoi, i32({2})),
              "dimension 0 of input 2 'batchIndex' (operand 2) is 2, allowed 3 as dimension 0 of "
              "input 1 'roi' (operand 1) [roi.boxes]"},
             {"NoRows", align(kMap, kRoi, kBatchIndex, {.height = 0}),
              "input 3 'outputHeight' (operand 3) is 0, allowed 1 or more [roi.size]"},
             {"RatioZero", align(kMap, kRoi, kBatchIndex, {.ratio = 0}),
              "input 5 'heightRatio' (operand 5) is 0, allowed above 0 [roi.ratio]"},
             {"SamplesNegative", align(kMap, kRoi, kBatchIndex, {.samples = -1}),
              "input 7 'heightSamples' (operand 7) is -1, allowed 0 to 1024 [roi.samples]"},
             {"SamplesTooMany", align(kMap, kRoi, kBatchIndex, {.samples = 1025}),
              "input 7 'heightSamples' (operand 7) is 1025, allowed 0 to 1024 [roi.samples]"},
             {"RoiScale", align(q8({1, 4, 4, 2}, {}, 1, 0), q16a({3, 4}, {}, 0.5f, 0), kBatchIndex),
              Out{q8({}, {}, 1, 0)},
              "input 1 'roi' (operand 1) has scale 0.5 and zeroPoint 0, allowed 0.125 and 0 "
              "[roi.box_quantization]"}});
    expectFails(infer, ROI_POOLING,
                {{"OtherScale",
                  pool(q8({1, 4, 4, 2}, {}, 1, 0), q16a({3, 4}, {}, 0.125f, 0), kBatchIndex),
                  Out{q8({}, {}, 2, 0)},
                  "output 0 'output' (operand 8) has scale 2 and zeroPoint 0, allowed 1 and 0 as "
                  "input 0 'input' (operand 0) [roi.quantization]"}});
    const Arg map = f32({1, 1, 2, 1}, {0, 10});
    expectFails(
            run, ROI_ALIGN,
            {{"NoChannels", align(f32({1, 1, 2, 0}), f32({0, 4}), i32({0})),
              "dimension 3 of input 0 'input' (operand 0) is 0, allowed 1 or more [roi.empty]"},
             {"BatchTooLarge", align(map, f32({1, 4}, {0, 0, 1, 1}), i32({1}, {1})),
              "element 0 of input 2 'batchIndex' (operand 2) is 1, allowed 0 to 0 "
              "[roi.batch_index]"},
             {"WrongWayRound", align(map, f32({1, 4}, {1, 0, 0, 1}), i32({1}, {0})),
              "input 1 'roi' (operand 1) has box 0 from (1, 0) to (0, 1) in pixels, allowed within "
              "2 x 1 [roi.box]"},
             {"Outside", align(map, f32({1, 4}, {0, 0, 5, 2}), i32({1}, {0}), {.ratio = 2}),
              "input 1 'roi' (operand 1) has box 0 from (0, 0) to (2.5, 1) in pixels, allowed "
              "within 2 x 1 [roi.box]"},
             {"NotANumber", align(map, f32({1, 4}, {NAN, 0, 1, 1}), i32({1}, {0})),
              "input 1 'roi' (operand 1) has box 0 from (nan, 0) to (1, 1) in pixels, allowed "
              "within 2 x 1 [roi.box]"}});
}

TEST(Roi, InfersShapes) {
    expectShapes(ROI_ALIGN, {{"Unknown", align(f32({}), f32({}), i32({})), Shapes{{0, 1, 1, 0}}}});
}

TEST(Roi, ComputesAlign) {
    const Arg map = f32({1, 1, 2, 1}, {0, 10});
    const Arg whole = f32({1, 4}, {0, 0, 2, 1});
    const Arg first = i32({1}, {0});
    expectComputes(
            ROI_ALIGN,
            {{"OneSample", align(map, whole, first), Out{f32({1, 1, 1, 1}, {10})}},
             {"TwoSamples", align(map, whole, first, {.samples = 2}),
              Out{f32({1, 1, 1, 1}, {7.5f})}},
             {"AsManyAsPixels", align(map, whole, first, {.samples = 0}),
              Out{f32({1, 1, 1, 1}, {7.5f})}},
             {"TwoCells", align(map, whole, first, {.width = 2}), Out{f32({1, 1, 2, 1}, {5, 10})}},
             {"Ratio", align(map, f32({1, 4}, {0, 0, 4, 2}), first, {.ratio = 2}),
              Out{f32({1, 1, 1, 1}, {10})}},
             {"AtLeastOnePixel", align(map, f32({1, 4}, {0, 0, 0, 0}), first),
              Out{f32({1, 1, 1, 1}, {5})}},
             {"AtTheEdge", align(map, f32({1, 4}, {2, 1, 2, 1}), first),
              Out{f32({1, 1, 1, 1}, {10})}},
             {"Nhwc", align(f32({1, 1, 2, 2}, {0, 100, 10, 110}), whole, first, {.width = 2}),
              Out{f32({1, 1, 2, 2}, {5, 105, 10, 110})}},
             {"Nchw",
              align(f32({1, 2, 1, 2}, {0, 10, 100, 110}), whole, first, {.width = 2, .nchw = true}),
              Out{f32({1, 2, 1, 2}, {5, 10, 105, 110})}},
             {"AnyOrderOfImages",
              align(f32({2, 1, 1, 1}, {3, 4}), f32({3, 4}, {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1}),
                    i32({3}, {1, 0, 1})),
              Out{f32({3, 1, 1, 1}, {4, 3, 4})}},
             {"Quantized",
              align(q8({1, 1, 2, 1}, {0, 10}, 1, 0), q16a({1, 4}, {0, 0, 16, 8}, 0.125f, 0), first,
                    {.samples = 2}),
              Out{q8({1, 1, 1, 1}, {25}, 0.5f, 10)}},
             {"NoRegions", align(map, f32({0, 4}), i32({0})), Out{f32({0, 1, 1, 1})}}});
}

// Bit-exact, also with more samples than are processed together.
TEST(Roi, AlignsOneChannelAsOneOfTwo) {
    std::vector<float> one(5 * 6), two(5 * 6 * 2);
    for (size_t i = 0; i < one.size(); ++i)
        one[i] = two[2 * i] = std::sin(static_cast<float>(i * i)) * 100;
    const Arg roi = f32({2, 4}, {0.3f, 0.2f, 5.7f, 4.1f, 1, 1, 2, 5});
    const Arg images = i32({2}, {0, 0});
    for (const int32_t samples : {0, 1, 3, 4, 32, 33, 70}) {
        const Grid grid{.height = 4, .width = 3, .samples = samples};
        const Outcome single =
                run(ROI_ALIGN, align(f32({1, 5, 6, 1}, one), roi, images, grid), {f32({})});
        const Outcome pair =
                run(ROI_ALIGN, align(f32({1, 5, 6, 2}, two), roi, images, grid), {f32({})});
        ASSERT_EQ(single.error + pair.error, "");
        const std::vector<uint8_t>& a = single.outputs[0].data;
        const std::vector<uint8_t>& b = pair.outputs[0].data;
        ASSERT_EQ(2 * a.size(), b.size());
        for (size_t i = 0; i < a.size(); i += sizeof(float))
            EXPECT_TRUE(std::equal(&a[i], &a[i] + sizeof(float), &b[2 * i])) << samples;
    }
}

TEST(Roi, ComputesPooling) {
    const Arg map = f32({1, 1, 3, 1}, {-5, -2, -3});
    const Arg first = i32({1}, {0});
    expectComputes(
            ROI_POOLING,
            {{"Whole", pool(map, f32({1, 4}, {0, 0, 2, 0}), first), Out{f32({1, 1, 1, 1}, {-2})}},
             {"CellsOverlap", pool(map, f32({1, 4}, {0, 0, 2, 0}), first, {.width = 2}),
              Out{f32({1, 1, 2, 1}, {-2, -2})}},
             {"EdgesRound", pool(map, f32({1, 4}, {0.4f, 0, 0.4f, 0}), first),
              Out{f32({1, 1, 1, 1}, {-5})}},
             {"EmptyIsZero", pool(map, f32({1, 4}, {3, 0, 3, 0}), first),
              Out{f32({1, 1, 1, 1}, {0})}},
             {"StepsInFloat",  // 3 * (7 / 3) equals 7 only after rounding
              pool(f32({1, 1, 8, 1}, {1, 2, 3, 4, 5, 6, 7, 8}), f32({1, 4}, {0, 0, 6, 0}), first,
                   {.width = 3}),
              Out{f32({1, 1, 3, 1}, {3, 5, 7})}},
             {"Nchw",
              pool(f32({1, 2, 1, 2}, {1, 2, 4, 3}), f32({1, 4}, {0, 0, 1, 0}), first,
                   {.nchw = true}),
              Out{f32({1, 2, 1, 1}, {2, 4})}},
             {"QuantizedEmptyIsTheZeroPoint",
              pool(qs8({1, 1, 1, 1}, {-7}, 1, 4), q16a({2, 4}, {0, 0, 0, 0, 8, 0, 8, 0}, 0.125f, 0),
                   i32({2}, {0, 0})),
              Out{qs8({2, 1, 1, 1}, {-7, 4}, 1, 4)}}});
}

TEST(Roi, CountsItsSteps) {
    const Arg map = f32({1, 4, 4, 2}, std::vector<float>(32));
    const Arg roi = f32({2, 4}, {0, 0, 3, 3, 0, 0, 3, 3});
    const Arg images = i32({2}, {0, 0});
    // Each sample reads four pixels.
    EXPECT_EQ(stepsOf(ROI_ALIGN, align(map, roi, images, {.width = 3, .samples = 5}), {f32({})}),
              2u * 3 * (5 * 5) * (4 * 2));
    EXPECT_EQ(stepsOf(ROI_POOLING, pool(map, roi, images, {.width = 2}), {f32({})}),
              2u * 2 * (4 * 2) * 2);
}

}  // namespace
}  // namespace nn::ops::roi_test
