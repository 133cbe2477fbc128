#include "op_support/rules/call.h"

#include "nnapi/half.h"

namespace nn::ops {
namespace {

std::string nameOf(std::string_view kind, std::span<const Param> params, size_t count, size_t i,
                   const Value& value) {
    const Param* param = paramAt(params, i, count);
    std::string text = fmt::format("{} {}", kind, i);
    if (param != nullptr) text += fmt::format(" '{}'", param->name);
    return i < count ? text + fmt::format(" (operand {})", value.operand) : text;
}

}  // namespace

Shape Value::shape() const {
    if (!rank()) return std::nullopt;
    Dims dims(dimensions.size());
    for (size_t i = 0; i < dims.size(); ++i) dims[i] = dim(i);
    return dims;
}

const Value Call::kOmitted{.omitted = true};

std::optional<bool> Call::boolean(size_t i) const {
    const auto byte = scalar<uint8_t>(i, BOOL);
    return byte ? std::optional(*byte != 0) : std::nullopt;
}

std::optional<float> Call::real(size_t i) const {
    if (const auto bits = scalar<uint16_t>(i, FLOAT16)) return halfToFloat(*bits);
    return scalar<float>(i, FLOAT32);
}

std::optional<bool> Call::booleanOr(size_t i, bool fallback) const {
    return has(i) ? boolean(i) : fallback;
}

std::optional<std::span<const int32_t>> Call::ints(size_t i) const {
    const Value& value = input(i);
    if (value.omitted || value.type != TENSOR_INT32 || !value.isFullyKnown()) return std::nullopt;
    if (value.data == nullptr && value.elementCount() != 0) {
        mMissedInts = true;
        return std::nullopt;
    }
    return value.as<int32_t>();
}

std::string Call::inputName(size_t i) const {
    return nameOf("input", mForm == nullptr ? std::span<const Param>() : mForm->inputs,
                  inputCount(), i, input(i));
}

std::string Call::outputName(size_t i) const {
    return nameOf("output", mForm == nullptr ? std::span<const Param>() : mForm->outputs,
                  outputCount(), i, output(i));
}

}  // namespace nn::ops
