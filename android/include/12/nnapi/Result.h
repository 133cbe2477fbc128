// nnapi/Result.h -- results and their macros, as Android 12 and newer name them.
//
//   nn::GeneralResult<nn::SharedMemory> scratch(size_t size) {
//       if (size == 0) return NN_ERROR(nn::ErrorStatus::INVALID_ARGUMENT) << "nothing to hold";
//       return NN_TRY(nn::createSharedMemory(size));
//   }
//
// A Result holds text and a code where Android's holds a text; error() of each has `message` and
// `code`.
#pragma once

#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "nnapi/Types.h"

namespace nn {

// Success or an error.
template <>
class [[nodiscard]] Result<void> : public GeneralResult<void> {
   public:
    using GeneralResult<void>::GeneralResult;
    Result() = default;
    Result(GeneralResult<void> other) : GeneralResult<void>(std::move(other)) {}
};

}  // namespace nn

namespace android::nn {

// The status of another result, with its Diagnostic.
struct TriedError {
    ::nn::Status status{};

    operator ::nn::Status() const { return status; }
    operator ::nn::GeneralError() const { return ::nn::generalError(status); }
    operator ::nn::ExecutionError() const { return ::nn::generalError(status); }
    operator std::string() const { return ::nn::generalError(status).message; }

    using AlwaysFails = void;
};

// The failure of a result, for a function that returns another one: with the shapes that it has.
template <class R>
auto nnTryGetError(R&& result) {
    if constexpr (requires { result.error().outputShapes; }) {
        return result.error();
    } else if constexpr (requires { ::nn::Status(result.status()); }) {
        return TriedError{result.status()};
    } else if constexpr (requires { result.error(); }) {
        return base::unexpected(result.error());
    } else {
        return std::nullopt;
    }
}

// The value of a result; nothing for void.
template <class R>
auto nnTryGetValue(R&& result) {
    return std::forward<R>(result).value();
}

}  // namespace android::nn

// An error with the code of the arguments, GENERAL_FAILURE without, to which text is streamed.
#define NN_ERROR(...) ::nn::error(__VA_ARGS__)

// The value of a result; where it has none, the enclosing function returns its error.
#define NN_TRY(...)                                            \
    __extension__({                                            \
        auto nnTryResult_ = (__VA_ARGS__);                     \
        if (!nnTryResult_.has_value()) {                       \
            return ::android::nn::nnTryGetError(nnTryResult_); \
        }                                                      \
        ::android::nn::nnTryGetValue(std::move(nnTryResult_)); \
    })
