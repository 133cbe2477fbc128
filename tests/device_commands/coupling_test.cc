// The device test finds results that differ between signed and unsigned values.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "device_commands/hooked_device.h"
#include "nnapi/device_test/device_test.h"
#include "nnapi/driver/registry.h"
#include "nnapi/print.h"

namespace nn::device_commands_coupling_test {
namespace {

using device_commands_test::hooked;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr auto kSigned = OperandType::TENSOR_QUANT8_ASYMM_SIGNED;

std::shared_ptr<const TestCase> addQuant8() {
    for (const auto& testCase : nn::testing::builtInTestCases()) {
        if (testCase->name == "add_quant8") return testCase;
    }
    return nullptr;
}

std::vector<nn::testing::DeviceCase> coupled(const TestCase& testCase) {
    auto cases = nn::testing::listCases(std::make_shared<const TestCase>(testCase));
    std::erase_if(cases, [](const auto& one) { return one.kind != "coupling"; });
    return cases;
}

// The same case with signed values.
TestCase signedCase() {
    TestCase made = *addQuant8();
    made.name = "add_signed";
    for (Operand& operand : made.model.main.operands) {
        if (operand.type != OperandType::TENSOR_QUANT8_ASYMM) continue;
        operand.type = kSigned;
        operand.zeroPoint -= 128;
    }
    const auto shift = [](Tensor& tensor) {
        for (uint8_t& byte : tensor.data) byte ^= 0x80;
    };
    for (Tensor& input : made.inputs) shift(input);
    for (auto& output : made.outputs) shift(output.value);
    return made;
}

std::string outcome(const TestCase& testCase, const SharedDevice& device) {
    const auto cases = coupled(testCase);
    EXPECT_THAT(cases, SizeIs(1));
    return cases.empty() ? "" : nn::testing::toString(nn::testing::runCase(device, cases[0]));
}

bool isSigned(const Model& model) {
    return std::ranges::count(model.main.operands, kSigned, &Operand::type) != 0;
}

// Moves the output of models with signed values by so many units.
void moveOutput(Model& model, int32_t units) {
    if (!isSigned(model)) return;
    model.main.operands[model.main.outputIndexes[0]].zeroPoint += units;
}

TEST(Coupling, PassesOnTheReference) {
    EXPECT_EQ(outcome(*addQuant8(), referenceDevice()), "passed");
    EXPECT_EQ(outcome(signedCase(), referenceDevice()), "passed");
    const DeviceRegistry registry;
    EXPECT_EQ(outcome(*addQuant8(), *registry.open("nnapi-reference@1.3")), "passed");
    // Before HAL 1.3 there is nothing to be coupled with.
    EXPECT_THAT(outcome(*addQuant8(), *registry.open("nnapi-reference@1.2")),
                ::testing::HasSubstr("the device has"));
}

// Each is within 1 of the expected value, and the two are 2 apart.
TEST(Coupling, FindsValuesThatDiffer) {
    const SharedDevice device = hooked({.change = [](Model& model) { moveOutput(model, 1); }});
    EXPECT_EQ(outcome(*addQuant8(), device), "passed") << "1 is allowed";
    const SharedDevice apart = hooked({.change = [](Model& model) {
        moveOutput(model, 1);
        Operand& x = model.main.operands[model.main.inputIndexes[0]];
        if (!isSigned(model)) x.zeroPoint += 1;  // one less comes out
    }});
    EXPECT_EQ(outcome(*addQuant8(), apart),
              "output 0 with TENSOR_QUANT8_ASYMM_SIGNED, moved by 128: element 0: 9, expected 7 +- "
              "1, which is that with TENSOR_QUANT8_ASYMM [coupling.signed]");
    const SharedDevice wrong = hooked({.change = [](Model& model) { moveOutput(model, 5); }});
    EXPECT_EQ(outcome(*addQuant8(), wrong),
              "results: output 0, element 0: -115, expected -120 +- 1");
    EXPECT_EQ(outcome(signedCase(), wrong),
              "results: output 0, element 0: -115, expected -120 +- 1");
}

TEST(Coupling, FindsSupportOfOnlyOneType) {
    for (const bool hasSigned : {false, true}) {
        const auto device = hooked({.supportsModel = [=](const Model& model) {
            return isSigned(model) == hasSigned;
        }});
        const std::string both = "TENSOR_QUANT8_ASYMM";
        EXPECT_EQ(outcome(*addQuant8(), device),
                  "getSupportedOperations: ADD with " + both + (hasSigned ? "_SIGNED" : "") +
                          " and not with " + both + (hasSigned ? "" : "_SIGNED") +
                          ", allowed both or none [coupling.signed]");
    }
    const auto neither = hooked({.supportsModel = [](const Model&) { return false; }});
    const auto cases = coupled(*addQuant8());
    EXPECT_EQ(nn::testing::runCase(neither, cases.at(0)).result,
              nn::testing::DeviceOutcome::Result::NOT_SUPPORTED);
}

TEST(Coupling, AppliesOnlyToSingleOperationsWithBothTypes) {
    TestCase two = *addQuant8();
    two.model.main.operations.push_back(two.model.main.operations[0]);
    EXPECT_THAT(coupled(two), IsEmpty());
    for (const OperationType type :
         {OperationType::CAST, OperationType::HASHTABLE_LOOKUP, OperationType::LSH_PROJECTION,
          OperationType::PAD_V2, OperationType::QUANTIZED_16BIT_LSTM}) {
        TestCase other = *addQuant8();
        other.model.main.operations[0].type = type;
        EXPECT_THAT(coupled(other), IsEmpty()) << type;
    }
    for (const auto& testCase : nn::testing::builtInTestCases()) {
        EXPECT_EQ(coupled(*testCase).size(), testCase->name == "add_quant8" ? 1u : 0u);
    }
}

}  // namespace
}  // namespace nn::device_commands_coupling_test
