// Prepares and executes models on the reference as the options ask for.
#pragma once

#include "nnapi/interpreter.h"
#include "nnapi/io.h"
#include "tools/nnapi/options.h"

namespace nn::cli {

// Prepares a model for executions as the options ask for them.
Result<PreparedModel> prepareFor(const Options& options, Model model);
Result<PreparedModel> prepareFor(const Options& options, const ValidatedModel& model);

// The options to execute a case with. A case that must fail may be endless, so it gets a short
// time.
ExecuteOptions executeOptions(const TestCase& testCase);

}  // namespace nn::cli
