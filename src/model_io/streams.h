// Tells formats by their bytes, and reads models from a pipe, which has no extension.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "nnapi/io.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"

namespace nn::schema {

enum class StreamFormat { BINARY, TEXT, JSON, TEST_CASES };  // test cases: compressed or not

// The format that the first bytes prove; empty if they prove none. They differ there: a binary
// model begins with a field of the message, and its first byte is above 0x7f; JSON begins with a
// brace and the name of a field, which for a test case is another than for a model; text begins
// with such a name; compressed test cases begin as gzip does.
std::optional<StreamFormat> provenFormat(std::string_view bytes);

// The same, or else the most likely format; reading then reports the error.
StreamFormat guessFormat(std::string_view bytes);

// That of a model; a model in a file of test cases is JSON.
Format modelFormat(StreamFormat format);

// The format of a file: the one that its bytes prove, otherwise that of its extension; empty if
// there is neither. The extension distinguishes a model from a test case in JSON, if it is one of
// theirs.
std::optional<StreamFormat> formatOfFile(const std::filesystem::path& path, std::string_view bytes);

// The error for a file whose format is unknown; the extensions are the allowed ones.
Status unknownContent(const std::filesystem::path& path,
                      std::string_view extensions = ".pb, .textproto and .json");

// This many bytes of a file suffice to determine its format.
inline constexpr uint64_t kFormatBytes = 1 << 12;

// Reads an open descriptor of any kind to its end. Messages begin with the name.
Result<std::string> readStream(int fd, std::string_view name, const Limits& limits);

// The test cases in these bytes.
Result<TestCaseReader> testCasesOf(std::string_view bytes, std::string name, const Limits& limits);

}  // namespace nn::schema
