#include "runtime/objects/execution_arguments.h"

#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <map>
#include <utility>

#include "nnapi/checked_math.h"
#include "nnapi/print.h"
#include "nnapi/type_utils.h"
#include "runtime/objects/operand_types.h"

namespace nn::runtime {
namespace {

using Kind = ApiArgument::Kind;

// The pools of a request, each memory once.
class Pools {
   public:
    explicit Pools(Request& request) : mRequest(request) {}

    uint32_t of(const std::shared_ptr<ApiMemory>& memory) {
        const auto next = static_cast<uint32_t>(mRequest.pools.size());
        const auto [row, isNew] = mIndexes.emplace(memory.get(), next);
        if (isNew) mRequest.pools.push_back(memory->pool());
        return row->second;
    }

   private:
    Request& mRequest;
    std::map<const ApiMemory*, uint32_t> mIndexes{};
};

Request::Argument argumentOf(const ApiArgument& argument, const Operand& operand, bool isInput,
                             Pools& pools) {
    Request::Argument made;
    if (argument.kind == Kind::NO_VALUE) {
        made.lifetime = Request::Argument::LifeTime::NO_VALUE;
        return made;
    }
    made.location.length = argument.length;
    made.location.padding = argument.padding;
    if (argument.kind == Kind::POINTER) {
        made.lifetime = Request::Argument::LifeTime::POINTER;
        if (isInput) {
            made.location.pointer = argument.data;
        } else {
            made.location.pointer = const_cast<void*>(argument.data);
        }
    } else {
        made.location.poolIndex = pools.of(argument.memory);
        made.location.offset = argument.offset;
        if (argument.memory->isDescribed()) {
            made.location.length = static_cast<uint32_t>(size(argument.memory->memory()));
        }
    }
    if (isOpen(operand.type, operand.dimensions)) {
        made.dimensions = argument.dimensions;
        // With other dimensions the result would not be a value of the described memory.
        if (argument.memory != nullptr && argument.memory->isDescribed()) {
            made.dimensions = argument.memory->dimensionsOf(argument.dimensions);
        }
    }
    return made;
}

}  // namespace

ApiArguments::ApiArguments(std::shared_ptr<const Compiled> compiled)
    : mCompiled(std::move(compiled)),
      mInputs(mCompiled->model->model.main.inputIndexes.size()),
      mOutputs(mCompiled->model->model.main.outputIndexes.size()) {}

ApiStatus ApiArguments::enablePadding(bool enable) {
    if (mIsSet) return badState("an argument is set already");
    mHasPadding = enable;
    return {};
}

ApiStatus ApiArguments::checkType(const Operand& operand, const ANeuralNetworksOperandType* type,
                                  bool allowOpen, Dimensions& dimensions) const {
    dimensions = operand.dimensions;
    if (type != nullptr) {
        Operand given;
        NNAPI_API_RETURN_IF_ERROR(readOperandType(*type, allowOpen, given));
        // The argument may specify dimensions that the model leaves open, but not change others.
        const bool hasRank = !isTensor(operand.type) || !operand.dimensions.empty();
        const bool fits = absl::c_equal(
                operand.dimensions, given.dimensions,
                [](uint32_t known, uint32_t one) { return known == 0 || known == one; });
        if (hasRank && !fits) {
            return badData(fmt::format("dimensions are {}, but {} in the model",
                                       print(given.dimensions), print(operand.dimensions)));
        }
        dimensions = std::move(given.dimensions);
    }
    if (allowOpen || !isOpen(operand.type, dimensions)) return {};
    return badData(fmt::format("dimensions are {}, but those of an input must be known",
                               print(dimensions)));
}

ApiStatus ApiArguments::checkLength(const Operand& operand, size_t length,
                                    ApiArgument& argument) const {
    const auto needed = bytesOf(operand.type, argument.dimensions);
    if (!needed) {
        argument.length = static_cast<uint32_t>(length);
        return {};
    }
    if (length < *needed || (length > *needed && !mHasPadding)) {
        return badData(fmt::format("{} bytes are given, {}{} needed", length, *needed,
                                   mHasPadding ? " or more are" : " are"));
    }
    argument.length = static_cast<uint32_t>(*needed);
    argument.padding = static_cast<uint32_t>(length - *needed);
    return {};
}

ApiStatus ApiArguments::set(bool isInput, int32_t index, const ANeuralNetworksOperandType* type,
                            const ArgumentPlace& place) {
    std::vector<ApiArgument>& arguments = isInput ? mInputs : mOutputs;
    if (index < 0 || static_cast<size_t>(index) >= arguments.size()) {
        return badData(fmt::format("there is no {} {}, but {}", isInput ? "input" : "output", index,
                                   arguments.size()));
    }
    const auto at = static_cast<uint32_t>(index);
    const Operand& operand = mCompiled->model->operand(at, isInput);
    const bool isOmitted = place.data == nullptr && place.memory == nullptr;
    ApiArgument argument;
    NNAPI_API_RETURN_IF_ERROR(
            checkType(operand, type, /*allowOpen=*/!isInput || isOmitted, argument.dimensions));
    if (!std::in_range<uint32_t>(place.length)) {
        return badData(fmt::format("an argument of {} bytes is too long", place.length));
    }
    if (place.memory != nullptr) {
        NNAPI_API_RETURN_IF_ERROR(place.memory->checkRole(
                *mCompiled, at, isInput, argument.dimensions, place.offset, place.length));
        if (!std::in_range<uint32_t>(place.offset)) {
            return badData(fmt::format("an argument at byte {} lies too far behind", place.offset));
        }
    }
    if (arguments[at].kind != Kind::UNSET) {
        return badState(fmt::format("{} {} is set already", isInput ? "input" : "output", index));
    }
    if (place.data != nullptr && place.length == 0) return badData("an argument has no bytes");
    if (!isOmitted && !(place.memory != nullptr && place.memory->isDescribed())) {
        NNAPI_API_RETURN_IF_ERROR(checkLength(operand, place.length, argument));
    }
    argument.kind = isOmitted                 ? Kind::NO_VALUE
                    : place.memory != nullptr ? Kind::MEMORY
                                              : Kind::POINTER;
    argument.data = place.data;
    argument.memory = place.memory;
    argument.offset = static_cast<uint32_t>(place.offset);
    arguments[at] = std::move(argument);
    mIsSet = true;
    return {};
}

ApiStatus ApiArguments::checkComplete() const {
    const auto check = [](const std::vector<ApiArgument>& arguments, std::string_view what) {
        for (size_t i = 0; i < arguments.size(); ++i) {
            if (arguments[i].kind == Kind::UNSET) {
                return badData(fmt::format("{} {} is not set", what, i));
            }
        }
        return ApiStatus();
    };
    NNAPI_API_RETURN_IF_ERROR(check(mInputs, "input"));
    return check(mOutputs, "output");
}

ApiStatus ApiArguments::checkOutputsKnown() const {
    for (size_t i = 0; i < mOutputs.size(); ++i) {
        const Operand& operand = mCompiled->model->operand(static_cast<uint32_t>(i), false);
        if (mOutputs[i].kind == Kind::NO_VALUE) continue;
        if (isOpen(operand.type, mOutputs[i].dimensions)) {
            return badData(fmt::format("the size of output {} is not known beforehand", i));
        }
    }
    return {};
}

std::vector<std::shared_ptr<ApiMemory>> ApiArguments::describedInputs() const {
    std::vector<std::shared_ptr<ApiMemory>> memories;
    for (const ApiArgument& input : mInputs) {
        if (input.memory != nullptr && input.memory->isDescribed())
            memories.push_back(input.memory);
    }
    return memories;
}

Status ApiArguments::checkValues(const std::vector<std::shared_ptr<ApiEvent>>& after) const {
    for (const ApiArgument& input : mInputs) {
        if (input.memory == nullptr || !input.memory->isDescribed()) continue;
        NNAPI_RETURN_IF_ERROR(input.memory->checkValue(input.dimensions, after));
    }
    return {};
}

void ApiArguments::promiseValues(const std::shared_ptr<ApiEvent>& event, uint64_t start) const {
    for (const ApiArgument& output : mOutputs) {
        if (output.memory != nullptr) output.memory->promise(event, output.dimensions, start);
    }
}

Request ApiArguments::request() const {
    Request request;
    Pools pools(request);
    const FinishedModel& model = *mCompiled->model;
    for (uint32_t i = 0; i < mInputs.size(); ++i) {
        request.inputs.push_back(argumentOf(mInputs[i], model.operand(i, true), true, pools));
    }
    for (uint32_t i = 0; i < mOutputs.size(); ++i) {
        request.outputs.push_back(argumentOf(mOutputs[i], model.operand(i, false), false, pools));
    }
    return request;
}

}  // namespace nn::runtime
