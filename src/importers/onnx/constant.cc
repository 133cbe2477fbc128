#include "importers/onnx/constant.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <numeric>
#include <utility>

#include "importers/onnx/shapes.h"
#include "nnapi/checked.h"
#include "nnapi/half.h"
#include "types/limits.h"

namespace nn::onnx {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class T>
void appendAs(std::vector<uint8_t>& bytes, T value) {
    const auto* from = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), from, from + sizeof(T));
}

void appendInteger(std::vector<uint8_t>& bytes, ElementType type, int64_t value) {
    switch (elementSize(type)) {
        case 1:
            return appendAs(bytes, static_cast<uint8_t>(value));
        case 2:
            return appendAs(bytes, static_cast<uint16_t>(value));
        case 4:
            return appendAs(bytes, static_cast<uint32_t>(value));
        default:
            return appendAs(bytes, value);
    }
}

template <class T, class To>
std::vector<To> elementsAs(std::span<const uint8_t> bytes) {
    std::vector<To> values(bytes.size() / sizeof(T));
    for (size_t i = 0; i < values.size(); ++i) {
        T value{};
        std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
        values[i] = static_cast<To>(value);
    }
    return values;
}

// Copies elements of a size that the compiler knows.
template <size_t kSize>
void permute(std::span<const uint8_t> from, std::span<const uint32_t> extents,
             std::span<const size_t> strides, uint8_t* to) {
    const size_t rank = extents.size();
    const size_t inner = rank == 0 ? 1 : extents[rank - 1];
    const size_t step = rank == 0 ? 0 : strides[rank - 1];
    std::vector<uint32_t> index(rank, 0);
    size_t position = 0;
    for (size_t done = 0, count = from.size() / kSize; done < count; done += inner) {
        for (size_t i = 0; i < inner; ++i, to += kSize) {
            std::memcpy(to, from.data() + (position + i * step) * kSize, kSize);
        }
        for (size_t axis = rank == 0 ? 0 : rank - 1; axis-- > 0;) {
            position += strides[axis];
            if (++index[axis] < extents[axis]) break;
            position -= strides[axis] * extents[axis];
            index[axis] = 0;
        }
    }
}

// The elements of *_data fields as bytes; empty for a number of them that is not `count`.
std::optional<std::vector<uint8_t>> bytesOfLists(const TensorMessage& tensor, uint64_t count) {
    std::vector<uint8_t> bytes;
    const auto isListOf = [&](size_t size) { return size == count; };
    switch (tensor.type) {
        case ElementType::FLOAT:
            if (!isListOf(tensor.floats.size())) return std::nullopt;
            for (const float value : tensor.floats) appendAs(bytes, value);
            return bytes;
        case ElementType::DOUBLE:
            if (!isListOf(tensor.doubles.size())) return std::nullopt;
            for (const double value : tensor.doubles) appendAs(bytes, value);
            return bytes;
        default:
            if (!isListOf(tensor.integers.size())) return std::nullopt;
            for (const int64_t value : tensor.integers) appendInteger(bytes, tensor.type, value);
            return bytes;
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
            return elementsAs<float, float>(bytes);
        case ElementType::DOUBLE:
            return elementsAs<double, float>(bytes);
        case ElementType::FLOAT16: {
            const std::vector<uint16_t> halves = elementsAs<uint16_t, uint16_t>(bytes);
            std::vector<float> values;
            for (const uint16_t half : halves) values.push_back(halfToFloat(half));
            return values;
        }
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
    std::vector<uint8_t> bytes;
    bytes.reserve(values.size() * elementSize(type));
    for (const int64_t value : values) appendInteger(bytes, type, value);
    return makeConstant(type, std::move(dimensions), std::move(bytes));
}

Constant makeFloats(Dimensions dimensions, std::span<const float> values) {
    std::vector<uint8_t> bytes(values.size_bytes());
    if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return makeConstant(ElementType::FLOAT, std::move(dimensions), std::move(bytes));
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

Result<Constant> readConstant(const TensorMessage& tensor, ExternalFiles& files,
                              const Limits& limits) {
    NNAPI_RETURN_IF_ERROR(within(limits, &Limits::rank, tensor.dimensions.size(), "tensor"));
    const size_t elementBytes = elementSize(tensor.type);
    if (elementBytes == 0) {
        return tensorError(
                tensor, fmt::format("is of {}, allowed numbers and bool", toString(tensor.type)));
    }
    Dimensions dimensions;
    for (const int64_t dimension : tensor.dimensions) {
        if (!std::in_range<int32_t>(dimension) || dimension < 0) {
            return tensorError(tensor, fmt::format("has a dimension of {}, allowed 0 to {}",
                                                   dimension, INT32_MAX));
        }
        dimensions.push_back(static_cast<uint32_t>(dimension));
    }
    const auto size =
            checkedMul<uint64_t>(checkedProduct<uint64_t>(dimensions), uint64_t{elementBytes});
    if (!size) return tensorError(tensor, "has more than 2^64 bytes");
    NNAPI_RETURN_IF_ERROR(within(limits, &Limits::constantBytes, *size, "tensor"));
    if (tensor.isExternal) {
        return files.read(tensor, std::move(dimensions), *size);
    }
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
