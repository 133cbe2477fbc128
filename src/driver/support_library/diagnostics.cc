// Telemetry of support libraries: compilations and executions.
#include <absl/algorithm/container.h>
#include <fmt/format.h>

#include <limits>
#include <mutex>
#include <vector>

#include "base/printable.h"
#include "base/process_mutex.h"
#include "driver/support_library/library.h"

namespace nn::driver {
namespace {

// The registered callbacks; the library keeps their address permanently.
struct Listener {
    SharedLibrary library{};
    SupportLibraryOptions options{};
};

template <class Code>
Code known(int code, Code last) {
    return code < 0 || code > static_cast<int>(last) ? Code{} : static_cast<Code>(code);
}

std::string textOf(const OptionalDuration& time) {
    if (!time) return "unknown time";
    return fmt::format("{:.3f} ms", std::chrono::duration<double, std::milli>(*time).count());
}

// The information that compilations and executions share, from functions with this name.
#define NNAPI_SL_COMMON(api, Info, info, to)                                                       \
    do {                                                                                           \
        (to).sessionId = (api).SL_ANeuralNetworksDiagnostic##Info##_getSessionId(info);            \
        (to).nnApiVersion = (api).SL_ANeuralNetworksDiagnostic##Info##_getNnApiVersion(info);      \
        const uint8_t* hash = (api).SL_ANeuralNetworksDiagnostic##Info##_getModelArchHash(info);   \
        if (hash != nullptr) std::copy_n(hash, 32, (to).modelArchHash.begin());                    \
        const char* ids = (api).SL_ANeuralNetworksDiagnostic##Info##_getDeviceIds(info);           \
        if (ids != nullptr) (to).deviceIds = ids;                                                  \
        (to).errorCode = (api).SL_ANeuralNetworksDiagnostic##Info##_getErrorCode(info);            \
        (to).inputDataClass =                                                                      \
                known((api).SL_ANeuralNetworksDiagnostic##Info##_getInputDataClass(info),          \
                      Diagnostics::DataClass::MIXED);                                              \
        (to).outputDataClass =                                                                     \
                known((api).SL_ANeuralNetworksDiagnostic##Info##_getOutputDataClass(info),         \
                      Diagnostics::DataClass::MIXED);                                              \
        (to).isCachingEnabled = (api).SL_ANeuralNetworksDiagnostic##Info##_isCachingEnabled(info); \
        (to).isControlFlowUsed =                                                                   \
                (api).SL_ANeuralNetworksDiagnostic##Info##_isControlFlowUsed(info);                \
        (to).areDynamicTensorsUsed =                                                               \
                (api).SL_ANeuralNetworksDiagnostic##Info##_areDynamicTensorsUsed(info);            \
    } while (false)

void log(const Listener& to, std::string_view what, const Diagnostics& diagnostics,
         const OptionalDuration& time) {
    NNAPI_VLOG(to.options.log, DRIVER) << fmt::format(
            "{} {} by {}: code {} in {}, model {:02x}", printable(to.library->name()), what,
            printable(diagnostics.deviceIds), diagnostics.errorCode, textOf(time),
            fmt::join(diagnostics.modelArchHash, ""));
}

void compiled(const void* context, const ANeuralNetworksDiagnosticCompilationInfo* info) {
    const auto& listener = *static_cast<const Listener*>(context);
    if (info == nullptr) return;
    try {
        const NnApiSLDriverImplFL5& api = listener.library->api();
        CompilationDiagnostics diagnostics;
        NNAPI_SL_COMMON(api, CompilationInfo, info, diagnostics);
        diagnostics.compilationTime = timeOf(
                api.SL_ANeuralNetworksDiagnosticCompilationInfo_getCompilationTimeNanos(info));
        log(listener, "compiles", diagnostics, diagnostics.compilationTime);
        if (listener.options.onCompilation) listener.options.onCompilation(diagnostics);
    } catch (...) {
        // nothing is thrown through the library
    }
}

void executed(const void* context, const ANeuralNetworksDiagnosticExecutionInfo* info) {
    const auto& listener = *static_cast<const Listener*>(context);
    if (info == nullptr) return;
    try {
        const NnApiSLDriverImplFL5& api = listener.library->api();
        ExecutionDiagnostics diagnostics;
        NNAPI_SL_COMMON(api, ExecutionInfo, info, diagnostics);
        diagnostics.mode =
                known(api.SL_ANeuralNetworksDiagnosticExecutionInfo_getExecutionMode(info),
                      ExecutionDiagnostics::Mode::ASYNC_WITH_DEPS);
        diagnostics.runtimeTime = timeOf(
                api.SL_ANeuralNetworksDiagnosticExecutionInfo_getRuntimeExecutionTimeNanos(info));
        diagnostics.driverTime = timeOf(
                api.SL_ANeuralNetworksDiagnosticExecutionInfo_getDriverExecutionTimeNanos(info));
        diagnostics.hardwareTime = timeOf(
                api.SL_ANeuralNetworksDiagnosticExecutionInfo_getHardwareExecutionTimeNanos(info));
        log(listener, "executes", diagnostics, diagnostics.runtimeTime);
        if (listener.options.onExecution) listener.options.onExecution(diagnostics);
    } catch (...) {
        // nothing is thrown through the library
    }
}

}  // namespace

void listenTo(const SharedLibrary& library, const SupportLibraryOptions& options) {
    const bool isAsked = options.onCompilation || options.onExecution || options.log != nullptr;
    if (!isAsked || !library->hasDiagnostics()) return;
    // Never freed: a library may call at any time.
    static ProcessMutex mutex;
    static auto* listeners = new std::vector<std::unique_ptr<Listener>>();
    Listener* listener = nullptr;
    {
        const std::lock_guard lock(mutex);
        listeners->push_back(std::make_unique<Listener>(Listener{library, options}));
        listener = listeners->back().get();
    }
    library->api().SL_ANeuralNetworksDiagnostic_registerCallbacks(&compiled, &executed, listener);
}

}  // namespace nn::driver
