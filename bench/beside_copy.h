// Work on a model beside copying its graph, alternating in one run, since machines change their
// speed: `timesCopy` is the shortest time of the work in units of the shortest time of a copy,
// `ofDescriptors` is what duplicating and closing a descriptor for each pool takes of that, which
// is the kernel's, `allocations` is the number of allocations of the work.
#pragma once

#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <algorithm>
#include <chrono>

#include "heap.h"
#include "nnapi/types.h"

namespace nn {

// `work` gets the result of `prepare`, which is not measured, and may move it away.
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
