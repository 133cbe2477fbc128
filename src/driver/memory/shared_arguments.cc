#include "driver/memory/shared_arguments.h"

#include <utility>

namespace nn::driver {

Result<SharedArguments> shareArguments(const Request& request, uint32_t padding,
                                       const MakePool& makePool) {
    SharedArguments moved{.hasInputs = hasPointers(request.inputs),
                          .hasOutputs = hasPointers(request.outputs)};
    if (!moved.hasInputs && !moved.hasOutputs) return moved;
    NNAPI_ASSIGN_OR_RETURN(shared,
                           moveToPools(request, kDefaultRequestMemoryAlignment, padding, makePool));
    moved.request = std::move(shared.request);
    moved.relocation = std::move(shared.relocation);
    return moved;
}

}  // namespace nn::driver
