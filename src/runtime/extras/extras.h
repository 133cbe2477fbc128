// What the C API needs only where somebody asks for it: devices in other processes, and recording.
//
// It takes protobuf, Cap'n Proto and TLS, which load slower than all the rest, and of which an
// application may have a version of its own. So libneuralnetworks_extras.so has it, which lies
// beside libneuralnetworks.so and is loaded at the first use.
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
    // has. Nothing where the library was built without the service.
    void (*openAddresses)(RegistryOptions& registry, const ConfiguredDevice& configured);
    // See Recorder.
    std::shared_ptr<const IRecorder> (*makeRecorder)(const std::filesystem::path& folder,
                                                     uint64_t executions, const SharedLog& log);
};

// The name of the function that libneuralnetworks_extras.so exports, an ExtrasEntry.
inline constexpr char kExtrasSymbol[] = "nnapi_runtime_extras";
using ExtrasEntry = const Extras* (*)();

// Loads them, at the first call. Fails where the shared object is missing or of another build.
// Thread-safe.
Result<const Extras*> extras();

}  // namespace nn::runtime
