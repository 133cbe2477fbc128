#include "driver/common/cancellation.h"

namespace nn::driver {
namespace {

thread_local const StopFunction* current = nullptr;

}  // namespace

CancellationScope::CancellationScope(StopFunction stop)
    : mStop(std::move(stop)), mOuter(std::exchange(current, &mStop)) {}

CancellationScope::~CancellationScope() { current = mOuter; }

StopFunction currentStop() { return current == nullptr ? StopFunction() : *current; }

StopFunction either(StopFunction a, StopFunction b) {
    if (!a || !b) return a ? std::move(a) : std::move(b);
    return [a = std::move(a), b = std::move(b)] { return a() || b(); };
}

}  // namespace nn::driver
