#include "runtime/objects/memory.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <atomic>

#include "nnapi/checked_math.h"
#include "nnapi/memory.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "runtime/objects/operand_types.h"
#include "runtime/plan/exception_guard.h"

namespace nn::runtime {
namespace {

// Combines the known dimensions of both; returns the first if they contradict each other.
Dimensions combined(const Dimensions& known, const Dimensions& more) {
    return combineDimensions(known, more).value_or(known);
}

bool haveSameType(const Operand& a, const Operand& b) {
    return a.type == b.type && a.scale == b.scale && a.zeroPoint == b.zeroPoint &&
           a.extraParams == b.extraParams;
}

ApiStatus copyMapped(const SharedMemory& from, const SharedMemory& to) {
    const auto source = map(from);
    const auto target = map(to);
    if (!source.ok() || !target.ok() || target->mutableData() == nullptr) {
        return {ANEURALNETWORKS_UNMAPPABLE, "one of the memories cannot be read or written"};
    }
    // Not read through the mapping, since a peer may shorten the file concurrently.
    std::vector<uint8_t> bytes(size(from));
    NNAPI_API_RETURN_IF_ERROR(readMemory(from, 0, bytes));
    return writeMemory(to, 0, bytes);
}

ApiStatus copyToDevice(const SharedMemory& from, const IBuffer& to, const Dimensions& dimensions) {
    return guardExceptions<GeneralResult<void>>([&] { return to.copyFrom(from, dimensions); })
            .status();
}

ApiStatus copyFromDevice(const IBuffer& from, const SharedMemory& to) {
    return guardExceptions<GeneralResult<void>>([&] { return from.copyTo(to); }).status();
}

}  // namespace

uint64_t nextStart() {
    static std::atomic<uint64_t> last = 0;
    return ++last;
}

Request::MemoryPool ApiMemory::pool() const {
    if (mBuffer != nullptr) return mBuffer;
    return mMemory;
}

ApiStatus ApiMemory::checkPlain(size_t offset, size_t length) const {
    if (isDescribed()) return badData("memory that was made by a description has roles only");
    const size_t bytes = size(mMemory);
    if (!fits(offset, length, bytes)) {
        return badData(fmt::format("bytes {} + {} do not lie in a memory of {} bytes", offset,
                                   length, bytes));
    }
    if (offset == 0 && length == 0) return badData("offset and length are 0");
    return {};
}

ApiStatus ApiMemory::checkRole(const Compiled& compiled, uint32_t index, bool isInput,
                               const Dimensions& dimensions, size_t offset, size_t length) const {
    if (!isDescribed()) return checkPlain(offset, length);
    if (absl::c_none_of(mDescription->roles, [&](const MemoryRole& role) {
            return role.isSame(&compiled, index, isInput);
        })) {
        return badData(fmt::format("the memory has not the role of {} {}",
                                   isInput ? "input" : "output", index));
    }
    if (offset != 0 || length != 0) {
        return badData("memory that was made by a description is used with offset and length 0");
    }
    if (!combineDimensions(mDescription->operand.dimensions, dimensions)) {
        return badData(fmt::format("dimensions are {}, but {} of the memory", print(dimensions),
                                   print(mDescription->operand.dimensions)));
    }
    return {};
}

Dimensions ApiMemory::dimensionsOf(const Dimensions& more) const {
    return combined(mDescription->operand.dimensions, more);
}

void ApiMemory::refresh() const {
    std::shared_ptr<ApiEvent> promised;
    {
        const std::lock_guard lock(mMutex);
        promised = mPromise.event.lock();
    }
    if (promised != nullptr) (void)promised->poll();
}

Status ApiMemory::checkValue(const Dimensions& dimensions,
                             const std::vector<std::shared_ptr<ApiEvent>>& after) const {
    std::shared_ptr<ApiEvent> promised;  // released without the lock
    const std::lock_guard lock(mMutex);
    promised = mPromise.event.lock();
    if (promised != nullptr && absl::c_linear_search(after, promised) &&
        (dimensions.empty() || dimensions == mPromise.dimensions)) {
        return {};
    }
    if (!mHasValue) return error() << "a memory that is an input holds no value";
    if (dimensions.empty() || mValueDimensions == dimensions) return {};
    return error() << "a memory that is an input holds a value of the dimensions "
                   << print(mValueDimensions) << ", but the input has " << print(dimensions);
}

Dimensions ApiMemory::dimensions() const {
    const std::lock_guard lock(mMutex);
    if (mHasValue) return mValueDimensions;
    return mDescription ? mDescription->operand.dimensions : Dimensions();
}

void ApiMemory::promise(const std::shared_ptr<ApiEvent>& event, const Dimensions& dimensions,
                        uint64_t start) {
    if (!isDescribed()) return;
    const std::lock_guard lock(mMutex);
    if (start > mLastStart) mPromise = {event, dimensionsOf(dimensions)};
}

void ApiMemory::setValue(bool isThere, const Dimensions& dimensions, uint64_t start) {
    if (!isDescribed()) return;
    const std::lock_guard lock(mMutex);
    if (start < mLastStart) return;
    mLastStart = start;
    mPromise = {};
    mHasValue = isThere;
    mValueDimensions = dimensionsOf(dimensions);
}

std::optional<uint64_t> ApiMemory::sizeFor(const Dimensions& dimensions) const {
    if (!isDescribed()) return size(mMemory);
    return bytesOf(mDescription->operand.type, dimensionsOf(dimensions));
}

ApiStatus ApiMemory::copy(const ApiMemory& from, ApiMemory& to) {
    const uint64_t start = nextStart();
    if (from.isDescribed()) {
        from.refresh();
        const Status value = from.checkValue({}, {});
        if (!value.ok()) return badData("the source holds no value");
    }
    if (&from == &to) return {};
    Dimensions dimensions;
    if (from.isDescribed()) dimensions = from.dimensions();
    ApiStatus status = copyBytes(from, to, dimensions);
    to.setValue(status.ok(), dimensions, start);
    return status;
}

ApiStatus ApiMemory::copyBytes(const ApiMemory& from, ApiMemory& to, const Dimensions& dimensions) {
    if (from.isDescribed() && to.isDescribed() &&
        !haveSameType(from.mDescription->operand, to.mDescription->operand)) {
        return badData("the operands of both memories are of different types");
    }
    if (to.isDescribed() && !combineDimensions(to.mDescription->operand.dimensions, dimensions)) {
        return badData(fmt::format("the source has the dimensions {}, the destination {}",
                                   print(dimensions), print(to.mDescription->operand.dimensions)));
    }
    const auto source = from.sizeFor(dimensions);
    const auto target = to.sizeFor(dimensions);
    if (source && target && *source != *target) {
        return badData(
                fmt::format("the source has {} bytes, the destination {}", *source, *target));
    }
    if (from.mBuffer == nullptr && to.mBuffer == nullptr) {
        if (size(from.mMemory) == size(to.mMemory)) return copyMapped(from.mMemory, to.mMemory);
        return badData("the two memories have different sizes");
    }
    if (from.mBuffer == nullptr) return copyToDevice(from.mMemory, *to.mBuffer, dimensions);
    if (to.mBuffer == nullptr) return copyFromDevice(*from.mBuffer, to.mMemory);
    if (!source) return badData("the size of the source is not known");
    const auto between = createSharedMemory(*source);
    if (!between.ok()) return between.status();
    NNAPI_API_RETURN_IF_ERROR(copyFromDevice(*from.mBuffer, *between));
    return copyToDevice(*between, *to.mBuffer, dimensions);
}

}  // namespace nn::runtime
