// nnapi/driver/export_support_library.h -- Exports devices as an NNAPI support library.
//
//   // libmynpu_sl.cc
//   #include "nnapi/driver/export_support_library.h"
//   NNAPI_EXPORT_SUPPORT_LIBRARY("my-npu", [] { return std::make_shared<const MyDevice>(); })
//
//   # CMakeLists.txt
//   add_library(mynpu_sl MODULE libmynpu_sl.cc)
//   target_link_libraries(mynpu_sl PRIVATE nnapi::support_library)
//
// The interface is only a table of C functions (nnapi/c/NeuralNetworksSupportLibraryImpl.h, level
// 8), so the shared object works with programs of any compiler and any version of this library, and
// with frameworks that open support libraries. A plug-in (nnapi/driver/plugin.h) works only with
// programs of its own build, and supports more: error messages, and loading from a cache without
// the model. One shared object can be both: programs of its build then use the plug-in.
//
// Requests whose arguments overlap are staged, and pointers become shared memory if the device does
// not support them. Threads call devices concurrently. Built without CMake, it is linked with
// -Wl,--exclude-libs,ALL,-z,nodelete: it exports only its table, and is never unloaded.
#pragma once

#include <span>

#include "nnapi/driver/plugin.h"

struct NnApiSLDriverImpl;

namespace nn {

// Returns the table of devices. The first call opens the devices; each name must be that of its
// device. Null if a device does not open; the reason goes to standard error, since the interface
// has no parameter for it. A shared object has one table: later calls return that of the first.
NnApiSLDriverImpl* supportLibraryOf(std::span<const plugin::Device> devices) noexcept;

}  // namespace nn

// Exports several devices, each by nn::plugin::device(name, make). At namespace scope, once.
#define NNAPI_EXPORT_SUPPORT_LIBRARY_DEVICES(...)                         \
    extern "C" __attribute__((visibility("default"))) NnApiSLDriverImpl*  \
    ANeuralNetworks_getSLDriverImpl() {                                   \
        static constexpr ::nn::plugin::Device kDevices[] = {__VA_ARGS__}; \
        static_assert(std::size(kDevices) <= ::nn::plugin::kMaxDevices);  \
        return ::nn::supportLibraryOf(kDevices);                          \
    }

// Exports one device: NNAPI_EXPORT_SUPPORT_LIBRARY(name, make)
#define NNAPI_EXPORT_SUPPORT_LIBRARY(...) \
    NNAPI_EXPORT_SUPPORT_LIBRARY_DEVICES(::nn::plugin::device(__VA_ARGS__))
