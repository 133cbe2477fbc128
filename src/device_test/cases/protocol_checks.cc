#include "device_test/cases/protocol_checks.h"

#include <algorithm>
#include <future>

#include "device_test/cases/execution_paths.h"

namespace nn::testing::protocol {

using namespace std::chrono_literals;
using FenceState = SyncFence::FenceState;

Failure checkLegality(const std::string& call, const Reply& reply, Legality legality) {
    if ((reply.status == 0) == (legality == Legality::LEGAL)) return std::nullopt;
    if (legality == Legality::ILLEGAL) {
        return failed(call, "returns NONE for an argument that is not legal, expected an error",
                      "protocol.legality");
    }
    DeviceOutcome outcome =
            failed(call, fmt::format("returns {}, expected NONE", codeText(reply.status)),
                   "protocol.legality");
    outcome.code = static_cast<ErrorStatus>(reply.status);
    return outcome;
}

Failure checkExecutionReply(const std::string& call, const Reply& reply, MeasureTiming measure) {
    const auto insufficient = std::ranges::count(reply.sufficient, false);
    const size_t count = reply.sufficient.size();
    const bool isInsufficient =
            reply.status == static_cast<int32_t>(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
    std::string wrong;
    if (reply.status == 0 && (count > 1 || insufficient != 0)) {
        wrong = "none, or one that is sufficient";
    } else if (isInsufficient && (count != 1 || insufficient != 1)) {
        wrong = "one that is not sufficient";
    } else if (reply.status != 0 && !isInsufficient && count != 0) {
        wrong = "none";
    }
    if (!wrong.empty()) {
        return failed(call,
                      fmt::format("returns {} with {} output shapes, {} of them not sufficient; "
                                  "for its one output allowed is {}",
                                  codeText(reply.status), count, insufficient, wrong),
                      "execution.shapes, execution.insufficient_shapes, execution.failure_shapes, "
                      "protocol.shapes");
    }
    if (reply.status == 0 && measure == MeasureTiming::YES) {
        const bool isOrdered = reply.timeOnDevice == kNoTime || reply.timeInDriver == kNoTime ||
                               reply.timeOnDevice <= reply.timeInDriver;
        if (isOrdered) return std::nullopt;
        return failed(call,
                      fmt::format("took {} on the device, allowed at most the {} in the driver",
                                  reply.timeOnDevice, reply.timeInDriver),
                      "execution.timing, protocol.times");
    }
    if (reply.timeOnDevice == kNoTime && reply.timeInDriver == kNoTime) return std::nullopt;
    return failed(call,
                  fmt::format("returns {} with the times {} and {}; without a success that is "
                              "measured both are absent (UINT64_MAX in HIDL, -1 in AIDL)",
                              codeText(reply.status), static_cast<int64_t>(reply.timeOnDevice),
                              static_cast<int64_t>(reply.timeInDriver)),
                  "execution.unmeasured, hidl.absent_timing, protocol.times");
}

Failure SumArguments::begin() {
    Result<Arguments> made = job.arguments();
    if (!made.ok()) return failedCall("memory of the case", made.status());
    arguments = *std::move(made);
    return std::nullopt;
}

Request SumArguments::insufficient() const {
    Request small = request();
    for (Request::Argument& input : small.inputs) input.dimensions = {3};
    small.outputs[0].location.length = sizeof(float);
    return small;
}

Failure SumArguments::checkSum(const std::string& call, const std::string& rules) const {
    Failure failure = arguments->checkUntouched();
    if (!failure) failure = checkValues({}, job.wanted(), *arguments);
    if (!failure) return failure;
    return failed(call, fmt::format("{}: {}", failure->place, failure->message), rules);
}

// ---- outputs that are too small

Failure checkInsufficient(const std::string& call, const Reply& reply) {
    if (reply.status == static_cast<int32_t>(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE)) {
        return std::nullopt;
    }
    if (reply.status == static_cast<int32_t>(ErrorStatus::GENERAL_FAILURE)) {
        return notSupported("outputs whose size is not known beforehand");
    }
    return failed(call,
                  fmt::format("returns {} for an output that is too small, expected "
                              "OUTPUT_INSUFFICIENT_SIZE",
                              codeText(reply.status)),
                  "execution.insufficient_shapes, protocol.shapes");
}

// ---- callbacks that call the device

std::shared_ptr<Reentry> Reentry::begin(Ledger& ledger, std::function<void()> call) {
    auto made = std::make_shared<Reentry>();
    made->mCall = std::move(call);
    made->mPatience = ledger.patience() / 4;
    ledger.setOnNotified([made] { made->enter(); });
    return made;
}

void Reentry::enter() {
    std::future<void> returned = std::async(std::launch::async, mCall);
    const bool isBlocked = returned.wait_for(mPatience) != std::future_status::ready;
    const std::lock_guard lock(mMutex);
    mIsBlocked |= isBlocked;
    mPending.push_back(std::move(returned));
}

Failure Reentry::check() const {
    const std::lock_guard lock(mMutex);
    if (!mIsBlocked) return std::nullopt;
    return failed("a call of the device during a notification",
                  "does not return before the callback does: the driver holds a lock while it "
                  "notifies",
                  "protocol.reentrant");
}

// ---- fences

Failure checkFenced(const Reply& reply, const SyncFence& fence) {
    const bool isGood = reply.status == 0;
    if (isGood == reply.hasObject && (isGood || !fence.hasFd())) return std::nullopt;
    return failed("executeFenced",
                  fmt::format("returns {} with {} and {}; NONE comes with a callback object, an "
                              "error with null and without a fence",
                              codeText(reply.status),
                              reply.hasObject ? "a callback object" : "a null callback",
                              fence.hasFd() ? "a fence" : "no fence"),
                  "hidl.failed_fenced, protocol.fenced");
}

Failure checkInfo(Duration patience, const SyncFence& fence, const QueryInfo& query) {
    if (Failure failure = waitFor(fence, patience, FenceState::SIGNALED)) return failure;
    for (const char* place : {"getExecutionInfo", "getExecutionInfo, again"}) {
        Reply reply;
        if (Failure failure = query(reply)) return failure;
        if (reply.status != 0) {
            return failed(place,
                          fmt::format("returns {} after its fence was signaled, expected NONE",
                                      codeText(reply.status)),
                          "fenced.result, protocol.execution_info");
        }
        if (Failure failure = checkExecutionReply(place, reply, MeasureTiming::NO)) {
            return failure;
        }
    }
    return std::nullopt;
}

namespace {

// Checks the information while the previous fence is not signaled yet.
Failure checkEarly(const SyncFence& fence, const QueryInfo& query) {
    if (fence.syncWait(0ns) == FenceState::SIGNALED) {
        return failed("executeFenced", "ended before the fence was signaled that it waits for",
                      "fenced.result, protocol.fenced");
    }
    Reply early;
    if (Failure failure = query(early)) return failure;
    if (early.status != 0 || fence.syncWait(0ns) != FenceState::ACTIVE) return std::nullopt;
    return failed("getExecutionInfo",
                  "returns NONE before the fence is signaled, expected GENERAL_FAILURE",
                  "fenced.early_callback, protocol.execution_info");
}

}  // namespace

Failure checkLateFence(Duration patience,
                       const std::function<Failure(const SyncFence& before)>& launch,
                       const std::function<SyncFence()>& fence, const QueryInfo& query) {
    OwnFence before;
    if (!before.ok()) return failed("the case", "no more descriptors");
    // The call may wait for the fence itself.
    constexpr Duration kReturns = 300ms;
    auto launched = std::async(std::launch::async, launch, before.get());
    Failure early;
    if (launched.wait_for(kReturns) == std::future_status::ready) {
        if (Failure failure = launched.get()) return failure;
        early = checkEarly(fence(), query);
        before.signal();
    } else {
        before.signal();
        if (Failure failure = launched.get()) return failure;
    }
    return early ? early : checkInfo(patience, fence(), query);
}

// ---- memory

Failure checkAllocations(const std::function<Failure(bool hasModels, Reply& reply)>& allocate,
                         const std::vector<int64_t>& tokens) {
    const std::string name = "allocate";
    for (const bool hasModels : {false, true, true}) {
        Reply reply;
        if (Failure failure = allocate(hasModels, reply)) return failure;
        if (hasModels && reply.status == static_cast<int32_t>(ErrorStatus::GENERAL_FAILURE)) {
            return notSupported("memory of the device");
        }
        const auto legality = hasModels ? Legality::LEGAL : Legality::ILLEGAL;
        if (Failure failure = checkLegality(name, reply, legality)) return failure;
        if (reply.hasObject == hasModels && (tokens.back() > 0) == hasModels) continue;
        return failed(name,
                      fmt::format("returns {} with {} and token {}; NONE comes with a buffer and a "
                                  "token above 0, an error with null and 0",
                                  codeText(reply.status), reply.hasObject ? "a buffer" : "null",
                                  tokens.back()),
                      "buffer.token, hidl.failed_allocate, protocol.tokens");
    }
    if (tokens[1] != tokens[2]) return std::nullopt;
    return failed(name, fmt::format("gives two living buffers the token {}", tokens[1]),
                  "buffer.token, protocol.tokens");
}

}  // namespace nn::testing::protocol
