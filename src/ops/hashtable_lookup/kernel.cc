#include <absl/algorithm/container.h>

#include <cstring>

#include "op_support/kernels/axis_slices.h"
#include "op_support/kernels/kernel_call.h"
#include "ops/hashtable_lookup/signature.h"

namespace nn::ops {
// output[k, ...] = values[i, ...], hits[k] = 1 if keys[i] = lookups[k]; zeros if no key is equal.
// Keys must ascend; otherwise some may not be found.
bool kernels::HASHTABLE_LOOKUP(KernelCall& op) {
    using namespace hashtable_lookup;
    const Value& values = op.input(kValues);
    const auto lookups = op.input(kLookups).as<int32_t>();
    const auto keys = op.input(kKeys).as<int32_t>();
    const auto hits = op.output(kHits).mutableAs<uint8_t>();
    const size_t row = AxisSlices(values, 0).stride() * elementSize(values.type);
    for (size_t k = 0; k < lookups.size(); ++k) {
        uint8_t* output = op.output(kOutput).mutableData + k * row;
        const auto found = absl::c_lower_bound(keys, lookups[k]);
        hits[k] = found != keys.end() && *found == lookups[k] ? 1 : 0;
        if (hits[k] != 0) {
            std::memcpy(output, values.data + static_cast<size_t>(found - keys.begin()) * row, row);
        } else {
            std::memset(output, 0, row);
        }
    }
    return true;
}

}  // namespace nn::ops
