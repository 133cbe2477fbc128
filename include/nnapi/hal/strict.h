// nnapi/hal/strict.h -- Whether the stand-ins for HIDL and AIDL are as strict as generated code.
//
//   if constexpr (nn::hal::kIsStrict) ...
//
// CMake's NNAPI_STRICT_HAL defines the macro of that name for the libraries and for all targets
// that link them: a whole program is strict or not strict. Strict stand-ins have only the members
// that hidl-gen, libhidl and AIDL's NDK backend generate, and end the program for the same errors:
// reading a member that a union does not hold, a failed call whose status is never checked, a
// handle that cannot be cloned. Development builds use it, so that code that compiles and runs with
// them does so with generated headers, too. Otherwise the stand-ins return a value or an error and
// never end the program.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace nn::hal {

#ifdef NNAPI_STRICT_HAL
// True if this program was compiled with NNAPI_STRICT_HAL.
inline constexpr bool kIsStrict = true;
#else
// True if this program was compiled with NNAPI_STRICT_HAL.
inline constexpr bool kIsStrict = false;
#endif

// Ends the program, if it is strict, with the reason on standard error.
inline void endStrictProgram(const char* why) {
    if constexpr (kIsStrict) {
        std::fprintf(stderr, "nnapi: %s\n", why);
        std::abort();
    }
}

}  // namespace nn::hal
