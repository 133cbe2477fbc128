#include "convert/hidl/time.h"

#include <algorithm>
#include <limits>

#include "nnapi/checked_math.h"

namespace nn NNAPI_BINDING {

ClockReading ClockReading::now() {
    return {.boot = Clock::now().time_since_epoch(),
            .steady = std::chrono::steady_clock::now().time_since_epoch()};
}

namespace conversion {
namespace {

using std::chrono::microseconds;

// HAL 1.2 counts microseconds; the largest count means no duration.
constexpr uint64_t kNoDuration = std::numeric_limits<uint64_t>::max();

constexpr std::string_view kNotNegative = "has no negative times";

// The sum, saturated to the range of a duration.
Duration saturatingAdd(Duration a, Duration b) {
    if (const auto sum = checkedAdd<int64_t>(a.count(), b.count())) return Duration(*sum);
    return a.count() < 0 ? Duration::min() : Duration::max();
}

// In nanoseconds; the canonical count is signed, the HAL's is not.
uint64_t toNanoseconds(Duration duration) { return saturatingCast<uint64_t>(duration.count()); }
Duration fromNanoseconds(uint64_t count) { return Duration(saturatingCast<int64_t>(count)); }

// Rounded up, so that a measured time never becomes 0.
uint64_t toMicroseconds(const OptionalDuration& duration) {
    if (!duration) return kNoDuration;
    return saturatingCast<uint64_t>(std::chrono::ceil<microseconds>(*duration).count());
}

OptionalDuration fromMicroseconds(uint64_t count) {
    if (count == kNoDuration) return std::nullopt;
    constexpr uint64_t kMax = std::chrono::floor<microseconds>(Duration::max()).count();
    if (count > kMax) return Duration::max();
    return microseconds(static_cast<int64_t>(count));
}

void translateMicroseconds(const OptionalDuration& duration, uint64_t& hal,
                           const Context& context) {
    hal = toMicroseconds(duration);
    context.recordLoss(duration, fromMicroseconds(hal),
                       duration < Duration::zero() ? kNotNegative : "counts whole microseconds");
}

// Translates a time of clock `from` to clock `to`.
Duration rebase(Duration time, Duration from, Duration to) {
    const Duration ahead = saturatingAdd(to, from == Duration::min() ? Duration::max() : -from);
    return saturatingAdd(time, ahead);
}

uint64_t toSteady(TimePoint timePoint, const ClockReading& clocks) {
    return toNanoseconds(rebase(timePoint.time_since_epoch(), clocks.boot, clocks.steady));
}

TimePoint fromSteady(uint64_t nanoseconds, const ClockReading& clocks) {
    const Duration time = rebase(fromNanoseconds(nanoseconds), clocks.steady, clocks.boot);
    return TimePoint(std::max(time, Duration::zero()));
}

ClockReading readClocks(const Context& context) {
    return context.clocks == nullptr ? ClockReading::now() : *context.clocks;
}

}  // namespace

Status translate(const Timing& timing, V1_2::Timing& hal, const Context& context) {
    translateMicroseconds(timing.timeOnDevice, hal.timeOnDevice, context.at("timeOnDevice"));
    translateMicroseconds(timing.timeInDriver, hal.timeInDriver, context.at("timeInDriver"));
    return {};
}

Status translate(const V1_2::Timing& hal, Timing& timing, const Context&) {
    timing = {
            .timeOnDevice = fromMicroseconds(hal.timeOnDevice),
            .timeInDriver = fromMicroseconds(hal.timeInDriver),
    };
    return {};
}

Status translate(const OptionalDuration& duration, V1_3::OptionalTimeoutDuration& hal,
                 const Context& context) {
    if (!duration) return {};
    hal.nanoseconds(toNanoseconds(*duration));
    context.recordLoss(*duration, fromNanoseconds(toNanoseconds(*duration)), kNotNegative);
    return {};
}

Status translate(const V1_3::OptionalTimeoutDuration& hal, OptionalDuration& duration,
                 const Context&) {
    using Discriminator = V1_3::OptionalTimeoutDuration::hidl_discriminator;
    duration = std::nullopt;
    if (hal.getDiscriminator() == Discriminator::nanoseconds) {
        duration = fromNanoseconds(hal.nanoseconds());
    }
    return {};
}

Status translate(const OptionalTimePoint& timePoint, V1_3::OptionalTimePoint& hal,
                 const Context& context) {
    if (!timePoint) return {};
    const ClockReading clocks = readClocks(context);
    const uint64_t steady = toSteady(*timePoint, clocks);
    hal.nanosecondsSinceEpoch(steady);
    context.recordLoss(*timePoint, fromSteady(steady, clocks),
                       "counts from 0 on the steady clock to the largest time point");
    return {};
}

Status translate(const V1_3::OptionalTimePoint& hal, OptionalTimePoint& timePoint,
                 const Context& context) {
    using Discriminator = V1_3::OptionalTimePoint::hidl_discriminator;
    timePoint = std::nullopt;
    if (hal.getDiscriminator() == Discriminator::nanosecondsSinceEpoch) {
        timePoint = fromSteady(hal.nanosecondsSinceEpoch(), readClocks(context));
    }
    return {};
}

}  // namespace conversion
}  // namespace NNAPI_BINDING
