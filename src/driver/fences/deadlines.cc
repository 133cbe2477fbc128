#include "driver/fences/deadlines.h"

namespace nn::driver {

Status checkDeadlineBefore(std::string_view call, const OptionalTimePoint& deadline) {
    if (!hasDeadlinePassed(deadline)) return {};
    return error(ErrorStatus::MISSED_DEADLINE_PERSISTENT)
           << call << ": the deadline is past before the call";
}

Status checkDeadlineAfter(std::string_view call, const OptionalTimePoint& deadline) {
    if (!hasDeadlinePassed(deadline)) return {};
    return error(ErrorStatus::MISSED_DEADLINE_TRANSIENT)
           << call << ": the deadline has passed during the call";
}

}  // namespace nn::driver
