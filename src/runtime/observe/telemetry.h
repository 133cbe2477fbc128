// Reports compilations and executions to the callbacks that a support library's client registers.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "nnapi/c/NeuralNetworksSupportLibraryImpl.h"
#include "runtime/compiled/compiled_model.h"

namespace nn::runtime {

// The common part of the reports about compilations and executions.
struct Diagnosed {
    ArchitectureHash architecture{};
    std::string deviceIds{};
    ANeuralNetworksDiagnosticDataClass inputs = ANNDIAG_DATA_CLASS_UNKNOWN;
    ANeuralNetworksDiagnosticDataClass outputs = ANNDIAG_DATA_CLASS_UNKNOWN;
    bool isCachingEnabled = false;
    bool isControlFlowUsed = false;
    bool areDynamicTensorsUsed = false;
};

// The common part for a compilation; its plan is null if it failed.
Diagnosed diagnose(const Compiled& compiled);

inline constexpr uint64_t kUnknownTime = std::numeric_limits<uint64_t>::max();

// Positive, and constant for the process.
int32_t sessionId();

}  // namespace nn::runtime

struct ANeuralNetworksDiagnosticCompilationInfo : nn::runtime::Diagnosed {
    int32_t code = 0;
    uint64_t nanoseconds = nn::runtime::kUnknownTime;
};

struct ANeuralNetworksDiagnosticExecutionInfo : nn::runtime::Diagnosed {
    ANeuralNetworksDiagnosticExecutionMode mode = ANNDIAG_EXECUTION_MODE_UNKNOWN;
    int32_t code = 0;
    uint64_t nanoseconds = nn::runtime::kUnknownTime;
    uint64_t driverNanoseconds = nn::runtime::kUnknownTime;
    uint64_t hardwareNanoseconds = nn::runtime::kUnknownTime;
};

namespace nn::runtime {

struct TelemetryCallbacks {
    ANeuralNetworksDiagnosticCompilationFinishedCallback compilation = nullptr;
    ANeuralNetworksDiagnosticExecutionFinishedCallback execution = nullptr;
    void* context = nullptr;
};

// Replaces the callbacks. Calls of the previous ones may still be running.
void setTelemetry(const TelemetryCallbacks& callbacks);

// True if callbacks are registered.
bool hasTelemetry();

// Calls the callback. No lock may be held.
void reportTelemetry(const ANeuralNetworksDiagnosticCompilationInfo& info);
void reportTelemetry(const ANeuralNetworksDiagnosticExecutionInfo& info);

}  // namespace nn::runtime
