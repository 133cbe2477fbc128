#include "nnapi_android/memory_pools.h"

#include <android-base/logging.h>
#include <sys/mman.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <variant>

#include "nnapi/convert.h"
#include "nnapi/memory.h"

namespace android::nn {

struct RunTimePoolInfo::Impl {
    std::optional<::nn::Mapping> mapping{};
    uint8_t* buffer = nullptr;
    uint32_t size = 0;
    ::nn::hidl::hidl_memory hidlMemory{};
    ::nn::SharedMemory memory{};
};

RunTimePoolInfo::RunTimePoolInfo(std::shared_ptr<const Impl> impl)
    : buffer(impl->buffer), mImpl(std::move(impl)) {}

RunTimePoolInfo::RunTimePoolInfo() {
    static const auto& unmapped = *new std::shared_ptr<const Impl>(std::make_shared<const Impl>());
    mImpl = unmapped;
}

RunTimePoolInfo::RunTimePoolInfo(const ::nn::hidl::hidl_memory& hidlMemory, bool* fail)
    : RunTimePoolInfo() {
    if (!set(hidlMemory) && fail != nullptr) *fail = true;
}

bool RunTimePoolInfo::set(const ::nn::hidl::hidl_memory& hidlMemory) {
    std::optional<RunTimePoolInfo> mapped = createFromHidlMemory(hidlMemory);
    if (!mapped) return false;
    *this = *std::move(mapped);
    return true;
}

std::optional<RunTimePoolInfo> RunTimePoolInfo::createFromMemory(const ::nn::SharedMemory& memory) {
    ::nn::Result<::nn::Mapping> mapping = ::nn::map(memory);
    if (!mapping.ok()) {
        LOG(ERROR) << "a memory pool cannot be mapped: " << std::string(mapping.status().message());
        return std::nullopt;
    }
    if (mapping->size() > std::numeric_limits<uint32_t>::max()) {
        LOG(ERROR) << "a memory pool has " << mapping->size() << " bytes, allowed 2^32 - 1";
        return std::nullopt;
    }
    auto impl = std::make_shared<Impl>();
    // No caller writes to memory that is mapped for reading: Android's type has no const.
    impl->buffer = const_cast<uint8_t*>(mapping->data());
    impl->size = static_cast<uint32_t>(mapping->size());
    impl->mapping = *std::move(mapping);
    impl->memory = memory;
    return RunTimePoolInfo(std::move(impl));
}

std::optional<RunTimePoolInfo> RunTimePoolInfo::createFromHidlMemory(
        const ::nn::hidl::hidl_memory& hidlMemory) {
    const auto memory = ::nn::unvalidatedConvert(hidlMemory);
    if (!memory.ok()) {
        LOG(ERROR) << "a hidl_memory is ill-formed: " << std::string(memory.status().message());
        return std::nullopt;
    }
    std::optional<RunTimePoolInfo> pool = createFromMemory(*memory);
    if (!pool) return std::nullopt;
    auto impl = std::make_shared<Impl>(*pool->mImpl);
    impl->hidlMemory = hidlMemory;
    return RunTimePoolInfo(std::move(impl));
}

RunTimePoolInfo RunTimePoolInfo::createFromExistingBuffer(uint8_t* buffer, uint32_t size) {
    auto impl = std::make_shared<Impl>();
    impl->buffer = buffer;
    impl->size = size;
    return RunTimePoolInfo(std::move(impl));
}

uint8_t* RunTimePoolInfo::getBuffer() const { return mImpl->buffer; }
uint32_t RunTimePoolInfo::getSize() const { return mImpl->size; }
const ::nn::hidl::hidl_memory& RunTimePoolInfo::getHidlMemory() const { return mImpl->hidlMemory; }
const ::nn::SharedMemory& RunTimePoolInfo::getMemory() const { return mImpl->memory; }

bool RunTimePoolInfo::flush() const {
    if (!mImpl->mapping || mImpl->mapping->mutableData() == nullptr) return true;
    if (!std::holds_alternative<::nn::Memory::Fd>(mImpl->memory->handle)) return true;
    const uintptr_t inPage = reinterpret_cast<uintptr_t>(mImpl->buffer) % 4096;
    return msync(mImpl->buffer - inPage, mImpl->size + inPage, MS_SYNC) == 0;
}

namespace {

// Maps each pool by `map`.
template <class Pools, class Map>
bool setPools(std::vector<RunTimePoolInfo>* poolInfos, const Pools& pools, const Map& map) {
    poolInfos->clear();
    poolInfos->reserve(pools.size());
    for (const auto& pool : pools) {
        std::optional<RunTimePoolInfo> mapped = map(pool);
        if (!mapped) {
            poolInfos->clear();
            return false;
        }
        poolInfos->push_back(*std::move(mapped));
    }
    return true;
}

}  // namespace

bool setRunTimePoolInfosFromHidlMemories(
        std::vector<RunTimePoolInfo>* poolInfos,
        const ::nn::hidl::hidl_vec<::nn::hidl::hidl_memory>& pools) {
    return setPools(poolInfos, pools, RunTimePoolInfo::createFromHidlMemory);
}

bool setRunTimePoolInfosFromCanonicalMemories(std::vector<RunTimePoolInfo>* poolInfos,
                                              const std::vector<::nn::SharedMemory>& pools) {
    return setPools(poolInfos, pools, RunTimePoolInfo::createFromMemory);
}

bool setRunTimePoolInfosFromMemoryPools(
        std::vector<RunTimePoolInfo>* poolInfos,
        const ::nn::hidl::hidl_vec<::nn::V1_3::Request::MemoryPool>& pools) {
    using Pool = ::nn::V1_3::Request::MemoryPool;
    return setPools(poolInfos, pools, [](const Pool& pool) -> std::optional<RunTimePoolInfo> {
        if (pool.getDiscriminator() == Pool::hidl_discriminator::token) return RunTimePoolInfo();
        return RunTimePoolInfo::createFromHidlMemory(pool.hidlMemory());
    });
}

bool setRunTimePoolInfosFromMemoryPools(std::vector<RunTimePoolInfo>* poolInfos,
                                        const std::vector<::nn::Request::MemoryPool>& pools) {
    using Pool = ::nn::Request::MemoryPool;
    return setPools(poolInfos, pools, [](const Pool& pool) -> std::optional<RunTimePoolInfo> {
        const auto* memory = std::get_if<::nn::SharedMemory>(&pool);
        return memory == nullptr ? RunTimePoolInfo() : RunTimePoolInfo::createFromMemory(*memory);
    });
}

}  // namespace android::nn
