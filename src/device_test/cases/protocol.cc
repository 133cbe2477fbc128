#include "device_test/cases/protocol.h"

#include <chrono>
#include <thread>

#include "device_test/cases/cases.h"
#include "device_test/cases/prepared_case.h"

namespace nn::testing::protocol {
namespace {

using namespace std::chrono_literals;

// How long to wait for a second notification, and for the release of a callback.
constexpr Duration kGrace = 10ms;
constexpr Duration kRelease = 3s;
// The replies to a call that are kept.
constexpr size_t kMaxReplies = 100;

std::string millisecondsOf(Duration time) {
    return fmt::format("{:.1f} ms", std::chrono::duration<double, std::milli>(time).count());
}

// "NONE by notify_1_2", "NONE"
std::string textOf(const Reply& reply) {
    const std::string code = codeText(reply.status);
    return reply.by.empty() ? code : fmt::format("{} by {}", code, reply.by);
}

Failure checkOnce(const OwedCall& call, const std::vector<Reply>& replies) {
    if (replies.size() == 1) return std::nullopt;
    const bool isSynchronous = call.info().due.empty();
    const std::string rules = isSynchronous ? "callback.synchronous, protocol.answered_once"
                                            : "hidl.one_notification, protocol.notified_once";
    const char* verb = isSynchronous ? "called back" : "notified";
    if (replies.empty()) {
        return failed(call.info().name, "returned without a result, expected exactly one", rules);
    }
    return failed(
            call.info().name,
            fmt::format("{} {}: first {}, {} later {}; each {} exactly once", verb,
                        replies.size() == 2 ? "twice" : fmt::format("{} times", replies.size()),
                        textOf(replies[0]), millisecondsOf(replies[1].when - replies[0].when),
                        textOf(replies[1]),
                        isSynchronous ? "call calls back" : "launch is notified"),
            rules);
}

Failure checkCode(const OwedCall& call, const char* verb, int32_t status) {
    const CallInfo& info = call.info();
    const bool isNew = info.since >= HalVersion::V1_3;
    const auto last =
            isNew ? ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT : ErrorStatus::INVALID_ARGUMENT;
    if (status >= 0 && status <= static_cast<int32_t>(last)) return std::nullopt;
    return failed(info.name,
                  fmt::format("{} {}, allowed are NONE to {}, the codes of {}", verb,
                              codeText(status), nn::toString(last), titleOf(info.since)),
                  "hidl.statuses, protocol.codes");
}

}  // namespace

// ---- a call

void OwedCall::addReply(Reply reply, std::any object) {
    if (mInfo.onNotified) mInfo.onNotified();
    reply.when = Clock::now();
    const std::lock_guard lock(mMutex);
    if (mReplies.empty()) mObject = std::move(object);
    if (mReplies.size() < kMaxReplies) mReplies.push_back(std::move(reply));
    mChanged.notify_all();
}

void OwedCall::hold() {
    const std::lock_guard lock(mMutex);
    mIsHeld = true;
}

void OwedCall::release() {
    const std::lock_guard lock(mMutex);
    mIsHeld = false;
    mChanged.notify_all();
}

std::vector<Reply> OwedCall::replies() const {
    const std::lock_guard lock(mMutex);
    return mReplies;
}

std::any OwedCall::object() const {
    const std::lock_guard lock(mMutex);
    return mObject;
}

void OwedCall::dropObject() {
    std::any dropped;  // outside of the lock
    const std::lock_guard lock(mMutex);
    dropped.swap(mObject);
}

void OwedCall::await(Duration patience) const {
    std::unique_lock lock(mMutex);
    (void)mChanged.wait_for(lock, patience, [&] { return !mReplies.empty() || !mIsHeld; });
}

bool OwedCall::awaitRelease(Duration patience) const {
    std::unique_lock lock(mMutex);
    return mChanged.wait_for(lock, patience, [&] { return !mIsHeld; });
}

// ---- the calls of a case

SharedCall Ledger::open(CallInfo info) {
    if (!info.due.empty()) info.onNotified = mOnNotified;
    mCalls.push_back(std::make_shared<OwedCall>(std::move(info)));
    return mCalls.back();
}

Failure Ledger::check(const OwedCall& call, const Result<int32_t>& returned, Reply* reply) {
    const CallInfo& info = call.info();
    if (!returned.ok()) return failedCall(info.name, returned.status());
    const bool isSynchronous = info.due.empty();
    if (!isSynchronous) {
        if (Failure failure = checkCode(call, "returned", *returned)) return failure;
        call.await(mPatience);
    }
    const std::vector<Reply> replies = call.replies();
    if (replies.empty() && !isSynchronous) {
        return failed(info.name,
                      fmt::format("returned {} and notified nothing{}; each launch is notified "
                                  "exactly once, whether it fails or not",
                                  codeText(*returned),
                                  call.awaitRelease({}) ? " before it released the callback"
                                                        : " in " + millisecondsOf(mPatience)),
                      "hidl.one_notification, protocol.notified_once");
    }
    if (Failure failure = checkOnce(call, replies)) return failure;
    const Reply& only = replies.front();
    const char* verb = isSynchronous ? "returned" : "notified";
    if (Failure failure = checkCode(call, verb, only.status)) return failure;
    if (only.by != info.due) {
        return failed(info.name,
                      fmt::format("notified {}, where {} is due", textOf(only), info.due),
                      "hidl.callbacks, protocol.due_method");
    }
    if (!isSynchronous && *returned != 0 && *returned != only.status) {
        return failed(info.name,
                      fmt::format("returned {} and notified {}; a launch that fails is notified "
                                  "with the error that it returns",
                                  codeText(*returned), codeText(only.status)),
                      "hidl.refused_launch, protocol.launch_status");
    }
    if (info.isPreparation && (only.status == 0) != only.hasObject) {
        return failed(
                info.name,
                fmt::format("notified {} with {}; NONE comes with a prepared model, an error "
                            "with null",
                            codeText(only.status), only.hasObject ? "a prepared model" : "null"),
                "hidl.notified_model, protocol.notified_model");
    }
    if (reply != nullptr) *reply = only;
    return std::nullopt;
}

Failure Ledger::settle() {
    for (const SharedCall& call : mCalls) call->dropObject();
    for (const SharedCall& call : mCalls) {
        if (call->awaitRelease(kRelease)) continue;
        return failed(call->info().name,
                      fmt::format("the driver keeps the callback {} after the call completed and "
                                  "its results were dropped; a callback is released then",
                                  millisecondsOf(kRelease)),
                      "protocol.released_callback");
    }
    std::this_thread::sleep_for(kGrace);
    for (const SharedCall& call : mCalls) {
        if (Failure failure = checkOnce(*call, call->replies())) return failure;
    }
    return std::nullopt;
}

std::string codeText(int32_t status) {
    const auto last = static_cast<int32_t>(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
    if (status < 0 || status > last) return std::to_string(status);
    return nn::toString(static_cast<ErrorStatus>(status));
}

// ---- the cases

namespace {

struct ProtocolRow {
    const char* name;
    Failure (*hidl)(const Client& client);
    Failure (*aidl)(const Client& client);
};

constexpr ProtocolRow kProtocolRows[] = {
#define NNAPI_PROTOCOL_CASE(name) {#name, hidl_client::name, aidl_client::name},
#include "device_test/cases/protocol_cases.def"
};

Failure runRow(const SharedDevice& device, const ProtocolRow& row, Duration patience) {
    const WrappedDriver driver = wrappedDriver(device);
    if (driver.hidl == nullptr && driver.aidl == nullptr) {
        return notSupported(
                "calls of a HAL version: the device is canonical, or its driver is in "
                "another process");
    }
    if (Failure failure = checkSupports(*device, addition(3))) return failure;
    Ledger ledger(patience);
    const Client client{.device = device, .driver = driver, .ledger = ledger};
    const Failure failure = driver.hidl != nullptr ? row.hidl(client) : row.aidl(client);
    return failure ? failure : ledger.settle();
}

}  // namespace
}  // namespace nn::testing::protocol

namespace nn::testing {

void addProtocol(Cases& cases, const DeviceTestOptions& options) {
    addRows(cases, "protocol", protocol::kProtocolRows,
            [patience = options.patience](const SharedDevice& device, const auto& row) {
                return protocol::runRow(device, row, patience);
            });
}

}  // namespace nn::testing
