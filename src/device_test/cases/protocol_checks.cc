#include "device_test/cases/protocol_checks.h"

#include <algorithm>
#include <future>
#include <thread>

#include "device_test/cases/execution_paths.h"

namespace nn::testing::protocol {

using namespace std::chrono_literals;
using FenceState = SyncFence::FenceState;

Failure checkLegality(const std::string& call, const Answer& answer, Legality legality) {
    if ((answer.status == 0) == (legality == Legality::LEGAL)) return std::nullopt;
    if (legality == Legality::ILLEGAL) {
        return failed(call, "answers NONE for an argument that is not legal, expected an error",
                      "protocol.legality");
    }
    DeviceOutcome outcome =
            failed(call, fmt::format("answers {}, expected NONE", codeText(answer.status)),
                   "protocol.legality");
    outcome.code = static_cast<ErrorStatus>(answer.status);
    return outcome;
}

Failure checkExecutionAnswer(const std::string& call, const Answer& answer, MeasureTiming measure) {
    const auto insufficient = std::ranges::count(answer.sufficient, false);
    const size_t count = answer.sufficient.size();
    const bool isInsufficient =
            answer.status == static_cast<int32_t>(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE);
    std::string wrong;
    if (answer.status == 0 && (count > 1 || insufficient != 0)) {
        wrong = "none, or one that is sufficient";
    } else if (isInsufficient && (count != 1 || insufficient != 1)) {
        wrong = "one that is not sufficient";
    } else if (answer.status != 0 && !isInsufficient && count != 0) {
        wrong = "none";
    }
    if (!wrong.empty()) {
        return failed(call,
                      fmt::format("answers {} with {} output shapes, {} of them not sufficient; "
                                  "for its one output allowed is {}",
                                  codeText(answer.status), count, insufficient, wrong),
                      "execution.shapes, execution.insufficient_shapes, execution.failure_shapes, "
                      "protocol.shapes");
    }
    if (answer.status == 0 && measure == MeasureTiming::YES) {
        const bool isOrdered = answer.timeOnDevice == kNoTime || answer.timeInDriver == kNoTime ||
                               answer.timeOnDevice <= answer.timeInDriver;
        if (isOrdered) return std::nullopt;
        return failed(call,
                      fmt::format("took {} on the device, allowed at most the {} in the driver",
                                  answer.timeOnDevice, answer.timeInDriver),
                      "execution.timing, protocol.times");
    }
    if (answer.timeOnDevice == kNoTime && answer.timeInDriver == kNoTime) return std::nullopt;
    return failed(call,
                  fmt::format("answers {} with the times {} and {}; without a success that is "
                              "measured both are absent (UINT64_MAX in HIDL, -1 in AIDL)",
                              codeText(answer.status), static_cast<int64_t>(answer.timeOnDevice),
                              static_cast<int64_t>(answer.timeInDriver)),
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

Failure checkInsufficient(const std::string& call, const Answer& answer) {
    if (answer.status == static_cast<int32_t>(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE)) {
        return std::nullopt;
    }
    if (answer.status == static_cast<int32_t>(ErrorStatus::GENERAL_FAILURE)) {
        return notSupported("outputs whose size is not known beforehand");
    }
    return failed(call,
                  fmt::format("answers {} for an output that is too small, expected "
                              "OUTPUT_INSUFFICIENT_SIZE",
                              codeText(answer.status)),
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
    std::future<void> answered = std::async(std::launch::async, mCall);
    const bool isBlocked = answered.wait_for(mPatience) != std::future_status::ready;
    const std::lock_guard lock(mMutex);
    mIsBlocked |= isBlocked;
    mPending.push_back(std::move(answered));
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

Failure checkFenced(const Answer& answer, const SyncFence& fence) {
    const bool isGood = answer.status == 0;
    if (isGood == answer.hasObject && (isGood || !fence.hasFd())) return std::nullopt;
    return failed("executeFenced",
                  fmt::format("answers {} with {} and {}; NONE comes with a callback object, an "
                              "error with null and without a fence",
                              codeText(answer.status),
                              answer.hasObject ? "a callback object" : "a null callback",
                              fence.hasFd() ? "a fence" : "no fence"),
                  "hidl.failed_fenced, protocol.fenced");
}

Failure checkInfo(Duration patience, const SyncFence& fence, const AskForInfo& ask) {
    if (Failure failure = waitFor(fence, patience, FenceState::SIGNALED)) return failure;
    for (const char* place : {"getExecutionInfo", "getExecutionInfo, again"}) {
        Answer answer;
        if (Failure failure = ask(answer)) return failure;
        if (answer.status != 0) {
            return failed(place,
                          fmt::format("answers {} after its fence was signalled, expected NONE",
                                      codeText(answer.status)),
                          "fenced.result, protocol.execution_info");
        }
        if (Failure failure = checkExecutionAnswer(place, answer, MeasureTiming::NO)) {
            return failure;
        }
    }
    return std::nullopt;
}

namespace {

// Checks the information while the previous fence is not signaled yet.
Failure checkEarly(const SyncFence& fence, const AskForInfo& ask) {
    if (fence.syncWait(0ns) == FenceState::SIGNALED) {
        return failed("executeFenced", "ended before the fence was signalled that it waits for",
                      "fenced.result, protocol.fenced");
    }
    Answer early;
    if (Failure failure = ask(early)) return failure;
    if (early.status != 0 || fence.syncWait(0ns) != FenceState::ACTIVE) return std::nullopt;
    return failed("getExecutionInfo",
                  "answers NONE before the fence is signalled, expected GENERAL_FAILURE",
                  "fenced.early_callback, protocol.execution_info");
}

}  // namespace

Failure checkLateFence(Duration patience,
                       const std::function<Failure(const SyncFence& before)>& launch,
                       const std::function<SyncFence()>& fence, const AskForInfo& ask) {
    OwnFence before;
    if (!before.ok()) return failed("the case", "no more descriptors");
    // The call may wait for the fence itself.
    constexpr Duration kReturns = 300ms;
    auto launched = std::async(std::launch::async, launch, before.get());
    Failure early;
    if (launched.wait_for(kReturns) == std::future_status::ready) {
        if (Failure failure = launched.get()) return failure;
        early = checkEarly(fence(), ask);
        before.signal();
    } else {
        before.signal();
        if (Failure failure = launched.get()) return failure;
    }
    return early ? early : checkInfo(patience, fence(), ask);
}

// ---- memory

Failure checkAllocations(const std::function<Failure(bool hasModels, Answer& answer)>& allocate,
                         const std::vector<int64_t>& tokens) {
    const std::string name = "allocate";
    for (const bool hasModels : {false, true, true}) {
        Answer answer;
        if (Failure failure = allocate(hasModels, answer)) return failure;
        if (hasModels && answer.status == static_cast<int32_t>(ErrorStatus::GENERAL_FAILURE)) {
            return notSupported("memory of the device");
        }
        const auto legality = hasModels ? Legality::LEGAL : Legality::ILLEGAL;
        if (Failure failure = checkLegality(name, answer, legality)) return failure;
        if (answer.hasObject == hasModels && (tokens.back() > 0) == hasModels) continue;
        return failed(name,
                      fmt::format("answers {} with {} and token {}; NONE comes with a buffer and a "
                                  "token above 0, an error with null and 0",
                                  codeText(answer.status), answer.hasObject ? "a buffer" : "null",
                                  tokens.back()),
                      "buffer.token, hidl.failed_allocate, protocol.tokens");
    }
    if (tokens[1] != tokens[2]) return std::nullopt;
    return failed(name, fmt::format("gives two living buffers the token {}", tokens[1]),
                  "buffer.token, protocol.tokens");
}

}  // namespace nn::testing::protocol
