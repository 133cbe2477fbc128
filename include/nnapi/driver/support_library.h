// nnapi/driver/support_library.h -- drivers that come as a support library, whoever built it.
//
//   auto devices = nn::openSupportLibrary("./libvendor_sl.so");
//   if (!devices.has_value()) return devices.status();
//   for (const nn::SharedDevice& device : *devices) print(device->getName());
//
//   auto watched = nn::openSupportLibrary("./libvendor_sl.so", {.onExecution = [](const auto& info)
//   {
//       print(info.deviceIds, info.runtimeTime);
//   }});
//
// A support library is a shared object with one function, ANeuralNetworks_getSLDriverImpl, that
// answers a table of the functions of the C API (nnapi/c/NeuralNetworksSupportLibraryImpl.h). No
// types of C++ cross the border, so it need not be built as this program is. Registries open one as
// they open a plug-in (nnapi/driver/registry.h).
//
// What the table lacks, and what its functions answer that no driver may, is refused with a
// sentence. A library stays loaded until the program ends. Loading it runs its code: against malice
// there is no protection within one process. Thread-safe.
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

// What a library tells of what it has compiled or executed.
struct Diagnostics {
    // Of the tensors among the inputs or outputs.
    enum class DataClass { UNKNOWN = 0, OTHER = 1, FLOAT32 = 2, FLOAT16 = 3, QUANT = 4, MIXED = 5 };

    int32_t sessionId = 0;
    int64_t nnApiVersion = 0;                 // a FeatureLevelCode of the C API
    std::array<uint8_t, 32> modelArchHash{};  // of the model without its weights
    std::string deviceIds{};                  // "name=version,name=version"
    int64_t errorCode = 0;                    // a ResultCode of the C API
    DataClass inputDataClass = DataClass::UNKNOWN;
    DataClass outputDataClass = DataClass::UNKNOWN;
    bool isCachingEnabled = false;
    bool isControlFlowUsed = false;
    bool areDynamicTensorsUsed = false;
    bool operator==(const Diagnostics&) const = default;
};

struct CompilationDiagnostics : Diagnostics {
    OptionalDuration compilationTime{};
    bool operator==(const CompilationDiagnostics&) const = default;
};

struct ExecutionDiagnostics : Diagnostics {
    enum class Mode { UNKNOWN = 0, ASYNC = 1, SYNC = 2, BURST = 3, ASYNC_WITH_DEPS = 4 };

    Mode mode = Mode::UNKNOWN;
    OptionalDuration runtimeTime{};  // all of it
    OptionalDuration driverTime{};
    OptionalDuration hardwareTime{};
    bool operator==(const ExecutionDiagnostics&) const = default;
};

struct SupportLibraryOptions {
    // Told on the threads that compile and execute, by several at once, for as long as the program
    // runs: for all users of the library, until it is opened again with listeners or a log.
    // Exceptions are dropped.
    std::function<void(const CompilationDiagnostics&)> onCompilation{};
    std::function<void(const ExecutionDiagnostics&)> onExecution{};

    // Told of calls, and with DRIVER of the same diagnostics.
    SharedLog log{};
};

// All devices of a library. INVALID_ARGUMENT with the reason for what is not one, or has no devices
// that can be used.
GeneralResult<std::vector<SharedDevice>> openSupportLibrary(
        const std::string& path, const SupportLibraryOptions& options = {});

// The same of a table, which stays valid until the program ends. `name` is what messages call it.
GeneralResult<std::vector<SharedDevice>> wrapSupportLibrary(
        const NnApiSLDriverImpl* table, const std::string& name,
        const SupportLibraryOptions& options = {});

}  // namespace nn
