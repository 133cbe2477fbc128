// Rows of onnxOperatorFiles(): an operator with its inputs, attributes, and resulting operations.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "onnx_file.h"

namespace nn::onnx::operator_rows {

// One input of the operator: of the file, or a constant.
struct In {
    enum class Kind { INPUT, FLOATS, INTEGERS, BYTES, NONE };
    Kind kind = Kind::INPUT;
    std::vector<int64_t> dimensions{};
    int type = kFloatType;
    std::vector<int64_t> integers{};
    std::vector<float> floats{};
};

inline In in(std::vector<int64_t> dimensions, int type = kFloatType) {
    return {In::Kind::INPUT, std::move(dimensions), type};
}
inline In none() { return {.kind = In::Kind::NONE}; }
inline In ints(std::vector<int64_t> values) {
    return {.kind = In::Kind::INTEGERS, .integers = std::move(values)};
}
inline In scalar(float value) { return {.kind = In::Kind::FLOATS, .floats = {value}}; }
inline In reals(std::vector<float> values) {
    const auto size = static_cast<int64_t>(values.size());
    return {.kind = In::Kind::FLOATS, .dimensions = {size}, .floats = std::move(values)};
}

inline int64_t countOf(const std::vector<int64_t>& dimensions) {
    int64_t count = 1;
    for (const int64_t dimension : dimensions) count *= dimension;
    return count;
}

// Constants that are all different.
inline In ramp(std::vector<int64_t> dimensions) {
    std::vector<float> values;
    for (int64_t i = 0; i < countOf(dimensions); ++i)
        values.push_back(0.125f * static_cast<float>(i % 17) + 0.25f);
    return {.kind = In::Kind::FLOATS,
            .dimensions = std::move(dimensions),
            .floats = std::move(values)};
}
// Constants from -0.5 to 0.5.
inline In weights(std::vector<int64_t> dimensions) {
    In in = ramp(std::move(dimensions));
    for (size_t i = 0; i < in.floats.size(); ++i)
        in.floats[i] = static_cast<float>(i * 7 % 17) / 16 - 0.5f;
    return in;
}
inline In small(int type, std::vector<int64_t> dimensions, int64_t first = 0) {
    std::vector<int64_t> values;
    for (int64_t i = 0; i < countOf(dimensions); ++i) values.push_back(first + i % 7);
    return {In::Kind::BYTES, std::move(dimensions), type, std::move(values)};
}

// Of int32 or int64, with any dimensions.
inline In wide(int type, std::vector<int64_t> dimensions, const std::vector<int64_t>& values) {
    In in{In::Kind::BYTES, std::move(dimensions), type};
    const int size = type == kInt32Type ? 4 : 8;
    for (const int64_t value : values) {
        for (int i = 0; i < size; ++i) in.integers.push_back((value >> (8 * i)) & 0xFF);
    }
    return in;
}
inline In longs(std::vector<int64_t> dimensions, const std::vector<int64_t>& values) {
    return wide(kInt64Type, std::move(dimensions), values);
}

using Inputs = std::vector<In>;
using Attributes = std::vector<OnnxAttribute>;

struct Row {
    std::string name;  // the operator, then what is special
    Inputs inputs;
    Attributes attributes{};
    std::string becomes;
    int64_t version = 13;
    int outputs = 1;
    std::string domain{};
};

inline const std::vector<int64_t> kImage{1, 4, 6, 5}, kMatrix{2, 3};

// Operators that several operations compute.
std::vector<Row> composedRows();
// Operators that move elements by their numbers.
std::vector<Row> indexRows();
// Forms of operators on images that operations lack.
std::vector<Row> splitImageRows();

}  // namespace nn::onnx::operator_rows
