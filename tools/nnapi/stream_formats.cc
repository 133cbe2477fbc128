#include "tools/nnapi/stream_formats.h"

namespace nn::cli {

using schema::StreamFormat;

std::optional<StreamFormat> parseStreamFormat(std::string_view name) {
    for (const StreamFormatRow& row : kStreamFormats) {
        if (row.name == name) return row.format;
    }
    return std::nullopt;
}

bool isStandardOutput(const std::string& out) { return out == "-" || out == "/dev/stdout"; }

}  // namespace nn::cli
