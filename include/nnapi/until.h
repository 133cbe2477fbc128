// nnapi/until.h -- how a caller ends long work before it is done.
//
//   std::atomic<bool> isCancelled = false;
//   nn::Until until{.deadline = nn::Clock::now() + std::chrono::milliseconds(50),
//                   .stop = [&] { return isCancelled.load(); }};
//   nn::Result<nn::Version> needed = nn::validate(model, limits, until);
//
// Work asks every so many steps, about every millisecond, and then answers with a status:
// MISSED_DEADLINE_PERSISTENT [until.deadline], GENERAL_FAILURE [until.stop].
#pragma once

#include <functional>

#include "nnapi/types.h"

namespace nn {

// True once the work is to end. Must not throw. Whoever has a std::stop_token gives
// [token] { return token.stop_requested(); }.
using StopFunction = std::function<bool()>;

struct Until {
    OptionalTimePoint deadline{};  // the work ends when it is past
    StopFunction stop{};           // asked from the thread that works
};

}  // namespace nn
