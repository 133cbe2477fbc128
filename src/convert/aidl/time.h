// Conversion of AIDL's times: nanoseconds, or -1 for none. Both sides count time points from boot.
#pragma once

#include "convert/common/context.h"

namespace nn NNAPI_BINDING::conversion {

Status translate(const OptionalDuration& duration, int64_t& hal, const Context& context);
Status translate(const int64_t& hal, OptionalDuration& duration, const Context& context);
Status translate(const OptionalTimePoint& timePoint, int64_t& hal, const Context& context);
Status translate(const int64_t& hal, OptionalTimePoint& timePoint, const Context& context);
Status translate(const Timing& timing, aidl_hal::Timing& hal, const Context& context);
Status translate(const aidl_hal::Timing& hal, Timing& timing, const Context& context);

}  // namespace NNAPI_BINDING::conversion
