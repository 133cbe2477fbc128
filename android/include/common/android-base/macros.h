// android-base/macros.h -- small macros of libbase.
//
//   int fd = TEMP_FAILURE_RETRY(open(path, O_RDONLY));
#pragma once

#include <unistd.h>  // TEMP_FAILURE_RETRY of glibc

#include <cerrno>
#include <cstddef>

#ifndef TEMP_FAILURE_RETRY
#define TEMP_FAILURE_RETRY(...)                        \
    ({                                                 \
        decltype(__VA_ARGS__) nnapiResult;             \
        do {                                           \
            nnapiResult = (__VA_ARGS__);               \
        } while (nnapiResult == -1 && errno == EINTR); \
        nnapiResult;                                   \
    })
#endif

#define DISALLOW_COPY_AND_ASSIGN(Type) \
    Type(const Type&) = delete;        \
    void operator=(const Type&) = delete
#define DISALLOW_IMPLICIT_CONSTRUCTORS(Type) \
    Type() = delete;                         \
    DISALLOW_COPY_AND_ASSIGN(Type)

namespace android::base::macros_internal {
template <class T, size_t N>
char (&arrayOfSize(const T (&)[N]))[N];
}
#define arraysize(array) (sizeof(::android::base::macros_internal::arrayOfSize(array)))
#define SIZEOF_MEMBER(Type, member) sizeof(static_cast<Type*>(nullptr)->member)

#ifndef LIKELY
#define LIKELY(condition) __builtin_expect(!!(condition), true)
#define UNLIKELY(condition) __builtin_expect(!!(condition), false)
#endif
#define WARN_UNUSED __attribute__((warn_unused_result))
#define ATTRIBUTE_UNUSED __attribute__((__unused__))

#ifndef FALLTHROUGH_INTENDED
#define FALLTHROUGH_INTENDED [[fallthrough]]
#endif
