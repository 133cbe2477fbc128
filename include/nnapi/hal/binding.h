// nnapi/hal/binding.h -- What differs where the types of HIDL are generated ones.
//
//   namespace nn NNAPI_BINDING { ... }
//
// The library is compiled against its stand-ins for HIDL, and this header has nothing to say; or
// against headers that hidl-gen generated, and the header of the same name in include/binding/hidl
// replaces it (docs/android.md).
#pragma once

// An inline namespace for functions whose mangled names do not show their HIDL types, so that
// objects of two bindings do not link with each other.
#define NNAPI_BINDING

namespace nn::hal {

// TextOf<T>::of(value) is the text of a type whose toString() is not of this library.
template <class T>
struct TextOf;

}  // namespace nn::hal
