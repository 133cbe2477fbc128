// Tensors of .tflite files without a value or with open dimensions, and what messages name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/status_message.h"
#include "importers/lite_file.h"
#include "nnapi/import/tflite.h"
#include "nnapi/interpreter.h"

namespace nn::tflite::structure_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using Op = BuiltinOperator;
using Shapes = std::map<std::string, Dimensions>;
constexpr TensorType kReal = TensorType::FLOAT32;

std::string messageFor(LiteFile& file, const Shapes& shapes = {}) {
    const auto import = importTflite(file.bytes(), {.shapes = shapes});
    return messageOf(import.ok() ? preparationErrors(*import) : import.status());
}

std::string operationsOf(LiteFile& file, const Shapes& shapes = {}) {
    const auto import = importTflite(file.bytes(), {.shapes = shapes});
    if (!import.ok()) return messageOf(import.status());
    if (const Status refused = preparationErrors(*import); !refused.ok()) return messageOf(refused);
    const nn::Model& model = import->parts.front().model;
    EXPECT_TRUE(prepare(model).ok()) << prepare(model).status();
    std::string text;
    for (const Operation& operation : model.main.operations) {
        text += (text.empty() ? "" : " ") + toString(operation.type);
    }
    return text;
}

// ---- tensors without a value

TEST(TfliteTensors, WithoutElementsRefuseTheirReader) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t empty = g.constant(kReal, {0, 2}, std::vector<float>());
    g.op(Op::CONCATENATION, 1, {g.input(kReal, {1, 2}), empty}, {g.output(kReal, {1, 2})},
         ConcatenationOptionsT());
    EXPECT_THAT(messageFor(file),
                HasSubstr("operator 0 CONCATENATION (version 1, \"out0\"): tensor \"t0\" has the "
                          "dimensions [0, 2], allowed dimensions above 0"));
}

TEST(TfliteTensors, WithoutAValueRefuseTheirReaderAlone) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t in = g.input(kReal, {2}), half = g.tensor(kReal, {2});
    const int32_t missing = g.tensor(kReal, {2});
    g.op(Op::ABS, 1, {in}, {half});
    g.op(Op::ADD, 1, {half, missing}, {g.output(kReal, {2})}, AddOptionsT());
    const auto import = importTflite(file.bytes(), {.partial = true});
    ASSERT_TRUE(import.ok()) << import.status();
    EXPECT_THAT(messageOf(preparationErrors(*import)),
                HasSubstr("tensor \"t2\" is read, but neither computed before nor a constant"));
    EXPECT_EQ(import->parts.size(), 1u);
}

TEST(TfliteTensors, ThatNothingComputesAreNoOutputs) {
    LiteFile file;
    LiteGraph& g = file.main();
    g.op(Op::ABS, 1, {g.input(kReal, {2})}, {g.output(kReal, {2})});
    g.output(kReal, {2});
    EXPECT_EQ(messageFor(file), "nothing computes output \"out1\"");
}

// ---- messages

TEST(TfliteMessages, TellAnUnknownRankFromAScalar) {
    for (const bool isKnown : {false, true}) {
        LiteFile file;
        LiteGraph& g = file.main();
        const int32_t in = g.input(kReal, {});
        g.at(in).has_rank = isKnown;
        g.op(Op::CONV_2D, 1, {in, g.numbers(kReal, {1, 1, 1, 1}), g.numbers(kReal, {1})},
             {g.output(kReal, {1, 1, 1, 1})}, Conv2DOptionsT());
        EXPECT_THAT(messageFor(file),
                    HasSubstr(isKnown ? "\"in0\" has rank 0, allowed rank 4"
                                      : "\"in0\" has no dimensions in the file, allowed rank 4"));
    }
}

// The cell state has 16 bits, but it is the input of 8 bits that the operation does not allow.
TEST(TfliteMessages, AdviseEightBitsForWiderTensorsOnly) {
    LiteFile file;
    LiteGraph& g = file.main();
    const LiteScale scale{0.1f, 0};
    const int32_t x = g.input(TensorType::INT8, {1, 2, 2}, scale);
    const int32_t w = g.numbers(TensorType::INT8, {2, 2}, scale);
    const int32_t b = g.numbers(TensorType::INT32, {2}, {0.01f, 0});
    const int32_t before = g.variable(TensorType::INT8, {1, 2}, scale);
    const int32_t cell = g.variable(TensorType::INT16, {1, 2}, scale);
    g.op(Op::UNIDIRECTIONAL_SEQUENCE_LSTM, 2,
         {x, w, w, w, w, w, w, w, w, -1, -1, -1, b, b, b, b, -1, -1, before, cell},
         {g.output(TensorType::INT8, {1, 2, 2}, scale)}, UnidirectionalSequenceLSTMOptionsT());
    const std::string message = messageFor(file);
    EXPECT_THAT(message, HasSubstr("becomes UNIDIRECTIONAL_SEQUENCE_LSTM: input 0"));
    EXPECT_THAT(message, Not(HasSubstr("has to be quantized again")));
}

TEST(TfliteMessages, ListEachReasonOnce) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t a = g.input(TensorType::INT64, {2}), b = g.input(TensorType::FLOAT64, {2});
    g.op(Op::ADD_N, 1, {a, b, a}, {g.output(kReal, {2})});
    const std::string message = messageFor(file);
    EXPECT_EQ(message.find("is INT64"), message.rfind("is INT64")) << message;
}

// ---- shapes

// Flatten of Keras: the first dimension of the input, and -1. Or backwards: the last one.
LiteFile flattening(bool isBackwards = false) {
    const int32_t rows = isBackwards ? 3 : -1, columns = isBackwards ? 8 : 6;
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t in = g.input(kReal, {-1, 2, 3}), shape = g.tensor(TensorType::INT32, {3});
    g.op(Op::SHAPE, 1, {in}, {shape}, ShapeOptionsT());
    StridedSliceOptionsT slice;
    slice.shrink_axis_mask = 1;
    slice.begin_mask = isBackwards ? 1 : 0;
    const int32_t first = g.tensor(TensorType::INT32, {}), step = isBackwards ? -1 : 1;
    g.op(Op::STRIDED_SLICE, 1, {shape, g.ints({0}), g.ints({1}), g.ints({step})}, {first}, slice);
    PackOptionsT pack;
    pack.values_count = 2;
    const int32_t packed = g.tensor(TensorType::INT32, {2});
    g.op(Op::PACK, 1, {first, g.scalar(-1)}, {packed}, pack);
    const int32_t flat = g.tensor(kReal, {rows, columns});
    g.op(Op::RESHAPE, 1, {in, packed}, {flat}, ReshapeOptionsT());
    g.op(Op::ABS, 1, {flat}, {g.output(kReal, {rows, columns})});
    return file;
}

TEST(TfliteShapes, FoldTheirArithmetic) {
    LiteFile file = flattening();
    EXPECT_EQ(operationsOf(file, {{"in0", {4, 2, 3}}}), "RESHAPE ABS");
    LiteFile backwards = flattening(true);
    EXPECT_EQ(operationsOf(backwards, {{"in0", {4, 2, 3}}}), "RESHAPE ABS");
}

// What the input's dimensions make known reaches tensors inside, whose readers need them.
TEST(TfliteShapes, ReachTensorsInside) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t in = g.input(kReal, {-1, 5, 7, 1}), blocks = g.ints({2, 2});
    const int32_t batches = g.tensor(kReal, {-1, -1, -1, 1}),
                  same = g.tensor(kReal, {-1, -1, -1, 1});
    const int32_t pads = g.constant(TensorType::INT32, {2, 2}, std::vector<int32_t>{0, 1, 0, 1});
    g.op(Op::SPACE_TO_BATCH_ND, 1, {in, blocks, pads}, {batches});
    g.op(Op::ABS, 1, {batches}, {same});
    g.op(Op::BATCH_TO_SPACE_ND, 1, {same, blocks, pads}, {g.output(kReal, {-1, 5, 7, 1})});
    EXPECT_EQ(operationsOf(file, {{"in0", {1, 5, 7, 1}}}),
              "SPACE_TO_BATCH_ND ABS BATCH_TO_SPACE_ND SLICE");
}

// ---- operators whose results nothing reads

TEST(TfliteUnread, GraphsWithoutOutputsAreRejected) {
    LiteFile file;
    LiteGraph& g = file.main();
    g.op(Op::ABS, 1, {g.input(kReal, {2})}, {g.tensor(kReal, {2})});
    EXPECT_EQ(messageFor(file), "the graph has no outputs");
}

TEST(TfliteUnread, ModelsWithoutOutputsAreNotWritten) {
    LiteFile file;
    LiteGraph& g = file.main();
    g.op(Op::ABS, 1, {g.input(kReal, {2})}, {g.output(kReal, {2})});
    nn::Model model = *wholeModelOf(*importTflite(file.bytes()));
    EXPECT_TRUE(exportTflite(model).ok());
    const uint32_t output = model.main.outputIndexes.front();
    model.main.operands[output].lifetime = Operand::LifeTime::TEMPORARY_VARIABLE;
    model.main.outputIndexes.clear();
    EXPECT_EQ(messageOf(exportTflite(model).status()),
              "TensorFlow Lite cannot carry the model:\n  main: has no outputs");
}

TEST(TfliteUnread, OperatorsThatKeepStatesAreNot) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(kReal, {2, 3}), state = g.variable(kReal, {2, 4});
    g.op(Op::RNN, 1,
         {x, g.numbers(kReal, {4, 3}), g.numbers(kReal, {4, 4}), g.numbers(kReal, {4}), state},
         {g.tensor(kReal, {2, 4})}, RNNOptionsT());
    g.op(Op::ABS, 1, {x}, {g.output(kReal, {2, 3})});
    EXPECT_EQ(operationsOf(file), "RNN ABS");
}

// ---- more axes than operations have

// A tensor of the dimensions, from one of a single axis.
int32_t withAxes(LiteGraph& g, const std::vector<int32_t>& shape) {
    int32_t count = 1;
    for (const int32_t size : shape) count *= size;
    const int32_t to = g.tensor(kReal, shape);
    g.op(Op::RESHAPE, 1, {g.input(kReal, {count}), g.ints(shape)}, {to});
    return to;
}

TEST(TfliteManyAxes, AreRejectedWhereTooManyMove) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = withAxes(g, {2, 3, 2, 3, 2});
    g.op(Op::TRANSPOSE, 1, {x, g.ints({4, 3, 2, 1, 0})}, {g.output(kReal, {2, 3, 2, 3, 2})});
    EXPECT_THAT(messageFor(file), HasSubstr("moves 5 groups of axes, allowed 4"));
}

TEST(TfliteManyAxes, AreRejectedWhereTooManyAreBroadcast) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = withAxes(g, {2, 3, 2, 3, 2}), y = g.numbers(kReal, {2, 1, 2, 1, 2});
    g.op(Op::MUL, 1, {x, y}, {g.output(kReal, {2, 3, 2, 3, 2})}, MulOptionsT());
    EXPECT_THAT(messageFor(file), HasSubstr("broadcasts along 5 axes, allowed 4"));
}

TEST(TfliteManyAxes, OfInputsAndOfOtherOperatorsAreRejected) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(kReal, {2, 3, 2, 3, 2}), sum = g.tensor(kReal, {2, 3, 2, 3, 2});
    g.op(Op::ADD, 1, {x, x}, {sum}, AddOptionsT());
    g.op(Op::SOFTMAX, 1, {withAxes(g, {2, 3, 2, 3, 2})}, {g.output(kReal, {2, 3, 2, 3, 2})},
         SoftmaxOptionsT());
    g.graph().outputs.push_back(sum);
    const std::string message = messageFor(file);
    EXPECT_THAT(message, HasSubstr("becomes ADD: "));
    EXPECT_THAT(message, HasSubstr("becomes SOFTMAX: "));
}

// A part has the axes that the operator between the parts reads.
TEST(TfliteManyAxes, AreThoseOfTheFileBetweenParts) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = withAxes(g, {2, 3, 2, 3, 2}), sum = g.tensor(kReal, {2, 3, 2, 3, 2});
    const int32_t out = g.output(kReal, {72}), size = g.tensor(kReal, {2, 3, 2, 3, 2});
    g.op(Op::ABS, 1, {x}, {size});
    g.op(Op::CUMSUM, 1, {size, g.scalar(0)}, {sum});
    g.op(Op::RESHAPE, 1, {sum, g.ints({72})}, {out});
    const auto import = importTflite(file.bytes(), {.partial = true});
    ASSERT_TRUE(import.ok()) << import.status();
    ASSERT_FALSE(import->parts.empty());
    const nn::Model::Subgraph& main = import->parts.front().model.main;
    EXPECT_TRUE(prepare(import->parts.front().model).ok());
    ASSERT_EQ(main.outputIndexes.size(), 1u);
    EXPECT_EQ(main.operands[main.outputIndexes[0]].dimensions, (Dimensions{2, 3, 2, 3, 2}));
}

TEST(TfliteManyAxes, HaveTheShapeOfTheFile) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t to = g.tensor(kReal, {2, 3, 2, 3, 2});
    g.op(Op::RESHAPE, 1, {g.input(kReal, {72}), g.ints({3, 2, 2, 3, 2})}, {to});
    g.op(Op::ABS, 1, {to}, {g.output(kReal, {2, 3, 2, 3, 2})});
    EXPECT_THAT(messageFor(file), HasSubstr("has dimensions that do not fit its shape"));
}

}  // namespace
}  // namespace nn::tflite::structure_test
