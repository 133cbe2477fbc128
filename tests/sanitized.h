// The sanitizers that this program is built with.
#pragma once

namespace nn {

#if defined(__has_feature)
#define NNAPI_HAS_SANITIZER(name) __has_feature(name)
#else
#define NNAPI_HAS_SANITIZER(name) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || NNAPI_HAS_SANITIZER(address_sanitizer)
inline constexpr bool kIsAddressSanitized = true;
#else
inline constexpr bool kIsAddressSanitized = false;
#endif

#if defined(__SANITIZE_THREAD__) || NNAPI_HAS_SANITIZER(thread_sanitizer)
inline constexpr bool kIsThreadSanitized = true;
#else
inline constexpr bool kIsThreadSanitized = false;
#endif

inline constexpr bool kIsSanitized =
        kIsAddressSanitized || kIsThreadSanitized || NNAPI_HAS_SANITIZER(memory_sanitizer);

#undef NNAPI_HAS_SANITIZER

}  // namespace nn
