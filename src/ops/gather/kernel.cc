#include <cstring>

#include "op_support/kernels/axis_slices.h"
#include "op_support/kernels/kernel_call.h"
#include "ops/gather/signature.h"

namespace nn::ops {
// y[..., j, ...] = x[..., indices[j], ...], where j may have several dimensions
bool kernels::GATHER(KernelCall& op) {
    using namespace gather;
    const Value& input = op.input(kInput);
    const auto indices = op.input(kIndices).as<int32_t>();
    const AxisSlices slices(input, *op.int32(kAxis));
    for (size_t j = 0; j < indices.size(); ++j) {
        if (!op.require(indices[j] >= 0 && static_cast<size_t>(indices[j]) < slices.size(),
                        "gather.index", "element {} of {} is {}, allowed 0 to {}", j,
                        op.in(kIndices), indices[j], static_cast<int64_t>(slices.size()) - 1)) {
            return false;
        }
    }
    const size_t slice = slices.stride() * elementSize(input.type);
    const uint8_t* from = input.data;
    uint8_t* to = op.output(0).mutableData;
    for (size_t outer = slices.count() / slices.stride(); outer > 0; --outer) {
        for (const int32_t j : indices) {
            std::memcpy(to, from + static_cast<size_t>(j) * slice, slice);
            to += slice;
        }
        from += slices.size() * slice;
    }
    return true;
}

}  // namespace nn::ops
