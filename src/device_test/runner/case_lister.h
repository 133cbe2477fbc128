// Lists the cases of a device test, batches them for worker processes, and collects their results.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "device_test/runner/worker.h"
#include "device_test/runner/worker_pool.h"

namespace nn::testing {

// A case, and where a worker finds it.
struct Listed {
    CaseHead head{};
    std::string file{};  // as named by CaseLists
    Json task{};
    bool isDone = false;  // its result is known from an earlier run
};

// Reads cases, and keeps those that match.
class CaseLister {
   public:
    // As in DeviceRunOptions; all except `fits` may be empty.
    struct Hooks {
        std::function<bool(const DeviceCase&)> fits{};
        StopFunction isCancelled{};
        std::function<void(const std::filesystem::path& file, size_t count)> onFile{};
        std::function<void(const Status&)> onUnreadable{};
    };
    CaseLister(const WorkerSetup& setup, Hooks hooks);

    // Adds the cases of the device itself.
    void addDevice();
    // Adds the cases for the test cases in these files; without files, for the built-in ones.
    void addFiles(const std::vector<std::string>& files);

    std::deque<Listed> take() { return std::exchange(mListed, {}); }

   private:
    void refuse(const Status& why);
    void add(const std::string& file);

    Hooks mHooks;
    CaseLists mLists;
    std::deque<Listed> mListed{};
};

// The next batch of adjacent cases of one file that have not run, from number `next` on; advances
// `next`. Empty if there are no more.
std::optional<WorkerPool::Batch> nextBatch(const std::deque<Listed>& listed, size_t& next);

// The result of a case.
CaseResult caseResultOf(const CaseHead& head, const WorkerPool::TaskResult& taskResult,
                        Duration timeLimit);

}  // namespace nn::testing
