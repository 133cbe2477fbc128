// nnapi/import/tflite.h -- Reads and writes models of TensorFlow Lite (.tflite).
//
//   nn::Result<nn::Import> imported = nn::importTflite(bytes);
//   nn::Result<nn::Model> model = nn::wholeModelOf(*std::move(imported));
//
//   nn::Losses losses;
//   nn::Result<std::vector<uint8_t>> file = nn::exportTflite(*model, &losses);
//
// docs/importers.md lists which operator becomes which operations. The bytes may be anything: a
// damaged file is INVALID_ARGUMENT, one beyond a limit RESOURCE_EXHAUSTED_PERSISTENT. Cost is
// linear in the file. Thread-safe, no global state; never throws anything but std::bad_alloc.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "nnapi/import/imported_model.h"

namespace nn {

// True if the bytes have the identifier of TensorFlow Lite's files.
bool isTflite(std::span<const uint8_t> bytes);

// Imports a file. Constants are copied into the model.
Result<Import> importTflite(std::span<const uint8_t> bytes, const ImportOptions& options = {});

// The same for shared memory, which becomes a pool of the model: constants stay where they are,
// except those that another type or alignment needs a copy of. Memory that is not sealed
// (nnapi/memory.h) is copied first, since others may change it.
Result<Import> importTflite(const SharedMemory& file, const ImportOptions& options = {});

// Names of operands for a file that is written; missing ones are generated.
struct ExportNames {
    std::vector<std::string> operands{};  // of Model::main
};

// Writes a legal model. Information that a file cannot represent is reported as a loss. Operations
// that TensorFlow Lite lacks, or does not support for their types, are an error that lists all of
// them.
Result<std::vector<uint8_t>> exportTflite(const Model& model, Losses* losses = nullptr,
                                          const ExportNames& names = {});

}  // namespace nn
