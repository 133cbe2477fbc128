// log/log.h -- the logging macros of Android's liblog.
//
//   #define LOG_TAG "my-driver"
//   #include <log/log.h>
//   ALOGE("operation %zu: %s", index, reason);
//
// They write where android-base/logging.h writes. ALOGV is compiled out where NDEBUG is defined,
// unless LOG_NDEBUG is 0.
#pragma once

#include "android/log.h"
#include "nnapi_android/log_tag.h"

#ifndef LOG_NDEBUG
#ifdef NDEBUG
#define LOG_NDEBUG 1
#else
#define LOG_NDEBUG 0
#endif
#endif

#define LOG_PRI(priority, tag, ...) __android_log_print(priority, tag, __VA_ARGS__)
#define ALOG(priority, tag, ...) LOG_PRI(ANDROID_##priority, tag, __VA_ARGS__)
#define android_printLog(priority, tag, ...) __android_log_print(priority, tag, __VA_ARGS__)
#define android_testLog(priority, tag) \
    (__android_log_is_loggable(priority, tag, ANDROID_LOG_VERBOSE) != 0)

#define NNAPI_ANDROID_LOG(id, priority, ...) \
    ((void)__android_log_buf_print(LOG_ID_##id, ANDROID_LOG_##priority, LOG_TAG, __VA_ARGS__))
#define NNAPI_ANDROID_LOG_IF(condition, ...) ((condition) ? __VA_ARGS__ : (void)0)
#define NNAPI_ANDROID_LOG_VERBOSE(...) NNAPI_ANDROID_LOG_IF(!LOG_NDEBUG, __VA_ARGS__)

#define ALOGV(...) NNAPI_ANDROID_LOG_VERBOSE(NNAPI_ANDROID_LOG(MAIN, VERBOSE, __VA_ARGS__))
#define ALOGD(...) NNAPI_ANDROID_LOG(MAIN, DEBUG, __VA_ARGS__)
#define ALOGI(...) NNAPI_ANDROID_LOG(MAIN, INFO, __VA_ARGS__)
#define ALOGW(...) NNAPI_ANDROID_LOG(MAIN, WARN, __VA_ARGS__)
#define ALOGE(...) NNAPI_ANDROID_LOG(MAIN, ERROR, __VA_ARGS__)
#define ALOGV_IF(condition, ...) NNAPI_ANDROID_LOG_IF(condition, ALOGV(__VA_ARGS__))
#define ALOGD_IF(condition, ...) NNAPI_ANDROID_LOG_IF(condition, ALOGD(__VA_ARGS__))
#define ALOGI_IF(condition, ...) NNAPI_ANDROID_LOG_IF(condition, ALOGI(__VA_ARGS__))
#define ALOGW_IF(condition, ...) NNAPI_ANDROID_LOG_IF(condition, ALOGW(__VA_ARGS__))
#define ALOGE_IF(condition, ...) NNAPI_ANDROID_LOG_IF(condition, ALOGE(__VA_ARGS__))
#define IF_ALOG(priority, tag) if (android_testLog(ANDROID_##priority, tag))
#define IF_ALOGV() IF_ALOG(LOG_VERBOSE, LOG_TAG)
#define IF_ALOGD() IF_ALOG(LOG_DEBUG, LOG_TAG)
#define IF_ALOGI() IF_ALOG(LOG_INFO, LOG_TAG)
#define IF_ALOGW() IF_ALOG(LOG_WARN, LOG_TAG)
#define IF_ALOGE() IF_ALOG(LOG_ERROR, LOG_TAG)

#define SLOGV(...) NNAPI_ANDROID_LOG_VERBOSE(NNAPI_ANDROID_LOG(SYSTEM, VERBOSE, __VA_ARGS__))
#define SLOGD(...) NNAPI_ANDROID_LOG(SYSTEM, DEBUG, __VA_ARGS__)
#define SLOGI(...) NNAPI_ANDROID_LOG(SYSTEM, INFO, __VA_ARGS__)
#define SLOGW(...) NNAPI_ANDROID_LOG(SYSTEM, WARN, __VA_ARGS__)
#define SLOGE(...) NNAPI_ANDROID_LOG(SYSTEM, ERROR, __VA_ARGS__)

#define RLOGV(...) NNAPI_ANDROID_LOG_VERBOSE(NNAPI_ANDROID_LOG(RADIO, VERBOSE, __VA_ARGS__))
#define RLOGD(...) NNAPI_ANDROID_LOG(RADIO, DEBUG, __VA_ARGS__)
#define RLOGI(...) NNAPI_ANDROID_LOG(RADIO, INFO, __VA_ARGS__)
#define RLOGW(...) NNAPI_ANDROID_LOG(RADIO, WARN, __VA_ARGS__)
#define RLOGE(...) NNAPI_ANDROID_LOG(RADIO, ERROR, __VA_ARGS__)

// They end the program. What follows the condition is a format and its arguments, or nothing.
#define LOG_ALWAYS_FATAL(...) \
    ((void)__android_log_assert(nullptr, LOG_TAG, NNAPI_ANDROID_FORMAT(__VA_ARGS__)))
#define LOG_ALWAYS_FATAL_IF(condition, ...)                                                       \
    ((condition)                                                                                  \
             ? (void)__android_log_assert(#condition, LOG_TAG, NNAPI_ANDROID_FORMAT(__VA_ARGS__)) \
             : (void)0)
// No text is no format, which is null.
#define NNAPI_ANDROID_FORMAT(...) __VA_OPT__(__VA_ARGS__) NNAPI_ANDROID_NULL_UNLESS(__VA_ARGS__)
#define NNAPI_ANDROID_NULL_UNLESS(...) NNAPI_ANDROID_NULL_##__VA_OPT__(NOT)
#define NNAPI_ANDROID_NULL_ nullptr
#define NNAPI_ANDROID_NULL_NOT

#if LOG_NDEBUG
#define LOG_FATAL(...) ((void)0)
#define LOG_FATAL_IF(condition, ...) ((void)0)
#else
#define LOG_FATAL(...) LOG_ALWAYS_FATAL(__VA_ARGS__)
#define LOG_FATAL_IF(condition, ...) LOG_ALWAYS_FATAL_IF(condition, __VA_ARGS__)
#endif
#define ALOG_ASSERT(condition, ...) LOG_FATAL_IF(!(condition), __VA_ARGS__)
