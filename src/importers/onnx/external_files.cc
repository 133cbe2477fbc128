#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <utility>

#include "importers/onnx/constant.h"
#include "nnapi/checked.h"
#include "types/limits.h"
#include "types/printable.h"
#include "types/status_message.h"

namespace nn::onnx {
namespace {

namespace fs = std::filesystem;

struct Range {
    std::string_view name{};
    uint64_t offset = 0;
    std::optional<uint64_t> length{};
};

bool number(std::string_view text, uint64_t& value) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size();
}

std::optional<Range> rangeOf(const TensorMessage& tensor) {
    Range range;
    for (const auto& [key, value] : tensor.external) {
        if (key == "location") range.name = value;
        if (key == "offset" && !number(value, range.offset)) return std::nullopt;
        if (key == "length" && !number(value, range.length.emplace())) return std::nullopt;
    }
    if (range.name.empty()) return std::nullopt;
    return range;
}

// A name below the folder, one part after the other; no part is a link or "..".
Result<UniqueFd> openBelow(const fs::path& folder, std::string_view name) {
    const auto error = [&](std::string_view why) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("its file '{}' {}", printable(name), why));
    };
    const fs::path path(name);
    if (path.is_absolute() || name.find('\0') != std::string_view::npos) {
        return error("is not in the folder of the model");
    }
    UniqueFd current(
            ::open(folder.empty() ? "." : folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!current.ok()) return error(std::strerror(errno));
    for (auto part = path.begin(); part != path.end(); ++part) {
        if (*part == "." || part->empty()) continue;
        if (*part == "..") return error("is not in the folder of the model");
        const bool isLast = std::next(part) == path.end();
        const int flags =
                O_CLOEXEC | O_NOFOLLOW | (isLast ? O_RDONLY | O_NONBLOCK : O_PATH | O_DIRECTORY);
        UniqueFd next(::openat(current.get(), part->c_str(), flags));
        if (!next.ok()) {
            return error(errno == ELOOP || errno == ENOTDIR ? "is a link, or is below one"
                                                            : std::strerror(errno));
        }
        current = std::move(next);
    }
    struct stat status {};
    if (::fstat(current.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return error("is not a regular file");
    }
    return current;
}

Status readAll(int fd, uint64_t offset, std::vector<uint8_t>& bytes) {
    for (size_t done = 0; done < bytes.size();) {
        const ssize_t count = ::pread(fd, bytes.data() + done, bytes.size() - done,
                                      static_cast<off_t>(offset + done));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return makeError(ErrorStatus::INVALID_ARGUMENT, "its file is too short");
        done += static_cast<size_t>(count);
    }
    return {};
}

}  // namespace

Result<Constant> ExternalFiles::read(const TensorMessage& tensor, Dimensions dimensions,
                                     uint64_t size) {
    const auto error = [&](std::string_view why) {
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("tensor '{}': {}", tensor.name, why));
    };
    if (mFolder.empty()) return error("its elements are in another file, and no folder is given");
    const std::optional<Range> range = rangeOf(tensor);
    if (!range) return error("the place of its elements in another file is malformed");
    if (range->length && *range->length != size) {
        return error(
                fmt::format("has {} bytes, allowed {} for its dimensions", *range->length, size));
    }
    const auto end = checkedAdd<uint64_t>(range->offset, size);
    if (!end || !std::in_range<off_t>(*end)) return error("its file is too short");
    mTotal = checkedAdd<uint64_t>(mTotal, size).value_or(UINT64_MAX);
    NNAPI_RETURN_IF_ERROR(within(mLimits, &Limits::constantBytes, mTotal, "model"));
    Result<UniqueFd> fd = openBelow(mFolder, range->name);
    if (!fd.ok()) return error(messageOf(fd.status()));
    struct stat status {};
    if (::fstat(fd->get(), &status) != 0 || static_cast<uint64_t>(status.st_size) < *end) {
        return error("its file is too short");
    }
    // There is no memory without bytes.
    if (mAccess == Access::KEEP && size != 0) {
        const FileId id{status.st_dev, status.st_ino};
        auto kept = mKeptFiles.find(id);
        if (kept == mKeptFiles.end()) {
            auto created = SparseCopy::create(static_cast<uint64_t>(status.st_size));
            if (!created.ok()) return error(messageOf(created.status()));
            kept = mKeptFiles.emplace(id, *std::move(created)).first;
        }
        const Status loaded = kept->second.load(fd->get(), range->offset, size);
        if (!loaded.ok()) return error(messageOf(loaded));
        mRead += size;
        return Constant{.type = tensor.type,
                        .dimensions = std::move(dimensions),
                        .bytes = kept->second.bytes().subspan(range->offset, size)};
    }
    std::vector<uint8_t> bytes(size);
    if (const Status read = readAll(fd->get(), range->offset, bytes); !read.ok()) {
        return error(messageOf(read));
    }
    mRead += size;
    return makeConstant(tensor.type, std::move(dimensions), std::move(bytes));
}

Status ExternalFiles::seal() {
    for (auto& [id, file] : mKeptFiles) NNAPI_RETURN_IF_ERROR(file.seal());
    return {};
}

}  // namespace nn::onnx
