// Constants of an .onnx file, and numbers in them.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "importers/onnx/file.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/types.h"
#include "types/file_copy.h"

namespace nn::onnx {

// A tensor whose elements are known; those of the file are views of its bytes.
struct Constant {
    ElementType type = ElementType::UNDEFINED;
    Dimensions dimensions{};                              // empty for a scalar
    std::span<const uint8_t> bytes{};                     // little-endian, in row-major order
    std::shared_ptr<const std::vector<uint8_t>> owner{};  // of bytes that are not the file's

    size_t count() const;
    bool isInteger() const;  // or bool
    // The first element as a scalar; empty where there is none.
    Constant head() const;
    // The elements as numbers of that kind; empty for other types.
    std::optional<std::vector<int64_t>> integers() const;
    std::optional<std::vector<float>> floats() const;
    // Calls a function with each integer, in order; false for other types. Copies nothing.
    template <class Function>
    bool forEachInteger(Function function) const;

   private:
    template <class T, class Function>
    bool forEach(Function& function) const {
        for (size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
            T value{};
            std::memcpy(&value, bytes.data() + i, sizeof(T));
            function(static_cast<int64_t>(value));
        }
        return true;
    }
};

template <class Function>
bool Constant::forEachInteger(Function function) const {
    switch (type) {
        case ElementType::INT64:
        case ElementType::UINT64:
            return forEach<int64_t>(function);
        case ElementType::INT32:
            return forEach<int32_t>(function);
        case ElementType::UINT32:
            return forEach<uint32_t>(function);
        case ElementType::INT16:
            return forEach<int16_t>(function);
        case ElementType::UINT16:
            return forEach<uint16_t>(function);
        case ElementType::INT8:
            return forEach<int8_t>(function);
        case ElementType::UINT8:
        case ElementType::BOOL:
            return forEach<uint8_t>(function);
        default:
            return false;
    }
}

Constant makeConstant(ElementType type, Dimensions dimensions, std::vector<uint8_t> bytes);
Constant makeIntegers(ElementType type, Dimensions dimensions, std::span<const int64_t> values);
Constant makeFloats(Dimensions dimensions, std::span<const float> values);

// The same elements with their axes in another order.
Constant transposed(const Constant& constant, std::span<const uint32_t> axes);

// Files that hold constants of the model. They are confined to its folder: names with "..",
// absolute names, and links to other folders are rejected.
class ExternalFiles {
   public:
    // Without a folder, all are refused.
    ExternalFiles(std::filesystem::path folder, const Limits& limits)
        : mFolder(std::move(folder)), mLimits(limits) {}

    // A constant with the bytes that a tensor names; `size` of them, valid as long as this object.
    Result<Constant> read(const TensorMessage& tensor, Dimensions dimensions, uint64_t size);

    // Of all parts of files that were read, without holes.
    uint64_t storedBytes() const;

    // The parts of files from which constants were read: memory that a model can keep.
    const auto& keptFiles() const { return mKeptFiles; }

    // Seals their memory. Nothing can be read from these files afterwards.
    Status seal();

   private:
    using FileId = std::pair<uint64_t, uint64_t>;  // device and inode, whatever its name

    std::filesystem::path mFolder;
    Limits mLimits;
    uint64_t mTotal = 0;  // bytes that tensors name
    std::map<FileId, SparseCopy> mKeptFiles;
};

// Checks the dimensions of a tensor of the file.
Result<Dimensions> dimensionsOf(const TensorMessage& tensor, const Limits& limits);

// Checks a tensor of the file: its type, dimensions and number of elements.
Result<Constant> readConstant(const TensorMessage& tensor, ExternalFiles& files,
                              const Limits& limits);

}  // namespace nn::onnx
