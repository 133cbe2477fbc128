// Features of the C API that only some applications use: devices in other processes, and recording.
//
// They need protobuf, Cap'n Proto and TLS, which load slower than everything else and which an
// application may have in another version. Therefore they are in libneuralnetworks_extras.so, which
// is installed next to libneuralnetworks.so and is loaded at the first use.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>

#include "nnapi/driver/registry.h"
#include "nnapi/driver/vlog.h"
#include "nnapi/result.h"
#include "runtime/devices/configuration.h"
#include "runtime/extras/record.h"

namespace nn::runtime {

struct Extras {
    const char* fingerprint;  // plugin::kFingerprint of its build
    // Lets a registry open addresses (nnapi/service/client.h) with the options that the device
    // has. Nothing if the library was built without the service.
    void (*openAddresses)(RegistryOptions& registry, const ConfiguredDevice& configured);
    // See Recorder.
    std::shared_ptr<const IRecorder> (*makeRecorder)(const std::filesystem::path& folder,
                                                     uint64_t executions, const SharedLog& log);
};

// The name of the function that libneuralnetworks_extras.so exports, an ExtrasEntry.
inline constexpr char kExtrasSymbol[] = "nnapi_runtime_extras";
using ExtrasEntry = const Extras* (*)();

// Loads them, at the first call. Fails if the shared object is missing or of another build.
// Thread-safe.
Result<const Extras*> extras();

}  // namespace nn::runtime
