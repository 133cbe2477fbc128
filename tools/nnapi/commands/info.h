// Describes models; callers can add lines.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>

#include "tools/nnapi/input_files.h"
#include "tools/nnapi/options.h"
#include "tools/nnapi/output.h"

namespace nn::cli {

// Called after the description of each legal model, with the object that JSON shows; may be empty.
using DescribeMore = std::function<Exit(const Output& output, const Input& input,
                                        const Model& model, Json& object)>;

Exit describeModels(const Options& options, const DescribeMore& more);

}  // namespace nn::cli
