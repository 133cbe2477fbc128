// Files of TensorFlow Lite with one operator each: every operator that is imported, with every type
// that TensorFlow Lite has it for.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "nnapi/types.h"

namespace nn::tflite {

struct OperatorFile {
    std::string name{};  // "ADD_FLOAT32"
    std::vector<uint8_t> bytes{};
    std::vector<OperationType> becomes{};
    bool isWritten = true;    // by the export as well
    bool isComposed = false;  // of several operations, which may come back as others
};

inline void PrintTo(const OperatorFile& file, std::ostream* out) { *out << file.name; }

std::vector<OperatorFile> operatorFiles();

}  // namespace nn::tflite
