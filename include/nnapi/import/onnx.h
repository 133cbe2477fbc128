// nnapi/import/onnx.h -- Reads models of ONNX (.onnx).
//
//   nn::OnnxOptions options{.folder = "models"};
//   options.common.shapes["x"] = {1, 3, 48, 192};
//   nn::Result<nn::Import> imported = nn::importOnnx(bytes, options);
//   nn::Result<nn::Model> model = nn::wholeModelOf(*std::move(imported));
//
// docs/importers_onnx.md lists which operator becomes which operations. Tensors keep the order of
// their axes: images have their channels first. Shapes must be known; values that depend only on
// them are computed and become constants.
//
// The bytes may be anything: a damaged file is INVALID_ARGUMENT, one beyond a limit
// RESOURCE_EXHAUSTED_PERSISTENT. Cost is linear in the file. Thread-safe, no global state; never
// throws anything but std::bad_alloc.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>

#include "nnapi/import/imported_model.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn {

// Options of importOnnx().
struct OnnxOptions {
    // Those of all importers.
    ImportOptions common{};

    // The folder of external files with constants; they must be in this folder or below. Empty:
    // models with such files are rejected.
    std::filesystem::path folder{};

    // Inputs that become constants, by name; the elements have the type of the input in the file.
    std::map<std::string, Tensor> values{};
};

// True if the bytes may be a file of ONNX, which has no identifier: the fields of its outermost
// message are those of a model.
bool isOnnx(std::span<const uint8_t> bytes);

// Imports a file. Constants are copied into the model.
Result<Import> importOnnx(std::span<const uint8_t> bytes, const OnnxOptions& options = {});

// The same for shared memory, which becomes a pool of the model, as do external files with
// constants: constants stay in place, except those that need a copy for another type, alignment or
// order of axes. Other processes may change these files at any time: the importer reads the used
// parts once, as it does for a memory that is not sealed (nnapi/memory.h).
Result<Import> importOnnx(const SharedMemory& file, const OnnxOptions& options = {});

}  // namespace nn
