#include "runtime/plan/overlapping_arguments.h"

#include <absl/algorithm/container.h>
#include <absl/container/inlined_vector.h>
#include <sys/stat.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"
#include "types/memory_file.h"

namespace nn::runtime {
namespace {

using Argument = Request::Argument;

constexpr uint64_t kEnd = std::numeric_limits<uint64_t>::max();
constexpr size_t kFew = 8;  // arguments and pools that are stored inline
constexpr uint32_t kAlignment = 64;

// Bytes of an argument, in the address space of this process, in a file or in a buffer of a device.
struct Span {
    uint32_t space = 0;  // 0: addresses; else the first pool with the same bytes, and 1
    bool isOutput = false;
    uint64_t begin = 0;
    uint64_t end = 0;
};
using Spans = absl::InlinedVector<Span, kFew>;

uint64_t addressOf(const DataLocation& location) {
    return std::visit([](const void* p) { return reinterpret_cast<uintptr_t>(p); },
                      location.pointer);
}

// ---- pools that are the same bytes

const Memory* memoryOf(const Request::MemoryPool& pool) {
    const auto* memory = std::get_if<SharedMemory>(&pool);
    return memory == nullptr ? nullptr : memory->get();
}

// The descriptor that tells memories apart, also those that cannot be mapped; -1 if there is none.
int descriptorOf(const Memory& memory) {
    const auto first = []<class M>(const M& kind) {
        if constexpr (requires { kind.handle; }) {
            return kind.handle.fds.empty() ? -1 : kind.handle.fds.front().get();
        } else {
            return kind.fd.get();
        }
    };
    return std::visit(first, memory.handle);
}

// Distinguishes pools by their object, then by the file behind it.
class PoolSpaces {
   public:
    explicit PoolSpaces(const Request& request) : mPools(request.pools) {
        for (uint32_t i = 0; i < mPools.size(); ++i) mSpaces.push_back(i);
        if (mPools.size() > 1) unite(objectOf);
    }

    // From here on, memories of the same file are one space.
    void lookAtFiles(KnownFiles& files) {
        unite([&](const Request::MemoryPool& pool) {
            const auto* memory = std::get_if<SharedMemory>(&pool);
            return memory != nullptr ? files.of(*memory) : FileId(0, objectOf(pool));
        });
    }

    uint32_t operator[](uint32_t pool) const { return mSpaces[pool]; }

   private:
    static uint64_t objectOf(const Request::MemoryPool& pool) {
        if (const auto* memory = std::get_if<SharedMemory>(&pool)) {
            return reinterpret_cast<uintptr_t>(memory->get());
        }
        if (const auto* buffer = std::get_if<SharedBuffer>(&pool)) {
            return reinterpret_cast<uintptr_t>(buffer->get());
        }
        // Tokens are smaller than any address of an object.
        return static_cast<uint32_t>(std::get<MemoryDomainToken>(pool));
    }

    // Pools that are still indistinguishable get one number.
    template <class NameOf>
    void unite(NameOf&& nameOf) {
        using Name = decltype(nameOf(mPools.front()));
        absl::InlinedVector<std::pair<Name, uint32_t>, kFew> names;
        for (uint32_t i = 0; i < mPools.size(); ++i) {
            if (mSpaces[i] == i) names.emplace_back(nameOf(mPools[i]), i);
        }
        std::sort(names.begin(), names.end());
        for (size_t i = 1; i < names.size(); ++i) {
            if (names[i].first != names[i - 1].first) continue;
            mSpaces[names[i].second] = mSpaces[names[i - 1].second];
        }
        for (uint32_t& space : mSpaces) space = mSpaces[space];
    }

    const std::vector<Request::MemoryPool>& mPools;
    absl::InlinedVector<uint32_t, kFew> mSpaces{};
};

// A driver may write to the padding.
uint64_t lengthOf(const DataLocation& location, bool isOutput) {
    return uint64_t{location.length} + (isOutput ? location.padding : 0);
}

// The bytes of an argument in its pool. Opaque memory and buffers of devices are one piece.
Span inPool(const DataLocation& location, const Request::MemoryPool& pool, bool isOutput) {
    Span span{.isOutput = isOutput, .begin = 0, .end = kEnd};
    const Memory* memory = memoryOf(pool);
    if (memory == nullptr) return span;
    uint64_t base = 0;
    if (const auto* file = std::get_if<Memory::Fd>(&memory->handle)) {
        base = file->offset;
    } else if (fileOf(*memory) < 0) {
        return span;
    }
    span.begin = base + location.offset;
    const bool isWhole = location.offset == 0 && location.length == 0;
    if (!isWhole) span.end = span.begin + lengthOf(location, isOutput);
    return span;
}

}  // namespace

FileId KnownFiles::of(const SharedMemory& memory) {
    for (const auto& [known, id] : mKnown) {
        // An expired entry does not match a new object at the same address.
        if (!known.owner_before(memory) && !memory.owner_before(known)) return id;
    }
    struct stat found {};
    const int file = memory == nullptr ? -1 : descriptorOf(*memory);
    const bool isFile = file >= 0 && fstat(file, &found) == 0;
    const FileId id = isFile ? FileId(uint64_t{found.st_dev} + 1, found.st_ino)
                             : FileId(0, reinterpret_cast<uintptr_t>(memory.get()));
    if (mKnown.size() < kMaxKnown) mKnown.emplace_back();
    mKnown[mNext] = {memory, id};
    mNext = (mNext + 1) % kMaxKnown;
    return id;
}

Overlap overlapOf(const Request& request) {
    KnownFiles files;
    return overlapOf(request, files);
}

Overlap overlapOf(const Request& request, KnownFiles& files) {
    Overlap overlap;
    Spans spans;
    bool hasPointers = false, hasPools = false, hasOutputInPool = false;
    const auto look = [&](const std::vector<Argument>& arguments, bool isOutput) {
        for (const Argument& argument : arguments) {
            const DataLocation& location = argument.location;
            if (argument.lifetime == Argument::LifeTime::POINTER) {
                const uint64_t begin = addressOf(location);
                spans.push_back({.isOutput = isOutput,
                                 .begin = begin,
                                 .end = begin + lengthOf(location, isOutput)});
                hasPointers = true;
            } else if (argument.lifetime == Argument::LifeTime::POOL &&
                       location.poolIndex < request.pools.size()) {
                spans.push_back(inPool(location, request.pools[location.poolIndex], isOutput));
                spans.back().space = location.poolIndex + 1;
                hasPools = true;
                hasOutputInPool |= isOutput;
            }
        }
    };
    look(request.inputs, false);
    look(request.outputs, true);
    overlap.isUnknown = hasPointers && hasPools && !request.outputs.empty();
    if (hasOutputInPool && request.pools.size() > 1) {
        PoolSpaces pools(request);
        const auto isPool = [](const Span& span) { return span.space != 0; };
        const uint32_t first = pools[absl::c_find_if(spans, isPool)->space - 1];
        const auto isOther = [&](const Span& span) {
            return isPool(span) && pools[span.space - 1] != first;
        };
        if (absl::c_any_of(spans, isOther)) pools.lookAtFiles(files);
        for (Span& span : spans) {
            if (span.space != 0) span.space = pools[span.space - 1] + 1;
        }
    }
    std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
        return std::tie(a.space, a.begin) < std::tie(b.space, b.begin);
    });
    uint32_t space = 0;
    uint64_t inputsEnd = 0, outputsEnd = 0;  // of the previous ranges in this space
    for (const Span& span : spans) {
        if (span.space != space) {
            space = span.space;
            inputsEnd = outputsEnd = 0;
        }
        if (span.begin >= span.end) continue;
        if (span.begin < outputsEnd || (span.isOutput && span.begin < inputsEnd)) {
            const bool isMemory = space == 0 || memoryOf(request.pools[space - 1]) != nullptr;
            (isMemory ? overlap.isThere : overlap.isInBuffer) = true;
        }
        uint64_t& end = span.isOutput ? outputsEnd : inputsEnd;
        end = std::max(end, span.end);
    }
    return overlap;
}

// ---- outputs apart

namespace {

// The bytes of an output to be staged; empty if it is not staged.
std::optional<uint64_t> roomOf(const Request& request, const Argument& output) {
    const DataLocation& location = output.location;
    if (output.lifetime == Argument::LifeTime::POINTER) return location.length;
    if (output.lifetime != Argument::LifeTime::POOL || location.poolIndex >= request.pools.size()) {
        return std::nullopt;
    }
    const auto* memory = std::get_if<SharedMemory>(&request.pools[location.poolIndex]);
    if (memory == nullptr || *memory == nullptr) return std::nullopt;
    const bool isWhole = location.offset == 0 && location.length == 0;
    return isWhole ? size(*memory) : location.length;
}

Status makeRoom(OutputStage& stage, uint64_t bytes) {
    if (stage.memory != nullptr && stage.bytes.size() >= bytes) return {};
    NNAPI_ASSIGN_OR_RETURN(memory, createSharedMemory(bytes));
    NNAPI_ASSIGN_OR_RETURN(mapping, map(memory));
    stage = {std::move(memory), std::move(mapping)};
    return {};
}

}  // namespace

Result<StagedOutputs> StagedOutputs::of(const Request& request, OutputStage& stage) {
    StagedOutputs staged(request, stage);
    std::optional<uint32_t> all = 0;
    const auto pool = static_cast<uint32_t>(request.pools.size());
    for (Argument& output : staged.mRequest.outputs) {
        const auto room = roomOf(request, output);
        if (!room) continue;
        const auto length = checkedCast<uint32_t>(*room);
        const auto begin = all;
        const auto end = checkedAdd<uint32_t>(begin, length);
        all = end ? checkedRoundUp<uint32_t>(*end, kAlignment) : std::nullopt;
        if (!all) {
            return makeError(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                             "outputs that overlap other arguments take more than 2^32 bytes");
        }
        output.lifetime = Argument::LifeTime::POOL;
        output.location = {
                .poolIndex = pool, .offset = *begin, .length = *length, .padding = *all - *end};
    }
    NNAPI_RETURN_IF_ERROR(makeRoom(stage, std::max(*all, 1u)));
    staged.mRequest.pools.emplace_back(stage.memory);
    return staged;
}

Status StagedOutputs::finish(const Model& model, const Sizes& sizes,
                             const std::vector<OutputShape>& shapes) const {
    if (mRequest.outputs.size() != model.main.outputIndexes.size()) {
        return error(ErrorStatus::INVALID_ARGUMENT)
               << mRequest.outputs.size() << " outputs given, allowed "
               << model.main.outputIndexes.size() << " as in the model";
    }
    for (size_t i = 0; i < mRequest.outputs.size(); ++i) {
        const DataLocation& from = mRequest.outputs[i].location;
        const Argument& output = mWhole->outputs[i];
        if (!roomOf(*mWhole, output)) continue;
        const Operand& operand = model.main.operands[model.main.outputIndexes[i]];
        const auto known = combineDimensions(output.dimensions, operand.dimensions);
        const Dimensions& dimensions =
                i < shapes.size() ? shapes[i].dimensions : known.value_or(operand.dimensions);
        uint64_t size = sizes.bytes(operand.type, dimensions).value_or(from.length);
        // Its type is not described by any device, or it has no elements.
        if (size == 0 && isExtension(operand.type)) size = from.length;
        size = std::min<uint64_t>(size, from.length);
        const std::span<const uint8_t> bytes(mStage->bytes.data() + from.offset, size);
        if (bytes.empty()) continue;
        if (output.lifetime == Argument::LifeTime::POOL) {
            const auto& memory = std::get<SharedMemory>(mWhole->pools[output.location.poolIndex]);
            NNAPI_RETURN_IF_ERROR(writeMemory(memory, output.location.offset, bytes));
            continue;
        }
        void* const* to = std::get_if<void*>(&output.location.pointer);
        if (to == nullptr) {
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << "outputs[" << i << "] lies behind a pointer to what is constant";
        }
        absl::c_copy(bytes, static_cast<uint8_t*>(*to));
    }
    return {};
}

}  // namespace nn::runtime
