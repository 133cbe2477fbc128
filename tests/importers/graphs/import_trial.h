// import_trial.h -- Imports a file and computes with the imported models, with the properties that
// must hold for any file.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "nnapi/import/imported_model.h"
#include "nnapi/testing/generate.h"

namespace nn::graphs {

enum class FileFormat : uint8_t { ONNX, TFLITE };

struct Trial {
    std::set<std::string> imported{};    // operators with at least one imported use
    bool isWhole = false;                // no operator was refused
    bool isExecuted = false;             // all of it was computed
    std::optional<std::string> wrong{};  // a property that does not hold
};

// Imports for a version that the source chooses.
Result<Import> importAny(FileFormat format, std::span<const uint8_t> bytes, testing::Source& source,
                         const Limits& limits = {});

// A property of imports that does not hold: models are legal, operands have names, a refusal has an
// operator, and a file of TensorFlow Lite that was written can be read.
std::optional<std::string> violationOf(FileFormat format, const Import& imported);

// The same, and computes the model with any inputs.
Trial tryImport(FileFormat format, const Result<Import>& imported, testing::Source& source);

}  // namespace nn::graphs
