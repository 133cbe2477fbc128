#include "testing/runner/stack_report.h"

#include <execinfo.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <span>
#include <thread>

#include "testing/runner/call_recorder.h"
#include "types/printable.h"

namespace nn::testing {
namespace {

// ---- the worker

constexpr std::array kEnding = {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL};
constexpr size_t kHandlerStack = size_t{256} << 10;
constexpr int kMillisecondsToBeSeen = 10'000;  // where the machine is busy

int signalForStack() { return SIGRTMIN + 7; }

// What handlers need. It is set once, before there are any.
struct HandlerState {
    CallPage* page = nullptr;
    int socket = -1;
    pid_t process = -1;
};
HandlerState handlerState;

uint64_t interruptedAt(const void* context) {
    [[maybe_unused]] const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return static_cast<uint64_t>(machine.gregs[REG_RIP]);
#elif defined(__i386__)
    return static_cast<uint32_t>(machine.gregs[REG_EIP]);
#elif defined(__aarch64__)
    return machine.pc;
#else
    return 0;
#endif
}

// Stores the stack from the interrupted function on, without the frames of the handler.
void store(CallPage::Stack& stack, const void* context) {
    std::array<void*, CallPage::kFrames + 4> frames{};
    const auto count =
            static_cast<size_t>(backtrace(frames.data(), static_cast<int>(frames.size())));
    const uint64_t top = interruptedAt(context);
    size_t first = 0;
    while (first < count && reinterpret_cast<uintptr_t>(frames[first]) != top) ++first;
    // Without unwinding information of the interrupted function, its address is all there is.
    size_t stored = 0;
    if (first == count) stack.frames[stored++] = top;
    for (size_t i = first; i < count && stored < stack.frames.size(); ++i) {
        stack.frames[stored++] = reinterpret_cast<uintptr_t>(frames[i]);
    }
    stack.count = static_cast<uint32_t>(stored);
    stack.isWritten = true;
}

int32_t callingThread() { return static_cast<int32_t>(syscall(SYS_gettid)); }

void storeOnRequest(int, siginfo_t*, void* context) {
    const int savedError = errno;
    const int32_t own = callingThread();
    for (CallPage::Stack& stack : handlerState.page->stacks) {
        if (stack.thread == own && !stack.isWritten) {
            store(stack, context);
            break;
        }
    }
    errno = savedError;
}

void waitToBeSeen(const CallPage& page) {
    for (int i = 0; i < kMillisecondsToBeSeen && !page.hasBeenSeen; ++i) {
        constexpr timespec kMillisecond = {.tv_sec = 0, .tv_nsec = 1'000'000};
        nanosleep(&kMillisecond, nullptr);
    }
}

// Stores the stack, gives the run time to look at the other threads, and ends the process by the
// same signal.
void storeAndEnd(int number, siginfo_t*, void* context) {
    CallPage& page = *handlerState.page;
    int32_t nobody = 0;
    // A process that the driver has forked is none of the run's. Of several crashes the first one
    // counts; the others wait with it, or there were no process to look at.
    if (getpid() == handlerState.process) {
        if (page.crash.thread.compare_exchange_strong(nobody, callingThread())) {
            // At least the place, if the stack is too broken to be walked.
            page.crash.frames[0] = interruptedAt(context);
            page.crash.count = 1;
            page.crash.isWritten = true;
            store(page.crash, context);
            shutdown(handlerState.socket, SHUT_WR);
        }
        waitToBeSeen(page);
    }
    signal(number, SIG_DFL);
    // Takes effect when the handler returns, in case the instruction does not fail again.
    syscall(SYS_tgkill, getpid(), callingThread(), number);
}

void handle(int number, void (*handler)(int, siginfo_t*, void*)) {
    struct sigaction before {};
    if (sigaction(number, nullptr, &before) != 0) return;
    if ((before.sa_flags & SA_SIGINFO) != 0 || before.sa_handler != SIG_DFL) return;
    struct sigaction own {};
    own.sa_sigaction = handler;
    own.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
    sigemptyset(&own.sa_mask);
    sigaction(number, &own, nullptr);
}

// ---- the run

// A part of a process's memory that comes from a file.
struct MappedFile {
    uint64_t begin = 0, end = 0, offset = 0;
    std::string file{};
};

// Lines of /proc/PID/maps: "7f00-7f10 r-xp 00001000 08:01 1234   /lib/libc.so.6".
std::optional<MappedFile> mappingIn(const std::string& line) {
    MappedFile mapping;
    const char* const end = line.data() + line.size();
    const auto number = [&](const char* at, uint64_t& value) {
        return std::from_chars(at, end, value, 16).ptr;
    };
    const char* at = number(line.data(), mapping.begin);
    if (at == end || *at != '-') return std::nullopt;
    at = number(at + 1, mapping.end);
    if (end - at < 7) return std::nullopt;
    number(at + 6, mapping.offset);  // after " r-xp "
    const size_t path = line.find('/');
    if (path == std::string::npos) return std::nullopt;
    mapping.file = line.substr(path);
    return mapping;
}

std::vector<MappedFile> mappingsOf(pid_t process) {
    std::vector<MappedFile> mappings;
    std::ifstream lines(fmt::format("/proc/{}/maps", process));
    for (std::string line; std::getline(lines, line);) {
        if (auto mapping = mappingIn(line)) mappings.push_back(*std::move(mapping));
    }
    return mappings;
}

// At most as many as the page holds; `first` is always among them unless it is 0.
std::vector<int32_t> threadsOf(pid_t process, int32_t first) {
    std::vector<int32_t> threads;
    if (first != 0) threads.push_back(first);
    std::error_code error;
    for (std::filesystem::directory_iterator entry(fmt::format("/proc/{}/task", process), error),
         end;
         !error && entry != end && threads.size() < CallPage::kThreads; entry.increment(error)) {
        const int32_t thread = std::atoi(entry->path().filename().c_str());
        if (thread != first) threads.push_back(thread);
    }
    std::ranges::sort(threads);
    return threads;
}

std::string nameOfThread(pid_t process, int32_t thread) {
    std::ifstream file(fmt::format("/proc/{}/task/{}/comm", process, thread));
    std::string name;
    std::getline(file, name);
    return escaped(name);
}

// "S futex_wait": the state of a thread, and the kernel function where it waits, if that is known.
std::string stateOfThread(pid_t process, int32_t thread) {
    const std::string folder = fmt::format("/proc/{}/task/{}/", process, thread);
    std::ifstream stat(folder + "stat"), channel(folder + "wchan");
    std::string fields, place;
    std::getline(stat, fields);
    std::getline(channel, place);
    // Behind the name, which can have parentheses, too.
    const size_t end = fields.rfind(") ");
    if (end == std::string::npos) return "";
    const std::string state = fields.substr(end + 2, 1);
    return escaped(place.empty() || place == "0" ? state : state + " " + place);
}

// Requests the stacks of threads, and waits for those that respond.
void ask(pid_t process, CallPage& page, const std::vector<int32_t>& threads, Duration patience) {
    for (size_t i = 0; i < threads.size(); ++i) {
        CallPage::Stack& stack = page.stacks[i];
        stack.isWritten = false;
        stack.count = 0;
        stack.thread = threads[i];
        if (threads[i] != page.crash.thread) {
            syscall(SYS_tgkill, process, threads[i], signalForStack());
        }
    }
    const auto isMissing = [&](const CallPage::Stack& stack) {
        return stack.thread != page.crash.thread && !stack.isWritten;
    };
    const TimePoint end = Clock::now() + patience;
    const auto asked = std::span(page.stacks).first(threads.size());
    while (std::ranges::any_of(asked, isMissing) && Clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

}  // namespace

void waitForCrash(const CallPage& page) {
    if (page.crash.thread == 0) return;
    waitToBeSeen(page);
    sleep(1);  // meanwhile the signal ends the process
}

void installStackHandlers(CallPage& page, int socket) {
    handlerState = {.page = &page, .socket = socket, .process = getpid()};
    // The first call loads libgcc, which a handler must not do.
    void* frame = nullptr;
    backtrace(&frame, 1);
    // A handler needs another stack where a thread has used up its own.
    static std::array<std::byte, kHandlerStack> handlerStack;
    const stack_t own = {.ss_sp = handlerStack.data(), .ss_flags = 0, .ss_size = kHandlerStack};
    stack_t before = {};
    if (sigaltstack(nullptr, &before) == 0 && (before.ss_flags & SS_DISABLE) != 0) {
        sigaltstack(&own, nullptr);
    }
    for (const int number : kEnding) handle(number, storeAndEnd);
    handle(signalForStack(), storeOnRequest);
}

std::vector<ThreadStack> StackReader::read(pid_t process, CallPage& page, Duration patience) {
    const std::optional<CallReport> culprit = lastCall(page);
    const int32_t crashed = page.crash.thread;
    const std::vector<int32_t> threads = threadsOf(process, crashed != 0 ? crashed
                                                            : culprit    ? culprit->thread
                                                                         : 0);
    std::vector<std::string> states;  // a signal ends the waits of threads
    states.reserve(threads.size());
    for (const int32_t thread : threads) states.push_back(stateOfThread(process, thread));
    ask(process, page, threads, patience);
    const std::vector<MappedFile> mappings = mappingsOf(process);
    const auto frameAt = [&](uint64_t address, bool isReturn) -> std::string {
        const auto mapping = std::ranges::find_if(mappings, [&](const MappedFile& one) {
            return address >= one.begin && address < one.end;
        });
        if (mapping == mappings.end()) return fmt::format("{:#x}", address);
        const auto [symbols, isNew] = mFiles.try_emplace(mapping->file);
        if (isNew) symbols->second = ElfSymbols::of(mapping->file);
        // A return address may be behind the end of the function that calls.
        const uint64_t called = address - mapping->begin + mapping->offset - (isReturn ? 1 : 0);
        const uint64_t inFile = symbols->second.addressOf(called);
        const std::string name = symbols->second.nameAt(inFile);
        const std::string file = std::filesystem::path(mapping->file).filename().string();
        return onOneLine(name.empty() ? fmt::format("{}+{:#x}", file, inFile)
                                      : fmt::format("{} ({})", name, file));
    };
    std::vector<ThreadStack> stacks;
    for (size_t i = 0; i < threads.size(); ++i) {
        const bool hasCrashed = threads[i] == page.crash.thread;
        const CallPage::Stack& stack = hasCrashed ? page.crash : page.stacks[i];
        ThreadStack made{.thread = nameOfThread(process, threads[i]),
                         .call = callOfThread(page, threads[i]),
                         .state = states[i]};
        const uint32_t count = stack.isWritten ? stack.count.load() : 0;
        for (size_t k = 0; k < std::min<size_t>(count, CallPage::kFrames); ++k) {
            made.frames.push_back(frameAt(stack.frames[k], k != 0));
        }
        const bool isFirst =
                hasCrashed || (page.crash.thread == 0 && culprit && culprit->thread == threads[i]);
        stacks.insert(isFirst ? stacks.begin() : stacks.end(), std::move(made));
    }
    page.hasBeenSeen = true;
    return stacks;
}

}  // namespace nn::testing
