// nnapi/driver/default_prepared_model.h -- Base class of prepared models that implement only
// execute().
//
//   class AddPreparedModel final : public nn::DefaultPreparedModel {
//      public:
//       nn::ExecutionResult<nn::Executed> execute(const nn::Request& request, ...) const override;
//   };
//
// All other methods call execute(): executeFenced by nn::executeAfterFences, reusable executions
// and bursts as nn::DefaultExecution and nn::DefaultBurst, which keep the prepared model. The class
// checks no arguments: a driver that must reject a request before the execution overrides those
// methods, checks, and calls the methods of this class. Wraps no resource.
//
// Must be owned by a std::shared_ptr; otherwise the methods throw std::bad_weak_ptr.
#pragma once

#include <any>
#include <memory>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn {

// Base of a prepared model that has to be owned by a std::shared_ptr.
class DefaultPreparedModel : public IPreparedModel,
                             public std::enable_shared_from_this<DefaultPreparedModel> {
   public:
    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeoutDuration,
            const OptionalDuration& timeoutDurationAfterFence,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure,
            const OptionalDuration& loopTimeoutDuration, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) const override;
    GeneralResult<SharedBurst> configureExecutionBurst() const override;
    std::any getUnderlyingResource() const override { return {}; }
};

}  // namespace nn
