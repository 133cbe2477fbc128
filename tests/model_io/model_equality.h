// Equality of models except for the file that holds their memory, as model files guarantee.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "nnapi/io.h"
#include "nnapi/memory.h"
#include "nnapi/print.h"
#include "temporary_folder.h"

namespace nn {

inline std::string bytesOf(int fd, uint64_t offset, uint64_t size) {
    std::string bytes(size, '\0');
    const ssize_t count = pread(fd, bytes.data(), size, static_cast<off_t>(offset));
    return count == static_cast<ssize_t>(size) ? bytes : "unreadable";
}

// A pool as text.
inline std::string describe(const SharedMemory& pool) {
    if (pool == nullptr) return "null";
    if (const auto* ashmem = std::get_if<Memory::Ashmem>(&pool->handle); ashmem && ashmem->fd.ok())
        return "ashmem " + bytesOf(ashmem->fd.get(), 0, ashmem->size);
    if (const auto* file = std::get_if<Memory::Fd>(&pool->handle); file && file->fd.ok())
        return "file " + std::to_string(file->prot) + " " + std::to_string(file->offset) + " " +
               bytesOf(file->fd.get(), file->offset, file->size);
    return print(pool);
}

inline std::string describe(const hidl::hidl_memory& pool) {
    const std::string head = std::string(pool.name()) + " " + std::to_string(pool.size());
    if (!pool.valid()) return head + " no handle";
    const auto& data = pool.handle()->data;
    if (data.size() == 1) return head + " " + bytesOf(data[0], 0, pool.size());
    return head + " " + std::to_string(data.at(1)) + " " +
           bytesOf(data[0], static_cast<uint64_t>(data.at(2)), pool.size());
}

inline std::string describe(const aidl_hal::Memory& pool) {
    using Tag = aidl_hal::Memory::Tag;
    const auto bytes = [](const ::ndk::ScopedFileDescriptor& fd, int64_t offset, int64_t size) {
        return fd.get() < 0 ? "no file"
                            : bytesOf(fd.get(), static_cast<uint64_t>(offset),
                                      static_cast<uint64_t>(size));
    };
    if (pool.getTag() == Tag::ashmem) {
        const auto& ashmem = pool.get<Tag::ashmem>();
        return "ashmem " + std::to_string(ashmem.size) + bytes(ashmem.fd, 0, ashmem.size);
    }
    if (pool.getTag() == Tag::mappableFile) {
        const auto& file = pool.get<Tag::mappableFile>();
        return "file " + std::to_string(file.length) + " " + std::to_string(file.prot) + " " +
               std::to_string(file.offset) + " " + bytes(file.fd, file.offset, file.length);
    }
    return print(pool);
}

// Field by field, because it cannot be copied; with a name of its own, because it converts to
// AnyModel.
inline void expectEqualAidl(const AidlModel& a, const AidlModel& b) {
    EXPECT_EQ(a.version, b.version);
    ASSERT_EQ(a.model.pools.size(), b.model.pools.size());
    for (size_t i = 0; i < a.model.pools.size(); ++i)
        EXPECT_EQ(describe(a.model.pools[i]), describe(b.model.pools[i]));
    visitFields(std::type_identity<aidl_hal::Model>{}, [&](std::string_view name, auto member) {
        if (name != "pools") {
            EXPECT_EQ(a.model.*member, b.model.*member) << name;
        }
    });
}

template <class M>
void expectEqual(M a, M b) {
    ASSERT_EQ(a.pools.size(), b.pools.size());
    for (size_t i = 0; i < a.pools.size(); ++i)
        EXPECT_EQ(describe(a.pools[i]), describe(b.pools[i]));
    a.pools = {};
    b.pools = {};
    EXPECT_EQ(a, b);
}

inline void expectEqual(const AnyModel& a, const AnyModel& b) {
    ASSERT_EQ(a.index(), b.index());
    std::visit(
            [&]<class M>(const M& m) {
                if constexpr (std::same_as<M, AidlModel>) {
                    expectEqualAidl(m, std::get<M>(b));
                } else {
                    expectEqual<M>(m, std::get<M>(b));
                }
            },
            a);
}

inline SharedMemory ashmemOf(std::string_view bytes) {
    auto memory = createSharedMemory(bytes.size()).value();
    bytes.copy(reinterpret_cast<char*>(map(memory).value().mutableData()), bytes.size());
    return memory;
}

// The bytes of a file from an offset on.
inline SharedMemory fileOf(std::string_view bytes, uint64_t offset, int prot) {
    UniqueFd fd(memfd_create("test", MFD_CLOEXEC));
    EXPECT_EQ(pwrite(fd.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset)),
              static_cast<ssize_t>(bytes.size()));
    return createSharedMemory(bytes.size(), prot, fd.get(), offset).value();
}

inline hidl::hidl_memory hidlOf(std::string name, const SharedMemory& memory,
                                std::vector<int> ints = {}) {
    const int fd = std::visit(
            [](const auto& kind) {
                if constexpr (requires { kind.fd; }) {
                    return duplicate(kind.fd.get()).release();
                } else {
                    return -1;
                }
            },
            memory->handle);
    auto* native = hidl::native_handle_create(1, static_cast<int>(ints.size()));
    native->data[0] = fd;
    std::copy(ints.begin(), ints.end(), native->data.begin() + 1);
    hidl::hidl_handle handle;
    handle.setTo(native, true);
    return {std::move(name), std::move(handle), size(memory)};
}

inline void writeTestFile(const std::filesystem::path& path, std::string_view bytes) {
    FILE* file = fopen(path.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    EXPECT_EQ(fwrite(bytes.data(), 1, bytes.size(), file), bytes.size());
    fclose(file);
}

inline std::string messageOf(const Status& status) {
    return std::string(status.message().data(), status.message().size());
}

// The message without the folder of the test.
inline std::string messageOf(const Status& status, const TemporaryFolder& folder) {
    std::string message = messageOf(status);
    const std::string prefix = (folder / "").string();
    for (size_t at; (at = message.find(prefix)) != std::string::npos;)
        message.erase(at, prefix.size());
    return message;
}

}  // namespace nn
