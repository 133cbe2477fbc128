// onnx_attributes.h -- Random values for attributes of ONNX by their names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "importers/graphs/choices.h"
#include "importers/onnx_file.pb.h"

namespace nn::graphs {

// Numbers of AttributeProto.AttributeType.
enum AttributeType { kReal = 1, kInteger, kText, kTensor, kGraph, kReals, kIntegers, kTexts };

// "axis keepdims" as a list.
std::vector<std::string> attributeNames(std::string_view separatedBySpaces);

// An attribute of the type that its name has in all operators: mostly small numbers.
nnapi::onnx_file::Attribute anyAttribute(const std::string& name, Choices& choices);

// Adds an attribute, replacing one with its name.
void setAttribute(nnapi::onnx_file::Node& node, nnapi::onnx_file::Attribute attribute);

}  // namespace nn::graphs
