// Lowering of windows over images, and of products with constant weights.
#pragma once

#include "op_support/rules/window_2d.h"
#include "op_support/xnnpack/lowering.h"

namespace nn::xnnpack {

// The padding after the input ends with the last window, even if the model has more, which no
// window reads.
struct ImagePadding {
    ImagePadding(const ops::WindowAxis& height, const ops::WindowAxis& width);

    uint32_t top, right, bottom, left;
    bool any() const { return (top | right | bottom | left) != 0; }
};

// XNNPACK keeps an address for each element of each window, of one image, and counts them in 32
// bits.
bool requireFewWindows(const Lowerer& l, uint64_t windows, uint64_t elements);
bool requireFewWindows(const Lowerer& l, const ops::WindowAxis& height,
                       const ops::WindowAxis& width);

// Inputs 1 and 2 of a convolution or a matrix product, and its activation.
struct Weights {
    const ops::Value* filter;
    const ops::Value* bias;
    int32_t activation;
    bool isPerChannel;
};

// Also chooses the kind of 8-bit values. Empty if not supported.
std::optional<Weights> weightsOf(const Lowerer& l, int32_t activation);

// Calls `create` with the function for the type of the elements, and its arguments that are about
// values.
template <class Create, class... Functions>
bool createProduct(const Lowerer& l, const Weights& w, const PerElement<Functions...>& functions,
                   const Create& create) {
    const ops::Value &x = l.op.input(0), &y = l.op.output(0);
    return l.withElements([&]<class E>(E) {
        const Range<E> most = range<E>(w.activation, y);
        if (!l.requireValues(most)) return false;
        const auto function = functions.template of<E>();
        const Elements filter = elements<E>(*w.filter), bias(*w.bias);
        if constexpr (std::is_same_v<E, float>) {
            return create(function, filter, bias, most.least, most.most);
        } else if constexpr (std::is_signed_v<E>) {
            return create(function, zeroPoint<E>(x), x.scale, w.filter->scale, filter, bias,
                          zeroPoint<E>(y), y.scale, most.least, most.most);
        } else {
            return create(function, zeroPoint<E>(x), x.scale, zeroPoint<E>(*w.filter),
                          w.filter->scale, filter, bias, zeroPoint<E>(y), y.scale, most.least,
                          most.most);
        }
    });
}

// The same for a filter with a scale for each channel, which is signed.
template <class Create, class F>
bool createPerChannel(const Lowerer& l, const Weights& w, const F& functions,
                      const Create& create) {
    const ops::Value &x = l.op.input(0), &y = l.op.output(0);
    const Range<int8_t> most = range<int8_t>(w.activation, y);
    return l.requireValues(most) &&
           create(functions, zeroPoint<int8_t>(x), x.scale, w.filter->channelQuant()->scales.data(),
                  Elements(*w.filter), Elements(*w.bias), zeroPoint<int8_t>(y), y.scale, most.least,
                  most.most);
}

// Let the loops of depthwise.h and of quant8_convolution.h compute the operation by rows if they
// support it and are faster than XNNPACK. The loops of quant8_convolution.h are for convolutions
// without groups.
void addDepthwiseRows(const Lowerer& l, const Weights& w, const ops::WindowAxis& height,
                      const ops::WindowAxis& width);
void addQuant8Rows(const Lowerer& l, const Weights& w, const ops::WindowAxis& height,
                   const ops::WindowAxis& width);

}  // namespace nn::xnnpack
