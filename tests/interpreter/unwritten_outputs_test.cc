// The check for unwritten outputs, on kernels that leave elements unwritten.
#include "unwritten_outputs.h"

#include "interpreter/arguments.h"
#include "interpreter/builder.h"
#include "interpreter/run.h"

namespace nn::written_test {
namespace {

using ops::KernelCall;

// y = x except for the last element.
bool leavesTheLastOut(KernelCall& op) {
    const auto x = op.input(0).as<float>();
    std::ranges::copy(x.first(x.size() - 1), op.output(0).mutableAs<float>().begin());
    return true;
}

// y = x + the content of scratch memory.
bool readsWhatNobodyWrote(KernelCall& op) {
    const auto x = op.input(0).as<float>();
    const auto junk = op.scratch<uint8_t>(x.size());
    for (size_t i = 0; i < x.size(); ++i)
        op.output(0).mutableAs<float>()[i] = x[i] + static_cast<float>(junk[i] % 2);
    return true;
}

// y = x, for any number of elements.
bool tellsItsShape(KernelCall& op, bool leavesOneOut) {
    const auto x = op.input(0).as<float>();
    const uint32_t size[] = {static_cast<uint32_t>(x.size())};
    if (!op.resize(0, size)) return false;
    std::ranges::copy(x.subspan(leavesOneOut), op.output(0).mutableAs<float>().begin());
    return true;
}

bool isRight(KernelCall& op) {
    std::ranges::copy(op.input(0).as<float>(), op.output(0).mutableAs<float>().begin());
    return true;
}

// The finding for RELU(FLOOR(x)) if FLOOR uses another kernel.
std::string foundOf(ops::Kernel floor) {
    static ops::Kernel kernel;
    kernel = floor;
    MainGraph main;
    const auto x = main.input(TENSOR_FLOAT32, {4});
    const auto between = main.temporary(TENSOR_FLOAT32, {4});
    main.add(OperationType::FLOOR, {x}, {between});
    main.add(OperationType::RELU, {between}, {main.output(TENSOR_FLOAT32, {4})});
    const Model model = main.build();
    const auto plan = makePlan(model, {});
    if (!plan.ok()) return std::string(plan.status().message());
    const Tensor inputs[] = {floats({4}, {1, 2, 3, 4})};
    return unwritten([&](const ExecuteOptions& options) -> Status {
        ExecutionState state(**plan, Limits{}.peakBytes, 1);
        state.kernelOf = [](OperationType type) {
            return type == OperationType::FLOOR ? kernel : ops::kernelOf(type);
        };
        NNAPI_RETURN_IF_ERROR(takeValues(**plan, inputs, state));
        return Run(**plan, state, options).main();
    });
}

TEST(Written, FindsWhatAKernelLeavesOut) {
    EXPECT_EQ(foundOf(isRight), "");
    EXPECT_EQ(foundOf(leavesTheLastOut),
              "main.operations[0] FLOOR: output 0, byte 12 of 16 was left unwritten");
    EXPECT_EQ(foundOf([](KernelCall& op) { return tellsItsShape(op, false); }), "");
    EXPECT_EQ(foundOf([](KernelCall& op) { return tellsItsShape(op, true); }),
              "main.operations[0] FLOOR: output 0, byte 12 of 16 was left unwritten");
    EXPECT_THAT(foundOf(readsWhatNobodyWrote),
                ::testing::MatchesRegex("main.operations.0. FLOOR: output 0, byte [0-9]+ of 16 "
                                        "depends on memory that was left unwritten"));
}

// Elements that a kernel leaves unwritten are zeros, whatever executions of other models have left
// behind.
TEST(Written, WhatIsLeftOutIsNothingOfOthers) {
    constexpr uint32_t kSizes[] = {4, 200, 2000, 300'000};
    for (int round = 0; round < 8; ++round) {
        for (const uint32_t size : kSizes) {
            MainGraph main;
            const auto x = main.input(TENSOR_FLOAT32, {size});
            main.add(OperationType::FLOOR, {x}, {main.output(TENSOR_FLOAT32, {size})});
            const Model model = main.build();
            const Tensor secret[] = {floats({size}, std::vector<float>(size, 7.5f))};
            ASSERT_THAT(prepare(model)->run(secret), Succeeds());

            const auto plan = makePlan(model, {});
            ASSERT_THAT(plan, Succeeds());
            ExecutionState state(**plan, Limits{}.peakBytes, 1);
            state.kernelOf = [](OperationType) -> ops::Kernel {
                return [](KernelCall&) { return true; };
            };
            ASSERT_THAT(takeValues(**plan, secret, state), Succeeds());
            const ExecuteOptions options;
            nn::Run execution(**plan, state, options);
            ASSERT_THAT(execution.main(), Succeeds());
            EXPECT_THAT(execution.output(0).as<float>(), ::testing::Each(0.0f)) << size;
        }
    }
}

// Memory that was freed is cleared before its reuse.
TEST(Written, MemoryIsClearedWhoeverHadIt) {
    for (const size_t size : {1, 100, 960, 961, 5000, 100'000, 1 << 20, 3 << 20}) {
        for (int i = 0; i < 4; ++i) {
            const AlignedMemory memory(size);
            const std::span<uint8_t> bytes(memory.at(0).get(), size);
            EXPECT_EQ(reinterpret_cast<uintptr_t>(bytes.data()) % kBufferAlignment, 0u);
            EXPECT_EQ(std::ranges::count(bytes, 0), static_cast<ptrdiff_t>(size));
            std::ranges::fill(bytes, 0x5E);
        }
    }
}

}  // namespace
}  // namespace nn::written_test
