// FULLY_CONNECTED by XNNPACK.
#include "op_support/xnnpack/convolution.h"
#include "ops/fully_connected/signature.h"

namespace nn::ops {

bool lowerings::FULLY_CONNECTED(const xnnpack::Lowerer& l) {
    using namespace fully_connected;
    const auto w = xnnpack::weightsOf(l, *l.op.int32(kActivation));
    if (!w) return false;
    const size_t in = xnnpack::lastOf(*w->filter), out = (*w->filter)[0];
    const auto create = [&](auto function, auto... values) {
        return l.create(function, in, out, in, out, values..., 0);
    };
    constexpr xnnpack::PerElement kProduct{NNAPI_XNN(fully_connected_nc_f32),
                                           NNAPI_XNN(fully_connected_nc_qs8),
                                           NNAPI_XNN(fully_connected_nc_qu8)};
    return createProduct(l, *w, kProduct, create) &&
           l.setUp(kProduct, xnnpack::count(l.op.input(kInput)) / in);
}

}  // namespace nn::ops
