// Lists the cases of a device test, batches them for worker processes, and collects their results.
#pragma once

#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "cli/case_result.h"
#include "cli/device_worker.h"
#include "cli/worker_pool.h"

namespace nn::cli {

// A case, and where a worker finds it.
struct Listed {
    CaseHead head{};
    std::string file{};  // as CaseLists know it
    Json task{};
    bool isDone = false;  // an earlier run has its result
};

// Reads cases, and keeps those that fit. Complains about what cannot be read.
class CaseLister {
   public:
    using Fits = std::function<bool(const testing::DeviceCase&)>;
    CaseLister(const Options& options, const WorkerSetup& setup, Fits fits);

    // The cases of the device itself.
    void addDevice();
    // Those of the test cases in the files of the options, or of those that are built in where
    // there are no files.
    void addFiles();

    std::deque<Listed> take() { return std::exchange(mListed, {}); }

    // kUsageOrUnreadable where there were complaints.
    Exit exit() const { return mExit; }

   private:
    void refuse(const std::string& message);
    void add(const std::string& file);

    const Options& mOptions;
    Fits mFits;
    CaseLists mLists;
    std::deque<Listed> mListed{};
    Exit mExit = kGood;
};

// Neighbours from number `next` on, which are of one file and to be run; moves `next` past them.
// Nothing where there are no more.
std::optional<WorkerPool::Batch> nextBatch(const std::deque<Listed>& listed, size_t& next);

// What came of a case.
CaseResult caseResultOf(const CaseHead& head, const WorkerPool::Answer& answer, Duration timeLimit);

}  // namespace nn::cli
