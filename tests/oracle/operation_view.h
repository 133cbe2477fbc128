// The view of operations for the oracle's functions: operands as arrays of numbers, accessed by
// index vectors.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <span>
#include <stdexcept>
#include <vector>

#include "nnapi/types.h"

namespace nn::oracle {

using Index = std::vector<int64_t>;

// Thrown if the values of operands make an operation fail.
struct Refused : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// A value and the interpretation of its elements.
struct Array {
    OperandType type = OperandType::FLOAT32;
    Index dims{};
    double scale = 0;
    int64_t zeroPoint = 0;
    std::vector<double> channelScales{};
    size_t channelDim = 0;
    bool omitted = false;
    std::vector<double> stored{};  // the stored elements

    size_t rank() const { return dims.size(); }
    int64_t count() const { return static_cast<int64_t>(stored.size()); }

    // Resolves an axis, which may count from the end.
    size_t axis(int64_t a) const { return static_cast<size_t>(a < 0 ? a + int64_t(rank()) : a); }

    int64_t offset(std::span<const int64_t> at) const;
    double raw(std::span<const int64_t> at) const { return stored[size_t(offset(at))]; }
    double raw(std::initializer_list<int64_t> at) const { return raw(std::span(at)); }
    double real(std::span<const int64_t> at) const { return realAt(offset(at)); }
    double real(std::initializer_list<int64_t> at) const { return real(std::span(at)); }

    // The real number of the element at an offset.
    double realAt(int64_t offset) const;

    // Rounds once to a value of the type: to nearest, halves away from zero and saturating for
    // quantized types (NaN becomes the largest value), ties to even for floats. INT32 wraps.
    void put(int64_t offset, double real);
    void put(std::span<const int64_t> at, double real) { put(offset(at), real); }
    void put(std::initializer_list<int64_t> at, double real) { put(std::span(at), real); }
    void putRaw(std::span<const int64_t> at, double value) { stored[size_t(offset(at))] = value; }
    void putInt(int64_t offset, uint64_t value) { stored[size_t(offset)] = int32_t(value); }
};

bool isFloat(OperandType type);
bool isQuantized(OperandType type);

// The elements in their memory format.
std::vector<uint8_t> bytesOf(const Array& array);

// An operation with its operands.
class Call {
   public:
    Call(const Operation& operation, std::vector<Array> inputs, std::vector<Array> outputs)
        : mOperation(&operation), mInputs(std::move(inputs)), mOutputs(std::move(outputs)) {}

    OperationType type() const { return mOperation->type; }
    size_t inputs() const { return mInputs.size(); }
    size_t outputs() const { return mOutputs.size(); }
    const Array& in(size_t i) const { return mInputs[i]; }
    bool has(size_t i) const { return i < mInputs.size() && !mInputs[i].omitted; }
    std::vector<Array>& results() { return mOutputs; }

    // A scalar, or the default of an omitted one.
    double number(size_t i) const { return mInputs[i].stored.at(0); }
    int64_t integer(size_t i) const { return int64_t(number(i)); }
    int64_t integer(size_t i, int64_t absent) const { return has(i) ? integer(i) : absent; }
    bool flag(size_t i) const { return has(i) && number(i) != 0; }

    // All elements of a tensor of integers.
    Index integers(size_t i) const;

    // The output, with its dimensions set.
    Array& out(size_t i, const Index& dims);

   private:
    const Operation* mOperation;
    std::vector<Array> mInputs;
    std::vector<Array> mOutputs;
};

int64_t product(std::span<const int64_t> dims);

// Calls f(index) for every index vector of a shape, the last index fastest.
template <class F>
void forEach(const Index& dims, F f) {
    Index at(dims.size(), 0);
    for (int64_t left = product(dims); left > 0; --left) {
        f(static_cast<const Index&>(at));
        for (size_t d = dims.size(); d-- > 0;) {
            if (++at[d] < dims[d]) break;
            at[d] = 0;
        }
    }
}

// Calls f(index) for the first element of every lane along an axis.
template <class F>
void forEachLane(Index dims, size_t axis, F f) {
    dims[axis] = 1;
    forEach(dims, f);
}

inline Index with(Index at, size_t axis, int64_t value) {
    at[axis] = value;
    return at;
}

// Applies the fused activation with this code; float results are clamped to finite numbers.
double activated(int64_t code, double value);

// An image tensor in either layout.
struct Image {
    const Array* array;
    bool nchw;
    int64_t batches() const { return array->dims[0]; }
    int64_t height() const { return array->dims[nchw ? 2 : 1]; }
    int64_t width() const { return array->dims[nchw ? 3 : 2]; }
    int64_t channels() const { return array->dims[nchw ? 1 : 3]; }
    double raw(int64_t n, int64_t y, int64_t x, int64_t c) const {
        return nchw ? array->raw({n, c, y, x}) : array->raw({n, y, x, c});
    }
    double real(int64_t n, int64_t y, int64_t x, int64_t c) const {
        return nchw ? array->real({n, c, y, x}) : array->real({n, y, x, c});
    }
};
inline Index imageDims(bool nchw, int64_t n, int64_t h, int64_t w, int64_t c) {
    return nchw ? Index{n, c, h, w} : Index{n, h, w, c};
}

using Function = void (*)(Call& call);
using Functions = std::map<OperationType, Function>;

// The functions, by family.
Functions elementwiseFunctions();
Functions movementFunctions();
Functions reductionFunctions();
Functions imageFunctions();
Functions detectionFunctions();
Functions recurrentFunctions();

}  // namespace nn::oracle
