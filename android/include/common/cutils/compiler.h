// cutils/compiler.h -- what compilers may assume.
#pragma once

#define CC_LIKELY(condition) __builtin_expect(!!(condition), 1)
#define CC_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define ANDROID_API __attribute__((visibility("default")))
