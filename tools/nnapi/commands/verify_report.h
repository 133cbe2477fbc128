// The results of verify, and their page.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/html.h"
#include "base/untrusted_text.h"
#include "nnapi/comparison.h"
#include "nnapi/losses.h"
#include "nnapi/result.h"
#include "nnapi/validate.h"
#include "nnapi/version.h"
#include "tools/nnapi/random_inputs.h"

namespace nn::cli {

// The comparison of the executions of a model.
struct ExecutionCheck {
    bool compared = false;
    bool pass = false;
    double maxAbsError = 0;  // of the converted model against the original
    std::string message{};   // why they were not compared, or where they differ
};

// "1.3, aidl1" by what keeps these from being compared.
using NotCompared = std::vector<std::pair<std::string, std::vector<std::string>>>;

// What one version does to a model.
struct VersionVerdict {
    bool hasConverters = true;
    bool converts = false;
    bool valid = false;  // the versioned object, by that version's own rules; without converters
                         // the model, for that version
    bool identical = false;  // comes back equal
    Losses losses{};
    ExecutionCheck execution{};
    std::vector<Diagnostic> diagnostics{};  // why it does not convert
    bool tooNew = false;                    // the only reason is that it needs a later version
    Losses importLosses{};                  // of a file that is imported anew for the version

    std::string_view roundTrip() const {
        return !converts ? "refused" : isLossless() ? "identical" : "lossy";
    }
    bool isLossless() const { return identical && importLosses.empty(); }

    // All is as expected: the version carries the model and proves it, or is too old for it, or the
    // model should be refused. A loss is named exactly where the model came back different.
    bool good(bool expectsFailure) const {
        if (!converts) return tooNew || expectsFailure || (!hasConverters && valid);
        return valid && identical == losses.empty() && (execution.pass || !execution.compared);
    }

    // Shown among several models: the version changes the model, or something is not as expected.
    bool isRemarkable(bool expectsFailure) const {
        return !good(expectsFailure) || (converts && !isLossless());
    }
};

// The results for a model over all versions.
struct VerifyReport {
    UntrustedText name;
    std::vector<VersionVerdict> verdicts{};  // in the order of kHalVersions, then that of TFLite
    bool expectsFailure = false;
    std::string notExecuted{};                         // why the model itself fails to execute
    ExecutionInputs inputs{};                          // without their values
    std::optional<testing::Comparison> expectation{};  // against the outputs of its test case

    bool isExecutedOnRandomInputs() const {
        return inputs.seed &&
               std::ranges::any_of(verdicts, [](auto& v) { return v.execution.compared; });
    }
    bool good() const {
        return (!expectation || expectation->pass) &&
               std::ranges::all_of(verdicts, [&](auto& v) { return v.good(expectsFailure); });
    }
    bool isRemarkable() const {
        return (!notExecuted.empty() && !expectsFailure) || (expectation && !expectation->pass) ||
               std::ranges::any_of(verdicts,
                                   [&](auto& v) { return v.isRemarkable(expectsFailure); });
    }
};

// A row of the results: a version, or behind them the format that the model comes from. "HAL 1.2",
// and "1.2".
std::string titleOfRow(size_t row);
std::string nameOfRow(size_t row);

// Why "executes equal" is "-" for rows that convert: rows by reason.
NotCompared notCompared(const VerifyReport& report, const std::vector<size_t>& rows);

// The results for all models, by version.
struct VerifySummary {
    struct Row {
        size_t identical = 0, lossy = 0, refused = 0, compared = 0, equal = 0;
        double maxAbsError = 0;
    };
    size_t models = 0;
    size_t bad = 0;
    bool isComplete = true;  // all files were read
    std::array<Row, kHalVersions.size()> rows{};

    void add(const VerifyReport& report);
};

// A section of the page: a table of all versions, whose losses and reasons expand.
Html sectionOf(const VerifyReport& report);

// Writes the page: a verdict, a table of versions if there are several models, and the sections.
Status writeVerifyPage(const std::string& path, const VerifySummary& summary, const Html& sections);

}  // namespace nn::cli
