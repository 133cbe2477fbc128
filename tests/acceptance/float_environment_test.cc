// The results of the interpreter do not depend on the floating-point environment of its caller, and
// floating-point exceptions raised by extreme values do not trap.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "environment.h"
#include "nnapi/interpreter.h"
#include "odd_float_environment.h"
#include "vectors.h"

namespace nn::acceptance_float_environment_test {
namespace {

Result<std::vector<Tensor>> runOn(const Model& model, const std::vector<Tensor>& inputs,
                                  size_t threads) {
    NNAPI_ASSIGN_OR_RETURN(prepared, prepare(model, {.threads = threads}));
    return prepared.run(inputs);
}

bool areSame(const Result<std::vector<Tensor>>& a, const Result<std::vector<Tensor>>& b) {
    return a.ok() == b.ok() && (a.ok() ? *a == *b : a.status() == b.status());
}

// Values that raise exceptions: NaN, infinities, zeros, subnormal numbers.
std::vector<Tensor> extremesIn(const TestCase& testCase) {
    constexpr float kExtremes[] = {
            std::numeric_limits<float>::signaling_NaN(), 0, -std::numeric_limits<float>::infinity(),
            std::numeric_limits<float>::max(), std::numeric_limits<float>::denorm_min()};
    std::vector<Tensor> inputs = testCase.inputs;
    const Model::Subgraph& main = testCase.model.main;
    for (size_t k = 0; k < std::min(inputs.size(), main.inputIndexes.size()); ++k) {
        if (main.operands[main.inputIndexes[k]].type != OperandType::TENSOR_FLOAT32) continue;
        std::vector<uint8_t>& data = inputs[k].data;
        for (size_t i = 0; (i + 1) * sizeof(float) <= data.size(); ++i) {
            std::memcpy(data.data() + i * sizeof(float), &kExtremes[i % std::size(kExtremes)],
                        sizeof(float));
        }
    }
    return inputs;
}

TEST(FloatEnvironment, DoesNotChangeResults) {
    // In presets where all take too long, every n-th vector.
    const uint64_t share = fromEnvironment("NNAPI_DEVICE_SHARE", 1);
    uint64_t turn = 0;
    size_t compared = 0;
    forEachVector([&](const TestCase& testCase) {
        if (turn++ % share != 0) return;
        for (const auto& inputs : {testCase.inputs, extremesIn(testCase)}) {
            const size_t threads = 1 + compared++ % 2;
            const auto expected = runOn(testCase.model, inputs, threads);
            const auto found = [&] {
                const OddFloatEnvironment odd;
                return runOn(testCase.model, inputs, threads);
            }();
            EXPECT_TRUE(areSame(found, expected)) << testCase.name;
        }
    });
    EXPECT_GT(compared, 10'000 / share);
}

}  // namespace
}  // namespace nn::acceptance_float_environment_test
