// A request that was checked once, with the arguments of a reusable execution.
#pragma once

#include <utility>
#include <vector>

#include "runtime/plan/answers.h"

namespace nn::runtime {

// A request that was checked once, and what it is executed with each time.
class ReusableRequest {
   public:
    ReusableRequest(Request request, MeasureTiming measure, const OptionalDuration& loopTimeout,
                    std::vector<TokenValuePair> hints, std::vector<ExtensionNameAndPrefix> prefixes)
        : mRequest(std::move(request)),
          mMeasure(measure),
          mLoopTimeout(loopTimeout),
          mHints(std::move(hints)),
          mPrefixes(std::move(prefixes)) {}

    const Request& request() const { return mRequest; }
    CallArguments arguments(const OptionalTimePoint& deadline) const {
        return {mMeasure, deadline, mLoopTimeout, mHints, mPrefixes};
    }

   private:
    Request mRequest;
    MeasureTiming mMeasure;
    OptionalDuration mLoopTimeout;
    std::vector<TokenValuePair> mHints;
    std::vector<ExtensionNameAndPrefix> mPrefixes;
};

}  // namespace nn::runtime
