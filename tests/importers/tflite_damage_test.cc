// Files of TensorFlow Lite that would take time or memory out of proportion to their size, since
// their tables share their targets. Without its check each takes minutes or gigabytes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "importers/lite_file.h"
#include "nnapi/import/tflite.h"

namespace nn::tflite {
namespace {

using ::testing::HasSubstr;
using Op = BuiltinOperator;
constexpr TensorType kFloats32 = TensorType::FLOAT32;
constexpr int32_t kMany = 10'000;  // operators that share something

std::string errorOf(const std::vector<uint8_t>& bytes, bool isPartial = false) {
    const auto imported = importTflite(bytes, {.partial = isPartial});
    if (!imported.ok()) return std::string(imported.status().message());
    return std::string(preparationErrors(*imported).message());
}

// All operators have one list of inputs.
TEST(TfliteSharing, OfListsIsLimited) {
    flatbuffers::FlatBufferBuilder builder;
    const auto list = builder.CreateVector(std::vector<int32_t>(kMany, 0));
    std::vector<flatbuffers::Offset<Operator>> operators;
    for (int32_t i = 0; i < kMany; ++i) {
        operators.push_back(CreateOperator(builder, 0, list, list));
    }
    const std::vector tensors = {CreateTensor(builder)};
    const std::vector graphs = {
            CreateSubGraphDirect(builder, &tensors, nullptr, nullptr, &operators)};
    const std::vector kinds = {CreateOperatorCode(builder, 0, 0, 1, Op::ADD_N)};
    FinishModelBuffer(builder, CreateModelDirect(builder, 3, &kinds, &graphs));
    const uint8_t* bytes = builder.GetBufferPointer();
    EXPECT_THAT(errorOf({bytes, bytes + builder.GetSize()}), HasSubstr("share lists or names"));
}

// A tensor's name is repeated for each operator that writes it.
TEST(TfliteSharing, OfNamesIsLimited) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(kFloats32, {2}), y = g.output(kFloats32, {2});
    g.at(y).name = std::string(4096, 'y');
    for (int32_t i = 0; i < kMany; ++i) g.op(Op::ABS, 1, {x}, {y});
    EXPECT_THAT(errorOf(file.bytes()), HasSubstr("share lists or names"));
}

// Each product requires the same weights as floats.
TEST(TfliteSharing, OfWeightsIsLimited) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(kFloats32, {1, 512});
    const int32_t weights = g.numbers(TensorType::INT8, {512, 512}, {0.5f, 0});
    for (int32_t i = 0; i < kMany; ++i) {
        g.op(Op::FULLY_CONNECTED, 3, {x, weights, -1}, {g.output(kFloats32, {1, 512})},
             FullyConnectedOptionsT());
    }
    EXPECT_THAT(errorOf(file.bytes()), HasSubstr("out of proportion to the file"));
}

// Each of the constants has almost all bytes of the file.
TEST(TfliteSharing, OfBytesIsLimited) {
    LiteFile file;
    LiteGraph& g = file.main();
    constexpr int32_t kElements = 1 << 18;
    const int32_t x = g.input(kFloats32, {kElements});
    g.numbers(kFloats32, {kElements});
    for (int32_t i = 0; i < kMany / 10; ++i) {
        const int32_t constant = g.tensor(kFloats32, {kElements});
        auto buffer = std::make_unique<BufferT>();
        buffer->offset = 16 + 4 * static_cast<uint64_t>(i);
        buffer->size = uint64_t{kElements} * sizeof(float);
        g.at(constant).buffer = static_cast<uint32_t>(file.file().buffers.size());
        file.file().buffers.push_back(std::move(buffer));
        g.op(Op::MAXIMUM, 1, {x, constant}, {g.output(kFloats32, {kElements})});
    }
    EXPECT_THAT(errorOf(file.bytes()), HasSubstr("out of proportion to the file"));
}

// Truth values are moved as floats, which two constants make of them.
TEST(TfliteConstants, OfTruthValuesAreLimited) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(TensorType::BOOL, {40'000, 50'000});
    const int32_t indices = g.constant<int32_t>(TensorType::INT32, {1, 1}, {3});
    g.op(Op::GATHER_ND, 1, {x, indices}, {g.output(TensorType::BOOL, {1, 50'000})});
    EXPECT_THAT(errorOf(file.bytes()), HasSubstr("out of proportion to the file"));
}

TEST(TfliteConcatenation, OfAnEmptyPartIsRefused) {
    LiteFile file;
    LiteGraph& g = file.main();
    ConcatenationOptionsT options;
    options.axis = 0;
    const int32_t none = g.input(TensorType::INT32, {0}), x = g.input(TensorType::INT32, {4});
    g.op(Op::CONCATENATION, 1, {none, x}, {g.output(TensorType::INT32, {4})}, options);
    EXPECT_THAT(errorOf(file.bytes()), HasSubstr("do not fit its output"));
}

// Each part would have a copy of the graph that it calls.
TEST(TfliteSharing, OfGraphsByPartsIsLimited) {
    LiteFile file;
    LiteGraph& g = file.main();
    LiteGraph called = file.called();
    int32_t last = called.input(kFloats32, {2});
    for (int32_t i = 0; i < kMany; ++i) {
        const int32_t next =
                i + 1 < kMany ? called.tensor(kFloats32, {2}) : called.output(kFloats32, {2});
        called.op(Op::ABS, 1, {last}, {next});
        last = next;
    }
    IfOptionsT options;
    options.then_subgraph_index = options.else_subgraph_index = file.add(std::move(called));
    const int32_t condition = g.input(TensorType::BOOL, {});
    int32_t value = g.input(kFloats32, {2});
    for (int32_t i = 0; i < kMany / 10; ++i) {
        const int32_t result = g.tensor(kFloats32, {2});
        g.op(Op::IF, 1, {condition, value}, {result}, options);
        value = g.tensor(kFloats32, {2});
        g.op(Op::ATAN2, 1, {result}, {value});
    }
    g.op(Op::ABS, 1, {value}, {g.output(kFloats32, {2})});
    const std::vector<uint8_t> bytes = file.bytes();
    EXPECT_THAT(errorOf(bytes, true), HasSubstr("parts"));
    EXPECT_THAT(errorOf(bytes), HasSubstr("1000 of 12001 operators"));
}

// A refusal takes back what its operator has made, and looks at nothing else.
TEST(TfliteSharing, RefusalsCostWhatTheyMade) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(kFloats32, {1});
    for (int32_t i = 0; i < kMany; ++i) {
        const int32_t y = g.tensor(kFloats32, {1});
        g.op(Op::LEAKY_RELU, 1, {x}, {y}, LeakyReluOptionsT());
        g.op(Op::RESHAPE, 1, {y, g.ints({1, 1, i})}, {g.output(kFloats32, {1, 1, 1})});
    }
    EXPECT_THAT(errorOf(file.bytes()), HasSubstr("operators cannot be imported"));
}

// More operands than the limits allow.
TEST(TfliteSharing, StaysWithinTheLimits) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(kFloats32, {2, 3, 4}), w = g.numbers(kFloats32, {5, 4});
    FullyConnectedOptionsT options;
    options.keep_num_dims = true;
    g.op(Op::FULLY_CONNECTED, 5, {x, w, -1}, {g.output(kFloats32, {2, 3, 5})}, options);
    const std::vector<uint8_t> bytes = file.bytes();
    for (uint64_t operands = 3; operands < 7; ++operands) {
        Limits limits;
        limits.operands = operands;
        EXPECT_THAT(std::string(importTflite(bytes, {.limits = limits}).status().message()),
                    HasSubstr("operands"))
                << operands;
    }
}

}  // namespace
}  // namespace nn::tflite
