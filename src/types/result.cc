#include "nnapi/result.h"

#include <absl/strings/cord.h>
#include <fmt/format.h>

#include <cstdlib>

namespace nn {
namespace {

constexpr std::string_view kErrorStatusUrl = "nnapi/ErrorStatus";
constexpr std::string_view kDiagnosticUrl = "nnapi/Diagnostic";

// Separates the fields of a diagnostic in its payload; escaped where it stands in one.
constexpr char kSeparator = '\x1f';

absl::string_view toAbsl(std::string_view text) { return {text.data(), text.size()}; }

absl::StatusCode abslCode(ErrorStatus code) {
    switch (code) {
        case ErrorStatus::DEVICE_UNAVAILABLE:
        case ErrorStatus::DEAD_OBJECT:
            return absl::StatusCode::kUnavailable;
        case ErrorStatus::OUTPUT_INSUFFICIENT_SIZE:
            return absl::StatusCode::kOutOfRange;
        case ErrorStatus::INVALID_ARGUMENT:
            return absl::StatusCode::kInvalidArgument;
        case ErrorStatus::MISSED_DEADLINE_TRANSIENT:
        case ErrorStatus::MISSED_DEADLINE_PERSISTENT:
            return absl::StatusCode::kDeadlineExceeded;
        case ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT:
        case ErrorStatus::RESOURCE_EXHAUSTED_PERSISTENT:
            return absl::StatusCode::kResourceExhausted;
        default:
            return absl::StatusCode::kInternal;
    }
}

std::string withoutSeparator(std::string text) {
    std::erase(text, kSeparator);
    return text;
}

}  // namespace

std::string toString(const Diagnostic& diagnostic) {
    std::string text = diagnostic.path;
    if (!diagnostic.operation.empty()) {
        if (!text.empty()) text += ' ';
        text += diagnostic.operation;
    }
    if (!text.empty()) text += ": ";
    return text + diagnostic.message + " [" + diagnostic.rule + "]";
}

Status makeError(ErrorStatus code, std::string_view message) {
    if (code == ErrorStatus::NONE) code = ErrorStatus::GENERAL_FAILURE;
    Status status(abslCode(code), toAbsl(message));
    status.SetPayload(toAbsl(kErrorStatusUrl),
                      absl::Cord(std::to_string(static_cast<int32_t>(code))));
    return status;
}

Status makeError(ErrorStatus code, const Diagnostic& diagnostic) {
    Status status = makeError(code, toString(diagnostic));
    const int since = diagnostic.since ? featureLevel(*diagnostic.since) : 0;
    const std::string payload = fmt::format(
            "{1}{0}{2}{0}{3}{0}{4}{0}{5}", kSeparator, withoutSeparator(diagnostic.rule),
            withoutSeparator(diagnostic.path), withoutSeparator(diagnostic.operation),
            withoutSeparator(diagnostic.message), since);
    status.SetPayload(toAbsl(kDiagnosticUrl), absl::Cord(payload));
    return status;
}

ErrorStatus errorStatus(const Status& status) {
    if (status.ok()) return ErrorStatus::NONE;
    const auto payload = status.GetPayload(toAbsl(kErrorStatusUrl));
    if (!payload) {  // where there was no memory for one
        return absl::IsResourceExhausted(status) ? ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT
                                                 : ErrorStatus::GENERAL_FAILURE;
    }
    return static_cast<ErrorStatus>(std::atoi(std::string(*payload).c_str()));
}

std::optional<Diagnostic> diagnostic(const Status& status) {
    const auto payload = status.GetPayload(toAbsl(kDiagnosticUrl));
    if (!payload) return std::nullopt;
    std::vector<std::string> fields(1);
    for (const char c : std::string(*payload)) {
        if (c == kSeparator) {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    if (fields.size() != 5) return std::nullopt;
    Diagnostic found{.rule = fields[0],
                     .path = fields[1],
                     .operation = fields[2],
                     .message = fields[3],
                     .since = {}};
    const int since = std::atoi(fields[4].c_str());
    if (since > 0) found.since = Version{.level = static_cast<Version::Level>(since)};
    return found;
}

}  // namespace nn
