// Signed and unsigned 8-bit quantization represent the same numbers, stored 128 apart: every vector
// with TENSOR_QUANT8_ASYMM is executed again with TENSOR_QUANT8_ASYMM_SIGNED and gives the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "nnapi/interpreter.h"
#include "nnapi/io.h"
#include "nnapi/memory.h"
#include "nnapi/print.h"
#include "nnapi/validate.h"
#include "vectors.h"

namespace nn::signed_test {
namespace {

using enum OperandType;

// Operations that do not treat stored values as numbers (keys, hashes, casts, a pad value in a
// scalar), or that have no signed form.
bool seesStoredValues(const Model::Subgraph& graph) {
    using enum OperationType;
    constexpr OperationType kTypes[] = {CAST, HASHTABLE_LOOKUP, LSH_PROJECTION, PAD_V2,
                                        QUANTIZED_16BIT_LSTM};
    return std::ranges::any_of(graph.operations, [&](const Operation& operation) {
        return std::ranges::find(kTypes, operation.type) != std::end(kTypes);
    });
}

void shift(std::span<uint8_t> bytes) {
    for (uint8_t& byte : bytes) byte ^= 0x80;
}

// The same model with signed operands; empty if it has no unsigned ones, or if its operations do
// not support signed ones.
std::optional<Model> madeSigned(const Model& original) {
    Model model = original;
    std::vector<uint8_t> values = std::move(model.operandValues).bytes();
    std::set<uint32_t> shifted;
    bool hasAny = false;
    const auto change = [&](Model::Subgraph& graph) {
        for (Operand& operand : graph.operands) {
            if (operand.type != TENSOR_QUANT8_ASYMM) continue;
            hasAny = true;
            operand.type = TENSOR_QUANT8_ASYMM_SIGNED;
            operand.zeroPoint -= 128;
            DataLocation& at = operand.location;
            if (operand.lifetime == Operand::LifeTime::CONSTANT_REFERENCE) {  // becomes a copy
                const Result<Mapping> pool = map(model.pools[at.poolIndex]);
                const uint8_t* bytes = pool->data() + at.offset;
                operand.lifetime = Operand::LifeTime::CONSTANT_COPY;
                at = {.offset = static_cast<uint32_t>(values.size()), .length = at.length};
                values.insert(values.end(), bytes, bytes + at.length);
            }
            if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY &&
                shifted.insert(at.offset).second) {
                shift(std::span(values).subspan(at.offset, at.length));
            }
        }
    };
    change(model.main);
    for (Model::Subgraph& graph : model.referenced) change(graph);
    model.operandValues = Model::OperandValues(std::move(values));
    if (!hasAny || !validate(model).ok()) return std::nullopt;
    return model;
}

// Shifts the tensors that are unsigned in the original.
void shiftUnsigned(const Model& original, const std::vector<uint32_t>& operands,
                   std::vector<Tensor>& tensors) {
    for (size_t i = 0; i < tensors.size(); ++i) {
        if (original.main.operands[operands[i]].type == TENSOR_QUANT8_ASYMM) shift(tensors[i].data);
    }
}

Result<std::vector<Tensor>> execute(const Model& model, const std::vector<Tensor>& inputs) {
    NNAPI_ASSIGN_OR_RETURN(prepared, prepare(model));
    // Some vectors are infinite loops.
    return prepared.run(inputs, {.loopTimeout = std::chrono::milliseconds(200)});
}

TEST(Signed, EveryVectorComputesTheSameAs128Apart) {
    size_t compared = 0;
    forEachVector([&](const TestCase& testCase) {
        const Model& model = testCase.model;
        if (seesStoredValues(model.main) ||
            std::ranges::any_of(model.referenced, seesStoredValues)) {
            return;
        }
        const std::optional<Model> other = madeSigned(model);
        const Result<std::vector<Tensor>> expected = execute(model, testCase.inputs);
        if (!other || !expected.ok()) return;
        std::vector<Tensor> inputs = testCase.inputs;
        shiftUnsigned(model, model.main.inputIndexes, inputs);
        Result<std::vector<Tensor>> outputs = execute(*other, inputs);
        ASSERT_TRUE(outputs.ok()) << testCase.name << ": " << outputs.status();
        shiftUnsigned(model, model.main.outputIndexes, *outputs);
        EXPECT_EQ(*outputs, *expected) << testCase.spec << " " << testCase.name;
        ++compared;
    });
    EXPECT_GT(compared, 500u);
    RecordProperty("compared", static_cast<int>(compared));
}

}  // namespace
}  // namespace nn::signed_test
