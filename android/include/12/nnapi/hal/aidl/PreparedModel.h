// nnapi/hal/aidl/PreparedModel.h -- a prepared model of AIDL as a canonical one, by Android's name.
#pragma once

#include <memory>

#include "nnapi/IPreparedModel.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/hal/aidl/Utils.h"

namespace aidl::android::hardware::neuralnetworks::utils {

struct PreparedModel {
    // By the version that the driver is compiled for, or the one of a feature level.
    static nn::GeneralResult<nn::SharedPreparedModel> create(
            std::shared_ptr<IPreparedModel> preparedModel, nn::Version featureLevel = kVersion);
};

}  // namespace aidl::android::hardware::neuralnetworks::utils
