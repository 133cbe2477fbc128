// android-base/parseint.h -- numbers from text.
//
//   uint32_t count;
//   if (!android::base::ParseUint(text, &count, 64u)) return false;
//
// The whole text must be a number, decimal or, after 0x, hexadecimal, within the bounds; otherwise
// false, errno says why (EINVAL, ERANGE), and nothing is written.
#pragma once

#include <cerrno>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

namespace android::base {

namespace parse_internal {

// With a suffix, "k" to "e" after the number multiply it with powers of 1024.
bool parseInt(const char* text, int64_t* value);
bool parseUint(const char* text, uint64_t* value, bool allowsSuffix);
bool fail(int error);

}  // namespace parse_internal

template <class T>
bool ParseUint(const char* text, T* out, T max = std::numeric_limits<T>::max(),
               bool allow_suffixes = false) {
    static_assert(std::is_unsigned_v<T>);
    uint64_t value = 0;
    if (!parse_internal::parseUint(text, &value, allow_suffixes)) return false;
    if (value > max) return parse_internal::fail(ERANGE);
    if (out != nullptr) *out = static_cast<T>(value);
    return true;
}
template <class T>
bool ParseUint(const std::string& text, T* out, T max = std::numeric_limits<T>::max(),
               bool allow_suffixes = false) {
    return ParseUint(text.c_str(), out, max, allow_suffixes);
}
template <class T>
bool ParseByteCount(const std::string& text, T* out, T max = std::numeric_limits<T>::max()) {
    return ParseUint(text, out, max, true);
}

template <class T>
bool ParseInt(const char* text, T* out, T min = std::numeric_limits<T>::min(),
              T max = std::numeric_limits<T>::max()) {
    static_assert(std::is_signed_v<T>);
    int64_t value = 0;
    if (!parse_internal::parseInt(text, &value)) return false;
    if (value < min || value > max) return parse_internal::fail(ERANGE);
    if (out != nullptr) *out = static_cast<T>(value);
    return true;
}
template <class T>
bool ParseInt(const std::string& text, T* out, T min = std::numeric_limits<T>::min(),
              T max = std::numeric_limits<T>::max()) {
    return ParseInt(text.c_str(), out, min, max);
}

}  // namespace android::base
