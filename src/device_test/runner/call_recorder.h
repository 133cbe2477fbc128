// Records the calls of a device: a run reports the one that crashed or hung its worker.
//
//   const RecordedCall call(page, "execute", "1 input: TENSOR_FLOAT32 [2, 2], ...");
//   return inner()->execute(...);
//
// In a worker, recordedDevice() does so for all calls of a device and of the objects that it makes.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "device_test/runner/call_page.h"
#include "nnapi/driver/interfaces.h"

namespace nn::testing {

// A call of this thread, until the end of the object.
class RecordedCall {
   public:
    RecordedCall(CallPage& page, std::string_view name, std::string_view arguments = {});
    RecordedCall(const RecordedCall&) = delete;
    RecordedCall& operator=(const RecordedCall&) = delete;
    ~RecordedCall();

   private:
    CallPage::Call* mCall;
    CallPage* mPage = nullptr;  // not null where mCall is not
};

// The device, with its calls recorded on the page, which has to stay.
SharedDevice recordedDevice(SharedDevice device, CallPage& page);

// The contents of a page.
struct CallReport {
    std::string name{};       // "execute", "third execute of the burst", "after prepareModel"
    std::string arguments{};  // sizes, types and checksums
    int32_t thread = 0;
};

// Records where the test itself begins and ends to compute.
void recordOwnWork(CallPage& page, bool begins);

// Since when a worker has neither called the device, nor seen a call return, nor computed by
// itself: now while it does, and the beginning of the clock if it never has.
TimePoint quietSince(const CallPage& page);

// The call of the thread that crashed; else, of the calls that have not returned, the one that
// began first; else the last one that returned. Empty without any call.
std::optional<CallReport> lastCall(const CallPage& page);

// The call that a thread is in; empty if it is in none.
std::string callOfThread(const CallPage& page, int32_t thread);

}  // namespace nn::testing
