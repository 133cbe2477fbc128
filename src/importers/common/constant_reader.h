// The bytes of a model's constants, wherever they are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "nnapi/memory.h"
#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::importing {

// Maps the pools of a legal model, which outlives it.
class ConstantReader {
   public:
    static Result<ConstantReader> of(const Model& model);

    const Model& model() const { return *mModel; }

    // Empty for an operand that is no constant.
    std::optional<std::span<const uint8_t>> bytesOf(const Operand& operand) const;

   private:
    const Model* mModel = nullptr;
    std::vector<Mapping> mPools;
};

}  // namespace nn::importing
