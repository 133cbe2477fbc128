// Outcomes of device test cases, and helpers that make them.
//
//   if (Failure failure = checkTiming(...)) return failure;
//   return std::nullopt;
#pragma once

#include <absl/strings/string_view.h>
#include <fmt/format.h>

#include <optional>
#include <string>

#include "nnapi/device_test/device_test.h"
#include "nnapi/driver/result.h"

namespace nn::testing {

// Empty on success; otherwise an outcome other than PASSED.
using Failure = std::optional<DeviceOutcome>;

inline DeviceOutcome passed() { return {}; }
inline DeviceOutcome passedWith(std::string remark) { return {.remarks = {std::move(remark)}}; }

inline DeviceOutcome failed(std::string place, std::string message, std::string rules = {}) {
    return {.result = DeviceOutcome::Result::FAILED,
            .place = std::move(place),
            .message = std::move(message),
            .rules = std::move(rules)};
}

inline DeviceOutcome notSupported(std::string reason) {
    return {.result = DeviceOutcome::Result::NOT_SUPPORTED, .message = std::move(reason)};
}

// The outcome of a call that unexpectedly failed.
DeviceOutcome failedCall(std::string place, const Status& status, std::string rules = {});

// "INVALID_ARGUMENT: main.operands[0]: ..."
std::string textOf(const Status& status);

// A set of codes that a call may fail with.
struct Codes {
    std::initializer_list<ErrorStatus> codes;
    bool has(ErrorStatus code) const;
    std::string text() const;  // "MISSED_DEADLINE_TRANSIENT or MISSED_DEADLINE_PERSISTENT"
};

// Fails unless the status is a failure with one of the codes.
Failure mustFail(std::string place, const Status& status, Codes allowed, std::string rules);

inline constexpr std::initializer_list<ErrorStatus> kInvalid = {ErrorStatus::INVALID_ARGUMENT};
inline constexpr std::initializer_list<ErrorStatus> kMissed = {
        ErrorStatus::MISSED_DEADLINE_TRANSIENT, ErrorStatus::MISSED_DEADLINE_PERSISTENT};
inline constexpr std::initializer_list<ErrorStatus> kMissedOrFailed = {
        ErrorStatus::MISSED_DEADLINE_TRANSIENT, ErrorStatus::MISSED_DEADLINE_PERSISTENT,
        ErrorStatus::GENERAL_FAILURE};
inline constexpr std::initializer_list<ErrorStatus> kInvalidOrFailed = {
        ErrorStatus::INVALID_ARGUMENT, ErrorStatus::GENERAL_FAILURE};

}  // namespace nn::testing
