#include "testing/memories.h"

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

}  // namespace

SharedMemory asFile(const SharedMemory& memory) {
    if (memory.get() == nullptr) return nullptr;
    const auto& ashmem = std::get<Memory::Ashmem>(memory->handle);
    return createSharedMemory(ashmem.size, PROT_READ | PROT_WRITE, ashmem.fd.get(), 0)
            .value_or(nullptr);
}

SharedMemory validMemory(Source& source, HalVersion version, size_t size) {
    const size_t kinds = version >= HalVersion::V1_2 ? 5 : 2;
    switch (source.below(kinds)) {
        case 1:
            return asFile(createSharedMemory(size).value_or(nullptr));
        case 2:
            return std::make_shared<const Memory>(Memory{Memory::HardwareBuffer{
                    .handle = anyNativeHandle(source), .size = size, .isBlob = true}});
        case 3:
            return std::make_shared<const Memory>(Memory{Memory::HardwareBuffer{
                    .handle = anyNativeHandle(source), .size = 0, .isBlob = false}});
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
