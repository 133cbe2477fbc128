#include <unistd.h>

#include <absl/algorithm/container.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "op_support/kernels/kernel_call.h"
#include "op_support/kernels/philox.h"
#include "op_support/kernels/vector_kernels.h"
#include "ops/random_multinomial/signature.h"

namespace nn::ops {
namespace random_multinomial {
namespace {

// The random numbers of two seeds. If both are 0, each call returns different ones.
Philox generatorOf(std::span<const int32_t> seeds) {
    uint64_t words[2] = {static_cast<uint64_t>(int64_t{seeds[0]}),
                         static_cast<uint64_t>(int64_t{seeds[1]})};
    // If the system has no entropy, falls back to the stream of seeds 0.
    if (words[0] == 0 && words[1] == 0) static_cast<void>(!getentropy(words, sizeof(words)));
    return {words[0], words[1]};
}

// cdf[k] = sum_{i <= k} exp(x[i] - max x), where non-finite x[i] add 0
void accumulate(std::span<const float> logits, std::span<double> cdf) {
    float most = -std::numeric_limits<float>::infinity();
    for (const float x : logits) {
        if (x > most && std::isfinite(x)) most = x;
    }
    absl::c_transform(logits, cdf.begin(), [&](float x) { return double{x} - most; });
    vectorKernels().exponentialDoubles(cdf);
    double sum = 0;
    for (size_t k = 0; k < logits.size(); ++k) {
        if (std::isfinite(logits[k])) sum += cdf[k];
        cdf[k] = sum;
    }
}

}  // namespace
}  // namespace random_multinomial

// Each sample is the first class k with cdf[k] > u * (sum of all), u uniform in [0, 1).
bool kernels::RANDOM_MULTINOMIAL(KernelCall& op) {
    using namespace random_multinomial;
    const auto logits = op.reals(kLogits);
    const auto output = op.output(0).mutableAs<int32_t>();
    const size_t classes = op.input(kLogits)[1];
    const size_t samples = op.output(0)[1];
    Philox random = generatorOf(op.input(kSeeds).as<int32_t>());
    const auto cdf = op.scratch<double>(classes);
    for (size_t batch = 0; batch < op.input(kLogits)[0]; ++batch) {
        accumulate(logits.subspan(batch * classes, classes), cdf);
        for (int32_t& sample : output.subspan(batch * samples, samples)) {
            const auto chosen = absl::c_upper_bound(cdf, random.uniform() * cdf.back());
            sample = static_cast<int32_t>(chosen - cdf.begin());
        }
    }
    return true;
}

}  // namespace nn::ops
