// Shared memory by Android's names: builders of pools, mappings, and pieces behind pointers.

#include "nnapi/SharedMemory.h"

#include <sys/mman.h>
#include <vndk/hardware_buffer.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "nnapi/convert.h"
#include "nnapi/hal/hidl.h"
#include "nnapi/relocation.h"

namespace android::nn {

namespace {

bool isPowerOf2(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

// The least multiple that is not less; nothing where there is none within 32 bits.
std::optional<size_t> upTo(size_t multiple, size_t size) {
    if (!isPowerOf2(multiple) || multiple > std::numeric_limits<uint32_t>::max()) return {};
    if (size > std::numeric_limits<uint32_t>::max() - (multiple - 1)) return {};
    return (size + multiple - 1) & ~(multiple - 1);
}

// What is mapped, which has one of both pointers.
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

template <class Piece>
bool isWithin(const Piece& piece, size_t size) {
    return piece.offset <= size && piece.length <= size - piece.offset;
}

// The bytes behind the pointers of arguments that are one, laid out in a pool.
template <class Info>
struct Pieces {
    std::vector<Info> infos{};
    MutableMemoryBuilder builder;
};

template <class Info>
Pieces<Info> takePieces(std::vector<Request::Argument>* arguments, uint32_t poolIndex,
                        uint32_t alignment, uint32_t padding) {
    Pieces<Info> pieces{.builder = MutableMemoryBuilder(poolIndex)};
    for (Request::Argument& argument : *arguments) {
        if (argument.lifetime != Request::Argument::LifeTime::POINTER) continue;
        const size_t length = argument.location.length;
        const DataLocation place = pieces.builder.append(length, alignment, padding);
        Info info{.length = length, .offset = place.offset};
        std::visit(
                [&](auto* data) {
                    if constexpr (std::is_convertible_v<decltype(data), decltype(info.data)>) {
                        info.data = data;
                    }
                },
                argument.location.pointer);
        pieces.infos.push_back(info);
        argument.lifetime = Request::Argument::LifeTime::POOL;
        argument.location = place;
    }
    return pieces;
}

// Adds the pool of all pieces to the request, and returns what copies them; null without pieces.
template <class Info>
GeneralResult<std::unique_ptr<RelocationTracker<Info>>> addPool(Pieces<Info> pieces,
                                                                Request* request) {
    std::unique_ptr<RelocationTracker<Info>> tracker;
    if (pieces.infos.empty()) return tracker;
    const SharedMemory memory = NN_TRY(pieces.builder.finish());
    tracker = NN_TRY(RelocationTracker<Info>::create(std::move(pieces.infos), memory));
    request->pools.emplace_back(memory);
    return tracker;
}

}  // namespace

DataLocation MutableMemoryBuilder::append(size_t length, size_t alignment, size_t padding) {
    const std::optional<size_t> offset = upTo(alignment, mSize);
    const std::optional<size_t> padded = upTo(padding, length);
    if (!offset || !padded || *padded > std::numeric_limits<uint32_t>::max() - *offset) {
        mIsTooLarge = true;
        return {};
    }
    mSize = *offset + *padded;
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

// The first descriptor of a blob is its memory (vndk/hardware_buffer.h).
GeneralResult<Mapping> Map::operator()(const SharedMemory& memory) const {
    if (!isAhwbBlob(memory)) return mappingOf(NN_TRY(::nn::map(memory)));
    const auto& blob = std::get<Memory::HardwareBuffer>(memory->handle);
    if (blob.handle.fds.empty()) return NN_ERROR() << "a hardware buffer has no memory";
    return mappingOf(NN_TRY(::nn::map(NN_TRY(createSharedMemoryFromFd(
            blob.size, PROT_READ | PROT_WRITE, blob.handle.fds[0].get(), /*offset=*/0)))));
}

bool Flush::operator()(const Mapping& mapping) const { return bytesOf(mapping) != nullptr; }

bool HasNoPointerData::operator()(const Model& model) const {
    const auto hasNone = [](const Model::Subgraph& graph) {
        return std::none_of(graph.operands.begin(), graph.operands.end(),
                            [](const Operand& operand) {
                                return operand.lifetime == Operand::LifeTime::POINTER;
                            });
    };
    return hasNone(model.main) &&
           std::all_of(model.referenced.begin(), model.referenced.end(), hasNone);
}

bool HasNoPointerData::operator()(const Request& request) const {
    const auto hasNone = [](const std::vector<Request::Argument>& arguments) {
        return std::none_of(arguments.begin(), arguments.end(), [](const Request::Argument& each) {
            return each.lifetime == Request::Argument::LifeTime::POINTER;
        });
    };
    return hasNone(request.inputs) && hasNone(request.outputs);
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
    Request copy = *request;
    RequestRelocation relocation;
    const auto nextPool = [&copy] { return static_cast<uint32_t>(copy.pools.size()); };
    relocation.input = NN_TRY(addPool(
            takePieces<InputRelocationInfo>(&copy.inputs, nextPool(), alignment, padding), &copy));
    relocation.output = NN_TRY(
            addPool(takePieces<OutputRelocationInfo>(&copy.outputs, nextPool(), alignment, padding),
                    &copy));
    *relocationOut = std::move(relocation);
    *maybeRequestInSharedOut = std::move(copy);
    return std::cref(**maybeRequestInSharedOut);
}

}  // namespace shared_memory_internal

template <class Info>
GeneralResult<std::unique_ptr<RelocationTracker<Info>>> RelocationTracker<Info>::create(
        std::vector<Info> relocationInfos, SharedMemory memory) {
    Mapping mapping = NN_TRY(map(memory));
    for (const Info& piece : relocationInfos) {
        if (isWithin(piece, mapping.size) && (piece.data != nullptr || piece.length == 0)) continue;
        return NN_ERROR(ErrorStatus::INVALID_ARGUMENT)
               << "a piece has bytes but no data, or is not within its pool";
    }
    if (std::is_same_v<Info, InputRelocationInfo> && mutableBytesOf(mapping) == nullptr) {
        return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << "the pool of inputs cannot be written";
    }
    return std::make_unique<RelocationTracker>(std::move(relocationInfos), std::move(memory),
                                               std::move(mapping));
}

template <class Info>
void RelocationTracker<Info>::flush() const {
    for (const Info& piece : kRelocationInfos) {
        if (piece.length == 0) continue;
        if constexpr (std::is_same_v<Info, InputRelocationInfo>) {
            std::memcpy(mutableBytesOf(kMapping) + piece.offset, piece.data, piece.length);
        } else {
            std::memcpy(piece.data, bytesOf(kMapping) + piece.offset, piece.length);
        }
    }
}

template class RelocationTracker<InputRelocationInfo>;
template class RelocationTracker<OutputRelocationInfo>;

}  // namespace android::nn
