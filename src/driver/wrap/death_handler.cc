#include <map>

#include "base/no_throw.h"
#include "nnapi/driver/callbacks.h"

namespace nn::hal::utils {
namespace {

// The callbacks to notify of an object's death. Does not own the object, which may own the
// recipient that owns this.
class Watch {
   public:
    // The key for remove(); 0 if the callback was notified at once.
    uint64_t add(std::shared_ptr<IProtectedCallback> callback) {
        {
            const std::lock_guard lock(mMutex);
            if (!mIsDead) {
                mCallbacks.emplace(++mLast, std::move(callback));
                return mLast;
            }
        }
        callback->notifyAsDeadObject();
        return 0;
    }

    void remove(uint64_t key) {
        std::shared_ptr<IProtectedCallback> removed;  // destroyed after the lock is released
        const std::lock_guard lock(mMutex);
        const auto at = mCallbacks.find(key);
        if (at == mCallbacks.end()) return;
        removed = std::move(at->second);
        mCallbacks.erase(at);
    }

    void die() {
        std::map<uint64_t, std::shared_ptr<IProtectedCallback>> callbacks;
        {
            const std::lock_guard lock(mMutex);
            mIsDead = true;
            callbacks.swap(mCallbacks);
        }
        for (const auto& [key, callback] : callbacks) callback->notifyAsDeadObject();
    }

    // Stops notifying.
    void forget() {
        std::map<uint64_t, std::shared_ptr<IProtectedCallback>>
                callbacks;  // destroyed after the lock is released
        const std::lock_guard lock(mMutex);
        callbacks.swap(mCallbacks);
    }

    bool isDead() const {
        const std::lock_guard lock(mMutex);
        return mIsDead;
    }

   private:
    mutable std::mutex mMutex;
    bool mIsDead = false;
    uint64_t mLast = 0;
    std::map<uint64_t, std::shared_ptr<IProtectedCallback>> mCallbacks;
};

// A link to an object's death; the destructor removes it.
class Tie {
   public:
    Tie() = default;
    Tie(const Tie&) = delete;
    Tie& operator=(const Tie&) = delete;
    virtual ~Tie() = default;
};
using TieResult = GeneralResult<std::unique_ptr<Tie>>;

constexpr std::string_view kCall = "linkToDeath";

class HidlTie final : public Tie {
   public:
    HidlTie(hidl::sp<hidl::IBase> object, std::shared_ptr<Watch> watch)
        : mObject(std::move(object)), mRecipient(hidl::sp<Recipient>::make(std::move(watch))) {}
    ~HidlTie() override {
        if (mIsLinked) (void)mObject->unlinkToDeath(mRecipient).isOk();
    }
    Status create() {
        const hidl::Return<bool> linked = mObject->linkToDeath(mRecipient, /*cookie=*/0);
        if (!linked.isOk()) return failureOf(linked, kCall);
        if (!linked) return error() << kCall << ": the object does not report its death";
        mIsLinked = true;
        return {};
    }

   private:
    class Recipient final : public hidl::hidl_death_recipient {
       public:
        explicit Recipient(std::shared_ptr<Watch> watch) : mWatch(std::move(watch)) {}
        void serviceDied(uint64_t, const hidl::wp<hidl::IBase>&) override { mWatch->die(); }

       private:
        std::shared_ptr<Watch> mWatch;
    };

    hidl::sp<hidl::IBase> mObject;
    hidl::sp<Recipient> mRecipient;
    bool mIsLinked = false;
};

class AidlTie final : public Tie {
   public:
    explicit AidlTie(ndk::SpAIBinder binder) : mBinder(std::move(binder)) {}
    ~AidlTie() override {
        if (mCookie == nullptr) return;
        (void)AIBinder_unlinkToDeath(mBinder.get(), mRecipient.get(), mCookie);
    }
    Status create(const std::shared_ptr<Watch>& watch) {
        AIBinder_DeathRecipient_setOnUnlinked(mRecipient.get(), forget);
        auto* cookie = new Cookie(watch);
        const auto linked = ndk::ScopedAStatus::fromStatus(
                AIBinder_linkToDeath(mBinder.get(), mRecipient.get(), cookie));
        if (linked.isOk()) mCookie = cookie;
        return failureOf(linked, kCall);
    }

   private:
    // The binder may call the recipient after this object is gone.
    using Cookie = std::shared_ptr<Watch>;
    static void die(void* cookie) { (*static_cast<Cookie*>(cookie))->die(); }
    static void forget(void* cookie) { delete static_cast<Cookie*>(cookie); }

    ndk::SpAIBinder mBinder;
    ndk::ScopedAIBinder_DeathRecipient mRecipient{AIBinder_DeathRecipient_new(die)};
    Cookie* mCookie = nullptr;
};

TieResult makeTie(const hidl::sp<hidl::IBase>& object, const std::shared_ptr<Watch>& watch) {
    auto made = std::make_unique<HidlTie>(object, watch);
    NNAPI_RETURN_IF_ERROR(made->create());
    return std::unique_ptr<Tie>(std::move(made));
}

// An object in this process never dies.
TieResult makeTie(const std::shared_ptr<ndk::ICInterface>& object,
                  const std::shared_ptr<Watch>& watch) {
    if (!object->isRemote()) return std::unique_ptr<Tie>();
    auto made = std::make_unique<AidlTie>(object->asBinder());
    NNAPI_RETURN_IF_ERROR(made->create(watch));
    return std::unique_ptr<Tie>(std::move(made));
}

}  // namespace

class DeathHandler::Hold {
   public:
    Hold(std::shared_ptr<Watch> watch, std::shared_ptr<IProtectedCallback> callback)
        : mWatch(std::move(watch)), mKey(mWatch->add(std::move(callback))) {}
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;
    ~Hold() {
        if (mKey != 0) mWatch->remove(mKey);
    }

   private:
    std::shared_ptr<Watch> mWatch;
    uint64_t mKey;
};

class DeathHandler::Link {
   public:
    Link() = default;
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;
    ~Link() {
        mTie.reset();
        mWatch->forget();
    }

    template <class Object>
    Status create(const Object& object) {
        if (object == nullptr) {
            return error(ErrorStatus::INVALID_ARGUMENT) << "the object to be linked to is null";
        }
        NNAPI_ASSIGN_OR_RETURN(made, makeTie(object, mWatch));
        mTie = std::move(made);
        return {};
    }

    const std::shared_ptr<Watch>& watch() const { return mWatch; }

   private:
    std::shared_ptr<Watch> mWatch = std::make_shared<Watch>();
    std::unique_ptr<Tie> mTie{};
};

DeathHandler::DeathHandler(std::unique_ptr<Link> link) : mLink(std::move(link)) {}
DeathHandler::DeathHandler(DeathHandler&&) noexcept = default;
DeathHandler& DeathHandler::operator=(DeathHandler&&) noexcept = default;
DeathHandler::~DeathHandler() = default;

template <class Object>
GeneralResult<DeathHandler> DeathHandler::createFor(const Object& object) NNAPI_TRY {
    auto link = std::make_unique<Link>();
    NNAPI_RETURN_IF_ERROR(link->create(object));
    return DeathHandler(std::move(link));
}
NNAPI_CATCH

GeneralResult<DeathHandler> DeathHandler::create(const hidl::sp<hidl::IBase>& object) {
    return createFor(object);
}

GeneralResult<DeathHandler> DeathHandler::create(const std::shared_ptr<ndk::ICInterface>& object) {
    return createFor(object);
}

std::shared_ptr<const DeathHandler::Hold> DeathHandler::protectCallback(
        std::shared_ptr<IProtectedCallback> callback) const {
    if (callback == nullptr) return nullptr;
    return std::make_shared<const Hold>(mLink->watch(), std::move(callback));
}

void DeathHandler::protectCallbackForLifetimeOfDeathHandler(
        std::shared_ptr<IProtectedCallback> callback) const {
    if (callback != nullptr) mLink->watch()->add(std::move(callback));
}

bool DeathHandler::isDead() const { return mLink->watch()->isDead(); }

}  // namespace nn::hal::utils
