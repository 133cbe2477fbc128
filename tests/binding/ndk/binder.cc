// Binders of objects of this process, which never die.
#include <android/binder_ibinder.h>

#include <atomic>

struct AIBinder {
    const AIBinder_Class* clazz;
    void* object;
    std::atomic<int> strong = 1;
};

struct AIBinder_DeathRecipient {
    void (*onUnlinked)(void* cookie) = nullptr;
};

AIBinder* AIBinder_new(const AIBinder_Class* clazz, void* object) {
    return new AIBinder{.clazz = clazz, .object = object};
}
const AIBinder_Class* AIBinder_getClass(AIBinder* binder) { return binder->clazz; }
void* AIBinder_getUserData(AIBinder* binder) { return binder->object; }
void AIBinder_incStrong(AIBinder* binder) { ++binder->strong; }
void AIBinder_decStrong(AIBinder* binder) {
    if (--binder->strong == 0) delete binder;
}
bool AIBinder_isRemote(const AIBinder*) { return false; }
bool AIBinder_isAlive(const AIBinder*) { return true; }
binder_status_t AIBinder_ping(AIBinder* binder) {
    return binder == nullptr ? binder_status_t{STATUS_UNEXPECTED_NULL} : binder_status_t{STATUS_OK};
}

AIBinder_DeathRecipient* AIBinder_DeathRecipient_new(void (*)(void* cookie)) {
    return new AIBinder_DeathRecipient;
}
void AIBinder_DeathRecipient_setOnUnlinked(AIBinder_DeathRecipient* recipient,
                                           void (*onUnlinked)(void* cookie)) {
    recipient->onUnlinked = onUnlinked;
}
void AIBinder_DeathRecipient_delete(AIBinder_DeathRecipient* recipient) { delete recipient; }
binder_status_t AIBinder_linkToDeath(AIBinder*, AIBinder_DeathRecipient* recipient, void* cookie) {
    if (recipient->onUnlinked != nullptr) recipient->onUnlinked(cookie);
    return STATUS_INVALID_OPERATION;
}
binder_status_t AIBinder_unlinkToDeath(AIBinder*, AIBinder_DeathRecipient*, void*) {
    return STATUS_INVALID_OPERATION;
}
