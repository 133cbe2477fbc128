// Operations on boxes. As defined, boxes are selected in single precision.
#include <algorithm>
#include <array>
#include <numeric>

#include "oracle/operation_view.h"

namespace nn::oracle {
namespace {

using Box = std::array<float, 4>;  // x1, y1, x2, y2

float single(const Array& array, std::initializer_list<int64_t> at) {
    return static_cast<float>(array.real(at));
}
Box boxAt(const Array& boxes, int64_t row, int64_t first = 0) {
    Box box{};
    for (int64_t i = 0; i < 4; ++i) box[size_t(i)] = single(boxes, {row, first + i});
    return box;
}
void requireBox(const Box& box) {
    if (!(box[0] <= box[2] && box[1] <= box[3])) throw Refused("malformed box");
}

float overlap(const Box& a, const Box& b) {
    const float w = std::max(std::min(a[2], b[2]) - std::max(a[0], b[0]), 0.0f);
    const float h = std::max(std::min(a[3], b[3]) - std::max(a[1], b[1]), 0.0f);
    const float both = w * h;
    const float areaA = (a[2] - a[0]) * (a[3] - a[1]), areaB = (b[2] - b[0]) * (b[3] - b[1]);
    return both / (areaA + areaB - both);
}

// Repeatedly selects the best remaining candidate: the first with the highest score is swapped with
// the first candidate; dropped ones are replaced by the last. `decay` returns the new score of a
// candidate, or empty to drop it.
template <class Decay>
std::vector<size_t> suppress(std::vector<size_t> candidates, const std::vector<Box>& boxes,
                             std::vector<float>& scores, int64_t limit, Decay decay) {
    std::vector<size_t> selected;
    while (!candidates.empty() && (limit < 0 || int64_t(selected.size()) < limit)) {
        size_t best = 0;
        for (size_t i = 1; i < candidates.size(); ++i) {
            if (scores[candidates[i]] > scores[candidates[best]]) best = i;
        }
        std::swap(candidates[0], candidates[best]);
        const size_t winner = candidates[0];
        selected.push_back(winner);
        for (size_t i = 1; i < candidates.size();) {
            const size_t other = candidates[i];
            if (decay(scores[other], overlap(boxes[other], boxes[winner]))) {
                ++i;
            } else {
                candidates[i] = candidates.back();
                candidates.pop_back();
            }
        }
        candidates.erase(candidates.begin());
    }
    return selected;
}

std::vector<size_t> suppressHard(std::vector<size_t> candidates, const std::vector<Box>& boxes,
                                 std::vector<float> scores, float threshold, int64_t limit) {
    return suppress(std::move(candidates), boxes, scores, limit,
                    [&](float&, float iou) { return !(iou >= threshold); });
}

// Moves and scales a box by (dx, dy, dw, dh) and clips it to an image (height, width).
Box transformed(const Box& box, const Box& delta, float imageHeight, float imageWidth) {
    const float w = box[2] - box[0], h = box[3] - box[1];
    const float cx = (box[0] + box[2]) / 2 + delta[0] * w;
    const float cy = (box[1] + box[3]) / 2 + delta[1] * h;
    const float halfW = std::exp(delta[2]) * w / 2, halfH = std::exp(delta[3]) * h / 2;
    const auto cut = [](float v, float most) { return std::min(std::max(v, 0.0f), most); };
    return {cut(cx - halfW, imageWidth), cut(cy - halfH, imageHeight), cut(cx + halfW, imageWidth),
            cut(cy + halfH, imageHeight)};
}

void axisAlignedBboxTransform(Call& call) {
    const Array &roi = call.in(0), &deltas = call.in(1), &batch = call.in(2), &info = call.in(3);
    Array& out = call.out(0, deltas.dims);
    for (int64_t r = 0; r < roi.dims[0]; ++r) {
        const auto image = int64_t(batch.raw({r}));
        if (image < 0 || image >= info.dims[0]) throw Refused("no such image");
        requireBox(boxAt(roi, r));
        for (int64_t k = 0; k < deltas.dims[1]; k += 4) {
            const Box box = transformed(boxAt(roi, r), boxAt(deltas, r, k),
                                        single(info, {image, 0}), single(info, {image, 1}));
            for (int64_t i = 0; i < 4; ++i) out.put({r, k + i}, box[size_t(i)]);
        }
    }
}

struct Detection {
    float score;
    size_t row, label;  // label: a class
};

void boxWithNmsLimit(Call& call) {
    const Array &scores = call.in(0), &roi = call.in(1), &batch = call.in(2);
    const auto threshold = float(call.number(3)), iouThreshold = float(call.number(6)),
               sigma = float(call.number(7)), dropBelow = float(call.number(8));
    const int64_t limit = call.integer(4), kernel = call.integer(5);
    const auto rows = size_t(scores.dims[0]), classes = size_t(scores.dims[1]);

    const auto decay = [&](float& score, float iou) {
        const float factor = kernel == 2          ? std::exp(-1.0f * iou * iou / sigma)
                             : iou < iouThreshold ? 1.0f
                             : kernel == 0        ? 0.0f
                                                  : 1.0f - iou;
        score *= factor;
        return !(score < dropBelow);
    };
    const auto better = [](const Detection& a, const Detection& b) { return a.score > b.score; };

    for (size_t r = 0; r < rows; ++r) {
        if (batch.raw({int64_t(r)}) < 0) throw Refused("negative batch");
        for (size_t k = 0; k < classes; ++k) requireBox(boxAt(roi, int64_t(r), int64_t(k) * 4));
    }
    std::vector<Detection> all;
    for (size_t begin = 0, end = 0; begin < rows; begin = end) {
        while (end < rows && batch.stored[end] == batch.stored[begin]) ++end;
        std::vector<Detection> group;
        for (size_t k = 1; k < classes; ++k) {
            std::vector<Box> boxes(rows);
            std::vector<float> working(rows);
            std::vector<size_t> candidates;
            for (size_t r = begin; r < end; ++r) {
                boxes[r] = boxAt(roi, int64_t(r), int64_t(k) * 4);
                working[r] = single(scores, {int64_t(r), int64_t(k)});
                if (working[r] > threshold) candidates.push_back(r);
            }
            for (const size_t r : suppress(candidates, boxes, working, limit, decay)) {
                group.push_back({working[r], r, k});
            }
        }
        std::ranges::stable_sort(group, better);
        if (limit >= 0 && int64_t(group.size()) > limit) group.resize(size_t(limit));
        std::ranges::stable_sort(group, [&](const Detection& a, const Detection& b) {
            return a.label != b.label ? a.label < b.label : better(a, b);
        });
        all.insert(all.end(), group.begin(), group.end());
    }

    const auto count = int64_t(all.size());
    Array &outScores = call.out(0, {count}), &outRoi = call.out(1, {count, 4});
    Array &outClasses = call.out(2, {count}), &outBatch = call.out(3, {count});
    for (int64_t i = 0; i < count; ++i) {
        const Detection& d = all[size_t(i)];
        outScores.put({i}, d.score);
        outClasses.put({i}, double(d.label));
        outBatch.put({i}, batch.stored[d.row]);
        for (int64_t c = 0; c < 4; ++c) {
            outRoi.putRaw(Index{i, c}, roi.raw({int64_t(d.row), int64_t(d.label) * 4 + c}));
        }
    }
}

void generateProposals(Call& call) {
    const bool nchw = call.flag(10);
    const Image scores{&call.in(0), nchw}, deltas{&call.in(1), nchw};
    const Array &anchors = call.in(2), &info = call.in(3);
    const auto strideY = float(call.number(4)), strideX = float(call.number(5)),
               threshold = float(call.number(8)), least = float(call.number(9));
    const int64_t before = call.integer(6), after = call.integer(7);
    struct Proposal {
        float score;
        Box box;
        int64_t image;
    };
    std::vector<Proposal> all;
    for (int64_t n = 0; n < scores.batches(); ++n) {
        const float imageHeight = single(info, {n, 0}), imageWidth = single(info, {n, 1});
        std::vector<Box> boxes;
        std::vector<float> values;
        forEach({scores.height(), scores.width(), anchors.dims[0]}, [&](const Index& at) {
            Box box = boxAt(anchors, at[2]), delta{};
            for (size_t i = 0; i < 4; ++i) {
                box[i] += i % 2 == 0 ? float(at[1]) * strideX : float(at[0]) * strideY;
                delta[i] = float(deltas.real(n, at[0], at[1], at[2] * 4 + int64_t(i)));
            }
            requireBox(box);
            boxes.push_back(transformed(box, delta, imageHeight, imageWidth));
            values.push_back(float(scores.real(n, at[0], at[1], at[2])));
        });
        std::vector<size_t> list(boxes.size());
        std::iota(list.begin(), list.end(), 0u);
        if (before > 0 && before < int64_t(list.size())) {
            std::ranges::stable_sort(list,
                                     [&](size_t a, size_t b) { return values[a] > values[b]; });
            list.resize(size_t(before));
        }
        std::erase_if(list, [&](size_t i) {
            const Box& box = boxes[i];
            const float w = box[2] - box[0], h = box[3] - box[1];
            return !(w > least && h > least && box[0] + w / 2 < imageWidth &&
                     box[1] + h / 2 < imageHeight);
        });
        for (const size_t i : suppressHard(list, boxes, values, threshold, after)) {
            all.push_back({values[i], boxes[i], n});
        }
    }
    const auto count = int64_t(all.size());
    Array &outScores = call.out(0, {count}), &outRoi = call.out(1, {count, 4});
    Array& outBatch = call.out(2, {count});
    for (int64_t i = 0; i < count; ++i) {
        outScores.put({i}, all[size_t(i)].score);
        outBatch.put({i}, double(all[size_t(i)].image));
        for (int64_t c = 0; c < 4; ++c) outRoi.put({i, c}, all[size_t(i)].box[size_t(c)]);
    }
}

void detectionPostprocessing(Call& call) {
    const Array &scores = call.in(0), &deltas = call.in(1), &anchors = call.in(2);
    const bool regular = call.flag(7);
    const int64_t most = call.integer(8), perAnchor = call.integer(9), perClass = call.integer(10);
    const auto threshold = float(call.number(11)), iouThreshold = float(call.number(12));
    const int64_t shift = call.flag(13) ? 0 : 1;
    const int64_t batches = scores.dims[0], count = scores.dims[1], classes = scores.dims[2];
    const int64_t rows = regular ? most : most * perAnchor;
    Array &outScores = call.out(0, {batches, rows}), &outBoxes = call.out(1, {batches, rows, 4});
    Array &outClasses = call.out(2, {batches, rows}), &outCount = call.out(3, {batches});

    for (int64_t n = 0; n < batches; ++n) {
        std::vector<Box> boxes;
        for (int64_t a = 0; a < count; ++a) {
            const Box anchor = boxAt(anchors, a);  // yc, xc, h, w
            Box d{};
            for (int64_t i = 0; i < 4; ++i) {
                d[size_t(i)] = single(deltas, {n, a, i}) / float(call.number(size_t(3 + i)));
            }
            const float yc = anchor[0] + d[0] * anchor[2], xc = anchor[1] + d[1] * anchor[3];
            const float h = std::exp(d[2]) * anchor[2] / 2, w = std::exp(d[3]) * anchor[3] / 2;
            boxes.push_back({xc - w, yc - h, xc + w, yc + h});
        }
        const auto scoreOf = [&](size_t anchor, int64_t k) {
            return single(scores, {n, int64_t(anchor), k});
        };
        const auto select = [&](const std::vector<float>& values, int64_t limit) {
            std::vector<size_t> candidates;
            for (size_t a = 0; a < values.size(); ++a) {
                if (values[a] > threshold) candidates.push_back(a);
            }
            return suppressHard(candidates, boxes, values, iouThreshold, limit);
        };
        std::vector<Detection> found;
        const auto better = [](const Detection& a, const Detection& b) {
            return a.score > b.score;
        };
        if (regular) {
            for (int64_t k = 1; k < classes; ++k) {
                std::vector<float> values;
                for (size_t a = 0; a < boxes.size(); ++a) values.push_back(scoreOf(a, k));
                for (const size_t a : select(values, perClass)) {
                    found.push_back({values[a], a, size_t(k)});
                }
            }
            std::ranges::stable_sort(found, better);
            if (int64_t(found.size()) > most) found.resize(size_t(most));
        } else {
            std::vector<float> values;
            for (size_t a = 0; a < boxes.size(); ++a) {
                float best = scoreOf(a, 1);
                for (int64_t k = 2; k < classes; ++k) best = std::max(best, scoreOf(a, k));
                values.push_back(best);
            }
            for (const size_t a : select(values, most)) {
                std::vector<Detection> labels;
                for (int64_t k = 1; k < classes; ++k) {
                    labels.push_back({scoreOf(a, k), a, size_t(k)});
                }
                std::ranges::stable_sort(labels, better);
                if (int64_t(labels.size()) > perAnchor) labels.resize(size_t(perAnchor));
                found.insert(found.end(), labels.begin(), labels.end());
            }
        }
        outCount.put({n}, double(found.size()));
        for (int64_t i = 0; i < int64_t(found.size()); ++i) {
            const Detection& d = found[size_t(i)];
            const Box& box = boxes[d.row];
            outScores.put({n, i}, d.score);
            outClasses.put({n, i}, double(int64_t(d.label) - shift));
            outBoxes.put({n, i, 0}, box[1]);
            outBoxes.put({n, i, 1}, box[0]);
            outBoxes.put({n, i, 2}, box[3]);
            outBoxes.put({n, i, 3}, box[2]);
        }
    }
}

void heatmapMaxKeypoint(Call& call) {
    const Image map{&call.in(0), call.flag(2)};
    const Array& boxes = call.in(1);
    const int64_t size = map.height();
    const double t = map.array->type == OperandType::TENSOR_FLOAT16 ? 1e-3 : 1e-5;
    Array& scores = call.out(0, {map.batches(), map.channels()});
    Array& points = call.out(1, {map.batches(), map.channels(), 2});
    forEach(scores.dims, [&](const Index& at) {
        const Box box = boxAt(boxes, at[0]);
        requireBox(box);
        int64_t row = 0, column = 0;
        forEach({size, size}, [&](const Index& p) {
            if (map.raw(at[0], p[0], p[1], at[1]) > map.raw(at[0], row, column, at[1])) {
                row = p[0];
                column = p[1];
            }
        });
        const auto mirrored = [&](int64_t i) { return i < 0 ? 1 : i >= size ? size - 2 : i; };
        const auto g = [&](int64_t down, int64_t across) {
            return map.real(at[0], mirrored(row + down - 1), mirrored(column + across - 1), at[1]);
        };
        const double b0 = -(g(1, 2) - g(1, 0)) / 2, b1 = -(g(2, 1) - g(0, 1)) / 2;
        const double a00 = g(1, 0) - 2 * g(1, 1) + g(1, 2);
        const double a11 = g(0, 1) - 2 * g(1, 1) + g(2, 1);
        const double a01 = (g(2, 2) - g(2, 0) - g(0, 2) + g(0, 0)) / 4;
        const double det = a00 * a11 - a01 * a01;
        double dx = 0, dy = 0, score = g(1, 1);
        if (!(std::fabs(det) < t + t * (a00 * a11))) {
            dx = (a11 * b0 - a01 * b1) / det;
            dy = (a00 * b1 - a01 * b0) / det;
            const double longest = std::max(std::fabs(dx), std::fabs(dy));
            if (longest > 1.5) {
                dx *= 1.5 / longest;
                dy *= 1.5 / longest;
            }
            score += -b0 * dx - b1 * dy +
                     ((a00 * dx + a01 * dy) * dx + (a01 * dx + a11 * dy) * dy) / 2;
        }
        scores.put(at, score);
        const auto place = [&](double low, double high, double pixel) {
            return low + (high - low) * (pixel + 0.5) / double(size);
        };
        points.put({at[0], at[1], 0}, place(box[0], box[2], double(column) + dx));
        points.put({at[0], at[1], 1}, place(box[1], box[3], double(row) + dy));
    });
}

// A region in pixels of the map.
struct Region {
    int64_t image;
    Box box;
};
Region regionAt(const Call& call, const Image& map, int64_t r) {
    const Array& roi = call.in(1);
    const float y = 1 / float(call.number(5)), x = 1 / float(call.number(6));
    Region region{.image = int64_t(call.in(2).raw({r})), .box = boxAt(roi, r)};
    Box& box = region.box;
    box = {box[0] * x, box[1] * y, box[2] * x, box[3] * y};
    if (region.image < 0 || region.image >= map.batches()) throw Refused("no such image");
    if (box[0] < 0 || box[1] < 0 || box[2] > float(map.width()) || box[3] > float(map.height())) {
        throw Refused("region outside of the map");
    }
    requireBox(box);
    return region;
}

double sampled(const Image& map, int64_t n, double y, double x, int64_t c) {
    const auto split = [](double v, int64_t size, int64_t& low, int64_t& high) {
        low = int64_t(std::floor(v));
        if (low >= size - 1) {
            low = high = size - 1;
            return 0.0;
        }
        high = low + 1;
        return v - double(low);
    };
    int64_t top = 0, bottom = 0, left = 0, right = 0;
    const double down = split(y, map.height(), top, bottom);
    const double across = split(x, map.width(), left, right);
    return (map.real(n, top, left, c) * (1 - across) + map.real(n, top, right, c) * across) *
                   (1 - down) +
           (map.real(n, bottom, left, c) * (1 - across) + map.real(n, bottom, right, c) * across) *
                   down;
}

void roiAlign(Call& call) {
    const Image map{&call.in(0), call.flag(9)};
    const int64_t rows = call.integer(3), columns = call.integer(4);
    const Index dims{call.in(1).dims[0], rows, columns, map.channels()};
    Array& y = call.out(0, imageDims(map.nchw, dims[0], dims[1], dims[2], dims[3]));
    for (int64_t r = 0; r < dims[0]; ++r) {
        const Region region = regionAt(call, map, r);
        const Box& box = region.box;
        const float stepX = std::max(box[2] - box[0], 1.0f) / float(columns);
        const float stepY = std::max(box[3] - box[1], 1.0f) / float(rows);
        const int64_t givenY = call.integer(7), givenX = call.integer(8);
        const int64_t samplesY = givenY > 0 ? givenY : int64_t(std::ceil(stepY));
        const int64_t samplesX = givenX > 0 ? givenX : int64_t(std::ceil(stepX));
        forEach({rows, columns, map.channels()}, [&](const Index& at) {
            double sum = 0;
            forEach({samplesY, samplesX}, [&](const Index& s) {
                const auto position = [](float first, float step, int64_t cell, int64_t sample,
                                         int64_t samples) {
                    return double(first) +
                           double(step) * (double(cell) + (double(sample) + 0.5) / double(samples));
                };
                sum += sampled(map, region.image, position(box[1], stepY, at[0], s[0], samplesY),
                               position(box[0], stepX, at[1], s[1], samplesX), at[2]);
            });
            y.put(imageDims(map.nchw, r, at[0], at[1], at[2]), sum / double(samplesY * samplesX));
        });
    }
}

void roiPooling(Call& call) {
    const Image map{&call.in(0), call.flag(7)};
    const int64_t rows = call.integer(3), columns = call.integer(4);
    const Index dims{call.in(1).dims[0], rows, columns, map.channels()};
    Array& y = call.out(0, imageDims(map.nchw, dims[0], dims[1], dims[2], dims[3]));
    const auto cell = [](float low, float high, int64_t cells, int64_t i, int64_t size) {
        const float first = std::round(low), last = std::round(high);
        const float step = std::max(last - first + 1, 1.0f) / float(cells);
        const float from = float(i) * step, to = float(i + 1) * step;
        const auto begin = int64_t(std::floor(from + first)), end = int64_t(std::ceil(to + first));
        return std::pair(std::min(begin, size), std::min(end, size));
    };
    for (int64_t r = 0; r < dims[0]; ++r) {
        const Region region = regionAt(call, map, r);
        const Box& box = region.box;
        forEach({rows, columns, map.channels()}, [&](const Index& at) {
            const auto [top, bottom] = cell(box[1], box[3], rows, at[0], map.height());
            const auto [left, right] = cell(box[0], box[2], columns, at[1], map.width());
            std::vector<double> covered;
            for (int64_t i = top; i < bottom; ++i) {
                for (int64_t j = left; j < right; ++j) {
                    covered.push_back(map.real(region.image, i, j, at[2]));
                }
            }
            y.put(imageDims(map.nchw, r, at[0], at[1], at[2]),
                  covered.empty() ? 0 : *std::ranges::max_element(covered));
        });
    }
}

}  // namespace

Functions detectionFunctions() {
    using enum OperationType;
    return {{AXIS_ALIGNED_BBOX_TRANSFORM, axisAlignedBboxTransform},
            {BOX_WITH_NMS_LIMIT, boxWithNmsLimit},
            {GENERATE_PROPOSALS, generateProposals},
            {DETECTION_POSTPROCESSING, detectionPostprocessing},
            {HEATMAP_MAX_KEYPOINT, heatmapMaxKeypoint},
            {ROI_ALIGN, roiAlign},
            {ROI_POOLING, roiPooling}};
}

}  // namespace nn::oracle
