// nnapi/checked_model.h -- Deprecated name of nnapi/validated_model.h; removed in 0.3.0.
#pragma once

#include "nnapi/validated_model.h"  // IWYU pragma: export

namespace nn {

using CheckedModel [[deprecated("ValidatedModel")]] = ValidatedModel;

[[deprecated("validateModel")]] inline Result<ValidatedModel> check(
        Model model, const Limits& limits = {}, const StopCondition& until = {}) {
    return validateModel(std::move(model), limits, until);
}

}  // namespace nn
