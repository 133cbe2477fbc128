// cutils/properties.h -- properties of the system, as C has them.
//
//   char text[PROPERTY_VALUE_MAX];
//   property_get("vendor.npu.path", text, "/dev/npu0");
//
// See android-base/properties.h. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sys/system_properties.h"

#define PROPERTY_KEY_MAX 32
#define PROPERTY_VALUE_MAX 92

extern "C" {

// The length of the value; a longer one is cut. A fallback may be null, and be the buffer.
int property_get(const char* key, char* value, const char* default_value);
int8_t property_get_bool(const char* key, int8_t default_value);
int32_t property_get_int32(const char* key, int32_t default_value);
int64_t property_get_int64(const char* key, int64_t default_value);
// 0, or a negative number.
int property_set(const char* key, const char* value);
int property_list(void (*visit)(const char* key, const char* value, void* cookie), void* cookie);

}  // extern "C"
