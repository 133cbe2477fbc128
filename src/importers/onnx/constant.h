// Constants of an .onnx file, and numbers in them.
#pragma once

#include <cstdint>
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
    // The elements as numbers of that kind; empty for other types.
    std::optional<std::vector<int64_t>> integers() const;
    std::optional<std::vector<float>> floats() const;
};

Constant makeConstant(ElementType type, Dimensions dimensions, std::vector<uint8_t> bytes);
Constant makeIntegers(ElementType type, Dimensions dimensions, std::span<const int64_t> values);
Constant makeFloats(Dimensions dimensions, std::span<const float> values);

// The same elements with their axes in another order.
Constant transposed(const Constant& constant, std::span<const uint32_t> axes);

// Files beside the model that hold constants. They are confined to its folder: names with "..",
// absolute ones, and those that links lead elsewhere are refused.
class ExternalFiles {
   public:
    // KEEP: the bytes become memory that a model can keep.
    enum class Access : uint8_t { COPY, KEEP };

    // Without a folder, all are refused.
    ExternalFiles(std::filesystem::path folder, const Limits& limits, Access access = Access::COPY)
        : mFolder(std::move(folder)), mLimits(limits), mAccess(access) {}

    // A constant with the bytes that a tensor names; `size` of them. Those of kept files are valid
    // as long as this object.
    Result<Constant> read(const TensorMessage& tensor, Dimensions dimensions, uint64_t size);

    // With KEEP, the parts of files from which constants were read.
    const auto& keptFiles() const { return mKeptFiles; }

    // Seals their memory. Nothing can be read from these files afterwards.
    Status seal();

   private:
    using FileId = std::pair<uint64_t, uint64_t>;  // device and inode, whatever its name

    std::filesystem::path mFolder;
    Limits mLimits;
    Access mAccess;
    uint64_t mTotal = 0;
    std::map<FileId, SparseCopy> mKeptFiles;
};

// Checks a tensor of the file: its type, dimensions and number of elements.
Result<Constant> readConstant(const TensorMessage& tensor, ExternalFiles& files,
                              const Limits& limits);

}  // namespace nn::onnx
