// The ways to execute a request, behind one signature.
#pragma once

#include <array>
#include <string_view>

#include "device_test/cases/case_outcome.h"
#include "nnapi/driver/interfaces.h"

namespace nn::testing {

enum class ExecutionPath { SYNC, REUSABLE, BURST, FENCED };
inline constexpr std::array kExecutionPaths = {ExecutionPath::SYNC, ExecutionPath::REUSABLE,
                                               ExecutionPath::BURST, ExecutionPath::FENCED};

// "sync", the last part of a case's name.
std::string_view nameOf(ExecutionPath path);

struct PathOptions {
    MeasureTiming measure = MeasureTiming::NO;
    OptionalTimePoint deadline{};
    OptionalDuration loopTimeout{};
    Duration patience = std::chrono::seconds(10);  // for the fence of FENCED
};

// Executes and waits for the end. If the fence of FENCED is in error, the result has the code of
// its callback; its timing is the one since launch, and shapes are empty.
ExecutionResult<Executed> executeBy(ExecutionPath path, const IPreparedModel& prepared,
                                    const Request& request, const PathOptions& options = {});

// NOT_SUPPORTED if a device of that version has no fenced executions and says so.
Failure lackOfFences(const IDevice& device, const Status& status,
                     ExecutionPath path = ExecutionPath::FENCED);

// A fence that the test signals.
class OwnFence {
   public:
    OwnFence();
    bool ok() const { return mRead != nullptr && mWrite.ok(); }
    SyncFence get() const { return SyncFence(mRead); }
    void signal() const;
    void fail() { mWrite.reset(); }  // closes the end that could signal it

   private:
    SharedHandle mRead{};
    UniqueFd mWrite{};
};

}  // namespace nn::testing
