#include "interpreter/constants.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/limits.h"
#include "interpreter/plan.h"
#include "nnapi/checked_math.h"
#include "nnapi/type_utils.h"
#include "validate/checks.h"

namespace nn {

void Constants::gatherAll(WorkBudget& watched) {
    mIsGathered = true;
    mPools.resize(mModel->pools.size());
    gather(mModel->main, watched);
    for (const Model::Subgraph& graph : mModel->referenced) gather(graph, watched);
    merge();
    copy(*mLimits, watched);
}

bool Constants::spend(WorkBudget& watched, uint64_t steps) {
    if (!mEnd.ok()) return false;
    if (auto end = watched.spend(steps)) {
        mEnd = makeError(end->code, Diagnostic{.rule = std::move(end->rule),
                                               .message = std::move(end->message)});
    }
    return mEnd.ok();
}

void Constants::gather(const Model::Subgraph& graph, WorkBudget& watched) {
    for (const Operand& operand : graph.operands) {
        if (!spend(watched, 1)) return;
        if (!isConstant(operand.lifetime)) continue;
        ElementType element = elementTypeOf(operandTypeInfo(operand.type));
        if (isExtension(operand.type)) {
            const Result<ElementType> registered = mExtensions->elementType(operand.type);
            if (registered.ok()) element = *registered;
        }
        if (element.size == 0 || inValues(operand, element) != nullptr) continue;
        Result<Place> found = place(operand, element);
        if (found.ok() && found->inPlace == nullptr)
            mCopiedRanges.push_back({.place = *std::move(found)});
    }
}

void Constants::merge() {
    absl::c_sort(mCopiedRanges,
                 [](const CopiedRange& a, const CopiedRange& b) { return a.place < b.place; });
    size_t merged = 0;
    for (size_t i = 0; i < mCopiedRanges.size(); ++i) {
        const Place next = mCopiedRanges[i].place;
        Place* last = merged == 0 ? nullptr : &mCopiedRanges[merged - 1].place;
        if (last != nullptr && last->source == next.source && last->shift == next.shift &&
            next.begin <= last->end) {
            last->end = std::max(last->end, next.end);
        } else {
            mCopiedRanges[merged++].place = next;
        }
    }
    mCopiedRanges.resize(merged);
}

void Constants::copy(const Limits& limits, WorkBudget& watched) {
    if (!mEnd.ok()) return;
    std::optional<uint64_t> bytes = 0;
    for (const CopiedRange& range : mCopiedRanges)
        bytes = checkedAdd<uint64_t>(bytes, range.place.end - range.place.begin);
    mEnd = within(limits, &Limits::constantBytes, bytes.value_or(UINT64_MAX),
                  "copies of constants");
    for (CopiedRange& range : mCopiedRanges) read(range, watched);
}

void Constants::read(CopiedRange& range, WorkBudget& watched) {
    constexpr uint64_t kAtOnce = uint64_t{1} << 22;
    constexpr uint64_t kBytesOfAStep = 1024;
    const Place& place = range.place;
    if (!mEnd.ok()) return;
    range.padding = (place.begin - place.shift) % kBufferAlignment;
    range.memory = AlignedMemory(range.padding + (place.end - place.begin),
                                 AlignedMemory::Contents::UNSPECIFIED);
    for (uint64_t begin = place.begin; begin < place.end && range.status.ok(); begin += kAtOnce) {
        const uint64_t size = std::min(kAtOnce, place.end - begin);
        if (!spend(watched, 1 + size / kBytesOfAStep)) return;
        range.status = readPart(range, begin, size);
    }
}

Status Constants::readPart(const CopiedRange& range, uint64_t begin, uint64_t size) const {
    const Place& place = range.place;
    const std::span<uint8_t> to(copyOf(range, begin).get(), static_cast<size_t>(size));
    if (place.from == nullptr) return readMemory(mModel->pools[place.source], begin, to);
    std::copy_n(place.from + (begin - place.begin), size, to.begin());
    return {};
}

ops::MutableBytes Constants::copyOf(const CopiedRange& range, uint64_t begin) const {
    return range.memory.at(range.padding + begin - range.place.begin);
}

Result<ops::Bytes> Constants::elsewhere(const Operand& operand, ElementType element,
                                        WorkBudget& watched) {
    if (!mIsGathered) gatherAll(watched);
    NNAPI_ASSIGN_OR_RETURN(found, place(operand, element));
    if (found.inPlace != nullptr) return found.inPlace;
    NNAPI_RETURN_IF_ERROR(mEnd);
    const auto after = absl::c_upper_bound(
            mCopiedRanges, found,
            [](const Place& place, const CopiedRange& range) { return place < range.place; });
    const CopiedRange& range = *std::prev(after);  // gathered before
    NNAPI_RETURN_IF_ERROR(range.status);
    return ops::Bytes(copyOf(range, found.begin));
}

Result<Constants::Place> Constants::place(const Operand& operand, ElementType element) {
    const DataLocation& location = operand.location;
    const auto fitsIn = [&](uint64_t available) -> Status {
        if (fits(location.offset, location.length, available)) return {};
        return makeError(ErrorStatus::INVALID_ARGUMENT,
                         fmt::format("bytes {} + {} lie outside of {} bytes", location.offset,
                                     location.length, available));
    };
    Place found{.begin = location.offset};
    bool staysInPlace = true;
    if (operand.lifetime == Operand::LifeTime::POINTER) {
        const auto* data = std::visit([](const void* p) { return static_cast<const uint8_t*>(p); },
                                      location.pointer);
        found.source = kCaller;
        found.begin = reinterpret_cast<uintptr_t>(data);
        found.inPlace = ops::Bytes::entrusted(data);
        // Parameters decide about shapes, so they must be the same in all executions, and an
        // execution may write to this memory.
        staysInPlace = !isParameter(operand.type);
    } else if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY) {
        NNAPI_RETURN_IF_ERROR(fitsIn(mModel->operandValues.size()));
        found.source = kValues;
        found.inPlace = ops::Bytes::of(mModel->operandValues, location.offset);
    } else {
        if (location.poolIndex >= mPools.size()) {
            return makeError(ErrorStatus::INVALID_ARGUMENT,
                             fmt::format("poolIndex is {}, allowed below {}", location.poolIndex,
                                         mPools.size()));
        }
        const Pool& pool = this->pool(location.poolIndex);
        NNAPI_RETURN_IF_ERROR(pool.status);
        NNAPI_RETURN_IF_ERROR(fitsIn(pool.size));
        found.source = location.poolIndex;
        if (pool.sealed) found.inPlace = pool.sealed->at(location.offset);
    }
    NNAPI_RETURN_IF_ERROR(requireLength(operand, element));
    found.end = found.begin + location.length;
    found.shift = found.begin & (element.alignment() - 1);
    if (found.source == kValues || found.source == kCaller) found.from = found.inPlace;
    if (!staysInPlace || !isAligned(found.inPlace, element)) found.inPlace = nullptr;
    return found;
}

const Constants::Pool& Constants::pool(uint32_t index) {
    std::optional<Pool>& pool = mPools[index];
    if (pool) return *pool;
    const SharedMemory& memory = mModel->pools[index];
    pool.emplace(Pool{.status = readMemory(memory, 0, {})});  // does its file exist?
    if (!pool->status.ok()) return *pool;
    pool->size = size(memory);
    // Memory that cannot be mapped for another reason is copied too.
    if (Result<SealedMemory> sealed = SealedMemory::map(memory); sealed.ok())
        pool->sealed.emplace(*std::move(sealed));
    return *pool;
}

}  // namespace nn
