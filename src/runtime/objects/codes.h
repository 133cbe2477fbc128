// Result codes and feature levels of the C API.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "driver/support_library/feature_levels.h"
#include "driver/support_library/result_codes.h"
#include "nnapi/c/NeuralNetworks.h"
#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn::runtime {

// An enumerator of ResultCode.
constexpr int codeOf(ErrorStatus status) { return driver::resultCodeOf(status); }
inline int codeOf(const Status& status) { return codeOf(errorStatus(status)); }

using driver::featureLevelCode;

constexpr std::optional<Priority> priorityOf(int code) {
    switch (code) {
        case ANEURALNETWORKS_PRIORITY_LOW:
            return Priority::LOW;
        case ANEURALNETWORKS_PRIORITY_MEDIUM:
            return Priority::MEDIUM;
        case ANEURALNETWORKS_PRIORITY_HIGH:
            return Priority::HIGH;
        default:
            return std::nullopt;
    }
}

// Durations of the C API have no sign and saturate.
constexpr OptionalDuration durationOf(uint64_t nanoseconds) {
    if (nanoseconds == 0) return std::nullopt;
    constexpr auto most = static_cast<uint64_t>(Duration::max().count());
    return Duration(static_cast<Duration::rep>(nanoseconds < most ? nanoseconds : most));
}

// The result of a C API function, and why it failed.
struct [[nodiscard]] ApiStatus {
    int code = ANEURALNETWORKS_NO_ERROR;
    std::string why{};

    ApiStatus() = default;
    ApiStatus(int which, std::string reason) : code(which), why(std::move(reason)) {}
    ApiStatus(const Status& status) : code(codeOf(status)), why(status.message()) {}
    bool ok() const { return code == ANEURALNETWORKS_NO_ERROR; }
};

inline ApiStatus badState(std::string why) { return {ANEURALNETWORKS_BAD_STATE, std::move(why)}; }
inline ApiStatus badData(std::string why) { return {ANEURALNETWORKS_BAD_DATA, std::move(why)}; }
inline ApiStatus unexpectedNull(std::string why) {
    return {ANEURALNETWORKS_UNEXPECTED_NULL, std::move(why)};
}

}  // namespace nn::runtime

// Returns from the enclosing function with the value of the expression if that is a failure.
#define NNAPI_API_RETURN_IF_ERROR(...)                                                       \
    do {                                                                                     \
        if (::nn::runtime::ApiStatus status_ = (__VA_ARGS__); !status_.ok()) return status_; \
    } while (false)
