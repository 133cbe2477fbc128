#include "driver/wrap/versioned_arguments.h"

#include "nnapi/relocation.h"
#include "transform/pointers.h"

namespace nn::driver {

Result<HalModel> convertModel(HalVersion version, const Model& model, Losses* losses) {
    if (!hasPointers(model)) return convertTo(version, model, losses);
    Model flushed = model;
    NNAPI_RETURN_IF_ERROR(flushDataFromPointerToShared(&flushed));
    return convertTo(version, std::move(flushed), losses);
}

}  // namespace nn::driver
