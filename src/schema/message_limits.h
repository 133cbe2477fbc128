// What a message asks for, against the limits: before it is parsed, and before objects are made.
#pragma once

#include <google/protobuf/message.h>

#include <string_view>

#include "nnapi/limits.h"
#include "nnapi/result.h"

namespace nn::schema {

// Operands, operations and graphs, dimensions, names and constants of a message, whatever its type.
// The path of a failure begins with that of the message.
Status checkLimits(const google::protobuf::Message& message, const Limits& limits,
                   std::string_view path);

// How many messages, and strings in lists, a text of protobuf's own format makes at the most.
uint64_t objectsInText(std::string_view text);

}  // namespace nn::schema
