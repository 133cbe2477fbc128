// An answer that a driver owes, for which its caller waits.
#pragma once

#include <memory>

#include "nnapi/driver/callbacks.h"

namespace nn::driver {

// Learns of the driver's death. With its end, what comes later is dropped.
template <class Answer>
class PendingAnswer {
   public:
    explicit PendingAnswer(const hal::utils::DeathHandler& death)
        : mHold(death.protectCallback(mAnswer)) {}
    PendingAnswer(const PendingAnswer&) = delete;
    PendingAnswer& operator=(const PendingAnswer&) = delete;
    ~PendingAnswer() { mAnswer->close(); }

    // For a new callback, of which the caller must not keep a reference while it waits.
    const std::shared_ptr<Answer>& answer() const { return mAnswer; }
    auto take(const OptionalTimePoint& deadline, Duration ceiling, std::string_view call) const {
        return mAnswer->take({deadline, ceiling}, call);
    }

   private:
    std::shared_ptr<Answer> mAnswer = std::make_shared<Answer>();
    std::shared_ptr<const hal::utils::DeathHandler::Hold> mHold;
};

}  // namespace nn::driver
