#define LOG_TAG "sample-npu-kernels"

#include "kernels.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "Tracing.h"
#include "Utils.h"

namespace sample::npu {

using namespace android::nn;
using hal::OperandType;
using hal::OperationType;

namespace {

// Reads and writes elements of either type as real values.
template <class T>
class Elements {
   public:
    explicit Elements(const Tensor& tensor) : mTensor(tensor) {}

    double operator[](size_t i) const {
        T stored;
        std::memcpy(&stored, mTensor.bytes.data() + i * sizeof(T), sizeof(T));
        if constexpr (std::is_same_v<T, float>) {
            return stored;
        } else {
            return (static_cast<int32_t>(stored) - mTensor.shape.offset) *
                   static_cast<double>(mTensor.shape.scale);
        }
    }

   private:
    const Tensor& mTensor;
};

// The range of an activation: of floats, and of stored values.
struct Bounds {
    float min = 0, max = 0;
    int32_t storedMin = 0, storedMax = 0;
};

Bounds boundsOf(int32_t activation, const Shape& shape) {
    Bounds bounds;
    CalculateActivationRangeFloat(activation, &bounds.min, &bounds.max);
    if (shape.type == OperandType::TENSOR_QUANT8_ASYMM) {
        CalculateActivationRangeUint8(activation, shape, &bounds.storedMin, &bounds.storedMax);
    } else if (shape.type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED) {
        CalculateActivationRangeInt8(activation, shape, &bounds.storedMin, &bounds.storedMax);
    }
    return bounds;
}

template <class T>
void store(double real, const Bounds& bounds, size_t i, Tensor* result) {
    T stored;
    if constexpr (std::is_same_v<T, float>) {
        stored = std::min(std::max(static_cast<float>(real), bounds.min), bounds.max);
    } else {
        const double nearest = std::round(real / result->shape.scale) + result->shape.offset;
        stored = static_cast<T>(std::clamp<double>(nearest, bounds.storedMin, bounds.storedMax));
    }
    std::memcpy(result->bytes.data() + i * sizeof(T), &stored, sizeof(T));
}

// How far one step in each dimension of the result moves in an input; 0 for broadcast dimensions.
std::vector<size_t> stepsOf(const Shape& input, const Shape& result) {
    std::vector<size_t> steps(result.dimensions.size(), 0);
    size_t step = 1;
    for (size_t i = 0; i < input.dimensions.size(); ++i) {
        const size_t fromEnd = input.dimensions.size() - 1 - i;
        const uint32_t size = input.dimensions[fromEnd];
        if (size != 1) steps[steps.size() - 1 - i] = step;
        step *= size;
    }
    return steps;
}

template <class T>
void compute(OperationType operation, const Tensor& a, const Tensor& b, const Bounds& bounds,
             Tensor* result) {
    const Elements<T> left(a), right(b);
    const auto& dimensions = result->shape.dimensions;
    const std::vector<size_t> leftSteps = stepsOf(a.shape, result->shape);
    const std::vector<size_t> rightSteps = stepsOf(b.shape, result->shape);
    const size_t count = getNumberOfElements(result->shape);
    std::vector<uint32_t> place(dimensions.size(), 0);
    size_t x = 0, y = 0;
    for (size_t i = 0; i < count; ++i) {
        const double real =
                operation == OperationType::ADD ? left[x] + right[y] : left[x] * right[y];
        store<T>(real, bounds, i, result);
        for (size_t axis = dimensions.size(); axis-- > 0;) {
            x += leftSteps[axis];
            y += rightSteps[axis];
            if (++place[axis] < dimensions[axis]) break;
            x -= leftSteps[axis] * dimensions[axis];
            y -= rightSteps[axis] * dimensions[axis];
            place[axis] = 0;
        }
    }
}

bool allocate(Tensor* result) {
    NN_RET_CHECK(!nonExtensionOperandSizeOfDataOverflowsUInt32(result->shape.type,
                                                               result->shape.dimensions));
    result->bytes.resize(
            nonExtensionOperandSizeOfData(result->shape.type, result->shape.dimensions));
    return true;
}

}  // namespace

bool isComputed(OperandType type) {
    return type == OperandType::TENSOR_FLOAT32 || type == OperandType::TENSOR_QUANT8_ASYMM ||
           type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
}

bool addOrMultiply(OperationType operation, const Tensor& a, const Tensor& b, int32_t activation,
                   Tensor* result) {
    NNTRACE_TRANS("addOrMultiply");
    NN_RET_CHECK(activation >= 0 && activation <= 3) << "unknown activation " << activation;
    NN_RET_CHECK(calculateBroadcastedShape(a.shape, b.shape, &result->shape));
    NN_RET_CHECK(allocate(result));
    NNTRACE_COMP_SWITCH("addOrMultiply::compute");
    const Bounds bounds = boundsOf(activation, result->shape);
    switch (result->shape.type) {
        case OperandType::TENSOR_FLOAT32:
            compute<float>(operation, a, b, bounds, result);
            return true;
        case OperandType::TENSOR_QUANT8_ASYMM:
            compute<uint8_t>(operation, a, b, bounds, result);
            return true;
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
            compute<int8_t>(operation, a, b, bounds, result);
            return true;
        default:
            NN_RET_CHECK_FAIL() << "unsupported type";
    }
}

bool relu(const Tensor& input, Tensor* result) {
    NNTRACE_COMP("relu");
    NN_RET_CHECK(genericActivationPrepare(input.shape, &result->shape));
    NN_RET_CHECK(allocate(result));
    if (result->shape.type == OperandType::TENSOR_FLOAT32) {
        const Elements<float> elements(input);
        for (size_t i = 0; i < getNumberOfElements(result->shape); ++i) {
            const auto value = static_cast<float>(elements[i]);
            const float positive = std::max(value, 0.0f);
            std::memcpy(result->bytes.data() + i * sizeof(float), &positive, sizeof(float));
        }
        return true;
    }
    const bool isSigned = result->shape.type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
    for (size_t i = 0; i < result->bytes.size(); ++i) {
        const int32_t stored =
                isSigned ? static_cast<int8_t>(input.bytes[i]) : int32_t{input.bytes[i]};
        result->bytes[i] = static_cast<uint8_t>(std::max(stored, input.shape.offset));
    }
    return true;
}

bool reshape(const Tensor& input, const Tensor& dimensions, Tensor* result) {
    NNTRACE_COMP("reshape");
    std::vector<int32_t> target(dimensions.bytes.size() / sizeof(int32_t));
    if (!target.empty()) {
        std::memcpy(target.data(), dimensions.bytes.data(), target.size() * sizeof(int32_t));
    }
    NN_RET_CHECK(reshapePrepare(input.shape, target.data(), static_cast<int32_t>(target.size()),
                                &result->shape));
    result->bytes = input.bytes;
    return true;
}

}  // namespace sample::npu
