// The interpreter on any model that it prepares, with any data.
#include "fuzz/input.h"
#include "nnapi/validate.h"

namespace nn::fuzz {

NNAPI_FUZZ_TARGET(execute_any, MODEL) {
    const ModelInput input = split(bytes);
    const auto model = canonicalOf(input);
    if (!model) return;
    const Result<PreparedModel> prepared = prepare(*model, littleWork());
    if (!prepared.ok()) return expect(!textOf(prepared.status()).empty(), "refused silently");
    expect(validate(*model).ok(), "prepares an invalid model");
    testing::Source source(input.choices);
    const std::vector<Tensor> inputs = anyBits(source, *model);
    const auto once = prepared->run(inputs, littleTime());
    if (!once.ok()) return expect(!textOf(once.status()).empty(), "fails silently");
    expect(once->size() == model->main.outputIndexes.size(), "an output is missing");
}

}  // namespace nn::fuzz
