// GeneralResult and ExecutionResult, and their conversions from and to Status and Result.
#include "nnapi/driver/result.h"

#include <memory>

#include "driver/models.h"

namespace nn::driver_result_test {
namespace {

using testing::IsEmpty;
using enum ErrorStatus;

const std::vector<OutputShape> kShapes = {{.dimensions = {2}, .isSufficient = false}};

// A conversion that must be implicit, as in a return statement.
template <class To>
To implicitly(auto&& from) {
    return std::forward<decltype(from)>(from);
}

TEST(DriverResult, IsASuccessByDefault) {
    EXPECT_TRUE(GeneralResult<void>().has_value());
    EXPECT_TRUE(ExecutionResult<void>().has_value());
    EXPECT_EQ(GeneralResult<int>().value(), 0);
    EXPECT_EQ(ExecutionResult<std::string>().value(), "");
    EXPECT_EQ(GeneralResult<int>().error(), (GeneralError{.message = "", .code = NONE}));
}

TEST(DriverResult, HoldsAValue) {
    GeneralResult<std::string> text = "some";
    EXPECT_TRUE(text.has_value() && text.ok() && text);
    EXPECT_EQ(text.value(), "some");
    EXPECT_EQ(*text, "some");
    EXPECT_EQ(text->size(), 4u);
    text->push_back('!');
    EXPECT_EQ(*text, "some!");

    GeneralResult<std::unique_ptr<int>> alone = std::make_unique<int>(7);
    const std::unique_ptr<int> taken = std::move(alone).value();
    EXPECT_EQ(*taken, 7);
}

TEST(DriverResult, HoldsAnError) {
    const GeneralError missed{.message = "late", .code = MISSED_DEADLINE_TRANSIENT};
    const Status status = makeError(MISSED_DEADLINE_TRANSIENT, "late");
    const auto built = [] { return error(MISSED_DEADLINE_TRANSIENT) << "late"; };
    const struct {
        const char* name;
        GeneralResult<int> general;
        ExecutionResult<int> execution;
        GeneralError error;
    } kRows[] = {
            {"AnError", missed, missed, missed},
            {"AStatus", status, status, missed},
            {"AResult", Result<int>(status), Result<int>(status), missed},
            {"TheOther", missed, GeneralResult<int>(missed), missed},
            {"ABuilder", built(), built(), missed},
            {"ASuccessWithoutAValue",
             Status(),
             Status(),
             {.message = "a success without a value", .code = GENERAL_FAILURE}},
            {"ErrorNone",
             GeneralError{.message = "what", .code = NONE},
             GeneralError{.message = "what", .code = NONE},
             {.message = "what", .code = GENERAL_FAILURE}},
    };
    for (const auto& row : kRows) {
        EXPECT_FALSE(row.general.has_value() || row.general.ok() || row.general) << row.name;
        EXPECT_EQ(row.general.error(), row.error) << row.name;
        EXPECT_EQ(row.execution.error(), ExecutionError(row.error)) << row.name;
        EXPECT_THROW((void)row.general.value(), absl::BadStatusOrAccess) << row.name;
        EXPECT_EQ(implicitly<Status>(row.general), row.general.status()) << row.name;
        EXPECT_EQ(implicitly<Result<int>>(row.execution).status(), row.execution.status())
                << row.name;
    }
    EXPECT_FALSE(GeneralResult<void>(status).has_value());
    EXPECT_TRUE(GeneralResult<void>(Status()).has_value());
}

TEST(DriverResult, KeepsOutputShapes) {
    const ExecutionError error("small", OUTPUT_INSUFFICIENT_SIZE, kShapes);
    EXPECT_EQ(ExecutionResult<int>(error).error(), error);
    const ExecutionResult<int> fromStatus = {makeError(OUTPUT_INSUFFICIENT_SIZE, "small"), kShapes};
    EXPECT_EQ(fromStatus.error(), error);
    EXPECT_THAT(ExecutionResult<int>(GeneralError{.message = "x", .code = GENERAL_FAILURE})
                        .error()
                        .outputShapes,
                IsEmpty());
}

TEST(DriverResult, KeepsTheDiagnostic) {
    const Diagnostic why{.rule = "operand.scale", .path = "main.operands[0]", .message = "is 0"};
    const GeneralResult<int> general = makeError(INVALID_ARGUMENT, why);
    const ExecutionResult<int> execution = general;
    EXPECT_EQ(diagnostic(execution.status()), why);
    EXPECT_EQ(execution.error().message, "main.operands[0]: is 0 [operand.scale]");
}

TEST(DriverResult, ErrorsAreComposed) {
    const Status status = error(INVALID_ARGUMENT)
                          << "output " << 3 << " of " << DeviceType::CPU << " is " << true;
    EXPECT_EQ(errorStatus(status), INVALID_ARGUMENT);
    EXPECT_EQ(status.message(), "output 3 of CPU is true");

    const Status cause = error(INVALID_ARGUMENT) << "token " << Request::MemoryDomainToken{7};
    const GeneralError general = Result<int>(cause).error();
    const Status outer = error() << "pool 1: " << cause << ", again: " << general
                                 << ", again: " << ExecutionError(general);
    EXPECT_EQ(outer.message(), "pool 1: token 7, again: token 7, again: token 7");
}

TEST(DriverResult, ErrorsHaveShapes) {
    const ExecutionResult<int> small = error(OUTPUT_INSUFFICIENT_SIZE, kShapes) << "small";
    EXPECT_EQ(small.error(), ExecutionError("small", OUTPUT_INSUFFICIENT_SIZE, kShapes));
}

}  // namespace
}  // namespace nn::driver_result_test
