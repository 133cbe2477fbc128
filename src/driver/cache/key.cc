#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/directory.h"
#include "base/no_throw.h"
#include "driver/cache/files.h"
#include "nnapi/driver/cache.h"

namespace nn {
namespace {

using cache::systemFailure;

Result<CacheKey::Bytes> randomBytes() {
    CacheKey::Bytes bytes{};
    ssize_t size = 0;
    do {
        size = getrandom(bytes.data(), bytes.size(), 0);
    } while (size < 0 && errno == EINTR);
    if (size != static_cast<ssize_t>(bytes.size())) return systemFailure("random bytes for a key");
    return bytes;
}

Result<CacheKey::Bytes> readKey(int fd) {
    uint64_t size = 0;
    NNAPI_RETURN_IF_ERROR(cache::regularFile(fd, &size).status());
    struct stat status {};
    if (fstat(fd, &status) != 0) return systemFailure("the descriptor");
    if ((status.st_mode & (S_IRWXG | S_IRWXO)) != 0) {
        return makeError(ErrorStatus::GENERAL_FAILURE,
                         fmt::format("it has mode {:04o}, allowed 0600, for its owner alone",
                                     status.st_mode & 07777));
    }
    CacheKey::Bytes bytes{};
    if (size != bytes.size()) {
        return makeError(ErrorStatus::GENERAL_FAILURE,
                         fmt::format("it has {} bytes, allowed {}", size, bytes.size()));
    }
    NNAPI_RETURN_IF_ERROR(cache::readFile(fd, 0, bytes));
    return bytes;
}

// No process can see an incomplete file. If another process creates the file first, its key is
// kept.
Status makeKeyFile(const Directory& folder, const std::string& name) {
    NNAPI_ASSIGN_OR_RETURN(key, randomBytes());
    NNAPI_ASSIGN_OR_RETURN(file, NewFile::create(folder, name, S_IRUSR | S_IWUSR));
    Status made = cache::writeFile(file.fd(), 0, key);
    if (made.ok() && fsync(file.fd()) != 0) made = systemFailure("writing it");
    return made.ok() ? file.commitUnlessThere() : made;
}

Result<UniqueFd> openKeyFile(const std::string& path) {
    const auto [folder, name] = Directory::split(path);
    NNAPI_ASSIGN_OR_RETURN(directory, Directory::open(folder));
    NNAPI_ASSIGN_OR_RETURN(file, directory.openFile(name, O_RDONLY));
    if (file.ok()) return file;
    NNAPI_RETURN_IF_ERROR(makeKeyFile(directory, name));
    return directory.openFile(name, O_RDONLY);
}

}  // namespace

Result<CacheKey> CacheKey::random() NNAPI_TRY {
    NNAPI_ASSIGN_OR_RETURN(bytes, randomBytes());
    return CacheKey(bytes);
}
NNAPI_CATCH

Result<CacheKey> CacheKey::ofFile(const std::filesystem::path& path) NNAPI_TRY {
    const auto within = [&](const Status& status) -> Status {
        return error(errorStatus(status))
               << "key of caches " << path.string() << ": " << std::string(status.message());
    };
    const Result<UniqueFd> file = openKeyFile(path.string());
    if (!file.ok()) return within(file.status());
    const Result<Bytes> bytes = readKey(file->get());
    if (!bytes.ok()) return within(bytes.status());
    return CacheKey(*bytes);
}
NNAPI_CATCH

}  // namespace nn
