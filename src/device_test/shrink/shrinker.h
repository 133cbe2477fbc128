// The search for a smaller case: keeps the smallest one that fails, and proposes changes to it.
#pragma once

#include <array>
#include <functional>
#include <optional>

#include "device_test/cases/reference_values.h"
#include "device_test/shrink/editable_case.h"
#include "nnapi/device_test/shrink.h"

namespace nn::testing {

class Shrinker {
   public:
    // The function sees candidates; `now` is when the time begins.
    Shrinker(const std::function<bool(const TestCase&)>& fails, const ShrinkOptions& options,
             TimePoint now);

    // Takes the case as the first one. False if it does not fail once its constants have moved, or
    // is not for the reference to judge.
    bool begin(const TestCase& testCase);

    // Each proposes changes until none makes the case smaller; true if one did.
    bool shrinkGraphs();      // shrink_graphs.cc
    bool shrinkOperations();  // shrink_operations.cc
    bool shrinkArguments();
    bool shrinkDimensions();  // shrink_dimensions.cc
    bool shrinkValues();      // shrink_values.cc

    bool isOver();
    const TestCase& smallest() const { return mSmallest; }
    size_t candidates() const { return mCandidates; }
    bool isFinished() const { return !mIsOver; }

   private:
    // Smaller in the first entry that differs: operations, elements, ranks, operands, outputs,
    // unknown dimensions, constants in pools, values.
    using Measure = std::array<uint64_t, 8>;
    static Measure measureOf(const TestCase& testCase);

    // Takes the candidate if it is smaller and fails.
    bool accepts(const EditableCase& candidate);
    // The same for a change of the smallest case; false where it changes nothing.
    bool acceptsChange(const std::function<bool(EditableCase&)>& change);

    // The same without what nothing reads after the change.
    bool acceptsPart(const std::function<bool(EditableCase&)>& change);

    bool replaceCall(size_t graph, size_t operation);
    bool dropFromCall(size_t graph, size_t operation);
    bool dropOperation(size_t graph, size_t operation);
    bool keepOperations(const std::vector<bool>& kept);
    bool enterGraph();
    bool dropInputs();
    bool shrinkAxis(size_t tensor, size_t axis);
    bool dropUnitAxes();
    bool simplifyTensor(size_t tensor);
    bool simplifyElements(size_t tensor);
    bool simplifyQuantization();

    // The smallest case, checked, with all its values.
    struct Known {
        ValidatedModel checked;
        MainValues values{};
    };
    const Known* known();
    // The values of all its graphs; null if they cannot be computed.
    const std::vector<MainValues>* knownOfGraphs();

    StopCondition until() const;
    EditableCase edit() const;

    const std::function<bool(const TestCase&)>& mFails;
    const ShrinkOptions& mOptions;
    const TimePoint mEnd;
    TestCase mSmallest{};
    Measure mMeasure{};
    std::optional<Known> mKnown{};  // empty: not computed since it became the smallest
    std::optional<std::vector<MainValues>> mKnownOfGraphs{};  // likewise
    size_t mCandidates = 0;
    bool mIsOver = false;
    bool mHasOnlyNumbers = false;  // neither infinite nor NaN
};

// How far a value is from the simplest ones; 0 for 0.
uint64_t complexityOf(const Operand& operand, double value);

}  // namespace nn::testing
