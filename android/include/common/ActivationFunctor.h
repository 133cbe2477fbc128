// ActivationFunctor.h -- fused activations of single values.
//
//   const float activated = ActivationFunctor(kActivationRelu6)(value);
#pragma once

#include <algorithm>
#include <cmath>

#include "android-base/logging.h"

// Of a fixed type, so that drivers can convert any number of a model to it.
enum ActivationFn : int {
    kActivationNone = 0,
    kActivationRelu,
    kActivationRelu1,
    kActivationRelu6,
    kActivationTanh,
    kActivationSignBit,
    kActivationSigmoid,
};

// An unknown code is logged, and changes nothing.
class ActivationFunctor {
   public:
    explicit ActivationFunctor(ActivationFn act) : mActivation(act) {}

    float operator()(float a) const {
        switch (mActivation) {
            case kActivationNone:
                return a;
            case kActivationRelu:
                return std::max(a, 0.0f);
            case kActivationRelu1:
                return std::clamp(a, -1.0f, 1.0f);
            case kActivationRelu6:
                return std::clamp(a, 0.0f, 6.0f);
            case kActivationTanh:
                return std::tanh(a);
            case kActivationSignBit:
                return std::signbit(a) ? 1.0f : 0.0f;
            case kActivationSigmoid:
                return 1.0f / (1.0f + std::exp(-a));
        }
        LOG(ERROR) << "there is no activation " << static_cast<int>(mActivation);
        return a;
    }

   private:
    const ActivationFn mActivation;
};
