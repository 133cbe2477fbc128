// Checks the arguments of preparations and executions other than models and requests.
#pragma once

#include <vector>

#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn::driver {

// INVALID_ARGUMENT if one of them is illegal.
Status checkHints(const std::vector<TokenValuePair>& hints,
                  const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix);
Status checkPreparation(ExecutionPreference preference, Priority priority,
                        const std::vector<TokenValuePair>& hints,
                        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix);
Status checkExecution(MeasureTiming measure, const OptionalDuration& loopTimeoutDuration,
                      const std::vector<TokenValuePair>& hints,
                      const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix);

}  // namespace nn::driver
