// nnapi/hal/binding.h -- The differences when the types of HIDL or of AIDL are generated.
//
//   namespace nn NNAPI_BINDING { ... }
//
// The library is compiled against its stand-ins, and this header defines nothing; or against
// headers that hidl-gen or aidl generated, and the header of that family which it includes is
// replaced by the one of the same name in android/binding/hidl or android/binding/aidl
// (docs/android.md).
#pragma once

#include "nnapi/hal/aidl/binding.h"
#include "nnapi/hal/hidl/binding.h"

// Inline namespaces for functions whose mangled names do not show which types they have: those
// of HIDL, which they do not name, or of AIDL, which have one name in both bindings. So objects of
// two bindings do not link with each other.
#define NNAPI_BINDING NNAPI_BINDING_OF_HIDL NNAPI_BINDING_OF_AIDL

namespace nn::hal {

// TextOf<T>::of(value) is the text of a type whose toString() is not of this library.
template <class T>
struct TextOf;

}  // namespace nn::hal
