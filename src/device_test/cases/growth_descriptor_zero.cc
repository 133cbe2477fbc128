// Descriptor 0, which a driver gets where standard input is closed.
#include <fcntl.h>
#include <unistd.h>

#include <thread>

#include "device_test/cases/cache_fixture.h"
#include "device_test/cases/growth.h"

namespace nn::testing {
namespace {

bool isOpen(int descriptor) { return fcntl(descriptor, F_GETFD) >= 0; }

// Descriptor 0 of this process, which can be free for some time.
class Zero {
   public:
    Zero() : mCopy(fcntl(0, F_DUPFD_CLOEXEC, 3)), mIsOwn(mCopy.ok()) {}
    // Threads that others have started may have something open for a moment.
    ~Zero() {
        for (int i = 0; i < 100 && !occupy(); ++i) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    }
    Zero(const Zero&) = delete;
    Zero& operator=(const Zero&) = delete;

    // Otherwise it was free before, or the driver has it: it cannot be closed.
    bool isOwn() const { return mIsOwn; }
    void free() {
        close(0);
        mIsOwn = false;
    }
    // False if it is in use. A duplicate is the lowest that is free, or closed again.
    bool occupy() {
        if (mIsOwn || !mCopy.ok()) return true;
        UniqueFd lowest(fcntl(mCopy.get(), F_DUPFD, 0));
        if (lowest.get() != 0) return false;
        (void)lowest.release();
        mIsOwn = true;
        return true;
    }

   private:
    UniqueFd mCopy;
    bool mIsOwn;
};

// Runs an action some times while descriptor 0 is free. It may be in use afterwards, but then
// fewer others are: if as many are in use, the driver took descriptor 0 and lost it.
Failure checkClosesZero(Zero& zero, std::string_view name, const std::function<Failure()>& once) {
    constexpr int kToWarmUp = 32, kTimes = 4;
    if (!zero.isOwn()) return std::nullopt;
    for (int i = 0; i < kToWarmUp; ++i) {
        if (Failure failure = once()) return failure;
    }
    Failure failure;
    const auto isSoEachTime = [&](const auto& isSo) {
        for (int i = 0; i < kTimes; ++i) {
            failure = once();
            if (failure || !isSo()) return false;
        }
        return true;
    };
    const uint64_t before = openDescriptors();
    // Else other threads open and close some.
    if (!isSoEachTime([&] { return openDescriptors() == before; })) return failure;
    zero.free();
    const auto isLost = [&] { return isOpen(0) && openDescriptors() >= before; };
    bool hasLost = isSoEachTime(isLost);
    if (hasLost) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        hasLost = isLost();
    }
    (void)zero.occupy();
    if (!hasLost) return failure;
    return failed("the process",
                  fmt::format("descriptor 0 was free, and stays open after {}, allowed for what is "
                              "in use alone; 0 is a descriptor like others, -1 is none",
                              name),
                  "device_test.stress");
}

}  // namespace

Failure closingZero(const std::string& folder, const SharedDevice& device) {
    Zero zero;
    if (!zero.isOwn()) return notSupported("standard input");
    PreparedJob sum;
    if (Failure failure = sum.begin(*device)) return failure;
    CacheFixture cache(device, folder);
    const bool hasCache = !cache.begin();
    const auto check = [&](std::string_view name, const std::function<Failure()>& once) -> Failure {
        Failure failure = checkClosesZero(zero, name, once);
        const bool isFailed = failure && failure->result == DeviceOutcome::Result::FAILED;
        return isFailed ? failure : std::nullopt;
    };
    for (const ExecutionPath path : kExecutionPaths) {
        if (Failure failure = check(fmt::format("execute ({})", nameOf(path)),
                                    [&] { return executeOnce(path, *device, sum); })) {
            return failure;
        }
    }
    if (Failure failure = check("prepareModel", [&] { return prepareOnce(*device, sum.job); })) {
        return failure;
    }
    if (!hasCache) return std::nullopt;
    return check("prepareModelFromCache", [&] { return cache.saveAndLoad(); });
}

}  // namespace nn::testing
