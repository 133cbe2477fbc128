// Rows of the table of Android's names in docs/android.md: one snippet for each group of names.
//
//   NAME("log/log.h", "ALOGV, ALOGD, ALOGI, ALOGW, ALOGE", "", {
//       ALOGE("%d operations", 3);
//   })
//
// The header by its path in Android, the names, and what differs from Android, which is nothing
// where the text is empty. Snippets are compiled, not run: what a name does, tests beside this file
// say. The document is generated from the texts of the rows.
#pragma once

#define NNAPI_NAME_JOIN(a, b) a##b
#define NNAPI_NAME_FUNCTION(line) NNAPI_NAME_JOIN(nameOfLine, line)

#define NAME(header, names, differs, ...)                   \
    static_assert(sizeof(header) > 1 && sizeof(names) > 1); \
    [[maybe_unused]] static void NNAPI_NAME_FUNCTION(__LINE__)() __VA_ARGS__
