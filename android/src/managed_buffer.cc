#include "nnapi_android/managed_buffer.h"

#include <android-base/logging.h>

#include <algorithm>
#include <new>

#include "nnapi/print.h"
#include "nnapi/type_utils.h"

namespace nnapi_android {

using ::nn::ErrorStatus;

std::unique_ptr<DomainMemory> DomainMemory::create(uint32_t size, ::nn::OperandType type,
                                                   std::vector<uint32_t> dimensions) {
    if (::nn::isExtension(type)) {
        LOG(ERROR) << "a managed buffer of an extension's type has no known size";
        return nullptr;
    }
    std::unique_ptr<uint8_t[]> bytes(new (std::nothrow) uint8_t[size]());
    if (bytes == nullptr) {
        LOG(ERROR) << "there is no memory for a buffer of " << size << " bytes";
        return nullptr;
    }
    return std::unique_ptr<DomainMemory>(
            new DomainMemory(std::move(bytes), size, type, std::move(dimensions)));
}

DomainMemory::DomainMemory(std::unique_ptr<uint8_t[]> bytes, uint32_t size, ::nn::OperandType type,
                           std::vector<uint32_t> dimensions)
    : mBytes(std::move(bytes)),
      mSize(size),
      mType(type),
      mDimensions(std::move(dimensions)),
      mValueDimensions(mDimensions) {}

::android::nn::RunTimePoolInfo DomainMemory::pool() const {
    return ::android::nn::RunTimePoolInfo::createFromExistingBuffer(mBytes.get(), mSize);
}

ErrorStatus DomainMemory::validateUses(const std::vector<Use>& uses, const HasRole& hasRole) const {
    const auto isOutput = [](const Use& use) { return use.type == IOType::OUTPUT; };
    for (const Use& use : uses) {
        if (!hasRole(use.type, use.index)) {
            LOG(ERROR) << "a buffer was not allocated for "
                       << (isOutput(use) ? "output " : "input ") << use.index
                       << " of the prepared model";
            return ErrorStatus::INVALID_ARGUMENT;
        }
    }
    if (uses.size() > 1 && std::any_of(uses.begin(), uses.end(), isOutput)) {
        LOG(ERROR) << "a buffer is an output and another argument of one request";
        return ErrorStatus::INVALID_ARGUMENT;
    }
    for (const Use& use : uses) {
        if (!isOutput(use)) {
            const ErrorStatus status = validateInput(use);
            if (status != ErrorStatus::NONE) return status;
        } else if (!::nn::combineDimensions(mDimensions, use.dimensions)) {
            LOG(ERROR) << "output " << use.index << " has dimensions "
                       << ::nn::print(use.dimensions) << ", its buffer "
                       << ::nn::print(mDimensions);
            return ErrorStatus::INVALID_ARGUMENT;
        }
    }
    return ErrorStatus::NONE;
}

ErrorStatus DomainMemory::validateInput(const Use& use) const {
    const std::lock_guard lock(mMutex);
    if (!mHasValue) {
        LOG(ERROR) << "the buffer of input " << use.index << " holds no value";
        return ErrorStatus::GENERAL_FAILURE;
    }
    if (!::nn::combineDimensions(mValueDimensions, use.dimensions)) {
        LOG(ERROR) << "input " << use.index << " has dimensions " << ::nn::print(use.dimensions)
                   << ", the value of its buffer " << ::nn::print(mValueDimensions);
        return ErrorStatus::INVALID_ARGUMENT;
    }
    return ErrorStatus::NONE;
}

ErrorStatus DomainMemory::validateCopyFrom(const std::vector<uint32_t>& dimensions,
                                           uint32_t size) const {
    if (size != mSize) {
        LOG(ERROR) << "copyFrom: the memory has " << size << " bytes, the buffer " << mSize;
        return ErrorStatus::INVALID_ARGUMENT;
    }
    if (::nn::isNonExtensionScalar(mType)) {
        return dimensions.empty() ? ErrorStatus::NONE : ErrorStatus::INVALID_ARGUMENT;
    }
    const auto& known = dimensions.empty() ? mDimensions : dimensions;
    if (::nn::hasUnspecifiedDimensions(mType, known) ||
        !::nn::combineDimensions(mDimensions, dimensions)) {
        LOG(ERROR) << "copyFrom: dimensions are " << ::nn::print(dimensions)
                   << ", those of the buffer " << ::nn::print(mDimensions);
        return ErrorStatus::INVALID_ARGUMENT;
    }
    return ErrorStatus::NONE;
}

ErrorStatus DomainMemory::validateCopyTo(uint32_t size) const {
    if (size != mSize) {
        LOG(ERROR) << "copyTo: the memory has " << size << " bytes, the buffer " << mSize;
        return ErrorStatus::INVALID_ARGUMENT;
    }
    const std::lock_guard lock(mMutex);
    if (mHasValue) return ErrorStatus::NONE;
    LOG(ERROR) << "copyTo: the buffer holds no value";
    return ErrorStatus::GENERAL_FAILURE;
}

bool DomainMemory::updateDimensions(const std::vector<uint32_t>& dimensions) {
    auto combined = ::nn::combineDimensions(mDimensions, dimensions);
    if (!combined) {
        LOG(ERROR) << "a value has dimensions " << ::nn::print(dimensions) << ", its buffer "
                   << ::nn::print(mDimensions);
        return false;
    }
    const std::lock_guard lock(mMutex);
    mValueDimensions = *std::move(combined);
    return true;
}

void DomainMemory::setInitialized(bool initialized) {
    const std::lock_guard lock(mMutex);
    mHasValue = initialized;
}

uint32_t Tokens::take() {
    if (mFree.empty()) return mNext++;
    const uint32_t token = mFree.back();
    mFree.pop_back();
    return token;
}

void Tokens::give(uint32_t token) { mFree.push_back(token); }

}  // namespace nnapi_android
