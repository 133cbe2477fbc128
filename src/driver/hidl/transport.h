// Calls HIDL drivers and checks transport status and error codes.
#pragma once

#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "driver/wrap/result_checks.h"
#include "nnapi/driver/callbacks.h"

namespace nn::driver::hidl_calls {

using hal::utils::failureOf;

// A driver's code; GENERAL_FAILURE for one that its version lacks.
ErrorStatus codeOf(V1_0::ErrorStatus status);
ErrorStatus codeOf(V1_3::ErrorStatus status);

// A code in HAL 1.0 to 1.2; GENERAL_FAILURE for one that they lack.
V1_0::ErrorStatus halCodeOf(ErrorStatus code);

// The timing of an execution that was not measured.
inline constexpr V1_2::Timing kNoTiming = {.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX};

// Succeeds for NONE.
template <class HalErrorStatus>
Status statusOf(HalErrorStatus status, std::string_view call) {
    return status == HalErrorStatus::NONE ? Status() : refusal(codeOf(status), call);
}

// The same for a method that returns only a status.
template <class HalErrorStatus>
Status statusOf(const nn::hidl::Return<HalErrorStatus>& returned, std::string_view call) {
    if (!returned.isOk()) return failureOf(returned, call);
    return statusOf(static_cast<HalErrorStatus>(returned), call);
}

// The failure of a driver that returned without calling its callback.
Status noResult(std::string_view call);

// Calls a method that passes its results to a callback before it returns: invoke(callback). Only
// the first results count.
template <class HalErrorStatus, class... Values, class Invoke>
Result<std::tuple<Values...>> ask(std::string_view call, Invoke&& invoke) {
    struct {
        HalErrorStatus status{};
        std::optional<std::tuple<Values...>> values{};
    } result;
    const nn::hidl::Return<void> returned =
            invoke([&result](HalErrorStatus status, const Values&... values) {
                if (result.values) return;
                result.status = status;
                result.values.emplace(values...);
            });
    if (!returned.isOk()) return failureOf(returned, call);
    if (!result.values) return noResult(call);
    NNAPI_RETURN_IF_ERROR(statusOf(result.status, call));
    return *std::move(result.values);
}

}  // namespace nn::driver::hidl_calls
