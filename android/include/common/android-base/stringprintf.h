// android-base/stringprintf.h -- text by a format of printf.
//
//   std::string name = android::base::StringPrintf("operand %u", index);
#pragma once

#include <cstdarg>
#include <string>

namespace android::base {

std::string StringPrintf(const char* format, ...) __attribute__((__format__(printf, 1, 2)));
void StringAppendF(std::string* to, const char* format, ...)
        __attribute__((__format__(printf, 2, 3)));
void StringAppendV(std::string* to, const char* format, va_list arguments)
        __attribute__((__format__(printf, 2, 0)));

}  // namespace android::base
