// Reads files of other formats: models of TensorFlow Lite and of ONNX.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "nnapi/import/imported_model.h"
#include "nnapi/result.h"
#include "tools/nnapi/options.h"

namespace nn::cli {

// True if the bytes of a pipe are of such a format.
bool hasImportableBytes(std::string_view bytes);

// The same for a file that begins with these bytes: they decide if they show a format, else the
// extension.
bool isImportable(const std::filesystem::path& path, std::string_view head);

// True if the extension is of such a format, and the program reads it.
bool isNamedImportable(const std::filesystem::path& path);

// The extensions of all model files that the program reads, for messages.
std::string_view modelExtensions();

// Imports a file, where constants of TensorFlow Lite stay, or the bytes of a pipe. Fails if it
// cannot be read; operators that are refused are part of the result.
Result<Import> importFile(const std::filesystem::path& path, const Options& options);
Result<Import> importBytes(std::string_view bytes, const std::string& name, const Options& options);

// The model as a file of TensorFlow Lite.
Result<std::string> exportBytes(const Model& model, const std::vector<std::string>& names,
                                Losses& losses);

// How a model differs from such a file; empty if it does not.
Result<std::string> differenceOfTflite(std::string_view bytes, const std::string& name,
                                       const Model& model, const Options& options);

// "x=1,3,48,192": the name of an input and its dimensions.
Result<std::map<std::string, Dimensions>> shapesOf(const std::vector<std::string>& texts);

}  // namespace nn::cli
