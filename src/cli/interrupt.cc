#include "cli/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>

#include "cli/command.h"

namespace nn::cli {
namespace {

// When the first came.
std::atomic<Clock::rep> firstAt = 0;

// A request is a store to an atomic number, which a handler of signals may do: nothing is called
// back.
std::stop_source& stopSource() {
    static std::stop_source source;
    return source;
}

// Some send it twice at once, to a program and to its group; a user takes longer.
void onInterrupt(int) {
    using namespace std::chrono_literals;
    const Clock::duration now = Clock::now().time_since_epoch();
    if (stopSource().request_stop()) {
        firstAt = now.count();
    } else if (now - Clock::duration(firstAt) > 300ms) {
        _exit(kInterrupted);
    }
}

}  // namespace

void catchInterrupts() {
    stopSource();  // exists before a signal needs it
    struct sigaction action = {};
    sigaction(SIGINT, nullptr, &action);
    if (action.sa_handler == SIG_IGN) return;  // as in the background of a script
    action = {};
    action.sa_handler = onInterrupt;  // without SA_RESTART: a read that waits ends
    sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return stopSource().stop_requested(); }

std::stop_token stopOnInterrupt() { return stopSource().get_token(); }

}  // namespace nn::cli
