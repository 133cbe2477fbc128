// Files of libbase.
#include "android-base/file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "android-base/errors.h"
#include "android-base/mapped_file.h"

namespace android::base {
namespace {

// Moves all bytes with a function that moves some.
template <class Pointer, class Move>
bool moveAll(Pointer data, size_t size, const Move& move) {
    size_t done = 0;
    while (done < size) {
        const ssize_t moved = TEMP_FAILURE_RETRY(move(data + done, size - done, done));
        if (moved < 0) return false;
        if (moved == 0) {  // the end of the file
            errno = 0;
            return false;
        }
        done += static_cast<size_t>(moved);
    }
    return true;
}

unique_fd openFile(const std::string& path, int flags, bool followsLinks, mode_t mode = 0) {
    return unique_fd(TEMP_FAILURE_RETRY(
            open(path.c_str(), flags | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW), mode)));
}

// A failure after which no half-written file remains.
bool removeAfterFailure(const std::string& path) {
    const int error = errno;
    unlink(path.c_str());
    errno = error;
    return false;
}

std::string folderForTemporaryFiles() {
    const char* folder = getenv("TMPDIR");
    return folder == nullptr || *folder == '\0' ? "/tmp" : folder;
}

// A template of mkstemp; false where it is too long.
template <size_t N>
bool setTemplate(const std::string& folder, char (&path)[N]) {
    const std::string text = folder + "/TemporaryFile-XXXXXX";
    if (text.size() >= N) {
        errno = ENAMETOOLONG;
        return false;
    }
    memcpy(path, text.c_str(), text.size() + 1);
    return true;
}

}  // namespace

bool ReadFdToString(borrowed_fd fd, std::string* content) {
    content->clear();
    char buffer[4096];
    while (true) {
        const ssize_t length = TEMP_FAILURE_RETRY(read(fd.get(), buffer, sizeof(buffer)));
        if (length < 0) return false;
        if (length == 0) return true;
        content->append(buffer, static_cast<size_t>(length));
    }
}

bool ReadFileToString(const std::string& path, std::string* content, bool follow_symlinks) {
    content->clear();
    const unique_fd fd = openFile(path, O_RDONLY, follow_symlinks);
    return fd.ok() && ReadFdToString(fd, content);
}

bool WriteStringToFd(const std::string& content, borrowed_fd fd) {
    return WriteFully(fd, content.data(), content.size());
}

bool WriteStringToFile(const std::string& content, const std::string& path, bool follow_symlinks) {
    const unique_fd fd = openFile(path, O_WRONLY | O_CREAT | O_TRUNC, follow_symlinks, DEFFILEMODE);
    if (!fd.ok()) return false;
    return WriteStringToFd(content, fd) || removeAfterFailure(path);
}

bool WriteStringToFile(const std::string& content, const std::string& path, mode_t mode,
                       uid_t owner, gid_t group, bool follow_symlinks) {
    const unique_fd fd = openFile(path, O_WRONLY | O_CREAT | O_TRUNC, follow_symlinks, mode);
    if (!fd.ok()) return false;
    const bool isWritten =
            fchmod(fd, mode) == 0 && fchown(fd, owner, group) == 0 && WriteStringToFd(content, fd);
    return isWritten || removeAfterFailure(path);
}

bool ReadFully(borrowed_fd fd, void* data, size_t byte_count) {
    return moveAll(static_cast<char*>(data), byte_count,
                   [&](char* to, size_t size, size_t) { return read(fd.get(), to, size); });
}

bool ReadFullyAtOffset(borrowed_fd fd, void* data, size_t byte_count, off_t offset) {
    return moveAll(static_cast<char*>(data), byte_count, [&](char* to, size_t size, size_t done) {
        return pread(fd.get(), to, size, offset + static_cast<off_t>(done));
    });
}

bool WriteFully(borrowed_fd fd, const void* data, size_t byte_count) {
    return moveAll(
            static_cast<const char*>(data), byte_count,
            [&](const char* from, size_t size, size_t) { return write(fd.get(), from, size); });
}

bool WriteFullyAtOffset(borrowed_fd fd, const void* data, size_t byte_count, off_t offset) {
    return moveAll(static_cast<const char*>(data), byte_count,
                   [&](const char* from, size_t size, size_t done) {
                       return pwrite(fd.get(), from, size, offset + static_cast<off_t>(done));
                   });
}

bool RemoveFileIfExists(const std::string& path, std::string* error) {
    struct stat status {};
    if (lstat(path.c_str(), &status) != 0) {
        if (errno == ENOENT || errno == ENOTDIR) return true;
    } else if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode)) {
        if (error != nullptr) *error = "is not a regular file or symbolic link";
        return false;
    } else if (unlink(path.c_str()) == 0) {
        return true;
    }
    if (error != nullptr) *error = SystemErrorCodeToString(errno);
    return false;
}

bool Readlink(const std::string& path, std::string* result) {
    result->clear();
    std::string target(256, '\0');
    while (true) {
        const ssize_t length = readlink(path.c_str(), target.data(), target.size());
        if (length < 0) return false;
        if (static_cast<size_t>(length) < target.size()) {
            target.resize(static_cast<size_t>(length));
            *result = std::move(target);
            return true;
        }
        target.resize(2 * target.size());
    }
}

bool Realpath(const std::string& path, std::string* result) {
    result->clear();
    char* real = realpath(path.c_str(), nullptr);
    if (real == nullptr) return false;
    *result = real;
    free(real);
    return true;
}

std::string GetExecutablePath() {
    std::string path;
    Readlink("/proc/self/exe", &path);
    return path;
}

std::string GetExecutableDirectory() { return Dirname(GetExecutablePath()); }

// As basename and dirname of POSIX.
std::string Basename(std::string_view path) {
    if (path.empty()) return ".";
    const size_t end = path.find_last_not_of('/');
    if (end == path.npos) return "/";
    path = path.substr(0, end + 1);
    return std::string(path.substr(path.find_last_of('/') + 1));  // npos + 1 is 0
}

std::string Dirname(std::string_view path) {
    const size_t end = path.find_last_not_of('/');
    if (end == path.npos) return path.empty() ? "." : "/";
    const size_t slash = path.substr(0, end + 1).find_last_of('/');
    if (slash == path.npos) return ".";
    const size_t last = path.substr(0, slash + 1).find_last_not_of('/');
    return last == path.npos ? "/" : std::string(path.substr(0, last + 1));
}

std::unique_ptr<MappedFile> MappedFile::FromFd(borrowed_fd fd, off64_t offset, size_t length,
                                               int prot) {
    const auto page = static_cast<off64_t>(sysconf(_SC_PAGESIZE));
    const auto skipped = static_cast<size_t>(offset % page);
    if (offset < 0 || length > SIZE_MAX - skipped) {
        errno = EINVAL;
        return nullptr;
    }
    if (length == 0) return std::unique_ptr<MappedFile>(new MappedFile(nullptr, 0, 0));
    void* base = mmap(nullptr, length + skipped, prot, MAP_SHARED, fd.get(),
                      offset - static_cast<off64_t>(skipped));
    if (base == MAP_FAILED) return nullptr;
    return std::unique_ptr<MappedFile>(new MappedFile(static_cast<char*>(base), length, skipped));
}

MappedFile::~MappedFile() {
    if (mBase != nullptr) munmap(mBase, mSize + mOffset);
}

}  // namespace android::base

TemporaryFile::TemporaryFile(const std::string& folder) {
    if (android::base::setTemplate(
                folder.empty() ? android::base::folderForTemporaryFiles() : folder, path)) {
        fd = mkostemp(path, O_CLOEXEC);
    }
}

TemporaryFile::~TemporaryFile() {
    if (fd == -1) return;
    close(fd);
    if (mIsRemoved) unlink(path);
}

int TemporaryFile::release() { return std::exchange(fd, -1); }

TemporaryDir::TemporaryDir() {
    if (!android::base::setTemplate(android::base::folderForTemporaryFiles(), path) ||
        mkdtemp(path) == nullptr)
        path[0] = '\0';
}

TemporaryDir::~TemporaryDir() {
    if (!mIsRemoved || path[0] == '\0') return;
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
}
