#include "driver/cache/files.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "types/transfer.h"

namespace nn::cache {
namespace {

Status failure(const std::string& what) { return makeError(ErrorStatus::GENERAL_FAILURE, what); }

// Keeps SIGXFSZ, which a file beyond RLIMIT_FSIZE raises in the thread that writes, from ending the
// process.
class WithoutSizeSignal {
   public:
    WithoutSizeSignal() {
        sigemptyset(&mSignal);
        sigaddset(&mSignal, SIGXFSZ);
        sigset_t pending;
        sigemptyset(&pending);
        sigpending(&pending);
        mWasPending = sigismember(&pending, SIGXFSZ) == 1;
        pthread_sigmask(SIG_BLOCK, &mSignal, &mBefore);
    }
    WithoutSizeSignal(const WithoutSizeSignal&) = delete;
    WithoutSizeSignal& operator=(const WithoutSizeSignal&) = delete;
    ~WithoutSizeSignal() {
        const timespec now{};
        while (!mWasPending && sigtimedwait(&mSignal, nullptr, &now) < 0 && errno == EINTR) {
        }
        pthread_sigmask(SIG_SETMASK, &mBefore, nullptr);
    }

   private:
    sigset_t mSignal{};
    sigset_t mBefore{};
    bool mWasPending = false;
};

}  // namespace

Status systemFailure(const std::string& what) {
    return failure(what + ": " + std::strerror(errno));
}

Result<FileId> regularFile(int fd, uint64_t* size) {
    struct stat status {};
    if (fstat(fd, &status) != 0) return systemFailure("the descriptor");
    if (!S_ISREG(status.st_mode)) return failure("it is not a regular file");
    if (size != nullptr) *size = static_cast<uint64_t>(status.st_size);
    return FileId(status.st_dev, status.st_ino);
}

Status readFile(int fd, uint64_t offset, std::span<uint8_t> bytes) {
    const size_t done = transferAll(bytes.size(), [&](size_t at) {
        return pread(fd, bytes.data() + at, bytes.size() - at, static_cast<off_t>(offset + at));
    });
    if (done == bytes.size()) return {};
    return errno == 0 ? failure("it became shorter") : systemFailure("reading it");
}

bool tryToEmpty(int fd) noexcept {
    int result = 0;
    do {
        result = ftruncate(fd, 0);
    } while (result != 0 && errno == EINTR);
    return result == 0;
}

Status emptyFile(int fd) { return tryToEmpty(fd) ? Status() : systemFailure("emptying it"); }

Status writeFile(int fd, uint64_t offset, std::span<const uint8_t> bytes) {
    const WithoutSizeSignal guard;
    const size_t done = transferAll(bytes.size(), [&](size_t at) {
        return pwrite(fd, bytes.data() + at, bytes.size() - at, static_cast<off_t>(offset + at));
    });
    if (done == bytes.size()) return {};
    return errno == 0 ? failure("it took no bytes") : systemFailure("writing it");
}

}  // namespace nn::cache
