// nnapi/stop_condition.h -- Deadline and cancellation of long operations.
//
//   std::atomic<bool> isCancelled = false;
//   nn::StopCondition until{.deadline = nn::Clock::now() + std::chrono::milliseconds(50),
//                           .isCancelled = [&] { return isCancelled.load(); }};
//   nn::Result<nn::Version> needed = nn::validate(model, limits, until);
//
// Long operations check both about once a millisecond, and fail with MISSED_DEADLINE_PERSISTENT
// [until.deadline] or GENERAL_FAILURE [until.stop].
#pragma once

#include <functional>

#include "nnapi/types.h"

namespace nn {

// Returns true to cancel the operation. Must not throw. For a std::stop_token pass [token] { return
// token.stop_requested(); }.
using StopFunction = std::function<bool()>;

// When an operation ends early; by default never.
struct StopCondition {
    OptionalTimePoint deadline{};  // by nn::Clock; empty: none
    StopFunction isCancelled{};    // called on the thread that runs the operation
};

}  // namespace nn
