// Numbers from environment variables that configure tests.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace nn {

// The number in a variable; the fallback if it is not set.
inline uint64_t fromEnvironment(const char* name, uint64_t fallback) {
    const char* text = std::getenv(name);
    return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

}  // namespace nn
