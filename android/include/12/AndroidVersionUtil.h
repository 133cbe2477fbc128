// AndroidVersionUtil.h -- the version of Android that has AIDL for neural networks.
//
//   if (__builtin_available(android __NNAPI_AIDL_MIN_ANDROID_API__, *)) ...
//
// True on Linux, where gcc has no such builtin.
#pragma once

#ifndef __ANDROID_API_S__
#define __ANDROID_API_S__ 31
#endif
#define __NNAPI_AIDL_MIN_ANDROID_API__ __ANDROID_API_S__

#if !defined(__clang__) && !defined(__builtin_available)
#define __builtin_available(...) true
#endif
