// Numbers that the environment sets for tests.
#pragma once

#include <cstdint>
#include <cstdlib>

namespace nn {

// The number in a variable; the fallback where there is none.
inline uint64_t fromEnvironment(const char* name, uint64_t fallback) {
    const char* text = std::getenv(name);
    return text == nullptr ? fallback : std::strtoull(text, nullptr, 10);
}

}  // namespace nn
