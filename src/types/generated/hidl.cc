// Defines the functions that the binding headers for generated types declare; the stand-ins have
// their own.
#include "nnapi/hal/hidl.h"

#include "base/printable.h"
#include "types/hidl_values.h"

namespace nn::hidl {
namespace {

constexpr int kMaxInHandle = 1024;

}  // namespace

bool wellFormed(const native_handle_t& handle) {
    return handle.version == sizeof(native_handle_t) && handle.numFds >= 0 && handle.numInts >= 0 &&
           handle.numFds <= kMaxInHandle && handle.numInts <= kMaxInHandle;
}

bool areEqual(const hidl_handle& a, const hidl_handle& b) {
    return haveSameContents(a.getNativeHandle(), b.getNativeHandle());
}

std::string toString(const hidl_string& text) { return inQuotes({text.c_str(), text.size()}); }

}  // namespace nn::hidl
