#include <map>

#include "driver/hidl/transport.h"
#include "types/no_throw.h"

namespace nn::hal::utils {
namespace {

// Callbacks that wait for an object's answers, and whether it is dead. It does not own the object,
// which may own the recipient that owns this.
class Watch {
   public:
    // What to give to remove(); 0 for a callback that was told at once.
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
        std::shared_ptr<IProtectedCallback> removed;  // gone after the lock
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

    // Nobody is told any more.
    void forget() {
        std::map<uint64_t, std::shared_ptr<IProtectedCallback>> callbacks;  // gone after the lock
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

class Recipient final : public hidl::hidl_death_recipient {
   public:
    explicit Recipient(std::shared_ptr<Watch> watch) : mWatch(std::move(watch)) {}
    void serviceDied(uint64_t, const hidl::wp<hidl::IBase>&) override { mWatch->die(); }

   private:
    std::shared_ptr<Watch> mWatch;
};

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
    explicit Link(hidl::sp<hidl::IBase> object) : mObject(std::move(object)) {}
    Link(const Link&) = delete;
    Link& operator=(const Link&) = delete;
    ~Link() {
        if (mIsLinked) (void)mObject->unlinkToDeath(mRecipient);
        mWatch->forget();
    }

    Status create() {
        constexpr std::string_view kCall = "linkToDeath";
        const hidl::Return<bool> linked = mObject->linkToDeath(mRecipient, /*cookie=*/0);
        if (!linked.isOk()) return failureOf(linked, kCall);
        if (!linked) return error() << kCall << ": the object does not tell when it dies";
        mIsLinked = true;
        return {};
    }

    const std::shared_ptr<Watch>& watch() const { return mWatch; }

   private:
    hidl::sp<hidl::IBase> mObject;
    std::shared_ptr<Watch> mWatch = std::make_shared<Watch>();
    hidl::sp<Recipient> mRecipient = hidl::sp<Recipient>::make(mWatch);
    bool mIsLinked = false;
};

DeathHandler::DeathHandler(std::unique_ptr<Link> link) : mLink(std::move(link)) {}
DeathHandler::DeathHandler(DeathHandler&&) noexcept = default;
DeathHandler& DeathHandler::operator=(DeathHandler&&) noexcept = default;
DeathHandler::~DeathHandler() = default;

GeneralResult<DeathHandler> DeathHandler::create(const hidl::sp<hidl::IBase>& object) NNAPI_TRY {
    if (object == nullptr) {
        return error(ErrorStatus::INVALID_ARGUMENT) << "the object to be linked to is null";
    }
    auto link = std::make_unique<Link>(object);
    NNAPI_RETURN_IF_ERROR(link->create());
    return DeathHandler(std::move(link));
}
NNAPI_CATCH

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
