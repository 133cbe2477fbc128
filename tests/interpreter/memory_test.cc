// The memory of executions: planned once, reused, never shared by two values that are live.
#include <random>
#include <thread>

#include "heap.h"
#include "interpreter/arena_planner.h"
#include "interpreter/builder.h"
#include "nnapi/validate.h"

namespace nn::memory_test {
namespace {

template <class F>
size_t allocationsOf(F f) {
    const size_t before = heap::allocations;
    f();
    return heap::allocations - before;
}

// softmax(relu(x + x) * c), in float32 or, with conversions inside, quantized.
Model layers(std::vector<uint32_t> dimensions) {
    MainGraph main;
    const auto none = main.scalar(0);
    const auto x = main.input(TENSOR_FLOAT32, dimensions);
    const auto doubled = main.temporary(TENSOR_FLOAT32, dimensions);
    const auto positive = main.temporary(TENSOR_FLOAT32, dimensions);
    const auto scaled = main.temporary(TENSOR_FLOAT32, dimensions);
    const auto stored = main.temporary(TENSOR_QUANT8_ASYMM, dimensions);
    main.graph.operands[stored].scale = 0.5f;
    const auto weights = main.constant<float>(TENSOR_FLOAT32, {4}, {1, 2, 3, 4});
    const auto result = main.output(TENSOR_QUANT8_ASYMM, dimensions);
    main.graph.operands[result].scale = 1.0f / 256;
    main.add(OperationType::ADD, {x, x, none}, {doubled});
    main.add(OperationType::RELU, {doubled}, {positive});
    main.add(OperationType::MUL, {positive, weights, none}, {scaled});
    main.add(OperationType::QUANTIZE, {scaled}, {stored});
    main.add(OperationType::SOFTMAX, {stored, main.scalar(1.0f)}, {result});
    return main.build();
}

Tensor input(uint32_t seed) {
    std::minstd_rand random(seed);
    std::vector<float> values(12);
    for (float& value : values) value = static_cast<float>(random() % 1000) / 100 - 5;
    return floats({3, 4}, values);
}

TEST(Memory, SecondRunAllocatesNothingButOutputs) {
    const PreparedModel prepared = prepare(layers({3, 4})).value();
    const Tensor inputs[] = {input(1)};
    ASSERT_THAT(prepared.run(inputs), Succeeds());
    // The list of outputs, and dimensions and data of the only output.
    EXPECT_EQ(allocationsOf([&] { ASSERT_TRUE(prepared.run(inputs).ok()); }), 3u);
}

TEST(Memory, SecondExecutionAllocatesNothingButShapes) {
    const PreparedModel prepared = prepare(layers({3, 4})).value();
    Tensor x = input(1);
    std::vector<uint8_t> result(12);
    const Request request{.inputs = {pointerTo(x.data)}, .outputs = {pointerTo(result)}};
    ASSERT_THAT(prepared.execute(request), Succeeds());
    const size_t validating = allocationsOf(
            [&] { ASSERT_TRUE(validateRequestForModel(request, prepared.model()).ok()); });
    // The list of shapes, and the dimensions of the only one.
    EXPECT_EQ(allocationsOf([&] { ASSERT_TRUE(prepared.execute(request).status.ok()); }),
              validating + 2);
}

void expectThreadsAgree(const Model& model) {
    const PreparedModel prepared = prepare(model).value();
    constexpr uint32_t kThreads = 10;
    std::vector<std::vector<Tensor>> expected;
    for (uint32_t t = 0; t < kThreads; ++t) {
        const Tensor inputs[] = {input(t)};
        expected.push_back(*prepared.run(inputs));
    }
    std::atomic<int> differing{0};
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < kThreads; ++t) {
        threads.emplace_back([&, t] {
            const Tensor inputs[] = {input(t)};
            for (int i = 0; i < 100; ++i) {
                const auto found = prepared.run(inputs);
                if (!found.ok() || *found != expected[t]) ++differing;
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(differing, 0);
}

TEST(Memory, TenThreadsExecuteOnePreparedModel) { expectThreadsAgree(layers({3, 4})); }
TEST(Memory, TenThreadsExecuteUnknownShapes) { expectThreadsAgree(layers({0, 4})); }

TEST(Memory, OutlivesThePreparedModelItWasCopiedFrom) {
    Result<PreparedModel> prepared = prepare(layers({3, 4}));
    ASSERT_THAT(prepared, Succeeds());
    const PreparedModel copy = *prepared;
    prepared = makeError(ErrorStatus::GENERAL_FAILURE, "gone");
    const Tensor inputs[] = {input(1)};
    EXPECT_THAT(copy.run(inputs), Succeeds());
}

// ---- offsets of temporaries

TEST(ArenaPlanner, ReusesTheSmallestGapThatFits) {
    ArenaPlanner planner;
    EXPECT_EQ(planner.allocate(128), 0u);
    EXPECT_EQ(planner.allocate(1), 128u);  // occupies 64
    EXPECT_EQ(planner.allocate(64), 192u);
    EXPECT_EQ(planner.allocate(64), 256u);
    planner.release(0, 128);
    planner.release(192, 64);
    EXPECT_EQ(planner.allocate(64), 192u);  // not from the gap of 128
    EXPECT_EQ(planner.allocate(64), 0u);
    EXPECT_EQ(planner.allocate(64), 64u);
    EXPECT_EQ(planner.size(), 320u);
}

TEST(ArenaPlanner, JoinsGapsAndGrowsTheLast) {
    ArenaPlanner planner;
    for (uint64_t i = 0; i < 4; ++i) EXPECT_EQ(planner.allocate(64), i * 64);
    planner.release(64, 64);
    planner.release(192, 64);
    planner.release(128, 64);
    EXPECT_EQ(planner.allocate(192), 64u);
    planner.release(64, 192);
    EXPECT_EQ(planner.allocate(256), 64u);
    EXPECT_EQ(planner.size(), 320u);
}

TEST(ArenaPlanner, SaysWhenSizesOverflow) {
    ArenaPlanner planner;
    EXPECT_EQ(planner.allocate(64), 0u);
    EXPECT_EQ(planner.allocate(UINT64_MAX), std::nullopt);
    EXPECT_EQ(planner.allocate(UINT64_MAX - 64), std::nullopt);
    EXPECT_EQ(planner.size(), 64u);
}

// Values that are live at the same time never overlap, and finally all memory is one gap.
TEST(ArenaPlanner, KeepsWhatLivesApart) {
    std::minstd_rand random(1);
    ArenaPlanner planner;
    std::vector<std::pair<uint64_t, uint64_t>> live;
    for (int i = 0; i < 2000; ++i) {
        if (random() % 2 == 0 && !live.empty()) {
            std::swap(live[random() % live.size()], live.back());
            planner.release(live.back().first, live.back().second);
            live.pop_back();
            continue;
        }
        const uint64_t size = random() % 1000 + 1;
        const uint64_t offset = planner.allocate(size).value();
        for (const auto& [other, otherSize] : live) {
            ASSERT_TRUE(offset + size <= other || other + otherSize <= offset);
        }
        ASSERT_LE(offset + size, planner.size());
        live.emplace_back(offset, size);
    }
    for (const auto& [offset, size] : live) planner.release(offset, size);
    EXPECT_EQ(planner.allocate(planner.size()), 0u);
}

}  // namespace
}  // namespace nn::memory_test
