// Conversion of durations and time points: units, the value for "none", and the two clocks. A value
// that a version cannot express is rounded to the nearest one it can, and the difference is
// reported as a loss.
#pragma once

#include "convert/common/context.h"

namespace nn NNAPI_BINDING::conversion {

Status translate(const Timing& timing, V1_2::Timing& hal, const Context& context);
Status translate(const V1_2::Timing& hal, Timing& timing, const Context& context);

Status translate(const OptionalDuration& duration, V1_3::OptionalTimeoutDuration& hal,
                 const Context& context);
Status translate(const V1_3::OptionalTimeoutDuration& hal, OptionalDuration& duration,
                 const Context& context);

Status translate(const OptionalTimePoint& timePoint, V1_3::OptionalTimePoint& hal,
                 const Context& context);
Status translate(const V1_3::OptionalTimePoint& hal, OptionalTimePoint& timePoint,
                 const Context& context);

}  // namespace NNAPI_BINDING::conversion
