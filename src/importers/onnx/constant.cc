#include "importers/onnx/constant.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/limits.h"
#include "importers/onnx/shapes.h"
#include "nnapi/checked_math.h"
#include "nnapi/half.h"

namespace nn::onnx {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class To, class From>
std::vector<uint8_t> bytesAs(std::span<const From> values) {
    std::vector<uint8_t> bytes(values.size() * sizeof(To));
    for (size_t i = 0; i < values.size(); ++i) {
        const auto value = static_cast<To>(values[i]);
        std::memcpy(bytes.data() + i * sizeof(To), &value, sizeof(To));
    }
    return bytes;
}

// Elements of an integer type, or the bits of a smaller one.
std::vector<uint8_t> integerBytes(ElementType type, std::span<const int64_t> values) {
    switch (elementSize(type)) {
        case 1:
            return bytesAs<uint8_t>(values);
        case 2:
            return bytesAs<uint16_t>(values);
        case 4:
            return bytesAs<uint32_t>(values);
        default:
            return bytesAs<int64_t>(values);
    }
}

template <class T, class Function>
std::vector<float> floatsOf(std::span<const uint8_t> bytes, Function function) {
    std::vector<float> values(bytes.size() / sizeof(T));
    for (size_t i = 0; i < values.size(); ++i) {
        T value{};
        std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
        values[i] = function(value);
    }
    return values;
}

// Copies elements of a size that the compiler knows. Where rows become columns, tile by tile, so
// that both stay in the cache.
template <size_t kSize>
void permute(std::span<const uint8_t> from, std::span<const uint32_t> extents,
             std::span<const size_t> strides, uint8_t* to) {
    constexpr size_t kTile = 64;
    const size_t rank = extents.size(), columns = extents[rank - 1], step = strides[rank - 1];
    // The axis along which elements of `from` are neighbors.
    size_t axis = 0;
    while (axis + 1 < rank && (strides[axis] != 1 || extents[axis] == 1)) ++axis;
    const bool isTransposed = axis + 1 < rank;
    const size_t rows = isTransposed ? extents[axis] : 1, tile = isTransposed ? kTile : columns;
    std::vector<size_t> places(rank, 1);  // strides of `to`
    for (size_t i = rank - 1; i-- > 0;) places[i] = places[i + 1] * extents[i + 1];
    const auto copyTile = [&](size_t position, size_t place, size_t row, size_t column) {
        const size_t lastRow = std::min(row + tile, rows);
        const size_t length = std::min(tile, columns - column);
        for (size_t i = row; i < lastRow; ++i) {
            size_t at = position + i + column * step;
            uint8_t* out = to + (place + i * places[axis] + column) * kSize;
            for (const uint8_t* end = out + length * kSize; out != end; out += kSize, at += step)
                std::memcpy(out, from.data() + at * kSize, kSize);
        }
    };
    std::vector<uint32_t> index(rank, 0);
    size_t position = 0, place = 0;
    for (size_t done = 0, count = from.size() / kSize; done < count; done += rows * columns) {
        for (size_t row = 0; row < rows; row += tile) {
            for (size_t column = 0; column < columns; column += tile)
                copyTile(position, place, row, column);
        }
        for (size_t i = rank - 1; i-- > 0;) {
            if (isTransposed && i == axis) continue;
            position += strides[i];
            place += places[i];
            if (++index[i] < extents[i]) break;
            position -= strides[i] * extents[i];
            place -= places[i] * extents[i];
            index[i] = 0;
        }
    }
}

// The elements of *_data fields as bytes; empty for a number of them that is not `count`.
std::optional<std::vector<uint8_t>> bytesOfLists(const TensorMessage& tensor, uint64_t count) {
    switch (tensor.type) {
        case ElementType::FLOAT:
            if (tensor.floats.size() != count) return std::nullopt;
            return bytesAs<float>(std::span(tensor.floats));
        case ElementType::DOUBLE:
            if (tensor.doubles.size() != count) return std::nullopt;
            return bytesAs<double>(std::span(tensor.doubles));
        default:
            if (tensor.integers.size() != count) return std::nullopt;
            return integerBytes(tensor.type, tensor.integers);
    }
}

Status tensorError(const TensorMessage& tensor, std::string_view what) {
    return makeError(ErrorStatus::INVALID_ARGUMENT,
                     fmt::format("tensor '{}' {}", tensor.name, what));
}

}  // namespace

size_t Constant::count() const {
    const size_t size = elementSize(type);
    return size == 0 ? 0 : bytes.size() / size;
}

bool Constant::isInteger() const {
    return type != ElementType::FLOAT && type != ElementType::FLOAT16 &&
           type != ElementType::DOUBLE && elementSize(type) != 0;
}

Constant Constant::head() const {
    Constant first = *this;
    first.dimensions = {};
    first.bytes = bytes.first(std::min(bytes.size(), elementSize(type)));
    return first;
}

std::optional<std::vector<int64_t>> Constant::integers() const {
    std::vector<int64_t> values;
    if (!isInteger()) return std::nullopt;
    values.reserve(count());
    forEachInteger([&](int64_t value) { values.push_back(value); });
    return values;
}

std::optional<std::vector<float>> Constant::floats() const {
    switch (type) {
        case ElementType::FLOAT:
            return floatsOf<float>(bytes, [](float value) { return value; });
        case ElementType::DOUBLE:
            return floatsOf<double>(bytes, [](double value) { return static_cast<float>(value); });
        case ElementType::FLOAT16:
            return floatsOf<uint16_t>(bytes, [](uint16_t half) { return halfToFloat(half); });
        default:
            return std::nullopt;
    }
}

Constant makeConstant(ElementType type, Dimensions dimensions, std::vector<uint8_t> bytes) {
    auto owner = std::make_shared<const std::vector<uint8_t>>(std::move(bytes));
    const std::span<const uint8_t> view(*owner);
    return {.type = type,
            .dimensions = std::move(dimensions),
            .bytes = view,
            .owner = std::move(owner)};
}

Constant makeIntegers(ElementType type, Dimensions dimensions, std::span<const int64_t> values) {
    return makeConstant(type, std::move(dimensions), integerBytes(type, values));
}

Constant makeFloats(Dimensions dimensions, std::span<const float> values) {
    return makeConstant(ElementType::FLOAT, std::move(dimensions), bytesAs<float>(values));
}

Constant transposed(const Constant& constant, std::span<const uint32_t> axes) {
    const size_t rank = axes.size();
    const auto shape = Shape::of(constant.dimensions, rank);
    const std::vector<size_t> from = shape ? shape->strides() : std::vector<size_t>(rank, 0);
    Dimensions extents(rank);
    std::vector<size_t> strides(rank);
    for (size_t i = 0; i < rank; ++i) {
        extents[i] = constant.dimensions[axes[i]];
        strides[i] = from[axes[i]];
    }
    // Axes of size 1 move no element.
    std::vector<uint32_t> order;
    absl::c_copy_if(axes, std::back_inserter(order),
                    [&](uint32_t axis) { return constant.dimensions[axis] != 1; });
    if (absl::c_is_sorted(order)) {
        Constant same = constant;
        same.dimensions = std::move(extents);
        return same;
    }
    std::vector<uint8_t> bytes(constant.bytes.size());
    if (!bytes.empty()) {
        switch (elementSize(constant.type)) {
            case 1:
                permute<1>(constant.bytes, extents, strides, bytes.data());
                break;
            case 2:
                permute<2>(constant.bytes, extents, strides, bytes.data());
                break;
            case 4:
                permute<4>(constant.bytes, extents, strides, bytes.data());
                break;
            default:
                permute<8>(constant.bytes, extents, strides, bytes.data());
        }
    }
    return makeConstant(constant.type, std::move(extents), std::move(bytes));
}

Result<Dimensions> dimensionsOf(const TensorMessage& tensor, const Limits& limits) {
    NNAPI_RETURN_IF_ERROR(within(limits, &Limits::rank, tensor.dimensions.size(), "tensor"));
    Dimensions dimensions;
    for (const int64_t dimension : tensor.dimensions) {
        if (!std::in_range<int32_t>(dimension) || dimension < 0) {
            return tensorError(tensor, fmt::format("has a dimension of {}, allowed 0 to {}",
                                                   dimension, INT32_MAX));
        }
        dimensions.push_back(static_cast<uint32_t>(dimension));
    }
    return dimensions;
}

Result<Constant> readConstant(const TensorMessage& tensor, ExternalFiles& files,
                              const Limits& limits) {
    const size_t elementBytes = elementSize(tensor.type);
    if (elementBytes == 0) {
        return tensorError(
                tensor, fmt::format("is of {}, allowed numbers and bool", toString(tensor.type)));
    }
    NNAPI_ASSIGN_OR_RETURN(dimensions, dimensionsOf(tensor, limits));
    const auto size =
            checkedMul<uint64_t>(checkedProduct<uint64_t>(dimensions), uint64_t{elementBytes});
    if (!size) return tensorError(tensor, "has more than 2^64 bytes");
    NNAPI_RETURN_IF_ERROR(within(limits, &Limits::constantBytes, *size, "tensor"));
    if (tensor.isExternal) return files.read(tensor, std::move(dimensions), *size);
    if (tensor.raw) {
        if (tensor.raw->size() != *size) {
            return tensorError(tensor, fmt::format("has {} bytes, allowed {} for its dimensions",
                                                   tensor.raw->size(), *size));
        }
        return Constant{.type = tensor.type,
                        .dimensions = std::move(dimensions),
                        .bytes = {reinterpret_cast<const uint8_t*>(tensor.raw->data()),
                                  tensor.raw->size()}};
    }
    auto bytes = bytesOfLists(tensor, *size / elementBytes);
    if (!bytes) return tensorError(tensor, "has another number of elements than its dimensions");
    return makeConstant(tensor.type, std::move(dimensions), *std::move(bytes));
}

}  // namespace nn::onnx
