#include "model_io/pools.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/limits.h"
#include "base/plurals.h"
#include "base/printable.h"
#include "model_io/reflect.h"
#include "nnapi/checked_math.h"
#include "types/file_copy.h"
#include "types/memory_file.h"

namespace nn::schema {
namespace {

namespace fs = std::filesystem;

// A multiple of every page size of Linux, so that side files can be mapped on any system.
constexpr uint64_t kSideFileAlignment = 65536;

// The names of the memories whose bytes a host can reach, and their integers.
constexpr std::string_view kAshmem = "ashmem";       // none
constexpr std::string_view kMappedFile = "mmap_fd";  // prot, offset's low half, its high half

hidl::hidl_handle handleOf(UniqueFd fd, std::initializer_list<int> ints) {
    auto* native = hidl::native_handle_create(1, static_cast<int>(ints.size()));
    native->data[0] = fd.release();
    absl::c_copy(ints, &native->data[1]);
    hidl::hidl_handle handle;
    handle.setTo(native, true);
    return handle;
}

hidl::hidl_memory mappedFile(UniqueFd fd, int prot, uint64_t offset, uint64_t size) {
    return {std::string(kMappedFile),
            handleOf(std::move(fd),
                     {prot, static_cast<int>(offset & 0xFFFFFFFF), static_cast<int>(offset >> 32)}),
            size};
}

bool isInside(const fs::path& path) {
    return !path.empty() && path.is_relative() &&
           absl::c_none_of(path, [](const fs::path& part) { return part == ".."; });
}

}  // namespace

Result<UniqueFd> memoryFileOf(std::string_view bytes) {
    NNAPI_ASSIGN_OR_RETURN(fd, newMemoryFile(bytes.size()));
    NNAPI_RETURN_IF_ERROR(writeBytes(fd.get(), bytes, 0));
    return fd;
}

// ---------------------------------------------------------------------------------------------
// Writing

template <class Proto>
Status PoolWriter::writeContents(int fd, uint64_t offset, uint64_t size, Proto& pool) {
    if (usesSideFile(size)) return appendToSideFile(fd, offset, size, *pool.mutable_sidefile());
    auto bytes = readBytes(fd, offset, size);
    if (!bytes.ok()) return within("contents: ", bytes.status());
    pool.set_contents(*std::move(bytes));
    return {};
}

Status PoolWriter::appendToSideFile(int fd, uint64_t offset, uint64_t size,
                                    nnapi::SideFile& sideFile) {
    if (!mFile) {
        NNAPI_ASSIGN_OR_RETURN(file, createFile(mPath));
        mFile.emplace(std::move(file));
    }
    const auto start = checkedRoundUp<uint64_t>(mEnd, kSideFileAlignment);
    const auto end = checkedAdd<uint64_t>(start, size);
    if (!end) return contentError("size is too large for a side file");
    Status written;
    const Status read = readPieces(fd, offset, size, [&](std::string_view piece, uint64_t done) {
        written = writeBytes(mFile->fd(), piece, *start + done);
        return written;
    });
    if (!written.ok()) return within(nameOf(mPath) + ": ", written);
    if (!read.ok()) return within("contents: ", read);
    mEnd = *end;
    NNAPI_RETURN_IF_ERROR(checkText("sideFile.path", mPath.filename().string()));
    sideFile.set_path(mPath.filename().string());
    sideFile.set_offset(*start);
    return {};
}

Status PoolWriter::commit() {
    return mFile ? within(nameOf(mPath) + ": ", mFile->commit()) : Status();
}

Status PoolWriter::write(const SharedMemory& memory, nnapi::Pool& pool) {
    using nnapi::PoolKind;
    if (memory == nullptr) return {};
    pool.set_size(size(memory));
    if (const auto* ashmem = std::get_if<Memory::Ashmem>(&memory->handle)) {
        pool.set_kind(PoolKind::ASHMEM);
        if (ashmem->fd.ok()) return writeContents(ashmem->fd.get(), 0, ashmem->size, pool);
    } else if (const auto* file = std::get_if<Memory::Fd>(&memory->handle)) {
        pool.set_kind(PoolKind::FILE);
        pool.set_prot(file->prot);
        pool.set_offset(file->offset);
        if (file->fd.ok()) return writeContents(file->fd.get(), file->offset, file->size, pool);
    } else if (const auto* buffer = std::get_if<Memory::HardwareBuffer>(&memory->handle)) {
        pool.set_kind(PoolKind::HARDWARE_BUFFER);
        pool.set_isblob(buffer->isBlob);
        const auto& description = buffer->description;
        if (description != Memory::HardwareBuffer::Description{}) {
            nnapi::HardwareBufferDescription& to = *pool.mutable_description();
            to.set_width(description.width);
            to.set_height(description.height);
            to.set_layers(description.layers);
            to.set_format(description.format);
            to.set_usage(description.usage);
            to.set_stride(description.stride);
        }
    } else if (const auto* unknown = std::get_if<Memory::Unknown>(&memory->handle)) {
        pool.set_kind(PoolKind::UNKNOWN);
        NNAPI_RETURN_IF_ERROR(checkText("name", unknown->name));
        pool.set_name(unknown->name);
    }
    return {};
}

Status PoolWriter::write(const hidl::hidl_memory& memory, nnapi::v1_0::Memory& pool) {
    const std::string& name = memory.name();  // perhaps a copy of a text of HIDL
    NNAPI_RETURN_IF_ERROR(checkText("name", name));
    pool.set_name(name);
    pool.set_size(memory.size());
    const hidl::native_handle_t* handle = memory.handle();
    if (handle == nullptr || !hidl::wellFormed(*handle) || handle->numFds != 1) return {};
    const auto& data = handle->data;
    if (name == kAshmem && handle->numInts == 0) {
        return writeContents(data[0], 0, memory.size(), pool);
    }
    if (name == kMappedFile && handle->numInts == 3) {
        pool.set_prot(data[1]);
        pool.set_offset(static_cast<uint32_t>(data[2]) |
                        static_cast<uint64_t>(static_cast<uint32_t>(data[3])) << 32);
        return writeContents(data[0], pool.offset(), memory.size(), pool);
    }
    return {};
}

Status PoolWriter::write(const aidl_hal::Memory& memory, nnapi::aidl::Memory& pool) {
    using Tag = aidl_hal::Memory::Tag;
    // A negative size has no bytes, and stays as it is.
    const auto keep = [&](const ::ndk::ScopedFileDescriptor& fd, int64_t offset, int64_t size) {
        pool.set_size(size);
        pool.set_offset(offset);
        if (fd.get() < 0 || offset < 0 || size < 0) return Status();
        return writeContents(fd.get(), static_cast<uint64_t>(offset), static_cast<uint64_t>(size),
                             pool);
    };
    switch (memory.getTag()) {
        case Tag::ashmem: {
            const auto& ashmem = memory.get<Tag::ashmem>();
            pool.set_kind(nnapi::aidl::MemoryKind::ASHMEM);
            return keep(ashmem.fd, 0, ashmem.size);
        }
        case Tag::mappableFile: {
            const auto& file = memory.get<Tag::mappableFile>();
            pool.set_kind(nnapi::aidl::MemoryKind::MAPPABLE_FILE);
            pool.set_prot(file.prot);
            return keep(file.fd, file.offset, file.length);
        }
        case Tag::hardwareBuffer: {
            const auto& from = memory.get<Tag::hardwareBuffer>().description;
            pool.set_kind(nnapi::aidl::MemoryKind::HARDWARE_BUFFER);
            nnapi::aidl::HardwareBufferDescription& to = *pool.mutable_description();
            to.set_width(from.width);
            to.set_height(from.height);
            to.set_layers(from.layers);
            to.set_format(static_cast<int32_t>(from.format));
            to.set_usage(static_cast<int64_t>(from.usage));
            to.set_stride(from.stride);
            return {};
        }
    }
    return {};
}

// ---------------------------------------------------------------------------------------------
// Reading

template <class Proto>
Result<UniqueFd> PoolReader::readContents(const Proto& pool) const {
    const auto size =
            static_cast<uint64_t>(pool.size());  // a negative one is more than any file has
    if (pool.data_case() == Proto::kSideFile) {
        auto fd = copySideFile(pool.sidefile(), size);
        if (!fd.ok()) return within("sideFile: ", fd.status());
        return fd;
    }
    if (pool.data_case() != Proto::kContents) return UniqueFd();
    const uint64_t found = mBytes.sizeOf(pool.contents());
    if (size != found) {
        return contentError(
                fmt::format("size is {}, contents has {}", pool.size(), Plural{found, "bytes"}));
    }
    const auto offset = static_cast<uint64_t>(pool.offset());
    auto fd = newMemoryFile(checkedAdd<uint64_t>(offset, found).value_or(UINT64_MAX));
    Status made = fd.status();
    if (made.ok()) made = mBytes.copyTo(fd->get(), offset, pool.contents());
    if (!made.ok()) return within("contents: ", made);
    return fd;
}

Result<UniqueFd> PoolReader::copySideFile(const nnapi::SideFile& sideFile, uint64_t size) const {
    if (!mFolder) return contentError("allowed only in a model file");
    if (!isInside(sideFile.path())) {
        return contentError(fmt::format("path is {}, allowed a relative one without '..'",
                                        inQuotes(sideFile.path())));
    }
    const fs::path path = *mFolder / sideFile.path();
    NNAPI_ASSIGN_OR_RETURN(fd, openRegularFile(path));
    auto copy = [&]() -> Result<UniqueFd> {
        NNAPI_ASSIGN_OR_RETURN(available, sizeOfFile(fd.get()));
        if (!fits(sideFile.offset(), size, available)) {
            return contentError(fmt::format("needs {} from byte {} on, the file has {}",
                                            Plural{size, "bytes"}, sideFile.offset(), available));
        }
        mSideFileBytes = checkedAdd<uint64_t>(mSideFileBytes, size).value_or(UINT64_MAX);
        NNAPI_RETURN_IF_ERROR(
                nn::within(mLimits, &Limits::constantBytes, mSideFileBytes, "side files"));
        return sealedCopy(fd.get(), sideFile.offset(), size);
    }();
    if (!copy.ok()) return within(nameOf(path) + ": ", copy.status());
    return copy;
}

Status PoolReader::read(const nnapi::Pool& pool, SharedMemory& memory) const {
    using nnapi::PoolKind;
    const auto make = [&](auto kind) {
        memory = std::make_shared<const Memory>(Memory{std::move(kind)});
        return Status();
    };
    if (pool.has_contents() && pool.kind() != PoolKind::ASHMEM && pool.kind() != PoolKind::FILE) {
        return contentError("contents found, allowed only where kind is ASHMEM or FILE");
    }
    if (pool.has_description() && pool.kind() != PoolKind::HARDWARE_BUFFER) {
        return contentError("description found, allowed only where kind is HARDWARE_BUFFER");
    }
    NNAPI_RETURN_IF_ERROR(checkText("name", pool.name()));
    NNAPI_ASSIGN_OR_RETURN(fd, readContents(pool));
    if (pool.has_sidefile()) {
        return make(Memory::Fd{
                .size = pool.size(), .prot = PROT_READ, .fd = std::move(fd), .offset = 0});
    }
    switch (pool.kind()) {
        case PoolKind::NONE:
            return {};
        case PoolKind::ASHMEM:
            return make(Memory::Ashmem{.fd = std::move(fd), .size = pool.size()});
        case PoolKind::FILE:
            return make(Memory::Fd{.size = pool.size(),
                                   .prot = pool.prot(),
                                   .fd = std::move(fd),
                                   .offset = pool.offset()});
        case PoolKind::HARDWARE_BUFFER:
            return make(
                    Memory::HardwareBuffer{.handle = {},
                                           .size = pool.size(),
                                           .isBlob = pool.isblob(),
                                           .description = {.width = pool.description().width(),
                                                           .height = pool.description().height(),
                                                           .layers = pool.description().layers(),
                                                           .format = pool.description().format(),
                                                           .usage = pool.description().usage(),
                                                           .stride = pool.description().stride()}});
        case PoolKind::UNKNOWN:
            return make(Memory::Unknown{.handle = {}, .size = pool.size(), .name = pool.name()});
        default:
            return contentError(
                    fmt::format("kind is {}, which has no meaning", static_cast<int>(pool.kind())));
    }
}

Status PoolReader::read(const nnapi::v1_0::Memory& pool, hidl::hidl_memory& memory) const {
    NNAPI_RETURN_IF_ERROR(checkText("name", pool.name()));
    NNAPI_ASSIGN_OR_RETURN(fd, readContents(pool));
    if (pool.has_sidefile()) {
        memory = mappedFile(std::move(fd), PROT_READ, 0, pool.size());
    } else if (pool.has_contents() && pool.name() == kMappedFile) {
        memory = mappedFile(std::move(fd), pool.prot(), pool.offset(), pool.size());
    } else if (pool.has_contents() && pool.name() == kAshmem) {
        memory = {pool.name(), handleOf(std::move(fd), {}), pool.size()};
    } else if (pool.has_contents()) {
        return contentError(
                fmt::format("name is {}, allowed '{}' and '{}' where there are contents",
                            inQuotes(pool.name()), kAshmem, kMappedFile));
    } else {
        memory = {pool.name(), {}, pool.size()};
    }
    return {};
}

Status PoolReader::read(const nnapi::aidl::Memory& pool, aidl_hal::Memory& memory) const {
    using Kind = nnapi::aidl::MemoryKind;
    using Tag = aidl_hal::Memory::Tag;
    const bool isBuffer = pool.kind() == Kind::HARDWARE_BUFFER;
    if (isBuffer && pool.has_contents()) {
        return contentError("contents found, allowed only where kind is ASHMEM or MAPPABLE_FILE");
    }
    if (!isBuffer && pool.has_description()) {
        return contentError("description found, allowed only where kind is HARDWARE_BUFFER");
    }
    NNAPI_ASSIGN_OR_RETURN(fd, readContents(pool));
    ::ndk::ScopedFileDescriptor owned(fd.release());
    if (pool.has_sidefile()) {
        memory.set<Tag::mappableFile>();
        memory.get<Tag::mappableFile>() = {
                .length = pool.size(), .prot = PROT_READ, .fd = std::move(owned), .offset = 0};
        return {};
    }
    switch (pool.kind()) {
        case Kind::ASHMEM:
            memory.set<Tag::ashmem>();
            memory.get<Tag::ashmem>() = {.fd = std::move(owned), .size = pool.size()};
            return {};
        case Kind::MAPPABLE_FILE:
            memory.set<Tag::mappableFile>();
            memory.get<Tag::mappableFile>() = {.length = pool.size(),
                                               .prot = pool.prot(),
                                               .fd = std::move(owned),
                                               .offset = pool.offset()};
            return {};
        case Kind::HARDWARE_BUFFER: {
            memory.set<Tag::hardwareBuffer>();
            auto& to = memory.get<Tag::hardwareBuffer>().description;
            const nnapi::aidl::HardwareBufferDescription& from = pool.description();
            to = {.width = from.width(),
                  .height = from.height(),
                  .layers = from.layers(),
                  .format = static_cast<decltype(to.format)>(from.format()),
                  .usage = static_cast<decltype(to.usage)>(from.usage()),
                  .stride = from.stride()};
            return {};
        }
        default:
            return contentError(
                    fmt::format("kind is {}, which has no meaning", static_cast<int>(pool.kind())));
    }
}

}  // namespace nn::schema
