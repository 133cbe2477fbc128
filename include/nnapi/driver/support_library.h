// nnapi/driver/support_library.h -- Opens NNAPI support libraries, drivers with a C interface.
//
//   auto devices = nn::openSupportLibrary("./libvendor_sl.so");
//   if (!devices.has_value()) return devices.status();
//   for (const nn::SharedDevice& device : *devices) print(device->getName());
//
//   const auto onExecution = [](const nn::ExecutionDiagnostics& info) {
//       print(info.deviceIds, info.runtimeTime);
//   };
//   auto watched = nn::openSupportLibrary("./libvendor_sl.so", {.onExecution = onExecution});
//
// A support library is a shared object that exports one function, ANeuralNetworks_getSLDriverImpl,
// which returns a table of C API functions (nnapi/c/NeuralNetworksSupportLibraryImpl.h). No C++
// types cross the border, so it may be built with any compiler and library version. Registries open
// it like a plug-in (nnapi/driver/registry.h).
//
// An incomplete table, and results that no driver may return, are reported as errors with a reason.
// A library stays loaded until the program ends. Loading it runs its code; there is no protection
// against malicious code within one process. Thread-safe.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/vlog.h"

struct NnApiSLDriverImpl;

namespace nn {

// Telemetry of a compilation or an execution.
struct Diagnostics {
    // Element types of the tensors among the inputs or outputs.
    enum class DataClass { UNKNOWN = 0, OTHER = 1, FLOAT32 = 2, FLOAT16 = 3, QUANT = 4, MIXED = 5 };

    int32_t sessionId = 0;                           // as the library counts its sessions
    int64_t nnApiVersion = 0;                        // a FeatureLevelCode of the C API
    std::array<uint8_t, 32> modelArchHash{};         // hash of the model without weights
    std::string deviceIds{};                         // "name=version,name=version"
    int64_t errorCode = 0;                           // a ResultCode of the C API
    DataClass inputDataClass = DataClass::UNKNOWN;   // of the main graph
    DataClass outputDataClass = DataClass::UNKNOWN;  // of the main graph
    bool isCachingEnabled = false;                   // the compilation had a cache
    bool isControlFlowUsed = false;                  // the model has an IF or WHILE
    bool areDynamicTensorsUsed = false;              // the model has unknown dimensions
    bool operator==(const Diagnostics&) const = default;
};

// Telemetry of a compilation.
struct CompilationDiagnostics : Diagnostics {
    OptionalDuration compilationTime{};  // empty: unknown
    bool operator==(const CompilationDiagnostics&) const = default;
};

// Telemetry of an execution.
struct ExecutionDiagnostics : Diagnostics {
    // How the application has started the execution.
    enum class Mode { UNKNOWN = 0, ASYNC = 1, SYNC = 2, BURST = 3, ASYNC_WITH_DEPS = 4 };

    Mode mode = Mode::UNKNOWN;        // as the library reports it
    OptionalDuration runtimeTime{};   // total
    OptionalDuration driverTime{};    // in the driver; empty: not measured
    OptionalDuration hardwareTime{};  // on the hardware; empty: not measured
    bool operator==(const ExecutionDiagnostics&) const = default;
};

// Options of openSupportLibrary().
struct SupportLibraryOptions {
    // Receive telemetry on the threads that compile and execute, possibly several at once, until
    // the program ends or the library is opened again with listeners or a log. They see all users
    // of the library. Exceptions are dropped.
    std::function<void(const CompilationDiagnostics&)> onCompilation{};
    std::function<void(const ExecutionDiagnostics&)> onExecution{};

    // Logs calls, and with DRIVER also the telemetry.
    SharedLog log{};
};

// Opens all devices of a library. INVALID_ARGUMENT with the reason if the file is no support
// library or has no usable devices.
GeneralResult<std::vector<SharedDevice>> openSupportLibrary(
        const std::string& path, const SupportLibraryOptions& options = {});

// The same for a table, which must stay valid until the program ends. `name` is used in messages.
GeneralResult<std::vector<SharedDevice>> wrapSupportLibrary(
        const NnApiSLDriverImpl* table, const std::string& name,
        const SupportLibraryOptions& options = {});

}  // namespace nn
