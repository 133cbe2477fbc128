#include "convert/aidl/time.h"

namespace nn NNAPI_BINDING::conversion {
namespace {

constexpr int64_t kNoTime = -1;

// Other negative times would change their meaning.
Status expectTime(int64_t nanoseconds, std::string_view allowed, const Context& context) {
    if (nanoseconds >= 0) return {};
    return context.refuse("convert.range",
                          fmt::format("time is {} ns, allowed {}", nanoseconds, allowed));
}

template <class Time>
Status send(const std::optional<Time>& time, Duration sinceStart, int64_t& hal,
            const Context& context) {
    hal = kNoTime;
    if (!time) return {};
    hal = sinceStart.count();
    return expectTime(hal, "0 or more", context);
}

template <class Time>
Status receive(int64_t hal, std::optional<Time>& time, const Context& context) {
    time = std::nullopt;
    if (hal == kNoTime) return {};
    time = Time(Duration(hal));
    return expectTime(hal, "0 or more, or -1 for none", context);
}

}  // namespace

Status translate(const OptionalDuration& duration, int64_t& hal, const Context& context) {
    return send(duration, duration.value_or(Duration::zero()), hal, context);
}

Status translate(const int64_t& hal, OptionalDuration& duration, const Context& context) {
    return receive(hal, duration, context);
}

Status translate(const OptionalTimePoint& timePoint, int64_t& hal, const Context& context) {
    return send(timePoint, timePoint.value_or(TimePoint()).time_since_epoch(), hal, context);
}

Status translate(const int64_t& hal, OptionalTimePoint& timePoint, const Context& context) {
    return receive(hal, timePoint, context);
}

Status translate(const Timing& timing, aidl_hal::Timing& hal, const Context& context) {
    NNAPI_RETURN_IF_ERROR(
            translate(timing.timeInDriver, hal.timeInDriverNs, context.at("timeInDriver")));
    return translate(timing.timeOnDevice, hal.timeOnDeviceNs, context.at("timeOnDevice"));
}

Status translate(const aidl_hal::Timing& hal, Timing& timing, const Context& context) {
    NNAPI_RETURN_IF_ERROR(
            translate(hal.timeInDriverNs, timing.timeInDriver, context.at("timeInDriverNs")));
    return translate(hal.timeOnDeviceNs, timing.timeOnDevice, context.at("timeOnDeviceNs"));
}

}  // namespace NNAPI_BINDING::conversion
