// Removes operations, outputs and optional operands.
#include <algorithm>

#include "device_test/cases/reference_values.h"
#include "device_test/shrink/shrinker.h"
#include "nnapi/passes.h"
#include "nnapi/type_utils.h"

namespace nn::testing {
namespace {

using LifeTime = Operand::LifeTime;

}  // namespace

bool Shrinker::keepOperations(const std::vector<bool>& kept) {
    const Known* whole = isOver() ? nullptr : known();
    if (whole == nullptr) return false;
    Slice slice;
    Result<TestCase> part =
            partOf(whole->checked, whole->values, kept, SliceOutputs::NEEDED, slice);
    if (!part.ok()) return false;
    part->name = mSmallest.name;
    part->spec = mSmallest.spec;
    const auto& before = mSmallest.model.main.outputIndexes;
    for (size_t i = 0; i < part->outputs.size(); ++i) {
        const uint32_t old = slice.origin.main.operands[part->model.main.outputIndexes[i]];
        const auto found = std::ranges::find(before, old);
        if (found == before.end()) continue;
        part->outputs[i].ignored =
                mSmallest.outputs[static_cast<size_t>(found - before.begin())].ignored;
    }
    const Result<EditableCase> candidate = editable(*part);
    return candidate.ok() && accepts(*candidate);
}

// Each operation as the only one; then without the end, without the beginning, and without each.
bool Shrinker::shrinkOperations() {
    bool isSmaller = false;
    const size_t all = mSmallest.model.main.operations.size();
    for (size_t i = 0; all > 1 && i < all && !isOver(); ++i) {
        std::vector<bool> kept(all);
        kept[i] = true;
        if (keepOperations(kept)) return true;
    }
    for (size_t length = all / 2; length > 0; length /= 2) {
        for (size_t end = mSmallest.model.main.operations.size(); end > 0 && !isOver();) {
            const size_t count = mSmallest.model.main.operations.size();
            end = std::min(end, count);
            const size_t first = end > length ? end - length : 0;
            std::vector<bool> kept(count, true);
            std::fill(kept.begin() + static_cast<ptrdiff_t>(first),
                      kept.begin() + static_cast<ptrdiff_t>(end), false);
            if (end - first < count) isSmaller |= keepOperations(kept);
            end = first;
        }
    }
    return isSmaller;
}

// Omits inputs that are optional for the reference and validation.
bool Shrinker::dropInputs() {
    bool isSmaller = false;
    for (uint32_t i = 0; i < mSmallest.model.main.operands.size() && !isOver(); ++i) {
        isSmaller |= acceptsChange([i](EditableCase& candidate) {
            Operand& operand = candidate.main().operands[i];
            const auto input = candidate.inputAt(i);
            if (!input && !isConstant(operand.lifetime)) return false;
            if (input) {
                const auto at = static_cast<ptrdiff_t>(*input);
                auto& indexes = candidate.main().inputIndexes;
                indexes.erase(indexes.begin() + at);
                candidate.testCase.inputs.erase(candidate.testCase.inputs.begin() + at);
            }
            operand.lifetime = LifeTime::NO_VALUE;
            operand.location = {};
            candidate.constants[0][i].clear();
            return true;
        });
    }
    return isSmaller;
}

bool Shrinker::shrinkArguments() {
    bool isSmaller = false;
    // Fewer outputs.
    for (size_t i = mSmallest.outputs.size(); i-- > 0 && !isOver();) {
        if (mSmallest.outputs.size() < 2) break;
        isSmaller |= acceptsChange([i](EditableCase& candidate) {
            auto& indexes = candidate.main().outputIndexes;
            const auto at = static_cast<ptrdiff_t>(i);
            candidate.main().operands[indexes[i]].lifetime = LifeTime::TEMPORARY_VARIABLE;
            indexes.erase(indexes.begin() + at);
            candidate.testCase.outputs.erase(candidate.testCase.outputs.begin() + at);
            return true;
        });
    }
    // Without trailing operands that hold their defaults, and without unused ones.
    {
        TestCase small = mSmallest;
        small.model = minimize(std::move(small.model)).model;
        const Result<EditableCase> candidate = editable(small);
        isSmaller |= candidate.ok() && accepts(*candidate);
    }
    isSmaller |= dropInputs();
    // All dimensions known, and no pools.
    isSmaller |= acceptsChange([this](EditableCase& candidate) {
        auto& operands = candidate.main().operands;
        for (size_t i = 0; i < candidate.testCase.inputs.size(); ++i) {
            specifyDimensions(operands[candidate.main().inputIndexes[i]],
                              candidate.testCase.inputs[i]);
        }
        for (size_t i = 0; i < candidate.testCase.outputs.size(); ++i) {
            specifyDimensions(operands[candidate.main().outputIndexes[i]],
                              mSmallest.outputs[i].value);
        }
        return true;
    });
    return acceptsChange([](EditableCase& candidate) {
               for (Operand& operand : candidate.main().operands) {
                   if (operand.lifetime == LifeTime::CONSTANT_REFERENCE) {
                       operand.lifetime = LifeTime::CONSTANT_COPY;
                   }
               }
               return true;
           }) ||
           isSmaller;
}

}  // namespace nn::testing
