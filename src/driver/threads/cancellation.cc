#include "driver/threads/cancellation.h"

namespace nn::driver {
namespace {

thread_local const CancellationScope* current = nullptr;

bool hasEnded(const std::atomic<bool>& isCancelled, TimePoint end) {
    return isCancelled.load(std::memory_order_relaxed) || Clock::now() >= end;
}

}  // namespace

CancellationScope::CancellationScope(std::shared_ptr<const std::atomic<bool>> isCancelled,
                                     TimePoint end)
    : mIsCancelled(std::move(isCancelled)), mEnd(end), mOuter(std::exchange(current, this)) {}

CancellationScope::~CancellationScope() { current = mOuter; }

const CancellationScope* currentScope() { return current; }

AdoptedScope::AdoptedScope(const CancellationScope* scope)
    : mOuter(std::exchange(current, scope)) {}

AdoptedScope::~AdoptedScope() { current = mOuter; }

StopFunction currentStop() {
    if (current == nullptr) return {};
    return [isCancelled = current->mIsCancelled, end = current->mEnd] {
        return hasEnded(*isCancelled, end);
    };
}

StopFunction borrowedStop() {
    if (current == nullptr) return {};
    return [scope = current] { return hasEnded(*scope->mIsCancelled, scope->mEnd); };
}

StopFunction either(StopFunction a, StopFunction b) {
    if (!a || !b) return a ? std::move(a) : std::move(b);
    return [a = std::move(a), b = std::move(b)] { return a() || b(); };
}

}  // namespace nn::driver
