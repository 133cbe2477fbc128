// Replaces values by simpler ones: 0, then 1, then numbers of fewer bits.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "device_test/shrink/shrinker.h"
#include "nnapi/comparison.h"
#include "nnapi/half.h"
#include "nnapi/type_utils.h"

namespace nn::testing {
namespace {

// Tensors of more elements are only filled and blanked in parts.
constexpr size_t kMaxElements = 1024;

// The stored value of 0.
double zeroOf(const Operand& operand) {
    switch (operand.type) {
        case OperandType::TENSOR_QUANT8_ASYMM:
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
        case OperandType::TENSOR_QUANT16_ASYMM:
            return operand.zeroPoint;
        default:
            return 0;
    }
}

bool isReal(OperandType type) {
    return type == OperandType::FLOAT32 || type == OperandType::TENSOR_FLOAT32 ||
           type == OperandType::FLOAT16 || type == OperandType::TENSOR_FLOAT16;
}

double storedIn(const EditableTensor& tensor, size_t element) {
    return elementValue(tensor.type, {.data = *tensor.data}, element);
}

template <class E>
void storeAs(uint8_t* to, double value) {
    E element;
    if constexpr (std::is_floating_point_v<E>) {
        element = static_cast<E>(value);
    } else {
        constexpr double kLeast = std::numeric_limits<E>::min(),
                         kMost = std::numeric_limits<E>::max();
        element = static_cast<E>(std::isnan(value) ? 0 : std::clamp(value, kLeast, kMost));
    }
    std::memcpy(to, &element, sizeof(element));
}

void store(const EditableTensor& tensor, size_t element, double value) {
    uint8_t* to = tensor.data->data() + element * elementSize(tensor.type);
    switch (tensor.type) {
        case OperandType::FLOAT32:
        case OperandType::TENSOR_FLOAT32:
            return storeAs<float>(to, value);
        case OperandType::FLOAT16:
        case OperandType::TENSOR_FLOAT16: {
            const uint16_t half = floatToHalf(static_cast<float>(value));
            std::memcpy(to, &half, sizeof(half));
            return;
        }
        case OperandType::INT32:
        case OperandType::TENSOR_INT32:
            return storeAs<int32_t>(to, value);
        case OperandType::UINT32:
            return storeAs<uint32_t>(to, value);
        case OperandType::TENSOR_QUANT16_ASYMM:
            return storeAs<uint16_t>(to, value);
        case OperandType::TENSOR_QUANT16_SYMM:
            return storeAs<int16_t>(to, value);
        case OperandType::TENSOR_QUANT8_SYMM:
        case OperandType::TENSOR_QUANT8_ASYMM_SIGNED:
        case OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL:
            return storeAs<int8_t>(to, value);
        default:
            return storeAs<uint8_t>(to, value);
    }
}

// With only the first significant bits, and the unit of the last of them, which has the same sign.
double rounded(double value, int bits) {
    int exponent = 0;
    const double fraction = std::frexp(value, &exponent);
    return std::ldexp(std::trunc(std::ldexp(fraction, bits)), exponent - bits);
}
double unitOf(double value, int bits) {
    int exponent = 0;
    std::frexp(value, &exponent);
    return std::copysign(std::ldexp(1.0, exponent - bits), value);
}

// Simpler numbers for one that is `value` above zero, the simplest first.
std::vector<double> simplerThan(const Operand& operand, double stored) {
    const double zero = zeroOf(operand);
    const double value = stored - zero;
    if (!std::isfinite(value)) return {zero, zero + 1, zero - 1};
    std::vector<double> simpler{0, 1, -1, 2, std::round(value), std::trunc(value / 2)};
    for (const int bits : {1, 2, 4, 8}) {
        const double below = rounded(value, bits);
        simpler.push_back(below);
        simpler.push_back(below + unitOf(value, bits));
    }
    simpler.push_back(std::abs(value));
    if (isReal(operand.type)) simpler.push_back(value / 2);
    for (double& each : simpler) each += zero;
    const uint64_t own = complexityOf(operand, stored);
    std::erase_if(simpler, [&](double each) { return complexityOf(operand, each) >= own; });
    std::ranges::stable_sort(simpler, {}, [&](double each) { return complexityOf(operand, each); });
    simpler.erase(std::unique(simpler.begin(), simpler.end()), simpler.end());
    return simpler;
}

}  // namespace

uint64_t complexityOf(const Operand& operand, double stored) {
    const double value = stored - zeroOf(operand);
    if (value == 0) return 0;
    if (!std::isfinite(value)) return 200;
    const uint64_t sign = value < 0 ? 1 : 0;
    int exponent = 0;
    const double fraction = std::frexp(std::abs(value), &exponent);
    const auto significand = static_cast<uint64_t>(std::ldexp(fraction, 53));
    const auto bits = static_cast<uint64_t>(53 - std::countr_zero(significand));
    return 1 + sign + bits + static_cast<uint64_t>(std::abs(exponent - 1));
}

// All of it 0, or 1, or blocks of it 0.
bool Shrinker::simplifyTensor(size_t tensor) {
    const auto fill = [&](size_t begin, size_t count, double above) {
        return acceptsChange([&](EditableCase& candidate) {
            const std::vector<EditableTensor> tensors = editableTensors(candidate);
            if (tensor >= tensors.size()) return false;
            const Operand& operand = *tensors[tensor].operand;
            const size_t size = elementSize(operand.type);
            const size_t all = tensors[tensor].data->size() / size;
            bool isChanged = false;
            for (size_t i = begin; i < std::min(all, begin + count); ++i) {
                const double value = zeroOf(operand) + above;
                isChanged |= storedIn(tensors[tensor], i) != value;
                store(tensors[tensor], i, value);
            }
            return isChanged;
        });
    };
    EditableCase now = edit();
    const std::vector<EditableTensor> tensors = editableTensors(now);
    if (tensor >= tensors.size()) return false;
    const size_t all = tensors[tensor].data->size() / elementSize(tensors[tensor].type);
    bool isSmaller = fill(0, all, 0);
    if (isSmaller) return true;
    isSmaller = all > 1 && fill(0, all, 1);
    const size_t least = all > kMaxElements ? all / 64 : 1;
    for (size_t block = all / 2; block >= least && block > 0 && !isOver(); block /= 2) {
        for (size_t begin = 0; begin < all; begin += block) {
            isSmaller |= fill(begin, block, 0);
        }
    }
    return isSmaller;
}

bool Shrinker::simplifyElements(size_t tensor) {
    EditableCase now = edit();
    const std::vector<EditableTensor> tensors = editableTensors(now);
    if (tensor >= tensors.size()) return false;
    const EditableTensor& own = tensors[tensor];
    const size_t all = own.data->size() / elementSize(own.type);
    if (all > kMaxElements) return false;
    const Operand operand = *own.operand;
    bool isSmaller = false;
    for (size_t i = 0; i < all; ++i) {
        double value = storedIn(own, i);
        for (bool isSimpler = true; isSimpler && !isOver();) {
            isSimpler = false;
            for (const double simpler : simplerThan(operand, value)) {
                isSimpler = acceptsChange([&](EditableCase& candidate) {
                    store(editableTensors(candidate)[tensor], i, simpler);
                    return true;
                });
                if (!isSimpler) continue;
                value = simpler;
                isSmaller = true;
                break;
            }
        }
    }
    return isSmaller;
}

template <class ScaleOf>
static bool setScalesOf(Model::Subgraph& graph, ScaleOf scaleOf) {
    auto& operands = graph.operands;
    bool isChanged = false;
    for (Operand& operand : operands) {
        if (operand.scale == 0 || operand.type == OperandType::TENSOR_INT32) continue;
        const float scale = scaleOf(operand.scale);
        isChanged |= scale != operand.scale;
        operand.scale = scale;
    }
    for (const Operation& operation : graph.operations) {
        for (const uint32_t input : operation.inputs) {
            if (operands[input].type != OperandType::TENSOR_INT32) continue;
            if (operands[input].scale == 0 || operation.inputs.size() < 2) continue;
            operands[input].scale =
                    operands[operation.inputs[0]].scale * operands[operation.inputs[1]].scale;
        }
    }
    return isChanged;
}

// Scales that are powers of two, and zero points of 0. The scale of a bias is the product of the
// scales before it.
bool Shrinker::simplifyQuantization() {
    const auto setScales = [](EditableCase& candidate, auto scaleOf) {
        bool isChanged = false;
        for (size_t graph = 0; graph < candidate.graphCount(); ++graph) {
            isChanged |= setScalesOf(candidate.graph(graph), scaleOf);
        }
        return isChanged;
    };
    bool isSmaller = acceptsChange(
            [&](EditableCase& e) { return setScales(e, [](float) { return 1.0f; }); });
    isSmaller |= acceptsChange([&](EditableCase& e) {
        return setScales(e, [](float scale) { return std::exp2(std::round(std::log2(scale))); });
    });
    for (size_t i = 0; i < mSmallest.model.main.operands.size() && !isOver(); ++i) {
        isSmaller |= acceptsChange([&](EditableCase& candidate) {
            Operand& operand = candidate.main().operands[i];
            if (operand.zeroPoint == 0) return false;
            for (const EditableTensor& tensor : editableTensors(candidate)) {
                if (tensor.operand != &operand) continue;
                const size_t all = tensor.data->size() / elementSize(tensor.type);
                const double least =
                        tensor.type == OperandType::TENSOR_QUANT8_ASYMM_SIGNED ? -128 : 0;
                for (size_t k = 0; k < all; ++k) {
                    store(tensor, k, std::max(storedIn(tensor, k) - operand.zeroPoint, least));
                }
            }
            operand.zeroPoint = 0;
            return true;
        });
    }
    return isSmaller;
}

bool Shrinker::shrinkValues() {
    bool isSmaller = false;
    EditableCase now = edit();
    const size_t count = editableTensors(now).size();
    for (size_t i = 0; i < count && !isOver(); ++i) isSmaller |= simplifyTensor(i);
    isSmaller |= simplifyQuantization();
    for (size_t i = 0; i < count && !isOver(); ++i) isSmaller |= simplifyElements(i);
    return isSmaller;
}

}  // namespace nn::testing
