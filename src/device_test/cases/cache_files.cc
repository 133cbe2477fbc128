#include "device_test/cases/cache_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace nn::testing {
namespace {

Status failure(std::string_view what) {
    return makeError(ErrorStatus::GENERAL_FAILURE,
                     fmt::format("{}: {}", what, std::strerror(errno)));
}

Result<UniqueFd> nameless(const std::string& folder) {
    std::string path = folder + "/nnapi_cache_XXXXXX";
    UniqueFd fd(mkostemp(path.data(), O_CLOEXEC));
    if (!fd.ok()) return failure("a file in " + folder);
    unlink(path.c_str());
    return fd;
}

}  // namespace

Result<CacheFiles> CacheFiles::create(const std::string& folder, size_t count) {
    CacheFiles files;
    while (files.count() < count) NNAPI_RETURN_IF_ERROR(files.addOne(folder));
    return files;
}

std::vector<SharedHandle> CacheFiles::handles() const {
    std::vector<SharedHandle> handles;
    for (const UniqueFd& file : mFiles) {
        handles.push_back(std::make_shared<const Handle>(duplicate(file.get())));
    }
    return handles;
}

Result<std::vector<SharedHandle>> CacheFiles::handles(int flags) const {
    std::vector<SharedHandle> handles;
    for (const UniqueFd& file : mFiles) {
        const std::string path = fmt::format("/proc/self/fd/{}", file.get());
        UniqueFd opened(open(path.c_str(), flags | O_CLOEXEC));
        if (!opened.ok()) return failure(path);
        handles.push_back(std::make_shared<const Handle>(std::move(opened)));
    }
    return handles;
}

Result<std::vector<uint8_t>> CacheFiles::read(size_t file) const {
    struct stat status = {};
    if (fstat(mFiles[file].get(), &status) != 0) return failure("the size of a cache file");
    std::vector<uint8_t> bytes(static_cast<size_t>(status.st_size));
    size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count = pread(mFiles[file].get(), bytes.data() + done, bytes.size() - done,
                                    static_cast<off_t>(done));
        if (count < 0) return failure("reading a cache file");
        if (count == 0) break;
        done += static_cast<size_t>(count);
    }
    bytes.resize(done);
    return bytes;
}

Status CacheFiles::write(size_t file, const std::vector<uint8_t>& bytes) const {
    const int fd = mFiles[file].get();
    if (ftruncate(fd, 0) != 0) return failure("emptying a cache file");
    size_t done = 0;
    while (done < bytes.size()) {
        const ssize_t count =
                pwrite(fd, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
        if (count <= 0) return failure("writing a cache file");
        done += static_cast<size_t>(count);
    }
    lseek(fd, 0, SEEK_SET);
    return {};
}

void CacheFiles::seek(int64_t offset) const {
    for (const UniqueFd& file : mFiles) lseek(file.get(), static_cast<off_t>(offset), SEEK_SET);
}

Status CacheFiles::copyFrom(const CacheFiles& other) const {
    for (size_t i = 0; i < count(); ++i) {
        NNAPI_ASSIGN_OR_RETURN(bytes, other.read(i));
        NNAPI_RETURN_IF_ERROR(write(i, bytes));
    }
    return {};
}

void CacheFiles::removeOne() {
    if (!mFiles.empty()) mFiles.pop_back();
}

Status CacheFiles::addOne(const std::string& folder) {
    Result<UniqueFd> file = nameless(folder);
    if (!file.ok()) return file.status();
    mFiles.push_back(*std::move(file));
    return {};
}

}  // namespace nn::testing
