// nnapi/Types.h -- the canonical types and interfaces, as Android 12 and newer name them.
//
// android::nn has all names of nn. Types of Android's tree that differ from ours are defined in the
// headers that Android has them in: Mapping and RequestRelocation in nnapi/SharedMemory.h, roles of
// prepared models in nnapi/Validation.h.
#pragma once

#include <concepts>
#include <ostream>
#include <string>

#include <android-base/expected.h>

#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn {

// The text, as Android prints what a Result holds.
inline std::ostream& operator<<(std::ostream& out, const GeneralError& error) {
    return out << error.message;
}

}  // namespace nn

namespace android::base::expected_internal {

template <class E>
concept IsFailure = std::same_as<E, ::nn::GeneralError> || std::same_as<E, ::nn::ExecutionError> ||
        std::convertible_to<const E&, std::string>;

template <IsFailure E>
::nn::ExecutionError failureOf(const E& error) {
    if constexpr (std::convertible_to<const E&, std::string>) {
        return ::nn::ExecutionError(std::string(error));
    } else {
        return ::nn::ExecutionError(error);
    }
}

template <IsFailure E>
::nn::Status statusOf(const E& error) {
    const ::nn::ExecutionError failure = failureOf(error);
    return ::nn::makeError(failure.code, failure.message);
}

template <class T, IsFailure E>
struct ResultOf<::nn::Result<T>, E> {
    static ::nn::Result<T> make(const E& error) { return statusOf(error); }
};
template <class T, IsFailure E>
struct ResultOf<::nn::GeneralResult<T>, E> {
    static ::nn::GeneralResult<T> make(const E& error) { return statusOf(error); }
};
template <class T, IsFailure E>
struct ResultOf<::nn::ExecutionResult<T>, E> {
    static ::nn::ExecutionResult<T> make(const E& error) { return failureOf(error); }
};

}  // namespace android::base::expected_internal

namespace android::nn {

using namespace ::nn;

using Dimension = uint32_t;
using OptionalTimeoutDuration = OptionalDuration;

// The padding and alignment that a driver prefers for the memory of requests, in bytes.
struct MemoryPreference {
    uint32_t alignment = kDefaultRequestMemoryAlignment;
    uint32_t padding = kDefaultRequestMemoryPadding;
    bool operator==(const MemoryPreference&) const = default;
};

}  // namespace android::nn
