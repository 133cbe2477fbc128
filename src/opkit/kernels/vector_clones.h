// NNAPI_VECTOR_CLONES in front of a function compiles it a second time, for the wider vectors of
// newer x86 processors; which one runs is decided when the program is loaded. Both compute the
// same, because neither joins a product and a sum into one rounding. What the function calls is
// compiled with it only where it is inlined: mark that NNAPI_INLINE.
#pragma once

// The choice at load time comes too early for ThreadSanitizer's instrumentation.
#if defined(__SANITIZE_THREAD__)
#define NNAPI_HAS_THREAD_SANITIZER
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define NNAPI_HAS_THREAD_SANITIZER
#endif
#endif

#if defined(__x86_64__) && defined(__gnu_linux__) && !defined(NNAPI_HAS_THREAD_SANITIZER)
#define NNAPI_VECTOR_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define NNAPI_VECTOR_CLONES
#endif

#define NNAPI_INLINE __attribute__((always_inline)) inline
