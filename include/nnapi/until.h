// nnapi/until.h -- Deadline and cancellation of long operations.
//
//   std::atomic<bool> isCancelled = false;
//   nn::Until until{.deadline = nn::Clock::now() + std::chrono::milliseconds(50),
//                   .stop = [&] { return isCancelled.load(); }};
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
struct Until {
    OptionalTimePoint deadline{};  // by nn::Clock; empty: none
    StopFunction stop{};           // called on the thread that runs the operation
};

}  // namespace nn
