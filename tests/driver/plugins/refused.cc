// A plug-in with one defect, selected by the definition NNAPI_PLUGIN_....
#include <cfenv>

#include "nnapi/driver/plugin.h"

using nn::plugin::Device;
using nn::plugin::Plugin;

#define EXPORTED extern "C" __attribute__((visibility("default")))

#ifdef NNAPI_PLUGIN_UNRESOLVED
EXPORTED int nnapi_plugin_test_undefined();
EXPORTED int nnapi_plugin_test_uses_it() { return nnapi_plugin_test_undefined(); }
#endif

#ifdef NNAPI_PLUGIN_ROUNDS_UP
// Simulates an object linked with -ffast-math, which changes the treatment of subnormal numbers.
[[gnu::constructor]] void roundUpWhenLoaded() { std::fesetround(FE_UPWARD); }
#endif

#ifdef NNAPI_PLUGIN_NO_ENTRY
EXPORTED const Plugin* nnapi_plugin_v0() { return nullptr; }
#else
EXPORTED const Plugin* nnapi_plugin_v1() {
    static Device devices[] = {{"npu", [](nn::GeneralResult<nn::SharedDevice>*) {}}};
    static Plugin plugin;
    plugin = {nn::plugin::kMagic, nn::plugin::kAbiVersion, 1, nn::plugin::kFingerprint, devices};
#if defined(NNAPI_PLUGIN_ROUNDS_UP)
    std::fesetround(FE_TOWARDZERO);
#endif
#if defined(NNAPI_PLUGIN_THROWS)
    throw 7;
#elif defined(NNAPI_PLUGIN_NULL_ENTRY)
    return nullptr;
#elif defined(NNAPI_PLUGIN_MAGIC)
    plugin.magic ^= 1;
#elif defined(NNAPI_PLUGIN_VERSION)
    plugin.abiVersion += 1;
#elif defined(NNAPI_PLUGIN_FINGERPRINT)
    plugin.fingerprint = "nnapi 0.0.1, another\ncompiler";
#elif defined(NNAPI_PLUGIN_NO_FINGERPRINT)
    plugin.fingerprint = nullptr;
#elif defined(NNAPI_PLUGIN_NO_DEVICES)
    plugin.deviceCount = 0;
#elif defined(NNAPI_PLUGIN_TOO_MANY_DEVICES)
    plugin.deviceCount = nn::plugin::kMaxDevices + 1;
#elif defined(NNAPI_PLUGIN_NO_NAME)
    devices[0].name = nullptr;
#elif defined(NNAPI_PLUGIN_WRONG_NAME)
    devices[0].name = "an npu";
#endif
    return &plugin;
}
#endif
