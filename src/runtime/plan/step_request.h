// Builds the request of one step from the places of its values.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "runtime/plan/compiled_plan.h"
#include "runtime/plan/execution_state.h"

namespace nn::runtime {

class StepRequest {
   public:
    // All arguments must outlive this. `whole` is the request of the execution.
    StepRequest(const Sizes& sizes, const Request& whole, const State& state, uint32_t padding)
        : mSizes(sizes), mWhole(whole), mState(state), mPadding(padding) {}

    // GENERAL_FAILURE for a value that is missing or has no elements, which a request cannot
    // express.
    Status addInput(const Value& value, const Operand& operand);
    Status addOutput(const Value& value, const Operand& operand);

    const Request& request() const { return mRequest; }

    // The capacity of a value's place in bytes; UINT32_MAX for a device buffer, whose driver checks
    // it.
    static uint32_t capacityOf(const Value& value, const Request& whole, const State& state);

   private:
    enum class Source : uint8_t { ARGUMENT, REGIONS, DYNAMIC };

    uint32_t pool(Source source, uint32_t index);
    Result<Request::Argument> inputOf(const Value& value, const Operand& operand);
    Request::Argument moved(Request::Argument argument);
    Result<Request::Argument> ofOutput(const Value& value, const Operand& operand);
    Result<uint32_t> bytesOf(const Value& value, const Operand& operand) const;
    Request::Argument inPool(uint32_t pool, uint32_t offset, uint32_t length) const;

    const Sizes& mSizes;
    const Request& mWhole;
    const State& mState;
    uint32_t mPadding;
    Request mRequest{};
    std::vector<std::pair<Source, uint32_t>> mPools{};  // the sources of the request's pools
};

}  // namespace nn::runtime
