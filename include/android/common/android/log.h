// android/log.h -- the functions of Android's liblog.
//
//   __android_log_print(ANDROID_LOG_ERROR, "my-driver", "%d operations", count);
//
// All messages go to the one sink of a process; see android-base/logging.h. Thread-safe.
#pragma once

#include <cstdarg>
#include <cstddef>
#include <cstdint>

extern "C" {

typedef enum android_LogPriority {
    ANDROID_LOG_UNKNOWN = 0,
    ANDROID_LOG_DEFAULT,
    ANDROID_LOG_VERBOSE,
    ANDROID_LOG_DEBUG,
    ANDROID_LOG_INFO,
    ANDROID_LOG_WARN,
    ANDROID_LOG_ERROR,
    ANDROID_LOG_FATAL,
    ANDROID_LOG_SILENT,
} android_LogPriority;

typedef enum log_id {
    LOG_ID_MIN = 0,
    LOG_ID_MAIN = 0,
    LOG_ID_RADIO = 1,
    LOG_ID_EVENTS = 2,
    LOG_ID_SYSTEM = 3,
    LOG_ID_CRASH = 4,
    LOG_ID_STATS = 5,
    LOG_ID_SECURITY = 6,
    LOG_ID_KERNEL = 7,
    LOG_ID_MAX,
    LOG_ID_DEFAULT = 0x7FFFFFFF,
} log_id_t;

// 1 if the message was passed on; -EPERM where nothing is written, and below the least priority
// that is, which is INFO before it is set.
int __android_log_write(int priority, const char* tag, const char* text);
int __android_log_print(int priority, const char* tag, const char* format, ...)
        __attribute__((__format__(printf, 3, 4)));
int __android_log_vprint(int priority, const char* tag, const char* format, va_list arguments)
        __attribute__((__format__(printf, 3, 0)));
int __android_log_buf_write(int id, int priority, const char* tag, const char* text);
int __android_log_buf_print(int id, int priority, const char* tag, const char* format, ...)
        __attribute__((__format__(printf, 4, 5)));

// Logs a fatal message and ends the program. Without a format, the message is the condition.
void __android_log_assert(const char* condition, const char* tag, const char* format, ...)
        __attribute__((__noreturn__)) __attribute__((__format__(printf, 3, 4)));

// 1 if a message would be logged: the property log.tag.TAG says from which priority on (a letter
// of "VDIWES"), else the minimum of the process, else `fallback`.
int __android_log_is_loggable(int priority, const char* tag, int fallback);

struct __android_log_message {
    size_t struct_size;
    int32_t buffer_id;
    int32_t priority;
    const char* tag;
    const char* file;
    uint32_t line;
    const char* message;
};
typedef void (*__android_logger_function)(const struct __android_log_message* message);
typedef void (*__android_aborter_function)(const char* message);

void __android_log_write_log_message(struct __android_log_message* message);
void __android_log_set_logger(__android_logger_function logger);
void __android_log_stderr_logger(const struct __android_log_message* message);
// There is no daemon for logs: standard error.
void __android_log_logd_logger(const struct __android_log_message* message);
void __android_log_set_aborter(__android_aborter_function aborter);
void __android_log_call_aborter(const char* message);
void __android_log_default_aborter(const char* message) __attribute__((__noreturn__));
// The previous one. ANDROID_LOG_DEFAULT before it is set.
int32_t __android_log_set_minimum_priority(int32_t priority);
int32_t __android_log_get_minimum_priority();
void __android_log_set_default_tag(const char* tag);

}  // extern "C"
