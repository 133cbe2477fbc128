// The functions that rows of operators.def name; each lowers one family of operators.
#pragma once

#include <string>
#include <string_view>

#include "importers/onnx/lowering.h"

namespace nn::onnx {

#define NNAPI_ONNX_OPERATOR(domain, type, least, most, outputs, attributes, quantized, function, \
                            ...)                                                                 \
    void lower##function(Lowering& at, OperationType operation);
#include "importers/onnx/operators.def"

// ---- shared between families

// Refuses 8-bit integers without a scale: their arithmetic wraps, and that of NNAPI saturates.
bool requireScaled(Lowering& at, size_t input);

// int32 or int64
bool isInteger(const Lowering& at, size_t input);

// Refuses other numbers than float, float16, int32 and int64.
bool requireNumbers(Lowering& at, size_t input);

// An axis that may count from the end; empty after a refusal.
std::optional<uint32_t> requireAxis(Lowering& at, int64_t axis, size_t rank);

// An elementwise operation of two operands, into `to`.
void emitArithmetic(Lowering& at, OperationType operation, uint32_t a, uint32_t b,
                    int32_t activation, uint32_t to);
uint32_t arithmetic(Lowering& at, OperationType operation, uint32_t a, uint32_t b);

// A tensor in dimensions to which it can be broadcast.
uint32_t expandedTo(Lowering& at, uint32_t operand, const Dimensions& dimensions);

// 0, 1, 2, ... along an axis: a constant of TENSOR_INT32 whose other axes have one element.
uint32_t places(Lowering& at, size_t rank, size_t axis, uint32_t size);

// A tensor of one number of the type of an input, everywhere.
uint32_t filledLike(Lowering& at, size_t input, float value, const Dimensions& dimensions);

// The elements of a slice, into `to`.
void emitSlice(Lowering& at, uint32_t from, const std::vector<SliceRange>& ranges, uint32_t to);

// Adds elements of a value around a tensor, into `to`: a pair of numbers for each axis.
void emitPad(Lowering& at, uint32_t from, std::span<const int32_t> pairs, float value, uint32_t to);
// The axes of TENSOR_INT32 in another order, into `to`.
void emitIntegerTranspose(Lowering& at, uint32_t from, std::span<const uint32_t> axes, uint32_t to);

// A list that is an attribute in old operator sets, then an input: empty where neither is given or
// after a refusal.
std::optional<std::vector<int64_t>> listOf(Lowering& at, std::string_view name, size_t input);

// The bias of a filter with that many outputs: zeros where the input is not given. The scale of a
// quantized one is that of its input times that of its filter.
uint32_t biasOperand(Lowering& at, size_t input, uint32_t count, uint32_t data, uint32_t filter);

// A filter or weights with their axes in another order. Quantized ones get the type of the data.
uint32_t filterOperand(Lowering& at, size_t input, Dimensions dimensions,
                       std::span<const uint32_t> axes, uint32_t channelAxis);

}  // namespace nn::onnx
