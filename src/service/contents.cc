#include "service/contents.h"

#include <algorithm>

namespace nn::service {

const SentContents::Piece* SentContents::findUnderLock(const SharedMemory& memory,
                                                       Range range) const {
    const auto sent = mSent.find(memory.get());
    if (sent == mSent.end() || sent->second.owner.expired()) return nullptr;
    const auto piece = sent->second.pieces.find(range.offset);
    if (piece == sent->second.pieces.end()) return nullptr;
    return piece->second.length == range.length ? &piece->second : nullptr;
}

bool SentContents::has(const SharedMemory& memory, Range range, const cache::Digest& digest) const {
    const std::lock_guard lock(mMutex);
    const Piece* piece = findUnderLock(memory, range);
    return piece != nullptr && piece->digest == digest;
}

bool SentContents::hasAny(const SharedMemory& memory, Range range) const {
    const std::lock_guard lock(mMutex);
    return findUnderLock(memory, range) != nullptr;
}

void SentContents::put(const SharedMemory& memory, Range range, const cache::Digest& digest) {
    constexpr size_t kMostPiecesOfMemory = 65536;
    const std::lock_guard lock(mMutex);
    if (mSent.size() >= mSweepAt) {
        std::erase_if(mSent, [](const auto& sent) { return sent.second.owner.expired(); });
        mSweepAt = std::max<size_t>(64, 2 * mSent.size());
    }
    Sent& sent = mSent[memory.get()];
    // Another memory may have had this address.
    if (sent.owner.lock() != memory) sent = {.owner = memory, .pieces = {}};
    if (sent.pieces.size() >= kMostPiecesOfMemory) sent.pieces.clear();
    drop(sent, range);
    sent.pieces[range.offset] = {.length = range.length, .digest = digest};
}

void SentContents::drop(const SharedMemory& memory, Range range) {
    const std::lock_guard lock(mMutex);
    const auto sent = mSent.find(memory.get());
    if (sent != mSent.end()) drop(sent->second, range);
}

void SentContents::drop(Sent& sent, Range range) {
    auto piece = sent.pieces.upper_bound(range.offset);
    if (piece != sent.pieces.begin()) --piece;
    while (piece != sent.pieces.end() && piece->first < range.end()) {
        const bool overlaps = piece->first + piece->second.length > range.offset;
        piece = overlaps ? sent.pieces.erase(piece) : std::next(piece);
    }
}

}  // namespace nn::service
