#include "types/hidl_values.h"

#include <algorithm>

#include "base/printable.h"
#include "nnapi/types.h"

namespace nn::hidl {

bool haveSameContents(const native_handle_t* x, const native_handle_t* y) {
    if (x == y) return true;
    if (x == nullptr || y == nullptr || !wellFormed(*x) || !wellFormed(*y)) return false;
    if (x->numFds != y->numFds || x->numInts != y->numInts) return false;
    const int* a = x->data;
    const int* b = y->data;
    return std::equal(a, a + x->numFds, b, UniqueFd::sameFile) &&
           std::equal(a + x->numFds, a + x->numFds + x->numInts, b + x->numFds);
}

std::string toString(const hidl_handle& handle) {
    const native_handle_t* native = handle.getNativeHandle();
    if (native == nullptr) return "null";
    return "handle(" + std::to_string(native->numFds) + " fds, " + std::to_string(native->numInts) +
           " ints)";
}

std::string toString(const hidl_memory& memory) {
    return "memory(" + printable({memory.name().c_str(), memory.name().size()}) + ", " +
           std::to_string(memory.size()) + " bytes" + (memory.valid() ? "" : ", no handle") + ")";
}

}  // namespace nn::hidl
