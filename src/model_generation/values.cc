#include "model_generation/values.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "nnapi/half.h"
#include "nnapi/type_utils.h"

namespace nn::testing {

namespace {

bool isReal(OperandType type) {
    return type != OperandType::INT32 && type != OperandType::TENSOR_INT32 &&
           type != OperandType::BOOL;
}

std::vector<uint8_t> elementsOf(Source& source, const Operand& operand) {
    const auto size = static_cast<size_t>(operandSize(operand).value_or(0));
    std::vector<uint8_t> bytes(size);
    const auto fill = [&](auto make) {
        using E = decltype(make());
        for (size_t i = 0; i + sizeof(E) <= size; i += sizeof(E)) {
            const E element = make();
            std::memcpy(bytes.data() + i, &element, sizeof(E));
        }
    };
    const auto small = [&] {
        return static_cast<float>(static_cast<int>(source.below(17)) - 8) / 4;
    };
    switch (operand.type) {
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            fill(small);
            break;
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
            fill([&] { return floatToHalf(small()); });
            break;
        case OperandType::INT32:
        case OperandType::TENSOR_INT32:
            fill([&] { return static_cast<int32_t>(source.below(5)) - 1; });
            break;
        case OperandType::BOOL:
        case OperandType::TENSOR_BOOL8:
            fill([&] { return static_cast<uint8_t>(source.coin()); });
            break;
        default:
            fill([&] { return source.byte(); });
            break;
    }
    return bytes;
}

}  // namespace

std::vector<uint8_t> anyValue(Source& source, const Operand& operand) {
    constexpr uint64_t kMaxElements = 256;
    const auto size = static_cast<size_t>(operandSize(operand).value_or(0));
    if (size / std::max(elementSize(operand.type), 1u) <= kMaxElements) {
        return elementsOf(source, operand);
    }
    // A period that fits no shape.
    std::vector<uint8_t> period(961 + 2 * source.below(64));
    constexpr size_t kDrawn = 64;
    for (size_t i = 0; i < period.size(); ++i) {
        period[i] = i < kDrawn ? source.byte()
                               : static_cast<uint8_t>(period[i - 7] * 5 + period[i - kDrawn] + 1);
    }
    std::vector<uint8_t> bytes(size);
    for (size_t i = 0; i < size; ++i) bytes[i] = period[i % period.size()];
    Source repeated(bytes);
    return elementsOf(repeated, operand);
}

namespace {

// Random numbers; a tensor draws as many as it needs from one number of the source.
class ValueStream {
   public:
    explicit ValueStream(Source& source) : mState(source.number() | 1) {}

    uint64_t below(uint64_t bound) { return static_cast<uint64_t>(next()) * bound >> 32; }
    // In steps, from -most to most.
    float around(float most, uint32_t steps) {
        return most * (static_cast<float>(below(2 * steps + 1)) / static_cast<float>(steps) - 1);
    }

   private:
    uint32_t next() {  // xorshift64*
        mState ^= mState >> 12;
        mState ^= mState << 25;
        mState ^= mState >> 27;
        return static_cast<uint32_t>(mState * 0x2545F4914F6CDD1D >> 32);
    }
    uint64_t mState;
};

// One float in four is whole where values are wide.
float variedFloat(ValueStream& numbers, Spread spread, float most) {
    if (spread != Spread::WIDE) return numbers.around(most, static_cast<uint32_t>(4 * most));
    const float value = numbers.around(most, 1 << 22);
    return numbers.below(4) == 0 ? std::round(value) : value;
}

}  // namespace

std::vector<uint8_t> variedValue(Source& source, const Operand& operand, Spread spread) {
    std::vector<uint8_t> bytes(static_cast<size_t>(operandSize(operand).value_or(0)));
    static constexpr float kMost[] = {2, 8, 1, 4, 16, 128};  // the first two where sums are exact
    const bool isHalf = operand.type == OperandType::TENSOR_FLOAT16;
    const bool isWide = spread == Spread::WIDE;
    const float most = kMost[source.below(isHalf ? (isWide ? 4 : 1) : (isWide ? 6 : 2))];
    const int64_t maxWhole = int64_t{1} << source.below(spread == Spread::EXACT ? 4 : 16);
    ValueStream numbers(source);
    const auto fill = [&](auto make) {
        using E = decltype(make());
        for (size_t i = 0; i + sizeof(E) <= bytes.size(); i += sizeof(E)) {
            const E element = make();
            std::memcpy(bytes.data() + i, &element, sizeof(E));
        }
    };
    switch (operand.type) {
        case OperandType::TENSOR_FLOAT32:
            fill([&] { return variedFloat(numbers, spread, most); });
            return bytes;
        case OperandType::TENSOR_FLOAT16:
            fill([&] { return floatToHalf(variedFloat(numbers, spread, most)); });
            return bytes;
        case OperandType::TENSOR_INT32:
            fill([&] {
                const auto width = static_cast<uint64_t>(2 * maxWhole + 1);
                return static_cast<int32_t>(static_cast<int64_t>(numbers.below(width)) - maxWhole);
            });
            return bytes;
        case OperandType::TENSOR_QUANT8_ASYMM:
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
        case OperandType::TENSOR_QUANT8_SYMM:
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
            fill([&] { return static_cast<uint8_t>(numbers.below(256)); });
            return bytes;
        default:
            return anyValue(source, operand);
    }
}

Quantization variedQuantization(Source& source, OperandType type) {
    if (source.oneIn(4)) return anyQuantization(source);
    const auto power = static_cast<float>(uint64_t{1} << source.below(8));
    Quantization drawn{.scale = static_cast<float>(257 + source.below(255)) / 256 / power};
    const OperandTypeInfo* info = operandTypeInfo(type);
    if (info == nullptr) return drawn;
    const int32_t least = info->zeroPointMin, most = info->zeroPointMax;
    const auto width = static_cast<uint64_t>(int64_t{most} - least + 1);
    const int32_t any = least + static_cast<int32_t>(source.below(width));
    drawn.zeroPoint = std::array{least, most, any, any}[source.below(4)];
    return drawn;
}

Quantization anyQuantization(Source& source) {
    static constexpr float kScales[] = {0.5f, 1.0f, 0.25f, 4.0f, 1.0f / 128, 1.0f / 256};
    static constexpr int32_t kZeroPoints[] = {0, 128, -128, 3};
    return {source.pick<float>(kScales), source.pick<int32_t>(kZeroPoints)};
}

void append(std::vector<uint8_t>& bytes, OperandType type, float value) {
    const auto add = [&bytes](auto element) {
        const auto* first = reinterpret_cast<const uint8_t*>(&element);
        bytes.insert(bytes.end(), first, first + sizeof(element));
    };
    switch (type) {
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            return add(value);
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16:
            return add(floatToHalf(value));
        case OperandType::INT32:
        case OperandType::TENSOR_INT32:
            return add(static_cast<int32_t>(value));
        case OperandType::TENSOR_QUANT16_ASYMM:
        case OperandType::TENSOR_QUANT16_SYMM:
            return add(static_cast<int16_t>(value / kBoxScale));
        default:
            return add(static_cast<uint8_t>(value));
    }
}

namespace {

// For a non-empty slice of the whole that starts at `begin`. Forwards it ends before or after the
// last index, backwards before or after the first.
int64_t sliceValue(Source& source, Values::Kind kind, size_t axis, Shapes& shapes) {
    const auto size = static_cast<int64_t>(shapes.whole()[axis]);
    const auto below = [&](int64_t bound) {
        return static_cast<int64_t>(source.below(static_cast<uint64_t>(bound)));
    };
    if (kind == Values::Kind::BEGINS || kind == Values::Kind::STARTS) {
        const bool isStart = kind == Values::Kind::STARTS;
        const bool isLast = isStart && source.oneIn(6);  // -1, whose next index is not 0
        const int64_t begin = isLast ? size - 1 : source.coin() ? below(size) : 0;
        shapes.slice.push_back({begin, begin});
        if (isLast) return -1;
        return isStart && source.oneIn(4) ? begin - size : begin;
    }
    Shapes::Slice& slice = shapes.slice[axis];
    if (kind == Values::Kind::LENGTHS) {
        if (shapes.mayBeEmpty() && source.oneIn(axis == 0 ? 4 : 32)) return 0;
        return source.oneIn(4) ? -1 : size - slice.begin - below(size - slice.begin);
    }
    if (kind == Values::Kind::ENDS) {
        if (source.oneIn(4)) {  // backwards, an end below -size means the place before 0
            slice.end = slice.begin - 1 - below(slice.begin + 1);
            return slice.end < 0 ? -size - 1 - below(2) : slice.end;
        }
        slice.end = slice.begin + 1 + below(size - slice.begin);
        if (slice.end == size) return size + below(3);
        return source.oneIn(4) ? slice.end - size : slice.end;
    }
    return (1 + below(3)) * (slice.end < slice.begin ? -1 : 1);
}

// A shape with the same number of elements: sizes permuted, dimensions merged, or one size
// inferred.
std::vector<float> otherShape(Source& source, std::vector<uint32_t> sizes, size_t rank) {
    std::rotate(sizes.begin(), sizes.begin() + static_cast<ptrdiff_t>(source.below(sizes.size())),
                sizes.end());
    while (sizes.size() > rank) {
        const uint32_t last = sizes.back();
        sizes.pop_back();
        sizes.back() *= last;
    }
    sizes.resize(rank, 1);
    std::vector<float> values(sizes.begin(), sizes.end());
    if (source.oneIn(4)) values[source.below(rank)] = -1;
    return values;
}

}  // namespace

std::vector<uint8_t> valueOf(Source& source, const Values& allowed, const Operand& operand,
                             size_t outputs, Shapes& shapes) {
    const uint32_t width = std::max(elementSize(operand.type), 1u);
    const auto count = static_cast<size_t>(operandSize(operand).value_or(0) / width);
    std::vector<float> values(count);
    switch (allowed.kind) {
        case Values::Kind::ANY:
        case Values::Kind::IDENTITY:
        case Values::Kind::LAYOUT:
            break;
        case Values::Kind::RANGE:
            for (float& value : values) {
                const float steps = isReal(operand.type) ? 8 : allowed.most - allowed.least;
                const auto step =
                        static_cast<float>(source.below(static_cast<uint64_t>(steps) + 1));
                value = allowed.least +
                        (steps == 0 ? 0 : (allowed.most - allowed.least) * step / steps);
            }
            break;
        case Values::Kind::CHOICE:
            for (float& value : values) value = source.pick<int8_t>(allowed.choices);
            break;
        case Values::Kind::AXIS:
        case Values::Kind::INDEX: {
            const size_t rank = shapes.whole().size();
            for (float& value : values) {
                value = static_cast<float>(source.below(rank));
                if (const auto joined = shapes.joinedAxis()) value = static_cast<float>(*joined);
                if (allowed.kind == Values::Kind::AXIS && source.oneIn(3))
                    value -= static_cast<float>(rank);
            }
            break;
        }
        case Values::Kind::PERMUTATION:
            for (size_t i = 0; i < count; ++i) {
                values[i] = static_cast<float>(i);
                std::swap(values[i], values[source.below(i + 1)]);
            }
            break;
        case Values::Kind::ASCENDING:
            for (size_t i = 0; i < count; ++i) values[i] = static_cast<float>(i);
            break;
        case Values::Kind::BELOW: {
            const std::vector<uint32_t> sizes = shapes.make(allowed.extents);
            const uint32_t bound = *absl::c_min_element(sizes);
            for (float& value : values) value = static_cast<float>(source.below(bound));
            absl::c_sort(values);
            break;
        }
        case Values::Kind::BOXES:
            for (size_t i = 0; i < count; ++i) {
                const float step = static_cast<float>(source.below(4)) / 2;
                values[i] = i % 4 < 2 ? step : values[i - 2] + allowed.least + step;
            }
            break;
        case Values::Kind::BEGINS:
        case Values::Kind::LENGTHS:
        case Values::Kind::STARTS:
        case Values::Kind::ENDS:
        case Values::Kind::STEPS:
            for (size_t i = 0; i < count; ++i) {
                values[i] = static_cast<float>(sliceValue(source, allowed.kind, i, shapes));
            }
            break;
        case Values::Kind::TRANSPOSED:
            absl::c_fill(values, shapes.isNextTransposed() ? 1.0f : 0.0f);
            break;
        case Values::Kind::SIZES: {
            if (allowed.extents.kind == Extents::Kind::WHOLE) {
                values = otherShape(source, shapes.whole(), count);
                break;
            }
            const std::vector<uint32_t> dimensions = shapes.make(allowed.extents);
            for (size_t i = 0; i < std::min(count, dimensions.size()); ++i)
                values[i] = static_cast<float>(dimensions[i]);
            break;
        }
        case Values::Kind::OUTPUTS:
            absl::c_fill(values, static_cast<float>(outputs));
            break;
        case Values::Kind::ODD_OUTPUTS:
            absl::c_fill(values, static_cast<float>(outputs % 2));
            break;
    }
    std::vector<uint8_t> bytes;
    for (const float value : values) append(bytes, operand.type, value);
    bytes.resize(static_cast<size_t>(operandSize(operand).value_or(0)));
    return bytes;
}

}  // namespace nn::testing
