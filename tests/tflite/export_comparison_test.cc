// Every model of tests/vectors that a file of TensorFlow Lite can carry: TensorFlow Lite computes
// the same of the file, or the export rejects the model.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "importers/exported_places.h"
#include "importers/kernel_tolerance.h"
#include "lite_batch.h"
#include "nnapi/import/tflite.h"
#include "nnapi/interpreter.h"
#include "vectors.h"

namespace nn {
namespace {

struct ExportedVector {
    std::string name{};
    std::vector<OperandType> types{};
    Tensors expected{};
};

// Sizes that the model leaves open are those of the inputs.
Model withSizesOf(const TestCase& testCase) {
    Model model = testCase.model;
    for (size_t i = 0; i < testCase.inputs.size(); ++i) {
        model.main.operands[model.main.inputIndexes[i]].dimensions = testCase.inputs[i].dimensions;
    }
    return model;
}

// Variables of a file begin with zeros.
bool beginsWithZeros(const TestCase& testCase, const std::vector<size_t>& places) {
    for (size_t i = 0; i < testCase.inputs.size(); ++i) {
        if (std::ranges::find(places, i) != places.end()) continue;
        const auto& data = testCase.inputs[i].data;
        if (std::ranges::any_of(data, [](uint8_t byte) { return byte != 0; })) return false;
    }
    return true;
}

std::string differenceOf(const ExportedVector& subject, const LiteBatch::FileResult& result) {
    if (!result.error.empty()) return result.error;
    if (result.outputs.size() != subject.expected.size()) {
        return fmt::format("{} outputs, expected {}", result.outputs.size(),
                           subject.expected.size());
    }
    for (size_t i = 0; i < subject.expected.size(); ++i) {
        // INT8 stands for both types.
        const OperandType type = subject.types[i] == OperandType::TENSOR_QUANT8_SYMM
                                         ? OperandType::TENSOR_QUANT8_ASYMM_SIGNED
                                         : subject.types[i];
        if (result.outputs[i].type != type) return fmt::format("output {} has another type", i);
        Tensor theirs = result.outputs[i].value;
        if (theirs.dimensions.empty()) theirs.dimensions = {1};
        const auto compared =
                testing::compareTensors(type, theirs, subject.expected[i], toleranceOf(type));
        if (!compared.pass) return fmt::format("output {}: {}", i, compared.message);
    }
    return {};
}

// Versions of operators that came after this library: filters of groups, SELECT of five dimensions.
bool isNewer(const std::string& difference) {
    return difference.find("builtin opcode 'CONV_2D' version '6'") != std::string::npos ||
           difference.find("builtin opcode 'SELECT' version '3'") != std::string::npos;
}

class LiteExports : public TensorFlowLite {
   protected:
    void add(const TestCase& testCase) {
        // TensorFlow Lite fails where NNAPI leaves the result undefined.
        if (testCase.expectFailure || testCase.name == "div_int32_by_zero") return;
        const auto prepared = prepare(testCase.model);
        if (!prepared.ok()) return;
        const auto expected = prepared->run(testCase.inputs);
        if (!expected.ok()) return;
        const auto written = exportTflite(withSizesOf(testCase));
        if (!written.ok()) {
            ++mRejected;
            return;
        }
        const auto imported = importTflite(*written);
        ASSERT_TRUE(imported.ok() && imported->parts.size() == 1) << testCase.name;
        const ImportedPart& part = imported->parts.front();
        const Model::Subgraph& main = testCase.model.main;
        // States are behind the other inputs.
        std::vector<std::string> names = part.inputNames();
        names.resize(names.size() - part.states.size());
        const auto inputs = placesOf(names, main.inputIndexes);
        if (!beginsWithZeros(testCase, inputs)) {
            ++mBegun;
            return;
        }
        Tensors values;
        for (const size_t place : inputs) values.push_back(testCase.inputs[place]);
        ExportedVector subject{.name = fmt::format("{:05}", mVectors.size())};
        for (const size_t place : placesOf(part.outputNames(), main.outputIndexes)) {
            subject.types.push_back(main.operands[main.outputIndexes[place]].type);
            subject.expected.push_back(expected->at(place));
        }
        mBatch.add(subject.name, *written, {values});
        mNames.push_back(testCase.name);
        mVectors.push_back(std::move(subject));
    }

    LiteBatch mBatch;
    std::vector<std::string> mNames;
    std::deque<ExportedVector> mVectors;
    size_t mRejected = 0;  // by the export
    size_t mBegun = 0;     // with states that are not zero, which no file says
};

TEST_F(LiteExports, ComputeTheSameInTensorFlowLite) {
    forEachVector([this](const TestCase& testCase) { add(testCase); });
    mBatch.run();
    size_t equal = 0, newer = 0;
    for (size_t i = 0; i < mVectors.size(); ++i) {
        const std::string difference = differenceOf(mVectors[i], mBatch.resultOf(mVectors[i].name));
        if (isNewer(difference)) {
            ++newer;
            continue;
        }
        EXPECT_EQ(difference, "") << mNames[i];
        equal += difference.empty();
    }
    fmt::print("{} equal, {} rejected by the export, {} with states, {} of newer versions\n", equal,
               mRejected, mBegun, newer);
    EXPECT_GE(equal, 2750u);
    EXPECT_LE(newer, 35u);
}

}  // namespace
}  // namespace nn
