// The commands of `nnapi`: each reads its options and answers with an exit code.
#pragma once

#include "cli/options.h"
#include "cli/output.h"

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
Exit diff(const Options& options);
Exit generate(const Options& options);
Exit testDevice(const Options& options);
Exit report(const Options& options);
Exit devices(const Options& options);
#ifdef NNAPI_HAS_SERVICE
Exit serve(const Options& options);
#endif
Exit exec(const Options& options);
Exit newDriver(const Options& options);
Exit help(const Options& options);

}  // namespace nn::cli
