// Compares work on a model with copying its graph, alternating in one run, because the speed of a
// machine varies: `timesCopy` is the shortest time of the work in units of the shortest time of a
// copy, `ofDescriptors` is the part of it that duplicating and closing a descriptor for each pool
// takes in the kernel, `allocations` is the number of allocations of the work.
#pragma once

#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>

#include "heap.h"
#include "nnapi/types.h"

namespace nn {

// `work` receives the result of `prepare`, which is not measured, and may move from it.
template <class Prepare, class Work>
void besideCopy(benchmark::State& state, const Model& model, Prepare&& prepare, Work&& work) {
    using Clock = std::chrono::steady_clock;
    auto copying = Clock::duration::max();
    auto working = Clock::duration::max();
    auto duplicating = Clock::duration::max();
    size_t allocated = 0;
    const UniqueFd descriptor(memfd_create("bench", MFD_CLOEXEC));
    for (auto _ : state) {
        const auto first = Clock::now();
        for (size_t i = 0; i < model.pools.size(); ++i)
            benchmark::DoNotOptimize(duplicate(descriptor.get()));
        duplicating = std::min(duplicating, Clock::now() - first);
        const auto start = Clock::now();
        benchmark::DoNotOptimize(Model(model));
        const auto copied = Clock::now();
        auto prepared = prepare();
        const size_t before = heap::allocations;
        const auto begin = Clock::now();
        const bool done = work(prepared);
        const auto end = Clock::now();
        allocated = heap::allocations - before;
        if (!done) return state.SkipWithError("the work failed");
        copying = std::min(copying, copied - start);
        working = std::min(working, end - begin);
        state.SetIterationTime(std::chrono::duration<double>(end - begin).count());
    }
    state.counters["timesCopy"] =
            static_cast<double>(working.count()) / static_cast<double>(copying.count());
    state.counters["ofDescriptors"] =
            static_cast<double>(duplicating.count()) / static_cast<double>(copying.count());
    state.counters["allocations"] = static_cast<double>(allocated);
}

}  // namespace nn
