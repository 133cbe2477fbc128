#include <absl/algorithm/container.h>
#include <farmhash.h>

#include <cstring>

#include "op_support/kernels/kernel_call.h"
#include "ops/lsh_projection/signature.h"

namespace nn::ops {
namespace lsh_projection {
namespace {

// score[h] = sum_j weight[j] * fingerprint(seed h, row j of the input); without weights, each
// weight is 1. The fingerprint of the bytes of seed and row is a signed number.
std::span<const double> scoresOf(KernelCall& op) {
    const auto seeds = op.reals(kHash);
    const auto weights = op.has(kWeights) ? op.reals(kWeights) : std::span<const float>();
    const Value& input = op.input(kInput);
    const size_t rows = input[0];
    const size_t rowSize =
            static_cast<size_t>(input.elementCount().value_or(0)) / rows * elementSize(input.type);
    const auto key = op.scratch<char>(sizeof(float) + rowSize);
    const auto scores = op.scratch<double>(seeds.size());
    absl::c_fill(scores, 0.0);
    for (size_t row = 0; row < rows; ++row) {
        std::memcpy(key.data() + sizeof(float), input.data + row * rowSize, rowSize);
        const double weight = weights.empty() ? 1.0 : weights[row];
        for (size_t h = 0; h < seeds.size(); ++h) {
            op.interruption().spend(key.size());
            std::memcpy(key.data(), &seeds[h], sizeof(float));
            const auto hash = static_cast<int64_t>(util::Fingerprint64(key.data(), key.size()));
            scores[h] += weight * static_cast<double>(hash);
        }
    }
    return scores;
}

}  // namespace
}  // namespace lsh_projection

// A bit is 1 if its score is above 0. Sparse forms combine the bits of a hash function into one
// number, first bit highest; SPARSE adds k * 2^bits to keep the numbers of the functions k
// distinct.
bool kernels::LSH_PROJECTION(KernelCall& op) {
    using namespace lsh_projection;
    const auto type = static_cast<Projection>(*op.int32(kType));
    const size_t bits = op.input(kHash)[1];
    const auto scores = scoresOf(op);
    const auto output = op.output(0).mutableAs<int32_t>();
    if (type == Projection::DENSE) {
        absl::c_transform(scores, output.begin(), [](double s) { return s > 0 ? 1 : 0; });
        return true;
    }
    for (size_t k = 0; k < output.size(); ++k) {
        uint64_t signature = 0;
        for (const double score : scores.subspan(k * bits, bits)) {
            signature = signature << 1 | (score > 0 ? 1 : 0);
        }
        if (type == Projection::SPARSE) signature += uint64_t{k} << bits;
        output[k] = static_cast<int32_t>(static_cast<uint32_t>(signature));  // wraps
    }
    return true;
}

}  // namespace nn::ops
