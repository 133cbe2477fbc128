// android/binder_ibinder.h -- AIBinder, and who calls.
#pragma once

#include <sys/types.h>

#include "nnapi/hal/aidl/binder.h"

// The user of this process: the sockets of its devices accept no other but root. The process of the
// caller is not known: that of this one.
uid_t AIBinder_getCallingUid();
pid_t AIBinder_getCallingPid();

// There is no scheduling policy and no security context of calls here.
inline void AIBinder_setMinSchedulerPolicy(AIBinder* /*binder*/, int /*policy*/, int /*priority*/) {
}
inline void AIBinder_setRequestingSid(AIBinder* /*binder*/, bool /*requestingSid*/) {}
inline void AIBinder_setInheritRt(AIBinder* /*binder*/, bool /*inheritRt*/) {}
