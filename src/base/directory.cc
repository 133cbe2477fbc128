#include "base/directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/standard_streams.h"

namespace nn {
namespace {

Status refusal(std::string_view why) { return makeError(ErrorStatus::GENERAL_FAILURE, why); }
Status refusalOfSystem(int why = errno) { return refusal(std::strerror(why)); }

bool isSameFile(const struct stat& a, const struct stat& b) {
    return a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

// Many systems give each user a private group, which counts as the user.
bool mayOthersWrite(const struct stat& status) {
    return (status.st_mode & S_IWOTH) != 0 ||
           ((status.st_mode & S_IWGRP) != 0 && status.st_gid != getegid());
}

// Empty if the directory is this user's.
std::string whyNotOwn(const struct stat& folder) {
    if (folder.st_uid != geteuid() && folder.st_uid != 0) {
        return fmt::format("it belongs to user {}, allowed {} and root", folder.st_uid, geteuid());
    }
    if (mayOthersWrite(folder) && (folder.st_mode & S_ISVTX) == 0) {
        return fmt::format("it has mode {:04o}, in which others may replace files",
                           folder.st_mode & 07777);
    }
    return {};
}

constexpr int kSafeFlags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

}  // namespace

std::pair<std::string, std::string> Directory::split(const std::string& path) {
    const size_t slash = path.rfind('/');
    if (slash == std::string::npos) return {".", path};
    return {path.substr(0, slash + 1), path.substr(slash + 1)};
}

Result<Directory> Directory::open(std::string_view path) { return openChecked(path, false); }
Result<Directory> Directory::openOwn(std::string_view path) { return openChecked(path, true); }

Result<Directory> Directory::openChecked(std::string_view path, bool isOwn) {
    // With a trailing slash, a link would be followed despite O_NOFOLLOW.
    while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
    const std::string text(path);
    UniqueFd fd = aboveStandardStreams(
            ::open(text.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | (isOwn ? O_NOFOLLOW : 0)));
    struct stat status {};
    if (!fd.ok() || fstat(fd.get(), &status) != 0) {
        const int why = errno;
        const bool isLink = isOwn && lstat(text.c_str(), &status) == 0 && S_ISLNK(status.st_mode);
        if (isLink) return refusal("it is a link, allowed is a folder");
        return refusalOfSystem(why);
    }
    if (isOwn) {
        if (const std::string why = whyNotOwn(status); !why.empty()) return refusal(why);
    }
    return Directory(std::move(fd), isOwn);
}

Result<UniqueFd> Directory::openFile(const std::string& name, int flags) const {
    if (name.find('/') != std::string::npos) return refusal("it is not in the folder itself");
    UniqueFd file = aboveStandardStreams(
            openat(fd(), name.c_str(), flags | kSafeFlags, mIsOwn ? 0600 : 0666));
    if (!file.ok()) {
        if (errno == ENOENT && (flags & O_CREAT) == 0) return UniqueFd();
        if (errno == ELOOP) return refusal("it is a link, allowed is a regular file");
        // A pipe without a reader, or a socket.
        if (errno == ENXIO) return refusal("it is not a regular file");
        return refusalOfSystem();
    }
    struct stat opened {};
    if (fstat(file.get(), &opened) != 0) return refusalOfSystem();
    if (!S_ISREG(opened.st_mode)) return refusal("it is not a regular file");
    if (opened.st_uid != geteuid()) {
        return refusal(fmt::format("it belongs to user {}, allowed {}", opened.st_uid, geteuid()));
    }
    if (mIsOwn && mayOthersWrite(opened)) {
        return refusal(fmt::format("it has mode {:04o}, in which others may write to it",
                                   opened.st_mode & 07777));
    }
    if ((flags & O_ACCMODE) == O_RDONLY) return file;
    // Link count and name are checked together: the descriptor could refer to another file, whose
    // second name has been removed meanwhile.
    struct stat named {};
    if (fstatat(fd(), name.c_str(), &named, AT_SYMLINK_NOFOLLOW) != 0) return refusalOfSystem();
    if (!isSameFile(opened, named)) return refusal("it was replaced while it was opened");
    if (named.st_nlink != 1) {
        return refusal(fmt::format("it has {} names, allowed 1", named.st_nlink));
    }
    return file;
}

Result<NewFile> NewFile::create(Directory folder, std::string name, mode_t mode) {
    struct stat present {};
    const bool isPresent = fstatat(folder.fd(), name.c_str(), &present, AT_SYMLINK_NOFOLLOW) == 0;
    if (isPresent && !S_ISREG(present.st_mode) && !S_ISLNK(present.st_mode)) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "is not a regular file");
    }
    // The mode of another user's file would give that user access to the new one.
    const bool keepsMode = isPresent && S_ISREG(present.st_mode) && present.st_uid == geteuid();
    if (keepsMode) mode = present.st_mode & (mode | S_IXUSR | S_IXGRP | S_IXOTH);
    // The name may be in use by another writer, or by one that was killed.
    for (int attempt = 0; attempt < 100; ++attempt) {
        std::string temporary = fmt::format("{}.partial{}", name, attempt);
        UniqueFd fd = aboveStandardStreams(openat(folder.fd(), temporary.c_str(),
                                                  O_RDWR | O_CREAT | O_EXCL | kSafeFlags, mode));
        if (fd.ok()) {
            if (keepsMode) (void)fchmod(fd.get(), mode);  // the umask does not apply
            return NewFile(std::move(folder), std::move(name), std::move(temporary), std::move(fd));
        }
        if (errno != EEXIST) break;
    }
    return refusalOfSystem();
}

NewFile::NewFile(NewFile&& other) noexcept
    : mFolder(std::move(other.mFolder)),
      mName(std::move(other.mName)),
      mTemporary(std::exchange(other.mTemporary, {})),
      mFd(std::move(other.mFd)) {}

NewFile::~NewFile() {
    if (!mTemporary.empty()) unlinkat(mFolder.fd(), mTemporary.c_str(), 0);
}

Status NewFile::commit() {
    // Some file systems report a full disk only on close.
    if (close(mFd.release()) != 0) return refusalOfSystem();
    if (renameat(mFolder.fd(), mTemporary.c_str(), mFolder.fd(), mName.c_str()) != 0) {
        return refusalOfSystem();
    }
    mTemporary.clear();
    return {};
}

Status NewFile::commitUnlessThere() {
    if (close(mFd.release()) != 0) return refusalOfSystem();
    if (linkat(mFolder.fd(), mTemporary.c_str(), mFolder.fd(), mName.c_str(), 0) != 0 &&
        errno != EEXIST) {
        return refusalOfSystem();
    }
    return {};
}

}  // namespace nn
