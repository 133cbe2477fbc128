#include "testing/runner/call_recorder.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace nn::testing {
namespace {

int32_t thisThread() { return static_cast<int32_t>(syscall(SYS_gettid)); }

int64_t nanosecondsNow() { return Clock::now().time_since_epoch().count(); }

// The entry of this thread; null if all are taken.
class ThreadEntry {
   public:
    ThreadEntry() = default;
    ThreadEntry(const ThreadEntry&) = delete;
    ThreadEntry& operator=(const ThreadEntry&) = delete;
    ~ThreadEntry() {
        if (mCall != nullptr) mCall->thread = 0;
    }

    CallPage::Call* of(CallPage& page) {
        if (mCall != nullptr) return mCall;
        const int32_t own = thisThread();
        for (CallPage::Call& call : page.calls) {
            int32_t nobody = 0;
            if (!call.thread.compare_exchange_strong(nobody, own)) continue;
            mCall = &call;
            return mCall;
        }
        return nullptr;
    }

   private:
    CallPage::Call* mCall = nullptr;
};

template <size_t N>
void copyTo(std::array<char, N>& to, std::string_view text) {
    const size_t size = text.copy(to.data(), N - 1);
    to[size] = 0;
}

// The worker may have written anything.
template <size_t N>
std::string textIn(const std::array<char, N>& from) {
    return {from.data(), strnlen(from.data(), N)};
}

}  // namespace

RecordedCall::RecordedCall(CallPage& page, std::string_view name, std::string_view arguments) {
    thread_local ThreadEntry entry;
    mCall = entry.of(page);
    if (mCall == nullptr) return;
    copyTo(mCall->name, name);
    copyTo(mCall->arguments, arguments);
    mCall->number = ++page.numberOfCalls;
    mCall->isRunning = true;
    page.lastCall = nanosecondsNow();
    mPage = &page;
}

RecordedCall::~RecordedCall() {
    if (mCall == nullptr) return;
    mCall->isRunning = false;
    mPage->lastCall = nanosecondsNow();
}

void recordOwnWork(CallPage& page, bool begins) {
    if (!begins) page.lastOwnWork = nanosecondsNow();
    page.ownWork += begins ? 1 : -1;
}

TimePoint quietSince(const CallPage& page) {
    if (page.ownWork > 0) return Clock::now();
    // The worker may have written anything.
    const int64_t last = std::max(page.lastCall.load(), page.lastOwnWork.load());
    return TimePoint(Duration(std::clamp<int64_t>(last, 0, nanosecondsNow())));
}

std::optional<CallReport> lastCall(const CallPage& page) {
    const int32_t crashed = page.crash.thread;
    // Of running calls the first one is the cause, of finished ones the last one.
    const auto isBetter = [&](const CallPage::Call& a, const CallPage::Call& b) {
        if (a.isRunning != b.isRunning) return a.isRunning.load();
        return a.isRunning ? a.number < b.number : a.number > b.number;
    };
    const CallPage::Call* best = nullptr;
    for (const CallPage::Call& call : page.calls) {
        if (call.number == 0) continue;
        const bool isCulprit = crashed != 0 && call.thread == crashed && call.isRunning;
        if (best == nullptr || isCulprit || isBetter(call, *best)) best = &call;
        if (isCulprit) break;
    }
    if (best == nullptr) return std::nullopt;
    const std::string name = textIn(best->name);
    return CallReport{.name = best->isRunning ? name : "after " + name,
                      .arguments = textIn(best->arguments),
                      .thread = best->thread};
}

std::string callOfThread(const CallPage& page, int32_t thread) {
    for (const CallPage::Call& call : page.calls) {
        if (call.thread == thread && call.isRunning) return textIn(call.name);
    }
    return {};
}

}  // namespace nn::testing
