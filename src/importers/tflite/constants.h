// Constants of a file in other forms: whole numbers of 32 bits, floats, dense.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "importers/tflite/file.h"
#include "nnapi/result.h"

namespace nn::tflite {

// Elements of an INT32 or INT64 constant; empty for another type, and if a value needs more bits.
std::optional<std::vector<int32_t>> intsOf(TensorType type, std::span<const uint8_t> data);

// Elements of a constant of floats or quantized numbers as FLOAT32; empty for another type, and for
// channels that do not fit the dimensions. FLOAT16 exactly; quantized ones as (q - zero point) *
// scale, rounded once.
std::optional<std::vector<float>> floatsOf(const FileTensor& tensor, std::span<const uint8_t> data);
// Their bytes.
std::optional<std::vector<uint8_t>> floatBytesOf(const FileTensor& tensor,
                                                 std::span<const uint8_t> data);

// Bytes of a sparse constant with all of its elements.
Result<uint64_t> denseSizeOf(const FileTensor& tensor);

// All elements of a sparse constant.
Result<std::vector<uint8_t>> denseOf(const FileTensor& tensor);

}  // namespace nn::tflite
