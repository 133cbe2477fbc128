// nnapi/hal/hidl/return.h -- Return and Status, the results of HIDL calls.
//
//   nn::hidl::Return<nn::V1_0::ErrorStatus> launched = device->prepareModel(model, callback);
//   if (launched.isDeadObject()) ...          // the other process is gone
//   if (!launched.isOk()) log(launched.description());
//   nn::V1_0::ErrorStatus status = launched;
//
// A call either returns a value, or fails in transport without reaching the object. Unlike in
// libhidl, a failure need not be checked, and the value of a failed call is a default value. Not
// thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace nn::hidl {

// Codes of Android's status_t.
using status_t = int32_t;
inline constexpr status_t OK = 0;
inline constexpr status_t NO_ERROR = 0;
inline constexpr status_t DEAD_OBJECT = -32;  // -EPIPE
inline constexpr status_t NO_MEMORY = -12;    // -ENOMEM
inline constexpr status_t BAD_VALUE = -22;    // -EINVAL
inline constexpr status_t TIMED_OUT = -110;   // -ETIMEDOUT
inline constexpr status_t FAILED_TRANSACTION = INT32_MIN + 2;
inline constexpr status_t UNKNOWN_ERROR = INT32_MIN;

// Transport status of a call.
class Status {
   public:
    enum Exception : int32_t {
        EX_NONE = 0,
        EX_SECURITY = -1,
        EX_BAD_PARCELABLE = -2,
        EX_ILLEGAL_ARGUMENT = -3,
        EX_NULL_POINTER = -4,
        EX_ILLEGAL_STATE = -5,
        EX_UNSUPPORTED_OPERATION = -7,
        EX_TRANSACTION_FAILED = -129,
    };

    Status() = default;
    static Status ok() { return {}; }
    static Status fromExceptionCode(int32_t code, std::string message = {}) {
        return {code, code == EX_TRANSACTION_FAILED ? FAILED_TRANSACTION : OK, std::move(message)};
    }
    static Status fromStatusT(status_t code) {
        return {code == OK ? EX_NONE : EX_TRANSACTION_FAILED, code, {}};
    }

    bool isOk() const { return mException == EX_NONE; }
    bool isDeadObject() const {
        return mException == EX_TRANSACTION_FAILED && mTransaction == DEAD_OBJECT;
    }
    int32_t exceptionCode() const { return mException; }
    status_t transactionError() const { return mTransaction; }
    const std::string& exceptionMessage() const { return mMessage; }

    // For messages: "dead object", "exception -4: no model".
    std::string description() const;

   private:
    Status(int32_t exception, status_t transaction, std::string message)
        : mException(exception), mTransaction(transaction), mMessage(std::move(message)) {}

    int32_t mException = EX_NONE;
    status_t mTransaction = OK;
    std::string mMessage{};
};

namespace return_internal {

class Outcome {
   public:
    Outcome() = default;
    explicit Outcome(Status status) : mStatus(std::move(status)) {}

    bool isOk() const { return mStatus.isOk(); }
    bool isDeadObject() const { return mStatus.isDeadObject(); }
    std::string description() const { return mStatus.description(); }
    void assertOk() const {}

   protected:
    Status mStatus{};
};

}  // namespace return_internal

template <class T>
class [[nodiscard]] Return : public return_internal::Outcome {
   public:
    Return(T value) : mValue(std::move(value)) {}
    Return(Status failure) : Outcome(std::move(failure)) {}
    template <class U>
    requires(std::is_convertible_v<U, T> && !std::is_same_v<U, T>) Return(Return<U> other)
        : Outcome(other.status()), mValue(static_cast<U>(std::move(other))) {}

    operator T() const& { return mValue; }
    operator T() && { return std::move(mValue); }
    T withDefault(T value) const { return isOk() ? mValue : value; }
    const Status& status() const { return mStatus; }

   private:
    T mValue{};
};

template <>
class [[nodiscard]] Return<void> : public return_internal::Outcome {
   public:
    Return() = default;
    Return(Status failure) : Outcome(std::move(failure)) {}
    const Status& status() const { return mStatus; }
};

inline Return<void> Void() { return {}; }

}  // namespace nn::hidl
