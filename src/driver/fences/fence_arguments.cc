#include "driver/fences/fence_arguments.h"

#include <string>
#include <utility>

#include "driver/fences/deadlines.h"
#include "driver/fences/execution_outcome.h"
#include "driver/fences/fences.h"
#include "nnapi/driver/callbacks.h"

namespace nn::driver {

Result<FenceArguments> waitBeforeCopying(std::string_view call, FenceArguments fences,
                                         Duration ceiling) {
    if (fences.waitFor.empty()) return fences;
    NNAPI_RETURN_IF_ERROR(checkDeadlineBefore(call, fences.deadline));
    const TimePoint begin = Clock::now();
    const hal::utils::WaitPolicy patience(fences.deadline, ceiling);
    const Status waited = waitForAll(fences.waitFor, patience.end());
    if (errorStatus(waited) == ErrorStatus::MISSED_DEADLINE_TRANSIENT) {
        return patience.exceeded(std::string("the fences before ").append(call));
    }
    NNAPI_RETURN_IF_ERROR(waited);
    const TimePoint signaled = Clock::now();
    return FenceArguments{
            .waitFor = {},
            .deadline = earlier(fences.deadline, after(signaled, fences.timeoutAfterFences)),
            .timeoutAfterFences = {},
            .waited = signaled - begin};
}

ExecutedFenced launchedAfter(Duration waited, ExecutedFenced launched) {
    if (waited == Duration::zero() || !launched.second) return launched;
    return {std::move(launched.first), [waited, info = std::move(launched.second)] {
                auto infos = info();
                if (!infos.has_value() || !infos->first.timeInDriver) return infos;
                infos->first.timeInDriver = extendedBy(*infos->first.timeInDriver, waited);
                return infos;
            }};
}

}  // namespace nn::driver
