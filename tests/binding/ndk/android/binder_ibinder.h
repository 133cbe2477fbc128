// Opaque binders of this process.
#pragma once

#include <android/binder_status.h>

#include <cstdint>

struct AIBinder;
struct AIBinder_Class;
struct AIBinder_DeathRecipient;
struct AParcel;

extern "C" {

// Returns one strong reference, which the caller owns.
AIBinder* AIBinder_new(const AIBinder_Class* clazz, void* object);
const AIBinder_Class* AIBinder_getClass(AIBinder* binder);
void* AIBinder_getUserData(AIBinder* binder);
void AIBinder_incStrong(AIBinder* binder);
void AIBinder_decStrong(AIBinder* binder);
bool AIBinder_isRemote(const AIBinder* binder);
bool AIBinder_isAlive(const AIBinder* binder);
binder_status_t AIBinder_ping(AIBinder* binder);

AIBinder_DeathRecipient* AIBinder_DeathRecipient_new(void (*onBinderDied)(void* cookie));
void AIBinder_DeathRecipient_setOnUnlinked(AIBinder_DeathRecipient* recipient,
                                           void (*onUnlinked)(void* cookie));
void AIBinder_DeathRecipient_delete(AIBinder_DeathRecipient* recipient);
binder_status_t AIBinder_linkToDeath(AIBinder* binder, AIBinder_DeathRecipient* recipient,
                                     void* cookie);
binder_status_t AIBinder_unlinkToDeath(AIBinder* binder, AIBinder_DeathRecipient* recipient,
                                       void* cookie);
}
