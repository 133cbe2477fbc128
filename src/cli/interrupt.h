// ^C in long work: it ends after what was done so far has been told.
#pragma once

#include <stop_token>

namespace nn::cli {

// From now on the first SIGINT asks the work to end, and the second ends the program at once.
void catchInterrupts();

// Has the user asked the work to end?
bool interrupted();

// What ExecuteOptions::stop takes: an execution ends when the user asks the work to end.
std::stop_token stopOnInterrupt();

}  // namespace nn::cli
