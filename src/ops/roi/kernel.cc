#include <absl/algorithm/container.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "op_support/kernels/boxes.h"
#include "op_support/kernels/kernel_call.h"
#include "op_support/rules/image.h"
#include "ops/roi/signature.h"

namespace nn::ops {
namespace roi {
namespace {

// The regions of interest, each in pixels of its image.
struct Regions {
    std::span<const float> coordinates;
    std::span<const int32_t> images;
    float xScale, yScale;

    explicit Regions(KernelCall& op)
        : coordinates(op.reals(kRoi)),
          images(op.input(kBatchIndex).as<int32_t>()),
          xScale(1.0f / *op.real(kWidthRatio)),
          yScale(1.0f / *op.real(kHeightRatio)) {}

    size_t size() const { return images.size(); }
    size_t image(size_t i) const { return static_cast<size_t>(images[i]); }
    Box box(size_t i) const {
        const Box box = boxAt(coordinates, i);
        return {box.x1 * xScale, box.y1 * yScale, box.x2 * xScale, box.y2 * yScale};
    }
};

// True if all regions are within their images.
bool requireInside(const KernelCall& op, const Regions& regions, const Planes& in) {
    const auto height = static_cast<float>(in.height);
    const auto width = static_cast<float>(in.width);
    for (size_t i = 0; i < regions.size(); ++i) {
        const int32_t image = regions.images[i];
        const Box box = regions.box(i);
        if (!op.require(image >= 0 && static_cast<size_t>(image) < in.images, "roi.batch_index",
                        "element {} of {} is {}, allowed 0 to {}", i, op.in(kBatchIndex), image,
                        in.images - 1) ||
            !op.require(box.isWellFormed() && box.x1 >= 0 && box.y1 >= 0 && box.x2 <= width &&
                                box.y2 <= height,
                        "roi.box",
                        "{} has box {} from ({}, {}) to ({}, {}) in pixels, allowed within {} x {}",
                        op.in(kRoi), i, box.x1, box.y1, box.x2, box.y2, in.width, in.height)) {
            return false;
        }
    }
    return true;
}

// One axis of a region: its start, the size of a cell, and the samples in a cell.
struct RoiAxis {
    float start, cell;
    size_t samples;
    float bin;  // of one sample

    RoiAxis(float from, float to, size_t cells, int32_t wanted)
        : start(from),
          cell(std::max(to - from, 1.0f) / static_cast<float>(cells)),
          samples(wanted > 0 ? static_cast<size_t>(wanted) : static_cast<size_t>(std::ceil(cell))),
          bin(cell / static_cast<float>(samples)) {}
};

// The two pixels around a sample, and the weight of the second.
struct Tap {
    size_t low, high;
    float share;

    Tap() = default;
    Tap(const RoiAxis& extent, size_t cell, size_t sample, size_t size) {
        const float x = static_cast<float>(cell) * extent.cell + extent.start + extent.bin / 2 +
                        extent.bin * static_cast<float>(sample);
        const auto whole = static_cast<int64_t>(x);  // signed, since its conversion is faster
        low = static_cast<size_t>(whole);
        high = low + 1;
        share = x - static_cast<float>(whole);
        if (low + 1 >= size) {
            low = high = size - 1;
            share = 0;
        }
    }
};

// Adjacent samples of an axis.
class Taps {
   public:
    static constexpr size_t kMaxSamples = 32;

    // The samples of a cell, from number `first` on. False if they are those of the last call.
    bool place(const RoiAxis& axis, size_t cell, size_t first, size_t size) {
        if (cell == mCell && first == mFirst) return false;
        mCell = cell;
        mFirst = first;
        mCount = std::min(kMaxSamples, axis.samples - first);
        for (size_t i = 0; i < mCount; ++i) mTaps[i] = Tap(axis, cell, first + i, size);
        return true;
    }

    std::span<const Tap> all() const { return std::span(mTaps).first(mCount); }

   private:
    std::array<Tap, kMaxSamples> mTaps;  // mCount are in use
    size_t mCell = SIZE_MAX, mFirst = 0, mCount = 0;
};

// Adjacent samples of a row of samples, and for one channel the pixels around them.
class SampleRow {
   public:
    // The samples of a cell, from number `first` on.
    void place(const RoiAxis& columns, size_t cell, size_t first, size_t width) {
        if (!mTaps.place(columns, cell, first, width)) return;
        absl::c_transform(mTaps.all(), mRight.begin(), [](const Tap& tap) { return tap.share; });
        mTop = mBottom = nullptr;
    }

    size_t count() const { return mTaps.all().size(); }

    // mean[c] += the four pixels around each sample, in order, with their weights
    void addTo(std::span<double> mean, const float* top, const float* bottom, float rowShare) {
        if (mean.size() == 1) {
            mean[0] = addTo(mean[0], top, bottom, rowShare);
            return;
        }
        const size_t depth = mean.size();
        for (const Tap& h : mTaps.all()) {
            const float topLeft = (1 - rowShare) * (1 - h.share);
            const float topRight = (1 - rowShare) * h.share;
            const float bottomLeft = rowShare * (1 - h.share);
            const float bottomRight = rowShare * h.share;
            for (size_t c = 0; c < depth; ++c) {
                mean[c] += topLeft * top[h.low * depth + c] + topRight * top[h.high * depth + c] +
                           bottomLeft * bottom[h.low * depth + c] +
                           bottomRight * bottom[h.high * depth + c];
            }
        }
    }

   private:
    using Floats = std::array<float, Taps::kMaxSamples>;

    // The same for one channel: all samples at once, then their sum. The next row of samples often
    // needs the same rows of pixels.
    double addTo(double sum, const float* top, const float* bottom, float rowShare) {
        if (top != mTop || bottom != mBottom) gather(top, bottom);
        Floats samples;
        const size_t full = (count() + 3) / 4 * 4;
        for (size_t i = 0; i < full; ++i) {
            const float right = mRight[i], left = 1 - right;
            samples[i] = (1 - rowShare) * left * mTopLeft[i] +
                         (1 - rowShare) * right * mTopRight[i] + rowShare * left * mBottomLeft[i] +
                         rowShare * right * mBottomRight[i];
        }
        for (const float sample : std::span(samples).first(count())) sum += sample;
        return sum;
    }

    void gather(const float* top, const float* bottom) {
        mTop = top;
        mBottom = bottom;
        for (size_t i = 0; i < count(); ++i) {
            const Tap& tap = mTaps.all()[i];
            mTopLeft[i] = top[tap.low];
            mTopRight[i] = top[tap.high];
            mBottomLeft[i] = bottom[tap.low];
            mBottomRight[i] = bottom[tap.high];
        }
    }

    Taps mTaps;
    const float* mTop = nullptr;  // the rows of the pixels
    const float* mBottom = nullptr;
    Floats mRight{}, mTopLeft{}, mTopRight{}, mBottomLeft{}, mBottomRight{};
};

// The cells of a region of ROI_ALIGN.
class Aligned {
   public:
    Aligned(Interruption& interruption, const Planes& in, const float* image, const RoiAxis& rows,
            const RoiAxis& columns)
        : mInterruption(interruption), mIn(in), mImage(image), mRows(rows), mColumns(columns) {}

    // mean = the average over all samples of a cell, each interpolated from four pixels, for all
    // channels
    void operator()(size_t row, size_t column, std::span<double> mean) {
        absl::c_fill(mean, 0.0);
        for (size_t plane = 0; plane < mIn.perImage; ++plane) {
            for (size_t first = 0; first < mRows.samples; first += mTaps.all().size()) {
                mTaps.place(mRows, row, first, mIn.height);
                for (const Tap& v : mTaps.all())
                    addRow(plane, v, column, mean.subspan(plane * mIn.depth, mIn.depth));
            }
        }
        const auto count =
                static_cast<double>(mRows.samples) * static_cast<double>(mColumns.samples);
        for (double& m : mean) m /= count;
    }

   private:
    void addRow(size_t plane, const Tap& v, size_t column, std::span<double> mean) {
        const size_t width = mIn.width * mIn.depth;
        const float* pixels = mImage + plane * mIn.size();
        for (size_t first = 0; first < mColumns.samples; first += mSamples.count()) {
            mSamples.place(mColumns, column, first, mIn.width);
            mInterruption.spend(4 * mean.size() * mSamples.count());
            mSamples.addTo(mean, pixels + v.low * width, pixels + v.high * width, v.share);
        }
    }

    Interruption& mInterruption;
    const Planes& mIn;
    const float* mImage;
    RoiAxis mRows, mColumns;
    Taps mTaps;  // of the rows
    SampleRow mSamples;
};

// The pixels of one axis that a cell of a pooled region covers: [begin, end).
struct Cover {
    size_t begin, end;

    Cover(float from, float to, size_t cells, size_t cell, size_t size) {
        const float start = std::round(from);
        const float extent = std::max(std::round(to) - start + 1, 1.0f);
        const float step = extent / static_cast<float>(cells);
        const auto at = static_cast<float>(cell);
        begin = std::min(static_cast<size_t>(std::floor(at * step + start)), size);
        end = std::min(static_cast<size_t>(std::ceil((at + 1) * step + start)), size);
    }
};

// most = the largest value of each channel in a cell; 0 if the cell covers no pixel
void pool(Interruption& interruption, const Planes& in, const float* x, const Cover& rows,
          const Cover& columns, std::span<double> most) {
    const bool isEmpty = rows.begin >= rows.end || columns.begin >= columns.end;
    absl::c_fill(most, isEmpty ? 0.0 : -std::numeric_limits<double>::infinity());
    for (size_t plane = 0; plane < in.perImage; ++plane) {
        for (size_t row = rows.begin; row < rows.end; ++row) {
            const float* line = x + plane * in.size() + row * in.width * in.depth;
            if (!isEmpty) interruption.spend((columns.end - columns.begin) * in.depth);
            for (size_t column = columns.begin; column < columns.end; ++column) {
                for (size_t c = 0; c < in.depth; ++c) {
                    double& m = most[plane * in.depth + c];
                    m = std::max<double>(m, line[column * in.depth + c]);
                }
            }
        }
    }
}

// Writes a cell, whose channels are contiguous, into the planes of a region.
void put(std::span<const double> cell, const Planes& out, size_t row, size_t column, float* y) {
    y += (row * out.width + column) * out.depth;
    for (size_t plane = 0; plane < out.perImage; ++plane) {
        absl::c_transform(cell.subspan(plane * out.depth, out.depth), y + plane * out.size(),
                          [](double v) { return static_cast<float>(v); });
    }
}

// Computes every cell of every region, column by column, by cellsOf(in, out, box, first pixel of
// its image)(row, column, cell).
template <class CellsOf>
bool forEachCell(KernelCall& op, bool nchw, const CellsOf& cellsOf) {
    const Planes in(op.input(kInput), nchw);
    const Planes out(op.output(0), nchw);
    const Regions regions(op);
    if (!requireInside(op, regions, in)) return false;

    const auto x = op.reals(kInput);
    const auto y = op.realOutput(0);
    const auto cell = op.scratch<double>(in.perImage * in.depth);
    for (size_t i = 0; i < regions.size(); ++i) {
        const float* image = x.data() + regions.image(i) * in.perImage * in.size();
        auto compute = cellsOf(in, out, regions.box(i), image);
        for (size_t column = 0; column < out.width; ++column) {
            for (size_t row = 0; row < out.height; ++row) {
                compute(row, column, cell);
                put(cell, out, row, column, y.data() + i * out.perImage * out.size());
            }
        }
    }
    op.store(0, y);
    return true;
}

}  // namespace
}  // namespace roi

bool kernels::ROI_ALIGN(KernelCall& op) {
    using namespace roi;
    const int32_t heightSamples = *op.int32(kHeightSamples);
    const int32_t widthSamples = *op.int32(kWidthSamples);
    return forEachCell(
            op, *op.boolean(kAlignNchw),
            [&](const Planes& in, const Planes& out, const Box& box, const float* image) {
                return Aligned(op.interruption(), in, image,
                               RoiAxis(box.y1, box.y2, out.height, heightSamples),
                               RoiAxis(box.x1, box.x2, out.width, widthSamples));
            });
}

bool kernels::ROI_POOLING(KernelCall& op) {
    using namespace roi;
    return forEachCell(
            op, *op.boolean(kPoolingNchw),
            [&](const Planes& in, const Planes& out, const Box& box, const float* image) {
                return [&op, &in, &out, box, image](size_t row, size_t column,
                                                    std::span<double> cell) {
                    const Cover rows(box.y1, box.y2, out.height, row, in.height);
                    const Cover columns(box.x1, box.x2, out.width, column, in.width);
                    pool(op.interruption(), in, image, rows, columns, cell);
                };
            });
}

}  // namespace nn::ops
