// A floating-point environment that applications may set.
#pragma once

#include <cfenv>

namespace nn {

// Rounds up, enables traps and flushes subnormal numbers to 0, as far as the processor can, for the
// lifetime of the object.
class OddFloatEnvironment {
   public:
    OddFloatEnvironment() {
        std::fesetround(FE_UPWARD);
        std::feclearexcept(FE_ALL_EXCEPT);  // x87 would trap for pending exceptions
        feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW);
#if defined(__x86_64__)
        constexpr unsigned kFlushToZero = 0x8000, kDenormalsAreZero = 0x40;
        __builtin_ia32_ldmxcsr(__builtin_ia32_stmxcsr() | kFlushToZero | kDenormalsAreZero);
#endif
    }
    OddFloatEnvironment(const OddFloatEnvironment&) = delete;
    OddFloatEnvironment& operator=(const OddFloatEnvironment&) = delete;
    ~OddFloatEnvironment() { std::fesetenv(FE_DFL_ENV); }
};

}  // namespace nn
