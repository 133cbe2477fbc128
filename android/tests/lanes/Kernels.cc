#define LOG_TAG "lanes-kernels"

#include "Kernels.h"

#include <LegacyUtils.h>
#include <android-base/logging.h>
#include <nnapi/TypeUtils.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace vendor::lanes {

using nn::FusedActivationFunc;
using nn::OperandType;
using nn::OperationType;
using nn::RunTimeOperandInfo;

namespace {

// How far an operand advances for one step along each dimension of the output.
std::vector<size_t> stridesWithin(const nn::Dimensions& operand, const nn::Dimensions& output) {
    std::vector<size_t> strides(output.size(), 0);
    size_t stride = 1;
    for (size_t i = 1; i <= operand.size(); ++i) {
        const uint32_t size = operand[operand.size() - i];
        if (size != 1) strides[output.size() - i] = stride;
        stride *= size;
    }
    return strides;
}

// The offset in an operand for an element of the output.
class Cursor {
   public:
    Cursor(const nn::Dimensions& operand, const nn::Dimensions& output)
        : mSizes(output), mStrides(stridesWithin(operand, output)), mAt(output.size(), 0) {}

    size_t place() const { return mPlace; }
    void advance() {
        for (size_t i = mSizes.size(); i-- > 0;) {
            mPlace += mStrides[i];
            if (++mAt[i] < mSizes[i]) return;
            mPlace -= mStrides[i] * mSizes[i];
            mAt[i] = 0;
        }
    }

   private:
    const nn::Dimensions& mSizes;
    const std::vector<size_t> mStrides;
    std::vector<uint32_t> mAt;
    size_t mPlace = 0;
};

template <typename T>
double load(const RunTimeOperandInfo& operand, size_t place) {
    T stored;
    std::memcpy(&stored, operand.buffer + place * sizeof(T), sizeof(T));
    if constexpr (std::is_floating_point_v<T>) {
        return stored;
    } else {
        return (static_cast<double>(stored) - operand.zeroPoint) * operand.scale;
    }
}

template <typename T>
void store(double value, const RunTimeOperandInfo& operand, size_t place) {
    T stored;
    if constexpr (std::is_floating_point_v<T>) {
        stored = static_cast<T>(value);
    } else {
        const double steps = std::round(value / operand.scale) + operand.zeroPoint;
        stored = static_cast<T>(std::clamp<double>(steps, std::numeric_limits<T>::min(),
                                                   std::numeric_limits<T>::max()));
    }
    std::memcpy(operand.buffer + place * sizeof(T), &stored, sizeof(T));
}

double activate(double value, FusedActivationFunc activation) {
    switch (activation) {
        case FusedActivationFunc::RELU:
            return std::max(value, 0.0);
        case FusedActivationFunc::RELU1:
            return std::clamp(value, -1.0, 1.0);
        case FusedActivationFunc::RELU6:
            return std::clamp(value, 0.0, 6.0);
        default:
            return value;
    }
}

template <typename T>
bool computeAs(const Step& step, const nn::OptionalTimePoint& deadline) {
    constexpr size_t kBetweenLooks = 16384;
    const nn::Dimensions& dimensions = step.output->dimensions;
    const RunTimeOperandInfo& second = step.b == nullptr ? *step.a : *step.b;
    const uint32_t count = nn::getNumberOfElements(step.output->shape());
    Cursor a(step.a->dimensions, dimensions);
    Cursor b(second.dimensions, dimensions);
    for (size_t i = 0; i < count; ++i, a.advance(), b.advance()) {
        if (i % kBetweenLooks == 0 && nn::hasDeadlinePassed(deadline)) return false;
        double value = load<T>(*step.a, a.place());
        if (step.type == OperationType::ADD) value += load<T>(second, b.place());
        if (step.type == OperationType::MUL) value *= load<T>(second, b.place());
        store<T>(activate(value, step.activation), *step.output, i);
    }
    return true;
}

}  // namespace

bool isLaneType(OperandType type) {
    return type == OperandType::TENSOR_FLOAT32 || type == OperandType::TENSOR_QUANT8_ASYMM ||
           type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED;
}

bool inferShape(const Step& step) {
    nn::Shape shape = step.output->shape();
    if (step.b == nullptr) {
        NN_RET_CHECK(nn::SetShape(step.a->shape(), &shape));
    } else {
        NN_RET_CHECK(nn::calculateBroadcastedShape(step.a->shape(), step.b->shape(), &shape))
                << "inputs " << nn::toString(step.a->dimensions) << " and "
                << nn::toString(step.b->dimensions);
    }
    step.output->dimensions = shape.dimensions;
    return true;
}

bool compute(const Step& step, const nn::OptionalTimePoint& deadline) {
    switch (step.output->type) {
        case OperandType::TENSOR_FLOAT32:
            return computeAs<float>(step, deadline);
        case OperandType::TENSOR_QUANT8_ASYMM:
            return computeAs<uint8_t>(step, deadline);
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
            return computeAs<int8_t>(step, deadline);
        default:
            LOG(FATAL) << "a program has an operand of " << step.output->type;
            return false;
    }
}

}  // namespace vendor::lanes
