#include "tools/nnapi-device/diff/device.h"

#include <algorithm>
#include <map>

#include "base/status_message.h"
#include "device_test/cases/reference_values.h"
#include "driver/wrap/supported_parts.h"
#include "nnapi/device_test/device_test.h"
#include "nnapi/slice.h"
#include "nnapi/validated_model.h"
#include "tools/nnapi-device/device_execution.h"
#include "tools/nnapi/output_parts.h"

namespace nn::cli {
namespace {

using Values = testing::MainValues;

class DeviceComparison {
   public:
    DeviceComparison(const Side& side, const Options& options, SharedDevice device)
        : mSide(side),
          mOptions(options),
          mDevice(std::move(device)),
          mCriteria(criteriaOf(side, options.exact)) {}

    Verdict run() {
        mVerdict.device.emplace();
        if (const Status ready = begin(); !ready.ok()) {
            mVerdict.diagnostics = diagnosticsOf(ready);
            return std::move(mVerdict);
        }
        if (mOptions.each) {
            for (const Step& step : mSteps) compareAlone(step);
        } else {
            compareTogether();
        }
        if (!mOptions.out.empty()) dropPassing();
        return std::move(mVerdict);
    }

   private:
    using Operations = std::vector<bool>;
    enum class Stage { PREPARE, EXECUTE };

    // Executes the reference, and asks the device what it supports.
    Status begin() {
        NNAPI_ASSIGN_OR_RETURN(checked, validateModel(mSide.model, mOptions.limits));
        mChecked = checked;
        const Model::Subgraph& main = model().main;
        mSteps.resize(main.operations.size());
        uint64_t bytes = 0;
        const Status executed = execute(mSide, mOptions, [&](Step step) {
            if (step.graph != 0) return true;
            for (const Step::Output& output : step.outputs) {
                bytes += output.value.data.size();
                mReference[output.operand] = output.value;
            }
            const size_t operation = step.index;
            mSteps[operation] = std::move(step);
            return bytes <= mOptions.limits.peakBytes;
        });
        NNAPI_RETURN_IF_ERROR(executed);
        if (bytes > mOptions.limits.peakBytes) {
            return makeError(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                             tooManyResults(mOptions.limits));
        }
        for (size_t i = 0; i < std::min(main.inputIndexes.size(), mSide.inputs.values.size());
             ++i) {
            mReference[main.inputIndexes[i]] = mSide.inputs.values[i];
        }
        NNAPI_ASSIGN_OR_RETURN(supported, driver::supportedParts(*mDevice, *mChecked));
        mSupported = std::move(supported);
        if (std::ranges::find(mSupported, true) != mSupported.end()) return {};
        return makeError(ErrorStatus::GENERAL_FAILURE,
                         "the device supports none of the operations");
    }

    const Model& model() const { return mChecked->model(); }

    // A part of the model with the values of the reference.
    Result<TestCase> partOf(const Operations& operations, SliceOutputs shown, Slice& slice) const {
        NNAPI_ASSIGN_OR_RETURN(part,
                               testing::partOf(*mChecked, mReference, operations, shown, slice));
        part.name =
                fmt::format("{}_operation_{}", mSide.name.raw, slice.origin.main.operations.back());
        part.spec = "diff";
        return part;
    }

    // What the device computes for a part.
    Result<Values> compute(const Operations& operations, SliceOutputs shown, Stage& stage) {
        stage = Stage::PREPARE;
        Slice slice;
        NNAPI_ASSIGN_OR_RETURN(part, partOf(operations, shown, slice));
        ++mVerdict.device->preparations;
        NNAPI_ASSIGN_OR_RETURN(prepared, DeviceExecution::prepare(mDevice, part.model));
        stage = Stage::EXECUTE;
        NNAPI_ASSIGN_OR_RETURN(outputs, prepared.run(part.inputs, mOptions.limits));
        Values values;
        for (size_t i = 0; i < outputs.size(); ++i) {
            const uint32_t index = part.model.main.outputIndexes[i];
            values[slice.origin.main.operands[index]] = std::move(outputs[i]);
        }
        return values;
    }

    void compareTogether() {
        Operations all(mSteps.size());
        for (size_t i = 0; i < all.size(); ++i) all[i] = mSupported[i];
        examine(all);
        enterAll();
        if (mVerdict.first) {
            isolate(mVerdict.first->step.index);
        } else if (mVerdict.device->left.empty()) {
            compareWhole();
        }
    }

    void leave(const Step& step) {
        mVerdict.device->left.push_back(step.place + ": the device does not support it");
    }

    void compareAlone(const Step& step) {
        if (!mSupported[step.index]) return leave(step);
        OperationAlone alone{.place = step.place};
        Stage stage;
        const Result<Values> values = compute(only(step.index), SliceOutputs::ALL, stage);
        std::optional<Difference> difference;
        if (values.ok()) {
            for (const Step::Output& output : step.outputs) {
                const auto found = values->find(output.operand);
                if (found == values->end()) continue;
                alone.statistics.add(output.type, output.value, found->second);
            }
            difference = differenceOf(step, *values);
        } else {
            difference = Difference{.step = step, .message = messageOf(values.status())};
        }
        if (difference) {
            alone.difference =
                    difference->output
                            ? fmt::format("output {}, {}", *difference->output, difference->message)
                            : difference->message;
            showAlone(step.index);
        } else {
            ++mAgreeing;
        }
        mVerdict.device->each.push_back(std::move(alone));
        enter(step, std::move(difference), mVerdict);
        mVerdict.operations = mAgreeing;
    }

    // Leaves out examples that the device passes as a test case. They differ with values that the
    // device itself has computed before, or only bit by bit.
    void dropPassing() {
        std::vector<TestCase>& examples = mVerdict.device->examples;
        for (const TestCase& example : examples) {
            if (!failsAsTestCase(example)) mVerdict.device->passing.push_back(example.name);
        }
        std::erase_if(examples, [&](const TestCase& example) {
            return std::ranges::count(mVerdict.device->passing, example.name) != 0;
        });
    }

    bool failsAsTestCase(const TestCase& example) const {
        for (const auto& one : testing::listCases(std::make_shared<const TestCase>(example))) {
            if (one.kind != "vectors" || one.path != "sync") continue;
            return runCase(mDevice, one).result == testing::DeviceOutcome::Result::FAILED;
        }
        return false;
    }

    Operations only(size_t operation) const {
        Operations one(mSteps.size());
        one[operation] = true;
        return one;
    }

    // Computes all values of a part, in halves where the device does not take it whole.
    void examine(const Operations& operations) {
        Stage stage;
        Result<Values> values = compute(operations, SliceOutputs::ALL, stage);
        if (values.ok()) {
            mComputed.merge(*values);
            return;
        }
        const auto count = std::ranges::count(operations, true);
        if (count == 1) {
            const auto one = std::ranges::find(operations, true) - operations.begin();
            mFailures[static_cast<size_t>(one)] = messageOf(values.status());
            return;
        }
        Operations first(operations.size()), second = first;
        for (size_t i = 0, seen = 0; i < operations.size(); ++i) {
            if (!operations[i]) continue;
            (seen++ < static_cast<size_t>(count) / 2 ? first : second)[i] = true;
        }
        examine(first);
        examine(second);
    }

    void enterAll() {
        for (const Step& step : mSteps) {
            if (const auto failed = mFailures.find(step.index); failed != mFailures.end()) {
                enter(step, Difference{.step = step, .message = failed->second}, mVerdict);
                continue;
            }
            if (!mSupported[step.index]) {
                leave(step);
                continue;
            }
            enter(step, differenceOf(step, mComputed), mVerdict);
        }
    }

    // Of the outputs that the device has computed.
    std::optional<Difference> differenceOf(const Step& step, const Values& values) {
        for (size_t i = 0; i < step.outputs.size(); ++i) {
            const auto found = values.find(step.outputs[i].operand);
            if (found == values.end()) continue;
            if (auto difference = cli::differenceOf(step, i, found->second, mCriteria, mVerdict)) {
                return difference;
            }
        }
        return std::nullopt;
    }

    void show(const Operations& operations, SliceOutputs shown) {
        Slice slice;
        Result<TestCase> example = partOf(operations, shown, slice);
        if (example.ok()) mVerdict.device->examples.push_back(*std::move(example));
    }

    // The operation as a test case of its own.
    void showAlone(size_t operation) { show(only(operation), SliceOutputs::ALL); }

    bool differsAlone(size_t operation) {
        Stage stage;
        const Result<Values> values = compute(only(operation), SliceOutputs::ALL, stage);
        return !values.ok() || differenceOf(mSteps[operation], *values).has_value();
    }

    // Does the first that differs do so by itself? Where small differences have added up, one of
    // the following may.
    void isolate(size_t first) {
        constexpr size_t kMaxTried = 16;
        showAlone(first);
        if (mFailures.contains(first)) return;
        mVerdict.device->alone = differsAlone(first);
        if (*mVerdict.device->alone) return;
        size_t tried = 0;
        for (size_t i = first + 1; i < mSteps.size() && tried < kMaxTried; ++i) {
            if (!mSupported[i] || mFailures.contains(i) || !differenceOf(mSteps[i], mComputed)) {
                continue;
            }
            ++tried;
            if (!differsAlone(i)) continue;
            mVerdict.device->byItself = mSteps[i].place;
            mVerdict.device->examples.clear();
            showAlone(i);
            return;
        }
    }

    // The difference of the first operations, without intermediate values; empty where the device
    // does not take them by themselves.
    std::optional<Difference> differenceOfFirst(size_t count) {
        Operations operations(mSteps.size());
        std::fill_n(operations.begin(), count, true);
        Stage stage;
        const Result<Values> values = compute(operations, SliceOutputs::NEEDED, stage);
        if (!values.ok()) {
            if (stage == Stage::PREPARE) return std::nullopt;
            return Difference{.step = mSteps[count - 1], .message = messageOf(values.status())};
        }
        for (size_t i = 0; i < count; ++i) {
            if (auto difference = differenceOf(mSteps[i], *values)) return difference;
        }
        return std::nullopt;
    }

    void compareWhole() {
        const bool hasTemporaries =
                std::ranges::any_of(model().main.operands, [](const Operand& o) {
                    return o.lifetime == Operand::LifeTime::TEMPORARY_VARIABLE;
                });
        if (!hasTemporaries) return;
        std::optional<Difference> difference = differenceOfFirst(mSteps.size());
        if (!difference) return;
        size_t good = 0, bad = mSteps.size();
        while (bad - good > 1) {
            const size_t middle = good + (bad - good) / 2;
            if (auto found = differenceOfFirst(middle)) {
                difference = std::move(found);
                bad = middle;
            } else {
                good = middle;
            }
        }
        const size_t operation = difference->step.index;
        DrawingMark& mark = mVerdict.marks[difference->step.path];
        mark = {.color = DrawingMark::Color::RED, .why = difference->message};
        mVerdict.operations = operation;
        mVerdict.first = std::move(difference);
        mVerdict.device->fused = true;
        Operations joined(mSteps.size());
        std::fill_n(joined.begin(), bad, true);
        show(joined, SliceOutputs::NEEDED);
    }

    const Side& mSide;
    const Options& mOptions;
    const SharedDevice mDevice;
    const testing::Criteria mCriteria;
    std::optional<ValidatedModel> mChecked{};
    std::vector<Step> mSteps{};  // by operation of the main graph
    std::vector<bool> mSupported{};
    Values mReference{};                        // inputs, and what operations write
    Values mComputed{};                         // by the device
    std::map<size_t, std::string> mFailures{};  // of single operations
    size_t mAgreeing = 0;                       // of those that were executed by themselves
    Verdict mVerdict{};
};

}  // namespace

Verdict compareWithDevice(const Side& side, const Options& options, const SharedDevice& device) {
    return DeviceComparison(side, options, device).run();
}

}  // namespace nn::cli
