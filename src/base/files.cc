#include "base/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <system_error>

#include "base/full_transfer.h"
#include "base/limits.h"
#include "base/plurals.h"
#include "base/printable.h"
#include "nnapi/checked_math.h"

namespace nn {

namespace fs = std::filesystem;

std::string nameOf(const fs::path& path) { return printable(path.string()); }

Status systemError(const fs::path& path) {
    return makeError(ErrorStatus::GENERAL_FAILURE,
                     fmt::format("{}: {}", nameOf(path), std::strerror(errno)));
}

Status contentError(std::string_view message) {
    return makeError(ErrorStatus::INVALID_ARGUMENT, message);
}

Status within(std::string_view place, const Status& status) {
    if (status.ok()) return status;
    if (auto why = diagnostic(status)) {
        why->path.insert(0, place);
        if (why->path.ends_with(": ")) why->path.resize(why->path.size() - 2);
        return makeError(errorStatus(status), *why);
    }
    return makeError(errorStatus(status), fmt::format("{}{}", place,
                                                      std::string_view(status.message().data(),
                                                                       status.message().size())));
}

Result<UniqueFd> openRegularFile(const fs::path& path) {
    UniqueFd fd(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (!fd.ok() || fstat(fd.get(), &status) != 0) return systemError(path);
    // Files of /proc have bytes, but the size 0.
    char byte = 0;
    if (!S_ISREG(status.st_mode) || (status.st_size == 0 && pread(fd.get(), &byte, 1, 0) > 0))
        return contentError(nameOf(path) + ": is not a regular file");
    return fd;
}

Result<std::string> readFile(const fs::path& path, const Limits& limits) {
    NNAPI_ASSIGN_OR_RETURN(fd, openRegularFile(path));
    struct stat status {};
    if (fstat(fd.get(), &status) != 0) return systemError(path);
    NNAPI_RETURN_IF_ERROR(within(limits, &Limits::fileBytes, static_cast<uint64_t>(status.st_size),
                                 nameOf(path)));
    auto bytes = readBytes(fd.get(), 0, static_cast<uint64_t>(status.st_size));
    if (!bytes.ok()) return within(nameOf(path) + ": ", bytes.status());
    return bytes;
}

Result<std::string> readHead(const fs::path& path, uint64_t most) {
    NNAPI_ASSIGN_OR_RETURN(fd, openRegularFile(path));
    struct stat status {};
    if (fstat(fd.get(), &status) != 0) return systemError(path);
    auto bytes = readBytes(fd.get(), 0, std::min(most, static_cast<uint64_t>(status.st_size)));
    if (!bytes.ok()) return within(nameOf(path) + ": ", bytes.status());
    return bytes;
}

Result<uint64_t> sizeOfFile(int fd) {
    struct stat status {};
    if (fstat(fd, &status) == 0) return static_cast<uint64_t>(status.st_size);
    return makeError(ErrorStatus::GENERAL_FAILURE, std::strerror(errno));
}

Result<std::string> readBytes(int fd, uint64_t offset, uint64_t size) {
    NNAPI_ASSIGN_OR_RETURN(available, sizeOfFile(fd));
    if (!fits(offset, size, available)) {
        return contentError(fmt::format("needs {} from byte {} on, the file has {}",
                                        Plural{size, "bytes"}, offset, available));
    }
    if (size > kMaxMessageBytes) {
        return contentError(
                fmt::format("has {}, allowed {}", Plural{size, "bytes"}, kMaxMessageBytes));
    }
    std::string bytes(size, '\0');
    const size_t done = transferAll(size, [&](size_t at) {
        return pread(fd, bytes.data() + at, size - at, static_cast<off_t>(offset + at));
    });
    if (done == size) return bytes;
    return makeError(ErrorStatus::GENERAL_FAILURE,
                     errno == 0 ? "the file became shorter" : std::strerror(errno));
}

Status writeBytes(int fd, std::string_view bytes, uint64_t offset) {
    const auto end = checkedAdd<uint64_t>(offset, bytes.size());
    if (!end || !checkedCast<off_t>(*end)) {
        return makeError(ErrorStatus::GENERAL_FAILURE, std::strerror(EFBIG));
    }
    const size_t done = transferAll(bytes.size(), [&](size_t at) {
        return pwrite(fd, bytes.data() + at, bytes.size() - at, static_cast<off_t>(offset + at));
    });
    if (done == bytes.size()) return {};
    return makeError(ErrorStatus::GENERAL_FAILURE,
                     errno == 0 ? "the file takes no more" : std::strerror(errno));
}

Status readPieces(int fd, uint64_t offset, uint64_t size,
                  const std::function<Status(std::string_view piece, uint64_t done)>& take) {
    constexpr uint64_t kAtOnce = 1 << 20;
    for (uint64_t done = 0; done < size;) {
        const uint64_t count = std::min(kAtOnce, size - done);
        NNAPI_ASSIGN_OR_RETURN(piece, readBytes(fd, offset + done, count));
        NNAPI_RETURN_IF_ERROR(take(piece, done));
        done += count;
    }
    return {};
}

Result<NewFile> createFile(const fs::path& path) {
    std::error_code error;
    fs::path target = path;
    constexpr int kMaxLinks = 40;  // as Linux
    for (int links = 0; fs::is_symlink(target, error); ++links) {
        if (links == kMaxLinks) {
            errno = ELOOP;
            return systemError(path);
        }
        target = target.parent_path() / fs::read_symlink(target, error);
    }
    const auto [folder, name] = Directory::split(target.string());
    return createFileIn(folder, name, path);
}

Result<NewFile> createFileIn(const fs::path& folder, const std::string& name,
                             const fs::path& shown) {
    auto file = [&]() -> Result<NewFile> {
        NNAPI_ASSIGN_OR_RETURN(directory, Directory::open(folder.empty() ? "." : folder.string()));
        return NewFile::create(std::move(directory), name);
    }();
    if (!file.ok()) return within(nameOf(shown) + ": ", file.status());
    return file;
}

namespace {

Status write(NewFile file, const fs::path& shown, std::string_view bytes) {
    Status written = writeBytes(file.fd(), bytes, 0);
    if (written.ok()) written = file.commit();
    return within(nameOf(shown) + ": ", written);
}

}  // namespace

Status writeFile(const fs::path& path, std::string_view bytes) {
    NNAPI_ASSIGN_OR_RETURN(file, createFile(path));
    return write(std::move(file), path, bytes);
}

Status writeFileIn(const fs::path& folder, const std::string& name, std::string_view bytes) {
    NNAPI_ASSIGN_OR_RETURN(file, createFileIn(folder, name, folder / name));
    return write(std::move(file), folder / name, bytes);
}

}  // namespace nn
