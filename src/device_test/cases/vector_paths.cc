// Executes a vector by each path.
#include <fmt/format.h>

#include "base/plurals.h"
#include "device_test/cases/execution_paths.h"
#include "device_test/cases/vector_run.h"
#include "driver/wrap/output_shapes.h"
#include "nnapi/generate/generate.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"

namespace nn::testing {

using enum ErrorStatus;

Failure runSync(VectorRun& run, MeasureTiming measure) {
    return run.check("execute", execute(*run.prepared, run.arguments->request(), measure), measure);
}

// Rule reusable.computations: computes a reusable execution twice.
Failure runReusable(VectorRun& run) {
    SharedExecution execution;
    if (Failure failure = createExecution(*run.prepared, run.arguments->request(), &execution)) {
        return failure;
    }
    for (const char* place : {"the first compute", "the second compute"}) {
        run.arguments->clearOutputs();
        if (Failure failure = run.check(place, execution->compute({}))) return failure;
    }
    return std::nullopt;
}

// Rule burst.one_at_a_time: executes twice on one burst, with cached memory.
Failure runBurst(VectorRun& run) {
    const auto burst = run.prepared->configureExecutionBurst();
    if (!burst.has_value())
        return failedCall("configureExecutionBurst", burst.status(), "burst.one_at_a_time");
    if (*burst == nullptr) return failed("configureExecutionBurst", "null and no error");
    const auto inputs = (*burst)->cacheMemory(run.arguments->inputMemory());
    const auto outputs = (*burst)->cacheMemory(run.arguments->outputMemory());
    for (const char* place :
         {"the first execute of the burst", "the second execute of the burst"}) {
        run.arguments->clearOutputs();
        const auto executed =
                (*burst)->execute(run.arguments->request(), MeasureTiming::NO, {}, {}, {}, {});
        if (Failure failure = run.check(place, executed)) return failure;
    }
    return std::nullopt;
}

GeneralResult<ExecutedFenced> executeFenced(const VectorRun& run,
                                            const std::vector<SyncFence>& waitFor,
                                            OptionalDuration loopTimeout) {
    return run.prepared->executeFenced(run.arguments->request(), waitFor, MeasureTiming::YES, {},
                                       loopTimeout, {}, {}, {});
}

Failure runFenced(VectorRun& run) {
    std::vector<SyncFence> before;
    for (const char* place : {"executeFenced", "executeFenced behind the first"}) {
        run.arguments->clearOutputs();
        const auto launched = executeFenced(run, before);
        if (Failure failure = lackOfFences(*run.device, launched.status())) return failure;
        if (!areOutputsSpecified(run.model)) {
            return mustFail(place, launched.status(), {kInvalid}, "fenced.open_outputs");
        }
        if (!launched.has_value()) return failedCall(place, launched.status(), "fenced.result");
        const auto& [fence, callback] = *launched;
        if (fence.hasFd()) {
            if (Failure failure = waitFor(*launched, run.patience)) {
                return failure;
            }
        }
        if (!callback) return failed(place, "no callback for the timing", "fenced.result");
        const auto info = callback();
        if (!info.has_value()) return failedCall("the callback", info.status(), "fenced.result");
        for (const Timing& timing : {info->first, info->second}) {
            if (Failure failure = checkTiming("the callback", MeasureTiming::YES, timing)) {
                return failure;
            }
        }
        if (Failure failure = run.arguments->checkUntouched()) return failure;
        if (Failure failure = checkValues({}, run.wanted, *run.arguments)) return failure;
        if (!fence.hasFd()) break;
        before = {fence};
    }
    return std::nullopt;
}

namespace {

// Rule execution.insufficient_shapes: the result of an execution whose first output is too small.
Failure checkInsufficient(const VectorRun& run, const char* place,
                          const ExecutionResult<Executed>& executed) {
    if (Failure failure = mustFail(place, executed.status(), {{OUTPUT_INSUFFICIENT_SIZE}},
                                   "execution.insufficient_shapes")) {
        return failure;
    }
    const std::vector<OutputShape> shapes = executed.error().outputShapes;
    // HAL 1.0 and 1.1 have the code, but cannot return shapes (rule wrapper.v1_0_execute).
    if (shapes.empty() && run.device->getFeatureLevel().level < Version::Level::FEATURE_LEVEL_3) {
        return std::nullopt;
    }
    const auto signatures = driver::outputSignatures(run.model);
    const Status allowed = driver::checkOutputShapes(
            OUTPUT_INSUFFICIENT_SIZE, shapes, {run.arguments->request().outputs, &signatures});
    if (!allowed.ok())
        return failed(place, std::string(allowed.message()), "execution.insufficient_shapes");
    if (shapes[0].isSufficient) {
        return failed("output 0", "is reported as sufficient, one byte is missing",
                      "execution.insufficient_shapes");
    }
    for (size_t i = 0; i < shapes.size(); ++i) {
        const Dimensions& wanted = run.wanted.testCase.outputs[i].value.dimensions;
        if (run.wanted.testCase.outputs[i].ignored) continue;
        if (!combineDimensions(shapes[i].dimensions, wanted)) {
            return failed(fmt::format("output {}", i),
                          fmt::format("has dimensions {}, expected {}",
                                      DimensionList{shapes[i].dimensions}, DimensionList{wanted}),
                          "execution.insufficient_shapes");
        }
    }
    return std::nullopt;
}

}  // namespace

// The buffer of the first output is one byte too small. The model has only ranks of outputs; the
// second time the request has all dimensions but the first one, which the result must have too.
Failure runInsufficient(VectorRun& run) {
    std::vector<Request::Argument>& outputs = run.arguments->request().outputs;
    --outputs[0].location.length;
    const Dimensions& wanted = run.wanted.testCase.outputs[0].value.dimensions;
    for (const char* place : {"execute", "execute with some dimensions in the request"}) {
        const auto executed = execute(*run.prepared, run.arguments->request());
        if (run.isLackOfShapes(executed.status())) {
            return VectorRun::lackOfShapes(executed.status());
        }
        if (Failure failure = checkInsufficient(run, place, executed)) return failure;
        if (wanted.size() < 2) break;
        outputs[0].dimensions = wanted;
        outputs[0].dimensions[0] = 0;
    }
    return std::nullopt;
}

namespace {

// Allocates a device buffer for an input or output.
Failure allocate(const VectorRun& run, bool isInput, uint32_t index, SharedBuffer* buffer) {
    const std::vector<BufferRole> role = {{.modelIndex = 0, .ioIndex = index, .probability = 1}};
    const std::vector<BufferRole> none;
    auto made =
            run.device->allocate({}, {run.prepared}, isInput ? role : none, isInput ? none : role);
    if (!made.has_value()) {
        if (made.error().code == GENERAL_FAILURE) {
            return notSupported(fmt::format("memory of the device ({})", made.error().message));
        }
        return failedCall("allocate", made.status(), "buffer.token");
    }
    if (*made == nullptr) return failed("allocate", "null and no error", "buffer.token");
    if ((*made)->getToken() == Request::MemoryDomainToken{0}) {
        return failed("allocate", "token 0", "buffer.token");
    }
    *buffer = *std::move(made);
    return std::nullopt;
}

}  // namespace

// Executes with all inputs and outputs in device memory.
Failure runDeviceMemory(VectorRun& run) {
    Request request;
    std::vector<SharedBuffer> buffers;
    const auto add = [&](bool isInput, uint32_t index,
                         std::vector<Request::Argument>& arguments) -> Failure {
        SharedBuffer buffer;
        if (Failure failure = allocate(run, isInput, index, &buffer)) return failure;
        arguments.push_back(
                {.location = {.poolIndex = static_cast<uint32_t>(request.pools.size())}});
        request.pools.emplace_back(buffer->getToken());
        buffers.push_back(std::move(buffer));
        return std::nullopt;
    };
    const std::vector<Tensor>& inputs = run.wanted.testCase.inputs;
    for (uint32_t i = 0; i < inputs.size(); ++i) {
        if (inputs[i].hasNoValue) {
            request.inputs.push_back({.lifetime = Request::Argument::LifeTime::NO_VALUE});
            continue;
        }
        if (Failure failure = add(true, i, request.inputs)) return failure;
        const SharedMemory values = memoryOf(inputs[i].data);
        const auto copied = buffers.back()->copyFrom(values, {});
        if (!copied.has_value()) {
            return failedCall(fmt::format("copyFrom for input {}", i), copied.status(),
                              "memory.copy_from");
        }
    }
    const auto outputs = static_cast<uint32_t>(run.wanted.testCase.outputs.size());
    const size_t firstOutput = buffers.size();
    for (uint32_t i = 0; i < outputs; ++i) {
        if (Failure failure = add(false, i, request.outputs)) return failure;
    }
    const auto executed = execute(*run.prepared, request);
    if (!executed.has_value()) return failedCall("execute", executed.status(), "memory.in_request");
    std::vector<Tensor> results;
    for (uint32_t i = 0; i < outputs; ++i) {
        const Operand& operand = run.model.main.operands[run.model.main.outputIndexes[i]];
        Tensor result{.dimensions = operand.dimensions};
        result.data.resize(operandSize(operand).value_or(0));
        const SharedMemory values = memoryOf(result.data);
        const auto copied = buffers[firstOutput + i]->copyTo(values);
        if (!copied.has_value()) {
            return failedCall(fmt::format("copyTo for output {}", i), copied.status(),
                              "memory.copy_to");
        }
        const Status read = readMemory(values, 0, result.data);
        if (!read.ok()) return failedCall("memory of the case", read);
        results.push_back(std::move(result));
    }
    const Comparison comparison =
            compareWithCase(run.model, run.wanted.testCase, results, run.wanted.criteria);
    if (comparison.pass) return std::nullopt;
    return failed("results", comparison.message);
}

}  // namespace nn::testing
