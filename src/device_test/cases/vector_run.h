// Runs a test vector on a device by each execution path.
#pragma once

#include <optional>
#include <vector>

#include "device_test/cases/prepared_case.h"

namespace nn::testing {

// The common state of all paths: the prepared model and its arguments.
struct VectorRun {
    SharedDevice device{};
    const Model& model;
    Expectation wanted;
    Duration patience{};
    SharedPreparedModel prepared{};
    std::optional<Arguments> arguments{};

    Failure begin() {
        if (Failure failure = prepareOn(*device, model, &prepared)) return failure;
        Result<Arguments> made = argumentsFor(model, wanted.testCase);
        if (!made.ok()) return failedCall("memory of the case", made.status());
        arguments = *std::move(made);
        return std::nullopt;
    }

    // A device need not support a model whose output shapes are not known in advance.
    bool isLackOfShapes(const Status& status) const {
        return !status.ok() && errorStatus(status) == ErrorStatus::GENERAL_FAILURE &&
               !areOutputsSpecified(model);
    }

    Failure check(const std::string& place, const ExecutionResult<Executed>& executed,
                  MeasureTiming measure = MeasureTiming::NO) const {
        if (isLackOfShapes(executed.status())) return lackOfShapes(executed.status());
        return checkExecuted(place, executed, measure, wanted, *arguments);
    }

    static DeviceOutcome lackOfShapes(const Status& status) {
        return notSupported(
                fmt::format("outputs whose size is not known beforehand ({})", textOf(status)));
    }
};

GeneralResult<ExecutedFenced> executeFenced(const VectorRun& run,
                                            const std::vector<SyncFence>& waitFor,
                                            OptionalDuration loopTimeout = {});

// Each executes and checks the result. Call begin() first.
Failure runSync(VectorRun& run, MeasureTiming measure);
Failure runReusable(VectorRun& run);
Failure runBurst(VectorRun& run);
Failure runFenced(VectorRun& run);
Failure runInsufficient(VectorRun& run);
Failure runDeviceMemory(VectorRun& run);

}  // namespace nn::testing
