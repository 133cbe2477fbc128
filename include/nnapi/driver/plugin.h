// nnapi/driver/plugin.h -- Exports devices from a shared object.
//
//   // libmydriver.cc
//   #include "nnapi/driver/plugin.h"
//   NNAPI_EXPORT_DEVICE("my-npu", [] { return std::make_shared<const MyDevice>(); })
//
//   # CMakeLists.txt
//   add_library(mydriver MODULE libmydriver.cc)
//   target_link_libraries(mydriver PRIVATE nnapi::driver)
//   target_link_options(mydriver PRIVATE -Wl,--exclude-libs,ALL)
//
//   auto ids = registry.registerPlugin("./libmydriver.so");   // nnapi/driver/registry.h
//   auto device = registry.open("./libmydriver.so");          // opens the only device
//
// Program and plug-in exchange shared pointers, objects with virtual functions and standard
// containers, so both must be built with the same version of this library and compatible compilers.
// kFingerprint describes the build; a plug-in with a different one is rejected. A plug-in stays
// loaded until the program ends, since any object that it returned may need its code.
//
// Loading a plug-in runs its code. Mistakes are reported with a reason; within one process there is
// no protection against malicious code.
#pragma once

#include <absl/base/config.h>

#include <any>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nnapi/driver/interfaces.h"

namespace nn::plugin {

// Version of this library; a test compares it with CMake's.
inline constexpr std::string_view kLibraryVersion = "0.1.0";

// Incremented with every change of an interface or of the tables below.
inline constexpr uint32_t kAbiVersion = 1;

inline constexpr uint64_t kMagic = 0x31764950414e4e2eu;  // ".NNAPIv1"
// Name of the function that a plug-in exports (see Entry).
inline constexpr char kEntrySymbol[] = "nnapi_plugin_v1";
// The maximum number of devices of one plug-in; a plug-in with more is rejected.
inline constexpr uint32_t kMaxDevices = 64;

// A device that a plug-in provides.
struct Device {
    const char* name;  // equals the device's getName()
    // Sets *device to a device, made at this call, or to an error. Exceptions become errors.
    void (*create)(GeneralResult<SharedDevice>* device);
};

// Result of the entry function; stays valid. The first two fields never move.
struct Plugin {
    uint64_t magic;           // kMagic
    uint32_t abiVersion;      // kAbiVersion
    uint32_t deviceCount;     // 1 to kMaxDevices
    const char* fingerprint;  // kFingerprint of its build
    const Device* devices;    // deviceCount of them
};

// extern "C" const nn::plugin::Plugin* nnapi_plugin_v1();
using Entry = const Plugin* (*)();

namespace internal {

// Hash of the sizes of types that cross the border.
consteval uint64_t sizesOfTypes() {
    uint64_t hash = 0xcbf29ce484222325u;
    for (const size_t size : {sizeof(Model),
                              sizeof(Model::Subgraph),
                              sizeof(Operand),
                              sizeof(Operation),
                              sizeof(Request),
                              sizeof(Request::Argument),
                              sizeof(Request::MemoryPool),
                              sizeof(Memory),
                              sizeof(Handle),
                              sizeof(Capabilities),
                              sizeof(Extension),
                              sizeof(Timing),
                              sizeof(OutputShape),
                              sizeof(SyncFence),
                              sizeof(BufferDesc),
                              sizeof(BufferRole),
                              sizeof(TokenValuePair),
                              sizeof(ExtensionNameAndPrefix),
                              sizeof(GeneralResult<SharedDevice>),
                              sizeof(ExecutionResult<Executed>),
                              sizeof(IBurst::CacheHold),
                              sizeof(std::string),
                              sizeof(std::vector<bool>),
                              sizeof(std::any),
                              sizeof(std::function<void()>),
                              sizeof(void*)}) {
        hash = (hash ^ size) * 0x100000001b3u;
    }
    return hash;
}

constexpr std::string_view kStandardLibrary =
#if defined(_LIBCPP_ABI_VERSION)
        "libc++";
#elif defined(_GLIBCXX_DEBUG)
        "libstdc++ in debug mode";
#elif defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI == 0
        "libstdc++ before C++11";
#elif defined(__GLIBCXX__)
        "libstdc++";
#else
        "another standard library";
#endif

constexpr std::string_view kRtti =
#if defined(__cpp_rtti)
        "RTTI";
#else
        "no RTTI";
#endif

#if defined(__SANITIZE_ADDRESS__)
#define NNAPI_PLUGIN_SANITIZER "AddressSanitizer"
#elif defined(__SANITIZE_THREAD__)
#define NNAPI_PLUGIN_SANITIZER "ThreadSanitizer"
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define NNAPI_PLUGIN_SANITIZER "AddressSanitizer"
#elif __has_feature(thread_sanitizer)
#define NNAPI_PLUGIN_SANITIZER "ThreadSanitizer"
#elif __has_feature(memory_sanitizer)
#define NNAPI_PLUGIN_SANITIZER "MemorySanitizer"
#endif
#endif
#ifndef NNAPI_PLUGIN_SANITIZER
#define NNAPI_PLUGIN_SANITIZER "no sanitizer"
#endif
constexpr std::string_view kSanitizer = NNAPI_PLUGIN_SANITIZER;
#undef NNAPI_PLUGIN_SANITIZER

constexpr uint64_t kAbseil =
#ifdef ABSL_LTS_RELEASE_VERSION
        ABSL_LTS_RELEASE_VERSION;
#else
        0;
#endif

class Text {
   public:
    consteval Text& operator<<(std::string_view text) {
        for (const char c : text) mText.at(mSize++) = c;
        return *this;
    }
    consteval Text& number(uint64_t value, uint64_t base) {
        std::array<char, 64> digits{};
        size_t count = 0;
        do {
            digits.at(count++) = "0123456789abcdef"[value % base];
            value /= base;
        } while (value != 0);
        while (count != 0) mText.at(mSize++) = digits.at(--count);
        return *this;
    }
    constexpr const char* c_str() const { return mText.data(); }

   private:
    std::array<char, 200> mText{};
    size_t mSize = 0;
};

consteval Text fingerprint() {
    Text text;
    text << "nnapi " << kLibraryVersion << ", abseil ";
    text.number(kAbseil, 10) << ", " << kStandardLibrary << ", " << kRtti << ", " << kSanitizer
                             << ", sizes ";
    text.number(sizesOfTypes(), 16);
    return text;
}
inline constexpr Text kFingerprintText = fingerprint();

// Calls the factory; no exception leaves the plug-in.
template <class Make>
void create(GeneralResult<SharedDevice>* device) {
#ifdef __cpp_exceptions
    try {
        *device = GeneralResult<SharedDevice>(Make{}());
    } catch (const std::exception& exception) {
        *device = error() << "it has thrown: " << exception.what();
    } catch (...) {
        *device = error() << "it has thrown what is not a std::exception";
    }
#else
    *device = GeneralResult<SharedDevice>(Make{}());
#endif
}

template <size_t kCount>
constexpr Plugin pluginOf(const Device (&devices)[kCount]) {
    static_assert(kCount <= kMaxDevices);
    return {kMagic, kAbiVersion, kCount, kFingerprintText.c_str(), devices};
}

}  // namespace internal

// Must be equal in a program and its plug-ins: "nnapi 0.1.0, abseil 20220623, libstdc++, RTTI, no
// sanitizer, sizes 51d6f2a0c4b7e913".
inline constexpr const char* kFingerprint = internal::kFingerprintText.c_str();

// make: a lambda without captures that returns a device or an error, as a GeneralResult.
template <class Make>
constexpr Device device(const char* name, Make) {
    return {name, &internal::create<Make>};
}

}  // namespace nn::plugin

// Exports several devices, each by nn::plugin::device(name, make). At namespace scope, once.
#define NNAPI_EXPORT_DEVICES(...)                                                               \
    extern "C" __attribute__((visibility("default"))) const ::nn::plugin::Plugin*               \
    nnapi_plugin_v1() {                                                                         \
        static const ::nn::plugin::Device kDevices[] = {__VA_ARGS__};                           \
        static const ::nn::plugin::Plugin kPlugin = ::nn::plugin::internal::pluginOf(kDevices); \
        return &kPlugin;                                                                        \
    }

// Exports one device: NNAPI_EXPORT_DEVICE(name, make)
#define NNAPI_EXPORT_DEVICE(...) NNAPI_EXPORT_DEVICES(::nn::plugin::device(__VA_ARGS__))
