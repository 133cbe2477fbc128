// The models of tests/vectors as files of TensorFlow Lite, and back.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "environment.h"
#include "exported_places.h"
#include "nnapi/import/tflite.h"
#include "nnapi/interpreter.h"
#include "types/status_message.h"
#include "vectors.h"

namespace nn::tflite {
namespace {

// The states of a file are behind the other inputs and outputs.
Result<std::vector<nn::Tensor>> executePart(const ImportedPart& part, const TestCase& testCase) {
    const std::vector<uint32_t>& operands = testCase.model.main.inputIndexes;
    std::vector<nn::Tensor> inputs;
    for (const size_t place : placesOf(part.inputNames(), operands)) {
        inputs.push_back(testCase.inputs.at(place));
    }
    NNAPI_ASSIGN_OR_RETURN(prepared, prepare(part.model));
    return prepared.run(inputs);
}

// Every exported file computes the same when it is read again; all else is refused by operation.
TEST(TfliteVectors, ComputeTheSameAfterwards) {
    const uint64_t share = fromEnvironment("NNAPI_DEVICE_SHARE", 1);
    size_t seen = 0, equal = 0, refused = 0;
    forEachVector([&](const TestCase& testCase) {
        if (seen++ % share != 0) return;
        const auto original = prepare(testCase.model);
        if (testCase.expectFailure || !original.ok()) return;
        const auto expected = original->run(testCase.inputs);
        ASSERT_TRUE(expected.ok()) << testCase.name << ": " << expected.status();
        const auto written = exportTflite(testCase.model);
        if (!written.ok()) {
            const std::string why = messageOf(written.status());
            EXPECT_TRUE(why.starts_with("TensorFlow Lite cannot carry the model:")) << why;
            ++refused;
            return;
        }
        const auto imported = importTflite(*written);
        ASSERT_TRUE(imported.ok()) << testCase.name << ": " << imported.status();
        ASSERT_EQ(messageOf(refusalsOf(*imported)), "") << testCase.name;
        const ImportedPart& part = imported->parts.front();
        const auto actual = executePart(part, testCase);
        ASSERT_TRUE(actual.ok()) << testCase.name << ": " << actual.status();
        const std::vector<size_t> places =
                placesOf(part.outputNames(), testCase.model.main.outputIndexes);
        EXPECT_EQ(places.size() + part.states.size(), actual->size()) << testCase.name;
        for (size_t i = 0; i < places.size(); ++i) {
            EXPECT_EQ(expected->at(places[i]), actual->at(i)) << testCase.name;
        }
        ++equal;
    });
    EXPECT_GE(equal * share, 2800u);
    EXPECT_LE(refused * share, 3800u);
}

}  // namespace
}  // namespace nn::tflite
