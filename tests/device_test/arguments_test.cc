// Arguments of executions: inputs that are written, and outputs that are not.
#include "device_test/cases/arguments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "device_test/cases/prepared_case.h"

namespace nn::testing {
namespace {

std::string messageOf(const Failure& failure) { return failure ? toString(*failure) : "none"; }

// An execution that writes the output, and bytes of the pool of the inputs.
class Sum : public ::testing::Test {
   protected:
    void writeOutput() {
        const DataLocation& place = arguments.request().outputs[0].location;
        ASSERT_TRUE(writeMemory(arguments.outputMemory(), place.offset,
                                job.testCase().outputs[0].value.data)
                            .ok());
    }
    void writeInputs(uint64_t offset, const std::vector<uint8_t>& bytes) {
        ASSERT_TRUE(writeMemory(arguments.inputMemory(), offset, bytes).ok());
    }

    const JobCase job{sumJob()};
    const Arguments arguments = job.arguments().value();
};

TEST_F(Sum, IsRightWhereOnlyTheOutputIsWritten) {
    writeOutput();
    EXPECT_EQ(messageOf(arguments.checkUntouched()), "none");
    EXPECT_EQ(messageOf(checkValues({}, job.wanted(), arguments)), "none");
}

TEST_F(Sum, NamesTheInputAndItsSlot) {
    writeOutput();
    const uint32_t offset = arguments.request().inputs[1].location.offset;
    writeInputs(offset + 2, {1, 2});
    EXPECT_EQ(messageOf(arguments.checkUntouched()),
              fmt::format("inputs: the execution has written to input 1, first to byte {} of pool "
                          "0 (in a burst: slot 0) [execution.inputs]",
                          offset + 2));
    // Between the inputs.
    writeInputs(offset - 1, {0});
    EXPECT_EQ(messageOf(arguments.checkUntouched()),
              fmt::format("inputs: the execution has written to bytes between them, first to byte "
                          "{} of pool 0 (in a burst: slot 0) [execution.inputs]",
                          offset - 1));
}

// As a burst does that takes slot 0 for slot 1.
TEST_F(Sum, SaysThatTheSlotOfTheOutputsIsNotWritten) {
    writeInputs(0, {1, 2, 3});
    EXPECT_EQ(messageOf(arguments.checkUntouched()),
              "inputs: the execution has written to input 0, first to byte 0 of pool 0 (in a "
              "burst: slot 0), and nothing to pool 1 (slot 1), which has the outputs "
              "[execution.inputs]");
}

TEST_F(Sum, IsNotWrittenWhereItHasTheBytesFromBefore) {
    EXPECT_EQ(messageOf(checkValues({}, job.wanted(), arguments)),
              "results: output 0, elements 0 to 3 of 4: not written, expected 10 in the first");
    writeOutput();
    const DataLocation& place = arguments.request().outputs[0].location;
    const std::vector<uint8_t> before(2 * sizeof(float), Arguments::kUntouched);
    ASSERT_TRUE(writeMemory(arguments.outputMemory(), place.offset + sizeof(float), before).ok());
    EXPECT_EQ(messageOf(checkValues({}, job.wanted(), arguments)),
              "results: output 0, elements 1 to 2 of 4: not written, expected 21 in the first");
}

// A few bytes of that value may be a result.
TEST_F(Sum, IsWrongWhereTheFirstWrongElementIsWritten) {
    writeOutput();
    const DataLocation& place = arguments.request().outputs[0].location;
    const float wrong = 7;
    ASSERT_TRUE(writeMemory(arguments.outputMemory(), place.offset,
                            {reinterpret_cast<const uint8_t*>(&wrong), sizeof(wrong)})
                        .ok());
    EXPECT_THAT(messageOf(checkValues({}, job.wanted(), arguments)),
                ::testing::StartsWith("results: output 0, element 0: 7, expected 10 +- "));
}

}  // namespace
}  // namespace nn::testing
