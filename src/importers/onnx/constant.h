// Constants of an .onnx file, and numbers in them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "importers/onnx/file.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::onnx {

// A tensor whose elements are known; those of the file are views of its bytes.
struct Constant {
    ElementType type = ElementType::UNDEFINED;
    Dimensions dimensions{};                              // empty for a scalar
    std::span<const uint8_t> bytes{};                     // little-endian, in row-major order
    std::shared_ptr<const std::vector<uint8_t>> owner{};  // of bytes that are not the file's

    size_t count() const;
    // The elements as numbers of that kind; empty for other types.
    std::optional<std::vector<int64_t>> integers() const;
    std::optional<std::vector<float>> floats() const;
};

Constant makeConstant(ElementType type, Dimensions dimensions, std::vector<uint8_t> bytes);
Constant makeIntegers(ElementType type, Dimensions dimensions, std::span<const int64_t> values);
Constant makeFloats(Dimensions dimensions, std::span<const float> values);

// The same elements with their axes in another order.
Constant transposed(const Constant& constant, std::span<const uint32_t> axes);

// Reads files beside the model that hold constants. They are confined to its folder: names with
// "..", absolute ones, and those that links lead elsewhere are refused.
class ExternalFiles {
   public:
    // Without a folder, all are refused.
    ExternalFiles(std::filesystem::path folder, const Limits& limits)
        : mFolder(std::move(folder)), mLimits(limits) {}

    // The bytes that a tensor names; `size` of them.
    Result<std::shared_ptr<const std::vector<uint8_t>>> read(const TensorMessage& tensor,
                                                             uint64_t size);

   private:
    std::filesystem::path mFolder;
    Limits mLimits;
    uint64_t mTotal = 0;
};

// Checks a tensor of the file: its type, dimensions and number of elements.
Result<Constant> readConstant(const TensorMessage& tensor, ExternalFiles& files,
                              const Limits& limits);

}  // namespace nn::onnx
