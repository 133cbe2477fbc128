// nnapi/hal/aidl/binder.h -- Stand-ins for the NDK binder types that AIDL interfaces use.
//
//   ndk::ScopedAStatus getType(DeviceType* _aidl_return) override {
//       *_aidl_return = DeviceType::CPU;
//       return ndk::ScopedAStatus::ok();
//   }
//
//   auto device = ndk::SharedRefBase::make<MyDevice>();
//
// Spelled as in android/binder_status.h, binder_ibinder.h, binder_auto_utils.h and
// binder_interface_utils.h, so that code for one compiles with the other. Differences: an AIBinder
// can be derived from, since there is no kernel behind it, and is counted by std::shared_ptr. An
// object in this process never dies, and linking to its death is an error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "nnapi/hal/aidl/ndk.h"

using binder_status_t = int32_t;
enum : binder_status_t {
    STATUS_OK = 0,
    STATUS_UNKNOWN_ERROR = INT32_MIN,
    STATUS_NO_MEMORY = -12,            // -ENOMEM
    STATUS_INVALID_OPERATION = -38,    // -ENOSYS
    STATUS_BAD_VALUE = -22,            // -EINVAL
    STATUS_DEAD_OBJECT = -32,          // -EPIPE
    STATUS_TIMED_OUT = -110,           // -ETIMEDOUT
    STATUS_UNKNOWN_TRANSACTION = -74,  // -EBADMSG
    STATUS_FAILED_TRANSACTION = INT32_MIN + 2,
    STATUS_UNEXPECTED_NULL = INT32_MIN + 8,
};

using binder_exception_t = int32_t;
enum : binder_exception_t {
    EX_NONE = 0,
    EX_SECURITY = -1,
    EX_BAD_PARCELABLE = -2,
    EX_ILLEGAL_ARGUMENT = -3,
    EX_NULL_POINTER = -4,
    EX_ILLEGAL_STATE = -5,
    EX_NETWORK_MAIN_THREAD = -6,
    EX_UNSUPPORTED_OPERATION = -7,
    EX_SERVICE_SPECIFIC = -8,
    EX_PARCELABLE = -9,
    EX_TRANSACTION_FAILED = -129,
};

// Callbacks for deaths and for the end of links.
struct AIBinder_DeathRecipient {
    void (*onBinderDied)(void* cookie) = nullptr;
    void (*onUnlinked)(void* cookie) = nullptr;
};

namespace ndk {
class ICInterface;
}

// Represents an object: as defined here for one in this process, and as defined by the transport
// for one in another process.
struct AIBinder : std::enable_shared_from_this<AIBinder> {
    AIBinder() = default;
    AIBinder(const AIBinder&) = delete;
    AIBinder& operator=(const AIBinder&) = delete;
    virtual ~AIBinder();

    virtual bool isRemote() const;
    virtual bool isAlive() const;
    virtual binder_status_t ping();
    // Keeps a copy of the recipient until the object dies, when onBinderDied is called on any
    // thread, or until unlinkToDeath. Then onUnlinked is called once, never before onBinderDied has
    // returned. After a failure the caller calls it.
    virtual binder_status_t linkToDeath(const AIBinder_DeathRecipient& recipient, void* cookie);
    virtual binder_status_t unlinkToDeath(const AIBinder_DeathRecipient& recipient, void* cookie);

    // The object, if it is in this process, alive, and of the interface.
    virtual std::shared_ptr<ndk::ICInterface> objectOf(std::string_view descriptor) const;

    // Count strong references of plain pointers.
    void incStrong();
    void decStrong();

   private:
    std::mutex mMutex;
    size_t mStrong = 0;
    std::shared_ptr<AIBinder> mSelf{};  // while there are any
};

void AIBinder_incStrong(AIBinder* binder);
void AIBinder_decStrong(AIBinder* binder);

// For null: false, or STATUS_UNEXPECTED_NULL.
bool AIBinder_isRemote(const AIBinder* binder);
bool AIBinder_isAlive(const AIBinder* binder);
binder_status_t AIBinder_ping(AIBinder* binder);

AIBinder_DeathRecipient* AIBinder_DeathRecipient_new(void (*onBinderDied)(void* cookie));
void AIBinder_DeathRecipient_setOnUnlinked(AIBinder_DeathRecipient* recipient,
                                           void (*onUnlinked)(void* cookie));
void AIBinder_DeathRecipient_delete(AIBinder_DeathRecipient* recipient);

// If it fails, onUnlinked has been called.
binder_status_t AIBinder_linkToDeath(AIBinder* binder, AIBinder_DeathRecipient* recipient,
                                     void* cookie);
binder_status_t AIBinder_unlinkToDeath(AIBinder* binder, AIBinder_DeathRecipient* recipient,
                                       void* cookie);

namespace ndk {

// A strong pointer to an AIBinder. As thread-safe as a plain pointer.
class SpAIBinder {
   public:
    SpAIBinder() = default;
    SpAIBinder(std::nullptr_t) {}
    explicit SpAIBinder(std::shared_ptr<AIBinder> binder) : mBinder(std::move(binder)) {}
    // Takes ownership of the strong reference of the pointer.
    explicit SpAIBinder(AIBinder* binder);

    AIBinder* get() const { return mBinder.get(); }
    void set(AIBinder* binder) { *this = SpAIBinder(binder); }
    bool operator==(const SpAIBinder&) const = default;

   private:
    std::shared_ptr<AIBinder> mBinder{};
};

// Owns a death recipient.
class ScopedAIBinder_DeathRecipient {
   public:
    ScopedAIBinder_DeathRecipient() = default;
    explicit ScopedAIBinder_DeathRecipient(AIBinder_DeathRecipient* recipient)
        : mRecipient(recipient) {}

    AIBinder_DeathRecipient* get() const { return mRecipient.get(); }
    void set(AIBinder_DeathRecipient* recipient) { mRecipient.reset(recipient); }

   private:
    struct Delete {
        void operator()(AIBinder_DeathRecipient* recipient) const {
            AIBinder_DeathRecipient_delete(recipient);
        }
    };
    std::unique_ptr<AIBinder_DeathRecipient, Delete> mRecipient{};
};

// Result of a call: success, an exception of the object, or a transport failure. Need not be
// checked.
class ScopedAStatus {
   public:
    ScopedAStatus() = default;
    ScopedAStatus(ScopedAStatus&&) noexcept = default;
    ScopedAStatus& operator=(ScopedAStatus&&) noexcept = default;

    static ScopedAStatus ok() { return {}; }
    static ScopedAStatus fromExceptionCode(binder_exception_t exception) {
        return fromExceptionCodeWithMessage(exception, "");
    }
    static ScopedAStatus fromExceptionCodeWithMessage(binder_exception_t exception,
                                                      const char* message) {
        return {exception, 0,
                exception == EX_TRANSACTION_FAILED ? STATUS_FAILED_TRANSACTION : STATUS_OK,
                message};
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

    bool isOk() const { return mException == EX_NONE; }
    binder_exception_t getExceptionCode() const { return mException; }
    // Code of an EX_SERVICE_SPECIFIC, otherwise 0.
    int32_t getServiceSpecificError() const { return mError; }
    // Status of an EX_TRANSACTION_FAILED, otherwise STATUS_OK.
    binder_status_t getStatus() const { return mStatus; }
    const char* getMessage() const { return mMessage.c_str(); }
    // For messages: "dead object", "exception -3: no model".
    std::string getDescription() const;

   private:
    ScopedAStatus(binder_exception_t exception, int32_t error, binder_status_t status,
                  const char* message)
        : mException(exception),
          mError(error),
          mStatus(status),
          mMessage(message == nullptr ? "" : message) {}

    binder_exception_t mException = EX_NONE;
    int32_t mError = 0;
    binder_status_t mStatus = STATUS_OK;
    std::string mMessage{};
};

// Base of objects that are owned by std::shared_ptr and can refer to themselves.
class SharedRefBase : public std::enable_shared_from_this<SharedRefBase> {
   public:
    SharedRefBase() = default;
    SharedRefBase(const SharedRefBase&) = delete;
    SharedRefBase& operator=(const SharedRefBase&) = delete;
    virtual ~SharedRefBase();

    // Null for an object that was not created by make().
    std::shared_ptr<SharedRefBase> ref() { return weak_from_this().lock(); }
    template <class Child>
    std::shared_ptr<Child> ref() {
        return std::static_pointer_cast<Child>(ref());
    }

    template <class T, class... Arguments>
    static std::shared_ptr<T> make(Arguments&&... arguments) {
        return std::make_shared<T>(std::forward<Arguments>(arguments)...);
    }
};

// Base of all interfaces.
class ICInterface : public SharedRefBase {
   public:
    ~ICInterface() override;
    virtual SpAIBinder asBinder() = 0;
    // True for a proxy of an object in another process.
    virtual bool isRemote() = 0;
    // Writes a description of the object to the descriptor; by default nothing.
    virtual binder_status_t dump(int fd, const char** args, uint32_t numArgs);
};

// The object of an interface that a binder represents; null if it is in another process, gone, or
// of another interface.
template <class Interface>
std::shared_ptr<Interface> interfaceOf(const SpAIBinder& binder) {
    if (binder.get() == nullptr) return nullptr;
    return std::static_pointer_cast<Interface>(binder.get()->objectOf(Interface::descriptor));
}

// Base of objects in this process.
template <class Interface>
class BnCInterface : public Interface {
   public:
    // Returns the same binder each time.
    SpAIBinder asBinder() override {
        std::call_once(mIsNamed, [this] { mBinder->object = this->weak_from_this(); });
        return SpAIBinder(mBinder);
    }
    bool isRemote() override { return false; }

   private:
    struct Binder final : AIBinder {
        std::shared_ptr<ICInterface> objectOf(std::string_view descriptor) const override {
            if (descriptor != Interface::descriptor) return nullptr;
            return std::static_pointer_cast<ICInterface>(object.lock());
        }
        std::weak_ptr<SharedRefBase> object{};
    };

    const std::shared_ptr<Binder> mBinder = std::make_shared<Binder>();
    std::once_flag mIsNamed{};
};

// Base of proxies of objects in another process.
template <class Interface>
class BpCInterface : public Interface {
   public:
    explicit BpCInterface(SpAIBinder binder) : mBinder(std::move(binder)) {}
    SpAIBinder asBinder() override { return mBinder; }
    bool isRemote() override { return AIBinder_isRemote(mBinder.get()); }

   private:
    const SpAIBinder mBinder;
};

}  // namespace ndk
