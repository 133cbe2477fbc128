#include "runtime/objects/burst.h"

namespace nn::runtime {

ApiBurst::ApiBurst(std::shared_ptr<const Compiled> compiled) : mCompiled(std::move(compiled)) {
    auto burst = mCompiled->prepared->configureExecutionBurst();
    if (burst.has_value()) mBurst = *std::move(burst);
}

void ApiBurst::keep(const Request& request) {
    if (mBurst == nullptr) return;
    auto& cached = *mCached.get();
    std::erase_if(cached, [](const auto& row) { return row.second.first.expired(); });
    for (const Request::MemoryPool& pool : request.pools) {
        const auto* memory = std::get_if<SharedMemory>(&pool);
        if (memory == nullptr || cached.contains(memory->get())) continue;
        cached.emplace(memory->get(), CachedMemory(*memory, mBurst->cacheMemory(*memory)));
    }
}

}  // namespace nn::runtime
