// The arguments of a model, which determine the size of a device's buffer.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn::service {

struct ModelArguments {
    struct Argument {
        OperandType type{};
        Dimensions dimensions{};
    };
    std::vector<Argument> inputs{};
    std::vector<Argument> outputs{};
};

ModelArguments argumentsOf(const Model& model);

// The bytes of all constants that a driver may copy. A pool counts once, even if several constants
// share it.
uint64_t constantBytes(const Model& model);

// The largest size that a role requires, as far as known beforehand. 64 MiB if the dimensions do
// not determine it and a model is not known (null).
uint64_t bufferBytes(const Dimensions& dimensions,
                     std::span<const std::shared_ptr<const ModelArguments>> models,
                     std::span<const BufferRole> inputRoles,
                     std::span<const BufferRole> outputRoles);

}  // namespace nn::service
