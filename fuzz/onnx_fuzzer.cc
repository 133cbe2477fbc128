// Files of ONNX.
#include "fuzz/import_target.h"
#include "fuzz/input.h"
#include "fuzz/target.h"
#include "importers/graphs/import_trial.h"
#include "nnapi/import/onnx.h"

namespace nn::fuzz {

// An imported model is valid.
NNAPI_FUZZ_TARGET(onnx, ONNX) {
    OnnxOptions options;
    options.common.target = targetFor(bytes);
    options.common.partial = true;
    options.common.limits = {.operands = 4096, .constantBytes = 16 << 20, .fileObjects = 1 << 16};
    const Result<Import> imported = importOnnx(bytes, options);
    if (!imported.ok()) return;
    expectNone(graphs::violationOf(graphs::FileFormat::ONNX, *imported));
}

}  // namespace nn::fuzz
