// Implements the log of libhidl in an Android tree: writes to standard error.
#include <cstdarg>
#include <cstdio>
#include <cstdlib>

namespace {

void print(const char* format, va_list arguments) {
    std::vfprintf(stderr, format, arguments);
    std::fputc('\n', stderr);
}

}  // namespace

extern "C" int __android_log_print(int, const char*, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
    return 1;
}

extern "C" [[noreturn]] void __android_log_assert(const char*, const char*, const char* format,
                                                  ...) {
    va_list arguments;
    va_start(arguments, format);
    print(format, arguments);
    va_end(arguments);
    std::abort();
}

namespace android::hardware::details {

[[noreturn]] void logAlwaysFatal(const char* message) {
    std::fprintf(stderr, "%s\n", message);
    std::abort();
}

}  // namespace android::hardware::details
