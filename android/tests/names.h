// Rows of the table of Android's names in docs/android.md: one snippet for each group of names.
//
//   NAME("log/log.h", "ALOGV, ALOGD, ALOGI, ALOGW, ALOGE", "", {
//       ALOGE("%d operations", 3);
//   })
//
// Each row has the header's path in Android, the names, and the differences from Android; the text
// is empty if there are none. Snippets are compiled, not run: the tests in this folder check their
// behavior. A row without a snippet is TESTED: the tests of the same headers use its names. The
// document is generated from the texts of the rows.
#pragma once

#define NNAPI_NAME_JOIN(a, b) a##b
#define NNAPI_NAME_FUNCTION(line) NNAPI_NAME_JOIN(nameOfLine, line)

#define NAME(header, names, differs, ...)                   \
    static_assert(sizeof(header) > 1 && sizeof(names) > 1); \
    [[maybe_unused]] static void NNAPI_NAME_FUNCTION(__LINE__)() __VA_ARGS__

#define TESTED(header, names, differs) \
    static_assert(sizeof(header) > 1 && sizeof(names) > 1 && sizeof(differs) > 0)
