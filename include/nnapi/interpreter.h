// nnapi/interpreter.h -- runs a model on the host, as the reference.
//
//   nn::Result<nn::PreparedModel> prepared = nn::prepare(model);
//   nn::Result<std::vector<nn::Tensor>> outputs = prepared->run(inputs);
//
// or, with the buffers of a driver's request:
//
//   nn::ExecutionOutcome result = prepared->execute(request, {.measure = nn::MeasureTiming::YES});
//   if (!result.status.ok()) return nn::errorStatus(result.status);
//
// A prepared model is immutable and cheap to copy; any number of threads may execute it at once. It
// keeps the model's memory alive, and the working memory of executions for the next ones: where all
// shapes are known, these allocate nothing but their outputs. Nothing throws or aborts, whatever
// the model or the request holds.
//
// TENSOR_FLOAT32 is computed in 32 bits even where the model is marked relaxed, which allows fewer.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/checked_model.h"
#include "nnapi/extension_operations.h"
#include "nnapi/limits.h"
#include "nnapi/result.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"
#include "nnapi/until.h"

namespace nn {

struct PrepareOptions {
    // Limits of the model, of its preparation, and of every execution.
    Limits limits{};

    // Threads that share the work of one execution, including the calling thread. More threads give
    // the same bits faster.
    size_t threads = 1;

    // Ends the preparation, including validation.
    Until until{};

    // Extensions whose types and operations the model may use.
    std::vector<std::shared_ptr<const ExtensionOperations>> extensions{};
};

// What an operation has computed: views into the execution, valid until the observer returns.
struct ComputedOperation {
    struct Output {
        uint32_t operand = 0;  // index in the graph
        OperandType type = OperandType::FLOAT32;
        std::span<const uint32_t> dimensions{};
        std::span<const uint8_t> data{};
    };
    size_t graph = 0;         // 0: main, i + 1: referenced[i]
    size_t operation = 0;     // index in the graph
    std::string_view path{};  // "main.operations[4]"
    std::string_view name{};  // "SOFTMAX"
    std::span<const Output> outputs{};
};

struct ExecuteOptions {
    MeasureTiming measure = MeasureTiming::NO;

    // Checked before and during operations; MISSED_DEADLINE_TRANSIENT when passed.
    OptionalTimePoint deadline{};

    // How long one WHILE may run; at most kLoopTimeoutMaximum.
    OptionalDuration loopTimeout{};

    // Whether a success comes with the shapes of its outputs.
    bool listShapes = true;

    // Called before and during operations, on all threads that compute; once it returns true the
    // execution fails with GENERAL_FAILURE.
    StopFunction stop{};

    // Called before each operation, with what the observer is given after it, without outputs.
    std::function<void(const ComputedOperation&)> starter{};

    // Called after each operation, also for those inside an IF or a WHILE, which itself comes after
    // them. Called on the executing thread; must not throw.
    std::function<void(const ComputedOperation&)> observer{};

    // For tests: fills what operations write to and work in with bytes that depend on this one.
    // What two executions with different ones do not give alike was left unwritten. Outputs of
    // extensions are all 0 at first nevertheless.
    std::optional<uint8_t> poison{};
};

struct ExecutionOutcome {
    // OUTPUT_INSUFFICIENT_SIZE comes with the shapes of all outputs; other failures without.
    Status status{};
    std::vector<OutputShape> outputShapes{};
    Timing timing{};  // empty unless measured and the execution succeeded
};

struct Plan;

class PreparedModel {
   public:
    // Copies share what was prepared. An object that was moved from stays a copy.
    PreparedModel(const PreparedModel&) = default;
    PreparedModel& operator=(const PreparedModel&) = default;

    const Model& model() const;
    const CheckedModel& checked() const;

    // Executes on the memory of a request, or fails with INVALID_ARGUMENT where that does not fit
    // the model. Inputs in pools are copied first, so that the peer cannot change them meanwhile.
    // Results are written when all are computed, in the order of the outputs, so outputs may
    // overlap each other and inputs. Nobody may write to caller-owned inputs (POINTER) until
    // the call returns. Outputs whose dimensions the model leaves open are reported in the shapes;
    // a buffer that is too small for its output fails the execution with OUTPUT_INSUFFICIENT_SIZE
    // and all shapes.
    ExecutionOutcome execute(const Request& request, const ExecuteOptions& options = {}) const;

    // Executes on values and returns the outputs with the dimensions that they turn out to have.
    Result<std::vector<Tensor>> run(std::span<const Tensor> inputs,
                                    const ExecuteOptions& options = {}) const;

   private:
    friend Result<PreparedModel> prepare(Model model, const PrepareOptions& options);
    friend Result<PreparedModel> prepare(const CheckedModel& model, const PrepareOptions& options);
    class Impl;
    static Result<PreparedModel> of(Result<std::unique_ptr<const Plan>> plan,
                                    const PrepareOptions& options);
    explicit PreparedModel(std::shared_ptr<const Impl> impl) : mImpl(std::move(impl)) {}
    std::shared_ptr<const Impl> mImpl;
};

// Validates a model and gets it ready to execute. Fails with INVALID_ARGUMENT for a model that is
// not legal. Fails with GENERAL_FAILURE for a legal model that cannot execute: parameters out of
// range, shapes that contradict each other, OEM operations, and extensions that are not among the
// options. Rules: docs/rules/interpreter.md.
Result<PreparedModel> prepare(Model model, const PrepareOptions& options = {});

// The same for a model that is known to be legal, which the result shares.
Result<PreparedModel> prepare(const CheckedModel& model, const PrepareOptions& options = {});

}  // namespace nn
