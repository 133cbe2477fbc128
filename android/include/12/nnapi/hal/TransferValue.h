// nnapi/hal/TransferValue.h -- passes one value from a callback to who waits for it.
#pragma once

#include <utility>

#include "nnapi/driver/callbacks.h"

namespace android::hardware::neuralnetworks::utils {

template <class T>
class TransferValue final {
   public:
    // The first value counts.
    void put(T value) const { (void)mTransfer.put(std::move(value)); }

    // Waits for the value. Called once.
    [[nodiscard]] T take() const { return *mTransfer.take(::nn::TimePoint::max()); }

   private:
    ::nn::hal::utils::TransferValue<T> mTransfer{};
};

}  // namespace android::hardware::neuralnetworks::utils
