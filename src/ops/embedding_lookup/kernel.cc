#include <cstring>

#include "op_support/kernels/axis_slices.h"
#include "op_support/kernels/kernel_call.h"
#include "ops/embedding_lookup/signature.h"

namespace nn::ops {
// y[k, ...] = values[lookups[k], ...]
bool kernels::EMBEDDING_LOOKUP(KernelCall& op) {
    using namespace embedding_lookup;
    const Value& values = op.input(kValues);
    const auto lookups = op.input(kLookups).as<int32_t>();
    const size_t row = AxisSlices(values, 0).stride() * elementSize(values.type);
    for (size_t k = 0; k < lookups.size(); ++k) {
        if (!op.require(lookups[k] >= 0 && static_cast<uint32_t>(lookups[k]) < values[0],
                        "embedding_lookup.index", "element {} of {} is {}, allowed 0 to {}", k,
                        op.in(kLookups), lookups[k], int64_t{values[0]} - 1)) {
            return false;
        }
        std::memcpy(op.output(0).mutableData + k * row,
                    values.data + static_cast<size_t>(lookups[k]) * row, row);
    }
    return true;
}

}  // namespace nn::ops
