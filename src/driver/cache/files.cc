#include "driver/cache/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <tuple>

#include "base/directory.h"
#include "base/full_transfer.h"
#include "nnapi/driver/compilation_cache.h"
#include "nnapi/validate.h"

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

namespace {

Status at(const std::string& place, const Status& why) {
    return failure(place + ": " + std::string(why.message()));
}

// Calls open(directory, name), a Result<UniqueFd>, for each file.
template <class Open>
Status openEach(const std::string& folder, const CacheToken& token,
                std::pair<uint32_t, uint32_t> wanted, OpenFiles& files, Open open) {
    NNAPI_RETURN_IF_ERROR(validateNumberOfCacheFiles(wanted.first, wanted.second));
    const auto directory = Directory::openOwn(folder);
    if (!directory.ok()) return at(folder, directory.status());
    for (const auto& [kind, count, list] :
         {std::tuple(CacheFileKind::MODEL, wanted.first, &files.model),
          std::tuple(CacheFileKind::DATA, wanted.second, &files.data)}) {
        for (uint32_t i = 0; i < count; ++i) {
            const std::string name = cacheFileName(token, kind, i);
            Result<UniqueFd> file = open(*directory, name);
            if (!file.ok()) return at(name, file.status());
            files.areThere &= file->ok();
            list->push_back(std::make_shared<const Handle>(*std::move(file)));
        }
    }
    return {};
}

}  // namespace

Result<OpenFiles> openFiles(const std::string& folder, const CacheToken& token,
                            std::pair<uint32_t, uint32_t> wanted) {
    OpenFiles files{.areThere = true};
    NNAPI_RETURN_IF_ERROR(openEach(folder, token, wanted, files,
                                   [](const Directory& directory, const std::string& name) {
                                       return directory.openFile(name, O_RDWR);
                                   }));
    if (!files.areThere) return OpenFiles();
    return files;
}

Result<FilesToSave> FilesToSave::create(const std::string& folder, const CacheToken& token,
                                        std::pair<uint32_t, uint32_t> wanted) {
    FilesToSave made;
    NNAPI_RETURN_IF_ERROR(openEach(
            folder, token, wanted, made.mFiles,
            [&](const Directory& directory, const std::string& name) -> Result<UniqueFd> {
                NNAPI_ASSIGN_OR_RETURN(file, NewFile::create(directory, name, S_IRUSR | S_IWUSR));
                UniqueFd own = duplicate(file.fd());
                if (!own.ok()) return systemFailure("its descriptor");
                made.mNew.push_back(std::move(file));
                return own;
            }));
    return made;
}

Status FilesToSave::commit() {
    for (NewFile& file : mNew) NNAPI_RETURN_IF_ERROR(file.commit());
    return {};
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
