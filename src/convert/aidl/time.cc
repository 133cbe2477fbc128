#include "convert/aidl/structs.h"

namespace nn::conversion {
namespace {

constexpr int64_t kNoTime = -1;

// Any other negative time would come to mean something else.
Status expectTime(int64_t nanoseconds, std::string_view allowed, const Where& where) {
    if (nanoseconds >= 0) return {};
    return where.refuse("convert.range",
                        fmt::format("time is {} ns, allowed {}", nanoseconds, allowed));
}

template <class Time>
Status send(const std::optional<Time>& time, Duration sinceStart, int64_t& hal,
            const Where& where) {
    hal = kNoTime;
    if (!time) return {};
    hal = sinceStart.count();
    return expectTime(hal, "0 or more", where);
}

template <class Time>
Status receive(int64_t hal, std::optional<Time>& time, const Where& where) {
    time = std::nullopt;
    if (hal == kNoTime) return {};
    time = Time(Duration(hal));
    return expectTime(hal, "0 or more, or -1 for none", where);
}

}  // namespace

Status translate(const OptionalDuration& duration, int64_t& hal, const Where& where) {
    return send(duration, duration.value_or(Duration::zero()), hal, where);
}

Status translate(const int64_t& hal, OptionalDuration& duration, const Where& where) {
    return receive(hal, duration, where);
}

Status translate(const OptionalTimePoint& timePoint, int64_t& hal, const Where& where) {
    return send(timePoint, timePoint.value_or(TimePoint()).time_since_epoch(), hal, where);
}

Status translate(const int64_t& hal, OptionalTimePoint& timePoint, const Where& where) {
    return receive(hal, timePoint, where);
}

Status translate(const Timing& timing, aidl_hal::Timing& hal, const Where& where) {
    NNAPI_RETURN_IF_ERROR(
            translate(timing.timeInDriver, hal.timeInDriverNs, where.at("timeInDriver")));
    return translate(timing.timeOnDevice, hal.timeOnDeviceNs, where.at("timeOnDevice"));
}

Status translate(const aidl_hal::Timing& hal, Timing& timing, const Where& where) {
    NNAPI_RETURN_IF_ERROR(
            translate(hal.timeInDriverNs, timing.timeInDriver, where.at("timeInDriverNs")));
    return translate(hal.timeOnDeviceNs, timing.timeOnDevice, where.at("timeOnDeviceNs"));
}

}  // namespace nn::conversion
