#include "service/session_ledger.h"

#include "nnapi/checked_math.h"
#include "nnapi/driver/result.h"

namespace nn::service {
namespace {

// Names of the amounts, for messages.
struct Row {
    std::string_view name;
    uint64_t (*of)(const Amounts&);
};
constexpr Row kRows[] = {
        {"objects", [](const Amounts& a) -> uint64_t { return a.objects; }},
        {"bytes", [](const Amounts& a) -> uint64_t { return a.bytes; }},
        {"bursts with queues", [](const Amounts& a) -> uint64_t { return a.threads; }},
        {"bytes of messages", [](const Amounts& a) -> uint64_t { return a.messages; }},
};

void add(const Amounts& more, Amounts& to) {
    to.objects += more.objects;
    to.bytes += more.bytes;
    to.descriptors += more.descriptors;
    to.threads += more.threads;
    to.messages += more.messages;
}

void subtract(const Amounts& less, Amounts& from) {
    from.objects -= less.objects;
    from.bytes -= less.bytes;
    from.descriptors -= less.descriptors;
    from.threads -= less.threads;
    from.messages -= less.messages;
}

Status tooMuch(std::string_view name, uint64_t held, uint64_t more, uint64_t allowed) {
    return error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT)
           << "this client holds " << held << " " << name << " and asks for " << more
           << " more, allowed " << allowed;
}

}  // namespace

Amounts ServerLedger::held() const {
    const std::lock_guard lock(mMutex);
    return mHeld;
}

Status SessionLedger::checkUnderLock(const Amounts& amounts) const {
    for (const Row& row : kRows) {
        const uint64_t more = row.of(amounts);
        if (more == 0) continue;
        const auto sum = checkedAdd<uint64_t>(row.of(mHeld), more);
        const uint64_t allowed = row.of(mServer->mLimits);
        if (!sum || *sum > allowed) return tooMuch(row.name, row.of(mHeld), more, allowed);
    }
    if (amounts.descriptors == 0) return {};
    const size_t ofOthers = mServer->mHeld.descriptors - mHeld.descriptors;
    const size_t limit = mServer->mLimits.descriptors;
    const size_t allowed = limit <= ofOthers ? 0 : (limit - ofOthers) / 2;
    if (mHeld.descriptors <= allowed && amounts.descriptors <= allowed - mHeld.descriptors) {
        return {};
    }
    return tooMuch("descriptors", mHeld.descriptors, amounts.descriptors, allowed);
}

SessionLedger::Tokens SessionLedger::noteUnderLock(const Amounts& amounts) {
    add(amounts, mHeld);
    add(amounts, mServer->mHeld);
    return Tokens(shared_from_this(), amounts);
}

Result<SessionLedger::Tokens> SessionLedger::take(const Amounts& amounts) {
    const std::lock_guard lock(mServer->mMutex);
    NNAPI_RETURN_IF_ERROR(checkUnderLock(amounts));
    return noteUnderLock(amounts);
}

SessionLedger::Tokens SessionLedger::note(const Amounts& amounts) {
    const std::lock_guard lock(mServer->mMutex);
    return noteUnderLock(amounts);
}

Amounts SessionLedger::held() const {
    const std::lock_guard lock(mServer->mMutex);
    return mHeld;
}

SessionLedger::Tokens::~Tokens() {
    if (mLedger == nullptr) return;
    const std::lock_guard lock(mLedger->mServer->mMutex);
    subtract(mAmounts, mLedger->mHeld);
    subtract(mAmounts, mLedger->mServer->mHeld);
}

}  // namespace nn::service
