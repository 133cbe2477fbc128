#include "importers/tflite/folding.h"

#include <absl/algorithm/container.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "importers/onnx/fold.h"
#include "importers/tflite/constants.h"
#include "nnapi/checked_math.h"

namespace nn::tflite {
namespace {

using onnx::AttributeMessage;
using onnx::Constant;
using onnx::ElementType;
using List = std::vector<int64_t>;

// Lists of shapes are short.
constexpr size_t kMaxBytes = 4096;

bool isInteger(TensorType type) { return type == TensorType::INT32 || type == TensorType::INT64; }

Constant constantOf(Dimensions dimensions, const List& values) {
    return onnx::makeIntegers(ElementType::INT64, std::move(dimensions), values);
}

class Folding {
   public:
    Folding(Conversion& op, onnx::Budget& budget) : mOp(op), mBudget(budget) {}

    // False unless all inputs are short constants.
    bool readInputs();
    std::optional<Constant> result(BuiltinOperator code);

   private:
    size_t count() const { return mInputs.size(); }
    std::optional<List> list(size_t i) const {
        return i < count() ? mInputs[i].integers() : std::nullopt;
    }
    // Of the operator of ONNX, with these inputs.
    std::optional<Constant> fold(std::string_view type, std::span<const Constant> inputs,
                                 std::vector<AttributeMessage> attributes = {});
    std::optional<Constant> arithmetic(std::string_view type);
    std::optional<Constant> concatenation(int64_t axis);
    std::optional<Constant> pack();
    std::optional<Constant> stridedSlice();
    std::optional<Constant> reshaped(const std::optional<List>& shape);

    Conversion& mOp;
    onnx::Budget& mBudget;
    std::vector<Constant> mInputs;
};

bool Folding::readInputs() {
    for (size_t i = 0; i < mOp.inputCount(); ++i) {
        if (!mOp.hasInput(i) || !isInteger(mOp.input(i).type)) return false;
        const auto bytes = mOp.data(i);
        if (!bytes || bytes->size() > kMaxBytes) return false;
        const auto values = intsOf(mOp.input(i).type, *bytes);
        const auto elements = checkedProduct<uint64_t>(mOp.input(i).dimensions);
        if (!values || elements != values->size()) return false;
        mInputs.push_back(
                constantOf(mOp.input(i).dimensions, List(values->begin(), values->end())));
    }
    return !mInputs.empty();
}

std::optional<Constant> Folding::fold(std::string_view type, std::span<const Constant> inputs,
                                      std::vector<AttributeMessage> attributes) {
    const onnx::NodeMessage message{.type = type, .attributes = std::move(attributes)};
    std::vector<const Constant*> pointers;
    for (const Constant& input : inputs) pointers.push_back(&input);
    constexpr int64_t kVersion = 11;  // axes are attributes, and lists of Slice inputs
    auto results = onnx::fold({.message = message,
                               .version = kVersion,
                               .inputs = pointers,
                               .outputs = 1,
                               .budget = mBudget});
    if (!results || results->size() != 1) return std::nullopt;
    return std::move(results->front());
}

std::optional<Constant> Folding::arithmetic(std::string_view type) {
    if (mOp.number("fused_activation_function") != 0) return std::nullopt;
    return fold(type, mInputs);
}

std::optional<Constant> Folding::concatenation(int64_t axis) {
    return fold("Concat", mInputs, {{.name = "axis", .integer = axis}});
}

// Each input gets an axis of one element.
std::optional<Constant> Folding::pack() {
    const size_t rank = mInputs.front().dimensions.size() + 1;
    const auto axis = mOp.axisOf(mOp.number("axis"), rank);
    if (!axis) return std::nullopt;
    for (Constant& input : mInputs) {
        if (input.dimensions.size() + 1 != rank) return std::nullopt;
        input.dimensions.insert(input.dimensions.begin() + *axis, 1);
    }
    return concatenation(*axis);
}

// Bits of masks are axes; those of shrink_axis_mask have one element, and are left out.
std::optional<Constant> Folding::stridedSlice() {
    if (!mOp.meets("ellipsis_mask=0 new_axis_mask=0 offset=0")) return std::nullopt;
    auto begin = list(1), end = list(2), strides = list(3);
    constexpr size_t kMaxAxes = 31;
    if (!begin || !end || !strides || begin->size() > kMaxAxes || end->size() != begin->size() ||
        strides->size() != begin->size()) {
        return std::nullopt;
    }
    const int32_t removed = mOp.number("shrink_axis_mask");
    List axes;
    for (size_t axis = 0; axis < begin->size(); ++axis) {
        const int32_t bit = 1 << axis;
        const bool isForwards = (*strides)[axis] > 0;
        axes.push_back(static_cast<int64_t>(axis));
        if ((mOp.number("begin_mask") & bit) != 0) (*begin)[axis] = isForwards ? 0 : -1;
        if ((mOp.number("end_mask") & bit) != 0) (*end)[axis] = isForwards ? INT64_MAX : INT64_MIN;
        if ((removed & bit) == 0) continue;
        (*strides)[axis] = 1;
        const bool isLast = (*begin)[axis] == -1 || (*begin)[axis] == INT64_MAX;
        (*end)[axis] = isLast ? INT64_MAX : (*begin)[axis] + 1;
    }
    const Dimensions size{static_cast<uint32_t>(axes.size())};
    const Constant inputs[] = {mInputs[0], constantOf(size, *begin), constantOf(size, *end),
                               constantOf(size, axes), constantOf(size, *strides)};
    auto slice = fold("Slice", inputs);
    if (!slice || slice->dimensions.size() < axes.size()) return std::nullopt;
    for (size_t axis = axes.size(); axis-- > 0;) {
        if ((removed & (1 << axis)) == 0) continue;
        if (slice->dimensions[axis] != 1) return std::nullopt;
        slice->dimensions.erase(slice->dimensions.begin() + static_cast<ptrdiff_t>(axis));
    }
    return slice;
}

std::optional<Constant> Folding::reshaped(const std::optional<List>& shape) {
    if (!shape) return std::nullopt;
    const Constant inputs[] = {mInputs[0],
                               constantOf({static_cast<uint32_t>(shape->size())}, *shape)};
    return fold("Reshape", inputs);
}

std::optional<Constant> Folding::result(BuiltinOperator code) {
    using enum BuiltinOperator;
    switch (code) {
        case ADD:
            return arithmetic("Add");
        case SUB:
            return arithmetic("Sub");
        case MUL:
            return arithmetic("Mul");
        case MAXIMUM:
            return fold("Max", mInputs);
        case MINIMUM:
            return fold("Min", mInputs);
        case CAST:
            return mInputs[0];
        case CONCATENATION:
            if (mOp.number("fused_activation_function") != 0) return std::nullopt;
            return concatenation(mOp.number("axis"));
        case PACK:
            return pack();
        case GATHER:
            if (mOp.number("batch_dims") != 0) return std::nullopt;
            return fold("Gather", mInputs, {{.name = "axis", .integer = mOp.number("axis")}});
        case STRIDED_SLICE:
            return stridedSlice();
        case REDUCE_PROD:
        case SUM: {
            const auto axes = list(1);
            if (!axes) return std::nullopt;
            return fold(code == SUM ? "ReduceSum" : "ReduceProd", std::span(mInputs).first(1),
                        {{.name = "axes", .integers = *axes},
                         {.name = "keepdims", .integer = mOp.flag("keep_dims") ? 1 : 0}});
        }
        case RESHAPE:
            return reshaped(list(1));
        default:
            return std::nullopt;
    }
}

}  // namespace

std::optional<FoldedIntegers> foldIntegers(Conversion& op, BuiltinOperator code,
                                           onnx::Budget& budget) {
    if (op.outputCount() != 1 || !op.hasOutputs(1) || !isInteger(op.output(0).type)) {
        return std::nullopt;
    }
    Folding folding(op, budget);
    if (!folding.readInputs()) return std::nullopt;
    const auto result = folding.result(code);
    const auto values = result ? result->integers() : std::nullopt;
    if (!values || values->empty() ||
        !absl::c_all_of(*values, [](int64_t value) { return std::in_range<int32_t>(value); })) {
        return std::nullopt;
    }
    return FoldedIntegers{.dimensions = result->dimensions,
                          .values = {values->begin(), values->end()}};
}

}  // namespace nn::tflite
