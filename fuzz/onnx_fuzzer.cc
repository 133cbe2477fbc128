// Files of ONNX.
#include "fuzz/import_target.h"
#include "fuzz/target.h"
#include "nnapi/import/onnx.h"
#include "nnapi/validate.h"

namespace nn::fuzz {

// What can be imported is legal.
NNAPI_FUZZ_TARGET(onnx, ONNX) {
    OnnxOptions options;
    options.common.target = targetFor(bytes);
    options.common.partial = true;
    options.common.limits = {.operands = 4096, .constantBytes = 16 << 20, .fileObjects = 1 << 16};
    const Result<Import> imported = importOnnx(bytes, options);
    if (!imported.ok()) return;
    for (const ImportedPart& part : imported->parts) {
        expect(nn::validate(part.model).ok(), "an imported model is legal");
        expect(part.operandNames.size() == part.model.main.operands.size(),
               "each operand has a name");
    }
}

}  // namespace nn::fuzz
