// Waits for a result that a driver returns through a callback.
#pragma once

#include <memory>

#include "nnapi/driver/callbacks.h"

namespace nn::driver {

// Fails when the driver dies. The destructor closes the Answer, so that late results are dropped.
template <class Answer>
class PendingAnswer {
   public:
    explicit PendingAnswer(const hal::utils::DeathHandler& death)
        : mHold(death.protectCallback(mAnswer)) {}
    PendingAnswer(const PendingAnswer&) = delete;
    PendingAnswer& operator=(const PendingAnswer&) = delete;
    ~PendingAnswer() { mAnswer->close(); }

    // Give it to a new callback, and keep no reference to that while waiting.
    const std::shared_ptr<Answer>& answer() const { return mAnswer; }
    auto take(const OptionalTimePoint& deadline, Duration ceiling, std::string_view call) const {
        return mAnswer->take({deadline, ceiling}, call);
    }

   private:
    std::shared_ptr<Answer> mAnswer = std::make_shared<Answer>();
    std::shared_ptr<const hal::utils::DeathHandler::Hold> mHold;
};

}  // namespace nn::driver
