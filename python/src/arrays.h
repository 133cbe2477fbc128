// Arrays of NumPy as arguments and results of executions.
#pragma once

#include "python/src/bindings.h"
// After Python's header.
#include "nnapi/tensor.h"

namespace nn::python {

// The NumPy type of the elements of an operand type: stored integers for quantized ones; empty for
// types whose elements only their vendor defines.
std::optional<py::dtype> dtypeOf(OperandType type);

// The tensor type whose elements an array has; of several, the plain or the asymmetric one.
std::optional<OperandType> tensorTypeOf(const py::dtype& dtype);

// An array in row-major order: the given one, or a copy if its order differs. Hidden, since its
// members are.
struct __attribute__((visibility("hidden"))) Elements {
    py::array array{};
    Dimensions dimensions{};
    uint32_t length = 0;  // bytes

    const uint8_t* data() const { return static_cast<const uint8_t*>(array.data()); }
    Tensor tensor() const;
};

// The elements of an array, or of an object that converts to one without changing its elements.
// Raises if their type is not `expected`, or if there are too many. `place` is the beginning of the
// message.
Elements elementsOf(const std::string& place, const py::handle& value,
                    const std::optional<py::dtype>& expected = std::nullopt);

// Memory for a result, which becomes an array: at least a byte, aligned for all types.
class ResultMemory {
   public:
    ResultMemory() = default;
    explicit ResultMemory(uint32_t length);
    uint8_t* data() const { return mData.get(); }
    uint32_t length() const { return mLength; }

    // The array takes ownership of the memory; raises if its elements would need more.
    py::array release(OperandType type, const Dimensions& dimensions);

   private:
    struct Free {
        void operator()(uint8_t* data) const { std::free(data); }
    };
    std::unique_ptr<uint8_t, Free> mData{};
    uint32_t mLength = 0;
};

// A copy of a tensor.
py::array arrayOf(OperandType type, const Dimensions& dimensions, const uint8_t* data,
                  uint64_t length);

}  // namespace nn::python
