// A client of a HAL version that checks what wrappers forgive (nnapi/driver/wrap.h): how often, by
// which method and with which results the driver replies to each call.
//
//   Ledger ledger(patience);
//   const SharedCall call = ledger.open({"execute_1_2", "notify_1_2", HalVersion::V1_2});
//   ... passes a callback that holds `call`, and calls call->addReply() when it is notified ...
//   if (Failure failure = ledger.check(*call, returned, &reply)) return failure;
//   return ledger.settle();
#pragma once

#include <any>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "device_test/cases/case_outcome.h"
#include "nnapi/driver/wrap.h"
#include "nnapi/version.h"

namespace nn::testing::protocol {

inline constexpr uint64_t kNoTime = UINT64_MAX;  // AIDL's -1 too

// One notification of a call, or one set of its results.
struct Reply {
    std::string_view by{};  // "notify_1_2"; empty for the result of a synchronous call
    int32_t status = 0;
    bool hasObject = false;           // a prepared model, of preparations
    std::vector<bool> sufficient{};   // of each output shape, of executions
    uint64_t timeOnDevice = kNoTime;  // in the unit of the version
    uint64_t timeInDriver = kNoTime;
    TimePoint when{};
};

struct CallInfo {
    std::string name{};
    std::string_view due{};  // the method that notifies; empty for a synchronous call
    HalVersion since{};      // the version of the method
    bool isPreparation = false;
    std::function<void()> onNotified{};  // called by the thread that notifies; may be empty
};

// A call that must be notified exactly once. Thread-safe.
class OwedCall {
   public:
    explicit OwedCall(CallInfo info) : mInfo(std::move(info)) {}
    const CallInfo& info() const { return mInfo; }

    void addReply(Reply reply, std::any object = {});
    // Its callback was created, and is gone.
    void hold();
    void release();

    std::vector<Reply> replies() const;
    // The object that came first.
    std::any object() const;
    void dropObject();
    // Waits for a notification, or until the callback is gone.
    void await(Duration patience) const;
    // True if the driver has released the callback.
    bool awaitRelease(Duration patience) const;

   private:
    const CallInfo mInfo;
    mutable std::mutex mMutex{};
    mutable std::condition_variable mChanged{};
    std::vector<Reply> mReplies{};
    std::any mObject{};
    bool mIsHeld = false;
};
using SharedCall = std::shared_ptr<OwedCall>;

// The calls of a case.
class Ledger {
   public:
    explicit Ledger(Duration patience) : mPatience(patience) {}

    SharedCall open(CallInfo info);
    // From now on, each notification of an asynchronous call calls this before it returns.
    void setOnNotified(std::function<void()> function) { mOnNotified = std::move(function); }
    // Waits for the notification. `returned` is the status that the call returned; that of a
    // synchronous call is ignored.
    Failure check(const OwedCall& call, const Result<int32_t>& returned, Reply* reply = nullptr);
    // After the last call, once its results are dropped: a second notification may come late, and
    // callbacks must be gone.
    Failure settle();

    Duration patience() const { return mPatience; }

   private:
    const Duration mPatience;
    std::function<void()> mOnNotified{};
    std::vector<SharedCall> mCalls{};
};

// The objects that a case uses.
struct Client {
    const SharedDevice& device;
    WrappedDriver driver;
    Ledger& ledger;
};

// The rows of a table whose methods the client's version has.
template <class Method, size_t size>
std::vector<Method> methodsOf(const Client& client, const Method (&table)[size]) {
    std::vector<Method> methods(std::begin(table), std::end(table));
    std::erase_if(methods,
                  [&](const Method& method) { return method.since > client.driver.version; });
    return methods;
}

// "GENERAL_FAILURE", "execution.timing".
std::string codeText(int32_t status);

#define NNAPI_PROTOCOL_CASE(name)       \
    namespace hidl_client {             \
    Failure name(const Client& client); \
    }                                   \
    namespace aidl_client {             \
    Failure name(const Client& client); \
    }
#include "device_test/cases/protocol_cases.def"

}  // namespace nn::testing::protocol
