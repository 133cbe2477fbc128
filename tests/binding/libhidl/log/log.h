// Aborts the program, like a fatal log message of Android.
#pragma once

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define CC_UNLIKELY(condition) __builtin_expect(!!(condition), 0)
#define LOG_ALWAYS_FATAL(...) (fprintf(stderr, __VA_ARGS__), fputc('\n', stderr), abort())
