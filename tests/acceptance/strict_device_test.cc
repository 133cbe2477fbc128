// A strict device and prepare agree on every model of tests/vectors, also with one of its constants
// changed.
#include "strict_device.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "vectors.h"

namespace nn::strict_test {
namespace {

TEST(Strict, RefusesOfTheVectorsWhatPrepareRefuses) {
    size_t models = 0;
    size_t refused = 0;
    forEachVector([&](const TestCase& testCase) {
        Model model = testCase.model;
        EXPECT_EQ(strictContradiction(model), std::nullopt) << testCase.name;
        ++models;
        if (models % 8 != 0) return;
        // Sets every parameter to an extreme of its type.
        for (Operand& operand : model.main.operands) {
            if (operand.lifetime != Operand::LifeTime::CONSTANT_COPY) continue;
            if (operand.type != OperandType::INT32 && operand.type != OperandType::TENSOR_INT32)
                continue;
            const DataLocation location = operand.location;
            const std::vector<int32_t> values(location.length / sizeof(int32_t), INT32_MAX);
            operand.lifetime = Operand::LifeTime::POINTER;
            operand.location = {.pointer = static_cast<const void*>(values.data()),
                                .length = location.length};
            const auto wrong = strictContradiction(model);
            EXPECT_EQ(wrong, std::nullopt) << testCase.name;
            refused += prepare(model).ok() ? 0 : 1;
            operand.lifetime = Operand::LifeTime::CONSTANT_COPY;
            operand.location = location;
        }
    });
    EXPECT_GT(models, 6000u);
    EXPECT_GT(refused, 100u);
    fmt::print("{} models, {} mutants that cannot be prepared\n", models, refused);
}

}  // namespace
}  // namespace nn::strict_test
