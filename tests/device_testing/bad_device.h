// Devices with one fault each, around the reference.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "nnapi/driver/interfaces.h"

namespace nn {

#define NNAPI_FAULTS(FAULT)               \
    FAULT(NONE)                           \
    /* processes */                       \
    FAULT(ABORTS_IN_PREPARE)              \
    FAULT(ABORTS_IN_EXECUTE)              \
    FAULT(SEGFAULTS_IN_EXECUTE)           \
    FAULT(EXITS_IN_EXECUTE)               \
    FAULT(HANGS_IN_PREPARE)               \
    FAULT(HANGS_IN_EXECUTE)               \
    FAULT(HANGS_IN_BURST)                 \
    FAULT(DIES)                           \
    FAULT(THROWS)                         \
    FAULT(CANNOT_OPEN)                    \
    FAULT(ABORTS_WHEN_OPENED)             \
    /* what a device says of itself */    \
    FAULT(HAS_NO_NAME)                    \
    FAULT(HAS_NO_VERSION)                 \
    FAULT(CHANGES_ITS_VERSION)            \
    FAULT(WANTS_33_CACHE_FILES)           \
    FAULT(CANNOT_WAIT)                    \
    /* preparing */                       \
    FAULT(ANSWERS_FOR_TOO_FEW_OPERATIONS) \
    FAULT(REFUSES_WHAT_IT_SUPPORTS)       \
    FAULT(PREPARES_NULL)                  \
    FAULT(ACCEPTS_ANY_MODEL)              \
    FAULT(ACCEPTS_ANY_PRIORITY)           \
    FAULT(HOLDS_PREPARED_MODELS)          \
    FAULT(SUPPORTS_ONLY_ADD)              \
    /* executing */                       \
    FAULT(WRONG_VALUES)                   \
    FAULT(WRONG_VALUES_THE_SECOND_TIME)   \
    FAULT(WRONG_DIMENSIONS)               \
    FAULT(NO_SHAPES)                      \
    FAULT(INSUFFICIENT_SHAPES)            \
    FAULT(TIME_NOBODY_ASKED_FOR)          \
    FAULT(LONGER_ON_THE_DEVICE)           \
    FAULT(WRITES_INPUTS)                  \
    FAULT(WRITES_BEHIND_OUTPUTS)          \
    FAULT(ACCEPTS_ANY_REQUEST)            \
    FAULT(SHAPES_WITH_FAILURES)           \
    FAULT(LIES_ABOUT_SUFFICIENCY)         \
    FAULT(KEEPS_FIRST_INPUTS)             \
    FAULT(MIXES_UP_THREADS)               \
    FAULT(MISSES_AMPLE_DEADLINES)         \
    FAULT(ENDS_LOOPS_WITH_SUCCESS)        \
    /* fences */                          \
    FAULT(FENCE_IN_ERROR)                 \
    FAULT(FENCE_NEVER_SIGNALLED)          \
    FAULT(NO_CALLBACK)                    \
    FAULT(DOES_NOT_WAIT_FOR_FENCES)       \
    FAULT(FENCED_WITH_UNKNOWN_SHAPES)     \
    /* caches and memory */               \
    FAULT(LOADS_ANYTHING)                 \
    FAULT(LOADS_NOTHING)                  \
    FAULT(FAILS_WITH_CACHE_FILES)         \
    FAULT(ALLOCATES_TOKEN_0)              \
    FAULT(ALLOCATES_FOR_ANYBODY)

enum class Fault {
#define FAULT(name) name,
    NNAPI_FAULTS(FAULT)
#undef FAULT
};

inline constexpr std::array kFaultNames = {
#define FAULT(name) std::string_view(#name),
        NNAPI_FAULTS(FAULT)
#undef FAULT
};

inline std::optional<Fault> faultNamed(std::string_view name) {
    for (size_t i = 0; i < kFaultNames.size(); ++i) {
        if (kFaultNames[i] == name) return static_cast<Fault>(i);
    }
    return std::nullopt;
}

SharedDevice badDevice(Fault fault);

}  // namespace nn
