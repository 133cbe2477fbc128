// Collects the information that a call could not transfer, and reports it to the user's listener.
#pragma once

#include <string_view>

#include "convert/common/context.h"
#include "driver/wrap/interface_features.h"
#include "nnapi/driver/wrap.h"

namespace nn::driver {

class LossReporter {
   public:
    LossReporter(HalVersion version, const LossListener& listener)
        : mVersion(version), mListener(listener) {}

    HalVersion version() const { return mVersion; }

    // For conversions; null without a listener.
    Losses* list() { return mListener ? &mLosses : nullptr; }

    // Records an argument that the version lacks: the driver behaves as if it were `after`. `why`
    // continues the sentence "HAL 1.0 ...".
    template <class T>
    void drop(std::string_view argument, const T& before, const T& after, std::string_view why) {
        context().recordLoss(argument, before, after, why);
    }
    template <class T>
    void drop(const Argument& argument, const T& before) {
        drop(argument.name, before, T{}, argument.whyLost);
    }

    // Reports the losses to the listener. Call once, before the driver is called.
    void report(std::string_view call) const {
        if (!mLosses.empty()) mListener(call, mLosses);
    }

   private:
    conversion::Context context() { return {.version = mVersion, .losses = list()}; }

    HalVersion mVersion;
    const LossListener& mListener;
    Losses mLosses{};
};

}  // namespace nn::driver
