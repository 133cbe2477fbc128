// NeuralNetworksOEM.h -- The codes of HAL 1.0 for vendors' own types and operations, which came
// before extensions.
#pragma once

#include "nnapi/hal/v1_0.h"

typedef enum {
    ANEURALNETWORKS_OEM_SCALAR = static_cast<int>(::nn::V1_0::OperandType::OEM),
    ANEURALNETWORKS_TENSOR_OEM_BYTE = static_cast<int>(::nn::V1_0::OperandType::TENSOR_OEM_BYTE),
} OperandCodeOEM;

typedef enum {
    ANEURALNETWORKS_OEM_OPERATION = static_cast<int>(::nn::V1_0::OperationType::OEM_OPERATION),
} OperationCodeOEM;
