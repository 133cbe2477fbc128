#include "validate/report.h"

#include <algorithm>

#include "base/limits.h"

namespace nn {

std::string Place::path() const {
    constexpr size_t kUsualLength = 40;
    std::string text;
    text.reserve(kUsualLength);
    appendTo(text);
    return text;
}

void Place::appendTo(std::string& text) const {
    if (parent != nullptr) parent->appendTo(text);
    if (!field.empty()) {
        if (!text.empty()) text += '.';
        text += field;
    }
    if (index >= 0) {
        text += '[';
        text += std::to_string(index);
        text += ']';
    }
}

std::string versionTooOld(std::string_view what, Version needed, Version target) {
    return fmt::format("{} needs {}, target is {}", what, toString(needed), toString(target));
}

Report::Report(const Options& options) : mOptions(options) {
    // Without a single error an illegal object would pass for a legal one.
    mOptions.maxDiagnostics = std::max<size_t>(mOptions.maxDiagnostics, 1);
}

void Report::raise(const Place& place, Version version, std::string_view what) {
    if (mOptions.target && !isCompliantVersion(version, *mOptions.target)) {
        fail(place, "since", versionTooOld(what, version, *mOptions.target), version);
    }
    mPart = combineVersions(mPart, version);
    const Version combined = combineVersions(mFindings.version, version);
    if (mOptions.steps != nullptr && combined != mFindings.version) {
        mOptions.steps->push_back({.version = version,
                                   .path = place.path(),
                                   .operation = place.operation,
                                   .what = what});
    }
    if (mOptions.collectAll) {
        if (combined.level != mFindings.version.level) {
            std::erase_if(mFindings.causes,
                          [](const Cause& c) { return !c.version.runtimeOnlyFeatures; });
        }
        const bool decides = version.level == combined.level || version.runtimeOnlyFeatures;
        if (decides && mFindings.causes.size() < mOptions.maxDiagnostics) {
            Cause found{.version = version,
                        .path = place.path(),
                        .operation = std::string(place.operation),
                        .what = std::string(what)};
            if (mFindings.causes.empty() || mFindings.causes.back() != found)
                mFindings.causes.push_back(std::move(found));
        }
    }
    mFindings.version = combined;
}

void Report::fail(const Place& place, std::string_view rule, std::string message,
                  std::optional<Version> since) {
    if (!since) ++mBroken;
    if (!keeps()) return;
    mFindings.errors.push_back({.rule = std::string(rule),
                                .path = place.path(),
                                .operation = std::string(place.operation),
                                .message = std::move(message),
                                .since = since});
    mIsDone = !mOptions.collectAll;
}

void Report::warn(const Place& place, std::string_view rule, std::string message) {
    if (!mOptions.collectAll || mFindings.warnings.size() >= mOptions.maxDiagnostics) return;
    mFindings.warnings.push_back({.rule = std::string(rule),
                                  .path = place.path(),
                                  .operation = std::string(place.operation),
                                  .message = std::move(message),
                                  .since = {}});
}

void Report::exceed(Limit limit, uint64_t found, const Place& place) {
    Diagnostic why = nn::exceeded(limit, found, mOptions.limits.*limit, "");
    endWork(place, {kLimitExceeded, std::move(why.rule), std::move(why.message)});
}

void Report::look(const Place& place) {
    if (auto end = mOptions.watched->poll()) endWork(place, *std::move(end));
}

void Report::endWork(const Place& place, WorkBudget::End end) {
    if (mIsDone) return;
    if (ok()) mEndCode = end.code;
    fail(place, end.rule, std::move(end.message));
    mIsDone = true;
}

Result<Version> Report::result(ErrorStatus code) const {
    if (!ok()) return makeError(mEndCode.value_or(code), mFindings.errors.front());
    return mFindings.version;
}

std::string toString(const Cause& cause) {
    std::string text = cause.path;
    if (!cause.operation.empty()) text += (text.empty() ? "" : " ") + cause.operation;
    return (text.empty() ? "" : text + ": ") + cause.what + " needs " + toString(cause.version);
}

}  // namespace nn
