// The commands of `nnapi-device`, and those of `nnapi` with --device.
#pragma once

#include "tools/nnapi/options.h"
#include "tools/nnapi/output.h"

namespace nn::cli {

Exit testDevice(const Options& options);
Exit report(const Options& options);
Exit devices(const Options& options);
#ifdef NNAPI_HAS_SERVICE
Exit serve(const Options& options);
#endif
Exit exec(const Options& options);
Exit newDriver(const Options& options);

Exit infoWithDevice(const Options& options);
Exit validateWithDevice(const Options& options);
Exit dotWithDevice(const Options& options);
Exit viewWithDevice(const Options& options);
Exit runOnDevice(const Options& options);
Exit conformanceOfDevice(const Options& options);
Exit diffWithDevice(const Options& options);

}  // namespace nn::cli
