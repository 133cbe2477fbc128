#include "tools/nnapi/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <chrono>
#include <csignal>

#include "nnapi/types.h"
#include "tools/nnapi/output.h"

namespace nn::cli {
namespace {

// The time of the first interrupt.
std::atomic<Clock::rep> firstAt = 0;

std::atomic<bool> isInterrupted = false;
std::atomic<bool> isReported = false;

// Some senders signal both the program and its group at once; a user is slower.
void onInterrupt(int) {
    using namespace std::chrono_literals;
    const Clock::duration now = Clock::now().time_since_epoch();
    if (!isInterrupted.exchange(true)) {
        firstAt = now.count();
    } else if (now - Clock::duration(firstAt) > 300ms) {
        _exit(kInterrupted);
    }
}

}  // namespace

void catchInterrupts() {
    struct sigaction action = {};
    sigaction(SIGINT, nullptr, &action);
    if (action.sa_handler == SIG_IGN) return;  // such as for background jobs of a script
    action = {};
    action.sa_handler = onInterrupt;  // without SA_RESTART, so that a blocking read ends
    sigaction(SIGINT, &action, nullptr);
}

bool interrupted() { return isInterrupted; }

std::string_view thenInterrupted(const Output& output) {
    if (!isInterrupted) return "";
    if (!output.isJson()) setInterruptReported();
    return ", then interrupted";
}

bool isInterruptReported() { return isReported; }
void setInterruptReported() { isReported = true; }

}  // namespace nn::cli
