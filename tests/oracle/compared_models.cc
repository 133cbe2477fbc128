#include "oracle/compared_models.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "nnapi/half.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"

namespace nn::oracle {
namespace {

using LifeTime = Operand::LifeTime;
using Random = std::mt19937_64;

// The kind of random values that an operand may have.
enum class Role {
    FIXED,    // its present values
    VALUES,   // any
    WEIGHTS,  // from -1 to 1: the error of a sum in single precision depends on its terms
    DELTAS,   // small: exponents of a power
    BIAS,     // small compared with sums of products
    INDEXES,  // up to the largest valid one, occasionally one beyond
    BOXES,    // corners of boxes: parts of the original boxes
};

struct RoleRow {
    OperationType type;
    size_t input;
    Role role;
};

// The exceptions: other tensors are VALUES unless they are INT32, and other INT32 are FIXED.
const RoleRow kRoles[] = {
        {OperationType::AXIS_ALIGNED_BBOX_TRANSFORM, 0, Role::BOXES},
        {OperationType::AXIS_ALIGNED_BBOX_TRANSFORM, 1, Role::DELTAS},
        {OperationType::AXIS_ALIGNED_BBOX_TRANSFORM, 3, Role::FIXED},
        {OperationType::BOX_WITH_NMS_LIMIT, 1, Role::BOXES},
        {OperationType::GENERATE_PROPOSALS, 1, Role::DELTAS},
        {OperationType::GENERATE_PROPOSALS, 2, Role::BOXES},
        {OperationType::GENERATE_PROPOSALS, 3, Role::FIXED},
        {OperationType::DETECTION_POSTPROCESSING, 1, Role::DELTAS},
        {OperationType::HEATMAP_MAX_KEYPOINT, 1, Role::BOXES},
        {OperationType::ROI_ALIGN, 1, Role::BOXES},
        {OperationType::ROI_POOLING, 1, Role::BOXES},
        {OperationType::CONV_2D, 1, Role::WEIGHTS},
        {OperationType::CONV_2D, 2, Role::BIAS},
        {OperationType::DEPTHWISE_CONV_2D, 1, Role::WEIGHTS},
        {OperationType::DEPTHWISE_CONV_2D, 2, Role::BIAS},
        {OperationType::GROUPED_CONV_2D, 1, Role::WEIGHTS},
        {OperationType::GROUPED_CONV_2D, 2, Role::BIAS},
        {OperationType::TRANSPOSE_CONV_2D, 1, Role::WEIGHTS},
        {OperationType::TRANSPOSE_CONV_2D, 2, Role::BIAS},
        {OperationType::FULLY_CONNECTED, 1, Role::WEIGHTS},
        {OperationType::FULLY_CONNECTED, 2, Role::BIAS},
        {OperationType::GATHER, 2, Role::INDEXES},
        {OperationType::EMBEDDING_LOOKUP, 0, Role::INDEXES},
        {OperationType::HASHTABLE_LOOKUP, 0, Role::INDEXES},
        {OperationType::AXIS_ALIGNED_BBOX_TRANSFORM, 2, Role::INDEXES},
        {OperationType::BOX_WITH_NMS_LIMIT, 2, Role::INDEXES},
        {OperationType::ROI_ALIGN, 2, Role::INDEXES},
        {OperationType::ROI_POOLING, 2, Role::INDEXES},
        {OperationType::ADD, 0, Role::VALUES},
        {OperationType::ADD, 1, Role::VALUES},
        {OperationType::SUB, 0, Role::VALUES},
        {OperationType::SUB, 1, Role::VALUES},
        {OperationType::MUL, 0, Role::VALUES},
        {OperationType::MUL, 1, Role::VALUES},
        {OperationType::DIV, 0, Role::VALUES},
        {OperationType::DIV, 1, Role::VALUES},
        {OperationType::ABS, 0, Role::VALUES},
        {OperationType::NEG, 0, Role::VALUES},
        {OperationType::CAST, 0, Role::VALUES},
        {OperationType::EQUAL, 0, Role::VALUES},
        {OperationType::LESS, 1, Role::VALUES},
        {OperationType::MAXIMUM, 0, Role::VALUES},
        {OperationType::MINIMUM, 1, Role::VALUES},
        {OperationType::SELECT, 1, Role::VALUES},
        {OperationType::ARGMAX, 0, Role::VALUES},
        {OperationType::ARGMIN, 0, Role::VALUES},
        {OperationType::TOPK_V2, 0, Role::VALUES},
        {OperationType::BATCH_MATMUL, 0, Role::VALUES},
        {OperationType::BATCH_MATMUL, 1, Role::VALUES},
        {OperationType::PACK, 1, Role::VALUES},
        {OperationType::SLICE, 0, Role::VALUES},
        {OperationType::REVERSE, 0, Role::VALUES},
        {OperationType::MIRROR_PAD, 0, Role::VALUES},
        {OperationType::QUANTIZED_16BIT_LSTM, 9, Role::BIAS},
        {OperationType::QUANTIZED_16BIT_LSTM, 10, Role::BIAS},
        {OperationType::QUANTIZED_16BIT_LSTM, 11, Role::BIAS},
        {OperationType::QUANTIZED_16BIT_LSTM, 12, Role::BIAS},
        {OperationType::QUANTIZED_LSTM, 12, Role::BIAS},
        {OperationType::QUANTIZED_LSTM, 13, Role::BIAS},
        {OperationType::QUANTIZED_LSTM, 14, Role::BIAS},
        {OperationType::QUANTIZED_LSTM, 15, Role::BIAS},
        {OperationType::QUANTIZED_LSTM, 17, Role::BIAS},
};

Role roleOf(OperationType type, size_t input, const Operand& operand) {
    for (const RoleRow& row : kRoles) {
        if (row.type == type && row.input == input) return row.role;
    }
    const bool isTensor = isNonExtensionTensor(operand.type);
    return isTensor && operand.type != OperandType::TENSOR_INT32 ? Role::VALUES : Role::FIXED;
}

// The role of each operand of a graph; of several roles the strictest.
std::vector<Role> rolesOf(const Model::Subgraph& graph) {
    std::vector<Role> roles(graph.operands.size(), Role::FIXED);
    std::vector<std::set<Role>> all(graph.operands.size());
    for (const Operation& operation : graph.operations) {
        for (size_t i = 0; i < operation.inputs.size(); ++i) {
            const uint32_t operand = operation.inputs[i];
            all[operand].insert(roleOf(operation.type, i, graph.operands[operand]));
        }
    }
    for (size_t i = 0; i < roles.size(); ++i) {
        if (all[i].size() == 1) roles[i] = *all[i].begin();
        if (all[i].size() == 2 && *all[i].begin() == Role::VALUES) roles[i] = *all[i].rbegin();
        if (roles[i] == Role::BOXES && all[i].size() > 1) roles[i] = Role::FIXED;
    }
    return roles;
}

template <class E>
E elementAt(const std::vector<uint8_t>& data, size_t i) {
    E element{};
    std::memcpy(&element, data.data() + i * sizeof(E), sizeof(E));
    return element;
}
template <class E>
void setElement(std::vector<uint8_t>& data, size_t i, E element) {
    std::memcpy(data.data() + i * sizeof(E), &element, sizeof(E));
}

double uniform(Random& random, double least, double most) {
    return std::uniform_real_distribution<double>(least, most)(random);
}

// How the elements of one tensor are drawn: fine, coarse (so that equal values and halves occur),
// wide, positive, or from the extremes of float.
struct Style {
    Style(Random& random, bool ends) : kind(random() % 4), hasEnds(ends) {}
    double draw(Random& random) const {
        static constexpr double kEnds[] = {
                HUGE_VAL, -HUGE_VAL, 3.4028234663852886e38, -1e30, 1e-40, -0.0, NAN, 1};
        if (hasEnds) return kEnds[random() % std::size(kEnds)];
        switch (kind) {
            case 0:
                return uniform(random, -1, 1);
            case 1:
                return static_cast<double>(static_cast<int64_t>(random() % 17) - 8) / 4;
            case 2:
                return uniform(random, -8, 8);
            default:
                return uniform(random, 0, 1);
        }
    }
    uint64_t kind;
    bool hasEnds;
};

// Calls f(reference to element as its type) with get and set for every element, as doubles.
template <class F>
void eachElement(OperandType type, std::vector<uint8_t>& data, F f) {
    const auto each = [&]<class E>(E) {
        for (size_t i = 0; i < data.size() / sizeof(E); ++i) {
            setElement(data, i, static_cast<E>(f(static_cast<double>(elementAt<E>(data, i)), i)));
        }
    };
    switch (type) {
        case OperandType::TENSOR_FLOAT32:
            return each(float{});
        case OperandType::TENSOR_FLOAT16:
            for (size_t i = 0; i < data.size() / 2; ++i) {
                const double value = halfToFloat(elementAt<uint16_t>(data, i));
                setElement(data, i, floatToHalf(static_cast<float>(f(value, i))));
            }
            return;
        case OperandType::TENSOR_INT32:
            return each(int32_t{});
        case OperandType::TENSOR_QUANT16_ASYMM:
            return each(uint16_t{});
        case OperandType::TENSOR_QUANT16_SYMM:
            return each(int16_t{});
        case OperandType::TENSOR_QUANT8_ASYMM:
        case OperandType::TENSOR_BOOL8:
            return each(uint8_t{});
        default:
            return each(int8_t{});
    }
}

void fillFloats(OperandType type, Role role, bool ends, std::vector<uint8_t>& data,
                Random& random) {
    const Style style(random, ends);
    const double factor = role == Role::DELTAS || role == Role::WEIGHTS ? 0.125 : 1;
    eachElement(type, data, [&](double, size_t) { return style.draw(random) * factor; });
}

void fillIntegers(const Operand& operand, Role role, std::vector<uint8_t>& data, Random& random) {
    int64_t least = 0, most = 255;
    switch (operand.type) {
        case OperandType::TENSOR_INT32:
            least = role == Role::BIAS || random() % 2 == 0 ? -500 : INT32_MIN;
            most = least == -500 ? 500 : INT32_MAX;
            break;
        case OperandType::TENSOR_BOOL8:
            most = 1;
            break;
        case OperandType::TENSOR_QUANT16_ASYMM:
            most = 65535;
            break;
        case OperandType::TENSOR_QUANT16_SYMM:
            least = -32768;
            most = 32767;
            break;
        case OperandType::TENSOR_QUANT8_ASYMM:
            break;
        default:
            least = -128;
            most = 127;
    }
    if (role == Role::DELTAS || random() % 4 == 0) {  // few values, around real 0
        const double unit = role == Role::DELTAS && operand.scale > 0 ? 0.5 / operand.scale : 4;
        const auto reach = static_cast<int64_t>(std::min(unit, 127.0));
        least = std::max(least, operand.zeroPoint - reach);
        most = std::min(most, operand.zeroPoint + reach);
    }
    std::uniform_int_distribution<int64_t> draw(least, most);
    eachElement(operand.type, data, [&](double, size_t) { return draw(random); });
}

// (x1, y1, x2, y2): each side moves inwards by at most a quarter.
void shrinkBoxes(OperandType type, std::vector<uint8_t>& data, Random& random) {
    std::vector<double> old;
    eachElement(type, data, [&](double v, size_t) {
        old.push_back(v);
        return v;
    });
    if (old.size() % 4 != 0) return;
    const bool isInteger = type == OperandType::TENSOR_QUANT16_ASYMM;
    eachElement(type, data, [&](double v, size_t i) {
        const double other = old[i % 4 < 2 ? i + 2 : i - 2];
        const double moved = v + (other - v) * uniform(random, 0, 0.25);
        return isInteger ? std::floor(moved) : moved;
    });
}

void fillIndexes(std::vector<uint8_t>& data, Random& random) {
    int64_t least = 0, most = 0;
    eachElement(OperandType::TENSOR_INT32, data, [&](double v, size_t) {
        most = std::max(most, static_cast<int64_t>(v));
        return v;
    });
    if (random() % 8 == 0) --least;
    if (random() % 8 == 0) ++most;
    std::uniform_int_distribution<int64_t> draw(least, most);
    eachElement(OperandType::TENSOR_INT32, data, [&](double, size_t) { return draw(random); });
}

void fill(const Operand& operand, Role role, bool ends, std::vector<uint8_t>& data,
          Random& random) {
    const bool isFloat = operand.type == OperandType::TENSOR_FLOAT32 ||
                         operand.type == OperandType::TENSOR_FLOAT16;
    if (role == Role::BOXES) {
        shrinkBoxes(operand.type, data, random);
    } else if (role == Role::INDEXES) {
        fillIndexes(data, random);
    } else if (isFloat) {
        fillFloats(operand.type, role, ends, data, random);
    } else {
        fillIntegers(operand, role, data, random);
    }
}

// Fills a constant, which becomes a CONSTANT_COPY.
void fillConstant(Model& model, Operand& operand, Role role, Random& random) {
    DataLocation& at = operand.location;
    std::vector<uint8_t> data;
    if (operand.lifetime == LifeTime::CONSTANT_COPY) {
        const uint8_t* first = model.operandValues.data() + at.offset;
        data.assign(first, first + at.length);
    } else {
        const auto mapping = map(model.pools[at.poolIndex]);
        if (!mapping.ok()) return;
        data.assign(mapping->data() + at.offset, mapping->data() + at.offset + at.length);
    }
    fill(operand, role, false, data, random);
    if (const auto place = model.operandValues.append(data.data(), data.size())) {
        at = *place;
        operand.lifetime = LifeTime::CONSTANT_COPY;
    }
}

}  // namespace

size_t bytesOfConstants(const Model& model) {
    size_t bytes = model.operandValues.size();
    for (const SharedMemory& pool : model.pools) bytes += size(pool);
    return bytes;
}

void showTemporaries(Model& model) {
    for (const Operation& operation : model.main.operations) {
        const bool dependsOnData = operation.type == OperationType::BOX_WITH_NMS_LIMIT ||
                                   operation.type == OperationType::GENERATE_PROPOSALS;
        if (!dependsOnData) continue;
        for (const uint32_t output : operation.outputs) {
            std::vector<uint32_t>& dimensions = model.main.operands[output].dimensions;
            if (!dimensions.empty()) dimensions[0] = 0;
        }
    }
    for (uint32_t i = 0; i < model.main.operands.size(); ++i) {
        Operand& operand = model.main.operands[i];
        if (operand.lifetime != LifeTime::TEMPORARY_VARIABLE) continue;
        operand.lifetime = LifeTime::SUBGRAPH_OUTPUT;
        model.main.outputIndexes.push_back(i);
    }
}

void randomise(Model& model, std::vector<Tensor>& inputs, Random& random) {
    const auto hasLoop = [](const Model::Subgraph& graph) {
        return std::ranges::count(graph.operations, OperationType::WHILE, &Operation::type) != 0;
    };
    if (hasLoop(model.main) || std::ranges::any_of(model.referenced, hasLoop)) return;
    const std::vector<Role> roles = rolesOf(model.main);
    for (size_t i = 0; i < roles.size(); ++i) {
        Operand& operand = model.main.operands[i];
        if (roles[i] != Role::FIXED && isConstant(operand.lifetime)) {
            fillConstant(model, operand, roles[i], random);
        }
    }
    const bool ends = random() % 8 == 0;
    for (size_t i = 0; i < inputs.size(); ++i) {
        const uint32_t operand = model.main.inputIndexes[i];
        if (roles[operand] != Role::FIXED && !inputs[i].hasNoValue) {
            fill(model.main.operands[operand], roles[operand], ends && random() % 2 == 0,
                 inputs[i].data, random);
        }
    }
}

}  // namespace nn::oracle
