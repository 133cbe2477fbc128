#include "convert/aidl/memory.h"

#include <memory>

#include "convert/common/enums.h"
#include "convert/common/handles.h"
#include "convert/common/numbers.h"
#include "nnapi/checked.h"

namespace nn::conversion {
namespace {

using ::ndk::ScopedFileDescriptor;
using Tag = aidl_hal::Memory::Tag;
using HalAshmem = ::aidl::android::hardware::common::Ashmem;
using HalFile = ::aidl::android::hardware::common::MappableFile;
using HalHandle = ::aidl::android::hardware::common::NativeHandle;
using HalBuffer = ::aidl::android::hardware::graphics::common::HardwareBuffer;
using HalDescription = ::aidl::android::hardware::graphics::common::HardwareBufferDescription;
using Description = Memory::HardwareBuffer::Description;

Status send(const UniqueFd& fd, ScopedFileDescriptor& hal, const Where& where) {
    UniqueFd copy;
    NNAPI_RETURN_IF_ERROR(copyFd(fd.get(), copy, where));
    hal.set(copy.release());
    return {};
}

Status receive(const ScopedFileDescriptor& hal, UniqueFd& fd, const Where& where) {
    return copyFd(hal.get(), fd, where);
}

Status send(const NativeHandle& handle, HalHandle& hal, const Where& where) {
    for (const UniqueFd& fd : handle.fds) {
        NNAPI_RETURN_IF_ERROR(send(fd, hal.fds.emplace_back(), where));
    }
    hal.ints = handle.ints;
    return {};
}

Status receive(const HalHandle& hal, NativeHandle& handle, const Where& where) {
    for (const ScopedFileDescriptor& fd : hal.fds) {
        NNAPI_RETURN_IF_ERROR(receive(fd, handle.fds.emplace_back(), where));
    }
    handle.ints = hal.ints;
    return {};
}

Status pack(const Memory::Ashmem& memory, aidl_hal::Memory& hal, const Where& where) {
    auto& ashmem = hal.get<Tag::ashmem>();
    NNAPI_RETURN_IF_ERROR(send(memory.fd, ashmem.fd, where));
    return carryNumber(memory.size, ashmem.size, "size", where);
}

Status unpack(const HalAshmem& hal, Memory::Ashmem& memory, const Where& where) {
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.size, memory.size, "size", where));
    return receive(hal.fd, memory.fd, where);
}

Status pack(const Memory::Fd& memory, aidl_hal::Memory& hal, const Where& where) {
    auto& file = hal.get<Tag::mappableFile>();
    file.prot = memory.prot;
    NNAPI_RETURN_IF_ERROR(send(memory.fd, file.fd, where));
    NNAPI_RETURN_IF_ERROR(carryNumber(memory.size, file.length, "size", where));
    return carryNumber(memory.offset, file.offset, "offset", where);
}

Status unpack(const HalFile& hal, Memory::Fd& memory, const Where& where) {
    memory.prot = hal.prot;
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.length, memory.size, "length", where));
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.offset, memory.offset, "offset", where));
    return receive(hal.fd, memory.fd, where);
}

// What a buffer without a description has in AIDL, where it always has one: no real buffer has a
// height of 0.
Description describe(const Memory::HardwareBuffer& memory) {
    if (!memory.isBlob) return {};
    return {.width = saturatingCast<uint32_t>(memory.size), .format = Description::kBlob};
}

Status pack(const Memory::HardwareBuffer& memory, aidl_hal::Memory& hal, const Where& where) {
    const bool isDescribed = memory.description != Description{};
    const Description description = isDescribed ? memory.description : describe(memory);
    const bool isBlob = description.format == Description::kBlob;
    const uint64_t size = isBlob ? description.width : 0;
    if (isBlob != memory.isBlob || size != memory.size) {
        return where.refuse(
                "convert.hardware_buffer",
                fmt::format("the description says {} of {}, the buffer is {} of {}",
                            isBlob ? "a blob" : "no blob", Counted{size, "bytes"},
                            memory.isBlob ? "a blob" : "no blob", Counted{memory.size, "bytes"}));
    }
    auto& buffer = hal.get<Tag::hardwareBuffer>();
    HalDescription& to = buffer.description;
    NNAPI_RETURN_IF_ERROR(carryNumber(description.width, to.width, "width", where));
    NNAPI_RETURN_IF_ERROR(carryNumber(description.height, to.height, "height", where));
    NNAPI_RETURN_IF_ERROR(carryNumber(description.layers, to.layers, "layers", where));
    to.format = static_cast<decltype(to.format)>(description.format);
    to.usage = static_cast<decltype(to.usage)>(description.usage);
    NNAPI_RETURN_IF_ERROR(carryNumber(description.stride, to.stride, "stride", where));
    if (description == describe(memory)) {
        where.keeps("description", memory.description, {}, "has it for a buffer without one");
    }
    return send(memory.handle, buffer.handle, where);
}

Status unpack(const HalBuffer& hal, Memory::HardwareBuffer& memory, const Where& where) {
    const HalDescription& from = hal.description;
    Description& description = memory.description;
    NNAPI_RETURN_IF_ERROR(carryNumber(from.width, description.width, "width", where));
    NNAPI_RETURN_IF_ERROR(carryNumber(from.height, description.height, "height", where));
    NNAPI_RETURN_IF_ERROR(carryNumber(from.layers, description.layers, "layers", where));
    description.format = static_cast<int32_t>(from.format);
    description.usage = static_cast<int64_t>(from.usage);
    NNAPI_RETURN_IF_ERROR(carryNumber(from.stride, description.stride, "stride", where));
    memory.isBlob = description.format == Description::kBlob;
    memory.size = memory.isBlob ? description.width : 0;
    if (description == describe(memory)) description = {};
    return receive(hal.handle, memory.handle, where);
}

Status pack(const Memory::Unknown&, aidl_hal::Memory&, const Where& where) {
    return where.refuse("convert.memory",
                        fmt::format("memory of unknown kind cannot be sent in {}, allowed ashmem, "
                                    "a mappable file and a hardware buffer",
                                    titleOf(where.version)));
}

template <class Kind, class Hal>
Status unpackAs(const Hal& hal, SharedMemory& memory, const Where& where) {
    Kind kind;
    NNAPI_RETURN_IF_ERROR(unpack(hal, kind, where));
    memory = std::make_shared<const Memory>(Memory{std::move(kind)});
    return {};
}

}  // namespace

Status translate(const SharedHandle& handle, ScopedFileDescriptor& hal, const Where& where) {
    if (handle.get() == nullptr) return refuseHandle(where, "handle is null");
    return send(*handle, hal, where);
}

Status translate(const ScopedFileDescriptor& hal, SharedHandle& handle, const Where& where) {
    UniqueFd fd;
    NNAPI_RETURN_IF_ERROR(receive(hal, fd, where));
    handle = std::make_shared<const Handle>(std::move(fd));
    return {};
}

Status translate(const SyncFence& fence, ScopedFileDescriptor& hal, const Where& where) {
    if (!fence.hasFd()) {
        return refuseHandle(where, "the fence is signalled, allowed one with a file descriptor");
    }
    return translate(fence.getSharedHandle(), hal, where);
}

Status translate(const SharedMemory& memory, aidl_hal::Memory& hal, const Where& where) {
    if (memory.get() == nullptr) return where.refuse("convert.memory", "memory is null");
    return std::visit([&](const auto& kind) { return pack(kind, hal, where); }, memory->handle);
}

Status translate(const aidl_hal::Memory& hal, SharedMemory& memory, const Where& where) {
    switch (hal.getTag()) {
        case Tag::ashmem:
            return unpackAs<Memory::Ashmem>(hal.get<Tag::ashmem>(), memory, where);
        case Tag::mappableFile:
            return unpackAs<Memory::Fd>(hal.get<Tag::mappableFile>(), memory, where);
        case Tag::hardwareBuffer:
            return unpackAs<Memory::HardwareBuffer>(hal.get<Tag::hardwareBuffer>(), memory, where);
    }
    return refuseUnion(where);
}

}  // namespace nn::conversion
