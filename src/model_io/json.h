// Parses messages from JSON by the proto3 JSON mapping.
//
// Names of fields in lowerCamelCase or as the schema has them, enumerations by name or number,
// integers as numbers or strings, floating point also as "NaN", "Infinity" and "-Infinity", bytes
// as base64 (standard or safe for URLs), null for a field that is not set. Input that would be lost
// is an error: names that the schema does not have, and repeated fields.
#pragma once

#include <google/protobuf/message.h>

#include <string_view>

#include "nnapi/limits.h"
#include "nnapi/result.h"

namespace nn::schema {

// Fills a message, or reports every wrong field with line and column, or else the first place that
// is not JSON. origin names the source of the text and may be empty. Objects and lists are counted
// (limits.file_objects) before anything is allocated for them.
Status parseJson(std::string_view origin, std::string_view text, const Limits& limits,
                 google::protobuf::Message& message);

// The first key of a JSON object; empty if the text does not begin with an object that has one.
std::string_view firstKey(std::string_view json);

}  // namespace nn::schema
