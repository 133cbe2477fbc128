// android-base/scopeguard.h -- scope_guard, which calls a function at the end of a scope.
//
//   auto close = android::base::make_scope_guard([&] { device.close(); });
//   if (succeeded) close.Disable();
#pragma once

#include <utility>

namespace android::base {

template <class Function>
class scope_guard {
   public:
    constexpr scope_guard(Function&& function) : mFunction(std::forward<Function>(function)) {}
    scope_guard(scope_guard&& other) noexcept
        : mFunction(std::move(other.mFunction)), mIsActive(std::exchange(other.mIsActive, false)) {}
    scope_guard(const scope_guard&) = delete;
    scope_guard& operator=(const scope_guard&) = delete;
    scope_guard& operator=(scope_guard&&) = delete;
    ~scope_guard() {
        if (mIsActive) mFunction();
    }

    void Disable() { mIsActive = false; }
    constexpr bool active() const { return mIsActive; }

   private:
    Function mFunction;
    bool mIsActive = true;
};

template <class Function>
scope_guard<Function> make_scope_guard(Function&& function) {
    return scope_guard<Function>(std::forward<Function>(function));
}

}  // namespace android::base
