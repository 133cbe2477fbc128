// android/trace.h -- slices of atrace, as the NDK has them; see cutils/trace.h.
#pragma once

#include <cstdint>

inline bool ATrace_isEnabled() { return false; }
inline void ATrace_beginSection(const char* /*name*/) {}
inline void ATrace_endSection() {}
inline void ATrace_beginAsyncSection(const char* /*name*/, int32_t /*cookie*/) {}
inline void ATrace_endAsyncSection(const char* /*name*/, int32_t /*cookie*/) {}
inline void ATrace_setCounter(const char* /*name*/, int64_t /*value*/) {}
