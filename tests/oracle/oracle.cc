#include "oracle/oracle.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "nnapi/comparison.h"
#include "nnapi/memory.h"
#include "oracle/operation_view.h"

namespace nn::oracle {

bool isFloat(OperandType type) {
    return type == OperandType::FLOAT32 || type == OperandType::FLOAT16 ||
           type == OperandType::TENSOR_FLOAT32 || type == OperandType::TENSOR_FLOAT16;
}

namespace {

struct Range {
    double least;
    double most;
};

// The range of the stored values of quantized types.
Range rangeOf(OperandType type) {
    switch (type) {
        case OperandType::TENSOR_QUANT8_ASYMM:
            return {0, 255};
        case OperandType::TENSOR_QUANT16_ASYMM:
            return {0, 65535};
        case OperandType::TENSOR_QUANT16_SYMM:
            return {-32768, 32767};
        default:
            return {-128, 127};
    }
}

// The nearest binary16 number: 11 significant bits, none below 2^-24.
double roundedToHalf(double value) {
    if (!std::isfinite(value) || value == 0) return value;
    const double unit = std::ldexp(1, std::max(std::ilogb(value), -14) - 10);
    const double rounded = std::nearbyint(value / unit) * unit;
    return std::fabs(rounded) > 65504 ? std::copysign(HUGE_VAL, value) : rounded;
}

}  // namespace

bool isQuantized(OperandType type) {
    static const std::set<OperandType> kTypes = {
            OperandType::TENSOR_QUANT8_ASYMM,  OperandType::TENSOR_QUANT8_ASYMM_SIGNED,
            OperandType::TENSOR_QUANT8_SYMM,   OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL,
            OperandType::TENSOR_QUANT16_ASYMM, OperandType::TENSOR_QUANT16_SYMM};
    return kTypes.contains(type);
}

int64_t product(std::span<const int64_t> dims) {
    int64_t count = 1;
    for (const int64_t dim : dims) count *= dim;
    return count;
}

int64_t Array::offset(std::span<const int64_t> at) const {
    int64_t offset = 0;
    for (size_t d = 0; d < dims.size(); ++d) offset = offset * dims[d] + at[d];
    return offset;
}

double Array::realAt(int64_t offset) const {
    const double value = stored[size_t(offset)];
    if (!channelScales.empty()) {
        const int64_t inner = product(std::span(dims).subspan(channelDim + 1));
        return value * channelScales[size_t(offset / inner % dims[channelDim])];
    }
    return isQuantized(type) ? (value - double(zeroPoint)) * scale : value;
}

void Array::put(int64_t offset, double real) {
    double& element = stored[size_t(offset)];
    if (type == OperandType::TENSOR_FLOAT32) {
        element = static_cast<float>(real);
    } else if (type == OperandType::TENSOR_FLOAT16) {
        element = roundedToHalf(real);
    } else if (isQuantized(type)) {
        const auto [least, most] = rangeOf(type);
        const double value = std::round(real / scale) + double(zeroPoint);
        element = std::isnan(value) ? most : std::min(std::max(value, least), most);
    } else if (type == OperandType::TENSOR_BOOL8) {
        element = real != 0 ? 1 : 0;
    } else {
        putInt(offset, uint64_t(int64_t(real)));
    }
}

namespace {

template <class E>
void append(std::vector<uint8_t>& bytes, E element) {
    const auto* first = reinterpret_cast<const uint8_t*>(&element);
    bytes.insert(bytes.end(), first, first + sizeof(E));
}

uint16_t halfBits(double value) {
    const uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const double size = std::fabs(value);
    if (std::isnan(value)) return sign | 0x7E00;
    if (std::isinf(value)) return sign | 0x7C00;
    if (size < std::ldexp(1, -14)) return sign | uint16_t(std::ldexp(size, 24));
    const int exponent = std::ilogb(size);
    return sign | uint16_t(((exponent + 15) << 10) + int(std::ldexp(size, 10 - exponent)) - 1024);
}

}  // namespace

std::vector<uint8_t> bytesOf(const Array& array) {
    std::vector<uint8_t> bytes;
    for (const double value : array.stored) {
        switch (array.type) {
            case OperandType::FLOAT32:
            case OperandType::TENSOR_FLOAT32:
                append(bytes, static_cast<float>(value));
                break;
            case OperandType::FLOAT16:
            case OperandType::TENSOR_FLOAT16:
                append(bytes, halfBits(value));
                break;
            case OperandType::INT32:
            case OperandType::TENSOR_INT32:
            case OperandType::UINT32:
                append(bytes, uint32_t(int64_t(value)));
                break;
            case OperandType::TENSOR_QUANT16_ASYMM:
            case OperandType::TENSOR_QUANT16_SYMM:
                append(bytes, uint16_t(int64_t(value)));
                break;
            default:
                append(bytes, uint8_t(int64_t(value)));
                break;
        }
    }
    return bytes;
}

Index Call::integers(size_t i) const {
    const Array& array = in(i);
    return {array.stored.begin(), array.stored.end()};
}

Array& Call::out(size_t i, const Index& dims) {
    Array& array = mOutputs.at(i);
    array.dims = dims;
    array.stored.assign(size_t(product(dims)), 0);
    return array;
}

double activated(int64_t code, double value) {
    constexpr double kMaxFloat = std::numeric_limits<float>::max();
    switch (code) {
        case 1:
            return std::min(std::max(value, 0.0), kMaxFloat);
        case 2:
            return std::min(std::max(value, -1.0), 1.0);
        case 3:
            return std::min(std::max(value, 0.0), 6.0);
        default:
            return std::min(std::max(value, -kMaxFloat), kMaxFloat);
    }
}

namespace {

struct NotCovered : std::runtime_error {
    using std::runtime_error::runtime_error;
};

const Functions& functions() {
    static const Functions kFunctions = [] {
        Functions all;
        for (Functions (*family)() : {elementwiseFunctions, movementFunctions, reductionFunctions,
                                      imageFunctions, detectionFunctions, recurrentFunctions}) {
            all.merge(family());
        }
        return all;
    }();
    return kFunctions;
}

Array declared(const Operand& operand) {
    Array array{.type = operand.type,
                .dims = {operand.dimensions.begin(), operand.dimensions.end()},
                .scale = operand.scale,
                .zeroPoint = operand.zeroPoint,
                .omitted = operand.lifetime == Operand::LifeTime::NO_VALUE};
    using PerChannel = Operand::SymmPerChannelQuantParams;
    if (const auto* parameters = std::get_if<PerChannel>(&operand.extraParams)) {
        array.channelScales.assign(parameters->scales.begin(), parameters->scales.end());
        array.channelDim = parameters->channelDim;
    }
    return array;
}

Array arrayOf(const Operand& operand, const Tensor& tensor) {
    Array array = declared(operand);
    array.dims.assign(tensor.dimensions.begin(), tensor.dimensions.end());
    array.omitted = tensor.hasNoValue;
    const size_t count = testing::elementCount(operand.type, tensor);
    for (size_t i = 0; i < count; ++i) {
        array.stored.push_back(testing::elementValue(operand.type, tensor, i));
    }
    return array;
}

Tensor tensorOf(const Array& array) {
    return {.dimensions = {array.dims.begin(), array.dims.end()}, .data = bytesOf(array)};
}

// The values of a graph during its evaluation.
class Graph {
   public:
    Graph(const Model& model, const Model::Subgraph& graph) : mModel(model), mGraph(graph) {
        for (const Operand& operand : graph.operands) mValues.push_back(declared(operand));
    }

    void set(uint32_t operand, Array value) {
        Array& mine = mValues[operand];  // the stored number is kept; its meaning is declared here
        mine.dims = std::move(value.dims);
        mine.stored = std::move(value.stored);
        mine.omitted = value.omitted;
    }

    std::vector<Array> run(std::vector<Array> inputs) {
        for (size_t i = 0; i < inputs.size(); ++i) set(mGraph.inputIndexes[i], inputs[i]);
        for (const Operation& operation : mGraph.operations) run(operation);
        return all(mGraph.outputIndexes);
    }

    std::vector<Array> run(const Operation& operation) {
        for (const uint32_t operand : operation.inputs) load(operand);
        std::vector<Array> results;
        if (operation.type == OperationType::IF) {
            const bool condition = mValues[operation.inputs[0]].stored[0] != 0;
            const auto arguments = all(std::span(operation.inputs).subspan(3));
            results = inner(operation.inputs[condition ? 1 : 2]).run(arguments);
        } else if (operation.type == OperationType::WHILE) {
            results = loop(operation);
        } else {
            const auto found = functions().find(operation.type);
            if (found == functions().end()) throw NotCovered(toString(operation.type));
            Call call(operation, all(operation.inputs), all(operation.outputs));
            found->second(call);
            results = call.results();
        }
        for (size_t i = 0; i < operation.outputs.size(); ++i) set(operation.outputs[i], results[i]);
        return all(operation.outputs);
    }

   private:
    // Reads a constant.
    void load(uint32_t index) {
        const Operand& operand = mGraph.operands[index];
        const DataLocation& at = operand.location;
        Tensor tensor{.dimensions = operand.dimensions};
        if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY) {
            const uint8_t* first = mModel.operandValues.data() + at.offset;
            tensor.data.assign(first, first + at.length);
        } else if (operand.lifetime == Operand::LifeTime::CONSTANT_REFERENCE) {
            const auto mapping = map(mModel.pools[at.poolIndex]);
            if (!mapping.ok()) throw Refused("a pool cannot be mapped");
            const uint8_t* first = mapping->data() + at.offset;
            tensor.data.assign(first, first + at.length);
        } else {
            return;
        }
        mValues[index] = arrayOf(operand, tensor);
    }

    std::vector<Array> all(std::span<const uint32_t> operands) const {
        std::vector<Array> values;
        for (const uint32_t operand : operands) values.push_back(mValues[operand]);
        return values;
    }

    Graph inner(uint32_t operand) const {
        return {mModel, mModel.referenced[mGraph.operands[operand].location.offset]};
    }

    std::vector<Array> loop(const Operation& operation) {
        std::vector<Array> values = all(std::span(operation.inputs).subspan(2));
        for (int turns = 0; inner(operation.inputs[0]).run(values)[0].stored[0] != 0; ++turns) {
            if (turns == 10000) throw Refused("a loop without end");
            const std::vector<Array> next = inner(operation.inputs[1]).run(values);
            std::copy(next.begin(), next.end(), values.begin());
        }
        values.resize(operation.outputs.size());
        return values;
    }

    const Model& mModel;
    const Model::Subgraph& mGraph;
    std::vector<Array> mValues;
};

template <class F>
Evaluation evaluationOf(F run) {
    Evaluation evaluation;
    try {
        for (const Array& array : run()) evaluation.outputs.push_back(tensorOf(array));
    } catch (const Refused& refused) {
        evaluation = {.kind = Evaluation::Kind::REFUSED, .why = refused.what()};
    } catch (const NotCovered& missing) {
        evaluation = {.kind = Evaluation::Kind::NOT_COVERED, .why = missing.what()};
    }
    return evaluation;
}

}  // namespace

bool covers(OperationType type) {
    return functions().contains(type) || type == OperationType::IF || type == OperationType::WHILE;
}

Evaluation evaluate(const Model& model, std::span<const Tensor> inputs) {
    return evaluationOf([&] {
        std::vector<Array> arrays;
        for (size_t i = 0; i < inputs.size(); ++i) {
            arrays.push_back(arrayOf(model.main.operands[model.main.inputIndexes[i]], inputs[i]));
        }
        return Graph(model, model.main).run(std::move(arrays));
    });
}

Evaluation evaluateOperation(const Model& model, const Operation& operation,
                             std::span<const Tensor> known) {
    return evaluationOf([&] {
        Graph graph(model, model.main);
        for (const uint32_t operand : operation.inputs) {
            const Operand& declared = model.main.operands[operand];
            using LifeTime = Operand::LifeTime;
            if (declared.lifetime == LifeTime::SUBGRAPH_INPUT ||
                declared.lifetime == LifeTime::SUBGRAPH_OUTPUT ||
                declared.lifetime == LifeTime::TEMPORARY_VARIABLE) {
                graph.set(operand, arrayOf(declared, known[operand]));
            }
        }
        return graph.run(operation);
    });
}

}  // namespace nn::oracle
