// utils/String8.h -- String8, a text.
//
//   android::String8 name = android::String8::format("npu%d", index);
//
// New code uses std::string.
#pragma once

#include <cstdarg>
#include <ostream>
#include <string>
#include <string_view>

#include "android-base/stringprintf.h"
#include "utils/Errors.h"

namespace android {

class String8 {
   public:
    String8() = default;
    String8(const char* text) : mText(text) {}
    String8(const char* text, size_t length) : mText(text, length) {}
    explicit String8(std::string_view text) : mText(text) {}

    static String8 format(const char* format, ...) __attribute__((__format__(printf, 1, 2))) {
        String8 text;
        va_list arguments;
        va_start(arguments, format);
        base::StringAppendV(&text.mText, format, arguments);
        va_end(arguments);
        return text;
    }

    const char* c_str() const { return mText.c_str(); }
    const char* string() const { return mText.c_str(); }
    size_t size() const { return mText.size(); }
    size_t length() const { return mText.size(); }
    size_t bytes() const { return mText.size(); }
    bool empty() const { return mText.empty(); }
    bool isEmpty() const { return mText.empty(); }
    void clear() { mText.clear(); }
    operator const char*() const { return c_str(); }
    operator std::string_view() const { return mText; }

    status_t append(const String8& other) {
        mText += other.mText;
        return OK;
    }
    status_t append(const char* other) {
        mText += other;
        return OK;
    }
    status_t appendFormat(const char* format, ...) __attribute__((__format__(printf, 2, 3))) {
        va_list arguments;
        va_start(arguments, format);
        base::StringAppendV(&mText, format, arguments);
        va_end(arguments);
        return OK;
    }
    String8& operator+=(const String8& other) {
        mText += other.mText;
        return *this;
    }
    String8 operator+(const String8& other) const { return String8(*this) += other; }

    bool operator==(const String8& other) const { return mText == other.mText; }
    bool operator==(const char* other) const { return mText == other; }
    bool operator<(const String8& other) const { return mText < other.mText; }
    friend std::ostream& operator<<(std::ostream& out, const String8& text) {
        return out << text.mText;
    }

   private:
    std::string mText{};
};

}  // namespace android
