// Files of TensorFlow Lite.
#include "fuzz/import_target.h"
#include "fuzz/input.h"
#include "fuzz/target.h"
#include "importers/graphs/import_trial.h"
#include "nnapi/import/tflite.h"

namespace nn::fuzz {

// An imported model is valid, and a file written from it can be read.
NNAPI_FUZZ_TARGET(tflite, TFLITE) {
    const Limits limits{.operands = 4096, .constantBytes = 16 << 20, .fileObjects = 1 << 16};
    const Result<Import> imported =
            importTflite(bytes, {.target = targetFor(bytes), .partial = true, .limits = limits});
    if (!imported.ok()) return;
    expectNone(graphs::violationOf(graphs::FileFormat::TFLITE, *imported));
}

}  // namespace nn::fuzz
