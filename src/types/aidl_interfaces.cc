#include "nnapi/hal/aidl/interfaces.h"

AIBinder::~AIBinder() = default;

bool AIBinder::isRemote() const { return false; }

bool AIBinder::isAlive() const { return true; }

binder_status_t AIBinder::ping() { return STATUS_OK; }

binder_status_t AIBinder::linkToDeath(const AIBinder_DeathRecipient&, void*) {
    return STATUS_INVALID_OPERATION;
}

binder_status_t AIBinder::unlinkToDeath(const AIBinder_DeathRecipient&, void*) {
    return STATUS_INVALID_OPERATION;
}

std::shared_ptr<ndk::ICInterface> AIBinder::objectOf(std::string_view) const { return nullptr; }

void AIBinder::incStrong() {
    const std::lock_guard lock(mMutex);
    if (mStrong++ == 0) mSelf = weak_from_this().lock();
}

void AIBinder::decStrong() {
    std::shared_ptr<AIBinder> last;  // released without the mutex, which is part of it
    const std::lock_guard lock(mMutex);
    if (mStrong != 0 && --mStrong == 0) last = std::move(mSelf);
}

void AIBinder_incStrong(AIBinder* binder) {
    if (binder != nullptr) binder->incStrong();
}

void AIBinder_decStrong(AIBinder* binder) {
    if (binder != nullptr) binder->decStrong();
}

bool AIBinder_isRemote(const AIBinder* binder) { return binder != nullptr && binder->isRemote(); }

bool AIBinder_isAlive(const AIBinder* binder) { return binder != nullptr && binder->isAlive(); }

binder_status_t AIBinder_ping(AIBinder* binder) {
    return binder == nullptr ? STATUS_UNEXPECTED_NULL : binder->ping();
}

AIBinder_DeathRecipient* AIBinder_DeathRecipient_new(void (*onBinderDied)(void* cookie)) {
    return new AIBinder_DeathRecipient{.onBinderDied = onBinderDied, .onUnlinked = nullptr};
}

void AIBinder_DeathRecipient_setOnUnlinked(AIBinder_DeathRecipient* recipient,
                                           void (*onUnlinked)(void* cookie)) {
    if (recipient != nullptr) recipient->onUnlinked = onUnlinked;
}

void AIBinder_DeathRecipient_delete(AIBinder_DeathRecipient* recipient) { delete recipient; }

binder_status_t AIBinder_linkToDeath(AIBinder* binder, AIBinder_DeathRecipient* recipient,
                                     void* cookie) {
    if (recipient == nullptr) return STATUS_UNEXPECTED_NULL;
    const binder_status_t linked = binder == nullptr ? binder_status_t{STATUS_UNEXPECTED_NULL}
                                                     : binder->linkToDeath(*recipient, cookie);
    if (linked != STATUS_OK && recipient->onUnlinked != nullptr) recipient->onUnlinked(cookie);
    return linked;
}

binder_status_t AIBinder_unlinkToDeath(AIBinder* binder, AIBinder_DeathRecipient* recipient,
                                       void* cookie) {
    if (binder == nullptr || recipient == nullptr) return STATUS_UNEXPECTED_NULL;
    return binder->unlinkToDeath(*recipient, cookie);
}

namespace ndk {

std::string ScopedAStatus::getDescription() const {
    if (isOk()) return "no error";
    std::string text;
    if (mException == EX_SERVICE_SPECIFIC) {
        text = "service specific error " + std::to_string(mError);
    } else if (mException != EX_TRANSACTION_FAILED) {
        text = "exception " + std::to_string(mException);
    } else if (mStatus == STATUS_DEAD_OBJECT) {
        text = "dead object";
    } else if (mStatus == STATUS_UNKNOWN_TRANSACTION) {
        text = "unknown transaction";
    } else {
        text = "transaction failed with status " + std::to_string(mStatus);
    }
    if (!mMessage.empty()) text += ": " + mMessage;
    return text;
}

SpAIBinder::SpAIBinder(AIBinder* binder) {
    if (binder == nullptr) return;
    mBinder = binder->weak_from_this().lock();
    binder->decStrong();
}

binder_status_t ICInterface::dump(int, const char**, uint32_t) { return STATUS_OK; }

SharedRefBase::~SharedRefBase() = default;
ICInterface::~ICInterface() = default;

}  // namespace ndk

namespace aidl::android::hardware::neuralnetworks {
namespace {

template <class T>
ScopedAStatus returnValue(T* to, T value) {
    if (to == nullptr) return ScopedAStatus::fromExceptionCode(EX_NULL_POINTER);
    *to = std::move(value);
    return ScopedAStatus::ok();
}

}  // namespace

#define NNAPI_DEFINE_INTERFACE(Name)                                  \
    Name::~Name() = default;                                          \
    ScopedAStatus Name::getInterfaceVersion(int32_t* _aidl_return) {  \
        return returnValue(_aidl_return, version);                    \
    }                                                                 \
    ScopedAStatus Name::getInterfaceHash(std::string* _aidl_return) { \
        /* As of an interface in work. */                             \
        return returnValue(_aidl_return, std::string("notfrozen"));   \
    }
NNAPI_DEFINE_INTERFACE(IBuffer)
NNAPI_DEFINE_INTERFACE(IBurst)
NNAPI_DEFINE_INTERFACE(IFencedExecutionCallback)
NNAPI_DEFINE_INTERFACE(IExecution)
NNAPI_DEFINE_INTERFACE(IPreparedModel)
NNAPI_DEFINE_INTERFACE(IPreparedModelCallback)
NNAPI_DEFINE_INTERFACE(IDevice)
#undef NNAPI_DEFINE_INTERFACE

}  // namespace aidl::android::hardware::neuralnetworks
