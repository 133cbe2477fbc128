// nnapi/Types.h -- the canonical types and interfaces, as Android 12 and newer name them.
//
// android::nn has all names of nn. Types of Android's tree that differ from those of nn are defined
// in the headers that Android has them in: Mapping and RequestRelocation in nnapi/SharedMemory.h,
// roles of prepared models in nnapi/Validation.h.
#pragma once

#include <concepts>
#include <ostream>
#include <string>

#include <android-base/expected.h>

#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn {

// The text, as Android prints the error of a Result.
inline std::ostream& operator<<(std::ostream& out, const GeneralError& error) {
    return out << error.message;
}
inline std::ostream& operator<<(std::ostream& out, const ExecutionError& error) {
    return out << error.message;
}

}  // namespace nn

namespace android::base::expected_internal {

// The types from which results of NNAPI are made.
template <class To>
concept ResultError = std::same_as<To, ::nn::Status> || std::same_as<To, ::nn::ExecutionError>;

template <ResultError To, std::convertible_to<To> E>
struct ErrorOf<To, E> {
    static To make(const E& error) { return error; }
};
template <ResultError To, std::convertible_to<std::string> E>
requires(!std::convertible_to<E, To>) struct ErrorOf<To, E> {
    static To make(const E& text) { return ::nn::ExecutionError(std::string(text)); }
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
