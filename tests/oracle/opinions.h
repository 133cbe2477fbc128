// Compares three implementations of each operation of a model: the interpreter, the oracle, and
// XNNPACK where it supports the operation.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "nnapi/generate/generate.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::oracle {

struct Case {
    std::string name{};
    Model model{};
    std::vector<Tensor> inputs{};
    uint64_t seed = 0;
};

struct Tally {
    std::map<OperationType, size_t> compared;
    std::map<OperationType, size_t> byXnnpack;  // of these, also compared with XNNPACK
    size_t unstable = 0;                        // different results, see isUnstable
    size_t wild = 0;                            // not compared, see isTame
    size_t refused = 0;                         // cases that the interpreter rejects
    size_t refusedByBoth = 0;                   // of them, because of the content of tensors
};

// Compares all operations of one case; the first failure, if any. A case that the interpreter has
// not executed by the deadline counts as refused: the second evaluator would take many times as
// long.
std::optional<std::string> compareOpinions(const Case& made, Tally& tally,
                                           const OptionalTimePoint& deadline = {});

// Creates cases of one operation, of two in sequence where the first may have empty results, or of
// several. Every operation is equally likely; one in 256 models has large tensors.
class GeneratedCases {
   public:
    GeneratedCases();

    Case make(testing::Source& source) const;
    Case make(std::mt19937_64& random) const;

   private:
    std::vector<OperationType> mOperations{};
};

}  // namespace nn::oracle
