// nnapi/interpreter.h -- Reference interpreter: prepares and executes models on the host.
//
//   nn::Result<nn::PreparedModel> prepared = nn::prepare(model);
//   nn::Result<std::vector<nn::Tensor>> outputs = prepared->run(inputs);
//
// or with a driver's request:
//
//   nn::ExecutionOutcome result = prepared->execute(request, {.measure = nn::MeasureTiming::YES});
//   if (!result.status.ok()) return nn::errorStatus(result.status);
//
// A prepared model is immutable, cheap to copy, and may be executed by any number of threads at
// once. It keeps the model's memory alive, and reuses working memory between executions: if all
// shapes are known, an execution allocates only its outputs. Never throws and never aborts, for any
// model and request.
//
// TENSOR_FLOAT32 is computed in 32 bits even if the model is relaxed. The caller's floating-point
// environment does not matter: everything is computed with rounding to nearest, subnormal numbers
// and no traps, and the caller's is restored.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/extension_operations.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/stop_condition.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"
#include "nnapi/validated_model.h"

namespace nn {

// Options of prepare().
struct PrepareOptions {
    // Limits of the model, its preparation and every execution.
    Limits limits{};

    // Number of threads that share the work of one execution, including the calling thread. The
    // results have the same bits for any number.
    size_t threads = 1;

    // Deadline and cancellation of the preparation, including validation.
    StopCondition until{};

    // Extensions that the model may use.
    std::vector<std::shared_ptr<const ExtensionOperations>> extensions{};
};

// Results of one operation. Views into the execution, valid until the observer returns.
struct ComputedOperation {
    // One output of the operation.
    struct Output {
        uint32_t operand = 0;                     // index in the graph
        OperandType type = OperandType::FLOAT32;  // of the operand
        std::span<const uint32_t> dimensions{};   // as computed, all known
        std::span<const uint8_t> data{};          // all elements
    };
    size_t graph = 0;                   // 0: main, i + 1: referenced[i]
    size_t operation = 0;               // index in the graph
    std::string_view path{};            // "main.operations[4]"
    std::string_view name{};            // "SOFTMAX"
    std::span<const Output> outputs{};  // in the operation's order
};

// Options of an execution.
struct ExecuteOptions {
    // YES: ExecutionOutcome has the timing.
    MeasureTiming measure = MeasureTiming::NO;

    // Checked before and during operations; MISSED_DEADLINE_TRANSIENT once it has passed.
    OptionalTimePoint deadline{};

    // Time limit of one WHILE; kLoopTimeoutDefault if absent, at most kLoopTimeoutMaximum.
    OptionalDuration loopTimeout{};

    // Returns the output shapes of a successful execution.
    bool listShapes = true;

    // Called before and during operations, on all threads that compute; the execution fails with
    // GENERAL_FAILURE once it returns true.
    StopFunction isCancelled{};

    // Called before each operation, with the arguments of the observer but without outputs.
    std::function<void(const ComputedOperation&)> starter{};

    // Called after each operation, including those inside an IF or WHILE, which follows them.
    // Called on the executing thread; must not throw.
    std::function<void(const ComputedOperation&)> observer{};

    // For tests: fills outputs and working memory of operations with bytes derived from this one.
    // If two executions with different values have different results, an operation left bytes
    // unwritten. Outputs of extension operations are 0 initially in any case.
    std::optional<uint8_t> poison{};
};

// Result of an execution.
struct ExecutionOutcome {
    // OUTPUT_INSUFFICIENT_SIZE has the shapes of all outputs; other failures have none.
    Status status{};

    // One for each output of the main graph, or none.
    std::vector<OutputShape> outputShapes{};
    Timing timing{};  // only if requested and the execution succeeded
};

struct Plan;

// A model that is ready to execute.
class PreparedModel {
   public:
    // Copies share the preparation. A moved-from object stays valid, since moving copies.
    PreparedModel(const PreparedModel&) = default;
    PreparedModel& operator=(const PreparedModel&) = default;

    // The model that was prepared; valid while a copy of this object lives.
    const Model& model() const;
    // The same with its validation.
    const ValidatedModel& checked() const;

    // Executes a request. INVALID_ARGUMENT if it does not fit the model. Inputs in pools are copied
    // first, so a peer cannot change them during the execution. Results are written when all are
    // computed, in the order of the outputs, so outputs may overlap each other and inputs.
    // Caller-owned inputs (POINTER) must not change until the call returns. Outputs whose
    // dimensions the model leaves open are reported in the shapes; if a buffer is too small, the
    // execution fails with OUTPUT_INSUFFICIENT_SIZE and all shapes.
    ExecutionOutcome execute(const Request& request, const ExecuteOptions& options = {}) const;

    // Executes on tensors and returns the outputs with their actual dimensions. INVALID_ARGUMENT if
    // the inputs do not match the model.
    Result<std::vector<Tensor>> run(std::span<const Tensor> inputs,
                                    const ExecuteOptions& options = {}) const;

   private:
    friend Result<PreparedModel> prepare(Model model, const PrepareOptions& options);
    friend Result<PreparedModel> prepare(const ValidatedModel& model,
                                         const PrepareOptions& options);
    class Impl;
    static Result<PreparedModel> of(Result<std::unique_ptr<const Plan>> plan,
                                    const PrepareOptions& options);
    explicit PreparedModel(std::shared_ptr<const Impl> impl) : mImpl(std::move(impl)) {}
    std::shared_ptr<const Impl> mImpl;
};

// Validates and prepares a model. INVALID_ARGUMENT for an illegal model. GENERAL_FAILURE for a
// legal model that cannot execute: parameters out of range, contradicting shapes, OEM operations,
// and extensions that are not among the options. Rules: docs/rules/interpreter.md.
Result<PreparedModel> prepare(Model model, const PrepareOptions& options = {});

// The same for a validated model, which the result shares.
Result<PreparedModel> prepare(const ValidatedModel& model, const PrepareOptions& options = {});

}  // namespace nn
