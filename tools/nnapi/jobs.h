// Processes several inputs in parallel and reports results in input order.
//
//   Jobs<Judgment> jobs(options.jobs, [](Judgment judgment) { ...print it...; return kGood; });
//   Exit exit = forEachInput(options, [&](Input& input) {
//       return jobs.add(name, [input = std::move(input)] { return judge(input); });
//   });
//   exit = worse(exit, jobs.finish());
//
// The thread that adds reads the inputs and gets the results; the others work.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "base/untrusted_text.h"
#include "tools/nnapi/output.h"

namespace nn::cli {

// Threads that execute tasks in order of arrival.
class TaskThreads {
   public:
    explicit TaskThreads(size_t count);
    TaskThreads(const TaskThreads&) = delete;
    TaskThreads& operator=(const TaskThreads&) = delete;
    // Executes all added jobs.
    ~TaskThreads();

    void add(std::function<void()> task);

   private:
    void serve();

    std::mutex mMutex;
    std::condition_variable mHasTask;
    std::deque<std::function<void()>> mTasks{};
    bool mEnds = false;
    std::vector<std::thread> mThreads{};
};

template <class Value>
class Jobs {
   public:
    // One job works in the thread that adds.
    Jobs(size_t count, std::function<Exit(Value)> onResult)
        : mMax(count * kAhead), mOnResult(std::move(onResult)) {
        if (count > 1) mThreads = std::make_unique<TaskThreads>(count);
    }

    // Starts a job, and passes on finished results if many are waiting. `name` is that of its
    // input, for a complaint if memory runs out.
    template <class Work>
    Exit add(UntrustedText name, Work work) {
        if (mThreads == nullptr) return mOnResult(work());
        auto task = std::make_shared<std::packaged_task<Value()>>(std::move(work));
        mWaiting.push_back({std::move(name), task->get_future()});
        mThreads->add([task] { (*task)(); });
        return passOnUntil(mMax);
    }

    // Passes on all results.
    Exit finish() { return passOnUntil(0); }

   private:
    struct Waiting {
        UntrustedText name;
        std::future<Value> result;
    };

    // The number of inputs in memory for each job.
    static constexpr size_t kAhead = 4;

    Exit passOnUntil(size_t left) {
        Exit worst = kGood;
        for (; mWaiting.size() > left; mWaiting.pop_front()) {
            Waiting& first = mWaiting.front();
            worst = worse(worst, withMemory(fmt::format("{}", first.name),
                                            [&] { return mOnResult(first.result.get()); }));
        }
        return worst;
    }

    size_t mMax;
    std::function<Exit(Value)> mOnResult;
    std::deque<Waiting> mWaiting{};
    std::unique_ptr<TaskThreads> mThreads{};  // ends before what its tasks use
};

}  // namespace nn::cli
