// The results of each operation of two executions, as `diff` compares them.
#pragma once

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "nnapi/drawing.h"
#include "nnapi/io.h"
#include "nnapi/testing/compare.h"
#include "nnapi/validate.h"
#include "tools/nnapi/options.h"
#include "tools/nnapi/output.h"
#include "tools/nnapi/preparation.h"
#include "types/untrusted_text.h"

namespace nn::cli {

struct Side {
    Model model;
    std::vector<Tensor> inputs;
    UntrustedText name;
};

// The outputs of an operation, and its place.
struct Step {
    struct Output {
        uint32_t operand = 0;
        OperandType type = OperandType::FLOAT32;
        Tensor value{};
    };
    std::string place{};  // "main.operations[4] SOFTMAX"
    std::string operation{};
    std::string path{};
    size_t graph = 0;  // 0: main, i + 1: referenced[i]
    size_t index = 0;  // index in the graph
    std::vector<Output> outputs{};
};

Step stepOf(const ComputedOperation& computed);

struct Difference {
    Step step{};                     // of the first execution
    std::string message{};           // what differs
    std::optional<size_t> output{};  // the output that differs; empty if the operations differ
    testing::TensorComparison comparison{};  // of that output
    testing::Tolerance tolerance{};          // by which it was compared
};

// Tensors that the dump lacks, and names in it without a tensor.
struct Dumped {
    size_t missing = 0;
    std::vector<std::string> unknown{};
};

// An operation that a device has executed separately, with the inputs of the reference.
struct OperationAlone {
    std::string place{};
    testing::ValueStatistics statistics{};  // of all its outputs
    std::string difference{};  // beyond the criteria, or why it failed; empty: it agrees
};

// The details of a comparison with a device.
struct DeviceParts {
    size_t preparations = 0;             // models that the device has prepared for it
    std::vector<std::string> left{};     // operations that were not compared, and why
    std::optional<bool> alone{};         // the first also differs separately
    std::string byItself{};              // first later one that does; or empty
    bool fused = false;                  // it differs only if no intermediate value is an output
    std::vector<OperationAlone> each{};  // with --each: all that the device supports
    std::vector<TestCase> examples{};    // what differs, with these inputs
    std::vector<std::string> passing{};  // names of examples that -o leaves out: they pass
};

struct Verdict {
    size_t operations = 0;  // that agree
    double maxAbsError = 0;
    uint64_t maxUlps = 0;
    std::optional<Difference> first{};
    std::vector<Diagnostic> diagnostics{};  // why they were not compared
    DrawingMarks marks{};                   // of all operations that were compared

    std::optional<Dumped> dumped{};       // where one side is a dump
    std::optional<DeviceParts> device{};  // where one side is a device

    bool same() const { return !first && diagnostics.empty(); }
};

// Executes, and calls the function with every step until it returns false.
template <class OnStep>
Status execute(const Side& side, const Options& options, OnStep onStep) {
    NNAPI_ASSIGN_OR_RETURN(prepared, prepareFor(options, side.model));
    std::atomic<bool> isOver = false;
    const auto observer = [&](const ComputedOperation& computed) {
        if (!isOver && !onStep(stepOf(computed))) isOver = true;
    };
    const auto outputs = prepared.run(
            side.inputs, {.stop = [&] { return isOver.load(); }, .observer = observer});
    return isOver ? Status() : outputs.status();
}

// Compares one output of a step with another value. If they agree, records their distance in the
// verdict.
std::optional<Difference> differenceOf(const Step& expected, size_t output, const Tensor& actual,
                                       const testing::Criteria& criteria, Verdict& verdict);

// Compares all outputs of two steps.
std::optional<Difference> differenceOf(const Step& expected, const Step& actual,
                                       const testing::Criteria& criteria, Verdict& verdict);

// Records the comparison of a step. The mark of an operation that is executed several times is that
// of its first difference.
void enter(const Step& step, std::optional<Difference> difference, Verdict& verdict);

// The criteria for results of the model; NaN equals NaN.
testing::Criteria criteriaOf(const Side& side, bool exact);

// The failure of an execution whose results exceed the limits.
Diagnostic tooManyResults(const Limits& limits);

}  // namespace nn::cli
