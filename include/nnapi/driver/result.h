// nnapi/driver/result.h -- Result types of device methods.
//
//   nn::GeneralResult<nn::SharedPreparedModel> prepareModel(...) const override {
//       if (!isIdle()) return nn::error(nn::ErrorStatus::DEVICE_UNAVAILABLE) << "busy";
//       nn::Result<nn::PreparedModel> prepared = nn::prepare(model);
//       if (!prepared.ok()) return prepared.status();
//       return wrapped(*std::move(prepared));
//   }
//
//   if (!result.has_value()) log(result.error().code, result.error().message);
//
// A GeneralResult is a value or an error. An ExecutionResult is a value or an error with output
// shapes. Both convert from and to nn::Result and nn::Status without losing the Diagnostic.
// Default-constructed, they hold a default value.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "nnapi/result.h"
#include "nnapi/types.h"

namespace nn {

// A GeneralError (nnapi/result.h) of an execution.
struct ExecutionError {
    std::string message{};                            // for people
    ErrorStatus code = ErrorStatus::GENERAL_FAILURE;  // as the HAL reports it
    // Shapes of all outputs for OUTPUT_INSUFFICIENT_SIZE, empty for other codes.
    std::vector<OutputShape> outputShapes{};

    ExecutionError() = default;
    // Shapes go with OUTPUT_INSUFFICIENT_SIZE only; this is not checked.
    ExecutionError(std::string what, ErrorStatus why = ErrorStatus::GENERAL_FAILURE,
                   std::vector<OutputShape> shapes = {})
        : message(std::move(what)), code(why), outputShapes(std::move(shapes)) {}
    // Without shapes.
    ExecutionError(GeneralError general)
        : message(std::move(general.message)), code(general.code) {}
    bool operator==(const ExecutionError&) const = default;

    // The same without shapes.
    operator GeneralError() const { return {.message = message, .code = code}; }
    operator Status() const { return makeError(code, message); }

    using AlwaysFails = void;  // see Failure
};

namespace driver_internal {

// The status as a failure: success becomes GENERAL_FAILURE.
Status failureOf(Status status);

// The contents of a result of void.
struct Empty {
    bool operator==(const Empty&) const = default;
};
// The contents of a result.
template <class T>
using Stored = std::conditional_t<std::is_void_v<T>, Empty, T>;

// Base of both results.
template <class T>
class Outcome {
   public:
    // What value() gives; may be void.
    using value_type = T;
    using IsResult = void;

    // True for a value, false for an error.
    bool has_value() const { return mResult.ok(); }
    bool ok() const { return mResult.ok(); }
    explicit operator bool() const { return mResult.ok(); }
    // The error as a status, with the Diagnostic if it has one; success for a value.
    const Status& status() const { return mResult.status(); }

    // The value. Throws absl::BadStatusOrAccess for an error; without exceptions, ends the program.
    decltype(auto) value() const& {
        if constexpr (std::is_void_v<T>) {
            (void)mResult.value();
        } else {
            return mResult.value();
        }
    }
    decltype(auto) value() && {
        if constexpr (std::is_void_v<T>) {
            (void)mResult.value();
        } else {
            return std::move(mResult).value();
        }
    }
    // The value, without a check: undefined for an error. It is part of the result.
    const Stored<T>& operator*() const& requires(!std::is_void_v<T>) { return *mResult; }
    Stored<T>& operator*() & requires(!std::is_void_v<T>) { return *mResult; }
    Stored<T>&& operator*() && requires(!std::is_void_v<T>) { return *std::move(mResult); }
    const Stored<T>* operator->() const requires(!std::is_void_v<T>) { return &*mResult; }
    Stored<T>* operator->() requires(!std::is_void_v<T>) { return &*mResult; }

    // The same value or error; output shapes are dropped.
    operator Status() const { return mResult.status(); }
    operator Result<T>() const& requires(!std::is_void_v<T>) { return mResult; }
    operator Result<T>() && requires(!std::is_void_v<T>) { return std::move(mResult); }

   protected:
    // A default value; a given one; an error, where a success counts as GENERAL_FAILURE; either.
    Outcome() : mResult(Stored<T>{}) {}
    template <class U>
    explicit Outcome(std::in_place_t, U&& value) : mResult(std::forward<U>(value)) {}
    explicit Outcome(Status failure) : mResult(failureOf(std::move(failure))) {}
    explicit Outcome(Result<Stored<T>> result) : mResult(std::move(result)) {}

    // The value or error of all the members above.
    Result<Stored<T>> mResult;
};

// True for what makes a value of T rather than an error or another result.
template <class U, class T>
concept IsValueOf = !std::is_void_v<T> && std::convertible_to<U&&, Stored<T>> &&
                    !std::same_as<std::remove_cvref_t<U>, Status> && !Failure<U> &&
                    !std::derived_from<std::remove_cvref_t<U>, Outcome<T>>;

}  // namespace driver_internal

// A value or a GeneralError. Not thread-safe, like the value.
template <class T>
class [[nodiscard]] GeneralResult : public driver_internal::Outcome<T> {
    using Base = driver_internal::Outcome<T>;

   public:
    GeneralResult() = default;
    // A success.
    template <driver_internal::IsValueOf<T> U>  // which no result is
    GeneralResult(U&& value)                    // NOLINT(bugprone-forwarding-reference-overload)
        : Base(std::in_place, std::forward<U>(value)) {}
    // A failure also where the code is NONE.
    template <Failure E>      // which no result is
    GeneralResult(E&& error)  // NOLINT(bugprone-forwarding-reference-overload)
        : Base(static_cast<Status>(std::forward<E>(error))) {}
    // A successful status is a success for void, and an error for other types, which would lack a
    // value.
    GeneralResult(Status status) : Base(of(std::move(status))) {}
    // The same value or error.
    GeneralResult(Result<T> result) requires(!std::is_void_v<T>) : Base(std::move(result)) {}

    // The error; empty with code NONE for a success.
    GeneralError error() const { return generalError(this->status()); }

   private:
    static Result<driver_internal::Stored<T>> of(Status status) {
        if constexpr (std::is_void_v<T>) {
            if (status.ok()) return driver_internal::Empty{};
        }
        return driver_internal::failureOf(std::move(status));
    }
};

// A value or an ExecutionError. Not thread-safe, like the value.
template <class T>
class [[nodiscard]] ExecutionResult : public driver_internal::Outcome<T> {
    using Base = driver_internal::Outcome<T>;

   public:
    ExecutionResult() = default;
    // A success.
    template <driver_internal::IsValueOf<T> U>  // which no result is
    ExecutionResult(U&& value)                  // NOLINT(bugprone-forwarding-reference-overload)
        : Base(std::in_place, std::forward<U>(value)) {}
    // A failure also where the code is NONE, with shapes if the error has any.
    template <Failure E>        // which no result is
    ExecutionResult(E&& error)  // NOLINT(bugprone-forwarding-reference-overload)
        : ExecutionResult(executionErrorOf(std::forward<E>(error)), Built{}) {}
    // A failure also where the status is a success.
    ExecutionResult(Status failure, std::vector<OutputShape> outputShapes = {})
        : Base(std::move(failure)), mOutputShapes(std::move(outputShapes)) {}
    // The same value or error, without shapes.
    ExecutionResult(Result<T> result) : Base(std::move(result)) {}
    ExecutionResult(GeneralResult<T> result) : Base(Result<T>(std::move(result))) {}

    // The error with its shapes; empty with code NONE for a success.
    ExecutionError error() const {
        ExecutionError error(generalError(this->status()));
        error.outputShapes = mOutputShapes;
        return error;
    }

   private:
    struct Built {};
    ExecutionResult(ExecutionError error, Built)
        : Base(makeError(error.code, error.message)),
          mOutputShapes(std::move(error.outputShapes)) {}
    template <class E>
    static ExecutionError executionErrorOf(E&& error) {
        if constexpr (std::convertible_to<E&&, ExecutionError>) {
            return static_cast<ExecutionError>(std::forward<E>(error));
        } else {
            return generalError(static_cast<Status>(std::forward<E>(error)));
        }
    }

    std::vector<OutputShape> mOutputShapes{};
};

// Failures of other calls.
template <class T>
concept FailureText =
        std::same_as<T, GeneralError> || std::same_as<T, ExecutionError> || std::same_as<T, Status>;

// Streams an error: return nn::error(nn::ErrorStatus::INVALID_ARGUMENT) << "model " << name;
class [[nodiscard]] ErrorBuilder {
   public:
    // Starts an error without text. NONE becomes GENERAL_FAILURE.
    explicit ErrorBuilder(ErrorStatus code, std::vector<OutputShape> outputShapes = {})
        : mCode(code), mOutputShapes(std::move(outputShapes)) {}

    // Appends text as it is; bools as "true" and "false".
    ErrorBuilder&& operator<<(std::string_view text) && {
        mMessage += text;
        return std::move(*this);
    }
    template <std::same_as<bool> B>  // no pointer becomes one
    ErrorBuilder&& operator<<(B value) && {
        return std::move(*this) << std::string_view(value ? "true" : "false");
    }
    // Numbers as std::to_string writes them.
    template <class T>
    requires(std::is_arithmetic_v<T> && !std::same_as<T, bool>) ErrorBuilder && operator<<(
            T value) && {
        mMessage += std::to_string(value);
        return std::move(*this);
    }
    // An enumerator, or any other value that has a toString.
    template <class T>
    requires(!FailureText<T> && requires(const T& value) { toString(value).size(); }) ErrorBuilder
            &&
            operator<<(const T& value) && {
        mMessage += toString(value);
        return std::move(*this);
    }
    // Enumerators without a toString as numbers.
    template <class E>
    requires(std::is_enum_v<E> && !requires(E value) { toString(value); }) ErrorBuilder &&
    operator<<(E value) && {
        return std::move(*this) << static_cast<std::underlying_type_t<E>>(value);
    }
    // The text of another failure, without its code.
    template <FailureText C>
    ErrorBuilder&& operator<<(const C& cause) && {
        if constexpr (std::same_as<C, Status>) {
            return std::move(*this) << generalError(cause);
        } else {
            return std::move(*this) << std::string_view(cause.message);
        }
    }

    // Ends the error. Only an ExecutionError, and so an ExecutionResult, keeps the shapes. Results
    // of all kinds are made from it by their constructors.
    operator Status() && { return makeError(mCode, mMessage); }
    operator std::string() && { return std::move(mMessage); }
    operator GeneralError() && { return {.message = std::move(mMessage), .code = mCode}; }
    operator ExecutionError() && { return {std::move(mMessage), mCode, std::move(mOutputShapes)}; }

    using AlwaysFails = void;  // see Failure

   private:
    ErrorStatus mCode;
    std::vector<OutputShape> mOutputShapes;
    std::string mMessage{};
};

// An error with a code and, for OUTPUT_INSUFFICIENT_SIZE, the shapes of all outputs, which only an
// ExecutionResult keeps.
inline ErrorBuilder error(ErrorStatus code = ErrorStatus::GENERAL_FAILURE,
                          std::vector<OutputShape> outputShapes = {}) {
    return ErrorBuilder(code, std::move(outputShapes));
}

}  // namespace nn
