#include "cli/interrupt.h"

#include <csignal>

namespace nn::cli {
namespace {

// A request is a store to an atomic number: nothing is called back.
std::stop_source& stopSource() {
    static std::stop_source source;
    return source;
}

void onInterrupt(int) { stopSource().request_stop(); }

}  // namespace

void catchInterrupts() {
    stopSource();  // exists before a signal needs it
    struct sigaction action = {};
    sigaction(SIGINT, nullptr, &action);
    if (action.sa_handler == SIG_IGN) return;  // as in the background of a script
    action = {};
    action.sa_handler = onInterrupt;
    // The second has its usual effect. A read that waits ends.
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return stopSource().stop_requested(); }

std::stop_token stopOnInterrupt() { return stopSource().get_token(); }

}  // namespace nn::cli
