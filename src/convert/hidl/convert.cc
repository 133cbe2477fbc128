#include "nnapi/convert.h"

#include "convert/common/conversion.h"
#include "convert/hidl/structs.h"

namespace nn NNAPI_BINDING {

Result<OptionalTimePoint> unvalidatedConvert(const V1_3::OptionalTimePoint& timePoint,
                                             const ClockReading& clocks) {
    using conversion::Context;
    return conversion::run<OptionalTimePoint>(
            timePoint, Context{.version = HalVersion::V1_3, .clocks = &clocks});
}

Result<OptionalTimePoint> convert(const V1_3::OptionalTimePoint& timePoint,
                                  const ClockReading& clocks) {
    NNAPI_ASSIGN_OR_RETURN(canonical, unvalidatedConvert(timePoint, clocks));
    NNAPI_RETURN_IF_ERROR(compliantWith<HalVersion::V1_3>(canonical));
    return canonical;
}

}  // namespace NNAPI_BINDING

namespace nn {
namespace V1_3 NNAPI_BINDING::utils {

Result<OptionalTimePoint> unvalidatedConvert(const nn::OptionalTimePoint& timePoint, Losses* losses,
                                             const ClockReading& clocks) {
    using conversion::Context;
    return conversion::run<OptionalTimePoint>(
            timePoint, Context{.version = HalVersion::V1_3, .losses = losses, .clocks = &clocks});
}

Result<OptionalTimePoint> convert(const nn::OptionalTimePoint& timePoint, Losses* losses,
                                  const ClockReading& clocks) {
    NNAPI_RETURN_IF_ERROR(compliantWith<HalVersion::V1_3>(timePoint));
    return unvalidatedConvert(timePoint, losses, clocks);
}

}  // namespace NNAPI_BINDING::utils
}  // namespace nn
