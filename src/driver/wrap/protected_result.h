// Waits for a result that a driver returns through a callback.
#pragma once

#include <memory>

#include "nnapi/driver/callbacks.h"

namespace nn::driver {

// Fails when the driver dies. The destructor closes the pending result, so that late results are
// dropped.
template <class Pending>
class ProtectedResult {
   public:
    explicit ProtectedResult(const hal::utils::DeathHandler& death)
        : mHold(death.protectCallback(mPending)) {}
    ProtectedResult(const ProtectedResult&) = delete;
    ProtectedResult& operator=(const ProtectedResult&) = delete;
    ~ProtectedResult() { mPending->close(); }

    // Give it to a new callback, and keep no reference to that while waiting.
    const std::shared_ptr<Pending>& result() const { return mPending; }
    auto take(const OptionalTimePoint& deadline, Duration ceiling, std::string_view call) const {
        return mPending->take({deadline, ceiling}, call);
    }

   private:
    std::shared_ptr<Pending> mPending = std::make_shared<Pending>();
    std::shared_ptr<const hal::utils::DeathHandler::Hold> mHold;
};

}  // namespace nn::driver
