#include "service/sent_contents.h"

#include <algorithm>
#include <utility>

namespace nn::service {

const SentContents::Chunk* SentContents::Sent::find(Range range) const {
    const auto chunk = chunks.find(range.offset);
    if (chunk == chunks.end()) return nullptr;
    return chunk->second.length == range.length ? &chunk->second : nullptr;
}

void SentContents::Sent::drop(Range range) {
    auto chunk = chunks.upper_bound(range.offset);
    if (chunk != chunks.begin()) --chunk;
    while (chunk != chunks.end() && chunk->first < range.end()) {
        const bool overlaps = chunk->first + chunk->second.length > range.offset;
        chunk = overlaps ? chunks.erase(chunk) : std::next(chunk);
    }
}

SentContents::LockedRecord::LockedRecord(std::shared_ptr<Sent> sent)
    : mSent(std::move(sent)), mLock(mSent->mutex) {}

bool SentContents::LockedRecord::has(Range range, const cache::Digest& digest) const {
    const Chunk* chunk = mSent->find(range);
    return chunk != nullptr && chunk->digest == digest;
}

bool SentContents::LockedRecord::hasAny(Range range) const { return mSent->find(range) != nullptr; }

void SentContents::LockedRecord::put(Range range, const cache::Digest& digest) {
    constexpr size_t kMaxChunksPerMemory = 65536;
    if (mSent->chunks.size() >= kMaxChunksPerMemory) mSent->chunks.clear();
    mSent->drop(range);
    mSent->chunks[range.offset] = {.length = range.length, .digest = digest};
}

void SentContents::LockedRecord::drop(Range range) { mSent->drop(range); }

SentContents::LockedRecord SentContents::lock(const SharedMemory& memory) {
    std::unique_lock lock(mMutex);
    if (mSent.size() >= mSweepAt) {
        std::erase_if(mSent, [](const auto& sent) { return sent.second->owner.expired(); });
        mSweepAt = std::max<size_t>(64, 2 * mSent.size());
    }
    std::shared_ptr<Sent>& sent = mSent[memory.get()];
    // The address may be reused by another memory.
    if (sent == nullptr || sent->owner.lock() != memory) {
        sent = std::make_shared<Sent>();
        sent->owner = memory;
    }
    std::shared_ptr<Sent> own = sent;
    lock.unlock();
    return LockedRecord(std::move(own));
}

void SentContents::drop(const SharedMemory& memory, Range range) {
    std::shared_ptr<Sent> own;
    {
        const std::lock_guard lock(mMutex);
        const auto sent = mSent.find(memory.get());
        if (sent == mSent.end()) return;
        own = sent->second;
    }
    const std::lock_guard lock(own->mutex);
    own->drop(range);
}

}  // namespace nn::service
