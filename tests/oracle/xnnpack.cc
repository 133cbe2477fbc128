#include "oracle/xnnpack.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "nnapi/memory.h"
#include "nnapi/type_utils.h"

#ifdef NNAPI_HAS_XNNPACK
#include "nnapi/driver/xnnpack.h"
#endif

namespace nn::oracle {
namespace {

using LifeTime = Operand::LifeTime;

bool hasSubnormals(OperandType type, const Tensor& tensor) {
    if (type != OperandType::TENSOR_FLOAT32) return false;
    for (size_t i = 0; i < testing::elementCount(type, tensor); ++i) {
        const double value = std::fabs(testing::elementValue(type, tensor, i));
        if (value != 0 && value < 0x1p-126) return true;
    }
    return false;
}

uint32_t moveOperand(const Model& model, uint32_t index, std::map<uint32_t, uint32_t>& moved,
                     Model& to) {
    const auto [at, isNew] =
            moved.try_emplace(index, static_cast<uint32_t>(to.main.operands.size()));
    if (isNew) to.main.operands.push_back(model.main.operands[index]);
    return at->second;
}

// The value of an operand, wherever it is stored.
Tensor valueOf(const SingleOperation& single, uint32_t index) {
    const Model& model = single.model;
    const Operand& operand = model.main.operands[index];
    for (size_t i = 0; i < single.inputs.size(); ++i) {
        if (model.main.inputIndexes[i] == index) return single.inputs[i];
    }
    const DataLocation& at = operand.location;
    Tensor value{.dimensions = operand.dimensions};
    if (operand.lifetime == LifeTime::CONSTANT_COPY) {
        const uint8_t* first = model.operandValues.data() + at.offset;
        value.data.assign(first, first + at.length);
    } else if (operand.lifetime == LifeTime::CONSTANT_REFERENCE) {
        const auto mapping = map(model.pools[at.poolIndex]);
        if (!mapping.ok()) return value;
        value.data.assign(mapping->data() + at.offset, mapping->data() + at.offset + at.length);
    }
    return value;
}

// The largest absolute value of an input of floats.
double magnitudeOf(const SingleOperation& single, size_t input) {
    const uint32_t index = single.model.main.operations.front().inputs[input];
    const Tensor value = valueOf(single, index);
    const OperandType type = single.model.main.operands[index].type;
    double most = 0;
    for (size_t i = 0; i < testing::elementCount(type, value); ++i) {
        most = std::max(most, std::fabs(testing::elementValue(type, value, i)));
    }
    return most;
}

// The tolerance of the test suites, increased where single precision cannot be more accurate.
testing::Tolerance toleranceOfXnnpack(const SingleOperation& single, OperandType type) {
    const Model::Subgraph& main = single.model.main;
    testing::Tolerance tolerance = testing::Criteria().of(type);
    const Operation& operation = main.operations.front();
    if (operation.type == OperationType::RESIZE_BILINEAR && type == OperandType::TENSOR_FLOAT32) {
        // A position has an error of half a unit in its last place, which changes the weights of
        // the two pixels around it.
        double size = 1;
        for (const uint32_t dimension : main.operands[operation.inputs[0]].dimensions) {
            size = std::max<double>(size, dimension);
        }
        tolerance.absolute += size * 0x1p-23 * 2 * magnitudeOf(single, 0);
    }
    // Sums in single precision have an error of a unit in the last place of the sum of magnitudes.
    static const std::set<OperationType> kSums = {
            OperationType::CONV_2D, OperationType::DEPTHWISE_CONV_2D,
            OperationType::GROUPED_CONV_2D, OperationType::TRANSPOSE_CONV_2D,
            OperationType::FULLY_CONNECTED};
    if (kSums.contains(operation.type) && type == OperandType::TENSOR_FLOAT32) {
        const std::vector<uint32_t>& filter = main.operands[operation.inputs[1]].dimensions;
        double terms = 1;
        for (size_t i = 1; i < filter.size(); ++i) terms *= filter[i];
        if (operation.type == OperationType::DEPTHWISE_CONV_2D) terms /= filter.back();
        tolerance.absolute += terms * 0x1p-24 * magnitudeOf(single, 0) * magnitudeOf(single, 1);
    }
    return tolerance;
}

}  // namespace

std::optional<SingleOperation> singleOperation(const Model& model, const Operation& operation,
                                               std::span<const Tensor> known, bool asConstants,
                                               std::span<const Tensor> outputs) {
    SingleOperation single;
    Model& made = single.model;
    made.operandValues = model.operandValues;
    made.pools = model.pools;
    made.relaxComputationFloat32toFloat16 = model.relaxComputationFloat32toFloat16;
    Operation moved{.type = operation.type};
    std::map<uint32_t, uint32_t> places;
    for (const uint32_t index : operation.inputs) {
        const size_t before = made.main.operands.size();
        const uint32_t place = moveOperand(model, index, places, made);
        moved.inputs.push_back(place);
        if (made.main.operands.size() == before) continue;
        Operand& operand = made.main.operands[place];
        if (operand.lifetime == LifeTime::SUBGRAPH) return std::nullopt;
        if (isConstant(operand.lifetime) || operand.lifetime == LifeTime::NO_VALUE) continue;
        operand.dimensions = known[index].dimensions;
        operand.lifetime = LifeTime::SUBGRAPH_INPUT;
        const std::vector<uint8_t>& data = known[index].data;
        if (data.empty() || std::ranges::count(operand.dimensions, 0u) != 0) return std::nullopt;
        single.hasSubnormals = single.hasSubnormals || hasSubnormals(operand.type, known[index]);
        if (asConstants && !made.main.inputIndexes.empty()) {
            const auto location = made.operandValues.append(data.data(), data.size());
            if (!location) return std::nullopt;
            operand.lifetime = LifeTime::CONSTANT_COPY;
            operand.location = *location;
            continue;
        }
        made.main.inputIndexes.push_back(place);
        single.inputs.push_back(known[index]);
    }
    for (size_t i = 0; i < operation.outputs.size(); ++i) {
        const uint32_t place = moveOperand(model, operation.outputs[i], places, made);
        Operand& operand = made.main.operands[place];
        operand.lifetime = LifeTime::SUBGRAPH_OUTPUT;
        operand.dimensions = outputs[i].dimensions;
        if (outputs[i].data.empty()) return std::nullopt;
        moved.outputs.push_back(place);
        made.main.outputIndexes.push_back(place);
    }
    if (made.main.inputIndexes.empty()) return std::nullopt;
    made.main.operations.push_back(std::move(moved));
    return single;
}

std::optional<std::string> differenceOfXnnpack(const SingleOperation& single, size_t output,
                                               const Tensor& expected, const Tensor& actual) {
    const Model::Subgraph& main = single.model.main;
    const OperandType type = main.operands[main.outputIndexes[output]].type;
    // NaN is not compared: a fused activation may turn it into one of its bounds.
    Tensor meant = expected;
    for (size_t i = 0; type == OperandType::TENSOR_FLOAT32 && i < actual.data.size() / 4; ++i) {
        if (!std::isnan(testing::elementValue(type, expected, i))) continue;
        std::memcpy(&meant.data[4 * i], &actual.data[4 * i], 4);
    }
    return difference(type, meant, actual, toleranceOfXnnpack(single, type));
}

#ifdef NNAPI_HAS_XNNPACK
namespace {

Request::Argument argument(std::vector<uint8_t>& bytes, const std::vector<uint32_t>& dimensions) {
    return {.lifetime = Request::Argument::LifeTime::POINTER,
            .location = {.pointer = static_cast<void*>(bytes.data()),
                         .length = static_cast<uint32_t>(bytes.size())},
            .dimensions = dimensions};
}

}  // namespace

std::optional<Result<std::vector<Tensor>>> evaluateByXnnpack(const SingleOperation& single,
                                                             std::span<const Tensor> outputs) {
    static const SharedDevice kDevice = xnnpackDevice();
    if (single.hasSubnormals) return std::nullopt;
    const auto prepared = kDevice->prepareModel(single.model, ExecutionPreference::DEFAULT,
                                                Priority::DEFAULT, {}, {}, {}, {}, {}, {});
    if (!prepared.has_value()) {
        if (prepared.error().code == ErrorStatus::INVALID_ARGUMENT) return std::nullopt;
        return prepared.status();
    }
    std::vector<Tensor> inputs = single.inputs;
    std::vector<Tensor> results(outputs.begin(), outputs.end());
    Request request;
    for (Tensor& input : inputs) {
        request.inputs.push_back(argument(input.data, input.dimensions));
    }
    for (Tensor& result : results) {
        std::ranges::fill(result.data, uint8_t{0xa5});
        request.outputs.push_back(argument(result.data, {}));
    }
    const auto executed = (*prepared)->execute(request, MeasureTiming::NO, {}, {}, {}, {});
    if (!executed.has_value()) return executed.status();
    for (size_t i = 0; i < results.size(); ++i) {
        results[i].dimensions = executed->first[i].dimensions;
    }
    return results;
}
#else
std::optional<Result<std::vector<Tensor>>> evaluateByXnnpack(const SingleOperation&,
                                                             std::span<const Tensor>) {
    return std::nullopt;
}
#endif

}  // namespace nn::oracle
