// Finds the first operation whose result on a device differs from the reference.
//
// A device shows only the outputs of models, so the operations that it supports become a model all
// of whose values are outputs: one preparation shows them all. Where the device does not take that
// model, halves of it are tried, down to single operations. Inputs of parts come from the
// reference. A device that differs only where operations are joined agrees so far; then the
// original model is executed, and the shortest beginning of it that differs is searched for.
#pragma once

#include "cli/diff/steps.h"
#include "nnapi/driver/interfaces.h"

namespace nn::cli {

Verdict compareWithDevice(const Side& side, const Options& options, const SharedDevice& device);

}  // namespace nn::cli
