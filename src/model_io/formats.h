// Parses and prints protobuf messages in the three formats. Errors name the place.
#pragma once

#include <google/protobuf/message.h>

#include <string>
#include <string_view>

#include "model_io/file_bytes.h"
#include "nnapi/io.h"

namespace nn::schema {

namespace pb = google::protobuf;

// Fills a message, or reports the position and the error: "m.textproto:3:7: Expected integer, got:
// x". `origin` names the source of the bytes and may be empty.
Status parseMessage(std::string_view origin, std::string_view bytes, Format format,
                    const Limits& limits, pb::Message& message);

// The same for a binary file, which may be larger than memory should be: large contents of pools
// and values of operands stay in the file, and the message has tokens for them.
Result<FileBytes> parseBinaryFile(std::string_view origin, UniqueFd fd, const Limits& limits,
                                  pb::Message& message);

enum class Layout { ONE_LINE, INDENTED };  // of JSON

Result<std::string> serializeMessage(const pb::Message& message, Format format,
                                     Layout layout = Layout::INDENTED);

// "m.pb: ", or empty, to put before an error.
std::string prefix(std::string_view origin);

}  // namespace nn::schema
