#include "runtime/plan/step_request.h"

#include <absl/algorithm/container.h>

#include "nnapi/checked_math.h"
#include "nnapi/driver/result.h"

namespace nn::runtime {

using Argument = Request::Argument;
using Kind = Value::Kind;

Status StepRequest::addInput(const Value& value, const Operand& operand) {
    if (absl::c_linear_search(value.dimensions, 0u)) {
        return error() << "a step reads a value without elements, which no request can say";
    }
    NNAPI_ASSIGN_OR_RETURN(argument, inputOf(value, operand));
    mRequest.inputs.push_back(std::move(argument));
    return {};
}

Result<Argument> StepRequest::inputOf(const Value& value, const Operand& operand) {
    switch (value.kind) {
        case Kind::NONE:
            return Status(error() << "a step reads a value that nobody has computed");
        case Kind::OMITTED:
            return Argument{.lifetime = Argument::LifeTime::NO_VALUE};
        case Kind::INPUT:
            return moved(mWhole.inputs[value.index]);
        case Kind::OUTPUT:
            return ofOutput(value, operand);
        case Kind::REGION:
            return inPool(pool(Source::REGIONS, 0), value.region.offset, value.region.size);
        case Kind::DYNAMIC:
            break;
    }
    NNAPI_ASSIGN_OR_RETURN(bytes, bytesOf(value, operand));
    Argument argument = inPool(pool(Source::DYNAMIC, value.index), 0, bytes);
    argument.dimensions = value.dimensions;
    return argument;
}

Status StepRequest::addOutput(const Value& value, const Operand&) {
    switch (value.kind) {
        case Kind::OUTPUT:
            mRequest.outputs.push_back(moved(mWhole.outputs[value.index]));
            return {};
        case Kind::REGION:
            mRequest.outputs.push_back(
                    inPool(pool(Source::REGIONS, 0), value.region.offset, value.region.size));
            return {};
        case Kind::DYNAMIC:
            mRequest.outputs.push_back(inPool(pool(Source::DYNAMIC, value.index), 0,
                                              mState.dynamics[value.index].capacity));
            // The capacity is already a multiple of the padding.
            mRequest.outputs.back().location.padding = 0;
            return {};
        case Kind::NONE:
        case Kind::OMITTED:
        case Kind::INPUT:
            break;
    }
    return error() << "a step computes a value that has no place";
}

// An output of the execution that a later step reads.
Result<Argument> StepRequest::ofOutput(const Value& value, const Operand& operand) {
    Argument argument = moved(mWhole.outputs[value.index]);
    const bool isBuffer =
            argument.lifetime == Argument::LifeTime::POOL &&
            !std::holds_alternative<SharedMemory>(mRequest.pools[argument.location.poolIndex]);
    argument.dimensions = value.dimensions;
    if (isBuffer) return argument;
    NNAPI_ASSIGN_OR_RETURN(bytes, bytesOf(value, operand));
    // The device may still write to the padding after the value.
    argument.location.padding += argument.location.length - bytes;
    argument.location.length = bytes;
    return argument;
}

uint32_t StepRequest::capacityOf(const Value& value, const Request& whole, const State& state) {
    switch (value.kind) {
        case Kind::OUTPUT: {
            const Argument& argument = whole.outputs[value.index];
            const bool isBuffer =
                    argument.lifetime == Argument::LifeTime::POOL &&
                    !std::holds_alternative<SharedMemory>(whole.pools[argument.location.poolIndex]);
            return isBuffer ? UINT32_MAX : argument.location.length;
        }
        case Kind::REGION:
            return value.region.size;
        case Kind::DYNAMIC:
            return state.dynamics[value.index].capacity;
        case Kind::NONE:
        case Kind::OMITTED:
        case Kind::INPUT:
            break;
    }
    return 0;
}

Result<uint32_t> StepRequest::bytesOf(const Value& value, const Operand& operand) const {
    const Dimensions& dimensions = value.dimensions.empty() ? operand.dimensions : value.dimensions;
    const auto bytes = mSizes.bytes(operand.type, dimensions);
    const uint32_t capacity = capacityOf(value, mWhole, mState);
    if (bytes && *bytes != 0 && *bytes <= capacity) return *bytes;
    return Status(error() << "a step reads a value of " << bytes.value_or(UINT32_MAX)
                          << " bytes where " << capacity << " were given");
}

Argument StepRequest::inPool(uint32_t pool, uint32_t offset, uint32_t length) const {
    const uint32_t padded = checkedRoundUp<uint32_t>(length, mPadding).value_or(length);
    return {.location = {.poolIndex = pool,
                         .offset = offset,
                         .length = length,
                         .padding = padded - length}};
}

Argument StepRequest::moved(Argument argument) {
    if (argument.lifetime == Argument::LifeTime::POOL) {
        argument.location.poolIndex = pool(Source::ARGUMENT, argument.location.poolIndex);
    }
    return argument;
}

uint32_t StepRequest::pool(Source source, uint32_t index) {
    const std::pair key(source, index);
    const auto known = absl::c_find(mPools, key);
    if (known != mPools.end()) return static_cast<uint32_t>(known - mPools.begin());
    mPools.push_back(key);
    switch (source) {
        case Source::ARGUMENT:
            mRequest.pools.push_back(mWhole.pools[index]);
            break;
        case Source::REGIONS:
            mRequest.pools.emplace_back(mState.memory);
            break;
        case Source::DYNAMIC:
            mRequest.pools.emplace_back(mState.dynamics[index].memory);
            break;
    }
    return static_cast<uint32_t>(mPools.size() - 1);
}

}  // namespace nn::runtime
