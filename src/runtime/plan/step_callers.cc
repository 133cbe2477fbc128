#include "runtime/plan/step_callers.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <utility>

#include "driver/fences/fences.h"
#include "runtime/plan/exception_guard.h"

namespace nn::runtime {
namespace {

// Compares memories by identity; comparing their files would take system calls.
bool isSame(const Request::MemoryPool& a, const Request::MemoryPool& b) {
    const auto* memory = std::get_if<SharedMemory>(&a);
    const auto* other = std::get_if<SharedMemory>(&b);
    if (memory != nullptr && other != nullptr) return memory->get() == other->get();
    const auto* buffer = std::get_if<SharedBuffer>(&a);
    const auto* otherBuffer = std::get_if<SharedBuffer>(&b);
    if (buffer != nullptr && otherBuffer != nullptr) return buffer->get() == otherBuffer->get();
    const auto* token = std::get_if<MemoryDomainToken>(&a);
    const auto* otherToken = std::get_if<MemoryDomainToken>(&b);
    return token != nullptr && otherToken != nullptr && *token == *otherToken;
}

bool isSame(const Request& a, const Request& b) {
    return a.inputs == b.inputs && a.outputs == b.outputs &&
           std::equal(a.pools.begin(), a.pools.end(), b.pools.begin(), b.pools.end(),
                      [](const auto& x, const auto& y) { return isSame(x, y); });
}

SyncFence::FenceState stateOf(const SyncFence& fence) { return fence.syncWait(Duration::zero()); }
bool hasFailed(const SyncFence& fence) { return stateOf(fence) == SyncFence::FenceState::ERROR; }

Timing longer(const Timing& a, const Timing& b) {
    const auto max = [](const OptionalDuration& x, const OptionalDuration& y) {
        return x && y ? OptionalDuration(std::max(*x, *y)) : x;
    };
    return {max(a.timeOnDevice, b.timeOnDevice), max(a.timeInDriver, b.timeInDriver)};
}

}  // namespace

// ---- bursts

BurstCaller::BurstCaller(const CompiledPlan& plan) {
    for (const Step& step : plan.steps) {
        auto burst = guardObject<const IBurst>("configureExecutionBurst", [&] {
            return step.prepared->configureExecutionBurst();
        });
        mBursts.push_back(burst.has_value() ? *std::move(burst) : nullptr);
    }
}

ExecutionResult<Executed> BurstCaller::call(const Step& step, size_t index,
                                            const ExecutionCall& call) {
    const SharedBurst& burst = mBursts[index];
    if (burst == nullptr) return executeOn(*step.prepared, call, step.signature);
    return guardExceptions<ExecutionResult<Executed>>([&] { return call.on(*burst); });
}

IBurst::OptionalCacheHold BurstCaller::cacheMemory(const SharedMemory& memory) const {
    std::vector<IBurst::OptionalCacheHold> holds;
    for (const SharedBurst& burst : mBursts) {
        if (burst == nullptr) continue;
        auto hold = guardExceptions<GeneralResult<IBurst::OptionalCacheHold>>(
                [&] { return burst->cacheMemory(memory); });
        if (hold.has_value() && *hold != nullptr) holds.push_back(*std::move(hold));
    }
    if (holds.empty()) return nullptr;
    return std::make_shared<const IBurst::CacheHold>([holds = std::move(holds)] {});
}

// ---- reusable executions

ExecutionResult<Executed> ReusableCaller::call(const Step& step, size_t index,
                                               const ExecutionCall& call) {
    const SharedExecution execution = find(step, index, call);
    if (execution == nullptr) return executeOn(*step.prepared, call, step.signature);
    return guardExceptions<ExecutionResult<Executed>>(
            [&] { return execution->compute(call.deadline); });
}

SharedExecution ReusableCaller::find(const Step& step, size_t index, const ExecutionCall& call) {
    std::vector<CachedExecution>& cached = mCache[index];
    const auto same = absl::c_find_if(
            cached, [&](const CachedExecution& k) { return isSame(k.request, call.request); });
    if (same != cached.end()) return same->execution;
    if (cached.size() == kMaxRequests) return nullptr;
    auto made = guardObject<const IExecution>("createReusableExecution",
                                              [&] { return call.reusableOn(*step.prepared); });
    if (!made.has_value()) return nullptr;
    return cached.emplace_back(CachedExecution{call.request, *std::move(made)}).execution;
}

// ---- fences

ExecutionResult<Executed> FencedCaller::call(const Step& step, size_t, const ExecutionCall& call) {
    if (!isCompliantVersion(kVersionFeatureLevel4, step.device.device->getFeatureLevel())) {
        NNAPI_RETURN_IF_ERROR(settle());
        auto executed = executeOn(*step.prepared, call, step.signature);
        if (!executed.has_value()) return executed;
        mTimes.add(executed->second);
        return Executed{};
    }
    auto fenced = guardExceptions<GeneralResult<ExecutedFenced>>(
            [&] { return call.fencedOn(*step.prepared, mPending, {}); });
    if (!fenced.has_value()) return fenced.status();
    mPending.clear();
    if (fenced->first.hasFd()) mPending.push_back(fenced->first);
    if (!fenced->second) return error() << "the driver gives no callback for a fenced execution";
    mTimes.add({fenced->first, std::move(fenced->second)});
    return Executed{};
}

Status FencedCaller::settle() {
    Status waited = driver::waitForAll(mPending, mDeadline);
    if (waited.ok()) {
        mPending.clear();
        (void)mTimes.settle();
    } else if (absl::c_any_of(mPending, hasFailed)) {
        NNAPI_RETURN_IF_ERROR(mTimes.settle());  // says why
    }
    return waited;
}

Status FencedTimes::settle() {
    Status unknown;
    for (const Launched& step : mPending) {
        const bool isActive = stateOf(step.fence) == SyncFence::FenceState::ACTIVE;
        const auto infos = checkedInfos(step.callback, mMeasure);
        // A later step may have failed without waiting for this one.
        if (isActive && !infos.has_value()) {
            unknown = infos.status();
        } else {
            add(infos);
        }
    }
    mPending.clear();
    if (mFailure.ok()) mFailure = unknown;
    return mFailure;
}

void FencedTimes::add(const GeneralResult<FencedTimings>& infos) {
    if (!mFailure.ok()) return;
    if (!infos.has_value()) {
        mFailure = infos.status();
        return;
    }
    mLast = infos->first;
    mSinceFences = mSinceFences ? sum(*mSinceFences, infos->second) : infos->second;
}

GeneralResult<FencedTimings> FencedTimes::infos() const NNAPI_TRY {
    FencedTimes all = *this;
    NNAPI_RETURN_IF_ERROR(all.settle());
    const Timing computing = all.mSinceFences.value_or(Timing());
    // The last step was launched with the first, or waited for all others.
    return FencedTimings(longer(computing, all.mLast), computing);
}
NNAPI_CATCH

}  // namespace nn::runtime
