#include "nnapi/result.h"

#include <absl/strings/cord.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <iterator>

namespace nn {
namespace {

// A status has its text and one payload, in plain words because Status::ToString() shows it:
//
//   [nnapi='error 4 (INVALID_ARGUMENT), rule softmax.types, path main.operations[4],
//           operation SOFTMAX, since feature level 3, with runtime-only features']
constexpr absl::string_view kUrl = "nnapi";
constexpr std::string_view kError = "error ";
constexpr std::string_view kRule = "rule ";
constexpr std::string_view kPath = "path ";
constexpr std::string_view kOperation = "operation ";
constexpr std::string_view kMessage = "message ";  // only if it differs from the status's text
constexpr std::string_view kSince = "since feature level ";
constexpr std::string_view kRuntimeOnly = "with runtime-only features";
constexpr std::string_view kNext = ", ";

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

bool isPrintable(char c) { return c >= ' ' && c <= '~'; }

std::string inAscii(std::string_view text) {
    std::string out;
    for (const char c : text) {
        out += isPrintable(c) ? std::string(1, c)
                              : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return out;
}

// Encodes a payload value: separators, and characters that ToString() would escape, become %2C and
// so on.
std::string encoded(std::string_view text) {
    constexpr std::string_view kOthers = "%,'\"\\";
    std::string out;
    for (const char c : text) {
        out += isPrintable(c) && kOthers.find(c) == kOthers.npos
                       ? std::string(1, c)
                       : fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return out;
}

std::string decoded(std::string_view text) {
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        uint8_t code = 0;
        if (text[i] == '%' && text.size() - i > 2 &&
            std::from_chars(&text[i] + 1, &text[i] + 3, code, 16).ec == std::errc()) {
            out += static_cast<char>(code);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

std::string payloadOf(ErrorStatus code) {
    return fmt::format("{}{} ({})", kError, static_cast<int32_t>(code), toString(code));
}

std::string payloadOf(const Status& status) {
    return std::string(status.GetPayload(kUrl).value_or(absl::Cord()));
}

// Of a string_view: gcc and clang 18 mangle the name of the constructor of a std::string
// differently.
void setPayload(Status& status, std::string_view payload) {
    status.SetPayload(kUrl, absl::Cord(toAbsl(payload)));
}

// The part of a text between the place and the rule of a diagnostic that has no message yet.
std::string messageIn(std::string_view text, const Diagnostic& diagnostic) {
    const std::string around = toString(diagnostic);
    const size_t suffix =
            diagnostic.rule.empty() ? 0 : std::string_view(" []").size() + diagnostic.rule.size();
    const std::string_view before = std::string_view(around).substr(0, around.size() - suffix);
    const std::string_view after = std::string_view(around).substr(before.size());
    if (text.size() < around.size() || !text.starts_with(before) || !text.ends_with(after)) {
        return std::string(text);  // a caller replaced the text of the status
    }
    return std::string(text.substr(before.size(), text.size() - around.size()));
}

}  // namespace

std::string toString(const Diagnostic& diagnostic) {
    std::string text = diagnostic.path;
    if (!diagnostic.operation.empty()) {
        if (!text.empty()) text += ' ';
        text += diagnostic.operation;
    }
    if (!text.empty()) text += ": ";
    text += diagnostic.message;
    return diagnostic.rule.empty() ? text : text + " [" + diagnostic.rule + "]";
}

Status makeError(ErrorStatus code, std::string_view message) {
    if (code == ErrorStatus::NONE) code = ErrorStatus::GENERAL_FAILURE;
    Status status(abslCode(code), toAbsl(message));
    setPayload(status, payloadOf(code));
    return status;
}

Status makeError(ErrorStatus code, const Diagnostic& diagnostic) {
    const std::string text = toString(diagnostic);
    const std::string line = inAscii(text);
    Status status = makeError(code, line);

    // all fields, so that none is forgotten
    const auto& [rule, path, operation, message, since] = diagnostic;
    std::string payload = payloadOf(status);
    const auto add = [&](std::string_view key, std::string_view value) {
        fmt::format_to(std::back_inserter(payload), "{}{}{}", kNext, key, encoded(value));
    };
    add(kRule, rule);
    add(kPath, path);
    if (!operation.empty()) add(kOperation, operation);
    if (line != text) add(kMessage, message);
    if (since) add(kSince, std::to_string(featureLevel(*since)));
    if (since && since->runtimeOnlyFeatures) add(kRuntimeOnly, "");
    setPayload(status, payload);
    return status;
}

ErrorStatus errorStatus(const Status& status) {
    if (status.ok()) return ErrorStatus::NONE;
    const std::string payload = payloadOf(status);
    if (!payload.starts_with(kError)) {  // no payload, for lack of memory
        return absl::IsResourceExhausted(status) ? ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT
                                                 : ErrorStatus::GENERAL_FAILURE;
    }
    return static_cast<ErrorStatus>(std::atoi(payload.c_str() + kError.size()));
}

std::string toString(const Status& status) {
    if (status.ok()) return "OK";
    return fmt::format("{}: {}", toString(errorStatus(status)), std::string(status.message()));
}

GeneralError generalError(const Status& status) {
    return {.message = std::string(status.message()), .code = errorStatus(status)};
}

GeneralError::operator Status() const { return makeError(code, message); }

std::optional<Diagnostic> diagnostic(const Status& status) {
    const std::string payload = payloadOf(status);
    Diagnostic found;
    bool hasRule = false;
    std::optional<std::string> message;
    for (std::string_view rest = payload; !rest.empty();) {
        const std::string_view field = rest.substr(0, rest.find(kNext));
        rest.remove_prefix(std::min(field.size() + kNext.size(), rest.size()));
        const auto valueOf = [&](std::string_view key) -> std::optional<std::string> {
            if (!field.starts_with(key)) return std::nullopt;
            return decoded(field.substr(key.size()));
        };
        if (auto rule = valueOf(kRule)) {
            hasRule = true;
            found.rule = *std::move(rule);
        } else if (auto path = valueOf(kPath)) {
            found.path = *std::move(path);
        } else if (auto operation = valueOf(kOperation)) {
            found.operation = *std::move(operation);
        } else if (auto given = valueOf(kMessage)) {
            message = std::move(given);
        } else if (const auto level = valueOf(kSince)) {
            found.since = Version{.level = static_cast<Version::Level>(std::atoi(level->c_str()))};
        } else if (field == kRuntimeOnly && found.since) {
            found.since->runtimeOnlyFeatures = true;
        }
    }
    if (!hasRule) return std::nullopt;
    const std::string_view text(status.message().data(), status.message().size());
    found.message = message ? *std::move(message) : messageIn(text, found);
    return found;
}

}  // namespace nn
