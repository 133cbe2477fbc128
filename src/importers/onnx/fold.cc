#include "importers/onnx/fold.h"

#include <absl/algorithm/container.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <utility>

#include "importers/onnx/constant_moves.h"
#include "importers/onnx/doubles.h"
#include "importers/onnx/shapes.h"
#include "nnapi/checked_math.h"

namespace nn::onnx {
namespace {

class Folding {
   public:
    explicit Folding(const FoldedOperator& op) : mOp(op) {}

    std::optional<std::vector<Constant>> all() {
        auto results = mOp.message.type == "Split" ? split() : one();
        // A list that is not read is not omitted.
        return mHasUnreadList ? std::nullopt : std::move(results);
    }

   private:
    std::optional<std::vector<Constant>> one() {
        std::vector<Constant> one;
        Folded result = single();
        if (!result) return std::nullopt;
        one.push_back(*std::move(result));
        return one;
    }
    bool has(size_t i) const { return i < mOp.inputs.size() && mOp.inputs[i] != nullptr; }
    const Constant& in(size_t i) const { return *mOp.inputs[i]; }
    const AttributeMessage* attribute(std::string_view name) const {
        return attributeOf(mOp.message, name);
    }
    int64_t integer(std::string_view name, int64_t fallback) const {
        const AttributeMessage* found = attribute(name);
        return found == nullptr ? fallback : found->integer.value_or(0);
    }
    // A list that is an attribute in old operator sets, then an input.
    std::optional<std::vector<int64_t>> list(std::string_view name, size_t input) {
        if (const AttributeMessage* found = attribute(name)) return found->integers;
        if (!has(input)) return std::nullopt;
        auto values = spendOnInput(input) ? in(input).integers() : std::nullopt;
        if (!values) mHasUnreadList = true;
        return values;
    }

    size_t maxRank() const { return mOp.budget.limits().rank; }
    // Charges an element of the result, or of an input that is read as a whole.
    bool spendOn(uint64_t elements) { return mOp.budget.spendWork(elements, 16); }
    // False for more elements than are computed here, too.
    bool spendOnInput(size_t i) { return in(i).count() <= kMaxElements && spendOn(in(i).count()); }

    Folded single();
    Folded movement();
    Folded concat();
    Folded slice();
    Folded gather();
    Folded cast();
    Folded where();
    Folded unary();
    Folded binary();
    Folded compare();
    Folded reduce();
    Folded range();
    Folded integerRange();
    Folded fill();
    std::optional<std::vector<Constant>> split();

    const FoldedOperator& mOp;
    bool mHasUnreadList = false;
};

Folded Folding::movement() {
    const std::string_view type = mOp.message.type;
    const Dimensions& dimensions = in(0).dimensions;
    if (type == "Identity") return in(0);
    if (type == "Reshape") {
        const auto shape = list("shape", 1);
        if (!shape) return std::nullopt;
        return withDimensions(
                in(0), reshapedTo(dimensions, *shape, integer("allowzero", 0) != 0, maxRank()));
    }
    if (type == "Squeeze") return withDimensions(in(0), squeezed(dimensions, list("axes", 1)));
    if (type == "Unsqueeze") {
        const auto axes = list("axes", 1);
        if (!axes) return std::nullopt;
        return withDimensions(in(0), unsqueezed(dimensions, *axes, maxRank()));
    }
    if (type == "Flatten") return withDimensions(in(0), flattened(dimensions, integer("axis", 1)));
    if (type == "Transpose") {
        const AttributeMessage* order = attribute("perm");
        const auto axes = transposition(order == nullptr ? std::vector<int64_t>() : order->integers,
                                        dimensions.size());
        if (!axes || !mOp.budget.spendWork(in(0).bytes.size(), 1)) return std::nullopt;
        return transposed(in(0), *axes);
    }
    if (type == "Expand" && has(1) && spendOnInput(1)) {
        const auto shape = in(1).integers();
        const auto wanted = shape ? dimensionsFrom(*shape, maxRank()) : std::nullopt;
        const auto result = wanted ? broadcast(dimensions, *wanted) : std::nullopt;
        return result ? expanded(in(0), *result, mOp.budget) : std::nullopt;
    }
    return std::nullopt;
}

Folded Folding::concat() {
    const auto axis = axisOf(integer("axis", 1), in(0).dimensions.size());
    if (!axis) return std::nullopt;
    Dimensions dimensions = in(0).dimensions;
    uint64_t size = 0;  // of dimensions of at most 2^31 - 1, and at most 2^32 inputs
    uint64_t total = 0;
    std::vector<std::span<const uint8_t>> parts;  // without empty ones
    for (size_t i = 0; i < mOp.inputs.size(); ++i) {
        if (!has(i) || in(i).type != in(0).type) return std::nullopt;
        Dimensions others = in(i).dimensions;
        if (others.size() != dimensions.size()) return std::nullopt;
        size += others[*axis];
        total += std::min<uint64_t>(in(i).count(), kMaxElements + 1);
        if (!in(i).bytes.empty()) parts.push_back(in(i).bytes);
        others[*axis] = dimensions[*axis];
        if (others != dimensions) return std::nullopt;
    }
    if (size > INT32_MAX || total > kMaxElements) return std::nullopt;
    dimensions[*axis] = static_cast<uint32_t>(size);
    if (!spendOn(total)) return std::nullopt;
    std::vector<uint8_t> bytes;
    // A factor of the number of elements, where there are some.
    const auto outer = checkedProduct<size_t>(std::span(dimensions).first(*axis));
    if (!outer && !parts.empty()) return std::nullopt;
    for (size_t block = 0; !parts.empty() && block < *outer; ++block) {
        for (const auto& part : parts) {
            const size_t length = part.size() / *outer;
            const auto row = part.subspan(block * length, length);
            bytes.insert(bytes.end(), row.begin(), row.end());
        }
    }
    return makeConstant(in(0).type, std::move(dimensions), std::move(bytes));
}

Folded Folding::slice() {
    const auto starts = list("starts", 1);
    const auto ends = list("ends", 2);
    if (!starts || !ends) return std::nullopt;
    const auto ranges =
            sliceRanges(in(0).dimensions, *starts, *ends, list("axes", 3), list("steps", 4));
    return ranges ? slicedBy(in(0), *ranges, mOp.budget) : std::nullopt;
}

Folded Folding::gather() {
    const Dimensions& from = in(0).dimensions;
    const auto axis = axisOf(integer("axis", 0), from.size());
    auto indices = has(1) && spendOnInput(1) ? in(1).integers() : std::nullopt;
    if (!axis || !indices) return std::nullopt;
    for (int64_t& index : *indices) {
        if (index < 0) index += from[*axis];
        if (index < 0 || index >= from[*axis]) return std::nullopt;
    }
    Dimensions dimensions(from.begin(), from.begin() + *axis);
    absl::c_copy(in(1).dimensions, std::back_inserter(dimensions));
    dimensions.insert(dimensions.end(), from.begin() + *axis + 1, from.end());
    const std::vector<size_t> strides = stridesOf(in(0));
    const std::vector<size_t> ofIndices = stridesOf(in(1));
    const size_t rank = in(1).dimensions.size();
    return moved(in(0), std::move(dimensions), mOp.budget, [&](std::span<const uint32_t> index) {
        size_t which = 0;
        for (size_t i = 0; i < rank; ++i) which += index[*axis + i] * ofIndices[i];
        size_t position = static_cast<size_t>((*indices)[which]) * strides[*axis];
        for (size_t i = 0; i < *axis; ++i) position += index[i] * strides[i];
        for (size_t i = *axis + size_t{1}; i < from.size(); ++i) {
            position += index[i + rank - 1] * strides[i];
        }
        return position;
    });
}

std::optional<std::vector<Constant>> Folding::split() {
    const Dimensions& from = in(0).dimensions;
    const auto axis = axisOf(integer("axis", 0), from.size());
    if (!axis || mOp.outputs == 0) return std::nullopt;
    auto sizes = list("split", 1);
    if (!sizes) {
        if (from[*axis] % mOp.outputs != 0) return std::nullopt;
        sizes.emplace(mOp.outputs, from[*axis] / mOp.outputs);
    }
    if (sizes->size() != mOp.outputs) return std::nullopt;
    std::vector<Constant> parts;
    int64_t begin = 0;
    for (const int64_t size : *sizes) {
        if (size < 0 || size > from[*axis] - begin) return std::nullopt;
        const auto ranges = sliceRanges(from, {{begin}}, {{begin + size}},
                                        std::vector<int64_t>{*axis}, std::nullopt);
        Folded part = ranges ? slicedBy(in(0), *ranges, mOp.budget) : std::nullopt;
        if (!part) return std::nullopt;
        parts.push_back(*std::move(part));
        begin += size;
    }
    return parts;
}

// ---------------------------------------------------------------------------------------------
// Numbers

Folded Folding::cast() {
    const bool isLike = mOp.message.type == "CastLike" && has(1);
    const auto type = isLike ? in(1).type : static_cast<ElementType>(integer("to", 0));
    if (elementSize(type) == 0 || !spendOnInput(0)) return std::nullopt;
    if (type == ElementType::FLOAT && isReal(in(0).type)) {  // is rounded once, or not at all
        return makeFloats(in(0).dimensions, *in(0).floats());
    }
    if (isReal(type)) {
        const auto values = doublesOf(in(0));
        if (!values) return std::nullopt;
        return ofDoubles(type, in(0).dimensions, *values);
    }
    std::optional<std::vector<int64_t>> values = in(0).integers();
    if (!values) {
        const auto reals = doublesOf(in(0));
        if (!reals) return std::nullopt;
        values.emplace();
        for (const double real : *reals) {
            values->push_back(type == ElementType::BOOL ? real != 0 : toInteger(real));
        }
    }
    if (type == ElementType::BOOL) {
        for (int64_t& value : *values) value = value != 0;
    }
    return makeIntegers(type, in(0).dimensions, *values);
}

Folded Folding::unary() {
    const std::string_view type = mOp.message.type;
    if (!spendOnInput(0)) return std::nullopt;
    if (isReal(in(0).type)) {
        double (*function)(double) = nullptr;
        if (type == "Neg") function = [](double x) { return -x; };
        if (type == "Abs") function = [](double x) { return std::abs(x); };
        if (type == "Floor") function = [](double x) { return std::floor(x); };
        if (type == "Ceil") function = [](double x) { return std::ceil(x); };
        if (type == "Sqrt") function = [](double x) { return std::sqrt(x); };
        if (type == "Round") function = [](double x) { return std::nearbyint(x); };
        if (type == "Reciprocal") function = [](double x) { return 1 / x; };
        if (function == nullptr) return std::nullopt;
        std::vector<double> values = *doublesOf(in(0));
        for (double& value : values) value = function(value);
        return ofDoubles(in(0).type, in(0).dimensions, values);
    }
    auto values = in(0).integers();
    if (!values) return std::nullopt;
    for (int64_t& value : *values) {
        if (type == "Not") {
            value = value == 0;
        } else if (type == "Neg" || (type == "Abs" && value < 0)) {
            value = static_cast<int64_t>(uint64_t{0} - static_cast<uint64_t>(value));
        } else if (type != "Abs") {
            return std::nullopt;
        }
    }
    return makeIntegers(in(0).type, in(0).dimensions, *values);
}

// Two inputs of one type, broadcast to one shape; empty if they cannot be.
struct Pair {
    Constant a, b;
    Dimensions dimensions;
};
std::optional<Pair> pairOf(const Constant& a, const Constant& b, Budget& budget) {
    const auto dimensions = broadcast(a.dimensions, b.dimensions);
    if (a.type != b.type || !dimensions) return std::nullopt;
    Folded wideA = expanded(a, *dimensions, budget);
    Folded wideB = wideA ? expanded(b, *dimensions, budget) : std::nullopt;
    if (!wideA || !wideB) return std::nullopt;
    return Pair{*std::move(wideA), *std::move(wideB), *dimensions};
}

std::optional<double> computed(std::string_view type, double a, double b) {
    if (type == "Add") return a + b;
    if (type == "Sub") return a - b;
    if (type == "Mul") return a * b;
    if (type == "Div") return a / b;
    if (type == "Min") return std::fmin(a, b);
    if (type == "Max") return std::fmax(a, b);
    if (type == "Pow") return std::pow(a, b);
    if (type == "Fmod") return std::fmod(a, b);
    return std::nullopt;
}

std::optional<int64_t> computed(std::string_view type, int64_t a, int64_t b) {
    const auto wrapped = [](uint64_t value) { return static_cast<int64_t>(value); };
    const auto x = static_cast<uint64_t>(a);
    const auto y = static_cast<uint64_t>(b);
    if (type == "Add") return wrapped(x + y);
    if (type == "Sub") return wrapped(x - y);
    if (type == "Mul") return wrapped(x * y);
    if (type == "Min") return std::min(a, b);
    if (type == "Max") return std::max(a, b);
    const bool isDivision = type == "Div" || type == "Mod" || type == "Fmod";
    if (isDivision && (b == 0 || b == -1)) {
        if (b == 0) return std::nullopt;
        return type == "Div" ? wrapped(uint64_t{0} - x) : 0;
    }
    if (type == "Fmod") return a % b;
    if (type == "Div") return a / b;
    if (type == "Mod") return a % b + ((a % b != 0 && (a < 0) != (b < 0)) ? b : 0);
    return std::nullopt;
}

Folded Folding::binary() {
    if (mOp.inputs.size() != 2 || !has(0) || !has(1) || attribute("axis") != nullptr) {
        return std::nullopt;
    }
    // The remainder of a quotient that is rounded towards zero.
    const std::string_view type = integer("fmod", 0) != 0 ? "Fmod" : mOp.message.type.raw;
    const auto pair = pairOf(in(0), in(1), mOp.budget);
    if (!pair || !spendOn(pair->a.count())) return std::nullopt;
    if (isReal(in(0).type)) {
        std::vector<double> values = *doublesOf(pair->a);
        const std::vector<double> others = *doublesOf(pair->b);
        for (size_t i = 0; i < values.size(); ++i) {
            const auto value = computed(type, values[i], others[i]);
            if (!value) return std::nullopt;
            values[i] = *value;
        }
        return ofDoubles(in(0).type, pair->dimensions, values);
    }
    auto values = pair->a.integers();
    const auto others = pair->b.integers();
    if (!values || !others || in(0).type == ElementType::UINT64) return std::nullopt;
    for (size_t i = 0; i < values->size(); ++i) {
        const auto value = computed(type, (*values)[i], (*others)[i]);
        if (!value) return std::nullopt;
        (*values)[i] = *value;
    }
    return makeIntegers(in(0).type, pair->dimensions, *values);
}

template <class T>
std::optional<bool> compared(std::string_view type, T a, T b) {
    if (type == "Equal") return a == b;
    if (type == "Less") return a < b;
    if (type == "LessOrEqual") return a <= b;
    if (type == "Greater") return a > b;
    if (type == "GreaterOrEqual") return a >= b;
    if (type == "And") return a != 0 && b != 0;
    if (type == "Or") return a != 0 || b != 0;
    return std::nullopt;
}

Folded Folding::compare() {
    if (mOp.inputs.size() != 2 || !has(0) || !has(1) || attribute("axis") != nullptr) {
        return std::nullopt;
    }
    const auto pair = pairOf(in(0), in(1), mOp.budget);
    if (!pair || !spendOn(pair->a.count())) return std::nullopt;
    const auto allOf = [&](const auto& a, const auto& b) -> Folded {
        if (!a || !b) return std::nullopt;
        std::vector<int64_t> values;
        for (size_t i = 0; i < a->size(); ++i) {
            const auto value = compared(mOp.message.type, (*a)[i], (*b)[i]);
            if (!value) return std::nullopt;
            values.push_back(*value);
        }
        return makeIntegers(ElementType::BOOL, pair->dimensions, values);
    };
    // Not every int64 is a double.
    if (in(0).type == ElementType::INT64) return allOf(pair->a.integers(), pair->b.integers());
    return allOf(doublesOf(pair->a), doublesOf(pair->b));
}

Folded Folding::where() {
    if (mOp.inputs.size() != 3 || !has(0) || !has(1) || !has(2) ||
        in(0).type != ElementType::BOOL) {
        return std::nullopt;
    }
    auto pair = pairOf(in(1), in(2), mOp.budget);
    if (!pair) return std::nullopt;
    const auto dimensions = broadcast(pair->dimensions, in(0).dimensions);
    if (!dimensions) return std::nullopt;
    const Folded condition = expanded(in(0), *dimensions, mOp.budget);
    const Folded a = condition ? expanded(pair->a, *dimensions, mOp.budget) : std::nullopt;
    const Folded b = a ? expanded(pair->b, *dimensions, mOp.budget) : std::nullopt;
    if (!condition || !a || !b) return std::nullopt;
    const size_t size = elementSize(a->type);
    std::vector<uint8_t> bytes(a->bytes.begin(), a->bytes.end());
    for (size_t i = 0; i < condition->count(); ++i) {
        if (condition->bytes[i] != 0) continue;
        std::memcpy(bytes.data() + i * size, b->bytes.data() + i * size, size);
    }
    return makeConstant(a->type, *dimensions, std::move(bytes));
}

Folded Folding::reduce() {
    const std::string_view type = mOp.message.type;
    const Dimensions& from = in(0).dimensions;
    const auto given = list("axes", 1);
    std::vector<int64_t> wanted = given.value_or(std::vector<int64_t>());
    if (wanted.empty()) {
        if (integer("noop_with_empty_axes", 0) != 0) return in(0);
        for (size_t i = 0; i < from.size(); ++i) wanted.push_back(static_cast<int64_t>(i));
    }
    const auto axes = axesOf(wanted, from.size());
    if (!axes || !spendOnInput(0) || !spendOn(in(0).count())) return std::nullopt;
    auto values = in(0).integers();
    const auto shape = Shape::of(reduced(from, *axes, true), maxRank());
    if (!values || values->empty() || !shape) return std::nullopt;
    const Dimensions& kept = shape->dimensions();
    const std::vector<size_t> strides = shape->strides();
    std::vector<std::optional<int64_t>> results(shape->count());
    std::vector<uint32_t> index(from.size(), 0);
    for (const int64_t value : *values) {
        size_t position = 0;
        for (size_t i = 0; i < index.size(); ++i) {
            if (kept[i] != 1) position += index[i] * strides[i];
        }
        auto& result = results[position];
        const std::string_view combination = type == "ReduceProd"  ? "Mul"
                                             : type == "ReduceSum" ? "Add"
                                             : type == "ReduceMin" ? "Min"
                                                                   : "Max";
        result = result ? computed(combination, *result, value) : value;
        for (size_t axis = index.size(); axis-- > 0;) {
            if (++index[axis] < from[axis]) break;
            index[axis] = 0;
        }
    }
    std::vector<int64_t> all;
    for (const auto& result : results) all.push_back(*result);
    return makeIntegers(in(0).type, reduced(from, *axes, integer("keepdims", 1) != 0), all);
}

Folded Folding::range() {
    if (mOp.inputs.size() != 3 || !has(0) || !has(1) || !has(2)) return std::nullopt;
    for (const size_t i : {0, 1, 2}) {
        if (in(i).count() != 1 || in(i).type != in(0).type) return std::nullopt;
    }
    if (!isReal(in(0).type)) return integerRange();
    const double start = doublesOf(in(0)).value_or(std::vector<double>{0}).front();
    const double limit = doublesOf(in(1)).value_or(std::vector<double>{0}).front();
    const double step = doublesOf(in(2)).value_or(std::vector<double>{0}).front();
    const double count = std::ceil((limit - start) / step);
    if (step == 0 || !(count <= kMaxElements)) return std::nullopt;
    const Dimensions dimensions{static_cast<uint32_t>(std::max(count, 0.0))};
    if (!spendOn(dimensions[0])) return std::nullopt;
    std::vector<double> values;
    for (uint32_t i = 0; i < dimensions[0]; ++i) values.push_back(start + i * step);
    return ofDoubles(in(0).type, dimensions, values);
}

// Exact for all numbers of 64 bits: differences of signed ones need an unsigned one.
Folded Folding::integerRange() {
    const auto number = [&](size_t i) {
        return in(i).integers().value_or(std::vector<int64_t>{0})[0];
    };
    const int64_t start = number(0), limit = number(1), step = number(2);
    if (step == 0 || in(0).type == ElementType::UINT64) return std::nullopt;
    const auto difference = [](int64_t high, int64_t low) {
        return static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
    };
    const bool isEmpty = step > 0 ? limit <= start : limit >= start;
    const uint64_t distance = step > 0 ? difference(limit, start) : difference(start, limit);
    const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : difference(0, step);
    const uint64_t count = isEmpty ? 0 : (distance - 1) / stride + 1;
    if (count > kMaxElements || !spendOn(count)) return std::nullopt;
    std::vector<int64_t> values;
    // All values lie between the bounds; that behind the last one need not be a number of 64 bits.
    int64_t value = start;
    for (uint64_t i = 0; i < count; ++i) {
        if (i > 0) value += step;
        values.push_back(value);
    }
    return makeIntegers(in(0).type, {static_cast<uint32_t>(count)}, values);
}

Folded Folding::fill() {
    const auto shape = spendOnInput(0) ? in(0).integers() : std::nullopt;
    auto dimensions = shape ? dimensionsFrom(*shape, maxRank()) : std::nullopt;
    if (!dimensions) return std::nullopt;
    const AttributeMessage* given = attribute("value");
    const float zero = 0;
    Constant value = makeFloats({}, {&zero, 1});
    if (given != nullptr && given->tensor) {
        ExternalFiles none({}, {});
        const auto read = readConstant(*given->tensor, none, {});
        if (!read.ok() || read->count() != 1) return std::nullopt;
        value = *read;
        value.dimensions.clear();
    }
    return expanded(value, *std::move(dimensions), mOp.budget);
}

Folded Folding::single() {
    struct Row {
        std::string_view type;
        Folded (Folding::*function)();
    };
    static constexpr Row kRows[] = {
            {"Abs", &Folding::unary},           {"Add", &Folding::binary},
            {"And", &Folding::compare},         {"Cast", &Folding::cast},
            {"CastLike", &Folding::cast},       {"Ceil", &Folding::unary},
            {"Concat", &Folding::concat},       {"ConstantOfShape", &Folding::fill},
            {"Div", &Folding::binary},          {"Equal", &Folding::compare},
            {"Expand", &Folding::movement},     {"Flatten", &Folding::movement},
            {"Floor", &Folding::unary},         {"Gather", &Folding::gather},
            {"Greater", &Folding::compare},     {"GreaterOrEqual", &Folding::compare},
            {"Identity", &Folding::movement},   {"Less", &Folding::compare},
            {"LessOrEqual", &Folding::compare}, {"Max", &Folding::binary},
            {"Min", &Folding::binary},          {"Mod", &Folding::binary},
            {"Mul", &Folding::binary},          {"Neg", &Folding::unary},
            {"Not", &Folding::unary},           {"Or", &Folding::compare},
            {"Pow", &Folding::binary},          {"Range", &Folding::range},
            {"Reciprocal", &Folding::unary},    {"ReduceMax", &Folding::reduce},
            {"ReduceMin", &Folding::reduce},    {"ReduceProd", &Folding::reduce},
            {"ReduceSum", &Folding::reduce},    {"Reshape", &Folding::movement},
            {"Round", &Folding::unary},         {"Slice", &Folding::slice},
            {"Sqrt", &Folding::unary},          {"Squeeze", &Folding::movement},
            {"Sub", &Folding::binary},          {"Transpose", &Folding::movement},
            {"Unsqueeze", &Folding::movement},  {"Where", &Folding::where},
    };
    if (!has(0)) return std::nullopt;
    for (const Row& row : kRows) {
        if (row.type == mOp.message.type) return (this->*row.function)();
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::vector<Constant>> fold(const FoldedOperator& op) {
    if (op.inputs.empty() || op.inputs[0] == nullptr) return std::nullopt;
    return Folding(op).all();
}

Constant shapeConstant(const NodeMessage& message, const Dimensions& dimensions) {
    const auto rank = static_cast<int64_t>(dimensions.size());
    const auto bound = [&](std::string_view name, int64_t fallback) {
        const AttributeMessage* found = attributeOf(message, name);
        int64_t position = found == nullptr ? fallback : found->integer.value_or(0);
        if (position < 0) position += rank;
        return std::clamp<int64_t>(position, 0, rank);
    };
    const int64_t begin = bound("start", 0);
    const int64_t end = std::max(begin, bound("end", rank));
    const std::vector<int64_t> sizes(dimensions.begin() + begin, dimensions.begin() + end);
    return makeIntegers(ElementType::INT64, {static_cast<uint32_t>(sizes.size())}, sizes);
}

}  // namespace nn::onnx
