// Work on a device beside a yardstick: both alternate in one run, since machines change their
// speed. Counters, of the shortest times: beyondNs is the row less its yardstick; times is the row
// divided by its yardstick, where the bare call is taken from the row first, if the yardstick does
// not make it; allocations are those of one execution on the calling thread.
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

// Alternates the yardstick, the bare call, which the yardstick lacks, and the work. A yardstick may
// also be a time.
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

// For a yardstick that lacks nothing.
template <class Yardstick, class Work>
void besides(benchmark::State& state, Yardstick&& yardstick, Work&& work) {
    besides(state, yardstick, nullptr, work);
}

// A request of addition() whose arguments lie in shared memory, as those of real clients do.
inline Request pooled() {
    const SharedMemory pool = createSharedMemory(48).value();
    const auto at = [](uint32_t offset) {
        return Request::Argument{.location = {.offset = offset, .length = 16}};
    };
    return {.inputs = {at(0), at(16)}, .outputs = {at(32)}, .pools = {pool}};
}

// The bare call: what stands below all layers.
inline auto bareCall(const PreparedModel& prepared, const Request& request) {
    return [&] { return prepared.execute(request, {}).status.ok(); };
}

}  // namespace nn
