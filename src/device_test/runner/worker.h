// The worker process that holds the device, runs cases and returns their outcomes.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "device_test/runner/json_lines.h"
#include "nnapi/device_test/device_test_runner.h"

namespace nn::testing {

// The setup of a worker, sent to it as the first line.
struct WorkerSetup {
    std::string device{};
    std::string settings{};
    DeviceTestOptions options{};
    Limits limits{};
};
Json toJson(const WorkerSetup& setup);
WorkerSetup workerSetupOf(const Json& json);

// The cases of a file in order; for an empty name, those of the device itself and the built-in
// ones.
class CaseLists {
   public:
    // `onUnreadable` is called for lines that are not test cases.
    CaseLists(DeviceTestOptions options, Limits limits,
              std::function<void(const Status&)> onUnreadable = {})
        : mOptions(std::move(options)), mLimits(limits), mOnUnreadable(std::move(onUnreadable)) {}

    // Cached for the last file only, so request files one after the other.
    Result<const std::vector<DeviceCase>*> of(const std::string& file);

   private:
    DeviceTestOptions mOptions;
    Limits mLimits;
    std::function<void(const Status&)> mOnUnreadable;
    std::string mFile;
    bool mIsRead = false;
    std::vector<DeviceCase> mCases{};
};

// The meaning of an empty file name.
inline constexpr std::string_view kOfDevice{};
inline constexpr std::string_view kBuiltIn = "built in";

}  // namespace nn::testing
