// Failing cases become the smallest ones that fail: for predicates, and for drivers of the
// catalog.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "device_test/bugs/bugs.h"
#include "device_test/cases/models.h"
#include "device_test/shrink_cases.h"
#include "nnapi/comparison.h"
#include "nnapi/device_test/device_test.h"
#include "nnapi/device_test/faulty_device.h"
#include "nnapi/device_test/reproducer.h"
#include "nnapi/device_test/shrink.h"
#include "nnapi/memory.h"
#include "nnapi/validate.h"

namespace nn::shrink_test {
namespace {

using bugs::Bug;
using nn::SubgraphBuilder;
using nn::testing::CaseSize;
using nn::testing::floatTensor;
using nn::testing::quantTensor;
using nn::testing::ramp;
using nn::testing::shrink;
using nn::testing::Shrunk;
using nn::testing::sizeOf;
using nn::testing::tensorOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using enum OperandType;
using enum OperationType;

// The elements of an output.
std::vector<double> elementsOf(const TestCase& testCase, size_t output = 0) {
    const Model::Subgraph& main = testCase.model.main;
    const OperandType type = main.operands[main.outputIndexes[output]].type;
    const Tensor& value = testCase.outputs[output].value;
    std::vector<double> elements;
    for (size_t i = 0; i < nn::testing::elementCount(type, value); ++i) {
        elements.push_back(nn::testing::elementValue(type, value, i));
    }
    return elements;
}

bool hasOperation(const TestCase& testCase, OperationType type) {
    return std::ranges::count(testCase.model.main.operations, type, &Operation::type) != 0;
}

bool hasElementAbove(const TestCase& testCase, double bound) {
    return std::ranges::any_of(elementsOf(testCase), [bound](double e) { return e > bound; });
}

// relu(x + y), then times 2, then the softmax of it.
TestCase chainOfFour() {
    Model model;
    SubgraphBuilder graph(model);
    const Operand tensor = floatTensor({2, 6});
    const uint32_t x = graph.input(tensor), y = graph.constant(tensor, ramp(12, 1, 0.37f));
    const uint32_t none = graph.scalar(0), two = graph.constant(floatTensor({1}), ramp(1, 2, 0));
    const uint32_t sum = graph.temporary(tensor), positive = graph.temporary(tensor);
    const uint32_t product = graph.output(tensor), out = graph.output(tensor);
    const uint32_t beta = graph.constant<float>({.type = FLOAT32}, {1.5f});
    graph.add(ADD, {x, y, none}, {sum});
    graph.add(RELU, {sum}, {positive});
    graph.add(MUL, {positive, two, none}, {product});
    graph.add(SOFTMAX, {product, beta}, {out});
    model.main = std::move(graph.graph);
    return caseOf(std::move(model), {tensorOf({2, 6}, ramp(12, -3, 0.83f))});
}

struct PredicateRow {
    const char* name;
    bool (*fails)(const TestCase&);
    std::vector<OperationType> operations;
    CaseSize size;
    std::vector<double> output;
};

void PrintTo(const PredicateRow& row, std::ostream* out) { *out << row.name; }

class Predicates : public ::testing::TestWithParam<PredicateRow> {};

TEST_P(Predicates, GiveTheSmallest) {
    const auto& [name, fails, operations, size, output] = GetParam();
    const Shrunk small = shrink(chainOfFour(), fails);
    EXPECT_TRUE(small.isFinished);
    EXPECT_TRUE(fails(small.testCase));
    EXPECT_EQ(operationsOf(small.testCase), operations);
    EXPECT_EQ(sizeOf(small.testCase), size) << small.testCase.model.main.operands.size();
    EXPECT_EQ(elementsOf(small.testCase), output);
    EXPECT_EQ(sizeOf(chainOfFour()), (CaseSize{4, 12 + 12 + 1 + 1 + 1 + 24}));
    EXPECT_LT(small.candidates, 300u);
    // The same again.
    EXPECT_EQ(shrink(chainOfFour(), fails).testCase.inputs, small.testCase.inputs);
}

const PredicateRow kPredicates[] = {
        // One element, and the beta.
        {"Softmax",
         [](const TestCase& c) { return hasOperation(c, SOFTMAX); },
         {SOFTMAX},
         {1, 3},
         {1}},
        // 0 + 8: a number of one bit.
        {"SumAboveFive",
         [](const TestCase& c) { return hasOperation(c, ADD) && hasElementAbove(c, 5); },
         {ADD},
         {1, 4},
         {8}},
        {"SumWithProduct",
         [](const TestCase& c) { return hasOperation(c, ADD) && hasOperation(c, MUL); },
         {ADD, MUL},  // one operand for the activation of both; the sum is no output
         {2, 6},
         {0}},
        {"TwoElements",
         [](const TestCase& c) { return hasOperation(c, RELU) && elementsOf(c).size() > 1; },
         {RELU},
         {1, 4},
         {0, 0}},
};
INSTANTIATE_TEST_SUITE_P(Shrink, Predicates, ::testing::ValuesIn(kPredicates),
                         [](const auto& info) { return std::string(info.param.name); });

// ---- cases that are not shrunk

TEST(Shrink, LeavesWhatItCannotJudge) {
    const auto always = [](const TestCase&) { return true; };
    TestCase illegal = chainOfFour();
    illegal.model.main.operations[0].inputs[0] = 99;
    TestCase failing = chainOfFour();
    failing.expectFailure = true;
    TestCase drawn = chainOfFour();
    drawn.expectedMultinomialDistributionTolerance = 0.1f;
    TestCase lacking = chainOfFour();
    lacking.inputs.clear();
    for (const TestCase& testCase : {illegal, failing, drawn, lacking, TestCase{}}) {
        const Shrunk same = shrink(testCase, always);
        EXPECT_EQ(same.testCase, testCase);
        EXPECT_EQ(same.candidates, 0u);
    }
    const Shrunk good = shrink(chainOfFour(), [](const TestCase&) { return false; });
    EXPECT_EQ(good.testCase, chainOfFour());
    EXPECT_EQ(good.candidates, 1u);
}

TEST(Shrink, EndsWithItsLimits) {
    const auto fails = [](const TestCase& c) { return hasOperation(c, SOFTMAX); };
    const Shrunk few = shrink(chainOfFour(), fails, {.candidates = 2});
    EXPECT_EQ(few.candidates, 2u);
    EXPECT_FALSE(few.isFinished);
    EXPECT_TRUE(fails(few.testCase));
    const Shrunk none = shrink(chainOfFour(), fails, {.time = Duration::zero()});
    EXPECT_EQ(none.testCase, chainOfFour());
    EXPECT_FALSE(shrink(chainOfFour(), fails, {.isCancelled = [] { return true; }}).isFinished);
}

// ---- drivers of the catalog

Shrunk shrinkOn(Bug bug, const TestCase& testCase, const std::string& path = "sync") {
    const SharedDevice device = bugs::openDevice(bug).value();
    return shrink(testCase, [&](const TestCase& candidate) {
        return outcomeOf(device, candidate, path).place == "results";
    });
}

// x + y of these shapes, then the absolute values.
TestCase sumOf(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b,
               const std::vector<uint32_t>& sum) {
    const auto count = [](const std::vector<uint32_t>& dimensions) {
        size_t product = 1;
        for (const uint32_t each : dimensions) product *= each;
        return product;
    };
    Model model;
    SubgraphBuilder graph(model);
    const uint32_t x = graph.input(floatTensor(a)), y = graph.input(floatTensor(b));
    const uint32_t added = graph.temporary(floatTensor(sum)), none = graph.scalar(0);
    graph.add(ADD, {x, y, none}, {added});
    graph.add(ABS, {added}, {graph.output(floatTensor(sum))});
    model.main = std::move(graph.graph);
    return caseOf(std::move(model),
                  {tensorOf(a, ramp(count(a), 1, 0.71f)), tensorOf(b, ramp(count(b), -9, 1.37f))});
}

TEST(Shrink, FindsTheSmallestSumThatIsBroadcastWrongly) {
    const Shrunk small = shrinkOn(Bug::broadcast_modulo, sumOf({4, 5, 6}, {4, 1, 6}, {4, 5, 6}));
    EXPECT_THAT(operationsOf(small.testCase), ElementsAre(ADD));
    const auto& inputs = small.testCase.inputs;
    EXPECT_THAT(inputs[0].dimensions, ElementsAre(2));
    EXPECT_THAT(inputs[1].dimensions, ElementsAre(2, 1));
    EXPECT_EQ(sizeOf(small.testCase), (CaseSize{1, 2 + 2 + 1 + 4}));
}

TEST(Shrink, FollowsThePathOfTheFailure) {
    const TestCase whole = sumOf({3, 4}, {3, 4}, {3, 4});
    const SharedDevice device =
            nn::testing::faultyDevice(bugs::openDevice(Bug::none).value(),
                                      {nn::testing::DeviceFault::WRONG_VALUES_THE_SECOND_TIME})
                    .value();
    const Shrunk small = shrink(whole, [&](const TestCase& candidate) {
        return outcomeOf(device, candidate, "reusable").place == "results";
    });
    EXPECT_EQ(outcomeOf(device, small.testCase, "sync").result,
              nn::testing::DeviceOutcome::Result::PASSED);
    EXPECT_EQ(sizeOf(small.testCase).operations, 1u);
    EXPECT_LE(sizeOf(small.testCase).elements, 4u);
}

// A convolution of 4 x 5 x 5 x 3 to 2 channels, quantized.
TestCase convolution() {
    Model model;
    SubgraphBuilder graph(model);
    const uint32_t x = graph.input(quantTensor({4, 5, 5, 3}, 0.5f, 100));
    std::vector<uint8_t> filter(2 * 3 * 3 * 3), image(4 * 5 * 5 * 3);
    for (size_t i = 0; i < filter.size(); ++i) filter[i] = static_cast<uint8_t>(90 + i * 7 % 80);
    for (size_t i = 0; i < image.size(); ++i) image[i] = static_cast<uint8_t>(i * 37 % 256);
    const uint32_t weights = graph.constant(quantTensor({2, 3, 3, 3}, 0.25f, 120), filter);
    const uint32_t bias = graph.constant<int32_t>(
            {.type = TENSOR_INT32, .dimensions = {2}, .scale = 0.125f}, {300, -70});
    const uint32_t same = graph.scalar(1), one = graph.scalar(1), none = graph.scalar(0);
    graph.add(CONV_2D, {x, weights, bias, same, one, one, none},
              {graph.output(quantTensor({4, 5, 5, 2}, 4, 128))});
    model.main = std::move(graph.graph);
    return caseOf(std::move(model), {tensorOf({4, 5, 5, 3}, image)});
}

TEST(Shrink, FindsTheSmallestConvolutionThatIsPaddedWrongly) {
    const Shrunk small = shrinkOn(Bug::pads_with_stored_zero, convolution());
    EXPECT_THAT(operationsOf(small.testCase), ElementsAre(CONV_2D));
    // One output; the filter covers some padding.
    EXPECT_LE(sizeOf(small.testCase).elements, 12u);
    EXPECT_THAT(small.testCase.outputs[0].value.dimensions, ElementsAre(1, 1, 1, 1));
}

// ---- programs

TEST(Reproducer, ContainsTheCaseAsCode) {
    const TestCase small =
            shrinkOn(Bug::broadcast_modulo, sumOf({4, 5, 6}, {4, 1, 6}, {4, 5, 6})).testCase;
    nn::testing::Reproducer reproducer{
            .testCase = small, .device = "./a\"b.so", .reason = "results: */ wrong\\\n"};
    const std::string cpp = cppReproducer(reproducer), c = cReproducer(reproducer);
    EXPECT_THAT(cpp, HasSubstr("// made.cc -- results: * / wrong/"));
    // The modules of the program in PATH.
    for (const std::string& text : {cpp, c}) {
        EXPECT_THAT(text, HasSubstr("   export PKG_CONFIG_PATH=\"$(dirname \"$(realpath "
                                    "\"$(command -v nnapi)\")\")/../"));
    }
    EXPECT_THAT(cpp, HasSubstr("argv[1] : \"./a\\\"b.so\""));
    EXPECT_THAT(cpp, HasSubstr("made.inputs.push_back(tensor<float>({2, 1}, {"));
    EXPECT_THAT(c, HasSubstr("operand(model, ANEURALNETWORKS_TENSOR_FLOAT32, 2, "
                             "(const uint32_t[]){2, 1}, 0.0f, 0); /* 1 */"));
    EXPECT_THAT(c, HasSubstr("ANEURALNETWORKS_ADD, 3, (const uint32_t[]){0, 1, "));
    EXPECT_THAT(c, HasSubstr("nnapi exec --device ./a\"b.so -- ./made_c_api"));
    // The C API has no devices with faults: the program serves one.
    reproducer.device = "faulty:WRONG_VALUES:nnapi-sample_all";
    EXPECT_THAT(cReproducer(reproducer),
                HasSubstr(" *   nnapi serve --device faulty:WRONG_VALUES:nnapi-sample_all --listen "
                          "unix:faulty & sleep 1\n"
                          " *   nnapi exec --device unix:faulty -- ./made_c_api [NAME]\n"));
    EXPECT_THAT(cppReproducer(reproducer),
                HasSubstr("[faulty:WRONG_VALUES:nnapi-sample_all], which only nnapi has\n"));
    // The C API has no such call, or refuses it itself.
    for (const char* path : {"device_memory", "insufficient", "request"}) {
        reproducer.path = path;
        EXPECT_EQ(cReproducer(reproducer), "") << path;
        EXPECT_THAT(cppReproducer(reproducer), HasSubstr(path));
    }
    reproducer.testCase.model.main.operations[0].type = static_cast<OperationType>(131072);
    reproducer.path = "sync";
    EXPECT_EQ(cReproducer(reproducer), "");
    EXPECT_EQ(nn::testing::cReproducer({}).find("no case"), std::string::npos);  // any case
}

}  // namespace
}  // namespace nn::shrink_test
