#include "cli/stream_formats.h"

namespace nn::cli {

using schema::StreamFormat;

std::optional<StreamFormat> parseStreamFormat(std::string_view name) {
    for (const StreamFormatRow& row : kStreamFormats) {
        if (row.name == name) return row.format;
    }
    return std::nullopt;
}

Format modelFormat(StreamFormat format) {
    switch (format) {
        case StreamFormat::BINARY:
            return Format::BINARY;
        case StreamFormat::TEXT:
            return Format::TEXT;
        case StreamFormat::JSON:
        case StreamFormat::TEST_CASES:  // one line is JSON; reading it says that it is not a model
            return Format::JSON;
    }
    return Format::JSON;
}

bool isStandardOutput(const std::string& out) { return out == "-" || out == "/dev/stdout"; }

}  // namespace nn::cli
