// Compares three implementations on generated models with random data: the interpreter, the second
// evaluator, and XNNPACK where it supports an operation.
#include "fuzz/input.h"
#include "oracle/compared_models.h"
#include "oracle/opinions.h"

namespace nn::fuzz {

NNAPI_FUZZ_TARGET(opinions, CHOICES) {
    static const oracle::GeneratedCases kCases;
    testing::Source source(bytes);
    // Tolerances hold for random numbers, not for adversarial ones.
    std::mt19937_64 random(source.number());
    oracle::Case made = kCases.make(source);
    oracle::randomise(made.model, made.inputs, random);
    oracle::showTemporaries(made.model);
    made.seed = random();
    oracle::Tally tally;
    const auto differs =
            oracle::compareOpinions(made, tally, makeDeadline(std::chrono::milliseconds(200)));
    expect(!differs, differs.value_or(""));
}

}  // namespace nn::fuzz
