// hwbinder/IPCThreadState.h -- who calls: the user of this process, since the sockets of its
// devices accept no other but root.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace android::hardware {

class IPCThreadState {
   public:
    // Never null.
    static IPCThreadState* self();
    static IPCThreadState* selfOrNull() { return self(); }

    pid_t getCallingPid() const;
    uid_t getCallingUid() const;
    const char* getCallingSid() const { return nullptr; }

    int64_t clearCallingIdentity() { return 0; }
    void restoreCallingIdentity(int64_t /*token*/) {}
    void flushCommands() {}
};

}  // namespace android::hardware
