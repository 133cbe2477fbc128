#include "model_generation/memories.h"

#include <absl/algorithm/container.h>
#include <sys/mman.h>
#include <unistd.h>

#include "nnapi/memory.h"

namespace nn::testing {
namespace {

Memory::NativeHandle anyNativeHandle(Source& source) {
    Memory::NativeHandle handle;
    for (size_t n = source.below(3); n != 0; --n)
        handle.fds.emplace_back(memfd_create("any", MFD_CLOEXEC));
    handle.ints = any<std::vector<int>>(source);
    return handle;
}

Memory::HardwareBuffer anyHardwareBuffer(Source& source, HalVersion version, uint32_t size) {
    const bool isBlob = size != 0;
    Memory::HardwareBuffer buffer{
            .handle = anyNativeHandle(source), .size = size, .isBlob = isBlob};
    if (halVersionInfo(version)->family == HalFamily::AIDL && source.coin()) {
        buffer.description = {
                .width = isBlob ? size : 1 + source.byte(),
                .height = isBlob ? 1u : 1u + source.byte(),
                .layers = 1,
                .format = isBlob ? Memory::HardwareBuffer::Description::kBlob : 1,
                .usage = static_cast<int64_t>(source.below(256)) << 24,
                .stride = source.byte(),
        };
    }
    return buffer;
}

}  // namespace

SharedMemory asFile(const SharedMemory& memory) {
    if (memory.get() == nullptr) return nullptr;
    const auto& ashmem = std::get<Memory::Ashmem>(memory->handle);
    return createSharedMemory(ashmem.size, PROT_READ | PROT_WRITE, ashmem.fd.get(), 0)
            .value_or(nullptr);
}

SharedMemory validMemory(Source& source, HalVersion version, size_t size) {
    // AIDL has no memory of unknown kind.
    const bool isAidl = halVersionInfo(version)->family == HalFamily::AIDL;
    const size_t kinds = isAidl ? 4 : version >= HalVersion::V1_2 ? 5 : 2;
    switch (source.below(kinds)) {
        case 1:
            return asFile(createSharedMemory(size).value_or(nullptr));
        case 2:
            return std::make_shared<const Memory>(
                    Memory{anyHardwareBuffer(source, version, static_cast<uint32_t>(size))});
        case 3:
            return std::make_shared<const Memory>(Memory{anyHardwareBuffer(source, version, 0)});
        case 4:
            return std::make_shared<const Memory>(Memory{Memory::Unknown{
                    .handle = anyNativeHandle(source), .size = size, .name = "vendor_memory"}});
        default:
            return createSharedMemory(size).value_or(nullptr);
    }
}

SharedMemory memoryOf(const std::vector<uint8_t>& bytes) {
    SharedMemory memory = createSharedMemory(bytes.size()).value_or(nullptr);
    if (const Result<Mapping> mapping = map(memory); mapping.ok()) {
        absl::c_copy(bytes, mapping->mutableData());
    }
    return memory;
}

}  // namespace nn::testing
