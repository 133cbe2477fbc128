// The worker process that holds the device, runs cases and returns their outcomes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/testing/device_test_runner.h"
#include "testing/runner/json_lines.h"

namespace nn::testing {

// What a worker must know, as the line that it is sent first.
struct WorkerSetup {
    std::string device{};
    std::string settings{};
    DeviceTestOptions options{};
    Limits limits{};
};
Json toJson(const WorkerSetup& setup);
WorkerSetup workerSetupOf(const Json& json);

// The cases of a file in their order; those of the device itself, and the built-in ones, where the
// name is empty.
class CaseLists {
   public:
    // `onUnreadable` is told of lines of files that are no test cases.
    CaseLists(DeviceTestOptions options, Limits limits,
              std::function<void(const Status&)> onUnreadable = {})
        : mOptions(std::move(options)), mLimits(limits), mOnUnreadable(std::move(onUnreadable)) {}

    // Of the last file that was asked for, so ask for one after the other.
    Result<const std::vector<DeviceCase>*> of(const std::string& file);

   private:
    DeviceTestOptions mOptions;
    Limits mLimits;
    std::function<void(const Status&)> mOnUnreadable;
    std::string mFile;
    bool mIsRead = false;
    std::vector<DeviceCase> mCases{};
};

// What a name without a file stands for.
inline constexpr std::string_view kOfDevice = "";
inline constexpr std::string_view kBuiltIn = "built in";

}  // namespace nn::testing
