// Composite operators of .tflite files: the operators of their graphs replace them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "base/status_message.h"
#include "importers/common/equal_models.h"
#include "importers/lite_file.h"
#include "nnapi/import/tflite.h"
#include "nnapi/interpreter.h"

namespace nn::tflite::composite_test {
namespace {

using ::testing::HasSubstr;
using Op = BuiltinOperator;
constexpr TensorType kReal = TensorType::FLOAT32, kInt = TensorType::INT32;

std::string messageFor(LiteFile& file, const ImportOptions& options = {}) {
    const auto import = importTflite(file.bytes(), options);
    return messageOf(import.ok() ? preparationErrors(*import) : import.status());
}

void multiply(LiteGraph& g, int32_t a, int32_t b, int32_t product) {
    g.op(Op::MUL, 1, {a, b}, {product}, MulOptionsT());
}

// y = 3 x^2
void addTripleSquare(LiteGraph& g, int32_t x, int32_t y) {
    const int32_t square = g.tensor(kReal, {2});
    multiply(g, x, x, square);
    multiply(g, square, g.constant<float>(kReal, {2}, {3, 3}), y);
}

LiteGraph tripleSquare(LiteFile& file) {
    LiteGraph g = file.called();
    const int32_t x = g.input(kReal, {2});
    addTripleSquare(g, x, g.output(kReal, {2}));
    return g;
}

nn::Model modelOf(LiteFile& file) {
    auto import = importTflite(file.bytes());
    EXPECT_TRUE(import.ok()) << import.status();
    auto model = wholeModelOf(*std::move(import));
    EXPECT_TRUE(model.ok()) << model.status();
    return model.ok() ? *std::move(model) : nn::Model();
}

// A composite in a composite, and the inner one a second time: 3 (3 x^2)^2 - 3 x^2.
TEST(TfliteComposite, ComputesWhatItsOperatorsCompute) {
    LiteFile file;
    LiteGraph outer = file.called();
    const int32_t inner = file.add(tripleSquare(file));
    const int32_t from = outer.input(kReal, {2}), between = outer.tensor(kReal, {2});
    outer.composite(inner, {from}, {between});
    outer.composite(inner, {between}, {outer.output(kReal, {2})});
    const int32_t twice = file.add(std::move(outer));
    LiteFile plain;
    for (LiteFile* each : {&file, &plain}) {
        LiteGraph& g = each->main();
        const int32_t x = g.input(kReal, {2}), big = g.tensor(kReal, {2}),
                      small = g.tensor(kReal, {2}), out = g.output(kReal, {2});
        if (each == &file) {
            g.composite(twice, {x}, {big});
            g.composite(inner, {x}, {small});
        } else {
            const int32_t once = g.tensor(kReal, {2});
            addTripleSquare(g, x, once);
            addTripleSquare(g, once, big);
            addTripleSquare(g, x, small);
        }
        g.op(Op::SUB, 1, {big, small}, {out}, SubOptionsT());
    }
    const nn::Model model = modelOf(file), expected = modelOf(plain);
    const auto difference = importing::differenceOf(model, expected);
    ASSERT_TRUE(difference.ok()) << difference.status();
    EXPECT_EQ(*difference, "");
    nn::Tensor x{.dimensions = {2}, .data = std::vector<uint8_t>(8)};
    const float values[] = {2, -0.5f};
    std::memcpy(x.data.data(), values, sizeof(values));
    const auto prepared = prepare(model);
    ASSERT_TRUE(prepared.ok()) << prepared.status();
    const auto outputs = prepared->run(std::span(&x, 1));
    ASSERT_TRUE(outputs.ok()) << outputs.status();
    float results[2];
    std::memcpy(results, outputs->front().data.data(), sizeof(results));
    EXPECT_EQ(results[0], 3 * 12 * 12 - 12.0f);
    EXPECT_EQ(results[1], 3 * 0.75f * 0.75f - 0.75f);
}

TEST(TfliteComposite, IsListedBeforeItsOperators) {
    LiteFile file;
    LiteGraph named = tripleSquare(file);
    named.graph().name = "triple square";
    const int32_t graph = file.add(std::move(named));
    LiteGraph& g = file.main();
    const int32_t x = g.input(kReal, {2}), y = g.tensor(kReal, {2});
    g.composite(graph, {x}, {y});
    g.op(Op::ABS, 1, {y}, {g.output(kReal, {2})});
    const auto import = importTflite(file.bytes());
    ASSERT_TRUE(import.ok()) << import.status();
    std::vector<std::string> lines;
    for (const ImportedOperator& op : import->operators) {
        lines.push_back(fmt::format("{}: {}", toString(op), op.operations.size()));
    }
    EXPECT_THAT(lines, ::testing::ElementsAre(
                               "operator 0 STABLEHLO_COMPOSITE (version 1, \"t1\"): 0",
                               "graph \"triple square\", operator 0 MUL (version 1, \"t2\"): 1",
                               "graph \"triple square\", operator 1 MUL (version 1, \"t1\"): 1",
                               "operator 1 ABS (version 1, \"out0\"): 1"));
}

TEST(TfliteComposite, IsDroppedWhereNothingReadsItsOutput) {
    LiteFile file;
    LiteGraph inner = file.called();
    inner.op(Op::CUMSUM, 1, {inner.input(kReal, {2}), inner.scalar(0)}, {inner.output(kReal, {2})});
    const int32_t graph = file.add(std::move(inner));
    LiteGraph& g = file.main();
    const int32_t x = g.input(kReal, {2});
    g.composite(graph, {x}, {g.tensor(kReal, {2})});
    g.op(Op::ABS, 1, {x}, {g.output(kReal, {2})});
    EXPECT_EQ(modelOf(file).main.operations.size(), 1u);
}

TEST(TfliteComposite, MayBeInABranchAndHoldOne) {
    LiteFile file;
    IfOptionsT options;
    LiteGraph leaf = file.called(), branch = file.called(), holder = file.called();
    leaf.op(Op::ABS, 1, {leaf.input(kReal, {2})}, {leaf.output(kReal, {2})});
    const int32_t abs = file.add(std::move(leaf));
    branch.composite(abs, {branch.input(kReal, {2})}, {branch.output(kReal, {2})});
    options.then_subgraph_index = options.else_subgraph_index = file.add(std::move(branch));
    const int32_t condition = holder.input(TensorType::BOOL, {1}), x = holder.input(kReal, {2});
    holder.op(Op::IF, 1, {condition, x}, {holder.output(kReal, {2})}, options);
    const int32_t conditional = file.add(std::move(holder));
    LiteGraph& g = file.main();
    const int32_t isSet = g.input(TensorType::BOOL, {1}), y = g.input(kReal, {2});
    g.composite(conditional, {isSet, y}, {g.output(kReal, {2})});
    const nn::Model model = modelOf(file);
    ASSERT_EQ(model.main.operations.size(), 1u);
    EXPECT_EQ(model.main.operations[0].type, OperationType::IF);
    EXPECT_TRUE(prepare(model).ok()) << prepare(model).status();
}

// The parts end at the missing operator, not at the composite one.
TEST(TfliteComposite, IsDividedWhereItsOperatorIsMissing) {
    LiteFile file;
    LiteGraph inner = file.called();
    const int32_t from = inner.input(kReal, {2}), size = inner.tensor(kReal, {2});
    inner.op(Op::ABS, 1, {from}, {size});
    inner.op(Op::CUMSUM, 1, {size, inner.scalar(0)}, {inner.output(kReal, {2})});
    const int32_t graph = file.add(std::move(inner));
    LiteGraph& g = file.main();
    const int32_t x = g.input(kReal, {2}), y = g.tensor(kReal, {2});
    g.composite(graph, {x}, {y});
    g.op(Op::NEG, 1, {y}, {g.output(kReal, {2})});
    const auto import = importTflite(file.bytes(), {.partial = true});
    ASSERT_TRUE(import.ok()) << import.status();
    EXPECT_EQ(import->parts.size(), 2u);
    EXPECT_THAT(messageOf(preparationErrors(*import)),
                HasSubstr("graph \"#1\", operator 1 CUMSUM (version 1, \"t1\"): is an operator"));
}

// ---- rejected

// A file whose main graph calls graph 1, which `fill` makes.
struct Rejected {
    const char* name;
    const char* reason;
    void (*fill)(LiteFile& file, LiteGraph& main, LiteGraph& called);
};

void PrintTo(const Rejected& row, std::ostream* out) { *out << row.name; }

void addAbs(LiteGraph& g, std::vector<int32_t> shape = {2}, TensorType type = kReal) {
    const int32_t x = g.input(type, shape);
    g.op(Op::ABS, 1, {x}, {g.output(type, shape)});
}

int32_t in(LiteGraph& g) { return g.input(kReal, {2}); }
int32_t out(LiteGraph& g) { return g.output(kReal, {2}); }

const Rejected kRejected[] = {
        {"GraphBeyondTheLast", "calls graph 2, allowed below 2, the number of graphs",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             addAbs(g);
             main.composite(2, {in(main)}, {out(main)});
         }},
        {"NegativeGraph", "calls graph -1, allowed below 2, the number of graphs",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             addAbs(g);
             main.composite(-1, {in(main)}, {out(main)});
         }},
        {"MainGraph", "calls graph 0, which is the main one",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             addAbs(g);
             main.composite(0, {in(main)}, {out(main)});
         }},
        {"GraphThatCallsItself", "calls graph 1, which calls it",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             g.composite(1, {in(g)}, {out(g)});
             main.composite(1, {in(main)}, {out(main)});
         }},
        {"BranchThatCallsIt", "calls graph 1, which calls it",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             IfOptionsT options;
             options.then_subgraph_index = options.else_subgraph_index = 1;
             const int32_t condition = g.input(TensorType::BOOL, {1});
             const int32_t x = in(g);
             g.op(Op::IF, 1, {condition, condition, x}, {out(g)}, options);
             const int32_t outer = main.input(TensorType::BOOL, {1});
             main.composite(1, {outer, in(main)}, {out(main)});
         }},
        {"NoOptions", "has no options that name a graph",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             addAbs(g);
             main.op(Op::STABLEHLO_COMPOSITE, 1, {in(main)}, {out(main)});
         }},
        {"AnotherVersion", "has version 2, allowed 1 to 1",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             addAbs(g);
             main.op(Op::STABLEHLO_COMPOSITE, 2, {in(main)}, {out(main)});
         }},
        {"TooFewInputs", "has 0 inputs, and graph 1 has 1",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             addAbs(g);
             in(main);
             main.composite(1, {}, {out(main)});
         }},
        {"TooManyInputs", "has 2 inputs, and graph 1 has 1",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             addAbs(g);
             const int32_t x = in(main);
             main.composite(1, {x, x}, {out(main)});
         }},
        {"TooFewOutputs", "has 1 output, and graph 1 has 2",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             addAbs(g);
             addAbs(g);
             g.graph().inputs.pop_back();
             main.composite(1, {in(main)}, {out(main)});
         }},
        {"MissingInput", "has no input 0",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             addAbs(g);
             in(main);
             main.composite(1, {-1}, {out(main)});
         }},
        {"InputOfAnotherType", "has input 0 of another type or scale than graph 1",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             addAbs(g, {2}, kInt);
             main.composite(1, {in(main)}, {out(main)});
         }},
        {"InputOfAnotherScale", "has input 0 of another type or scale than graph 1",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             const int32_t x = g.input(TensorType::INT8, {2}, {0.5f, 1});
             g.op(Op::ABS, 1, {x}, {g.output(TensorType::INT8, {2}, {0.5f, 1})});
             const int32_t y = main.input(TensorType::INT8, {2}, {0.5f, 2});
             main.composite(1, {y}, {main.output(TensorType::INT8, {2}, {0.5f, 1})});
         }},
        {"OutputOfOtherDimensions", "has output 0 of dimensions [2], and graph 1 one of [1, 2]",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             const int32_t x = in(g);
             g.op(Op::RESHAPE, 1, {x, g.ints({1, 2})}, {g.output(kReal, {1, 2})});
             main.composite(1, {in(main)}, {out(main)});
         }},
        {"InputThatIsAnOutput", "calls graph 1, whose operators do not compute its output \"in0\"",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             g.graph().outputs.push_back(in(g));
             main.composite(1, {in(main)}, {out(main)});
         }},
        {"OutputTwice", "calls graph 1, which has one tensor as two outputs",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             addAbs(g);
             g.graph().outputs.push_back(g.graph().outputs.front());
             const int32_t first = out(main);
             main.composite(1, {in(main)}, {first, out(main)});
         }},
        {"VariableInside", "calls graph 1, which keeps values between executions",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             addAbs(g);
             g.variable(kReal, {2});
             main.composite(1, {in(main)}, {out(main)});
         }},
        {"VariableInput", "has input 0, which keeps its value between executions",
         [](LiteFile&, LiteGraph& main, LiteGraph& g) {
             addAbs(g);
             main.composite(1, {main.variable(kReal, {2})}, {out(main)});
         }},
};

class TfliteCompositeRejects : public ::testing::TestWithParam<Rejected> {};

TEST_P(TfliteCompositeRejects, WithItsReason) {
    LiteFile file;
    LiteGraph called = file.called();
    GetParam().fill(file, file.main(), called);
    file.add(std::move(called));
    EXPECT_THAT(messageFor(file), HasSubstr(GetParam().reason));
}

INSTANTIATE_TEST_SUITE_P(All, TfliteCompositeRejects, ::testing::ValuesIn(kRejected),
                         [](const auto& info) { return info.param.name; });

// Each graph has the next one `copies` times.
LiteFile chain(int32_t graphs, int32_t copies) {
    LiteFile file;
    for (int32_t i = 1; i < graphs; ++i) {
        LiteGraph g = file.called();
        int32_t x = in(g);
        for (int32_t n = copies; n > 0; --n) {
            const int32_t y = n == 1 ? out(g) : g.tensor(kReal, {2});
            g.composite(i + 1, {x}, {y});
            x = y;
        }
        file.add(std::move(g));
    }
    LiteGraph last = file.called();
    addAbs(last);
    file.add(std::move(last));
    LiteGraph& main = file.main();
    main.composite(1, {in(main)}, {out(main)});
    return file;
}

TEST(TfliteCompositeRejects, GraphsOutOfProportion) {
    LiteFile file = chain(12, 8);
    const auto import = importTflite(file.bytes());
    ASSERT_FALSE(import.ok());
    EXPECT_EQ(import.error().code, ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT);
    EXPECT_THAT(messageOf(import.status()), HasSubstr("out of proportion to the file"));
}

// Each operator is rejected after its graph has been read.
TEST(TfliteCompositeRejects, GraphsThatManyOperatorsName) {
    LiteFile file;
    LiteGraph large = file.called();
    for (int32_t i = 0; i < 2000; ++i) large.tensor(kReal, {2});
    file.add(std::move(large));
    LiteGraph& main = file.main();
    const int32_t x = in(main);
    for (int32_t i = 0; i < 2000; ++i) main.composite(1, {x}, {out(main)});
    EXPECT_THAT(messageFor(file), HasSubstr("out of proportion to the file"));
}

TEST(TfliteCompositeRejects, GraphsBeyondTheLimits) {
    LiteFile few = chain(4, 4), deep = chain(4, 1);
    ImportOptions options;
    options.limits.operations = 50;
    EXPECT_THAT(messageFor(few, options), HasSubstr("50"));
    options.limits = {.nesting = 3};
    EXPECT_THAT(messageFor(deep, options), HasSubstr("calls a graph inside 3 others"));
}

}  // namespace
}  // namespace nn::tflite::composite_test
