// What cases do on several threads at once.
#pragma once

#include <fmt/format.h>

#include <exception>
#include <functional>
#include <latch>
#include <thread>
#include <vector>

#include "device_test/cases/case_outcome.h"

namespace nn::testing {

inline constexpr size_t kThreads = 8;

// Runs a function on several threads, which start together. Returns the failure of the lowest
// thread number; a device that throws has failed. A device that lacks resources for calls that meet
// has not: the code means that they may be available later.
inline DeviceOutcome onThreads(const std::function<Failure(size_t thread)>& function,
                               size_t count = kThreads) {
    std::vector<Failure> failures(count);
    std::latch start(static_cast<std::ptrdiff_t>(count));
    {
        std::vector<std::jthread> threads;
        for (size_t i = 0; i < count; ++i) {
            threads.emplace_back([&, i] {
                start.arrive_and_wait();
                try {
                    failures[i] = function(i);
                } catch (const std::exception& thrown) {
                    failures[i] = failed("a thread", fmt::format("throws {}", thrown.what()));
                } catch (...) {
                    failures[i] = failed("a thread", "throws");
                }
            });
        }
    }
    bool isBusy = false;
    for (const Failure& failure : failures) {
        if (!failure) continue;
        if (failure->code != ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT) return *failure;
        isBusy = true;
    }
    if (!isBusy) return passed();
    return passedWith("RESOURCE_EXHAUSTED_TRANSIENT where calls of several threads meet");
}

}  // namespace nn::testing
