// hidl/HidlSupport.h -- the types of libhidl: hidl_vec, hidl_string, hidl_handle and their like.
//
//   hidl_vec<uint32_t> dimensions = {1, 2};
#pragma once

#include <string>

#include "cutils/native_handle.h"
#include "nnapi/hal/enum_range.h"
#include "nnapi/hal/hidl.h"
#include "nnapi/hal/hidl/base.h"
#include "nnapi/print.h"
#include "utils/Errors.h"
#include "utils/RefBase.h"
#include "utils/StrongPointer.h"

namespace android::hardware {

using ::nn::hidl::hidl_array;
using ::nn::hidl::hidl_death_recipient;
using ::nn::hidl::hidl_enum_range;
using ::nn::hidl::hidl_handle;
using ::nn::hidl::hidl_memory;
using ::nn::hidl::hidl_string;
using ::nn::hidl::hidl_vec;
using ::nn::hidl::toString;

inline std::string toString(const hidl_string& text) { return ::nn::print(text); }

namespace details {

// "{1, 2}"
template <class Array>
std::string arrayToString(const Array& array, size_t size) {
    std::string text = "{";
    for (size_t i = 0; i < size; ++i) {
        if (i != 0) text += ", ";
        text += ::nn::print(array[i]);
    }
    return text + "}";
}

}  // namespace details
}  // namespace android::hardware
