// Prepared models of drivers as canonical ones.
#pragma once

#include <memory>
#include <vector>

#include "driver/common/shapes.h"
#include "driver/hidl/versions.h"
#include "nnapi/driver/wrap.h"

namespace nn::driver::hidl {

// What a model says of its outputs; null where the model is not known.
using SharedOutputSignatures = std::shared_ptr<const std::vector<OutputSignature>>;

// A prepared model by the newest version that it has, up to V. GENERAL_FAILURE for null.
template <HalVersion V>
GeneralResult<SharedPreparedModel> wrapPreparedModel(
        const sp<typename PreparedModelRow<HalVersion::V1_0>::Interface>& preparedModel,
        const WrapOptions& options, SharedOutputSignatures outputs);

}  // namespace nn::driver::hidl
