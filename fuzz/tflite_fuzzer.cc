// Files of TensorFlow Lite.
#include "fuzz/import_target.h"
#include "fuzz/target.h"
#include "nnapi/import/tflite.h"
#include "nnapi/validate.h"

namespace nn::fuzz {

// What can be imported is legal, and what is written of it can be read.
NNAPI_FUZZ_TARGET(tflite, TFLITE) {
    const Limits limits{.operands = 4096, .constantBytes = 16 << 20, .fileObjects = 1 << 16};
    const Result<Import> imported =
            importTflite(bytes, {.target = targetFor(bytes), .partial = true, .limits = limits});
    if (!imported.ok()) return;
    expect(refusalsOf(*imported).ok() || imported->operators.size() > 0,
           "a refusal has an operator");
    for (const ImportedPart& part : imported->parts) {
        expect(nn::validate(part.model).ok(), "an imported model is legal");
        expect(part.operandNames.size() == part.model.main.operands.size(),
               "each operand has a name");
        const Result<std::vector<uint8_t>> written = exportTflite(part.model);
        if (!written.ok()) continue;
        expect(importTflite(*written).ok(), "a file that was written can be read");
    }
}

}  // namespace nn::fuzz
