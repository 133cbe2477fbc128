// cutils/trace.h -- slices of atrace.
//
// There is no atrace on Linux: they do nothing, and their arguments are not evaluated. Traces that
// tools can read: nnapi/driver/trace.h.
#pragma once

#include <cstdint>

#define ATRACE_TAG_NEVER 0
#define ATRACE_TAG_ALWAYS (uint64_t{1} << 0)
#define ATRACE_TAG_GRAPHICS (uint64_t{1} << 1)
#define ATRACE_TAG_HAL (uint64_t{1} << 11)
#define ATRACE_TAG_APP (uint64_t{1} << 12)
#define ATRACE_TAG_VENDOR (uint64_t{1} << 13)
#define ATRACE_TAG_NNAPI (uint64_t{1} << 25)
#ifndef ATRACE_TAG
#define ATRACE_TAG ATRACE_TAG_NEVER
#endif

inline void atrace_begin(uint64_t, const char*) {}
inline void atrace_end(uint64_t) {}
inline void atrace_async_begin(uint64_t, const char*, int32_t) {}
inline void atrace_async_end(uint64_t, const char*, int32_t) {}
inline void atrace_int(uint64_t, const char*, int32_t) {}
inline void atrace_int64(uint64_t, const char*, int64_t) {}
inline uint64_t atrace_is_tag_enabled(uint64_t) { return 0; }

#define ATRACE_ENABLED() atrace_is_tag_enabled(ATRACE_TAG)
#define ATRACE_BEGIN(name) (false ? atrace_begin(ATRACE_TAG, name) : void())
#define ATRACE_END() atrace_end(ATRACE_TAG)
#define ATRACE_ASYNC_BEGIN(name, cookie) \
    (false ? atrace_async_begin(ATRACE_TAG, name, cookie) : void())
#define ATRACE_ASYNC_END(name, cookie) (false ? atrace_async_end(ATRACE_TAG, name, cookie) : void())
#define ATRACE_INT(name, value) (false ? atrace_int(ATRACE_TAG, name, value) : void())
#define ATRACE_INT64(name, value) (false ? atrace_int64(ATRACE_TAG, name, value) : void())
