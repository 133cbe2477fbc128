// A worker as a user writes one: the reference under the name of its arguments, with the faults
// that its settings name, or with executions that crash or hang in functions of these names, or
// that fail because of earlier ones.
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "nnapi/device_test/device_test_runner.h"
#include "nnapi/device_test/faulty_device.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/driver/reference.h"

namespace {

using Act = void (*)();

[[noreturn]] [[gnu::noinline]] void crashInDriver() { std::abort(); }

[[gnu::noinline]] void waitInDriver() {
    for (;;) pause();
}

// Waits with another thread, which no signal reaches.
[[gnu::noinline]] void waitWithDeafThread() {
    std::thread deaf([] {
        pthread_setname_np(pthread_self(), "deaf");
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_BLOCK, &all, nullptr);
        waitInDriver();
    });
    waitInDriver();
    deaf.join();
}

// A handler of the driver's own ends the process in its way.
[[gnu::noinline]] void crashWithOwnHandler() {
    signal(SIGABRT, [](int) { _exit(7); });
    std::abort();
}

// A process that the driver has forked crashes; the driver goes on.
[[gnu::noinline]] void crashInChild() {
    if (fork() == 0) crashInDriver();
}

// Many threads crash at once.
[[gnu::noinline]] void crashInThreads() {
    std::vector<std::thread> threads;
    for (int i = 0; i < 80; ++i) threads.emplace_back(crashInDriver);
    for (std::thread& thread : threads) thread.join();
}

// The process sends its results, and crashes when it ends.
void crashAtEnd() { std::atexit(crashInDriver); }

// The process ends while a child of it has its socket.
void endWithChild() {
    if (fork() != 0) _exit(3);
    sleep(60);
}

// The driver writes to the socket of its worker, which is the only one that the process has.
void writeToWorkerSocket(const std::string& line) {
    constexpr int kWorkerSocket = 3;
    for (size_t done = 0; done < line.size();) {
        const ssize_t count =
                send(kWorkerSocket, line.data() + done, line.size() - done, MSG_NOSIGNAL);
        if (count <= 0) return;
        done += static_cast<size_t>(count);
    }
}

void writeOtherText() { writeToWorkerSocket("no reply\n"); }

// JSON as that of a result, but for its fields.
void writeOtherFields() { writeToWorkerSocket("{\"message\": [1, 2]}\n"); }

void writeSecondReply() {
    writeToWorkerSocket("{\"result\": \"failed\"}\n{\"result\": \"failed\"}\n");
}

// Without an end: 256 MB of lists inside each other.
void writeDeepLine() { writeToWorkerSocket(std::string(size_t{256} << 20, '[')); }

// A short line of many values.
void writeManyValues() {
    std::string line = "{\"remarks\": [";
    for (int i = 0; i < 100'000; ++i) line += "{},";
    writeToWorkerSocket(line + "{}]}\n");
}

// A text that makes a run keep a megabyte for each case.
void writeLongText() {
    writeToWorkerSocket("{\"result\": \"failed\", \"message\": \"" + std::string(1'000'000, 'x') +
                        "\"}\n");
    for (;;) pause();
}

using Before = std::function<bool(const nn::Request&)>;

// Does something before each execution, which fails if the function returns true.
class ActingPreparedModel final : public nn::ForwardingPreparedModel {
   public:
    ActingPreparedModel(nn::SharedPreparedModel inner, Before before)
        : ForwardingPreparedModel(std::move(inner)), mBefore(std::move(before)) {}

    nn::ExecutionResult<nn::Executed> execute(
            const nn::Request& request, nn::MeasureTiming measure,
            const nn::OptionalTimePoint& deadline, const nn::OptionalDuration& loopTimeout,
            const std::vector<nn::TokenValuePair>& hints,
            const std::vector<nn::ExtensionNameAndPrefix>& prefixes) const override {
        if (mBefore(request)) return nn::error() << "cannot execute";
        return inner()->execute(request, measure, deadline, loopTimeout, hints, prefixes);
    }

   private:
    Before mBefore;
};

class ActingDevice final : public nn::ForwardingDevice {
   public:
    explicit ActingDevice(Before before)
        : ForwardingDevice(nn::referenceDevice()), mBefore(std::move(before)) {}

   protected:
    nn::SharedPreparedModel wrapPreparedModel(nn::SharedPreparedModel made) const override {
        return std::make_shared<const ActingPreparedModel>(std::move(made), mBefore);
    }

   private:
    Before mBefore;
};

// Once an input has had three floats, each execution of the process fails.
bool isStained(const nn::Request& request) {
    static std::atomic<bool> isStained = false;
    if (request.inputs[0].location.length >= 3 * sizeof(float)) isStained = true;
    return isStained;
}

// True three times, counted in a file.
bool isAmongFirst(const std::string& path) {
    std::error_code isMissing;
    const auto count = std::filesystem::file_size(path, isMissing);
    if (!isMissing && count >= 3) return false;
    std::ofstream(path, std::ios::app) << 'x';
    return true;
}

nn::GeneralResult<nn::SharedDevice> open(const std::string& device, const std::string& settings) {
    const struct {
        const char* name;
        Act act;
    } kActs[] = {{"crash", crashInDriver},     {"wait", waitInDriver},
                 {"deaf", waitWithDeafThread}, {"handler", crashWithOwnHandler},
                 {"child", crashInChild},      {"threads", crashInThreads},
                 {"late", crashAtEnd},         {"orphan", endWithChild},
                 {"text", writeOtherText},     {"fields", writeOtherFields},
                 {"second", writeSecondReply}, {"deep", writeDeepLine},
                 {"values", writeManyValues},  {"long", writeLongText}};
    if (settings == "stained") return std::make_shared<const ActingDevice>(isStained);
    constexpr std::string_view kTimes = "times:";
    if (settings.starts_with(kTimes)) {
        const std::string path = settings.substr(kTimes.size());
        return std::make_shared<const ActingDevice>(
                [path](const nn::Request&) { return isAmongFirst(path); });
    }
    for (const auto& row : kActs) {
        if (settings != row.name) continue;
        return std::make_shared<const ActingDevice>([act = row.act](const nn::Request&) {
            act();
            return false;
        });
    }
    NNAPI_ASSIGN_OR_RETURN(faults, nn::testing::DeviceFaults::parse(settings));
    return nn::testing::faultyDevice(nn::referenceDevice({.name = device}), faults);
}

}  // namespace

int main() { return nn::testing::serveDeviceRun(open).ok() ? 0 : 2; }
