// Finds the first operation whose result on a device differs from the reference.
//
// A device shows only the outputs of models. So the supported operations become a model all of
// whose values are outputs, which needs one preparation. If the device refuses that model, its
// halves are tried, down to single operations, with inputs from the reference. If everything
// agrees, the device may differ only where it fuses operations: then the original model is
// executed, and the shortest prefix that differs is searched for.
#pragma once

#include "nnapi/driver/interfaces.h"
#include "tools/nnapi/diff/steps.h"

namespace nn::cli {

Verdict compareWithDevice(const Side& side, const Options& options, const SharedDevice& device);

}  // namespace nn::cli
