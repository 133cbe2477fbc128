// The ways to execute a request, with one signature.
#pragma once

#include <array>
#include <string_view>

#include "nnapi/driver/interfaces.h"

namespace nn::testing {

enum class ExecutionPath { SYNC, REUSABLE, BURST, FENCED };
inline constexpr std::array kExecutionPaths = {ExecutionPath::SYNC, ExecutionPath::REUSABLE,
                                               ExecutionPath::BURST, ExecutionPath::FENCED};

// "sync", as the last part of the name of a case.
std::string_view nameOf(ExecutionPath path);

struct PathOptions {
    MeasureTiming measure = MeasureTiming::NO;
    OptionalTimePoint deadline{};
    OptionalDuration loopTimeout{};
    Duration patience = std::chrono::seconds(10);  // for the fence of FENCED
};

// Executes and waits for the end. FENCED answers with the code of its callback where the fence is
// in error, without shapes, and with the timing since the launch.
ExecutionResult<Executed> executeBy(ExecutionPath path, const IPreparedModel& prepared,
                                    const Request& request, const PathOptions& options = {});

// True where a device of that version has no fenced executions and says so.
bool isLackOfFences(ExecutionPath path, const IDevice& device, const Status& status);

// A fence of our own, which others wait for.
class OwnFence {
   public:
    OwnFence();
    bool ok() const { return mRead != nullptr && mWrite.ok(); }
    SyncFence get() const { return SyncFence(mRead); }
    void signal() const;
    void fail() { mWrite.reset(); }  // the end that could have signalled it is gone

   private:
    SharedHandle mRead{};
    UniqueFd mWrite{};
};

}  // namespace nn::testing
