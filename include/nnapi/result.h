// nnapi/result.h -- Status and Result: a value, or an error with HAL code and broken rule.
//
//   nn::Result<nn::Version> needed = nn::validate(model);
//   if (!needed.has_value()) return needed.status();
//   nn::ErrorStatus code = needed.error().code;
//
// Result<T> is an absl::StatusOr<T> and Status an absl::Status; they convert freely. A failure
// carries the HAL's ErrorStatus and, if a rule was broken, a Diagnostic; the functions below read
// them back. status.ToString() shows both after the message, in words. The library neither throws
// nor aborts on bad input.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "nnapi/enumerations.h"
#include "nnapi/version.h"

namespace nn {

// Success, or a failure with a message, the HAL's code and perhaps a Diagnostic.
using Status = absl::Status;

// Text and code of a failure.
struct GeneralError {
    std::string message{};                            // for people
    ErrorStatus code = ErrorStatus::GENERAL_FAILURE;  // as the HAL reports it

    // A failure also where the code is NONE.
    operator Status() const;
    // The message, as the error of Android's Result, which is a string. It is no reference, so that
    // one that a driver binds to result.error() lives as long as the reference.
    operator std::string() const { return message; }
    bool operator==(const GeneralError&) const = default;

    using AlwaysFails = void;  // see Failure
};

// True for types whose objects become the failure of a result, whatever its value is: errors, and
// what builds them. They name the type `AlwaysFails`, and convert to Status.
template <class E>
concept Failure = requires {
    typename std::remove_cvref_t<E>::AlwaysFails;
};

// True for other results, which convert to a Result implicitly. They name `IsResult`.
template <class R>
concept ConvertsToResult = requires {
    typename std::remove_cvref_t<R>::IsResult;
};

// A value or a failure. As thread-safe as T.
template <class T>
class Result : public absl::StatusOr<T> {
    using Base = absl::StatusOr<T>;

   public:
    // A failure with code GENERAL_FAILURE.
    explicit Result() = default;
    // A value, a status, or another StatusOr; a failure without an HAL code reads as errorStatus()
    // says.
    template <class U = T>
    requires(!Failure<U> && !ConvertsToResult<U> &&
             !std::is_same_v<std::remove_cvref_t<U>, Result> && std::is_convertible_v<U&&, Base>)
            Result(U&& other)  // NOLINT(bugprone-forwarding-reference-overload)
        : Base(std::forward<U>(other)) {}
    template <class U = T>
    requires(
            !Failure<U> && !ConvertsToResult<U> &&
            !std::is_same_v<std::remove_cvref_t<U>, Result> && !std::is_convertible_v<U&&, Base> &&
            std::is_constructible_v<
                    Base,
                    U&&>) explicit Result(U&& other)  // NOLINT(bugprone-forwarding-reference-overload)
        : Base(std::forward<U>(other)) {}
    template <class... Arguments>
    explicit Result(std::in_place_t, Arguments&&... arguments)
        : Base(std::in_place, std::forward<Arguments>(arguments)...) {}
    // A failure, even if T could be made from it.
    template <Failure E>  // which no Result is
    Result(E&& error)     // NOLINT(bugprone-forwarding-reference-overload)
        : Base(static_cast<Status>(std::forward<E>(error))) {}

    // The same as ok(), under the name of Android's results.
    bool has_value() const { return this->ok(); }

    // Empty with code NONE for a success.
    GeneralError error() const;
};

// Why an object is rejected: the place, the value found, the values allowed, and the rule. Rule ids
// are stable and documented in docs/rules/.
struct Diagnostic {
    std::string rule{};       // "softmax.types"
    std::string path{};       // "main.operations[4]"
    std::string operation{};  // "SOFTMAX"; empty where the place is not an operation
    std::string message{};    // "input 1 'beta' (operand 17) is INT32, allowed FLOAT32 when ..."
    std::optional<Version> since{};  // set if the object is legal from that version on

    bool operator==(const Diagnostic&) const = default;
};

// "main.operations[4] SOFTMAX: input 1 'beta' (operand 17) is INT32, allowed ... [softmax.types]"
std::string toString(const Diagnostic& diagnostic);

// Creates a failure with a code; NONE becomes GENERAL_FAILURE.
Status makeError(ErrorStatus code, std::string_view message);

// Creates a failure whose message is toString(diagnostic), with \xNN for characters that are not
// printable ASCII. diagnostic() returns the same diagnostic, field by field.
Status makeError(ErrorStatus code, const Diagnostic& diagnostic);

// The HAL code of a status; NONE for success. A failure that makeError did not create is
// RESOURCE_EXHAUSTED_TRANSIENT or GENERAL_FAILURE, depending on its absl code.
ErrorStatus errorStatus(const Status& status);

// Text and code of a status; empty with code NONE for success.
GeneralError generalError(const Status& status);

template <class T>
GeneralError Result<T>::error() const {
    return generalError(this->status());
}

// "INVALID_ARGUMENT: " and the message; "OK" for success.
std::string toString(const Status& status);

// The diagnostic of a status, if it has one.
std::optional<Diagnostic> diagnostic(const Status& status);

}  // namespace nn

// Evaluates a Status expression and returns it from the enclosing function if it is a failure.
#define NNAPI_RETURN_IF_ERROR(...)                                               \
    do {                                                                         \
        if (::nn::Status status_ = (__VA_ARGS__); !status_.ok()) return status_; \
    } while (false)

// Declares `name` with the value of a Result expression, or returns its status.
#define NNAPI_ASSIGN_OR_RETURN(name, ...)                              \
    auto name##Result_ = (__VA_ARGS__);                                \
    if (!name##Result_.ok()) return std::move(name##Result_).status(); \
    auto name = *std::move(name##Result_)
