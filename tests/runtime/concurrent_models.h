// Models of two branches, and a meeting point for the threads that compute them.
#pragma once

#include <condition_variable>
#include <mutex>
#include <vector>

#include "runtime/plan_models.h"

namespace nn::runtime {

// u = x + y, v = x * y; with `join`, w = u + v is the only output.
inline Model branchesOf(bool join) {
    Model model;
    Graph main(model);
    const Dimensions size{4};
    const auto x = main.input(TENSOR_FLOAT32, size);
    const auto y = main.input(TENSOR_FLOAT32, size);
    const auto none = main.scalar(0);
    const auto value = [&] {
        return join ? main.temporary(TENSOR_FLOAT32, size) : main.output(TENSOR_FLOAT32, size);
    };
    const auto u = value(), v = value();
    main.add(ADD, {x, y, none}, {u});
    main.add(MUL, {x, y, none}, {v});
    if (join) main.add(ADD, {u, v, none}, {main.output(TENSOR_FLOAT32, size)});
    model.main = main.graph;
    return model;
}
inline Model twoBranches() { return branchesOf(true); }
inline Model branchesWithOutputs() { return branchesOf(false); }

inline std::vector<float> twoBranchesOf(const Floats& values) {
    std::vector<float> w;
    for (size_t i = 0; i < values.x.size(); ++i) {
        w.push_back(values.x[i] + values.y[i] + values.x[i] * values.y[i]);
    }
    return w;
}

// A barrier for threads, reusable. Thread-safe.
class Rendezvous {
   public:
    explicit Rendezvous(size_t count) : mCount(count) {}

    // Returns false if the other threads do not arrive within a minute.
    bool meet() {
        std::unique_lock lock(mMutex);
        const size_t turn = mTurn;
        if (++mWaiting == mCount) {
            mWaiting = 0;
            ++mTurn;
            mChanged.notify_all();
            return true;
        }
        return mChanged.wait_for(lock, std::chrono::minutes(1), [&] { return mTurn != turn; });
    }
    Status meetOrFail() {
        if (meet()) return {};
        return error() << "the others have not come";
    }

   private:
    const size_t mCount;
    std::mutex mMutex{};
    std::condition_variable mChanged{};
    size_t mWaiting = 0, mTurn = 0;
};

}  // namespace nn::runtime
