// Tracing.h -- NNTRACE_*: slices of time, by layer and phase.
//
//   NNTRACE_FULL(NNTRACE_LAYER_DRIVER, NNTRACE_PHASE_EXECUTION, "MyDriver::execute");
//
// The macros check their arguments and their places in a scope, and record nothing: there is no
// atrace on Linux. nnapi/driver/trace.h records a device's calls.
#pragma once

#define NNTRACE_PHASE_OVERALL "PO"
#define NNTRACE_PHASE_WARMUP "PWU"
#define NNTRACE_PHASE_BENCHMARK "PBM"
#define NNTRACE_PHASE_INITIALIZATION "PI"
#define NNTRACE_PHASE_PREPARATION "PP"
#define NNTRACE_PHASE_COMPILATION "PC"
#define NNTRACE_PHASE_EXECUTION "PE"
#define NNTRACE_PHASE_TERMINATION "PT"
#define NNTRACE_PHASE_UNSPECIFIED "PU"
#define NNTRACE_PHASE_INPUTS_AND_OUTPUTS "PIO"
#define NNTRACE_PHASE_TRANSFORMATION "PTR"
#define NNTRACE_PHASE_COMPUTATION "PCO"
#define NNTRACE_PHASE_RESULTS "PR"

#define NNTRACE_LAYER_APPLICATION "LA"
#define NNTRACE_LAYER_RUNTIME "LR"
#define NNTRACE_LAYER_IPC "LI"
#define NNTRACE_LAYER_DRIVER "LD"
#define NNTRACE_LAYER_CPU "LC"
#define NNTRACE_LAYER_OTHER "LO"
#define NNTRACE_LAYER_UTILITY "LU"

// One in a scope. A switch, of which a scope may have many, must follow one. Names are literals.
#define NNTRACE_NAME_1(name) [[maybe_unused]] constexpr const char* nntraceOfScope = name
#define NNTRACE_NAME_SWITCH(name) static_cast<void>(nntraceOfScope), static_cast<void>(name)

#define NNTRACE_FULL(layer, phase, detail) NNTRACE_NAME_1(("[NN_" layer "_" phase "]" detail))
#define NNTRACE_FULL_SWITCH(layer, phase, detail) \
    NNTRACE_NAME_SWITCH(("[SW][NN_" layer "_" phase "]" detail))
#define NNTRACE_FULL_SUBTRACT(layer, phase, detail) \
    NNTRACE_NAME_1(("[SUB][NN_" layer "_" phase "]" detail))
#define NNTRACE_FULL_RAW(layer, phase, detail) static_cast<void>("[NN_" layer "_" phase "]" detail)

#define NNTRACE_APP(phase, detail) NNTRACE_FULL(NNTRACE_LAYER_APPLICATION, phase, detail)
#define NNTRACE_APP_SWITCH(phase, detail) \
    NNTRACE_FULL_SWITCH(NNTRACE_LAYER_APPLICATION, phase, detail)
#define NNTRACE_RT(phase, detail) NNTRACE_FULL(NNTRACE_LAYER_RUNTIME, phase, detail)
#define NNTRACE_RT_SWITCH(phase, detail) NNTRACE_FULL_SWITCH(NNTRACE_LAYER_RUNTIME, phase, detail)
#define NNTRACE_CPU(phase, detail) NNTRACE_FULL(NNTRACE_LAYER_CPU, phase, detail)
#define NNTRACE_COMP(detail) NNTRACE_FULL(NNTRACE_LAYER_CPU, NNTRACE_PHASE_COMPUTATION, detail)
#define NNTRACE_COMP_SWITCH(detail) \
    NNTRACE_FULL_SWITCH(NNTRACE_LAYER_CPU, NNTRACE_PHASE_COMPUTATION, detail)
#define NNTRACE_TRANS(detail) NNTRACE_FULL(NNTRACE_LAYER_CPU, NNTRACE_PHASE_TRANSFORMATION, detail)
