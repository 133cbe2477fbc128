// Converts the canonical model to and from its message (canonical.proto).
#pragma once

#include "model_io/pools.h"
#include "nnapi/canonical.pb.h"
#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn::schema {

Status writeCanonical(const Model& model, nnapi::Model& message, PoolWriter& pools);
Result<Model> readCanonical(const nnapi::Model& message, const PoolReader& pools);

}  // namespace nn::schema
