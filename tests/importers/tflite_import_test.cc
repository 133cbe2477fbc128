// Files of TensorFlow Lite as a whole: refusals, parts, states, shapes, constants, damaged files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>

#include "importers/common/equal_models.h"
#include "importers/lite_file.h"
#include "importers/operator_files.h"
#include "nnapi/import/tflite.h"
#include "nnapi/interpreter.h"
#include "nnapi/memory.h"
#include "nnapi/print.h"
#include "nnapi/validate.h"

namespace nn::tflite {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Op = BuiltinOperator;
constexpr TensorType kReal = TensorType::FLOAT32;

std::string refusalsIn(const std::vector<uint8_t>& bytes) {
    const auto imported = importTflite(bytes);
    if (!imported.ok()) return std::string(imported.status().message());
    return std::string(preparationErrors(*imported).message());
}

// ---- refusals

struct RefusedCase {
    const char* name;
    void (*fill)(LiteFile&, LiteGraph&);
    const char* says;
};

void PrintTo(const RefusedCase& row, std::ostream* out) { *out << row.name; }

const RefusedCase kRefused[] = {
        {"unknown",
         [](LiteFile&, LiteGraph& g) {
             g.op(Op::ATAN2, 1, {g.input(kReal, {2})}, {g.output(kReal, {2})});
         },
         "1 of 1 operator cannot be imported:\n  operator 0 ATAN2 (version 1, \"out0\"): is an "
         "operator that NNAPI does not have"},
        {"version",
         [](LiteFile&, LiteGraph& g) {
             g.op(Op::ABS, 99, {g.input(kReal, {2})}, {g.output(kReal, {2})});
         },
         "operator 0 ABS (version 99, \"out0\"): has version 99, allowed 1 to 5"},
        {"type",
         [](LiteFile&, LiteGraph& g) {
             g.op(Op::ABS, 1, {g.input(TensorType::INT64, {2})}, {g.output(kReal, {2})});
         },
         "tensor \"in0\" is INT64, allowed FLOAT32, FLOAT16, INT32, UINT8, INT8, INT16, BOOL"},
        {"int16",
         [](LiteFile&, LiteGraph& g) {
             g.op(Op::ADD, 2,
                  {g.input(TensorType::INT16, {2}, {0.1f, 0}),
                   g.input(TensorType::INT16, {2}, {0.1f, 0})},
                  {g.output(TensorType::INT16, {2}, {0.1f, 0})}, AddOptionsT());
         },
         "8 bits: the network has to be quantized again, with int8 activations"},
        {"options",
         [](LiteFile&, LiteGraph& g) {
             g.op(Op::SOFTMAX, 1, {g.input(kReal, {2, 2})}, {g.output(kReal, {2, 2})},
                  AddOptionsT());
         },
         "has AddOptions for options, without beta, allowed SoftmaxOptions"},
        {"condition",
         [](LiteFile&, LiteGraph& g) {
             StridedSliceOptionsT options;
             options.new_axis_mask = 1;
             const int32_t begin = g.input(TensorType::INT32, {1});
             g.op(Op::STRIDED_SLICE, 1, {g.input(kReal, {2}), begin, g.ints({1}), g.ints({1})},
                  {g.output(kReal, {1, 2})}, options);
         },
         "has new_axis_mask 1, allowed 0"},
        {"computed",
         [](LiteFile&, LiteGraph& g) {
             g.op(Op::EXPAND_DIMS, 1, {g.input(kReal, {2}), g.input(TensorType::INT32, {1})},
                  {g.output(kReal, {1, 2})});
         },
         "tensor \"in1\" is computed, allowed a constant of one element"},
        {"activation",
         [](LiteFile&, LiteGraph& g) {
             AddOptionsT options;
             options.fused_activation_function = ActivationFunctionType::TANH;
             g.op(Op::ADD, 1, {g.input(kReal, {2}), g.input(kReal, {2})}, {g.output(kReal, {2})},
                  options);
         },
         "has the fused activation TANH, allowed NONE, RELU, RELU_N1_TO_1, RELU6"},
        {"broadcast",
         [](LiteFile&, LiteGraph& g) {
             g.op(Op::SELECT, 1,
                  {g.input(TensorType::BOOL, {2, 1}), g.input(kReal, {2, 3}),
                   g.input(kReal, {2, 3})},
                  {g.output(kReal, {2, 3})});
         },
         "becomes SELECT: dimension 1 of input 1 'input1' (operand 1) is 3, allowed 1 as in"},
        {"activation_of_integers",
         [](LiteFile&, LiteGraph& g) {
             AddOptionsT options;
             options.fused_activation_function = ActivationFunctionType::RELU;
             g.op(Op::ADD, 1, {g.input(TensorType::INT32, {2}), g.input(TensorType::INT32, {2})},
                  {g.output(TensorType::INT32, {2})}, options);
         },
         "becomes ADD: input 2 'activation' (operand 2) is 1, allowed 0 (NONE) for TENSOR_INT32"},
        {"called_broadcast",
         [](LiteFile& file, LiteGraph& g) {
             LiteGraph yes = file.called(), no = file.called();
             yes.op(Op::ABS, 1, {yes.input(kReal, {2})}, {yes.output(kReal, {2})});
             const int32_t x = no.input(kReal, {2}), mask = no.tensor(TensorType::BOOL, {2});
             no.op(Op::LESS, 1, {x, x}, {mask});
             no.op(Op::SELECT, 1, {mask, x, no.numbers(kReal, {1})}, {no.output(kReal, {2})});
             IfOptionsT options;
             options.then_subgraph_index = file.add(std::move(yes));
             options.else_subgraph_index = file.add(std::move(no));
             const int32_t condition = g.input(TensorType::BOOL, {}), in = g.input(kReal, {2});
             g.op(Op::IF, 1, {condition, in}, {g.output(kReal, {2})}, options);
         },
         "operator 0 IF (version 1, \"out0\"): calls a graph with SELECT: dimension 0 of input 2 "
         "'input2' (operand 2) is 1, allowed 2"},
        {"integer_lstm",
         [](LiteFile&, LiteGraph& g) {
             g.op(Op::LSTM, 3, {g.input(TensorType::INT8, {1, 2}, {0.1f, 0})},
                  {g.output(TensorType::INT8, {1, 2}, {0.1f, 0})}, LSTMOptionsT());
         },
         "is INT8: an integer LSTM of TensorFlow Lite, whose gates have scales of their own"},
        {"basic_lstm",
         [](LiteFile&, LiteGraph& g) {
             LSTMOptionsT options;
             options.kernel_type = LSTMKernelType::BASIC;
             const int32_t x = g.input(kReal, {1, 2}), y = g.input(kReal, {1, 3});
             g.op(Op::LSTM, 2,
                  {x, y, g.numbers(kReal, {12, 5}), g.numbers(kReal, {12}), g.input(kReal, {1, 3})},
                  {g.output(kReal, {1, 3}), g.output(kReal, {1, 3}), g.output(kReal, {1, 5}),
                   g.output(kReal, {1, 12})},
                  options);
         },
         "is a basic LSTM of other types or ranks than UINT8 and 2"},
        {"calls_itself",
         [](LiteFile& file, LiteGraph& g) {
             LiteGraph body = file.called();
             IfOptionsT options;
             options.then_subgraph_index = options.else_subgraph_index = 1;
             body.op(Op::IF, 1, {body.input(TensorType::BOOL, {})}, {body.output(kReal, {2})},
                     options);
             file.add(std::move(body));
             g.op(Op::IF, 1, {g.input(TensorType::BOOL, {})}, {g.output(kReal, {2})}, options);
         },
         "calls graph 1, which calls it"},
};

class TfliteRefusals : public ::testing::TestWithParam<RefusedCase> {};

TEST_P(TfliteRefusals, SaysWhy) {
    LiteFile file;
    GetParam().fill(file, file.main());
    EXPECT_THAT(refusalsIn(file.bytes()), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(All, TfliteRefusals, ::testing::ValuesIn(kRefused),
                         [](const auto& info) { return info.param.name; });

TEST(TfliteRefusals, AreAllListed) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(kReal, {2}), y = g.tensor(kReal, {2});
    g.op(Op::IMAG, 1, {x}, {y});
    g.op(Op::ATAN2, 1, {y}, {g.output(kReal, {2})});
    const std::string all = refusalsIn(file.bytes());
    EXPECT_THAT(all, HasSubstr("2 of 2 operators"));
    EXPECT_THAT(all, HasSubstr("operator 0 IMAG"));
    EXPECT_THAT(all, HasSubstr("operator 1 ATAN2"));
}

// ---- parts

TEST(TfliteParts, LieBetweenRefusedOperators) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(kReal, {2}), a = g.tensor(kReal, {2}), b = g.tensor(kReal, {2});
    const int32_t c = g.tensor(kReal, {2}), d = g.tensor(kReal, {2});
    g.op(Op::ABS, 1, {x}, {a});
    g.op(Op::IMAG, 1, {a}, {b});
    g.op(Op::EXP, 1, {a}, {c});  // beside the refused operator: with the first
    g.op(Op::NEG, 1, {b}, {d});
    g.op(Op::ADD, 1, {c, d}, {g.output(kReal, {2})}, AddOptionsT());
    const std::vector<uint8_t> bytes = file.bytes();
    const auto whole = importTflite(bytes);
    ASSERT_TRUE(whole.ok());
    EXPECT_TRUE(whole->parts.empty());
    const auto parts = importTflite(bytes, {.partial = true});
    ASSERT_TRUE(parts.ok()) << parts.status();
    ASSERT_EQ(parts->parts.size(), 2u);
    for (const ImportedPart& part : parts->parts) {
        EXPECT_TRUE(nn::validate(part.model).ok()) << nn::validate(part.model).status();
        EXPECT_EQ(part.model.main.operations.size(), 2u);
    }
    EXPECT_THAT(parts->parts[0].inputNames(), ElementsAre("in0"));
    EXPECT_THAT(parts->parts[0].outputNames(), ElementsAre("t1", "t3"));
    EXPECT_THAT(parts->parts[1].inputNames(), ElementsAre("t2", "t3"));
    EXPECT_THAT(parts->parts[1].outputNames(), ElementsAre("out0"));
    EXPECT_EQ(parts->operators[4].operations[0].part, 1u);
    EXPECT_EQ(parts->operators[4].operations[0].index.operation, 1u);
}

// What the shapes of the whole show is refused as well, also where other operators are.
TEST(TfliteParts, HaveNoOperatorThatCannotBePrepared) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(kReal, {2, 1}), a = g.tensor(kReal, {2, 1});
    const int32_t b = g.tensor(kReal, {2, 3}), mask = g.input(TensorType::BOOL, {2, 1});
    g.op(Op::IMAG, 1, {x}, {a});
    g.op(Op::SELECT, 1, {mask, a, g.numbers(kReal, {2, 3})}, {b});
    g.op(Op::NEG, 1, {b}, {g.output(kReal, {2, 3})});
    const std::vector<uint8_t> bytes = file.bytes();
    EXPECT_THAT(refusalsIn(bytes), HasSubstr("2 of 3 operators"));
    const auto parts = importTflite(bytes, {.partial = true});
    ASSERT_TRUE(parts.ok()) << parts.status();
    EXPECT_EQ(parts->operators[1].refusals.size(), 1u);
    ASSERT_EQ(parts->parts.size(), 1u);
    EXPECT_TRUE(prepare(parts->parts[0].model).ok());
    EXPECT_EQ(parts->operators[2].operations[0].part, 0u);
}

// ---- what the model has of the file

TEST(TfliteImport, VariablesAreInputsAndOutputs) {
    for (const OperatorFile& file : operatorFiles()) {
        if (file.name != "LSTM_FLOAT32") continue;
        const auto imported = importTflite(file.bytes);
        ASSERT_TRUE(imported.ok()) << imported.status();
        const ImportedPart& part = imported->parts.front();
        EXPECT_EQ(part.model.main.inputIndexes.size(), 3u);
        EXPECT_EQ(part.model.main.outputIndexes.size(), 3u);
        EXPECT_THAT(part.states, ElementsAre(ImportedState{.input = 1, .output = 1},
                                             ImportedState{.input = 2, .output = 2}));
    }
}

std::vector<uint8_t> largeFile() {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(kReal, {1, 512}), weights = g.numbers(kReal, {8, 512});
    g.op(Op::FULLY_CONNECTED, 1, {x, weights, -1}, {g.output(kReal, {1, 8})},
         FullyConnectedOptionsT());
    return file.bytes();
}

TEST(TfliteImport, ConstantsStayInSharedMemory) {
    const std::vector<uint8_t> bytes = largeFile();
    const auto memory = createSharedMemory(bytes.size());
    ASSERT_TRUE(memory.ok());
    ASSERT_TRUE(writeMemory(*memory, 0, bytes).ok());
    const auto imported = importTflite(*memory);
    ASSERT_TRUE(imported.ok()) << imported.status();
    const nn::Model& model = imported->parts.front().model;
    EXPECT_EQ(model.pools.size(), 1u);
    EXPECT_LT(model.operandValues.size(), 1024u);
    EXPECT_EQ(importTflite(bytes)->parts.front().model.pools.size(), 0u);
}

// Also of a model that is executed after its file has been shortened.
TEST(TfliteImport, KeepsConstantsOfMemoryThatOthersChange) {
    const std::vector<uint8_t> bytes = largeFile();
    const UniqueFd fd(memfd_create("changing", MFD_CLOEXEC));
    ASSERT_EQ(pwrite(fd.get(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    const auto memory = createSharedMemory(bytes.size(), PROT_READ, fd.get(), 0);
    ASSERT_TRUE(memory.ok());
    const auto imported = importTflite(*memory);
    ASSERT_TRUE(imported.ok()) << imported.status();
    ASSERT_EQ(ftruncate(fd.get(), 0), 0);
    const nn::Model& model = imported->parts.front().model;
    ASSERT_EQ(model.pools.size(), 1u);
    EXPECT_TRUE(cannotChange(model.pools[0]));
    EXPECT_EQ(*importing::differenceOf(importTflite(bytes)->parts.front().model, model), "");
}

TEST(TfliteImport, ShapesOfInputsAreReplaced) {
    LiteFile file;
    LiteGraph& g = file.main();
    const int32_t x = g.input(kReal, {1, 2, 3, 4}), y = g.tensor(kReal, {1, 2, 3, 4});
    g.op(Op::ABS, 1, {x}, {y});
    Pool2DOptionsT options;
    options.stride_w = options.stride_h = options.filter_width = options.filter_height = 2;
    options.padding = Padding::VALID;
    g.op(Op::MAX_POOL_2D, 1, {y}, {g.output(kReal, {1, 1, 1, 4})}, options);
    const std::vector<uint8_t> bytes = file.bytes();
    const auto imported = importTflite(bytes, {.shapes = {{"in0", {2, 8, 6, 4}}}});
    ASSERT_TRUE(imported.ok()) << imported.status();
    const nn::Model& model = imported->parts.at(0).model;
    EXPECT_THAT(model.main.operands[model.main.outputIndexes[0]].dimensions,
                ElementsAre(2, 4, 3, 4));
    EXPECT_THAT(std::string(importTflite(bytes, {.shapes = {{"t", {2}}}}).status().message()),
                HasSubstr("the file has no input \"t\""));
}

TEST(TfliteImport, IllegalZeroPointsOfSignedTensorsStayIllegal) {
    for (const int64_t zeroPoint : {-129, 128, 255, INT32_MAX}) {
        LiteFile file;
        LiteGraph& g = file.main();
        g.op(Op::RELU, 2, {g.input(TensorType::INT8, {2}, {0.5f, zeroPoint})},
             {g.output(TensorType::INT8, {2}, {0.5f, zeroPoint})});
        const std::vector<uint8_t> bytes = file.bytes();
        for (const Version target : {kNewestVersion, kVersionFeatureLevel3}) {
            const auto imported = importTflite(bytes, {.target = target});
            const bool isRefused = !imported.ok() || !preparationErrors(*imported).ok();
            EXPECT_TRUE(isRefused) << zeroPoint << ", " << toString(target);
        }
    }
}

// As unsigned bytes they would have other hashes.
TEST(TfliteImport, BytesOfSignedTensorsAreNotHashedAsOthers) {
    LiteFile file;
    LiteGraph& g = file.main();
    LSHProjectionOptionsT options;
    options.type = LSHProjectionType::DENSE;
    g.op(Op::LSH_PROJECTION, 1,
         {g.constant<float>(kReal, {1, 2}, {1, 2}), g.input(TensorType::INT8, {2, 3}, {0.5f, 0})},
         {g.output(TensorType::INT32, {2})}, options);
    const auto imported = importTflite(file.bytes(), {.target = kVersionFeatureLevel3});
    ASSERT_TRUE(imported.ok()) << imported.status();
    EXPECT_THAT(std::string(preparationErrors(*imported).message()),
                HasSubstr("tensor \"in0\" is INT8, whose bytes LSH_PROJECTION hashes, allowed "
                          "FLOAT32, INT32, UINT8"));
}

TEST(TfliteImport, TargetDecidesWhatIsComposed) {
    for (const OperatorFile& file : operatorFiles()) {
        const bool isPack = file.name == "PACK_FLOAT32",
                   isSwish = file.name == "HARD_SWISH_FLOAT32",
                   isQuantizedSwish = file.name == "HARD_SWISH_UINT8";
        if (!isPack && !isSwish && !isQuantizedSwish) continue;
        const auto imported = importTflite(file.bytes, {.target = kVersionFeatureLevel3});
        ASSERT_TRUE(imported.ok()) << imported.status();
        const nn::Model& model = imported->parts.at(0).model;
        EXPECT_EQ(model.main.operations.size(), isQuantizedSwish ? 5u : 3u) << file.name;
        EXPECT_LE(nn::validate(model)->level, Version::Level::FEATURE_LEVEL_3) << file.name;
        EXPECT_EQ(imported->losses.size(), isPack ? 0u : 1u);
    }
}

// ---- damaged files

TEST(TfliteDamage, CutAnywhereIsAnError) {
    for (const OperatorFile& file : operatorFiles()) {
        if (!file.name.starts_with("CONV_2D_INT8") && !file.name.starts_with("WHILE")) continue;
        for (size_t size = 0; size < file.bytes.size(); ++size) {
            const std::vector<uint8_t> cut(file.bytes.begin(), file.bytes.begin() + size);
            (void)importTflite(cut, {.partial = true});  // padding at the end may be missing
        }
        EXPECT_FALSE(importTflite(std::vector<uint8_t>(file.bytes.begin(), file.bytes.begin() + 40))
                             .ok());
    }
}

// Every 32 bits of a file become numbers that offsets, lengths and indexes fear.
TEST(TfliteDamage, ImportReturnsForAnyNumber) {
    constexpr uint32_t kNumbers[] = {0,          1,          0x7f,       0xff,
                                     0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
    size_t refused = 0, files = 0;
    for (const OperatorFile& file : operatorFiles()) {
        if (files++ % 8 != 0 && !file.name.starts_with("WHILE")) continue;
        for (size_t at = 0; at + 4 <= file.bytes.size(); at += 4) {
            for (const uint32_t number : kNumbers) {
                std::vector<uint8_t> bytes = file.bytes;
                std::memcpy(&bytes[at], &number, sizeof(number));
                const auto imported = importTflite(bytes, {.partial = true});
                if (!imported.ok()) ++refused;
                for (size_t i = 0; imported.ok() && i < imported->parts.size(); ++i) {
                    (void)nn::validate(imported->parts[i].model);
                }
            }
        }
    }
    EXPECT_GT(refused, 1000u);
}

TEST(TfliteDamage, IsNoFileOfTensorFlowLite) {
    const std::vector<uint8_t> other(64, 'x');
    EXPECT_FALSE(isTflite(other));
    EXPECT_THAT(refusalsIn(other), HasSubstr("lacks the identifier TFL3"));
    EXPECT_THAT(refusalsIn({}), HasSubstr("lacks the identifier TFL3"));
}

}  // namespace
}  // namespace nn::tflite
