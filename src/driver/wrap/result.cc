#include "nnapi/driver/result.h"

namespace nn::driver_internal {

Status failureOf(Status status) {
    if (!status.ok()) return status;
    return makeError(ErrorStatus::GENERAL_FAILURE, "a success without a value");
}

}  // namespace nn::driver_internal
