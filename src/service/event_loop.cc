#include "service/event_loop.h"

#include <kj/async-unix.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <deque>
#include <future>
#include <mutex>
#include <new>
#include <utility>

#include "base/no_throw.h"
#include "base/per_process.h"
#include "base/printable.h"
#include "base/standard_streams.h"
#include "nnapi/driver/result.h"

namespace nn::service {
namespace {

constexpr unsigned kEventsBetweenLooks = 16;

// kj uses any descriptor numbers, as do the messages that it receives.
//
// It ignores SIGPIPE and installs a SIGUSR1 handler for the whole process when its first loop is
// created. Both signals belong to the program, so this thread blocks all signals and never receives
// either.
kj::AsyncIoContext setUp() {
    static const auto* const mutex = new PerProcess<std::mutex>;
    const std::lock_guard lock(*mutex->get());
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, nullptr);
    struct sigaction pipe {};
    struct sigaction user {};
    sigaction(SIGPIPE, nullptr, &pipe);
    sigaction(SIGUSR1, nullptr, &user);
    openStandardStreams();
    auto io = kj::setupAsyncIo();
    sigaction(SIGPIPE, &pipe, nullptr);
    sigaction(SIGUSR1, &user, nullptr);
    return io;
}

}  // namespace

struct EventLoop::Core {
    std::mutex mutex{};
    std::deque<Task> tasks{};
    bool isEnding = false;
    UniqueFd wake{};
    std::promise<Status> started{};
};

Result<std::unique_ptr<EventLoop>> EventLoop::start() {
    auto core = std::make_shared<Core>();
    core->wake = aboveStandardStreams(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!core->wake.ok()) {
        return Status(error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
                      << "no descriptor for an event loop");
    }
    std::unique_ptr<EventLoop> loop(new EventLoop(core));
    auto started = core->started.get_future();
    loop->mThread.run([core] { run(*core); });
    NNAPI_RETURN_IF_ERROR(started.get());
    return loop;
}

EventLoop::~EventLoop() {
    if (!isOfThisProcess()) {
        // Must not touch anything that lives on the parent's thread.
        (void)new (std::nothrow) std::pair(std::move(mCore), std::move(mLast));
        return;
    }
    if (mLast) post(std::move(mLast));
    {
        const std::lock_guard lock(mCore->mutex);
        mCore->isEnding = true;
    }
    (void)eventfd_write(mCore->wake.get(), 1);
}

void EventLoop::post(Task task) {
    if (!isOfThisProcess()) return;
    {
        const std::lock_guard lock(mCore->mutex);
        mCore->tasks.push_back(std::move(task));
    }
    (void)eventfd_write(mCore->wake.get(), 1);
}

void EventLoop::setLastTask(Task last) { mLast = std::move(last); }

void EventLoop::run(Core& core) {
    bool isUp = false;
    try {
        auto io = setUp();
        kj::UnixEventPort::FdObserver wake(io.unixEventPort, core.wake.get(),
                                           kj::UnixEventPort::FdObserver::OBSERVE_READ);
        // A busy connection must not starve the others.
        io.waitScope.setBusyPollInterval(kEventsBetweenLooks);
        isUp = true;
        core.started.set_value({});
        while (true) {
            std::deque<Task> tasks;
            bool isEnding = false;
            {
                const std::lock_guard lock(core.mutex);
                tasks.swap(core.tasks);
                isEnding = core.isEnding;
            }
            if (tasks.empty() && isEnding) return;
            for (Task& task : tasks) {
                try {
                    std::exchange(task, nullptr)(io);
                } catch (...) {  // tasks report their own failures
                }
            }
            if (!tasks.empty()) continue;
            eventfd_t count = 0;
            if (eventfd_read(core.wake.get(), &count) == 0) continue;
            try {
                wake.whenBecomesReadable().wait(io.waitScope);
            } catch (...) {  // of one connection, out of memory for instance: the others continue
            }
        }
    } catch (...) {
        if (!isUp) core.started.set_value(statusOfException());
    }
}

void throwToPeer(kj::Exception::Type type, std::string_view why) {
    kj::throwFatalException(
            kj::Exception(type, __FILE__, __LINE__, kj::heapString(why.data(), why.size())));
    KJ_UNREACHABLE;
}

Status failureOf(const kj::Exception& exception, std::string_view what) {
    const std::string why = printable(std::string_view(exception.getDescription().begin(),
                                                       exception.getDescription().size()));
    switch (exception.getType()) {
        case kj::Exception::Type::DISCONNECTED:
            return error(ErrorStatus::DEAD_OBJECT) << what << ": the peer is gone: " << why;
        case kj::Exception::Type::OVERLOADED:
            return error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT) << what << ": " << why;
        case kj::Exception::Type::UNIMPLEMENTED:
            return error() << what << ": the peer does not know this call: " << why;
        case kj::Exception::Type::FAILED:
            break;
    }
    return error() << what << ": " << why;
}

}  // namespace nn::service
