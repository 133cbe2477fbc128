// nnapi/hal/aidl/model.h -- AidlModel: a model of AIDL with its version.
//
//   const nn::AidlModel sent{.version = nn::HalVersion::AIDL2, .model = std::move(model)};
#pragma once

#include "nnapi/fields.h"
#include "nnapi/hal/aidl/types.h"
#include "nnapi/version.h"

namespace nn {

// A model with the version that it was made for, which the model itself does not contain.
struct AidlModel {
    HalVersion version = HalVersion::AIDL4;
    aidl_hal::Model model{};
    bool operator==(const AidlModel&) const = default;
};
NNAPI_FIELDS(AidlModel, version, model)

}  // namespace nn
