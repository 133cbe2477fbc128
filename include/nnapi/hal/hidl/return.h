// nnapi/hal/hidl/return.h -- Return and Status, the results of HIDL calls.
//
//   nn::hidl::Return<nn::V1_0::ErrorStatus> launched = device->prepareModel(model, callback);
//   if (launched.isDeadObject()) ...          // the other process is gone
//   if (!launched.isOk()) log(launched.description());
//   nn::V1_0::ErrorStatus status = launched;
//
// A call either returns a value, or fails in transport without reaching the object. Unlike in
// libhidl, a failure need not be checked, and the value of a failed call is a default value; if
// the stand-ins are strict (nnapi/hal/strict.h), both end the program. Not [[nodiscard]], since
// drivers ignore results such as that of IMemory::update(). Not thread-safe.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#include "nnapi/hal/strict.h"

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
        EX_HAS_REPLY_HEADER = -128,
        EX_TRANSACTION_FAILED = -129,
    };

    Status() = default;
    static Status ok() { return {}; }
    static Status fromExceptionCode(int32_t code) { return fromExceptionCode(code, ""); }
    static Status fromExceptionCode(int32_t code, const char* message) {
        return {code, code == EX_TRANSACTION_FAILED ? FAILED_TRANSACTION : OK, message};
    }
    static Status fromStatusT(status_t code) {
        return {code == OK ? EX_NONE : EX_TRANSACTION_FAILED, code, ""};
    }

    bool isOk() const { return mException == EX_NONE; }
    int32_t exceptionCode() const { return mException; }
    status_t transactionError() const { return mTransaction; }
    const char* exceptionMessage() const { return mMessage.c_str(); }

    // For messages: "dead object", "exception -4: no model".
    std::string description() const;

   private:
    Status(int32_t exception, status_t transaction, const char* message)
        : mException(exception),
          mTransaction(transaction),
          mMessage(message == nullptr ? "" : message) {}

    int32_t mException = EX_NONE;
    status_t mTransaction = OK;
    std::string mMessage{};
};

namespace return_internal {

class Outcome {
   public:
    Outcome() = default;
    explicit Outcome(Status status) : mStatus(std::move(status)) {}

    bool isOk() const {
        mIsChecked = true;
        return mStatus.isOk();
    }
    // None of them counts as a check.
    bool isOkUnchecked() const { return mStatus.isOk(); }
    bool isDeadObject() const { return mStatus.transactionError() == DEAD_OBJECT; }
    std::string description() const { return mStatus.description(); }

    void assertOk() const {
        if (!isOk()) hal::endStrictProgram("a failed HIDL call is used as if it had succeeded");
    }

#ifdef NNAPI_STRICT_HAL
    Outcome(const Outcome&) = delete;
    Outcome& operator=(const Outcome&) = delete;
    Outcome(Outcome&& other) noexcept { *this = std::move(other); }
    Outcome& operator=(Outcome&& other) noexcept {
        expectChecked();
        mStatus = std::move(other.mStatus);
        mIsChecked = std::exchange(other.mIsChecked, true);
        return *this;
    }
    ~Outcome() { expectChecked(); }
#else
    const Status& status() const { return mStatus; }
#endif

   private:
    void expectChecked() const {
        if (mIsChecked || mStatus.isOk()) return;
        hal::endStrictProgram("the failure of a HIDL call was not looked at");
    }

    Status mStatus{};
    mutable bool mIsChecked = false;
};

}  // namespace return_internal

template <class T>
class Return : public return_internal::Outcome {
   public:
    Return(T value) : mValue(std::move(value)) {}
    Return(Status failure) : Outcome(std::move(failure)) {}
    template <class U>
    requires(std::is_convertible_v<U, T> && !std::is_same_v<U, T>) Return(Return<U> other)
        : Outcome(std::move(other)), mValue(std::move(other.mValue)) {}

    operator T() const& {
        assertOk();
        return mValue;
    }
    operator T() && {
        assertOk();
        return std::move(mValue);
    }
    T withDefault(T value) const { return isOk() ? mValue : value; }

   private:
    template <class U>
    friend class Return;

    T mValue{};
};

template <>
class Return<void> : public return_internal::Outcome {
   public:
    Return() = default;
    Return(Status failure) : Outcome(std::move(failure)) {}
};

inline Return<void> Void() { return {}; }

}  // namespace nn::hidl
