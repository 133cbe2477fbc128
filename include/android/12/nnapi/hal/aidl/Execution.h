// nnapi/hal/aidl/Execution.h -- a reusable execution of AIDL as a canonical one, by Android's name.
#pragma once

#include <memory>

#include "nnapi/IExecution.h"
#include "nnapi/SharedMemory.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/hal/aidl/PreparedModel.h"
#include "nnapi/hal/aidl/Utils.h"

namespace aidl::android::hardware::neuralnetworks::utils {

struct Execution {
    // Of a request whose arguments are in memory.
    static nn::GeneralResult<nn::SharedExecution> create(std::shared_ptr<IExecution> execution,
                                                         const nn::Request& request,
                                                         nn::MeasureTiming measure) {
        return ::nn::AIDL4::utils::Execution::create(std::move(execution), request, measure);
    }
    // Copies the pieces of the relocation before and after each computation. The shapes of outputs
    // are the driver's: without the request, they are not checked.
    static nn::GeneralResult<nn::SharedExecution> create(std::shared_ptr<IExecution> execution,
                                                         nn::RequestRelocation relocation);
};

}  // namespace aidl::android::hardware::neuralnetworks::utils
