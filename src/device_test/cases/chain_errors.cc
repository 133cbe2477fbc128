#include "device_test/cases/chain_errors.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "device_test/cases/drawn_case.h"
#include "device_test/cases/models.h"
#include "device_test/cases/reference_values.h"
#include "nnapi/half.h"
#include "nnapi/interpreter.h"
#include "nnapi/type_utils.h"
#include "nnapi/validated_model.h"

namespace nn::testing {
namespace {

constexpr unsigned kMaxTries = 64;

// Operations whose results are elements of their inputs, without an error of their own.
bool onlyMoves(OperationType type) {
    using enum OperationType;
    static constexpr OperationType kThese[] = {ABS,
                                               BATCH_TO_SPACE_ND,
                                               CHANNEL_SHUFFLE,
                                               DEPTH_TO_SPACE,
                                               EMBEDDING_LOOKUP,
                                               EXPAND_DIMS,
                                               FILL,
                                               GATHER,
                                               HASHTABLE_LOOKUP,
                                               MAXIMUM,
                                               MAX_POOL_2D,
                                               MINIMUM,
                                               MIRROR_PAD,
                                               NEG,
                                               PACK,
                                               PAD,
                                               PAD_V2,
                                               REDUCE_MAX,
                                               REDUCE_MIN,
                                               RESHAPE,
                                               RESIZE_NEAREST_NEIGHBOR,
                                               REVERSE,
                                               SELECT,
                                               SLICE,
                                               SPACE_TO_BATCH_ND,
                                               SPACE_TO_DEPTH,
                                               SPLIT,
                                               SQUEEZE,
                                               STRIDED_SLICE,
                                               TILE,
                                               TOPK_V2,
                                               TRANSPOSE};
    return std::ranges::count(kThese, type) != 0;
}

template <class E>
void storeAs(double value, size_t i, Tensor& tensor) {
    constexpr double kLeast = std::numeric_limits<E>::lowest(),
                     kMost = std::numeric_limits<E>::max();
    const bool isInfinite = std::numeric_limits<E>::has_infinity && std::isinf(value);
    const auto element = static_cast<E>(isInfinite ? value : std::clamp(value, kLeast, kMost));
    std::memcpy(&tensor.data[i * sizeof(E)], &element, sizeof(E));
}

// Stores an element, saturated; nothing for types whose elements have no errors.
void store(OperandType type, double value, size_t i, Tensor& tensor) {
    switch (type) {
        case OperandType::TENSOR_FLOAT32:
            return storeAs<float>(value, i, tensor);
        case OperandType::TENSOR_FLOAT16: {
            constexpr double kMost = 65504;
            const double bounded = std::isinf(value) ? value : std::clamp(value, -kMost, kMost);
            const uint16_t element = floatToHalf(static_cast<float>(bounded));
            std::memcpy(&tensor.data[i * sizeof(element)], &element, sizeof(element));
            return;
        }
        case OperandType::TENSOR_QUANT16_SYMM:
            return storeAs<int16_t>(value, i, tensor);
        case OperandType::TENSOR_QUANT16_ASYMM:
            return storeAs<uint16_t>(value, i, tensor);
        case OperandType::TENSOR_QUANT8_ASYMM:
            return storeAs<uint8_t>(value, i, tensor);
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
        case OperandType::TENSOR_QUANT8_SYMM:
            return storeAs<int8_t>(value, i, tensor);
        default:
            return;
    }
}

// The errors of one try: all upwards, all downwards, or each by chance.
class Errors {
   public:
    explicit Errors(unsigned attempt) : mAttempt(attempt), mRandom(attempt) {}

    void addTo(OperandType type, const Tolerance& tolerance, Tensor& tensor) {
        for (size_t i = 0; i < elementCount(type, tensor); ++i) {
            const double value = elementValue(type, tensor, i);
            if (std::isinf(value)) continue;
            const double most = tolerance.absolute + tolerance.relative * std::abs(value);
            const double direction = next();
            // A value hardly above 0 may be 0, and nothing can be divided by it.
            const bool isZero = direction == 0 && std::abs(value) <= most;
            store(type,
                  std::isnan(value) ? insteadOfNan()
                  : isZero          ? 0
                                    : value + direction * most,
                  i, tensor);
        }
    }
    void replaceNan(OperandType type, Tensor& tensor) {
        for (size_t i = 0; i < elementCount(type, tensor); ++i) {
            if (!std::isnan(elementValue(type, tensor, i))) continue;
            store(type, insteadOfNan(), i, tensor);
        }
    }
    // Indices of ARGMAX or ARGMIN: of equal elements, any may be the result.
    void chooseAmongEqual(OperandType type, const Tensor& input, int32_t axis, Tensor& output) {
        const auto rank = static_cast<int32_t>(input.dimensions.size());
        const auto begin = input.dimensions.begin() + (axis < 0 ? axis + rank : axis);
        const size_t length = *begin;
        size_t inner = 1;
        for (const uint32_t dimension : std::span(begin + 1, input.dimensions.end())) {
            inner *= dimension;
        }
        for (size_t i = 0; i < output.data.size() / sizeof(int32_t); ++i) {
            const size_t first = i / inner * length * inner + i % inner;
            const auto at = [&](size_t k) { return elementValue(type, input, first + k * inner); };
            int32_t index = 0;
            std::memcpy(&index, &output.data[i * sizeof(index)], sizeof(index));
            std::vector<int32_t> equal;
            for (size_t k = 0; k < length; ++k) {
                if (at(k) == at(index)) equal.push_back(static_cast<int32_t>(k));
            }
            if (equal.empty()) continue;  // NaN
            const auto last = static_cast<double>(equal.size() - 1);
            index = equal[static_cast<size_t>((next() + 1) / 2 * last)];
            std::memcpy(&output.data[i * sizeof(index)], &index, sizeof(index));
        }
    }
    // True if something was NaN.
    bool hasReplaced() const { return mHasReplaced; }

   private:
    static constexpr double kLargest = std::numeric_limits<float>::max();

    double next() {
        if (mAttempt < 2) return mAttempt == 0 ? 1 : -1;
        return static_cast<double>(mRandom() % 3) - 1;
    }

    // A device may have any bound.
    double insteadOfNan() {
        mHasReplaced = true;
        return next() * kLargest;
    }

    unsigned mAttempt;
    std::mt19937 mRandom;
    bool mHasReplaced = false;
};

// An operation as a model of its own.
struct Part {
    PreparedModel prepared;
    Slice slice;
    bool onlyMoves;

    // The inputs of its operation.
    Tensor input(size_t i, const std::vector<Tensor>& inputs) const {
        const Model::Subgraph& main = slice.model.main;
        const uint32_t index = main.operations.front().inputs[i];
        const auto found = std::ranges::find(main.inputIndexes, index);
        if (found != main.inputIndexes.end()) return inputs[found - main.inputIndexes.begin()];
        const Operand& operand = main.operands[index];
        return {operand.dimensions,
                constantOf(slice.model, operand).value_or(std::vector<uint8_t>())};
    }
};

// Those of the main graph, without the ones that cannot be computed separately.
std::vector<Part> partsOf(const ValidatedModel& model) {
    const std::vector<Operation>& operations = model.model().main.operations;
    std::vector<Part> parts;
    for (size_t k = 0; k < operations.size(); ++k) {
        std::vector<bool> only(operations.size(), false);
        only[k] = true;
        auto slice = sliceOfOperations(model, only, SliceOutputs::ALL);
        if (!slice.ok()) continue;
        auto prepared = prepare(slice->model);
        if (!prepared.ok()) continue;
        parts.push_back({*std::move(prepared), *std::move(slice), onlyMoves(operations[k].type)});
    }
    return parts;
}

// Computes a model operation by operation. `values` are those of an exact computation, which stay
// where an operation cannot be computed.
void computeWith(Errors& errors, const Model::Subgraph& main, const std::vector<Part>& parts,
                 const Criteria& criteria, ReferenceWork& work, MainValues& values) {
    for (const uint32_t input : main.inputIndexes) {
        errors.replaceNan(main.operands[input].type, values[input]);
    }
    for (const Part& part : parts) {
        const Model::Subgraph& own = part.slice.model.main;
        const std::vector<uint32_t>& origin = part.slice.origin.main.operands;
        std::vector<Tensor> inputs;
        for (const uint32_t input : own.inputIndexes) inputs.push_back(values[origin[input]]);
        auto outputs = work.run(part.prepared, inputs);
        if (!outputs.ok()) continue;
        const Operation& operation = own.operations.front();
        for (size_t j = 0; j < outputs->size(); ++j) {
            const uint32_t index = own.outputIndexes[j];
            const OperandType type = own.operands[index].type;
            Tensor& output = (*outputs)[j];
            if (findsOneOfEqual(operation.type)) {
                int32_t axis = 0;
                std::memcpy(&axis, part.input(1, inputs).data.data(), sizeof(axis));
                errors.chooseAmongEqual(own.operands[operation.inputs[0]].type,
                                        part.input(0, inputs), axis, output);
            } else if (part.onlyMoves) {
                errors.replaceNan(type, output);
            } else {
                errors.addTo(type, criteria.of(type), output);
            }
            values[origin[index]] = std::move(output);
        }
    }
}

// The elements that an output may have.
class Range {
   public:
    Range(OperandType type, const Tolerance& tolerance, const Tensor& expected)
        : mType(type), mTolerance(tolerance), mExpected(expected) {
        for (size_t i = 0; i < elementCount(type, expected); ++i) {
            const double value = elementValue(type, expected, i);
            mElements.push_back({.isAny = std::isnan(value), .least = value, .most = value});
        }
    }

    // What one try has computed. With NaN in it, an element that varies may be anything, and all
    // may be NaN: 0 times NaN is NaN where a device adds what others leave out.
    void add(const Tensor& other, bool hasNan) {
        mHasNan |= hasNan;
        mIsAny |= other.dimensions != mExpected.dimensions;
        for (size_t i = 0; i < mElements.size() && !mIsAny; ++i) {
            Element& element = mElements[i];
            const double value = elementValue(mType, other, i);
            element.least = std::min(element.least, value);
            element.most = std::max(element.most, value);
            const bool varies = element.most - element.least > tolerated(element.most);
            element.isAny |= std::isnan(value) || (hasNan && varies);
        }
    }

    bool has(const Tensor& actual) const {
        if (mIsAny) return true;
        if (actual.dimensions != mExpected.dimensions ||
            actual.data.size() != mExpected.data.size()) {
            return false;
        }
        for (size_t i = 0; i < mElements.size(); ++i) {
            const double value = elementValue(mType, actual, i);
            if (!isIn(mElements[i], value) && !(mHasNan && std::isnan(value))) return false;
        }
        return true;
    }

   private:
    struct Element {
        bool isAny = false;
        double least = 0, most = 0;
    };

    double tolerated(double value) const {
        return std::isinf(value) ? 0 : mTolerance.absolute + mTolerance.relative * std::abs(value);
    }
    bool isIn(const Element& element, double value) const {
        return element.isAny || (value >= element.least - tolerated(element.least) &&
                                 value <= element.most + tolerated(element.most));
    }

    OperandType mType;
    Tolerance mTolerance;
    const Tensor& mExpected;
    std::vector<Element> mElements{};
    bool mIsAny = false;
    bool mHasNan = false;
};

}  // namespace

bool areWithinErrors(const TestCase& testCase, std::span<const Tensor> outputs,
                     const Criteria& ofEach, const Criteria& ofAll, const OwnWorkHook& onOwnWork) {
    ReferenceWork work(onOwnWork, 4 * ReferenceWork::kMaxChecks);
    const auto checked = validateModel(testCase.model);
    if (!checked.ok()) return false;
    const auto exact = referenceValues(*checked, testCase.inputs, Limits());
    if (!exact.ok()) return false;
    const Model::Subgraph& main = testCase.model.main;
    const size_t count = main.outputIndexes.size();
    if (outputs.size() != count || testCase.outputs.size() != count) return false;
    std::vector<Range> ranges;
    for (size_t j = 0; j < count; ++j) {
        const OperandType type = main.operands[main.outputIndexes[j]].type;
        ranges.emplace_back(type, ofAll.of(type), testCase.outputs[j].value);
    }
    const std::vector<Part> parts = partsOf(*checked);
    for (unsigned attempt = 0; attempt < kMaxTries; ++attempt) {
        MainValues values = *exact;
        Errors errors(attempt);
        computeWith(errors, main, parts, ofEach, work, values);
        if (work.isExhausted()) return true;
        bool isWithin = true;
        for (size_t j = 0; j < count; ++j) {
            const auto found = values.find(main.outputIndexes[j]);
            if (found != values.end()) ranges[j].add(found->second, errors.hasReplaced());
            isWithin &= testCase.outputs[j].ignored || ranges[j].has(outputs[j]);
        }
        if (isWithin) return true;
    }
    return false;
}

}  // namespace nn::testing
