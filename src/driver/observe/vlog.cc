#include "nnapi/driver/vlog.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>

#include "base/printable.h"

namespace nn {
namespace {

constexpr std::array<std::string_view, 7> kTags = {"model",   "compilation", "execution", "cpuexe",
                                                   "manager", "driver",      "memory"};
static_assert(static_cast<size_t>(VlogTag::MEMORY) + 1 == kTags.size());

constexpr std::string_view kLevels = "VIWE";

}  // namespace

std::string_view toString(VlogTag tag) {
    const auto row = static_cast<size_t>(tag);
    return row < kTags.size() ? kTags[row] : "unknown";
}

VlogSetting parseVlog(std::string_view setting) {
    constexpr std::string_view kSeparators = " ,:";
    VlogSetting result;
    while (!setting.empty()) {
        const size_t end = std::min(setting.find_first_of(kSeparators), setting.size());
        const std::string_view name = setting.substr(0, end);
        setting.remove_prefix(std::min(end + 1, setting.size()));
        if (name.empty()) continue;
        if (name == "1" || name == "all") {
            result.mask = kVlogAll;
            break;  // as in Android
        }
        const auto row = std::find(kTags.begin(), kTags.end(), name);
        if (row == kTags.end()) {
            result.unknown.emplace_back(name);
        } else {
            result.mask |= maskOf(static_cast<VlogTag>(row - kTags.begin()));
        }
    }
    return result;
}

std::string toString(const LogRecord& record) {
    const auto level = static_cast<size_t>(record.level);
    return fmt::format("{} {}{}{}: {}", level < kLevels.size() ? kLevels[level] : '?',
                       onOneLine(record.tag),
                       record.line == 0 ? "" : fmt::format(":{}", record.line),
                       record.vlog ? fmt::format(" [{}]", toString(*record.vlog)) : "",
                       onOneLine(record.text));
}

void Log::write(const LogRecord& record) const {
    if (mSink == nullptr) return;
    try {
        mSink(record);
    } catch (...) {  // there is no one left to report to
    }
}

namespace log_internal {

Message::Message(const Log* log, VlogTag vlog, std::string_view tag, int line)
    : mErrno(errno),
      mLog(log),
      mRecord{.level = LogLevel::VERBOSE, .vlog = vlog, .tag = tag, .line = line} {}

Message::Message(const Log* log, LogLevel level, std::string_view tag, int line)
    : mErrno(errno), mLog(log), mRecord{.level = level, .tag = tag, .line = line} {}

Message::~Message() {
    mRecord.text = mText;
    if (mLog != nullptr) mLog->write(mRecord);
    errno = mErrno;
}

}  // namespace log_internal
}  // namespace nn
