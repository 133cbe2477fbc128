#include "convert/aidl/memory.h"

#include <memory>

#include "convert/common/enums.h"
#include "convert/common/handles.h"
#include "convert/common/numbers.h"
#include "nnapi/checked_math.h"

namespace nn NNAPI_BINDING::conversion {
namespace {

using ::ndk::ScopedFileDescriptor;
using Tag = aidl_hal::Memory::Tag;
using HalAshmem = ::aidl::android::hardware::common::Ashmem;
using HalFile = ::aidl::android::hardware::common::MappableFile;
using HalHandle = ::aidl::android::hardware::common::NativeHandle;
using HalBuffer = ::aidl::android::hardware::graphics::common::HardwareBuffer;
using HalDescription = ::aidl::android::hardware::graphics::common::HardwareBufferDescription;
using Description = Memory::HardwareBuffer::Description;

Status send(const UniqueFd& fd, ScopedFileDescriptor& hal, const Context& context) {
    UniqueFd copy;
    NNAPI_RETURN_IF_ERROR(copyFd(fd.get(), copy, context));
    hal.set(copy.release());
    return {};
}

Status receive(const ScopedFileDescriptor& hal, UniqueFd& fd, const Context& context) {
    return copyFd(hal.get(), fd, context);
}

Status send(const NativeHandle& handle, HalHandle& hal, const Context& context) {
    for (const UniqueFd& fd : handle.fds) {
        NNAPI_RETURN_IF_ERROR(send(fd, hal.fds.emplace_back(), context));
    }
    hal.ints = handle.ints;
    return {};
}

Status receive(const HalHandle& hal, NativeHandle& handle, const Context& context) {
    for (const ScopedFileDescriptor& fd : hal.fds) {
        NNAPI_RETURN_IF_ERROR(receive(fd, handle.fds.emplace_back(), context));
    }
    handle.ints = hal.ints;
    return {};
}

Status pack(const Memory::Ashmem& memory, aidl_hal::Memory& hal, const Context& context) {
    HalAshmem ashmem;
    NNAPI_RETURN_IF_ERROR(send(memory.fd, ashmem.fd, context));
    NNAPI_RETURN_IF_ERROR(carryNumber(memory.size, ashmem.size, "size", context));
    hal.set<Tag::ashmem>(std::move(ashmem));
    return {};
}

Status unpack(const HalAshmem& hal, Memory::Ashmem& memory, const Context& context) {
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.size, memory.size, "size", context));
    return receive(hal.fd, memory.fd, context);
}

Status pack(const Memory::Fd& memory, aidl_hal::Memory& hal, const Context& context) {
    HalFile file;
    file.prot = memory.prot;
    NNAPI_RETURN_IF_ERROR(send(memory.fd, file.fd, context));
    NNAPI_RETURN_IF_ERROR(carryNumber(memory.size, file.length, "size", context));
    NNAPI_RETURN_IF_ERROR(carryNumber(memory.offset, file.offset, "offset", context));
    hal.set<Tag::mappableFile>(std::move(file));
    return {};
}

Status unpack(const HalFile& hal, Memory::Fd& memory, const Context& context) {
    memory.prot = hal.prot;
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.length, memory.size, "length", context));
    NNAPI_RETURN_IF_ERROR(carryNumber(hal.offset, memory.offset, "offset", context));
    return receive(hal.fd, memory.fd, context);
}

// The AIDL description of a buffer without one, which AIDL requires: no real buffer has a height of
// 0.
Description describe(const Memory::HardwareBuffer& memory) {
    if (!memory.isBlob) return {};
    return {.width = saturatingCast<uint32_t>(memory.size), .format = Description::kBlob};
}

Status pack(const Memory::HardwareBuffer& memory, aidl_hal::Memory& hal, const Context& context) {
    const bool isDescribed = memory.description != Description{};
    const Description description = isDescribed ? memory.description : describe(memory);
    const bool isBlob = description.format == Description::kBlob;
    const uint64_t size = isBlob ? description.width : 0;
    if (isBlob != memory.isBlob || size != memory.size) {
        return context.refuse(
                "convert.hardware_buffer",
                fmt::format("the description says {} of {}, the buffer is {} of {}",
                            isBlob ? "a blob" : "no blob", Plural{size, "bytes"},
                            memory.isBlob ? "a blob" : "no blob", Plural{memory.size, "bytes"}));
    }
    HalBuffer buffer;
    HalDescription& to = buffer.description;
    NNAPI_RETURN_IF_ERROR(carryNumber(description.width, to.width, "width", context));
    NNAPI_RETURN_IF_ERROR(carryNumber(description.height, to.height, "height", context));
    NNAPI_RETURN_IF_ERROR(carryNumber(description.layers, to.layers, "layers", context));
    to.format = static_cast<decltype(to.format)>(description.format);
    to.usage = static_cast<decltype(to.usage)>(description.usage);
    NNAPI_RETURN_IF_ERROR(carryNumber(description.stride, to.stride, "stride", context));
    if (description == describe(memory)) {
        context.recordLoss("description", memory.description, {},
                           "has it for a buffer without one");
    }
    NNAPI_RETURN_IF_ERROR(send(memory.handle, buffer.handle, context));
    hal.set<Tag::hardwareBuffer>(std::move(buffer));
    return {};
}

Status unpack(const HalBuffer& hal, Memory::HardwareBuffer& memory, const Context& context) {
    const HalDescription& from = hal.description;
    Description& description = memory.description;
    NNAPI_RETURN_IF_ERROR(carryNumber(from.width, description.width, "width", context));
    NNAPI_RETURN_IF_ERROR(carryNumber(from.height, description.height, "height", context));
    NNAPI_RETURN_IF_ERROR(carryNumber(from.layers, description.layers, "layers", context));
    description.format = static_cast<int32_t>(from.format);
    description.usage = static_cast<int64_t>(from.usage);
    NNAPI_RETURN_IF_ERROR(carryNumber(from.stride, description.stride, "stride", context));
    memory.isBlob = description.format == Description::kBlob;
    memory.size = memory.isBlob ? description.width : 0;
    if (description == describe(memory)) description = {};
    return receive(hal.handle, memory.handle, context);
}

Status pack(const Memory::Unknown&, aidl_hal::Memory&, const Context& context) {
    return context.refuse(
            "convert.memory",
            fmt::format("memory of unknown kind cannot be sent in {}, allowed ashmem, "
                        "a mappable file and a hardware buffer",
                        titleOf(context.version)));
}

template <class Kind, class Hal>
Status unpackAs(const Hal& hal, SharedMemory& memory, const Context& context) {
    Kind kind;
    NNAPI_RETURN_IF_ERROR(unpack(hal, kind, context));
    memory = std::make_shared<const Memory>(Memory{std::move(kind)});
    return {};
}

}  // namespace

Status translate(const SharedHandle& handle, ScopedFileDescriptor& hal, const Context& context) {
    if (handle.get() == nullptr) return refuseHandle(context, "handle is null");
    return send(*handle, hal, context);
}

Status translate(const ScopedFileDescriptor& hal, SharedHandle& handle, const Context& context) {
    UniqueFd fd;
    NNAPI_RETURN_IF_ERROR(receive(hal, fd, context));
    handle = std::make_shared<const Handle>(std::move(fd));
    return {};
}

Status translate(const SyncFence& fence, ScopedFileDescriptor& hal, const Context& context) {
    if (!fence.hasFd()) {
        return refuseHandle(context, "the fence is signaled, allowed one with a file descriptor");
    }
    return translate(fence.getSharedHandle(), hal, context);
}

Status translate(const SharedMemory& memory, aidl_hal::Memory& hal, const Context& context) {
    if (memory.get() == nullptr) return context.refuse("convert.memory", "memory is null");
    return std::visit([&](const auto& kind) { return pack(kind, hal, context); }, memory->handle);
}

Status translate(const aidl_hal::Memory& hal, SharedMemory& memory, const Context& context) {
    switch (hal.getTag()) {
        case Tag::ashmem:
            return unpackAs<Memory::Ashmem>(hal.get<Tag::ashmem>(), memory, context);
        case Tag::mappableFile:
            return unpackAs<Memory::Fd>(hal.get<Tag::mappableFile>(), memory, context);
        case Tag::hardwareBuffer:
            return unpackAs<Memory::HardwareBuffer>(hal.get<Tag::hardwareBuffer>(), memory,
                                                    context);
    }
    return refuseUnion(context);
}

}  // namespace NNAPI_BINDING::conversion
