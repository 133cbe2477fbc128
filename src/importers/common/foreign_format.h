// Which other format a file has. Also for programs that are built without the importers, which then
// refuse it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>

#ifdef NNAPI_HAS_IMPORTERS
#include "nnapi/import/onnx.h"
#include "nnapi/import/tflite.h"
#endif

namespace nn::importing {

enum class ForeignFormat { TFLITE, ONNX };

inline std::span<const uint8_t> asBytes(std::string_view text) {
    return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// The format that the bytes show. Those of ONNX show it only as a whole.
inline std::optional<ForeignFormat> provenForeignFormat([[maybe_unused]] std::string_view bytes) {
#ifdef NNAPI_HAS_IMPORTERS
    if (isTflite(asBytes(bytes))) return ForeignFormat::TFLITE;
    if (isOnnx(asBytes(bytes))) return ForeignFormat::ONNX;
#endif
    return std::nullopt;
}

// The format of the extension.
inline std::optional<ForeignFormat> namedForeignFormat(const std::filesystem::path& path) {
    if (path.extension() == ".tflite") return ForeignFormat::TFLITE;
    if (path.extension() == ".onnx") return ForeignFormat::ONNX;
    return std::nullopt;
}

// The format that the bytes show, else that of the extension, unless the bytes show a format of
// this library.
inline std::optional<ForeignFormat> foreignFormatOf(const std::filesystem::path& path,
                                                    std::string_view bytes, bool isOwn) {
    if (const auto proven = provenForeignFormat(bytes)) return proven;
    return isOwn ? std::nullopt : namedForeignFormat(path);
}

}  // namespace nn::importing
