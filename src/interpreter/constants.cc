#include "interpreter/constants.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <algorithm>

#include "interpreter/plan.h"
#include "nnapi/checked.h"
#include "nnapi/type_utils.h"
#include "types/limits.h"
#include "validate/checks.h"

namespace nn {

void Constants::gatherAll(DeadlineChecks& watched) {
    mIsGathered = true;
    mPools.resize(mModel->pools.size());
    gather(mModel->main, watched);
    for (const Model::Subgraph& graph : mModel->referenced) gather(graph, watched);
    merge();
    copy(*mLimits, watched);
}

bool Constants::goesOn(DeadlineChecks& watched, uint64_t steps) {
    if (!mEnd.ok()) return false;
    if (auto end = watched.spend(steps)) {
        mEnd = makeError(end->code, Diagnostic{.rule = std::move(end->rule),
                                               .message = std::move(end->message)});
    }
    return mEnd.ok();
}

void Constants::gather(const Model::Subgraph& graph, DeadlineChecks& watched) {
    for (const Operand& operand : graph.operands) {
        if (!goesOn(watched, 1)) return;
        if (!isConstant(operand.lifetime)) continue;
        ElementType element = elementTypeOf(operandTypeInfo(operand.type));
        if (isExtension(operand.type)) {
            const Result<ElementType> registered = mExtensions->elementType(operand.type);
            if (registered.ok()) element = *registered;
        }
        if (element.size == 0 || inValues(operand, element) != nullptr) continue;
        Result<Place> found = place(operand, element);
        if (found.ok() && found->inPlace == nullptr)
            mStretches.push_back({.place = *std::move(found)});
    }
}

void Constants::merge() {
    absl::c_sort(mStretches, [](const Stretch& a, const Stretch& b) { return a.place < b.place; });
    size_t merged = 0;
    for (size_t i = 0; i < mStretches.size(); ++i) {
        const Place next = mStretches[i].place;
        Place* last = merged == 0 ? nullptr : &mStretches[merged - 1].place;
        if (last != nullptr && last->source == next.source && last->shift == next.shift &&
            next.begin <= last->end) {
            last->end = std::max(last->end, next.end);
        } else {
            mStretches[merged++].place = next;
        }
    }
    mStretches.resize(merged);
}

void Constants::copy(const Limits& limits, DeadlineChecks& watched) {
    if (!mEnd.ok()) return;
    std::optional<uint64_t> bytes = 0;
    for (const Stretch& stretch : mStretches)
        bytes = checkedAdd<uint64_t>(bytes, stretch.place.end - stretch.place.begin);
    mEnd = within(limits, &Limits::constantBytes, bytes.value_or(UINT64_MAX),
                  "copies of constants");
    for (Stretch& stretch : mStretches) read(stretch, watched);
}

void Constants::read(Stretch& stretch, DeadlineChecks& watched) {
    constexpr uint64_t kAtOnce = uint64_t{1} << 22;
    constexpr uint64_t kBytesOfAStep = 1024;
    const Place& place = stretch.place;
    if (!mEnd.ok()) return;
    stretch.padding = (place.begin - place.shift) % kBufferAlignment;
    stretch.memory = AlignedMemory(stretch.padding + (place.end - place.begin));
    for (uint64_t begin = place.begin; begin < place.end && stretch.status.ok(); begin += kAtOnce) {
        const uint64_t size = std::min(kAtOnce, place.end - begin);
        if (!goesOn(watched, 1 + size / kBytesOfAStep)) return;
        stretch.status = readPart(stretch, begin, size);
    }
}

Status Constants::readPart(const Stretch& stretch, uint64_t begin, uint64_t size) const {
    const Place& place = stretch.place;
    const std::span<uint8_t> to(copyOf(stretch, begin).get(), static_cast<size_t>(size));
    if (place.from == nullptr) return readMemory(mModel->pools[place.source], begin, to);
    std::copy_n(place.from + (begin - place.begin), size, to.begin());
    return {};
}

ops::MutableBytes Constants::copyOf(const Stretch& stretch, uint64_t begin) const {
    return stretch.memory.at(stretch.padding + begin - stretch.place.begin);
}

Result<ops::Bytes> Constants::elsewhere(const Operand& operand, ElementType element,
                                        DeadlineChecks& watched) {
    if (!mIsGathered) gatherAll(watched);
    NNAPI_ASSIGN_OR_RETURN(found, place(operand, element));
    if (found.inPlace != nullptr) return found.inPlace;
    NNAPI_RETURN_IF_ERROR(mEnd);
    const auto after = absl::c_upper_bound(
            mStretches, found,
            [](const Place& place, const Stretch& stretch) { return place < stretch.place; });
    const Stretch& stretch = *std::prev(after);  // gathered before
    NNAPI_RETURN_IF_ERROR(stretch.status);
    return ops::Bytes(copyOf(stretch, found.begin));
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
