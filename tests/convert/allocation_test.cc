// A conversion needs at most the memory of the model that it makes, and nothing for each operand
// beside it. Where there is no memory, that is what it answers, and what it was given stays.
#include "convert_test.h"
#include "heap.h"
#include "nnapi/relocation.h"

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

// Lets the first allocation of a step fail, then the second, until the step ends otherwise. After
// each that failed, `check` looks at what is left. How many there were.
template <class Step, class Check>
size_t failEach(Step step, Check check) {
    for (size_t n = 1;; ++n) {
        heap::failAt(n);
        const Status status = step();
        heap::failAt(0);
        if (errorStatus(status) != ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT) return n - 1;
        check();
    }
}

const float kData[] = {1, 2, 3, 4};

TEST(Allocation, ThatFailsLeavesTheModelAsItWas) {
    if (!heap::kCanFail)
        GTEST_SKIP() << "without exceptions, to run out of memory ends the process";
    Model model = reluModel();
    for (int i = 0; i < 2; ++i) {
        Operand operand = tensor(Operand::LifeTime::POINTER);
        operand.location = {.pointer = kData, .length = sizeof(kData)};
        model.main.operands.push_back(operand);
    }
    const Model before = model;
    EXPECT_GT(failEach([&] { return flushDataFromPointerToShared(&model); },
                       [&] { EXPECT_EQ(model, before); }),
              3u);
    EXPECT_EQ(model.pools.size(), 1u);
}

TEST(Allocation, ThatFailsIsTheAnswer) {
    if (!heap::kCanFail)
        GTEST_SKIP() << "without exceptions, to run out of memory ends the process";
    const Request request = {.inputs = {{.lifetime = Request::Argument::LifeTime::POINTER,
                                         .location = {.pointer = kData, .length = sizeof(kData)}}}};
    EXPECT_GT(failEach([&] { return convertRequestFromPointerToShared(request).status(); }, [] {}),
              3u);
    const Request newer = {.pools = {MemoryDomainToken{1}}};
    EXPECT_GT(failEach([&] { return V1_2::utils::compliantVersion(newer); }, [] {}), 0u);
}

}  // namespace
}  // namespace nn::allocation_test
