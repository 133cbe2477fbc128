// Logs the outcome and the duration of a call.
#pragma once

#include <chrono>
#include <string_view>
#include <utility>

#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/vlog.h"

namespace nn::driver {

// Tells "npu prepareModel_1_3: done in 1.250 ms", or "npu prepareModel_1_3: GENERAL_FAILURE in
// 1.250 ms: why".
void logEnd(const Log& log, VlogTag tag, std::string_view who, std::string_view call,
            const Status& status, Duration time);

// Returns the result of the call, and logs its end.
template <class Call>
auto logged(const SharedLog& log, VlogTag tag, std::string_view who, std::string_view name,
            Call&& call) {
    if (log == nullptr || !log->isOn(tag)) return call();
    const TimePoint start = Clock::now();
    auto result = call();
    logEnd(*log, tag, who, name, result.status(), Clock::now() - start);
    return result;
}

}  // namespace nn::driver
