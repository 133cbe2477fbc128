// A conversion needs at most the memory of the resulting model, and no further allocation for each
// operand. If an allocation fails, it returns that status, and its argument is unchanged.
#include "convert_test.h"
#include "heap.h"
#include "nnapi/relocation.h"

namespace nn::allocation_test {
namespace {

using heap::peakOf;

// A chain of RELU6 over 2 x 2 floats, with extra parameters in versions that have them.
Model bigModel(HalVersion version) {
    Model model = reluModel();
    for (uint32_t i = 0; i < 1000; ++i) {
        Operand operand = tensor(Operand::LifeTime::TEMPORARY_VARIABLE);
        if (i % 2 == 1 && version >= HalVersion::V1_2) {
            operand.type = OperandType::TENSOR_QUANT8_SYMM_PER_CHANNEL;
            operand.extraParams = Operand::SymmPerChannelQuantParams{.scales = {1, 1}};
        }
        model.main.operands.push_back(operand);
        model.main.operations.push_back(
                {.type = OperationType::RELU6, .inputs = {0}, .outputs = {i + 2}});
    }
    return model;
}

TEST(Allocation, TwoCopiesOfTheGraphAreEnough) {
    const Model model = bigModel(HalVersion::V1_0);
    const size_t copy = peakOf([&] { const Model copied(model); });
    forEachVersion([&]<HalVersion V>() {
        // AIDL stores locations of values with 64 bits, so its arrays of numbers cannot be reused.
        constexpr bool kIsAidl = halVersionInfo(V)->family == HalFamily::AIDL;
        EXPECT_LE(copy + peakOf([&] { EXPECT_TRUE(convertTo<V>(model).ok()); }),
                  kIsAidl ? copy * 21 / 10 : 2 * copy);
        // Neither AIDL nor strict ranges of HIDL reuse arrays.
        if constexpr (kIsAidl || hal::kIsStrict) return;
        const size_t thereAndBack = peakOf([&] {
            Model given(model);
            auto versioned = convertTo<V>(std::move(given));
            given = {};
            EXPECT_TRUE(convertFrom<V>(*std::move(versioned)).ok());
        });
        EXPECT_LE(thereAndBack, copy * 3 / 2);
    });
}

#ifndef NNAPI_STRICT_HAL

// A few allocations for the whole model, and none for each operand.
TEST(Allocation, MovesWhatEachOperandOfAnRvalueHolds) {
    forEachHidlVersion([&]<HalVersion V>() {
        Model given = bigModel(V);
        size_t before = heap::allocations;
        auto versioned = unvalidatedConvertTo<V>(std::move(given));
        EXPECT_LE(heap::allocations - before, 3u);
        ASSERT_TRUE(versioned.ok());
        before = heap::allocations;
        const auto back = unvalidatedConvert(*std::move(versioned));
        EXPECT_LE(heap::allocations - before, 3u);
        EXPECT_EQ(back.value(), bigModel(V));
    });
}

#endif

// Validating does not allocate. Converting allocates the result: three arrays, and a handle or a
// memory.
TEST(Allocation, ConvertingARequestAllocatesOnlyTheResult) {
    const Model model = reluModel();
    const Request request = {.inputs = {{.location = {.length = 16}}},
                             .outputs = {{.location = {.offset = 16, .length = 16}}},
                             .pools = {createSharedMemory(32).value()}};
    size_t before = heap::allocations;
    EXPECT_TRUE(validateRequestForModel(request, model).ok());
    EXPECT_EQ(heap::allocations - before, 0u);
    before = heap::allocations;
    const auto versioned = V1_3::utils::unvalidatedConvert(request);
    EXPECT_LE(heap::allocations - before, 3u + 3u);
    before = heap::allocations;
    const auto back = unvalidatedConvert(*versioned);
    EXPECT_LE(heap::allocations - before, 3u + 1u);
    EXPECT_EQ(back.value(), request);
}

// Fails the first allocation of a step, then the second, until the step succeeds. Calls `check`
// after each failure. Returns the number of failures.
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

TEST(Allocation, LeavesModelUnchangedOnFailure) {
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

TEST(Allocation, ReturnsStatusOfFailedAllocation) {
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
