// nnapi/hal/hidl/string.h -- hidl_string, the text of HIDL.
//
//   nn::hidl::hidl_string name = "ashmem";
//   std::string text = name;
//
// A std::string; if the stand-ins are strict (nnapi/hal/strict.h), a class with only the members
// that libhidl's has.
#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <utility>

#include "nnapi/hal/strict.h"

namespace nn::hidl {

#ifndef NNAPI_STRICT_HAL

using hidl_string = std::string;

#else

class hidl_string {
   public:
    hidl_string() = default;
    hidl_string(const char* text) : mText(text) {}
    hidl_string(const char* text, size_t length) : mText(text, length) {}
    hidl_string(const std::string& text) : mText(text) {}

    const char* c_str() const { return mText.c_str(); }
    size_t size() const { return mText.size(); }
    bool empty() const { return mText.empty(); }
    void clear() { mText.clear(); }
    operator std::string() const { return mText; }

    friend bool operator==(const hidl_string&, const hidl_string&) = default;
    friend bool operator<(const hidl_string& a, const hidl_string& b) { return a.mText < b.mText; }
    friend std::ostream& operator<<(std::ostream& out, const hidl_string& text) {
        return out << text.mText;
    }

   private:
    std::string mText{};
};

#endif

}  // namespace nn::hidl
