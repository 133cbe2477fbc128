#include "driver/adapt/argument_checks.h"

#include "nnapi/validate.h"

namespace nn::driver {

Status checkHints(const std::vector<TokenValuePair>& hints,
                  const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) {
    NNAPI_RETURN_IF_ERROR(validate(hints).status());
    return validate(extensionNameToPrefix).status();
}

Status checkPreparation(ExecutionPreference preference, Priority priority,
                        const std::vector<TokenValuePair>& hints,
                        const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) {
    NNAPI_RETURN_IF_ERROR(validate(preference).status());
    NNAPI_RETURN_IF_ERROR(validate(priority).status());
    return checkHints(hints, extensionNameToPrefix);
}

Status checkExecution(MeasureTiming measure, const OptionalDuration& loopTimeoutDuration,
                      const std::vector<TokenValuePair>& hints,
                      const std::vector<ExtensionNameAndPrefix>& extensionNameToPrefix) {
    NNAPI_RETURN_IF_ERROR(validate(measure).status());
    NNAPI_RETURN_IF_ERROR(checkHints(hints, extensionNameToPrefix));
    if (loopTimeoutDuration && *loopTimeoutDuration < Duration::zero()) {
        return error(ErrorStatus::INVALID_ARGUMENT) << "the time of a loop is negative";
    }
    return {};
}

}  // namespace nn::driver
