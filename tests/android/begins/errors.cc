// All forms in which drivers of Android 12 and newer return an error, as each kind of result.
#define LOG_TAG "errors"

#include <android-base/expected.h>
#include <nnapi/IPreparedModel.h>
#include <nnapi/Result.h>
#include <nnapi/TypeUtils.h>
#include <nnapi/Types.h>

#include <functional>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace android::nn {
namespace {

// Values of all kinds: none, numbers, text, what only moves, what other things convert to.
struct Driver {
    int number = 0;
};
using Text = std::string;
using Numbers = std::vector<uint32_t>;
using Pair = std::pair<std::vector<OutputShape>, Timing>;
using Alone = std::unique_ptr<int>;
using Maybe = std::optional<int>;
using Function = std::function<int()>;

#define FOR_EACH_VALUE(M, Kind) \
    M(Kind, bool)               \
    M(Kind, int)                \
    M(Kind, float)              \
    M(Kind, Text)               \
    M(Kind, Numbers)            \
    M(Kind, Pair)               \
    M(Kind, Alone)              \
    M(Kind, Maybe)              \
    M(Kind, Function)           \
    M(Kind, Driver)             \
    M(Kind, Version)            \
    M(Kind, Model)              \
    M(Kind, SharedMemory)       \
    M(Kind, SharedPreparedModel)

template <class T>
using Expected = base::expected<T, std::string>;
template <class T>
using ExpectedGeneral = base::expected<T, GeneralError>;
template <class T>
using ExpectedExecution = base::expected<T, ExecutionError>;

const std::vector<OutputShape> kShapes{};
Result<int> failedResult() { return NN_ERROR() << "result"; }
GeneralResult<int> failedGeneral() { return NN_ERROR(ErrorStatus::DEAD_OBJECT) << "general"; }
ExecutionResult<int> failedExecution() {
    return NN_ERROR(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE, kShapes) << "execution";
}
Result<void> failedVoid() { return NN_ERROR(); }
GeneralResult<void> failedGeneralVoid() { return NN_ERROR(); }
std::optional<int> nothing() { return std::nullopt; }
Expected<int> failedExpected() { return base::unexpected("expected"); }

template <class R>
R success() {
    using T = typename R::value_type;
    if constexpr (std::is_void_v<T>) {
        return R();
    } else {
        return R(T());
    }
}

// Each function of this has a name of its own by the form.
#define ALWAYS(form, Kind, T, ...)                         \
    [[maybe_unused]] Kind<T> form(const Kind<T>* unused) { \
        (void)unused;                                      \
        __VA_ARGS__;                                       \
    }
#define FORMS_OF_ALL(Kind, T)                                                                  \
    ALWAYS(withoutText, Kind, T, return NN_ERROR())                                            \
    ALWAYS(withText, Kind, T, return NN_ERROR() << "text " << 3 << Text("!") << true)          \
    ALWAYS(withCode, Kind, T, return NN_ERROR(ErrorStatus::INVALID_ARGUMENT) << "text")        \
    ALWAYS(byFunction, Kind, T, return error() << "text")                                      \
    ALWAYS(byQualified, Kind, T, return nn::error(ErrorStatus::INVALID_ARGUMENT) << "text")    \
    ALWAYS(withShapes, Kind, T,                                                                \
           return NN_ERROR(ErrorStatus::OUTPUT_INSUFFICIENT_SIZE, kShapes) << "text")          \
    ALWAYS(checked, Kind, T, NN_RET_CHECK_FAIL() << "text")                                    \
    ALWAYS(compared, Kind, T, NN_RET_CHECK(kShapes.size() > 1) << "text" << 2;                 \
           NN_RET_CHECK_EQ(kShapes.size(), 1u); NN_RET_CHECK_LT(1, 2) << "text";               \
           return success<Kind<T>>())                                                          \
    ALWAYS(ofResult, Kind, T, return NN_ERROR() << failedResult().error())                     \
    ALWAYS(ofGeneral, Kind, T, const auto [message, code] = fieldsOf(failedGeneral().error()); \
           return NN_ERROR(code) << message)                                                   \
    ALWAYS(triedResult, Kind, T, (void)NN_TRY(failedResult()); return success<Kind<T>>())      \
    ALWAYS(triedVoid, Kind, T, NN_TRY(failedVoid()); return success<Kind<T>>())
#define FORMS_OF_TEXT(Kind, T)                                             \
    ALWAYS(unexpectedText, Kind, T, return base::unexpected(Text("text"))) \
    ALWAYS(unexpectedLiteral, Kind, T, return base::unexpected("text"))

std::pair<Text, ErrorStatus> fieldsOf(const GeneralError& error) {
    return {error.message, error.code};
}

// A type with a code becomes another one with a code.
#define FORMS_OF_CODES(Kind, T)                                                                 \
    ALWAYS(triedGeneral, Kind, T, (void)NN_TRY(failedGeneral()); return success<Kind<T>>())     \
    ALWAYS(triedGeneralVoid, Kind, T, NN_TRY(failedGeneralVoid()); return success<Kind<T>>())   \
    ALWAYS(unexpectedGeneral, Kind, T,                                                          \
           return base::unexpected(GeneralError{.message = "text", .code = ErrorStatus::NONE})) \
    ALWAYS(unexpectedError, Kind, T, return base::unexpected(failedGeneral().error()))          \
    ALWAYS(generalError, Kind, T, return failedGeneral().error())
#define FORMS_OF_SHAPES(Kind, T)                                                                \
    ALWAYS(triedExecution, Kind, T, (void)NN_TRY(failedExecution()); return success<Kind<T>>()) \
    ALWAYS(unexpectedExecution, Kind, T, return base::unexpected(ExecutionError{}))             \
    ALWAYS(executionError, Kind, T, return failedExecution().error())

FOR_EACH_VALUE(FORMS_OF_ALL, Result)
FORMS_OF_ALL(Result, void)
FOR_EACH_VALUE(FORMS_OF_TEXT, Result)
FORMS_OF_TEXT(Result, void)
FOR_EACH_VALUE(FORMS_OF_ALL, GeneralResult)
FORMS_OF_ALL(GeneralResult, void)
FOR_EACH_VALUE(FORMS_OF_TEXT, GeneralResult)
FORMS_OF_TEXT(GeneralResult, void)
FOR_EACH_VALUE(FORMS_OF_CODES, GeneralResult)
FORMS_OF_CODES(GeneralResult, void)
FOR_EACH_VALUE(FORMS_OF_ALL, ExecutionResult)
FORMS_OF_ALL(ExecutionResult, void)
FOR_EACH_VALUE(FORMS_OF_TEXT, ExecutionResult)
FORMS_OF_TEXT(ExecutionResult, void)
FOR_EACH_VALUE(FORMS_OF_CODES, ExecutionResult)
FORMS_OF_CODES(ExecutionResult, void)
FOR_EACH_VALUE(FORMS_OF_SHAPES, ExecutionResult)
FORMS_OF_SHAPES(ExecutionResult, void)
FOR_EACH_VALUE(FORMS_OF_ALL, Expected)
FORMS_OF_ALL(Expected, void)
FOR_EACH_VALUE(FORMS_OF_TEXT, Expected)
FORMS_OF_TEXT(Expected, void)
FOR_EACH_VALUE(FORMS_OF_ALL, ExpectedGeneral)
FORMS_OF_ALL(ExpectedGeneral, void)
FOR_EACH_VALUE(FORMS_OF_ALL, ExpectedExecution)
FORMS_OF_ALL(ExpectedExecution, void)

[[maybe_unused]] bool returnsBool() {
    NN_RET_CHECK(failedResult().has_value()) << failedResult().error();
    NN_RET_CHECK_GE(2, 1) << "text";
    return true;
}
[[maybe_unused]] std::optional<int> returnsOptional() { return NN_TRY(nothing()) + 1; }
[[maybe_unused]] Expected<int> returnsExpected() { return NN_TRY(failedExpected()) + 1; }
// The lambda of a callback has the type of its returns.
[[maybe_unused]] GeneralResult<int> callsLambda() {
    const auto call = [](int number) -> GeneralResult<int> {
        if (number < 0) return NN_ERROR(ErrorStatus::GENERAL_FAILURE) << "negative: " << number;
        return number;
    };
    return NN_TRY(call(1)) + 1;
}
// The error of a Result is text.
[[maybe_unused]] Text textOf() {
    const std::string text = failedResult().error();
    const std::string& bound = failedResult().error();
    std::ostringstream stream;
    stream << failedResult().error() << failedGeneral().error().message
           << failedExecution().error().code;
    LOG(ERROR) << failedResult().error();
    return text + bound + stream.str();
}

}  // namespace
}  // namespace android::nn
