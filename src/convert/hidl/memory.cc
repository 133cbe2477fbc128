#include "convert/hidl/memory.h"

#include <absl/algorithm/container.h>

#include <array>
#include <bit>
#include <memory>
#include <span>

#include "convert/common/handles.h"
#include "nnapi/checked_math.h"

namespace nn NNAPI_BINDING::conversion {
namespace {

using hidl::hidl_handle;
using hidl::hidl_memory;
using hidl::native_handle_t;

// The names of HIDL memories; any other name is of an unknown kind.
constexpr std::string_view kAshmem = "ashmem";
constexpr std::string_view kFd = "mmap_fd";
constexpr std::string_view kHardwareBuffer = "hardware_buffer";
constexpr std::string_view kHardwareBufferBlob = "hardware_buffer_blob";
constexpr std::array kKnownNames = {kAshmem, kFd, kHardwareBuffer, kHardwareBufferBlob};

std::string_view nameOf(const hidl_memory& hal) { return {hal.name().c_str(), hal.name().size()}; }

// Makes a handle that owns copies of the descriptors.
Status pack(std::span<const int> fds, std::span<const int> ints, hidl_handle& hal,
            const Context& context) {
    native_handle_t* native = hidl::native_handle_create(saturatingCast<int>(fds.size()),
                                                         saturatingCast<int>(ints.size()));
    if (native == nullptr) {
        return refuseHandle(context, fmt::format("handle has {} and {}, more than a native handle "
                                                 "holds",
                                                 Plural{fds.size(), "file descriptors"},
                                                 Plural{ints.size(), "integers"}));
    }
    hidl_handle owner;
    owner.setTo(native, /*shouldOwn=*/true);
    for (size_t i = 0; i < fds.size(); ++i) {
        UniqueFd copy;
        NNAPI_RETURN_IF_ERROR(copyFd(fds[i], copy, context));
        native->data[i] = copy.release();
    }
    for (size_t i = 0; i < ints.size(); ++i) native->data[fds.size() + i] = ints[i];
    hal = std::move(owner);
    return {};
}

Status pack(const Memory::NativeHandle& handle, hidl_handle& hal, const Context& context) {
    std::vector<int> fds;
    for (const UniqueFd& fd : handle.fds) fds.push_back(fd.get());
    return pack(fds, handle.ints, hal, context);
}

// Rejects null, and counts that contradict the handle's contents.
Status expectWellFormed(const native_handle_t* native, const Context& context) {
    if (native == nullptr) return refuseHandle(context, "handle is null");
    if (hidl::wellFormed(*native)) return {};
    return refuseHandle(context,
                        fmt::format("handle claims numFds {} and numInts {}, allowed as many "
                                    "as it holds",
                                    native->numFds, native->numInts));
}

// Rejects numbers of descriptors and integers that differ from the kind's.
Status expectLayout(const native_handle_t* native, std::string_view kind, int numFds, int numInts,
                    const Context& context) {
    NNAPI_RETURN_IF_ERROR(expectWellFormed(native, context));
    if (native->numFds == numFds && native->numInts == numInts) return {};
    return refuseHandle(
            context, fmt::format("handle of {} has {} and {}, allowed {} and {}", kind,
                                 Plural{static_cast<uint64_t>(native->numFds), "file descriptors"},
                                 Plural{static_cast<uint64_t>(native->numInts), "integers"}, numFds,
                                 numInts));
}

Status unpack(const native_handle_t* native, Memory::NativeHandle& handle, const Context& context) {
    NNAPI_RETURN_IF_ERROR(expectWellFormed(native, context));
    for (int i = 0; i < native->numFds; ++i) {
        NNAPI_RETURN_IF_ERROR(copyFd(native->data[i], handle.fds.emplace_back(), context));
    }
    for (int i = 0; i < native->numInts; ++i) {
        handle.ints.push_back(native->data[native->numFds + i]);
    }
    return {};
}

Status pack(const Memory::Ashmem& memory, hidl_memory& hal, const Context& context) {
    hidl_handle handle;
    NNAPI_RETURN_IF_ERROR(pack(std::array{memory.fd.get()}, {}, handle, context));
    hal = hidl_memory(std::string(kAshmem), std::move(handle), memory.size);
    return {};
}

// The offset is packed as two integers, low bits first.
Status pack(const Memory::Fd& memory, hidl_memory& hal, const Context& context) {
    const auto offset = uint64_t{memory.offset};
    const std::array ints = {memory.prot, std::bit_cast<int>(static_cast<uint32_t>(offset)),
                             std::bit_cast<int>(static_cast<uint32_t>(offset >> 32))};
    hidl_handle handle;
    NNAPI_RETURN_IF_ERROR(pack(std::array{memory.fd.get()}, ints, handle, context));
    hal = hidl_memory(std::string(kFd), std::move(handle), memory.size);
    return {};
}

Status pack(const Memory::HardwareBuffer& memory, hidl_memory& hal, const Context& context) {
    hidl_handle handle;
    NNAPI_RETURN_IF_ERROR(pack(memory.handle, handle, context));
    hal = hidl_memory(std::string(memory.isBlob ? kHardwareBufferBlob : kHardwareBuffer),
                      std::move(handle), memory.size);
    context.recordLoss("description", memory.description, {},
                       "has no description of hardware buffers");
    return {};
}

Status pack(const Memory::Unknown& memory, hidl_memory& hal, const Context& context) {
    if (absl::c_find(kKnownNames, memory.name) != kKnownNames.end()) {
        return context.refuse("convert.memory_name",
                              fmt::format("memory of unknown kind is named '{}', which is the name "
                                          "of a known kind",
                                          memory.name));
    }
    hidl_handle handle;
    NNAPI_RETURN_IF_ERROR(pack(memory.handle, handle, context));
    hal = hidl_memory(memory.name, std::move(handle), memory.size);
    return {};
}

Status unpack(const hidl_memory& hal, Memory::Ashmem& memory, const Context& context) {
    NNAPI_RETURN_IF_ERROR(expectLayout(hal.handle(), kAshmem, 1, 0, context));
    return copyFd(hal.handle()->data[0], memory.fd, context);
}

Status unpack(const hidl_memory& hal, Memory::Fd& memory, const Context& context) {
    NNAPI_RETURN_IF_ERROR(expectLayout(hal.handle(), kFd, 1, 3, context));
    const auto& data = hal.handle()->data;
    const uint64_t low = std::bit_cast<uint32_t>(data[2]);
    const uint64_t high = std::bit_cast<uint32_t>(data[3]);
    memory.prot = data[1];
    memory.offset = high << 32 | low;
    return copyFd(data[0], memory.fd, context);
}

Status unpack(const hidl_memory& hal, Memory::HardwareBuffer& memory, const Context& context) {
    memory.isBlob = nameOf(hal) == kHardwareBufferBlob;
    return unpack(hal.handle(), memory.handle, context);
}

Status unpack(const hidl_memory& hal, Memory::Unknown& memory, const Context& context) {
    memory.name = hal.name();
    return unpack(hal.handle(), memory.handle, context);
}

template <class Kind>
Status unpackAs(const hidl_memory& hal, SharedMemory& memory, const Context& context) {
    const auto size = checkedCast<size_t>(hal.size());
    // coverage: off, only 32-bit builds have sizes that do not fit
    if (!size) return context.refuse("convert.memory", "memory is larger than the address space");
    // coverage: on
    Kind kind;
    kind.size = *size;
    NNAPI_RETURN_IF_ERROR(unpack(hal, kind, context));
    memory = std::make_shared<const Memory>(Memory{std::move(kind)});
    return {};
}

}  // namespace

Status translate(const SharedHandle& handle, hidl_handle& hal, const Context& context) {
    hal = {};
    if (handle.get() == nullptr) return {};
    return pack(std::array{handle->get()}, {}, hal, context);
}

Status translate(const hidl_handle& hal, SharedHandle& handle, const Context& context) {
    handle = nullptr;
    const native_handle_t* native = hal.getNativeHandle();
    if (native == nullptr) return {};
    NNAPI_RETURN_IF_ERROR(expectLayout(native, "a file descriptor", 1, 0, context));
    UniqueFd fd;
    NNAPI_RETURN_IF_ERROR(copyFd(native->data[0], fd, context));
    handle = std::make_shared<const Handle>(std::move(fd));
    return {};
}

Status translate(const SyncFence& fence, hidl_handle& hal, const Context& context) {
    return translate(fence.hasFd() ? fence.getSharedHandle() : nullptr, hal, context);
}

Status translate(const SharedMemory& memory, hidl_memory& hal, const Context& context) {
    if (memory.get() == nullptr) return context.refuse("convert.memory", "memory is null");
    return std::visit([&](const auto& kind) { return pack(kind, hal, context); }, memory->handle);
}

Status translate(const hidl_memory& hal, SharedMemory& memory, const Context& context) {
    const std::string_view name = nameOf(hal);
    if (name == kAshmem) return unpackAs<Memory::Ashmem>(hal, memory, context);
    if (name == kFd) return unpackAs<Memory::Fd>(hal, memory, context);
    if (name == kHardwareBuffer || name == kHardwareBufferBlob) {
        return unpackAs<Memory::HardwareBuffer>(hal, memory, context);
    }
    return unpackAs<Memory::Unknown>(hal, memory, context);
}

}  // namespace NNAPI_BINDING::conversion
