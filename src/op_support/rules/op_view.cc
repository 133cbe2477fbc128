#include "op_support/rules/op_view.h"

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

const Value OpView::kOmitted{.omitted = true};

std::optional<bool> OpView::boolean(size_t i) const {
    const auto byte = scalar<uint8_t>(i, BOOL);
    return byte ? std::optional(*byte != 0) : std::nullopt;
}

std::optional<float> OpView::real(size_t i) const {
    if (const auto bits = scalar<uint16_t>(i, FLOAT16)) return halfToFloat(*bits);
    return scalar<float>(i, FLOAT32);
}

std::optional<bool> OpView::booleanOr(size_t i, bool fallback) const {
    return has(i) ? boolean(i) : fallback;
}

std::optional<std::span<const int32_t>> OpView::ints(size_t i) const {
    const Value& value = input(i);
    if (value.omitted || value.type != TENSOR_INT32 || !value.isFullyKnown()) return std::nullopt;
    if (value.data == nullptr && value.elementCount() != 0) {
        mMissedInts = true;
        return std::nullopt;
    }
    return value.as<int32_t>();
}

std::string OpView::inputName(size_t i) const {
    return nameOf("input", mForm == nullptr ? std::span<const Param>() : mForm->inputs,
                  inputCount(), i, input(i));
}

std::string OpView::outputName(size_t i) const {
    return nameOf("output", mForm == nullptr ? std::span<const Param>() : mForm->outputs,
                  outputCount(), i, output(i));
}

}  // namespace nn::ops
