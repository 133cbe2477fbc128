// Compares work on a device with a baseline: both alternate in one run, because the speed of a
// machine varies. Counters, of the shortest times: beyondNs is the difference between row and
// baseline; times is their ratio, after the bare call is subtracted from the row if the baseline
// does not include it; allocations are those of one execution on the calling thread.
#pragma once

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <type_traits>
#include <utility>

#include "heap.h"
#include "nnapi/interpreter.h"
#include "nnapi/memory.h"

namespace nn {

using BenchClock = std::chrono::steady_clock;

// Alternates the baseline, the bare call that the baseline lacks, and the work. A baseline may also
// be a constant time.
template <class Yardstick, class Bare, class Work>
void besides(benchmark::State& state, Yardstick&& yardstick, Bare&& bareCall, Work&& work) {
    constexpr bool kHasBareCall = !std::is_null_pointer_v<std::decay_t<Bare>>;
    using Time = BenchClock::duration;
    const auto shortest = [](Time& best, auto& run) {
        const auto begin = BenchClock::now();
        const bool isDone = run();
        const Time took = BenchClock::now() - begin;
        best = std::min(best, took);
        return std::pair(isDone, took);
    };
    constexpr bool kIsMeasured = !std::is_same_v<std::decay_t<Yardstick>, Time>;
    Time yard = Time::max(), working = Time::max();
    if constexpr (!kIsMeasured) yard = yardstick;
    Time bare = kHasBareCall ? Time::max() : Time::zero();
    size_t allocated = 0;
    for (auto _ : state) {
        bool isMeasured = true;
        if constexpr (kIsMeasured) isMeasured = shortest(yard, yardstick).first;
        if constexpr (kHasBareCall) isMeasured = isMeasured && shortest(bare, bareCall).first;
        const size_t before = heap::allocations;
        const auto [isDone, took] = shortest(working, work);
        allocated = heap::allocations - before;
        if (!isMeasured || !isDone) return state.SkipWithError("the work failed");
        state.SetIterationTime(std::chrono::duration<double>(took).count());
    }
    working -= bare;
    state.counters["beyondNs"] = static_cast<double>((working - yard).count());
    state.counters["times"] =
            static_cast<double>(working.count()) / static_cast<double>(yard.count());
    state.counters["yardNs"] = static_cast<double>(yard.count());
    state.counters["allocations"] = static_cast<double>(allocated);
}

// For a baseline that includes the bare call.
template <class Yardstick, class Work>
void besides(benchmark::State& state, Yardstick&& yardstick, Work&& work) {
    besides(state, yardstick, nullptr, work);
}

// A request of addition() with its arguments in shared memory, like those of real clients.
inline Request pooled() {
    const SharedMemory pool = createSharedMemory(48).value();
    const auto at = [](uint32_t offset) {
        return Request::Argument{.location = {.offset = offset, .length = 16}};
    };
    return {.inputs = {at(0), at(16)}, .outputs = {at(32)}, .pools = {pool}};
}

// The bare call of the interpreter, below all layers.
inline auto bareCall(const PreparedModel& prepared, const Request& request) {
    return [&] { return prepared.execute(request, {}).status.ok(); };
}

}  // namespace nn
