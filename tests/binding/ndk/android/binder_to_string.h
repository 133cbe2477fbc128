#pragma once

#include <string>
#include <type_traits>

namespace android::internal {

// Exists only so that generated code compiles.
template <typename T>
std::string ToString(const T& value) {
    if constexpr (std::is_arithmetic_v<T>) {
        return std::to_string(value);
    } else if constexpr (requires { value.toString(); }) {
        return value.toString();
    } else if constexpr (requires { toString(value); }) {
        return toString(value);
    } else {
        return "...";
    }
}

}  // namespace android::internal
