// A valid model with any values returns outputs or a status, without a finding of the sanitizers.
// Every vector is executed with extreme values instead of its inputs and constants.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "nnapi/half.h"
#include "nnapi/interpreter.h"
#include "nnapi/io.h"
#include "nnapi/type_utils.h"
#include "vectors.h"

namespace nn::extreme_values_test {
namespace {

using enum OperandType;

// The stored bits of one element of each kind.
struct Extreme {
    const char* name;
    float real;
    int32_t integer;
    uint8_t byte;
};

constexpr float kInfinity = std::numeric_limits<float>::infinity();
const Extreme kExtremes[] = {
        {"Zero", 0.0f, 0, 0},
        {"NaN", std::numeric_limits<float>::quiet_NaN(), INT32_MIN, 255},
        {"Infinity", kInfinity, INT32_MAX, 127},
        {"MinusInfinity", -kInfinity, -1, 128},
        {"Largest", std::numeric_limits<float>::max(), INT32_MAX - 1, 254},
        {"Tiny", -std::numeric_limits<float>::denorm_min(), INT32_MIN + 1, 1},
};

template <class E>
void fillWith(E element, std::span<uint8_t> bytes) {
    for (size_t i = 0; i + sizeof(E) <= bytes.size(); i += sizeof(E))
        std::memcpy(bytes.data() + i, &element, sizeof(E));
}

void fill(OperandType type, const Extreme& extreme, std::span<uint8_t> bytes) {
    switch (type) {
        case FLOAT32:
        case TENSOR_FLOAT32:
            return fillWith(extreme.real, bytes);
        case FLOAT16:
        case TENSOR_FLOAT16:
            return fillWith(floatToHalf(extreme.real), bytes);
        case INT32:
        case UINT32:
        case TENSOR_INT32:
            return fillWith(extreme.integer, bytes);
        case TENSOR_QUANT16_SYMM:
        case TENSOR_QUANT16_ASYMM:
            return fillWith(static_cast<uint16_t>(extreme.integer >> 16), bytes);
        default:
            return fillWith(extreme.byte, bytes);
    }
}

// The part to fill: only inputs; constant tensors too; or the scalars, which are mostly parameters.
enum class Part { INPUTS, INPUTS_AND_CONSTANT_TENSORS, FLOAT_SCALARS, INT_SCALARS };
constexpr Part kParts[] = {Part::INPUTS, Part::INPUTS_AND_CONSTANT_TENSORS, Part::FLOAT_SCALARS,
                           Part::INT_SCALARS};

// Integer tensors among the constants are axes, paddings and shapes.
bool isFilled(Part part, OperandType type) {
    switch (part) {
        case Part::INPUTS:
            return false;
        case Part::INPUTS_AND_CONSTANT_TENSORS:
            return isNonExtensionTensor(type) && type != TENSOR_INT32;
        case Part::FLOAT_SCALARS:
            return type == FLOAT32 || type == FLOAT16;
        case Part::INT_SCALARS:
            return type == INT32;
    }
    return false;
}

// The CONSTANT_COPY operands of the part.
std::vector<const Operand*> constantsOf(const Model& model, Part part) {
    std::vector<const Operand*> constants;
    const auto add = [&](const Model::Subgraph& graph) {
        for (const Operand& operand : graph.operands) {
            if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY &&
                isFilled(part, operand.type)) {
                constants.push_back(&operand);
            }
        }
    };
    add(model.main);
    for (const Model::Subgraph& graph : model.referenced) add(graph);
    return constants;
}

// The model with these operands filled.
Model filled(const Model& original, std::span<const Operand* const> constants,
             const Extreme& extreme) {
    Model model = original;
    std::vector<uint8_t> bytes = std::move(model.operandValues).bytes();
    for (const Operand* operand : constants) {
        const DataLocation& at = operand->location;
        fill(operand->type, extreme, std::span(bytes).subspan(at.offset, at.length));
    }
    model.operandValues = Model::OperandValues(std::move(bytes));
    return model;
}

struct Counts {
    size_t computed = 0;
    size_t refused = 0;
};

void execute(const TestCase& testCase, Part part, std::span<const Operand* const> constants,
             const Extreme& extreme, Counts& counts) {
    const Model model = filled(testCase.model, constants, extreme);
    std::vector<Tensor> inputs = testCase.inputs;
    if (part == Part::INPUTS || part == Part::INPUTS_AND_CONSTANT_TENSORS) {
        for (size_t i = 0; i < inputs.size(); ++i) {
            fill(model.main.operands[model.main.inputIndexes[i]].type, extreme, inputs[i].data);
        }
    }
    const Result<PreparedModel> prepared =
            prepare(model, {.limits = {.peakBytes = 64 << 20, .loopFuel = 1000}});
    if (!prepared.ok()) {
        ++counts.refused;
        EXPECT_FALSE(prepared.status().message().empty());
        return;
    }
    const Result<std::vector<Tensor>> outputs =
            prepared->run(inputs, {.loopTimeout = std::chrono::milliseconds(5)});
    if (!outputs.ok()) {
        ++counts.refused;
        EXPECT_FALSE(outputs.status().message().empty());
        return;
    }
    ++counts.computed;
    ASSERT_EQ(outputs->size(), model.main.outputIndexes.size());
    for (size_t i = 0; i < outputs->size(); ++i) {
        const OperandType type = model.main.operands[model.main.outputIndexes[i]].type;
        uint64_t size = elementSize(type);
        for (const uint32_t dimension : (*outputs)[i].dimensions) size *= dimension;
        EXPECT_EQ((*outputs)[i].data.size(), size);
    }
}

TEST(ExtremeValues, EveryVectorReturns) {
    Counts counts;
    size_t cases = 0;
    forEachVector([&](const TestCase& testCase) {
        for (const Part part : kParts) {
            const std::vector<const Operand*> constants = constantsOf(testCase.model, part);
            // Without such constants it is the unmodified vector, or the one with its inputs
            // filled.
            if (constants.empty() && part != Part::INPUTS) continue;
            for (const Extreme& extreme : kExtremes) {
                SCOPED_TRACE(::testing::Message() << testCase.name << " " << extreme.name << " "
                                                  << static_cast<int>(part));
                ++cases;
                execute(testCase, part, constants, extreme, counts);
            }
        }
    });
    EXPECT_EQ(counts.computed + counts.refused, cases);
    EXPECT_GT(cases, 100'000u);
    EXPECT_GT(counts.computed, counts.refused);
    RecordProperty("computed", static_cast<int>(counts.computed));
    RecordProperty("refused", static_cast<int>(counts.refused));
}

}  // namespace
}  // namespace nn::extreme_values_test
