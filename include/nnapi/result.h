// nnapi/result.h -- how every function of the library answers.
//
//   nn::Result<nn::Version> needed = nn::validate(model);
//   if (!needed.has_value()) return needed.status();
//   nn::ErrorStatus code = nn::errorStatus(needed.status());
//
// Result<T> is an absl::StatusOr<T>, Status an absl::Status, and both convert freely. The HAL's
// ErrorStatus and, where a rule was broken, the Diagnostic travel with the status and are read back
// here; status.ToString() shows them after the message, in words. Nothing in the library throws or
// aborts on bad input.
#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "nnapi/types.h"

namespace nn {

using Status = absl::Status;

template <class T>
class Result : public absl::StatusOr<T> {
   public:
    using absl::StatusOr<T>::StatusOr;
    Result(absl::StatusOr<T> other) : absl::StatusOr<T>(std::move(other)) {}

    bool has_value() const { return this->ok(); }
    const Status& error() const { return this->status(); }
};

// Why an object is refused: where, what was found and allowed, and by which rule. The rule's id is
// stable and has an entry in docs/rules/.
struct Diagnostic {
    std::string rule{};       // "softmax.types"
    std::string path{};       // "main.operations[4]"
    std::string operation{};  // "SOFTMAX"; empty where the place is not an operation
    std::string message{};    // "input 1 'beta' (operand 17) is INT32, allowed FLOAT32 when ..."
    std::optional<Version> since{};  // set where the object would pass from that version on

    bool operator==(const Diagnostic&) const = default;
};

// "main.operations[4] SOFTMAX: input 1 'beta' (operand 17) is INT32, allowed ... [softmax.types]"
std::string toString(const Diagnostic& diagnostic);

// A failure with that code; NONE becomes GENERAL_FAILURE, since a failure needs a code.
Status makeError(ErrorStatus code, std::string_view message);

// A failure that says toString(diagnostic), with \xNN for what is not printable ASCII, and from
// which diagnostic() gives it back, each field as it was.
Status makeError(ErrorStatus code, const Diagnostic& diagnostic);

// The code a status was made with; NONE for success. A failure made elsewhere is
// RESOURCE_EXHAUSTED_TRANSIENT or GENERAL_FAILURE, by its own code.
ErrorStatus errorStatus(const Status& status);

// The diagnostic a status was made with, if any.
std::optional<Diagnostic> diagnostic(const Status& status);

}  // namespace nn

// Returns the status of an expression from the enclosing function when it is a failure.
#define NNAPI_RETURN_IF_ERROR(...)                                               \
    do {                                                                         \
        if (::nn::Status status_ = (__VA_ARGS__); !status_.ok()) return status_; \
    } while (false)

// Declares `name` with the value of a Result, or returns its status.
#define NNAPI_ASSIGN_OR_RETURN(name, ...)                              \
    auto name##Result_ = (__VA_ARGS__);                                \
    if (!name##Result_.ok()) return std::move(name##Result_).status(); \
    auto name = *std::move(name##Result_)
