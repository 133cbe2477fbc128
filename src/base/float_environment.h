// The floating-point environment of a thread: rounding mode, handling of subnormal numbers, and
// trapping exceptions. Programs change it (feenableexcept, fesetround), and so does loading a
// shared object that was linked with -ffast-math. The results of the library do not depend on it:
//
//   const DefaultFloatEnvironment environment;  // until the end of the block
#pragma once

#include <cstdint>

#if !defined(__x86_64__) && !defined(__aarch64__)
#include <cfenv>
#endif

namespace nn {

// The part that is set, without the flags that operations raise: MXCSR and the control word of x87
// on x86-64, FPCR on 64-bit ARM, elsewhere the rounding and the traps of <cfenv>.
class FloatControls {
   public:
    // To nearest, with subnormal numbers, without traps.
    static constexpr FloatControls byDefault() {
#if defined(__x86_64__)
        return FloatControls(0x37f'0000'1f80);
#elif defined(__aarch64__)
        return FloatControls(0);
#else
        return FloatControls(FE_TONEAREST);
#endif
    }

    static FloatControls ofThisThread() {
#if defined(__x86_64__)
        uint16_t ofX87;
        asm volatile("fnstcw %0" : "=m"(ofX87));
        return FloatControls((__builtin_ia32_stmxcsr() & ~kFlags) | uint64_t{ofX87} << kX87);
#elif defined(__aarch64__)
        uint64_t controls;
        asm volatile("mrs %0, fpcr" : "=r"(controls)::"memory");
        return FloatControls(controls);
#else
        return FloatControls(static_cast<uint32_t>(fegetround()) |
                             uint64_t{static_cast<uint32_t>(fegetexcept())} << kTraps);
#endif
    }

    void setOfThisThread() const {
#if defined(__x86_64__)
        const auto ofX87 = static_cast<uint16_t>(mBits >> kX87);
        asm volatile("fldcw %0" ::"m"(ofX87));
        __builtin_ia32_ldmxcsr((__builtin_ia32_stmxcsr() & kFlags) | static_cast<uint32_t>(mBits));
#elif defined(__aarch64__)
        asm volatile("msr fpcr, %0" ::"r"(mBits) : "memory");
#else
        const auto traps = static_cast<int>(mBits >> kTraps);
        fesetround(static_cast<int>(mBits & ((uint64_t{1} << kTraps) - 1)));
        fedisableexcept(FE_ALL_EXCEPT);
        feclearexcept(traps);  // otherwise x87 traps for an earlier exception
        feenableexcept(traps);
#endif
    }

    friend bool operator==(const FloatControls&, const FloatControls&) = default;

   private:
    explicit constexpr FloatControls(uint64_t bits) : mBits(bits) {}

#if defined(__x86_64__)
    static constexpr uint32_t kFlags = 0x3f;
    static constexpr int kX87 = 32;  // where its word begins
#elif !defined(__aarch64__)
    static constexpr int kTraps = 32;  // the position of their first bit
#endif

    uint64_t mBits;
};

// Sets the default environment; the destructor restores the previous one.
class DefaultFloatEnvironment {
   public:
    DefaultFloatEnvironment() : mBefore(FloatControls::ofThisThread()) {
        if (mBefore != FloatControls::byDefault()) FloatControls::byDefault().setOfThisThread();
    }
    DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
    DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;
    ~DefaultFloatEnvironment() {
        if (FloatControls::ofThisThread() != mBefore) mBefore.setOfThisThread();
    }

   private:
    FloatControls mBefore;
};

}  // namespace nn
