// What diff compares: the models of the command line with their inputs.
#pragma once

#include <optional>

#include "tools/nnapi/diff/steps.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/options.h"

namespace nn::cli {

// Checks combinations of options. False after a complaint.
bool hasValidUsage(const Options& options);

// The model; empty after a complaint.
std::optional<Model> modelOf(Input& input);

// The model with its inputs; empty after a complaint.
std::optional<Side> sideOf(Input& input, const Options& options);

}  // namespace nn::cli
