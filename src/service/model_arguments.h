// The arguments of a model, from which the size of a device's buffer is known.
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

// The bytes of all constants, wherever they lie, of which a driver may keep a copy: those of a pool
// once, however many constants share them.
uint64_t constantBytes(const Model& model);

// The most that one of the roles asks for, as far as it is known beforehand; of a model that is not
// known (null) 64 MiB, where the dimensions do not say it.
uint64_t bufferBytes(const Dimensions& dimensions,
                     std::span<const std::shared_ptr<const ModelArguments>> models,
                     std::span<const BufferRole> inputRoles,
                     std::span<const BufferRole> outputRoles);

}  // namespace nn::service
