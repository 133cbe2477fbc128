// The location of constants during execution: in place if no other process can write to them,
// otherwise in copies. Bytes shared by several constants are copied once.
#include <cstring>

#include "interpreter/buffers.h"
#include "interpreter/builder.h"
#include "nnapi/memory.h"

namespace nn::constants_test {
namespace {

using enum OperationType;

// Kernels never access memory that another process may write.
static_assert(!std::is_constructible_v<ops::Bytes, const uint8_t*>);
static_assert(!std::is_constructible_v<ops::MutableBytes, uint8_t*>);
static_assert(!std::is_constructible_v<ops::MutableBytes, ops::Bytes>);
static_assert(!std::is_constructible_v<SealedMemory, Mapping>);

// The sum of constants in a pool: 4 floats each, at these offsets.
Model sumOf(const SharedMemory& pool, const std::vector<uint32_t>& offsets) {
    MainGraph main;
    uint32_t sum = main.input(TENSOR_FLOAT32, {4});
    const auto none = main.scalar(0);
    for (size_t i = 0; i < offsets.size(); ++i) {
        main.graph.operands.push_back({.type = TENSOR_FLOAT32,
                                       .dimensions = {4},
                                       .lifetime = LifeTime::CONSTANT_REFERENCE,
                                       .location = {.offset = offsets[i], .length = 16}});
        const auto constant = static_cast<uint32_t>(main.graph.operands.size() - 1);
        const auto next = i + 1 == offsets.size() ? main.output(TENSOR_FLOAT32, {4})
                                                  : main.temporary(TENSOR_FLOAT32, {4});
        main.add(ADD, {sum, constant, none}, {next});
        sum = next;
    }
    main.model.pools = {pool};
    return main.build();
}

SharedMemory poolOf(const std::vector<float>& values, size_t before) {
    SharedMemory pool = createSharedMemory(before + values.size() * 4).value();
    const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
    EXPECT_TRUE(writeMemory(pool, before, {bytes, values.size() * 4}).ok());
    return pool;
}

std::vector<float> runOnZeros(const PreparedModel& prepared) {
    const std::vector<Tensor> zeros{{.dimensions = {4}, .data = std::vector<uint8_t>(16)}};
    const auto outputs = prepared.run(zeros);
    EXPECT_THAT(outputs, Succeeds());
    std::vector<float> values(4);
    if (outputs.ok()) std::memcpy(values.data(), (*outputs)[0].data.data(), 16);
    return values;
}

std::string refusal(uint64_t copied) {
    return "main.operands[2]: has " + std::to_string(copied) + " bytes, allowed " +
           std::to_string(copied - 1) + " [limits.constant_bytes]";
}

// {at, expected}: ranges that are disjoint, adjacent, overlapping or equal, and that begin at odd
// addresses.
struct Row {
    std::vector<uint32_t> offsets;
    std::vector<float> sum;
    uint64_t copied;
};

TEST(Constants, AreCopiedOnceWhereSomebodyMayWrite) {
    const std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    const Row rows[] = {
            {{0}, {1, 2, 3, 4}, 16},
            {{0, 32}, {10, 12, 14, 16}, 32},
            {{0, 16}, {6, 8, 10, 12}, 32},
            {{16, 0, 8}, {9, 12, 15, 18}, 32},
            {{8, 8, 8, 8}, {12, 16, 20, 24}, 16},
            {{0, 32, 16, 4, 28}, {25, 30, 35, 40}, 48},
    };
    for (const size_t before : {0, 1, 2, 3}) {
        const SharedMemory pool = poolOf(values, before);
        for (Row row : rows) {
            SCOPED_TRACE(::testing::PrintToString(row.offsets));
            for (uint32_t& offset : row.offsets) offset += static_cast<uint32_t>(before);
            const Model model = sumOf(pool, row.offsets);
            const PreparedModel prepared =
                    prepare(model, {.limits = {.constantBytes = row.copied}}).value();
            EXPECT_EQ(runOnZeros(prepared), row.sum);
            EXPECT_THAT(prepare(model, {.limits = {.constantBytes = row.copied - 1}}),
                        Fails(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT, refusal(row.copied)));
        }
    }
}

// A float whose bytes are all equal can be read at any address.
TEST(Constants, OfManyAlignments) {
    float element;
    std::memset(&element, 0x3F, sizeof(element));
    const SharedMemory pool = poolOf(std::vector<float>(64, element), 0);
    const PreparedModel prepared = prepare(sumOf(pool, {0, 1, 2, 3, 4, 5, 0, 1}),
                                           {.limits = {.constantBytes = 20 + 20 + 16 + 16}})
                                           .value();
    EXPECT_EQ(runOnZeros(prepared), std::vector<float>(4, element * 8));
}

TEST(Constants, APeerThatWritesLaterChangesNothing) {
    const SharedMemory pool = poolOf({1, 2, 3, 4}, 0);
    const PreparedModel prepared = prepare(sumOf(pool, {0})).value();
    std::memset(map(pool)->mutableData(), 0xFF, 16);
    EXPECT_EQ(runOnZeros(prepared), (std::vector<float>{1, 2, 3, 4}));
}

TEST(Constants, InSealedMemoryAreNotCopied) {
    const SharedMemory pool = poolOf({1, 2, 3, 4}, 0);
    ASSERT_TRUE(sealMemory(pool).ok());
    const auto prepared =
            prepare(sumOf(pool, {0}), {.limits = {.constantBytes = 4}});  // the scalar
    ASSERT_THAT(prepared, Succeeds());
    EXPECT_EQ(runOnZeros(*prepared), (std::vector<float>{1, 2, 3, 4}));
}

// Copying checks the deadline and the stop function, even within one constant.
TEST(Constants, CopyingCanBeStopped) {
    constexpr uint32_t kElements = 1 << 26;
    const SharedMemory pool = createSharedMemory(size_t{kElements} * 4).value();
    MainGraph main;
    const auto x = main.input(TENSOR_FLOAT32, {kElements});
    main.graph.operands.push_back({.type = TENSOR_FLOAT32,
                                   .dimensions = {kElements},
                                   .lifetime = LifeTime::CONSTANT_REFERENCE,
                                   .location = {.length = kElements * 4}});
    const auto constant = static_cast<uint32_t>(main.graph.operands.size() - 1);
    main.add(MAXIMUM, {x, constant}, {main.output(TENSOR_FLOAT32, {kElements})});
    main.model.pools = {pool};
    const Model model = main.build();
    size_t looks = 0;
    ASSERT_THAT(prepare(model, {.until = {.isCancelled = [&] { return ++looks == 0; }}}),
                Succeeds());
    const size_t all = looks;
    ASSERT_GT(all, 10u);
    EXPECT_THAT(
            prepare(model, {.until = {.isCancelled = [&] { return ++looks == all + all / 2; }}}),
            Fails(ErrorStatus::GENERAL_FAILURE,
                  "main.operands[1]: the preparation was stopped [until.stop]"));
}

TEST(PreparedModel, ThatWasMovedFromStillExecutes) {
    const SharedMemory pool = poolOf({1, 2, 3, 4}, 0);
    PreparedModel prepared = prepare(sumOf(pool, {0})).value();
    // NOLINTBEGIN(performance-move-const-arg,bugprone-use-after-move): tests the moved-from model.
    const PreparedModel taken = std::move(prepared);
    EXPECT_EQ(runOnZeros(prepared), runOnZeros(taken));
    EXPECT_EQ(&prepared.model(), &taken.model());
    EXPECT_FALSE(prepared.execute({}).status.ok());
    // NOLINTEND(performance-move-const-arg,bugprone-use-after-move)
}

}  // namespace
}  // namespace nn::constants_test
