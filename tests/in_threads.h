// Runs a function in several threads at once.
#pragma once

#include <functional>
#include <thread>
#include <vector>

namespace nn {

// Calls run(0), run(1), ... in a thread each, and waits for all of them.
inline void inThreads(int count, const std::function<void(int)>& run) {
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(run, i);
    for (std::thread& thread : threads) thread.join();
}

}  // namespace nn
