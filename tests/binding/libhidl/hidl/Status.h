// Results of calls. A failure that is not checked ends the program, as does reading the value of a
// failed call.
#pragma once

#include <hidl/HidlInternal.h>
#include <utils/Errors.h>
#include <utils/StrongPointer.h>

#include <string>
#include <utility>

namespace android::hardware {

class Status final {
   public:
    enum Exception {
        EX_NONE = 0,
        EX_SECURITY = -1,
        EX_BAD_PARCELABLE = -2,
        EX_ILLEGAL_ARGUMENT = -3,
        EX_NULL_POINTER = -4,
        EX_ILLEGAL_STATE = -5,
        EX_NETWORK_MAIN_THREAD = -6,
        EX_UNSUPPORTED_OPERATION = -7,
        EX_HAS_REPLY_HEADER = -128,
        EX_TRANSACTION_FAILED = -129,
    };

    Status() = default;
    static Status ok() { return Status(); }
    static Status fromExceptionCode(int32_t exception) { return fromExceptionCode(exception, ""); }
    static Status fromExceptionCode(int32_t exception, const char* message) {
        Status status;
        status.mException = exception;
        status.mError = exception == EX_TRANSACTION_FAILED ? FAILED_TRANSACTION : OK;
        status.mMessage = message;
        return status;
    }
    static Status fromStatusT(status_t code) {
        Status status;
        status.mException = code == OK ? EX_NONE : EX_TRANSACTION_FAILED;
        status.mError = code;
        return status;
    }

    bool isOk() const { return mException == EX_NONE; }
    int32_t exceptionCode() const { return mException; }
    const char* exceptionMessage() const { return mMessage.c_str(); }
    status_t transactionError() const { return mException == EX_TRANSACTION_FAILED ? mError : OK; }
    std::string description() const {
        return isOk() ? "no error"
                      : "Status(" + std::to_string(mException) + ", " + std::to_string(mError) +
                                "): '" + mMessage + "'";
    }

   private:
    int32_t mException = EX_NONE;
    int32_t mError = OK;
    std::string mMessage;
};

namespace details {

class return_status {
   public:
    return_status() = default;
    return_status(const Status& status) : mStatus(status) {}
    return_status(const return_status&) = delete;
    return_status& operator=(const return_status&) = delete;
    return_status(return_status&& other) noexcept { *this = std::move(other); }
    return_status& operator=(return_status&& other) noexcept {
        expectChecked();
        mStatus = std::move(other.mStatus);
        mIsChecked = std::exchange(other.mIsChecked, true);
        return *this;
    }
    ~return_status() { expectChecked(); }

    bool isOk() const {
        mIsChecked = true;
        return mStatus.isOk();
    }
    bool isOkUnchecked() const { return mStatus.isOk(); }
    bool isDeadObject() const {
        const bool isDead = mStatus.transactionError() == DEAD_OBJECT;
        mIsChecked = mIsChecked || isDead;
        return isDead;
    }
    std::string description() const { return mStatus.description(); }

   protected:
    void assertOk() const {
        if (!isOk()) logAlwaysFatal("the value of a failed call is used");
    }

   private:
    void expectChecked() const {
        if (!mIsChecked && !mStatus.isOk()) logAlwaysFatal("the failure of a call is not checked");
    }

    Status mStatus;
    mutable bool mIsChecked = false;
};

}  // namespace details

template <class T>
class Return : public details::return_status {
   public:
    Return(T value) : mValue{value} {}
    Return(Status status) : return_status(status) {}

    operator T() const {
        assertOk();
        return mValue;
    }
    T withDefault(T value) { return isOk() ? mValue : value; }

   private:
    T mValue{};
};

template <class T>
class Return<sp<T>> : public details::return_status {
   public:
    Return(sp<T> value) : mValue{value} {}
    Return(T* value) : mValue{value} {}
    template <class U>
    Return(sp<U> value) : mValue{value} {}
    template <class U>
    Return(U* value) : mValue{value} {}
    Return(Status status) : return_status(status) {}

    operator sp<T>() const {
        assertOk();
        return mValue;
    }
    sp<T> withDefault(sp<T> value) { return isOk() ? mValue : value; }

   private:
    sp<T> mValue;
};

template <>
class Return<void> : public details::return_status {
   public:
    Return() = default;
    Return(const Status& status) : return_status(status) {}
};

inline Return<void> Void() { return Return<void>(); }

}  // namespace android::hardware
