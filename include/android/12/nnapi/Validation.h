// nnapi/Validation.h -- the checks of canonical objects, as Android 12 names them.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "nnapi/Result.h"
#include "nnapi/Types.h"
#include "nnapi/validate.h"
#include "nnapi_android/helper_types.h"

namespace android::nn {

using ::nn::combineVersions;
using ::nn::isCompliantVersion;
using ::nn::validate;
using ::nn::validateOperationButNotOperands;
using ::nn::validateRequestForModel;

// An input or output of a prepared model, by which a buffer may be used.
using PreparedModelRole = ::nnapi_android::BasicPreparedModelRole<::nnapi_android::CanonicalTypes>;

// Checks a description of a buffer and its roles. `getModel` returns the model of a prepared model,
// null for one that is not the driver's own. On success, `preparedModelRoles` receives the roles
// and `combinedOperand` their common type and dimensions.
Result<Version> validateMemoryDesc(
        const BufferDesc& desc, const std::vector<SharedPreparedModel>& preparedModels,
        const std::vector<BufferRole>& inputRoles, const std::vector<BufferRole>& outputRoles,
        const std::function<const Model*(const SharedPreparedModel&)>& getModel,
        std::set<PreparedModelRole>* preparedModelRoles, Operand* combinedOperand);

}  // namespace android::nn
