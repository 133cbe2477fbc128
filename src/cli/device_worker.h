// The worker process that holds the device, runs cases and returns their outcomes.
#pragma once

#include <string_view>
#include <vector>

#include "cli/case_result.h"
#include "cli/peer_options.h"

namespace nn::cli {

// The first argument of such a process; the command is not for users.
inline constexpr std::string_view kDeviceWorker = "test-device-worker";

// What a worker must know, as the line that it is sent first.
struct WorkerSetup {
    std::string device{};
    testing::DeviceTestOptions options{};
    Limits limits{};
    PeerChoices peers = peerChoices();
};
Json toJson(const WorkerSetup& setup);
WorkerSetup workerSetupOf(const Json& json);

// The cases of a file in their order; those of the device itself, and the built-in ones, where the
// name is empty.
class CaseLists {
   public:
    // `onUnreadable` is told of lines of files that are no test cases.
    CaseLists(testing::DeviceTestOptions options, Limits limits,
              std::function<void(const Status&)> onUnreadable = {})
        : mOptions(std::move(options)), mLimits(limits), mOnUnreadable(std::move(onUnreadable)) {}

    // Of the last file that was asked for, so ask for one after the other.
    Result<const std::vector<testing::DeviceCase>*> of(const std::string& file);

   private:
    testing::DeviceTestOptions mOptions;
    Limits mLimits;
    std::function<void(const Status&)> mOnUnreadable;
    std::string mFile;
    bool mIsRead = false;
    std::vector<testing::DeviceCase> mCases{};
};

// What a name without a file stands for.
inline constexpr std::string_view kOfDevice = "";
inline constexpr std::string_view kBuiltIn = "built in";

// Serves the socket until its other end is closed.
Exit deviceWorker();

}  // namespace nn::cli
