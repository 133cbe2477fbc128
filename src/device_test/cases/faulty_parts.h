// Parts that the faulty device and the faulty drivers share.
#pragma once

#include <mutex>
#include <utility>
#include <vector>

#include "nnapi/device_test/faulty_device.h"

namespace nn::testing {

// Blocks while the fault is on; then returns why the call fails.
Status hangWhile(const DeviceFaults& faults, DeviceFault fault);

// DEAD_OBJECT if the device is dead.
Status checkAlive(const DeviceFaults& faults);

// Ends the process at once, without a core file or sanitizer reports.
[[noreturn]] void endBy(int signalNumber);

SharedPreparedModel faultyPreparedModel(SharedPreparedModel good, const DeviceFaults& faults);

// Returned by the faulty allocate instead of a buffer.
SharedBuffer fakeBuffer(uint32_t token);

// Keeps callbacks without calling them: a client would notice dropped ones.
template <class Client>
class Retained {
   public:
    void keep(Client client) {
        const std::lock_guard lock(mMutex);
        mClients.push_back(std::move(client));
    }

   private:
    std::mutex mMutex{};
    std::vector<Client> mClients{};
};

}  // namespace nn::testing
