// The context of a translation: target version, path of the object, and the list of losses.
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>

#include "nnapi/convert.h"
#include "nnapi/print.h"
#include "validate/report.h"

namespace nn NNAPI_BINDING::conversion {

struct Context {
    HalVersion version;
    Losses* losses = nullptr;              // null: losses are not collected
    const ClockReading* clocks = nullptr;  // null: read the clocks when needed
    Status* consumers = nullptr;           // see toCanonical
    Place place{};

    Context at(std::string_view field, int64_t index = -1) const {
        return {version, losses, clocks, consumers, Place{&place, field, index}};
    }

    // The error of an object that cannot be translated.
    Status refuse(std::string_view rule, std::string message,
                  ErrorStatus code = ErrorStatus::INVALID_ARGUMENT) const {
        return makeError(code, Diagnostic{.rule = std::string(rule),
                                          .path = place.path(),
                                          .operation = {},
                                          .message = std::move(message),
                                          .since = {}});
    }

    // Records a loss if converting back returns a different value. `why` continues "HAL 1.0 ".
    template <class T>
    void recordLoss(std::string_view field, const T& before, const T& after,
                    std::string_view why) const {
        if (losses != nullptr) at(field).recordLoss(before, after, why);
    }
    template <class T>
    void recordLoss(const T& before, const T& after, std::string_view why) const {
        if (losses == nullptr || before == after) return;
        losses->push_back({.path = place.path(),
                           .before = print(before),
                           .after = print(after),
                           .why = fmt::format("{} {}", titleOf(version), why)});
    }
};

}  // namespace NNAPI_BINDING::conversion
