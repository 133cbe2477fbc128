// sys/system_properties.h -- properties of the system, as bionic has them.
//
//   if (const prop_info* info = __system_property_find("vendor.npu.path"); info != nullptr) {
//       __system_property_read_callback(info, use, &path);
//   }
//
// See android-base/properties.h. Thread-safe.
#pragma once

#include <cstdint>

#define PROP_NAME_MAX 32
#define PROP_VALUE_MAX 92

struct prop_info;

extern "C" {

// The length of the value, which is cut where it is longer.
int __system_property_get(const char* name, char* value);
int __system_property_set(const char* name, const char* value);

// An existing property, else null. It stays valid; reading it returns its value at that time, or ""
// if it is gone.
const prop_info* __system_property_find(const char* name);
void __system_property_read_callback(const prop_info* info,
                                     void (*use)(void* cookie, const char* name, const char* value,
                                                 uint32_t serial),
                                     void* cookie);
// A name that is longer than PROP_NAME_MAX - 1 is shortened.
int __system_property_read(const prop_info* info, char* name, char* value);

}  // extern "C"
