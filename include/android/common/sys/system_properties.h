// sys/system_properties.h -- properties of the system, as bionic has them.
//
// See android-base/properties.h. Thread-safe.
#pragma once

#define PROP_VALUE_MAX 92

extern "C" {

// The length of the value, which is cut where it is longer.
int __system_property_get(const char* name, char* value);
int __system_property_set(const char* name, const char* value);

}  // extern "C"
