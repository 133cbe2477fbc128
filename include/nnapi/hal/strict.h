// nnapi/hal/strict.h -- Whether the stand-ins for HIDL and AIDL are as strict as generated code.
//
//   if constexpr (nn::hal::kIsStrict) ...
//
// CMake's NNAPI_STRICT_HAL defines the macro of that name for the libraries and for all who link
// them: a program is strict as a whole or not at all. Strict, the stand-ins have only the members
// that hidl-gen, libhidl and AIDL's NDK backend give them, and what ends the program there ends it
// here: reading a member that a union does not hold, a failed call that nobody looked at, a handle
// that cannot be cloned. Development builds use it, so that code which compiles and runs here does
// so with generated headers, too. Otherwise the stand-ins answer and never end the program.
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

// Ends the program, if it is strict; says why on standard error.
inline void endStrictProgram(const char* why) {
    if constexpr (kIsStrict) {
        std::fprintf(stderr, "nnapi: %s\n", why);
        std::abort();
    }
}

}  // namespace nn::hal
