// Calls HIDL drivers and checks transport status and error codes.
#pragma once

#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

#include "driver/wrap/answer_checks.h"
#include "nnapi/driver/callbacks.h"

namespace nn::driver::hidl_calls {

using hal::utils::failureOf;

// The code of a driver; GENERAL_FAILURE for one that its version does not have.
ErrorStatus codeOf(V1_0::ErrorStatus status);
ErrorStatus codeOf(V1_3::ErrorStatus status);

// A code as HAL 1.0 to 1.2 have it; what they lack becomes GENERAL_FAILURE.
V1_0::ErrorStatus halCodeOf(ErrorStatus code);

// Of an execution that was not measured.
inline constexpr V1_2::Timing kNoTiming = {.timeOnDevice = UINT64_MAX, .timeInDriver = UINT64_MAX};

// Success for NONE.
template <class HalErrorStatus>
Status statusOf(HalErrorStatus status, std::string_view call) {
    return status == HalErrorStatus::NONE ? Status() : refusal(codeOf(status), call);
}

// The same for a method that answers its status alone.
template <class HalErrorStatus>
Status statusOf(const nn::hidl::Return<HalErrorStatus>& answered, std::string_view call) {
    if (!answered.isOk()) return failureOf(answered, call);
    return statusOf(static_cast<HalErrorStatus>(answered), call);
}

// A driver that returned without handing over its results.
Status unanswered(std::string_view call);

// Calls a method that hands its results to a callback before it returns: invoke(callback). The
// first results count.
template <class HalErrorStatus, class... Values, class Invoke>
Result<std::tuple<Values...>> ask(std::string_view call, Invoke&& invoke) {
    struct {
        HalErrorStatus status{};
        std::optional<std::tuple<Values...>> values{};
    } answer;
    const nn::hidl::Return<void> returned =
            invoke([&answer](HalErrorStatus status, const Values&... values) {
                if (answer.values) return;
                answer.status = status;
                answer.values.emplace(values...);
            });
    if (!returned.isOk()) return failureOf(returned, call);
    if (!answer.values) return unanswered(call);
    NNAPI_RETURN_IF_ERROR(statusOf(answer.status, call));
    return *std::move(answer.values);
}

}  // namespace nn::driver::hidl_calls
