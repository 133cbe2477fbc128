// What generated models hold: sizes at which kernels decide, within bounds.
#include "nnapi/generate/generate.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <set>
#include <vector>

#include "nnapi/type_utils.h"

namespace nn::generate_test {
namespace {

std::vector<uint8_t> bytesOf(uint64_t seed) {
    std::mt19937_64 random(seed);
    std::vector<uint8_t> bytes(4096);
    for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
    return bytes;
}

// Calls f(model, operation) for operations of the type in executable models.
template <class F>
void forEachDrawn(OperationType type, uint64_t seeds, F f) {
    for (uint64_t seed = 0; seed < seeds; ++seed) {
        const std::vector<uint8_t> bytes = bytesOf(seed);
        testing::Source source(bytes);
        const Model model = testing::validModel(source, {.maxOperations = 1,
                                                         .operations = std::span(&type, 1),
                                                         .executable = true,
                                                         .featureLevel = kVersionFeatureLevel8});
        for (const Operation& operation : model.main.operations) {
            if (operation.type == type) f(model, operation);
        }
    }
}

const std::vector<uint32_t>& dimensionsOf(const Model& model, const Operation& operation,
                                          size_t input) {
    return model.main.operands[operation.inputs[input]].dimensions;
}

// 8 output channels in more than one group are one block of columns of a product; each group fills
// a part.
TEST(GeneratedModels, HaveGroupsWithinABlockOfColumns) {
    std::set<uint32_t> groups, channels;
    forEachDrawn(OperationType::GROUPED_CONV_2D, 4000, [&](const Model& model, const auto& op) {
        const uint32_t outputs = dimensionsOf(model, op, 1)[0];
        const uint32_t group = dimensionsOf(model, op, 1)[3];
        channels.insert(outputs);
        if (outputs == 8) groups.insert(dimensionsOf(model, op, 0).back() / group);
    });
    EXPECT_TRUE(groups.contains(2) || groups.contains(4)) << groups.size();
    for (const uint32_t around : {7, 8, 9, 15, 16, 17, 32}) {
        EXPECT_TRUE(channels.contains(around)) << around;
    }
}

TEST(GeneratedModels, BroadcastBothOperandsInAnyDimension) {
    std::array<size_t, 6> counts{};
    forEachDrawn(OperationType::MAXIMUM, 2000, [&](const Model& model, const auto& op) {
        const auto& a = dimensionsOf(model, op, 0);
        const auto& b = dimensionsOf(model, op, 1);
        bool first = false, second = false;
        for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
            const uint32_t x = a[a.size() - 1 - i], y = b[b.size() - 1 - i];
            first = first || (x == 1 && y != 1);
            second = second || (y == 1 && x != 1);
        }
        const bool kinds[] = {
                a == b, first, second, first && second, a.size() < b.size(), b.size() < a.size()};
        for (size_t i = 0; i < counts.size(); ++i) counts[i] += kinds[i] ? 1 : 0;
    });
    for (size_t i = 0; i < counts.size(); ++i) EXPECT_GT(counts[i], 5u) << i;
}

// The documentation counts the axis of REVERSE from 0, and gives RNN and SVDF the four fused
// activations and LSTM five of its own.
TEST(GeneratedModels, DrawOnlyParametersOfTheDocumentation) {
    struct Row {
        OperationType type;
        size_t input;
        std::set<int32_t> allowed;
    };
    const Row kRows[] = {{OperationType::REVERSE, 1, {0, 1, 2, 3, 4, 5, 6, 7}},
                         {OperationType::RNN, 5, {0, 1, 2, 3}},
                         {OperationType::SVDF, 6, {0, 1, 2, 3}},
                         {OperationType::LSTM, 20, {0, 1, 3, 4, 6}}};
    for (const Row& row : kRows) {
        std::set<int32_t> drawn;
        forEachDrawn(row.type, 400, [&](const Model& model, const auto& op) {
            const Operand& operand = model.main.operands[op.inputs[row.input]];
            if (operand.lifetime != Operand::LifeTime::CONSTANT_COPY) return;
            int32_t value;
            std::memcpy(&value, model.operandValues.data() + operand.location.offset,
                        sizeof(value));
            drawn.insert(value);
        });
        EXPECT_GT(drawn.size(), 3u) << toString(row.type);
        for (const int32_t value : drawn) {
            EXPECT_TRUE(row.allowed.contains(value)) << toString(row.type) << " " << value;
        }
    }
}

// However sizes are multiplied: recurrent weights of u times u have the square.
TEST(GeneratedModels, AreBounded) {
    constexpr uint64_t kMax = 16 * 4096;
    for (const OperationType type :
         {OperationType::RNN, OperationType::QUANTIZED_16BIT_LSTM, OperationType::LSTM,
          OperationType::CONV_2D, OperationType::BATCH_MATMUL, OperationType::EMBEDDING_LOOKUP}) {
        forEachDrawn(type, 1500, [&](const Model& model, const auto&) {
            for (const Operand& operand : model.main.operands) {
                uint64_t elements = 1;
                for (const uint32_t dimension : operand.dimensions) elements *= dimension;
                EXPECT_LE(elements, kMax) << toString(type);
            }
        });
    }
}

}  // namespace
}  // namespace nn::generate_test
