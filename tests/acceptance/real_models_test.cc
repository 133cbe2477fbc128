// The real networks of examples/, and the test vectors, through every layer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "nnapi/comparison.h"
#include "nnapi/convert.h"
#include "nnapi/interpreter.h"
#include "nnapi/io.h"
#include "nnapi/passes.h"
#include "nnapi/print.h"
#include "vectors.h"

namespace nn::real_models_test {
namespace {

using ::testing::ElementsAre;
namespace fs = std::filesystem;

const fs::path kSource = NNAPI_SOURCE_DIR;

TestCase readOne(const fs::path& path) {
    Result<TestCaseReader> reader = TestCaseReader::open(kSource / path);
    EXPECT_TRUE(reader.ok()) << reader.status();
    auto next = reader->next();
    EXPECT_TRUE(next && next->ok());
    return std::move(**next);
}

std::vector<Tensor> expectedOf(const TestCase& testCase) {
    std::vector<Tensor> expected;
    for (const TestCase::Output& output : testCase.outputs) expected.push_back(output.value);
    return expected;
}

struct Network {
    const char* file;
    HalVersion least;
    size_t outputs;
    double quant8;  // the tolerance of 8-bit results in stored units
};

const Network kNetworks[] = {
        {"examples/models/mobilenet_224_gender.jsonl.gz", HalVersion::V1_0, 11, 3},
        {"examples/models/mobilenet_224_gender_quant8.jsonl.gz", HalVersion::V1_0, 11, 3},
        {"examples/models/mobilenet_224_gender_quant8_per_channel.jsonl.gz", HalVersion::V1_2, 11,
         3},
        {"examples/models/mobilenet_224_gender_quant8_signed_per_channel.jsonl.gz",
         HalVersion::V1_3, 11, 3},
        {"examples/digits/digits.jsonl.gz", HalVersion::V1_0, 3600, 1},
        {"examples/digits/digits_quant8.jsonl.gz", HalVersion::V1_0, 3600, 1},
};

TEST(RealNetworks, ConvertFromTheirLeastVersionOnAndComputeWhatTheyShould) {
    for (const Network& network : kNetworks) {
        SCOPED_TRACE(network.file);
        const TestCase testCase = readOne(network.file);
        EXPECT_EQ(validate(testCase.model).value(), toVersion(network.least));

        const auto outputs = prepare(testCase.model)->run(testCase.inputs);
        ASSERT_TRUE(outputs.ok()) << outputs.status();
        testing::Criteria criteria = testing::criteriaFor(testCase.model);
        criteria.quant8.absolute = network.quant8;
        const testing::Comparison c =
                testing::compareOutputs(testCase.model, expectedOf(testCase), *outputs, criteria);
        EXPECT_TRUE(c.pass) << c.message;
        EXPECT_EQ(c.elements, network.outputs);

        for (const HalVersion version : kConvertibleVersions) {
            Losses losses;
            const Result<HalModel> versioned = convertTo(version, testCase.model, &losses);
            EXPECT_EQ(versioned.ok(), version >= network.least) << toString(version);
            if (!versioned.ok()) continue;
            EXPECT_THAT(losses, ::testing::IsEmpty());
            const Result<Model> back = convertFrom(*versioned);
            ASSERT_TRUE(back.ok()) << back.status();
            EXPECT_EQ(*back, testCase.model);
            EXPECT_EQ(*prepare(*back)->run(testCase.inputs), *outputs);
        }
    }
}

TEST(RealNetworks, MarkedRelaxedLosesTheFlagTowards10AndNothingElse) {
    TestCase testCase = readOne(kNetworks[0].file);
    testCase.model.relaxComputationFloat32toFloat16 = true;
    Losses losses;
    const Result<V1_0::Model> versioned = V1_0::utils::convert(testCase.model, &losses);
    ASSERT_TRUE(versioned.ok()) << versioned.status();
    EXPECT_THAT(losses,
                ElementsAre(::testing::Field(&Loss::path, "relaxComputationFloat32toFloat16")));
    losses.clear();
    EXPECT_TRUE(V1_1::utils::convert(testCase.model, &losses).ok());
    EXPECT_THAT(losses, ::testing::IsEmpty());
}

// The class with the largest probability, the lowest if several are equal.
size_t recognized(const char* file) {
    const TestCase testCase = readOne(file);
    const auto outputs = prepare(testCase.model)->run(testCase.inputs);
    const OperandType type =
            testCase.model.main.operands[testCase.model.main.outputIndexes[0]].type;
    std::ifstream labels(kSource / "examples/digits/labels.txt");
    size_t right = 0, label = 0;
    for (size_t image = 0; labels >> label; ++image) {
        size_t best = 0;
        for (size_t digit = 1; digit < 10; ++digit) {
            const auto score = [&](size_t d) {
                return testing::elementValue(type, outputs->front(), image * 10 + d);
            };
            if (score(digit) > score(best)) best = digit;
        }
        right += best == label ? 1 : 0;
    }
    return right;
}

TEST(Digits, RecognizesWhatTheReadmeSays) {
    EXPECT_EQ(recognized("examples/digits/digits.jsonl.gz"), 355u);
    EXPECT_EQ(recognized("examples/digits/digits_quant8.jsonl.gz"), 355u);
}

// ---- the vectors

// For every version: the conversion succeeds if and only if the model is valid in it; the model is
// equal after the round trip, or the losses are reported. Returns the number of versions that it
// converts to.
size_t expectConversions(const std::string& name, const Model& model) {
    const Result<Version> needed = validate(model);
    size_t converted = 0;
    for (const HalVersion version : kConvertibleVersions) {
        SCOPED_TRACE(name + " in HAL " + std::string(toString(version)));
        Losses losses;
        const Result<HalModel> versioned = convertTo(version, model, &losses);
        const bool legal = needed.ok() && isCompliantVersion(*needed, toVersion(version));
        EXPECT_EQ(versioned.ok(), legal) << versioned.status();
        if (!versioned.ok()) continue;
        ++converted;
        const Result<Model> back = convertFrom(*versioned);
        EXPECT_TRUE(back.ok()) << back.status();
        if (!back.ok()) continue;
        EXPECT_EQ(*back == model, losses.empty());
        for (const Loss& loss : losses) EXPECT_EQ(loss.path, "relaxComputationFloat32toFloat16");
    }
    return converted;
}

TEST(Vectors, ConvertWhereTheyAreLegalAndComeBackEqualOrWithNamedLosses) {
    size_t converted = 0;
    forEachVector([&](const TestCase& testCase) {
        converted += expectConversions(testCase.name, testCase.model);
    });
    EXPECT_GE(converted, 11500u);
}

// As the README of the vectors states, a version is exact for a model without trailing default
// arguments and without the operands that become unused.
TEST(Vectors, MinimizedNeedExactlyTheStatedVersionAndConvertFromItOn) {
    size_t stated = 0, lowered = 0, converted = 0;
    forEachVector([&](const TestCase& testCase) {
        const Minimized minimized = minimize(testCase.model);
        converted += expectConversions(testCase.name, minimized.model);
        if (testCase.expectFailure || !testCase.minSupportedVersion) return;
        ++stated;
        const Result<Version> needed = validate(minimized.model);
        ASSERT_TRUE(needed.ok()) << testCase.name << ": " << needed.status();
        EXPECT_EQ(needed->level, testCase.minSupportedVersion->level) << testCase.name;
        lowered += needed->level < validate(testCase.model)->level ? 1 : 0;
    });
    EXPECT_EQ(stated, 5303u);
    EXPECT_GE(lowered, 150u);
    EXPECT_GE(converted, 11900u);
}

TEST(Vectors, MinimizedComputeTheSame) {
    size_t compared = 0;
    forEachVector([&](const TestCase& testCase) {
        Minimized minimized = minimize(testCase.model);
        if (testCase.expectFailure || minimized.removed.empty()) return;
        const auto original = prepare(testCase.model);
        const auto small = prepare(std::move(minimized.model));
        ASSERT_EQ(original.ok(), small.ok()) << testCase.name << " " << small.status();
        if (!original.ok()) return;
        const auto expected = original->run(testCase.inputs);
        const auto actual = small->run(testCase.inputs);
        ASSERT_EQ(expected.ok(), actual.ok()) << testCase.name << " " << actual.status();
        EXPECT_TRUE(!expected.ok() || *expected == *actual) << testCase.name;
        ++compared;
    });
    EXPECT_GE(compared, 640u);
}

}  // namespace
}  // namespace nn::real_models_test
