#include "nnapi/device_test/shrink.h"

#include <cmath>

#include "device_test/cases/prepared_case.h"
#include "device_test/shrink/shrinker.h"
#include "nnapi/comparison.h"
#include "nnapi/type_utils.h"

namespace nn::testing {
namespace {

bool hasOnlyNumbers(const TestCase& testCase) {
    const auto& indexes = testCase.model.main.outputIndexes;
    for (size_t i = 0; i < testCase.outputs.size(); ++i) {
        const OperandType type = testCase.model.main.operands[indexes[i]].type;
        const Tensor& value = testCase.outputs[i].value;
        for (size_t k = 0; k < elementCount(type, value); ++k) {
            if (!std::isfinite(elementValue(type, value, k))) return false;
        }
    }
    return true;
}

// The values of a constant as a tensor. Empty if it cannot be read.
Tensor valueOf(const EditableCase& editable, size_t graph, size_t operand) {
    return {.data = editable.constants[graph][operand]};
}

template <class Visit>
void forEachValue(const TestCase& testCase, Visit visit) {
    const Model::Subgraph& main = testCase.model.main;
    for (size_t i = 0; i < testCase.inputs.size(); ++i) {
        visit(main.operands[main.inputIndexes[i]], testCase.inputs[i]);
    }
    const Result<EditableCase> apart = editable(testCase);
    if (!apart.ok()) return;
    for (size_t graph = 0; graph < apart->constants.size(); ++graph) {
        const auto& operands =
                graph == 0 ? main.operands : testCase.model.referenced[graph - 1].operands;
        for (size_t i = 0; i < operands.size(); ++i) {
            if (isConstant(operands[i].lifetime)) visit(operands[i], valueOf(*apart, graph, i));
        }
    }
}

size_t operationsOf(const Model& model) {
    size_t count = model.main.operations.size();
    for (const auto& graph : model.referenced) count += graph.operations.size();
    return count;
}

}  // namespace

CaseSize sizeOf(const TestCase& testCase) {
    CaseSize size{.operations = operationsOf(testCase.model)};
    if (!isWellFormed(testCase)) return size;
    forEachValue(testCase, [&](const Operand& operand, const Tensor& value) {
        size.elements += elementCount(operand.type, value);
    });
    const Model::Subgraph& main = testCase.model.main;
    for (size_t i = 0; i < testCase.outputs.size(); ++i) {
        size.elements +=
                elementCount(main.operands[main.outputIndexes[i]].type, testCase.outputs[i].value);
    }
    return size;
}

Shrinker::Shrinker(const std::function<bool(const TestCase&)>& fails, const ShrinkOptions& options,
                   TimePoint now)
    : mFails(fails), mOptions(options), mEnd(now + options.time) {}

Shrinker::Measure Shrinker::measureOf(const TestCase& testCase) {
    const CaseSize size = sizeOf(testCase);
    Measure measure{size.operations, size.elements};
    // References, since lambdas of C++20 in clang 14 cannot capture structured bindings.
    auto &ranks = measure[2], &operands = measure[3], &outputs = measure[4], &unknown = measure[5],
         &inPools = measure[6], &values = measure[7];
    const auto addGraph = [&](const Model::Subgraph& graph) {
        operands += graph.operands.size() + graph.inputIndexes.size();
        for (const auto& operation : graph.operations) operands += operation.inputs.size();
        outputs += graph.outputIndexes.size();
        for (const Operand& operand : graph.operands) {
            ranks += operand.dimensions.size();
            unknown += hasUnspecifiedDimensions(operand.type, operand.dimensions) ? 1 : 0;
            inPools += operand.lifetime == Operand::LifeTime::CONSTANT_REFERENCE ? 1 : 0;
            if (operand.scale != 0 && operand.scale != 1) {
                values += complexityOf({.type = OperandType::FLOAT32}, operand.scale);
            }
            values += operand.zeroPoint != 0 ? 1 : 0;
        }
    };
    addGraph(testCase.model.main);
    for (const Model::Subgraph& graph : testCase.model.referenced) addGraph(graph);
    forEachValue(testCase, [&](const Operand& operand, const Tensor& value) {
        for (size_t i = 0; i < elementCount(operand.type, value); ++i) {
            values += complexityOf(operand, elementValue(operand.type, value, i));
        }
    });
    return measure;
}

StopCondition Shrinker::until() const {
    return {.deadline = mEnd, .isCancelled = mOptions.isCancelled};
}

bool Shrinker::isOver() {
    mIsOver = mIsOver || mCandidates >= mOptions.candidates || Clock::now() >= mEnd ||
              (mOptions.isCancelled && mOptions.isCancelled());
    return mIsOver;
}

EditableCase Shrinker::edit() const {
    Result<EditableCase> made = editable(mSmallest);
    return made.ok() ? *std::move(made) : EditableCase{};
}

bool Shrinker::begin(const TestCase& testCase) {
    if (!isWellFormed(testCase) || testCase.expectFailure ||
        testCase.expectedMultinomialDistributionTolerance > 0 || isOver()) {
        return false;
    }
    const Result<EditableCase> whole = editable(testCase);
    if (!whole.ok()) return false;
    Result<TestCase> first = computed(*whole, mOptions.limits, until());
    if (!first.ok()) return false;
    mHasOnlyNumbers = hasOnlyNumbers(*first);
    ++mCandidates;
    if (!mFails(*first)) return false;
    mSmallest = *std::move(first);
    mMeasure = measureOf(mSmallest);
    return true;
}

bool Shrinker::accepts(const EditableCase& candidate) {
    if (isOver()) return false;
    Result<TestCase> made = computed(candidate, mOptions.limits, until());
    if (!made.ok() || made->model.main.operations.empty()) return false;
    const Measure measure = measureOf(*made);
    if (measure >= mMeasure || (mHasOnlyNumbers && !hasOnlyNumbers(*made))) return false;
    ++mCandidates;
    if (!mFails(*made)) return false;
    mSmallest = *std::move(made);
    mMeasure = measure;
    mKnown.reset();
    mKnownOfGraphs.reset();
    return true;
}

const Shrinker::Known* Shrinker::known() {
    if (mKnown) return &*mKnown;
    Result<ValidatedModel> checked = validateModel(mSmallest.model, mOptions.limits, until());
    if (!checked.ok()) return nullptr;
    Result<MainValues> values =
            referenceValues(*checked, mSmallest.inputs, mOptions.limits, until());
    if (!values.ok()) return nullptr;
    return &mKnown.emplace(Known{.checked = *std::move(checked), .values = *std::move(values)});
}

const std::vector<MainValues>* Shrinker::knownOfGraphs() {
    if (mKnownOfGraphs) return &*mKnownOfGraphs;
    Result<std::vector<MainValues>> values =
            valuesOfGraphs(mSmallest.model, mSmallest.inputs, mOptions.limits, until());
    if (!values.ok()) return nullptr;
    return &mKnownOfGraphs.emplace(*std::move(values));
}

bool Shrinker::acceptsPart(const std::function<bool(EditableCase&)>& change) {
    EditableCase candidate = edit();
    if (isOver() || !change(candidate)) return false;
    const Result<EditableCase> part = withoutUnread(std::move(candidate));
    return part.ok() && accepts(*part);
}

bool Shrinker::acceptsChange(const std::function<bool(EditableCase&)>& change) {
    EditableCase candidate = edit();
    return change(candidate) && accepts(candidate);
}

Shrunk shrink(const TestCase& testCase, const std::function<bool(const TestCase&)>& fails,
              const ShrinkOptions& options) {
    Shrinker shrinker(fails, options, Clock::now());
    if (!shrinker.begin(testCase)) {
        return {.testCase = testCase,
                .candidates = shrinker.candidates(),
                .isFinished = shrinker.isFinished()};
    }
    bool isSmaller = true;
    while (isSmaller && !shrinker.isOver()) {
        isSmaller = shrinker.shrinkGraphs();
        isSmaller |= shrinker.shrinkOperations();
        isSmaller |= shrinker.shrinkArguments();
        isSmaller |= shrinker.shrinkDimensions();
        isSmaller |= shrinker.shrinkValues();
    }
    return {.testCase = shrinker.smallest(),
            .candidates = shrinker.candidates(),
            .isFinished = shrinker.isFinished()};
}

}  // namespace nn::testing
