// Windows for kernels: rows computed by hand, and comparisons with counting.
#include "nnapi/kernel/windows.h"

#include <gtest/gtest.h>

#include <vector>

namespace nn::kernel_windows_test {
namespace {

using namespace kernel;
using enum PaddingScheme;
using Size = std::optional<uint32_t>;

TEST(KernelWindows, PadAndSize) {
    const struct {
        Window window;
        PaddingScheme scheme;
        uint32_t input;
        std::optional<Padding> padding;
        Size output;
    } kRows[] = {
            {{3, 1, 1}, VALID, 5, Padding{0, 0}, 3},
            {{3, 1, 1}, SAME, 5, Padding{1, 1}, 5},
            {{2, 1, 1}, SAME, 5, Padding{0, 1}, 5},  // the odd element is padded at the end
            {{3, 2, 1}, SAME, 5, Padding{1, 1}, 3},
            {{3, 2, 1}, SAME, 6, Padding{0, 1}, 3},
            {{3, 1, 2}, SAME, 7, Padding{2, 2}, 7},  // extends over 5
            {{3, 1, 2}, VALID, 7, Padding{0, 0}, 3},
            {{3, 2, 3}, SAME, 10, Padding{2, 3}, 5},  // extends over 7
            {{1, 3, 1}, SAME, 7, Padding{0, 0}, 3},   // the stride skips the remainder
            {{5, 1, 1}, VALID, 4, Padding{0, 0}, std::nullopt},
            {{5, 1, 1}, SAME, 1, Padding{2, 2}, 1},
            {{3, 1, 1}, SAME, 0, Padding{1, 1}, std::nullopt},
            {{3, 1, 1}, NONE, 5, Padding{0, 0}, 3},
            {{3, 1, 1}, PaddingScheme{9}, 5, Padding{0, 0}, 3},
            {{0, 1, 1}, SAME, 5, std::nullopt, std::nullopt},
            {{3, 0, 1}, SAME, 5, std::nullopt, std::nullopt},
            {{3, 1, 0}, SAME, 5, std::nullopt, std::nullopt},
            {{-1, -1, -1}, VALID, 5, std::nullopt, std::nullopt},
            {{INT32_MAX, 1, INT32_MAX}, SAME, 5, std::nullopt, std::nullopt},
            {{2, 1, INT32_MAX}, SAME, 1, Padding{1073741823, 1073741824}, 1},
            {{INT32_MAX, 1, INT32_MAX}, VALID, UINT32_MAX, Padding{0, 0}, std::nullopt},
            {{1, 1, 1}, VALID, UINT32_MAX, Padding{0, 0}, UINT32_MAX},
            {{1, INT32_MAX, 1}, VALID, UINT32_MAX, Padding{0, 0}, 3},
    };
    for (const auto& row : kRows) {
        const auto padding = row.window.implicitPadding(row.scheme, row.input);
        EXPECT_EQ(padding, row.padding) << row.window.filter << " over " << row.input;
        if (!padding) continue;
        EXPECT_EQ(row.window.outputSize(row.input, *padding), row.output);
        EXPECT_EQ(WindowAxis::create(row.window, row.input, *padding).has_value(),
                  row.output.has_value());
    }
}

TEST(KernelWindows, TakeExplicitPaddings) {
    const Window window{.filter = 3, .stride = 2};
    EXPECT_EQ(window.outputSize(5, {1, 1}), Size(3));
    EXPECT_EQ(window.outputSize(5, {0, 1}), Size(2));
    EXPECT_EQ(window.outputSize(5, {-2, 0}), Size(1));
    EXPECT_EQ(window.outputSize(5, {-3, 0}), Size());
    EXPECT_EQ(window.outputSize(5, {INT32_MIN, INT32_MIN}), Size());
    EXPECT_EQ(window.outputSize(UINT32_MAX, {INT32_MAX, INT32_MAX}), Size(INT32_MAX + 2147483647u))
            << "(2^33 - 4) / 2 rounded down, of which there are 2^32 - 2";
    EXPECT_EQ((Window{1, 1, 1}.outputSize(UINT32_MAX, {1, 0})), Size()) << "2^32 positions";
    EXPECT_EQ(window.positions(1, {0, 0}), 0);
    EXPECT_EQ((Window{3, 0, 1}.positions(1, {0, 0})), -1);
    EXPECT_LT((Window{INT32_MAX, 1, INT32_MAX}.positions(0, {INT32_MIN, INT32_MIN})), 0);
    EXPECT_GT((Window{INT32_MIN, 1, INT32_MAX}.positions(0, {0, 0})), 0)
            << "not a size, but a value";
    EXPECT_EQ((Window{INT32_MIN, 1, INT32_MAX}.outputSize(0, {0, 0})), Size());
}

TEST(KernelWindows, PadAndSizeTransposed) {
    const struct {
        Window window;
        PaddingScheme scheme;
        uint32_t input, output;  // the requested output size for SAME, and the resulting one
        std::optional<Padding> padding;
    } kRows[] = {
            {{3, 1, 1}, VALID, 3, 5, Padding{0, 0}}, {{3, 2, 1}, VALID, 3, 7, Padding{0, 0}},
            {{3, 2, 1}, SAME, 3, 5, Padding{1, 1}},  {{3, 2, 1}, SAME, 3, 6, Padding{0, 1}},
            {{1, 2, 1}, SAME, 3, 6, Padding{0, -1}},  // one element that no window reaches
            {{2, 2, 1}, SAME, 3, 6, Padding{0, 0}},  {{4, 1, 1}, SAME, 5, 5, Padding{1, 2}},
            {{3, 2, 2}, SAME, 3, 6, std::nullopt},   {{3, 2, 1}, SAME, 3, 0, std::nullopt},
            {{3, 0, 1}, SAME, 3, 6, std::nullopt},
    };
    for (const auto& row : kRows) {
        const auto padding = row.window.implicitTransposedPadding(row.scheme, row.output);
        EXPECT_EQ(padding, row.padding) << row.window.filter << " to " << row.output;
        if (!padding) continue;
        EXPECT_EQ(row.window.transposedOutputSize(row.input, *padding), Size(row.output));
        const auto axis = WindowAxis::createTransposed(row.window, row.input, *padding);
        ASSERT_TRUE(axis);
        EXPECT_EQ(axis->input, row.output);
        EXPECT_EQ(axis->output, row.input);
    }
    const Window window{.filter = 3, .stride = 2};
    EXPECT_EQ(window.transposedOutputSize(0, {0, 0}), Size());
    EXPECT_EQ(window.transposedOutputSize(3, {-1, 0}), Size());
    EXPECT_EQ(window.transposedOutputSize(3, {7, 0}), Size());
    EXPECT_EQ(window.transposedOutputSize(3, {6, 0}), Size(1));
    EXPECT_EQ(window.transposedOutputSize(UINT32_MAX, {0, 0}), Size());
    EXPECT_GT(
            (Window{INT32_MAX, INT32_MAX, 1}.transposedExtent(UINT32_MAX, {INT32_MIN, INT32_MIN})),
            0);
    EXPECT_EQ((Window{1, INT32_MIN, 1}.transposedExtent(UINT32_MAX, {0, 0})), -1);
    EXPECT_FALSE(WindowAxis::createTransposed({.filter = 3, .dilation = 2}, 3, {0, 0}));
}

// The taps within the input, counted individually.
TEST(KernelWindows, FindTheTapsInside) {
    for (const Window window :
         {Window{3, 1, 1}, Window{3, 2, 2}, Window{2, 3, 5}, Window{7, 1, 1}}) {
        for (uint32_t input = 1; input < 12; ++input) {
            for (const Padding padding :
                 {Padding{0, 0}, Padding{3, 2}, Padding{6, 9}, Padding{-1, 4}}) {
                const auto axis = WindowAxis::create(window, input, padding);
                if (!axis) continue;
                for (int64_t y = 0; y < axis->output; ++y) {
                    std::vector<int64_t> expected, found;
                    for (int64_t t = 0; t < window.filter; ++t) {
                        const int64_t at = y * window.stride + t * window.dilation - padding.head;
                        if (at >= 0 && at < input) expected.push_back(at);
                    }
                    const WindowAxis::Taps taps = axis->tapsAt(y);
                    for (int64_t t = taps.first; t < taps.last; ++t) {
                        found.push_back(taps.start + t * axis->dilation);
                    }
                    EXPECT_EQ(found, expected) << window.filter << " over " << input << " at " << y;
                    EXPECT_EQ(taps.count(), static_cast<int64_t>(expected.size()));
                }
            }
        }
    }
}

// SAME gives ceil(input / stride) for every window.
TEST(KernelWindows, SameDividesRoundedUp) {
    for (int32_t filter = 1; filter < 6; ++filter) {
        for (int32_t stride = 1; stride < 5; ++stride) {
            for (int32_t dilation = 1; dilation < 4; ++dilation) {
                for (uint32_t input = 1; input < 20; ++input) {
                    const Window window{filter, stride, dilation};
                    const auto padding = window.implicitPadding(SAME, input);
                    ASSERT_TRUE(padding);
                    const auto steps = static_cast<uint32_t>(stride);
                    EXPECT_EQ(window.outputSize(input, *padding), (input + steps - 1) / steps);
                    EXPECT_GE(padding->tail - padding->head, 0);
                    EXPECT_LE(padding->tail - padding->head, 1);
                }
            }
        }
    }
}

}  // namespace
}  // namespace nn::kernel_windows_test
