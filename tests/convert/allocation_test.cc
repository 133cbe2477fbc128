// A conversion needs at most the memory of the model that it makes, and nothing for each operand
// beside it.
#include "convert_test.h"
#include "heap.h"

namespace nn::allocation_test {
namespace {

using heap::peakOf;

TEST(Allocation, TwoCopiesOfTheGraphAreEnough) {
    Model model = reluModel();
    for (uint32_t i = 0; i < 1000; ++i) {
        model.main.operands.push_back(tensor(Operand::LifeTime::TEMPORARY_VARIABLE));
        model.main.operations.push_back(
                {.type = OperationType::RELU6, .inputs = {0}, .outputs = {i + 2}});
    }
    const size_t copy = peakOf([&] { const Model copied(model); });
    forEachVersion([&]<HalVersion V>() {
        EXPECT_LE(copy + peakOf([&] { EXPECT_TRUE(convertTo<V>(model).ok()); }), 2 * copy);
        const size_t thereAndBack = peakOf([&] {
            Model given(model);
            auto versioned = convertTo<V>(std::move(given));
            given = {};
            EXPECT_TRUE(convertFrom<V>(*std::move(versioned)).ok());
        });
        EXPECT_LE(thereAndBack, 2 * copy);
    });
}

}  // namespace
}  // namespace nn::allocation_test
