// The formats of standard input and output, which have no file name extension.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model_io/streams.h"
#include "nnapi/io.h"

namespace nn::cli {

// The formats that --format names.
struct StreamFormatRow {
    std::string_view name;
    schema::StreamFormat format;
};
inline constexpr StreamFormatRow kStreamFormats[] = {
        {"pb", schema::StreamFormat::BINARY},
        {"textproto", schema::StreamFormat::TEXT},
        {"json", schema::StreamFormat::JSON},
        {"jsonl", schema::StreamFormat::TEST_CASES},
};
std::optional<schema::StreamFormat> parseStreamFormat(std::string_view name);

// True if -o names standard output.
bool isStandardOutput(const std::string& out);

}  // namespace nn::cli
