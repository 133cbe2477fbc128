#include "runtime/extras/record.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/files.h"
#include "driver/adapt/default_execution.h"
#include "driver/memory/call_objects.h"
#include "nnapi/driver/default_burst.h"
#include "nnapi/io.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "runtime/plan/exception_guard.h"
#include "runtime/plan/overlapping_arguments.h"

namespace nn::runtime {
namespace {

using driver::ExecutionCall;
using LifeTime = Request::Argument::LifeTime;

// The leading bytes of a device's buffer.
Status readBuffer(const IBuffer& buffer, std::vector<uint8_t>& bytes) {
    NNAPI_ASSIGN_OR_RETURN(copy, createSharedMemory(bytes.size()));
    const auto copied = guardExceptions<GeneralResult<void>>([&] { return buffer.copyTo(copy); });
    if (!copied.has_value()) return copied.status();
    return readMemory(copy, 0, bytes);
}

Status readPool(const Request::MemoryPool& pool, const DataLocation& location,
                std::vector<uint8_t>& bytes) {
    if (const auto* memory = std::get_if<SharedMemory>(&pool)) {
        return readMemory(*memory, location.offset, bytes);
    }
    if (const auto* buffer = std::get_if<SharedBuffer>(&pool); buffer && *buffer) {
        return readBuffer(**buffer, bytes);
    }
    return makeError(ErrorStatus::GENERAL_FAILURE,
                     "an argument lies in memory that only its "
                     "device can read");
}

// The value of an argument with these dimensions.
Result<Tensor> valueOf(const Request& request, const Request::Argument& argument,
                       const Operand& operand, const Dimensions& dimensions) {
    if (argument.lifetime == LifeTime::NO_VALUE) return Tensor{.hasNoValue = true};
    Tensor value{.dimensions = dimensions};
    const std::optional<uint64_t> size = operandSize(operand.type, dimensions);
    // Only the request determines the size of a vendor type.
    value.data.resize(size.value_or(0) == 0 ? argument.location.length : *size);
    if (value.data.empty()) return value;
    const DataLocation& location = argument.location;
    if (argument.lifetime == LifeTime::POINTER) {
        const auto* data = std::visit([](const auto* p) { return static_cast<const void*>(p); },
                                      location.pointer);
        if (data == nullptr || location.length < value.data.size()) {
            return makeError(ErrorStatus::INVALID_ARGUMENT, "an argument is shorter than its type");
        }
        std::copy_n(static_cast<const uint8_t*>(data), value.data.size(), value.data.begin());
        return value;
    }
    if (location.poolIndex >= request.pools.size()) {
        return makeError(ErrorStatus::INVALID_ARGUMENT, "an argument lies in no pool");
    }
    NNAPI_RETURN_IF_ERROR(readPool(request.pools[location.poolIndex], location, value.data));
    return value;
}

const Dimensions& dimensionsOf(const Request::Argument& argument, const Operand& operand) {
    return argument.dimensions.empty() ? operand.dimensions : argument.dimensions;
}

class RecordingPreparedModel final : public driver::ForwardingCallPreparedModel,
                                     public std::enable_shared_from_this<RecordingPreparedModel> {
   public:
    //   path   of the model, without its extension
    RecordingPreparedModel(std::shared_ptr<const Model> model, SharedPreparedModel preparedModel,
                           std::filesystem::path path, uint64_t executions, SharedLog log)
        : ForwardingCallPreparedModel(std::move(preparedModel)),
          mModel(std::move(model)),
          mPath(std::move(path)),
          mExecutions(executions),
          mLog(std::move(log)),
          mSizes(*mModel, {}) {}

    // While executions are recorded, reusable executions and bursts call execute().
    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        if (!isRecording()) return inner()->configureExecutionBurst();
        return SharedBurst(std::make_shared<const DefaultBurst>(shared_from_this()));
    }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        if (!isRecording()) return call.on(*inner());
        Result<std::vector<Tensor>> inputs = inputsOf(call.request);
        if (!overlapOf(call.request).isThere) {
            auto executed = call.on(*inner());
            if (executed.has_value()) write(call.request, std::move(inputs), executed->first);
            return executed;
        }
        // A later output could overwrite one that has not been read yet.
        OutputStage stage;
        NNAPI_ASSIGN_OR_RETURN(staged, StagedOutputs::of(call.request, stage));
        auto executed = call.with(staged.request()).on(*inner());
        if (executed.has_value()) {
            write(staged.request(), std::move(inputs), executed->first);
            NNAPI_RETURN_IF_ERROR(staged.finish(*mModel, mSizes, executed->first));
        }
        return executed;
    }
    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutDurationAfterFence) const override {
        if (!isRecording()) return call.fencedOn(*inner(), waitFor, timeoutDurationAfterFence);
        return driver::executeAfterFences(*this, call, waitFor, timeoutDurationAfterFence);
    }
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        if (!isRecording()) return call.reusableOn(*inner());
        return driver::defaultExecution(shared_from_this(), call);
    }

   private:
    bool isRecording() const { return mWritten.load() < mExecutions; }

    Result<std::vector<Tensor>> inputsOf(const Request& request) const {
        const Model::Subgraph& main = mModel->main;
        std::vector<Tensor> inputs;
        if (request.inputs.size() != main.inputIndexes.size()) return inputs;  // is rejected
        for (size_t i = 0; i < request.inputs.size(); ++i) {
            const Operand& operand = main.operands[main.inputIndexes[i]];
            NNAPI_ASSIGN_OR_RETURN(value, valueOf(request, request.inputs[i], operand,
                                                  dimensionsOf(request.inputs[i], operand)));
            inputs.push_back(std::move(value));
        }
        return inputs;
    }

    Result<std::vector<TestCase::Output>> outputsOf(const Request& request,
                                                    const std::vector<OutputShape>& shapes) const {
        const Model::Subgraph& main = mModel->main;
        std::vector<TestCase::Output> outputs;
        for (size_t i = 0; i < request.outputs.size(); ++i) {
            const Operand& operand = main.operands[main.outputIndexes[i]];
            const bool isKnown = i < shapes.size();
            NNAPI_ASSIGN_OR_RETURN(value,
                                   valueOf(request, request.outputs[i], operand,
                                           isKnown ? shapes[i].dimensions
                                                   : dimensionsOf(request.outputs[i], operand)));
            const bool hasNoValue = value.hasNoValue;
            outputs.push_back({.value = std::move(value), .ignored = hasNoValue});
        }
        return outputs;
    }

    void write(const Request& request, Result<std::vector<Tensor>> inputs,
               const std::vector<OutputShape>& shapes) const {
        const uint64_t number = ++mWritten;
        if (number > mExecutions) return;
        std::filesystem::path path = mPath;
        path += fmt::format("_execution_{}.jsonl", number);
        const Status written = [&]() -> Status {
            NNAPI_RETURN_IF_ERROR(inputs.status());
            NNAPI_ASSIGN_OR_RETURN(outputs, outputsOf(request, shapes));
            const TestCase testCase{.name = path.stem().string(),
                                    .spec = "recorded",
                                    .model = *mModel,
                                    .inputs = *std::move(inputs),
                                    .outputs = std::move(outputs)};
            NNAPI_ASSIGN_OR_RETURN(line, serializeTestCase(testCase));
            return writeFileIn(path.parent_path(), path.filename().string(), line + "\n");
        }();
        if (!written.ok()) {
            NNAPI_LOG(mLog, WARNING)
                    << "NNAPI_RECORD: " << path.string() << ": " << std::string(written.message());
        }
    }

    std::shared_ptr<const Model> mModel;
    std::filesystem::path mPath;
    uint64_t mExecutions;
    SharedLog mLog;
    Sizes mSizes;
    mutable std::atomic<uint64_t> mWritten = 0;
};

}  // namespace

Recorder::Recorder(std::filesystem::path folder, uint64_t executions, SharedLog log)
    : mFolder(std::move(folder)), mExecutions(executions), mLog(std::move(log)) {
    std::error_code failed;
    std::filesystem::create_directories(mFolder, failed);
    if (failed) {
        NNAPI_LOG(mLog, WARNING) << "NNAPI_RECORD: " << mFolder.string() << ": "
                                 << failed.message();
    }
}

SharedPreparedModel Recorder::record(std::shared_ptr<const Model> model,
                                     SharedPreparedModel preparedModel) const {
    const std::filesystem::path path =
            mFolder / fmt::format("model_{}_{}", getpid(), mModels.fetch_add(1) + 1);
    const Status written = [&]() -> Status {
        NNAPI_ASSIGN_OR_RETURN(bytes, serializeModel(*model, Format::BINARY));
        return writeFileIn(mFolder, path.filename().string() + ".pb", bytes);
    }();
    if (!written.ok()) {
        NNAPI_LOG(mLog, WARNING) << "NNAPI_RECORD: " << path.string()
                                 << ".pb: " << std::string(written.message());
    }
    if (mExecutions == 0) return preparedModel;
    return std::make_shared<const RecordingPreparedModel>(
            std::move(model), std::move(preparedModel), path, mExecutions, mLog);
}

}  // namespace nn::runtime
