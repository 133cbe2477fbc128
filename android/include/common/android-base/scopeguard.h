// android-base/scopeguard.h -- ScopeGuard, which calls a function at the end of a scope.
//
//   auto close = android::base::make_scope_guard([&] { device.close(); });
//   if (succeeded) close.Disable();
#pragma once

#include <utility>

namespace android::base {

template <class Function>
class ScopeGuard {
   public:
    constexpr ScopeGuard(Function&& function) : mFunction(std::forward<Function>(function)) {}
    ScopeGuard(ScopeGuard&& other) noexcept
        : mFunction(std::move(other.mFunction)), mIsActive(std::exchange(other.mIsActive, false)) {}
    // Takes the call over, as a std::function may.
    template <class Other>
    ScopeGuard(ScopeGuard<Other>&& other)
        : mFunction(std::move(other.mFunction)), mIsActive(std::exchange(other.mIsActive, false)) {}
    ScopeGuard(const ScopeGuard&) = delete;
    ScopeGuard& operator=(const ScopeGuard&) = delete;
    ScopeGuard& operator=(ScopeGuard&&) = delete;
    ~ScopeGuard() {
        if (mIsActive) mFunction();
    }

    void Disable() { mIsActive = false; }
    constexpr bool active() const { return mIsActive; }

   private:
    template <class>
    friend class ScopeGuard;

    Function mFunction;
    bool mIsActive = true;
};

template <class Function>
ScopeGuard<Function> make_scope_guard(Function&& function) {
    return ScopeGuard<Function>(std::forward<Function>(function));
}

}  // namespace android::base
