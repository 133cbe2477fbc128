// Shared memory by Android's names: builders of pools, mappings, and pieces behind pointers.

#include "nnapi/SharedMemory.h"

#include <sys/mman.h>
#include <vndk/hardware_buffer.h>

#include <bit>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "nnapi/checked.h"
#include "nnapi/convert.h"
#include "nnapi/hal/hidl.h"
#include "nnapi/relocation.h"
#include "passes/pointers.h"

namespace android::nn {

namespace {

// The mapped memory, which has one of both pointers.
Mapping mappingOf(::nn::Mapping mapped) {
    Mapping mapping;
    if (uint8_t* data = mapped.mutableData()) {
        mapping.pointer = static_cast<void*>(data);
    } else {
        mapping.pointer = static_cast<const void*>(mapped.data());
    }
    mapping.size = mapped.size();
    mapping.context = std::move(mapped);
    return mapping;
}

const uint8_t* bytesOf(const Mapping& mapping) {
    return static_cast<const uint8_t*>(
            std::visit([](const auto* data) -> const void* { return data; }, mapping.pointer));
}

uint8_t* mutableBytesOf(const Mapping& mapping) {
    void* const* data = std::get_if<void*>(&mapping.pointer);
    return data == nullptr ? nullptr : static_cast<uint8_t*>(*data);
}

// The first descriptor of a blob is its memory (vndk/hardware_buffer.h).
GeneralResult<::nn::Mapping> mapMemory(const SharedMemory& memory) {
    if (!isAhwbBlob(memory)) return ::nn::map(memory);
    const auto& blob = std::get<Memory::HardwareBuffer>(memory->handle);
    if (blob.handle.fds.empty()) return NN_ERROR() << "a hardware buffer has no memory";
    return ::nn::map(NN_TRY(createSharedMemoryFromFd(blob.size, PROT_READ | PROT_WRITE,
                                                     blob.handle.fds[0].get(), /*offset=*/0)));
}

template <class Tracker>
std::unique_ptr<Tracker> trackerOf(const std::vector<Request::Argument>& arguments,
                                   ::nn::Relocation relocation) {
    if (!::nn::hasPointers(arguments)) return nullptr;
    return std::make_unique<Tracker>(std::move(relocation));
}

}  // namespace

DataLocation MutableMemoryBuilder::append(size_t length, size_t alignment, size_t padding) {
    const auto offset = checkedRoundUp<size_t>(mSize, alignment);
    const auto padded = checkedRoundUp<size_t>(length, padding);
    const auto end = checkedAdd<size_t>(offset, padded);
    const bool arePowersOf2 = std::has_single_bit(alignment) && std::has_single_bit(padding);
    if (!arePowersOf2 || !end || *end > std::numeric_limits<uint32_t>::max()) {
        mIsTooLarge = true;
        return {};
    }
    mSize = *end;
    return {.poolIndex = mPoolIndex,
            .offset = static_cast<uint32_t>(*offset),
            .length = static_cast<uint32_t>(length),
            .padding = static_cast<uint32_t>(*padded - length)};
}

GeneralResult<SharedMemory> MutableMemoryBuilder::finish() const {
    if (mIsTooLarge) {
        return NN_ERROR(ErrorStatus::INVALID_ARGUMENT)
               << "a pool cannot hold all that was appended, or an alignment is no power of 2";
    }
    return createSharedMemory(mSize);
}

DataLocation ConstantMemoryBuilder::append(const void* data, size_t length) {
    const DataLocation location = mBuilder.append(length);
    mSlices.push_back({.data = data, .length = length, .offset = location.offset});
    return location;
}

GeneralResult<SharedMemory> ConstantMemoryBuilder::finish() const {
    SharedMemory memory = NN_TRY(mBuilder.finish());
    const Mapping mapping = NN_TRY(map(memory));
    for (const Slice& slice : mSlices) {
        if (slice.length == 0) continue;
        if (slice.data == nullptr) {
            return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << "a constant has bytes but no data";
        }
        std::memcpy(mutableBytesOf(mapping) + slice.offset, slice.data, slice.length);
    }
    return memory;
}

GeneralResult<base::unique_fd> dupFd(int fd) {
    ::nn::UniqueFd copy = ::nn::duplicate(fd);
    if (!copy.ok()) return NN_ERROR() << "the descriptor " << fd << " cannot be duplicated";
    return base::unique_fd(copy.release());
}

GeneralResult<SharedMemory> createSharedMemoryFromHidlMemory(
        const ::nn::hidl::hidl_memory& memory) {
    return ::nn::unvalidatedConvert(memory);
}

namespace {

// A memory has a handle of its own, so that it does not count for the buffer.
GeneralResult<SharedMemory> memoryOf(const AHardwareBuffer* buffer) {
    const ::nn::hidl::native_handle_t* handle = AHardwareBuffer_getNativeHandle(buffer);
    if (handle == nullptr) {
        return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << "there is no hardware buffer";
    }
    AHardwareBuffer_Desc of{};
    AHardwareBuffer_describe(buffer, &of);
    const bool isBlob = of.format == AHARDWAREBUFFER_FORMAT_BLOB;
    Memory::HardwareBuffer memory{.size = isBlob ? of.width : 0,
                                  .isBlob = isBlob,
                                  .description = {.width = of.width,
                                                  .height = of.height,
                                                  .layers = of.layers,
                                                  .format = static_cast<int32_t>(of.format),
                                                  .usage = static_cast<int64_t>(of.usage),
                                                  .stride = of.stride}};
    for (int i = 0; i < handle->numFds; ++i) {
        memory.handle.fds.push_back(NN_TRY(dupFd(handle->data[i])));
    }
    for (int i = 0; i < handle->numInts; ++i) {
        memory.handle.ints.push_back(handle->data[handle->numFds + i]);
    }
    return std::make_shared<const Memory>(Memory{std::move(memory)});
}

}  // namespace

GeneralResult<SharedMemory> createSharedMemoryFromAHWB(AHardwareBuffer* buffer,
                                                       bool takeOwnership) {
    GeneralResult<SharedMemory> memory = memoryOf(buffer);
    if (takeOwnership && buffer != nullptr) AHardwareBuffer_release(buffer);
    return memory;
}

bool isAhwbBlob(const Memory::HardwareBuffer& memory) { return memory.isBlob; }

bool isAhwbBlob(const SharedMemory& memory) {
    if (memory == nullptr) return false;
    const auto* buffer = std::get_if<Memory::HardwareBuffer>(&memory->handle);
    return buffer != nullptr && buffer->isBlob;
}

namespace shared_memory_internal {

GeneralResult<Mapping> Map::operator()(const SharedMemory& memory) const {
    return mappingOf(NN_TRY(mapMemory(memory)));
}

bool Flush::operator()(const Mapping& mapping) const { return bytesOf(mapping) != nullptr; }

bool HasNoPointerData::operator()(const Model& model) const { return !::nn::hasPointers(model); }

bool HasNoPointerData::operator()(const Request& request) const {
    return !::nn::hasPointers(request.inputs) && !::nn::hasPointers(request.outputs);
}

GeneralResult<std::reference_wrapper<const Model>> FlushModel::operator()(
        const Model* model, std::optional<Model>* maybeModelInSharedOut) const {
    if (model == nullptr || maybeModelInSharedOut == nullptr) {
        return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << "there is no model, or no place for one";
    }
    if (hasNoPointerData(*model)) return std::cref(*model);
    Model copy = *model;
    if (const ::nn::Status moved = ::nn::flushDataFromPointerToShared(&copy); !moved.ok()) {
        return moved;
    }
    *maybeModelInSharedOut = std::move(copy);
    return std::cref(**maybeModelInSharedOut);
}

GeneralResult<std::reference_wrapper<const Request>> ConvertRequest::operator()(
        const Request* request, uint32_t alignment, uint32_t padding,
        std::optional<Request>* maybeRequestInSharedOut, RequestRelocation* relocationOut) const {
    if (request == nullptr || maybeRequestInSharedOut == nullptr || relocationOut == nullptr) {
        return NN_ERROR(ErrorStatus::INVALID_ARGUMENT)
               << "there is no request, or no place for one";
    }
    if (hasNoPointerData(*request)) return std::cref(*request);
    ::nn::SharedRequest shared =
            NN_TRY(::nn::convertRequestFromPointerToShared(*request, alignment, padding));
    *relocationOut = {.input = trackerOf<InputRelocationTracker>(
                              request->inputs, std::move(shared.relocation.input)),
                      .output = trackerOf<OutputRelocationTracker>(
                              request->outputs, std::move(shared.relocation.output))};
    *maybeRequestInSharedOut = std::move(shared.request);
    return std::cref(**maybeRequestInSharedOut);
}

}  // namespace shared_memory_internal

template <class Info>
GeneralResult<std::unique_ptr<RelocationTracker<Info>>> RelocationTracker<Info>::create(
        const std::vector<Info>& relocationInfos, const SharedMemory& memory) {
    std::vector<::nn::Relocation::Piece> pieces;
    pieces.reserve(relocationInfos.size());
    for (const Info& info : relocationInfos) {
        const auto length = checkedCast<uint32_t>(info.length);
        const auto offset = checkedCast<uint32_t>(info.offset);
        if (!length || !offset) {
            return NN_ERROR(ErrorStatus::INVALID_ARGUMENT)
                   << "a piece of " << info.length << " bytes at " << info.offset
                   << " is beyond what a pool holds";
        }
        pieces.push_back({.data = const_cast<void*>(static_cast<const void*>(info.data)),
                          .length = *length,
                          .offset = *offset});
    }
    constexpr bool kIsInput = std::is_same_v<Info, InputRelocationInfo>;
    return std::make_unique<RelocationTracker>(
            NN_TRY(::nn::Relocation::create(kIsInput ? ::nn::Relocation::Direction::TO_POOL
                                                     : ::nn::Relocation::Direction::FROM_POOL,
                                            std::move(pieces), NN_TRY(mapMemory(memory)))));
}

template class RelocationTracker<InputRelocationInfo>;
template class RelocationTracker<OutputRelocationInfo>;

}  // namespace android::nn
