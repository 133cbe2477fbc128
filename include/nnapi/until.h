// nnapi/until.h -- how a caller ends long work before it is done.
//
//   std::atomic<bool> isCancelled = false;
//   nn::Until until{.deadline = nn::Clock::now() + std::chrono::milliseconds(50),
//                   .stop = [&] { return isCancelled.load(); }};
//   nn::Result<nn::Version> needed = nn::validate(model, limits, until);
//
// Long work checks both about once in a millisecond. When it has to end, it returns a status:
// MISSED_DEADLINE_PERSISTENT [until.deadline], GENERAL_FAILURE [until.stop].
#pragma once

#include <functional>

#include "nnapi/types.h"

namespace nn {

// Returns true once the work is to end. It must not throw. With a std::stop_token, pass
// [token] { return token.stop_requested(); }.
using StopFunction = std::function<bool()>;

struct Until {
    OptionalTimePoint deadline{};  // the work ends when this time is past
    StopFunction stop{};           // called on the thread that works
};

}  // namespace nn
