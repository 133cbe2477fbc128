// The commands that `nnapi` executes itself: each reads its options and returns an exit code.
#pragma once

#include "tools/nnapi/options.h"
#include "tools/nnapi/output.h"

namespace nn::cli {

Exit info(const Options& options);
Exit validate(const Options& options);
Exit convert(const Options& options);
Exit run(const Options& options);
Exit verify(const Options& options);
Exit conformance(const Options& options);
Exit ops(const Options& options);
Exit rules(const Options& options);
Exit limits(const Options& options);
Exit bench(const Options& options);
Exit dot(const Options& options);
Exit view(const Options& options);
Exit diff(const Options& options);
Exit generate(const Options& options);
Exit help(const Options& options);

}  // namespace nn::cli
