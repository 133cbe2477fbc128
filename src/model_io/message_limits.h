// Checks a message against the limits, before it is parsed and before objects are made from it.
#pragma once

#include <google/protobuf/message.h>

#include <string_view>

#include "model_io/file_bytes.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"

namespace nn::schema {

// Checks operands, operations and graphs, dimensions, names and constants of a message of any type.
// The path of a failure begins with that of the message.
//   inFile  the bytes of the message that are left in its file
Status checkLimits(const google::protobuf::Message& message, const Limits& limits,
                   std::string_view path, const FileBytes& inFile = {});

// The most messages, and strings in lists, that a text in protobuf's format can make.
uint64_t objectsInText(std::string_view text);

}  // namespace nn::schema
