// Groups the results of a report by cause.
#pragma once

#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nnapi/device_test/device_test_runner.h"

namespace nn::testing {

// Results with the same causeOf().
struct ResultCause {
    std::vector<const CaseResult*> results{};  // never empty
    const CaseResult* shortest = nullptr;      // that with the shortest name
    std::set<std::string> operations{};

    // "12 x execute: GENERAL_FAILURE: no memory [execution.result] (3 operations), such as
    // vectors/add/sync", "2 x ADD: results: output 0, element 0: 1, expected 2 +- 0, such as
    // vectors/add/sync"
    std::string text() const;
};

// The causes of unknown failures, of known ones, and of missing features, of all kinds or of one;
// the most frequent first.
std::vector<ResultCause> failureCauses(std::span<const CaseResult> results);
std::vector<ResultCause> knownCauses(std::span<const CaseResult> results);
std::vector<ResultCause> causesOfLack(std::span<const CaseResult> results,
                                      std::string_view kind = {});

}  // namespace nn::testing
