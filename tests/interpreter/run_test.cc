// Execution on values: graphs of every form, constants in every kind of storage, shapes known only
// during execution.
#include <sys/mman.h>

#include "interpreter/builder.h"
#include "nnapi/memory.h"

namespace nn::run_test {
namespace {

constexpr auto ADD = OperationType::ADD;
constexpr auto MUL = OperationType::MUL;
constexpr auto RELU = OperationType::RELU;
constexpr auto RESHAPE = OperationType::RESHAPE;
constexpr auto SOFTMAX = OperationType::SOFTMAX;
constexpr auto CONCATENATION = OperationType::CONCATENATION;

constexpr auto kInvalid = ErrorStatus::INVALID_ARGUMENT;
constexpr auto kFailure = ErrorStatus::GENERAL_FAILURE;

// y = x + x, over and over.
Model doublings(size_t count, std::vector<uint32_t> dimensions) {
    MainGraph main;
    const auto none = main.scalar(0);
    auto value = main.input(TENSOR_FLOAT32, dimensions);
    for (size_t i = 0; i < count; ++i) {
        const auto doubled = i + 1 == count ? main.output(TENSOR_FLOAT32, dimensions)
                                            : main.temporary(TENSOR_FLOAT32, dimensions);
        main.add(ADD, {value, value, none}, {doubled});
        value = doubled;
    }
    return main.build();
}

TEST(Run, Chain) {
    expectRuns(doublings(5, {2}), {floats({2}, {1, -3})}, {floats({2}, {32, -96})});
}

TEST(Run, ChainOfUnknownSizes) {
    const Model model = doublings(5, {0});
    expectRuns(model, {floats({2}, {1, -3})}, {floats({2}, {32, -96})});
    expectRuns(model, {floats({1}, {2})}, {floats({1}, {64})});
}

TEST(Run, ChainOfUnknownRank) {
    const Model model = doublings(3, {});
    expectRuns(model, {floats({1, 2}, {1, -3})}, {floats({1, 2}, {8, -24})});
    expectRuns(model, {floats({1}, {2})}, {floats({1}, {16})});
}

// Values that are read much later must not share their memory with others meanwhile.
TEST(Run, BranchesThatMeetAgain) {
    MainGraph main;
    const auto none = main.scalar(0);
    const auto x = main.input(TENSOR_FLOAT32, {2});
    const auto kept = main.temporary(TENSOR_FLOAT32, {2});
    main.add(ADD, {x, x, none}, {kept});
    auto value = x;
    for (int i = 0; i < 4; ++i) {
        const auto next = main.temporary(TENSOR_FLOAT32, {2});
        main.add(MUL, {value, kept, none}, {next});
        value = next;
    }
    main.add(ADD, {value, kept, none}, {main.output(TENSOR_FLOAT32, {2})});
    const Model model = main.build();
    // 16 x^5 + 2 x
    expectRuns(model, {floats({2}, {1, 2})}, {floats({2}, {18, 516})});
}

TEST(Run, SeveralOutputsOneOfThemReadAgain) {
    MainGraph main;
    const auto none = main.scalar(0);
    const auto x = main.input(TENSOR_FLOAT32, {2});
    const auto y = main.input(TENSOR_FLOAT32, {2});
    const auto sum = main.output(TENSOR_FLOAT32, {2});
    main.add(ADD, {x, y, none}, {sum});
    main.add(RELU, {sum}, {main.output(TENSOR_FLOAT32, {2})});
    const Model model = main.build();
    expectRuns(model, {floats({2}, {1, -5}), floats({2}, {2, 3})},
               {floats({2}, {3, -2}), floats({2}, {3, 0})});
}

TEST(Run, ReshapeToWhatAnInputSays) {
    MainGraph main;
    const auto x = main.input(TENSOR_FLOAT32, {2, 3});
    const auto shape = main.input(TENSOR_INT32, {0});
    main.add(RESHAPE, {x, shape}, {main.output(TENSOR_FLOAT32, {})});
    const Model model = main.build();
    const std::vector<float> values = {1, 2, 3, 4, 5, 6};
    const Tensor input = floats({2, 3}, values);
    expectRuns(model, {input, ints({2}, {3, -1})}, {floats({3, 2}, values)});
    expectRuns(model, {input, ints({1}, {-1})}, {floats({6}, values)});

    const PreparedModel prepared = prepare(model).value();
    const Tensor inputs[] = {input, ints({1}, {5})};
    EXPECT_THAT(
            prepared.run(inputs),
            Fails(kFailure,
                  "main.operations[0] RESHAPE: input 0 'input' (operand 0) has 6 elements, allowed "
                  "5 as the sizes in input 1 'shape' (operand 1) say [reshape.elements]"));
}

// Plans made before the sizes are known must not be reused across executions.
TEST(Run, OnePreparedModelWithOtherSizesEachTime) {
    MainGraph main;
    const auto x = main.input(TENSOR_FLOAT32, {2});
    const auto multiples = main.input(TENSOR_INT32, {1});
    const auto tiled = main.temporary(TENSOR_FLOAT32, {0});
    main.add(OperationType::TILE, {x, multiples}, {tiled});
    main.add(RELU, {tiled}, {main.output(TENSOR_FLOAT32, {0})});
    const Model model = main.build();
    const PreparedModel prepared = prepare(model).value();
    for (const auto& [times, wanted] : std::vector<std::pair<int32_t, std::vector<float>>>{
                 {1, {1, 2}}, {3, {1, 2, 1, 2, 1, 2}}, {2, {1, 2, 1, 2}}, {1, {1, 2}}}) {
        const Tensor inputs[] = {floats({2}, {1, 2}), ints({1}, {times})};
        const Result<std::vector<Tensor>> outputs = prepared.run(inputs);
        ASSERT_THAT(outputs, Succeeds());
        EXPECT_EQ((*outputs)[0], floats({static_cast<uint32_t>(wanted.size())}, wanted));
    }
}

TEST(Run, ComputedShapeContradictsTheModel) {
    MainGraph main;
    const auto x = main.input(TENSOR_FLOAT32, {0});
    const auto y = main.temporary(TENSOR_FLOAT32, {0});
    const auto axis = main.scalar(0);
    main.add(RELU, {x}, {y});
    main.add(CONCATENATION, {y, y, axis}, {main.output(TENSOR_FLOAT32, {4})});
    const Model model = main.build();
    expectRuns(model, {floats({2}, {1, 2})}, {floats({4}, {1, 2, 1, 2})});

    const PreparedModel prepared = prepare(model).value();
    const Tensor inputs[] = {floats({1}, {1})};
    EXPECT_THAT(prepared.run(inputs),
                Fails(kFailure,
                      "main.operations[1] CONCATENATION: output 0 'output' (operand 3) has "
                      "dimensions [4], but the operation gives [2] [operation.output_shape]"));
}

// The model does not show that the second input will be omitted, so the following operations are
// planned for other dimensions.
TEST(Run, OptionalInputIsOmitted) {
    MainGraph main;
    const auto x = main.input(TENSOR_FLOAT32, {2, 3});
    const auto order = main.input(TENSOR_INT32, {2});
    const auto y = main.temporary(TENSOR_FLOAT32, {});
    main.add(OperationType::TRANSPOSE, {x, order}, {y});
    main.add(RELU, {y}, {main.output(TENSOR_FLOAT32, {})});
    const Model model = main.build();
    const Tensor input = floats({2, 3}, {1, 2, 3, 4, 5, 6});
    const Tensor none{.hasNoValue = true};
    expectRuns(model, {input, ints({2}, {0, 1})}, {input});
    expectRuns(model, {input, none}, {floats({3, 2}, {1, 4, 2, 5, 3, 6})});
}

// LSH_PROJECTION of type 3 must not have weights: valid here only because they can be omitted.
TEST(Run, OptionalInputThatMustBeOmitted) {
    MainGraph main;
    const auto hash = main.constant<float>(TENSOR_FLOAT32, {2, 1}, {0.1f, 0.2f});
    const auto x = main.input(TENSOR_INT32, {3, 2});
    const auto weights = main.input(TENSOR_FLOAT32, {3});
    const auto type = main.scalar(3);
    const auto y = main.output(TENSOR_INT32, {2});
    main.add(OperationType::LSH_PROJECTION, {hash, x, weights, type}, {y});
    const Model model = main.build();
    const PreparedModel prepared = prepare(model).value();
    const Tensor input = ints({3, 2}, {1, 2, 3, 4, 5, 6});
    const Tensor without[] = {input, Tensor{.hasNoValue = true}};
    EXPECT_THAT(prepared.run(without), Succeeds());
    const Tensor with[] = {input, floats({3}, {1, 1, 1})};
    EXPECT_THAT(prepared.run(with),
                Fails(kFailure,
                      "main.operations[0] LSH_PROJECTION: input 2 'weights' (operand 2) has a "
                      "value, allowed only for type 2 (DENSE) [lsh_projection.weights]"));
}

// ---- constants

struct Storage {
    const char* name;
    void (*store)(Model& model, Operand& operand, const std::vector<float>& values);
};

void storeCopy(Model& model, Operand& operand, const std::vector<float>& values, uint32_t offset) {
    std::vector<uint8_t> bytes = std::move(model.operandValues).bytes();
    const auto start = static_cast<uint32_t>(bytes.size()) + offset;
    bytes.resize(start + values.size() * sizeof(float));
    std::memcpy(bytes.data() + start, values.data(), values.size() * sizeof(float));
    operand.lifetime = LifeTime::CONSTANT_COPY;
    operand.location = {.offset = start,
                        .length = static_cast<uint32_t>(values.size() * sizeof(float))};
    model.operandValues = Model::OperandValues(std::move(bytes));
}

void storeReference(Model& model, Operand& operand, const std::vector<float>& values,
                    uint32_t offset) {
    const size_t size = values.size() * sizeof(float);
    model.pools.push_back(*createSharedMemory(offset + size));
    const Mapping mapping = *map(model.pools.back());
    std::memcpy(mapping.mutableData() + offset, values.data(), size);
    operand.lifetime = LifeTime::CONSTANT_REFERENCE;
    operand.location = {.offset = offset, .length = static_cast<uint32_t>(size)};
}

alignas(8) uint8_t gPointedTo[32];  // memory of a caller

void storePointer(Operand& operand, const std::vector<float>& values, uint32_t offset) {
    const size_t size = values.size() * sizeof(float);
    std::memcpy(gPointedTo + offset, values.data(), size);
    operand.lifetime = LifeTime::POINTER;
    operand.location = {.pointer = static_cast<const void*>(gPointedTo + offset),
                        .length = static_cast<uint32_t>(size)};
}

const Storage kStorages[] = {
        {"Copy", [](Model& m, Operand& o, const auto& v) { storeCopy(m, o, v, 0); }},
        {"CopyMisaligned", [](Model& m, Operand& o, const auto& v) { storeCopy(m, o, v, 1); }},
        {"Reference", [](Model& m, Operand& o, const auto& v) { storeReference(m, o, v, 8); }},
        {"ReferenceMisaligned",
         [](Model& m, Operand& o, const auto& v) { storeReference(m, o, v, 5); }},
        {"Pointer", [](Model&, Operand& o, const auto& v) { storePointer(o, v, 4); }},
        {"PointerMisaligned", [](Model&, Operand& o, const auto& v) { storePointer(o, v, 3); }},
};

TEST(Run, ConstantsInEveryStorage) {
    for (const Storage& storage : kStorages) {
        SCOPED_TRACE(storage.name);
        MainGraph main;
        const auto x = main.input(TENSOR_FLOAT32, {2});
        const auto none = main.scalar(0);
        const auto weights = main.temporary(TENSOR_FLOAT32, {2});
        storage.store(main.model, main.graph.operands[weights], {10, 20});
        main.add(MUL, {x, weights, none}, {main.output(TENSOR_FLOAT32, {2})});
        const Model model = main.build();
        expectRuns(model, {floats({2}, {1, 2})}, {floats({2}, {10, 40})});
    }
}

TEST(Run, PoolThatIsShorterThanItSays) {
    Model model = doublings(1, {2});
    storeReference(model, model.main.operands[0], {0}, 0);
    const UniqueFd fd(memfd_create("short", 0));
    model.pools[0] = *createSharedMemory(4096, PROT_READ, fd.get(), 0);
    EXPECT_THAT(prepare(model), Fails(kInvalid,
                                      "main.operands[0]: memory claims bytes 0 to 0 + 4096 of a "
                                      "file of 0 bytes [interpreter.constant]"));
}

// ---- refusals of preparation

TEST(Prepare, ValidatesFirst) {
    Model model = doublings(1, {2});
    model.main.operations[0].inputs.pop_back();
    EXPECT_THAT(
            prepare(model),
            Fails(kInvalid, "main.operations[0] ADD: has 2 inputs, allowed 3 [arithmetic.inputs]"));
}

TEST(Prepare, OperationsWithoutKernel) {
    Model model = doublings(1, {2});
    model.main.operations[0].type = OperationType::OEM_OPERATION;
    EXPECT_THAT(prepare(model), Fails(kFailure,
                                      "main.operations[0] OEM_OPERATION: not implemented: "
                                      "OEM_OPERATION [interpreter.operation]"));
}

TEST(Prepare, ValuesOfUnknownSize) {
    MainGraph main;
    const auto x = main.input(TENSOR_FLOAT32, {2});
    main.input(OEM, {});
    main.add(RELU, {x}, {main.output(TENSOR_FLOAT32, {2})});
    const Model model = main.build();
    EXPECT_THAT(prepare(model),
                Fails(kFailure,
                      "main.operands[1]: not implemented: values of type OEM [interpreter.type]"));
}

TEST(Prepare, ConstantParametersThatMustFail) {
    MainGraph main;
    const auto x = main.input(TENSOR_FLOAT32, {2, 3});
    const auto beta = main.scalar(-1.0f);
    main.add(SOFTMAX, {x, beta}, {main.output(TENSOR_FLOAT32, {2, 3})});
    const Model model = main.build();
    EXPECT_THAT(prepare(model), Fails(kFailure,
                                      "main.operations[0] SOFTMAX: input 1 'beta' (operand 1) is "
                                      "-1, allowed above 0 [softmax.beta]"));
}

TEST(Prepare, ShapesThatContradict) {
    Model model = doublings(2, {2});
    model.main.operands[2].dimensions = {3};
    EXPECT_THAT(prepare(model),
                Fails(kFailure,
                      "main.operations[0] ADD: output 0 'output' (operand 2) has dimensions [3], "
                      "but the operation gives [2] [operation.output_shape]"));
}

TEST(Prepare, DeadlineInThePast) {
    for (const TimePoint past : {Clock::now() - std::chrono::seconds(1), TimePoint::min()}) {
        EXPECT_THAT(prepare(doublings(1, {2}), {.until = {.deadline = past}}),
                    Fails(ErrorStatus::MISSED_DEADLINE_PERSISTENT,
                          "main.operands[0]: the deadline passed during the preparation "
                          "[until.deadline]"));
    }
    EXPECT_THAT(prepare(doublings(1, {2}), {.until = {.deadline = TimePoint::max()}}), Succeeds());
}

// A stop function ends validation and the rest of preparation.
TEST(Prepare, IsStopped) {
    const Model model = doublings(20'000, {2});
    size_t asked = 0;
    const auto stopAt = [&](size_t most) {
        asked = 0;
        return prepare(model,
                       {.until = {.isCancelled = [&asked, most] { return ++asked == most; }}});
    };
    EXPECT_THAT(stopAt(1),
                Fails(kFailure, "main.operands[0]: the preparation was stopped [until.stop]"));
    EXPECT_THAT(stopAt(0), Succeeds());
    const size_t all = asked;
    EXPECT_GT(all, 20u);
    EXPECT_THAT(stopAt(all),
                Fails(kFailure,
                      "main.operations[19644] ADD: the preparation was stopped [until.stop]"));
}

// Each operation has about twice the rank of the previous one.
TEST(Prepare, RanksThatGrow) {
    MainGraph main;
    uint32_t x = main.input(TENSOR_INT32, {1, 1});
    const uint32_t axis = main.scalar(0);
    for (int i = 0; i < 40; ++i) {
        const uint32_t y =
                i < 39 ? main.temporary(TENSOR_INT32, {}) : main.output(TENSOR_INT32, {});
        main.add(OperationType::GATHER, {x, axis, x}, {y});
        x = y;
    }
    Model model = main.build();
    constexpr auto kMessage =
            "main.operations[5] GATHER: output 0 has 65 dimensions, allowed 64 [limits.rank]";
    EXPECT_THAT(prepare(model), Fails(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT, kMessage));

    // The same with shapes known only during execution.
    model.main.operands[0].dimensions = {};
    const PreparedModel prepared = prepare(model).value();
    const Tensor inputs[] = {ints({1, 1}, {0})};
    EXPECT_THAT(prepared.run(inputs), Fails(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT, kMessage));
}

// A list that is too long to be read for each operation in preparation is read in execution.
TEST(Prepare, LongListsAreForExecutions) {
    const auto model = [](size_t length, int32_t axis) {
        MainGraph main;
        const uint32_t x = main.input(TENSOR_FLOAT32, {1, 2});
        const auto axes = main.constant<int32_t>(TENSOR_INT32, {static_cast<uint32_t>(length)},
                                                 std::vector<int32_t>(length, axis));
        main.add(OperationType::MEAN, {x, axes, main.scalar(1)}, {main.output(TENSOR_FLOAT32, {})});
        return main.build();
    };
    constexpr auto kMessage =
            "main.operations[0] MEAN: element 0 of input 1 'axis' (operand 1) is 2, allowed -2 to "
            "1 for rank 2 [mean.axes]";
    const Tensor inputs[] = {floats({1, 2}, {1, 3})};
    EXPECT_THAT(prepare(model(1024, 2)), Fails(kFailure, kMessage));
    const PreparedModel wrong = prepare(model(1025, 2)).value();
    EXPECT_THAT(wrong.run(inputs), Fails(kFailure, kMessage));
    const PreparedModel right = prepare(model(1025, -1)).value();
    const auto outputs = right.run(inputs);
    ASSERT_THAT(outputs, Succeeds());
    EXPECT_EQ(outputs->front(), floats({1, 1}, {2}));
}

TEST(Prepare, MoreTemporariesThanAllowed) {
    const Model model = doublings(3, {1000});
    EXPECT_THAT(prepare(model, {.limits = {.peakBytes = 8064}}), Succeeds());
    EXPECT_THAT(prepare(model, {.limits = {.peakBytes = 8063}}),
                Fails(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                      "main: temporaries take 8064 bytes, allowed 8063 [limits.peak_bytes]"));
}

// ---- refusals of execution

TEST(Run, InputsThatDoNotFit) {
    struct Row {
        const char* name;
        std::vector<Tensor> inputs;
        const char* message;
    };
    const Row kRows[] = {
            {"None", {}, "inputs: 0 values given, allowed 1 [input.count]"},
            {"OtherSize",
             {floats({3, 1}, {1, 2, 3})},
             "inputs[0]: has dimensions [3, 1], allowed [2, 0] [input.dimensions]"},
            {"OtherRank",
             {floats({2}, {1, 2})},
             "inputs[0]: has dimensions [2], allowed [2, 0] [input.dimensions]"},
            {"UnknownSize",
             {floats({2, 0}, {})},
             "inputs[0]: has dimensions [2, 0], allowed only known ones [input.dimensions]"},
            {"TooShort",
             {floats({2, 2}, {1, 2, 3})},
             "inputs[0]: has 12 bytes, allowed 16 for dimensions [2, 2] [input.size]"},
            {"Overflow",
             {floats({2, 4294967295}, {1})},
             "inputs[0]: has 4 bytes, allowed 34359738360 for dimensions [2, 4294967295] "
             "[input.size]"},
            {"Omitted",
             {Tensor{.hasNoValue = true}},
             "inputs[0]: has no value, but main.operations[0] ADD needs one [interpreter.omitted]"},
    };
    const PreparedModel prepared = prepare(doublings(1, {2, 0})).value();
    for (const Row& row : kRows) {
        EXPECT_THAT(prepared.run(row.inputs), Fails(kInvalid, row.message)) << row.name;
    }
}

TEST(Run, OperationThatNeedsElements) {
    MainGraph main;
    const auto x = main.input(TENSOR_FLOAT32, {2});
    const auto begin = main.input(TENSOR_INT32, {1});
    const auto size = main.input(TENSOR_INT32, {1});
    const auto part = main.temporary(TENSOR_FLOAT32, {0});
    main.add(OperationType::SLICE, {x, begin, size}, {part});
    main.add(OperationType::FLOOR, {part}, {main.output(TENSOR_FLOAT32, {0})});
    const Model model = main.build();
    const PreparedModel prepared = prepare(model).value();
    const Tensor inputs[] = {floats({2}, {1, 2}), ints({1}, {0}), ints({1}, {0})};
    EXPECT_THAT(prepared.run(inputs),
                Fails(kFailure,
                      "main.operations[1] FLOOR: input 0 'input' (operand 3) has dimensions [0], "
                      "allowed no 0 [interpreter.zero_size]"));
}

// Unlike FLOOR, its documentation permits tensors without elements.
TEST(Run, EluNeedsNoElements) {
    MainGraph main;
    const auto x = main.input(TENSOR_FLOAT32, {2});
    const auto part = main.temporary(TENSOR_FLOAT32, {0});
    main.add(OperationType::SLICE,
             {x, main.input(TENSOR_INT32, {1}), main.input(TENSOR_INT32, {1})}, {part});
    main.add(OperationType::ELU, {part, main.scalar(1.0f)}, {main.output(TENSOR_FLOAT32, {0})});
    const Model model = main.build();
    expectRuns(model, {floats({2}, {1, 2}), ints({1}, {0}), ints({1}, {0})}, {floats({0}, {})});
}

TEST(Run, DeadlineInThePast) {
    const PreparedModel prepared = prepare(doublings(1, {2})).value();
    const Tensor inputs[] = {floats({2}, {1, 2})};
    EXPECT_THAT(
            prepared.run(inputs, {.deadline = Clock::now() - std::chrono::seconds(1)}),
            Fails(ErrorStatus::MISSED_DEADLINE_TRANSIENT,
                  "main.operations[0] ADD: the deadline passed before it [interpreter.deadline]"));
    for (const TimePoint later : {Clock::now() + std::chrono::hours(1), TimePoint::max()})
        EXPECT_THAT(prepared.run(inputs, {.deadline = later}), Succeeds());
}

TEST(Run, MoreMemoryThanAllowed) {
    const PreparedModel prepared =
            prepare(doublings(3, {0}), {.limits = {.peakBytes = 4096}}).value();
    const auto run = [&](uint32_t size) {
        const Tensor inputs[] = {floats({size}, std::vector<float>(size))};
        return prepared.run(inputs);
    };
    EXPECT_THAT(run(10), Succeeds());
    EXPECT_THAT(run(10000), Fails(ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT,
                                  "main.operations[0] ADD: the execution needs more memory than "
                                  "the 4096 bytes allowed [limits.peak_bytes]"));
    // Neither failed executions nor many small buffers prevent larger ones.
    for (uint32_t size = 16; size <= 320; size += 16) EXPECT_THAT(run(size), Succeeds()) << size;
}

}  // namespace
}  // namespace nn::run_test
