#include "service/sent_contents.h"

#include <algorithm>
#include <utility>

namespace nn::service {

const SentContents::Piece* SentContents::Sent::find(Range range) const {
    const auto piece = pieces.find(range.offset);
    if (piece == pieces.end()) return nullptr;
    return piece->second.length == range.length ? &piece->second : nullptr;
}

void SentContents::Sent::drop(Range range) {
    auto piece = pieces.upper_bound(range.offset);
    if (piece != pieces.begin()) --piece;
    while (piece != pieces.end() && piece->first < range.end()) {
        const bool overlaps = piece->first + piece->second.length > range.offset;
        piece = overlaps ? pieces.erase(piece) : std::next(piece);
    }
}

SentContents::Turn::Turn(std::shared_ptr<Sent> sent)
    : mSent(std::move(sent)), mLock(mSent->mutex) {}

bool SentContents::Turn::has(Range range, const cache::Digest& digest) const {
    const Piece* piece = mSent->find(range);
    return piece != nullptr && piece->digest == digest;
}

bool SentContents::Turn::hasAny(Range range) const { return mSent->find(range) != nullptr; }

void SentContents::Turn::put(Range range, const cache::Digest& digest) {
    constexpr size_t kMostPiecesOfMemory = 65536;
    if (mSent->pieces.size() >= kMostPiecesOfMemory) mSent->pieces.clear();
    mSent->drop(range);
    mSent->pieces[range.offset] = {.length = range.length, .digest = digest};
}

void SentContents::Turn::drop(Range range) { mSent->drop(range); }

SentContents::Turn SentContents::turn(const SharedMemory& memory) {
    std::unique_lock lock(mMutex);
    if (mSent.size() >= mSweepAt) {
        std::erase_if(mSent, [](const auto& sent) { return sent.second->owner.expired(); });
        mSweepAt = std::max<size_t>(64, 2 * mSent.size());
    }
    std::shared_ptr<Sent>& sent = mSent[memory.get()];
    // Another memory may have had this address.
    if (sent == nullptr || sent->owner.lock() != memory) {
        sent = std::make_shared<Sent>();
        sent->owner = memory;
    }
    std::shared_ptr<Sent> own = sent;
    lock.unlock();
    return Turn(std::move(own));
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
