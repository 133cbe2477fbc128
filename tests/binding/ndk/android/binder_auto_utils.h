// Owners of binders, death recipients, results and file descriptors. They compare by handle: two
// descriptors of one file differ.
#pragma once

#include <android/binder_ibinder.h>
#include <android/binder_status.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstddef>
#include <string>
#include <utility>

namespace ndk {

class SpAIBinder {
   public:
    SpAIBinder() = default;
    SpAIBinder(std::nullptr_t) {}  // NOLINT
    explicit SpAIBinder(AIBinder* binder) : mBinder(binder) {}
    SpAIBinder(const SpAIBinder& other) { *this = other; }
    ~SpAIBinder() { set(nullptr); }
    SpAIBinder& operator=(const SpAIBinder& other) {
        if (other.mBinder != nullptr) AIBinder_incStrong(other.mBinder);
        set(other.mBinder);
        return *this;
    }

    void set(AIBinder* binder) {
        AIBinder* old = std::exchange(mBinder, binder);
        if (old != nullptr) AIBinder_decStrong(old);
    }
    AIBinder* get() const { return mBinder; }
    AIBinder** getR() { return &mBinder; }

    bool operator==(const SpAIBinder& other) const { return mBinder == other.mBinder; }
    bool operator!=(const SpAIBinder& other) const { return mBinder != other.mBinder; }
    bool operator<(const SpAIBinder& other) const { return mBinder < other.mBinder; }

   private:
    AIBinder* mBinder = nullptr;
};

namespace impl {

template <typename T, auto Destroy, T kDefault>
class ScopedAResource {
   public:
    ScopedAResource() : ScopedAResource(kDefault) {}
    explicit ScopedAResource(T value) : mValue(value) {}
    ScopedAResource(ScopedAResource&& other) noexcept
        : mValue(std::exchange(other.mValue, kDefault)) {}
    ScopedAResource& operator=(ScopedAResource&& other) noexcept {
        set(std::exchange(other.mValue, kDefault));
        return *this;
    }
    ScopedAResource(const ScopedAResource&) = delete;
    ScopedAResource& operator=(const ScopedAResource&) = delete;
    ~ScopedAResource() { set(kDefault); }

    void set(T value) {
        const T old = std::exchange(mValue, value);
        if (old != kDefault) Destroy(old);
    }
    T get() const { return mValue; }
    T* getR() { return &mValue; }
    [[nodiscard]] T release() { return std::exchange(mValue, kDefault); }

    bool operator==(const ScopedAResource& other) const { return mValue == other.mValue; }
    bool operator!=(const ScopedAResource& other) const { return mValue != other.mValue; }
    bool operator<(const ScopedAResource& other) const { return mValue < other.mValue; }
    bool operator<=(const ScopedAResource& other) const { return mValue <= other.mValue; }
    bool operator>(const ScopedAResource& other) const { return mValue > other.mValue; }
    bool operator>=(const ScopedAResource& other) const { return mValue >= other.mValue; }

   private:
    T mValue;
};

}  // namespace impl

class ScopedFileDescriptor : public impl::ScopedAResource<int, close, -1> {
   public:
    ScopedFileDescriptor() = default;
    explicit ScopedFileDescriptor(int fd) : ScopedAResource(fd) {}
    ScopedFileDescriptor dup() const {
        return ScopedFileDescriptor(fcntl(get(), F_DUPFD_CLOEXEC, 0));
    }
};

class ScopedAIBinder_DeathRecipient
    : public impl::ScopedAResource<AIBinder_DeathRecipient*, AIBinder_DeathRecipient_delete,
                                   nullptr> {
   public:
    explicit ScopedAIBinder_DeathRecipient(AIBinder_DeathRecipient* recipient = nullptr)
        : ScopedAResource(recipient) {}
};

// The default status is not a success.
class ScopedAStatus {
   public:
    ScopedAStatus() = default;
    ScopedAStatus(ScopedAStatus&&) = default;
    ScopedAStatus& operator=(ScopedAStatus&&) = default;
    ScopedAStatus(const ScopedAStatus&) = delete;
    ScopedAStatus& operator=(const ScopedAStatus&) = delete;

    static ScopedAStatus ok() { return {EX_NONE, 0, STATUS_OK, ""}; }
    static ScopedAStatus fromExceptionCode(binder_exception_t exception) {
        return fromExceptionCodeWithMessage(exception, "");
    }
    static ScopedAStatus fromExceptionCodeWithMessage(binder_exception_t exception,
                                                      const char* message) {
        const bool isTransport = exception == EX_TRANSACTION_FAILED;
        return {exception, 0, isTransport ? STATUS_FAILED_TRANSACTION : STATUS_OK, message};
    }
    static ScopedAStatus fromServiceSpecificError(int32_t error) {
        return fromServiceSpecificErrorWithMessage(error, "");
    }
    static ScopedAStatus fromServiceSpecificErrorWithMessage(int32_t error, const char* message) {
        return {EX_SERVICE_SPECIFIC, error, STATUS_OK, message};
    }
    static ScopedAStatus fromStatus(binder_status_t status) {
        return {status == STATUS_OK ? EX_NONE : EX_TRANSACTION_FAILED, 0, status, ""};
    }

    bool isOk() const { return mIsSet && mException == EX_NONE; }
    binder_exception_t getExceptionCode() const { return mException; }
    int32_t getServiceSpecificError() const { return mError; }
    binder_status_t getStatus() const { return mStatus; }
    const char* getMessage() const { return mMessage.c_str(); }
    std::string getDescription() const {
        return "Status(" + std::to_string(mException) + ", " +
               std::to_string(mException == EX_SERVICE_SPECIFIC ? mError : mStatus) + "): '" +
               mMessage + "'";
    }

   private:
    ScopedAStatus(binder_exception_t exception, int32_t error, binder_status_t status,
                  const char* message)
        : mIsSet(true), mException(exception), mError(error), mStatus(status), mMessage(message) {}

    bool mIsSet = false;
    binder_exception_t mException = EX_TRANSACTION_FAILED;
    int32_t mError = 0;
    binder_status_t mStatus = STATUS_UNKNOWN_ERROR;
    std::string mMessage;
};

}  // namespace ndk
