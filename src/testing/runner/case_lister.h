// Lists the cases of a device test, batches them for worker processes, and collects their results.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "testing/runner/worker.h"
#include "testing/runner/worker_pool.h"

namespace nn::testing {

// A case, and where a worker finds it.
struct Listed {
    CaseHead head{};
    std::string file{};  // as CaseLists know it
    Json task{};
    bool isDone = false;  // an earlier run has its result
};

// Reads cases, and keeps those that fit.
class CaseLister {
   public:
    // As in DeviceRunOptions; all but `fits` may be empty.
    struct Hooks {
        std::function<bool(const DeviceCase&)> fits{};
        StopFunction stop{};
        std::function<void(const std::filesystem::path& file, size_t count)> onFile{};
        std::function<void(const Status&)> onUnreadable{};
    };
    CaseLister(const WorkerSetup& setup, Hooks hooks);

    // The cases of the device itself.
    void addDevice();
    // Those of the test cases in these files, or of those that are built in where there are none.
    void addFiles(const std::vector<std::string>& files);

    std::deque<Listed> take() { return std::exchange(mListed, {}); }

   private:
    void refuse(const Status& why);
    void add(const std::string& file);

    Hooks mHooks;
    CaseLists mLists;
    std::deque<Listed> mListed{};
};

// Neighbours from number `next` on, which are of one file and to be run; moves `next` past them.
// Nothing where there are no more.
std::optional<WorkerPool::Batch> nextBatch(const std::deque<Listed>& listed, size_t& next);

// What came of a case.
CaseResult caseResultOf(const CaseHead& head, const WorkerPool::Answer& answer, Duration timeLimit);

}  // namespace nn::testing
