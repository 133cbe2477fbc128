#include "device_test/cases/case_outcome.h"

#include <algorithm>
#include <utility>

namespace nn::testing {

std::string_view toString(DeviceOutcome::Result result) {
    switch (result) {
        case DeviceOutcome::Result::PASSED:
            return "passed";
        case DeviceOutcome::Result::FAILED:
            return "failed";
        case DeviceOutcome::Result::NOT_SUPPORTED:
            return "notSupported";
    }
    return "unknown";
}

std::string toString(const DeviceOutcome& outcome) {
    if (outcome.result == DeviceOutcome::Result::PASSED) return "passed";
    std::string text = outcome.place.empty()
                               ? outcome.message
                               : fmt::format("{}: {}", outcome.place, outcome.message);
    if (!outcome.rules.empty()) text += fmt::format(" [{}]", outcome.rules);
    return text;
}

std::string textOf(const Status& status) {
    return fmt::format("{}: {}", nn::toString(errorStatus(status)), std::string(status.message()));
}

DeviceOutcome failedCall(std::string place, const Status& status, std::string rules) {
    DeviceOutcome outcome = failed(std::move(place), textOf(status), std::move(rules));
    outcome.code = errorStatus(status);
    return outcome;
}

bool Codes::has(ErrorStatus code) const { return std::ranges::count(codes, code) != 0; }

std::string Codes::text() const {
    std::string text;
    for (const ErrorStatus code : codes) {
        text += (text.empty() ? "" : " or ") + nn::toString(code);
    }
    return text;
}

Failure mustFail(std::string place, const Status& status, Codes allowed, std::string rules) {
    if (status.ok()) {
        return failed(std::move(place), "succeeds, expected " + allowed.text(), std::move(rules));
    }
    if (allowed.has(errorStatus(status))) return std::nullopt;
    DeviceOutcome outcome =
            failed(std::move(place), fmt::format("{}, expected {}", textOf(status), allowed.text()),
                   std::move(rules));
    outcome.code = errorStatus(status);
    return outcome;
}

}  // namespace nn::testing
