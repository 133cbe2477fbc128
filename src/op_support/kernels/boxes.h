// Boxes and their selection, for the operations that detect objects.
//
// Comparisons select the boxes, so all arithmetic here is in plain floats, in the order of the
// source code.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "op_support/kernels/interruption.h"

namespace nn::ops {

// A box by two corners. Well-formed boxes have x1 <= x2 and y1 <= y2.
struct Box {
    float x1, y1, x2, y2;

    bool isWellFormed() const { return x1 <= x2 && y1 <= y2; }
    float area() const { return (x2 - x1) * (y2 - y1); }
};

// The i-th of boxes that are stored as four coordinates.
inline Box boxAt(std::span<const float> coordinates, size_t i) {
    const float* c = coordinates.data() + 4 * i;
    return {c[0], c[1], c[2], c[3]};
}
inline void setBox(std::span<float> coordinates, size_t i, const Box& box) {
    float* c = coordinates.data() + 4 * i;
    c[0] = box.x1;
    c[1] = box.y1;
    c[2] = box.x2;
    c[3] = box.y2;
}

// Intersection over union; NaN for two boxes without area.
inline float iou(const Box& a, const Box& b) {
    const float width = std::max(std::min(a.x2, b.x2) - std::max(a.x1, b.x1), 0.0f);
    const float height = std::max(std::min(a.y2, b.y2) - std::max(a.y1, b.y1), 0.0f);
    const float intersection = width * height;
    return intersection / (a.area() + b.area() - intersection);
}

// A box moved by (dx, dy) times its size, scaled by (e^dw, e^dh), and clipped to an image.
inline Box transformed(const Box& box, const float* delta, float imageHeight, float imageWidth) {
    const float width = box.x2 - box.x1;
    const float height = box.y2 - box.y1;
    const float centerX = (box.x1 + box.x2) / 2 + delta[0] * width;
    const float centerY = (box.y1 + box.y2) / 2 + delta[1] * height;
    const float halfWidth = std::exp(delta[2]) * width / 2;
    const float halfHeight = std::exp(delta[3]) * height / 2;
    const auto cut = [](float x, float most) { return std::min(std::max(x, 0.0f), most); };
    return {cut(centerX - halfWidth, imageWidth), cut(centerY - halfHeight, imageHeight),
            cut(centerX + halfWidth, imageWidth), cut(centerY + halfHeight, imageHeight)};
}

// Orders scores from high to low; NaN comes last.
inline bool isHigher(float a, float b) { return a > b || (std::isnan(b) && !std::isnan(a)); }

// A selected box with its score. The position keeps sorting stable.
struct ScoredBox {
    float score;
    size_t box;
    size_t position;
};
inline bool isBefore(const ScoredBox& a, const ScoredBox& b) {
    if (isHigher(a.score, b.score)) return true;
    return !isHigher(b.score, a.score) && a.position < b.position;
}

// Non-maximum suppression. Repeatedly selects, among the undecided candidates, the first with the
// highest score, and drops those for which `drops(candidate, selected)` is true. A negative limit
// means none.
//
// Reorders the list so that the selected come first, in order of selection, and returns their
// number. Ties depend on how candidates move: the selected one is swapped with the first undecided,
// and a dropped one is replaced by the last.
template <class ScoreOf, class Drops>
size_t suppress(Interruption& interruption, std::span<size_t> list, int64_t limit,
                const ScoreOf& scoreOf, const Drops& drops) {
    size_t selected = 0;
    size_t end = list.size();
    while (selected < end && (limit < 0 || selected < static_cast<size_t>(limit))) {
        interruption.spend(2 * (end - selected));  // each is compared once, and then tried
        size_t best = selected;
        for (size_t i = selected + 1; i < end; ++i) {
            if (scoreOf(list[i]) > scoreOf(list[best])) best = i;
        }
        std::swap(list[selected], list[best]);
        const size_t winner = list[selected++];
        for (size_t i = selected; i < end;) {
            if (drops(list[i], winner)) {
                list[i] = list[--end];
            } else {
                ++i;
            }
        }
    }
    return selected;
}

}  // namespace nn::ops
