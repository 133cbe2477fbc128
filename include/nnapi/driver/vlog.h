// nnapi/driver/vlog.h -- Logging of devices, wrappers and the registry.
//
//   // A program selects the destination and the tags.
//   const auto log = std::make_shared<nn::Log>([](const nn::LogRecord& record) {
//       std::fputs((nn::toString(record) + "\n").c_str(), stderr);
//   });
//   log->setMask(nn::parseVlog("execution,driver").mask);
//   auto device = nn::wrap("npu", driver, {.log = log});
//
//   // A driver logs; arguments are evaluated only if the tag is on.
//   NNAPI_VLOG(log, EXECUTION) << "request " << number << " of " << describe(model);
//   NNAPI_LOG(log, ERROR) << "the board does not respond";
//
// The library has no global log and reads no environment variables: an object logs to the Log in
// its options; without one it does not log. On Android the mask is the property debug.nn.vlog; the
// program nnapi reads NNAPI_VLOG. Thread-safe; sinks are called on the logging thread, several at
// once. Logging preserves errno.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace nn {

// Topic of a verbose message.
enum class VlogTag : uint8_t { MODEL, COMPILATION, EXECUTION, CPUEXE, MANAGER, DRIVER, MEMORY };
std::string_view toString(VlogTag tag);  // "execution"

// Set of tags: bits 1 << VlogTag.
using VlogMask = uint32_t;
inline constexpr VlogMask kVlogNone = 0;
inline constexpr VlogMask kVlogAll = ~VlogMask{0};
constexpr VlogMask maskOf(VlogTag tag) { return VlogMask{1} << static_cast<uint8_t>(tag); }

// Parses a setting: tags separated by blanks, commas or colons. "1" and "all" are all tags, and end
// the list.
struct VlogSetting {
    VlogMask mask = kVlogNone;           // tags that are named
    std::vector<std::string> unknown{};  // unknown names, which are skipped
};
// Accepts any text. Names are those of toString(VlogTag).
VlogSetting parseVlog(std::string_view setting);

// Severity of a message; verbose ones have a tag instead.
enum class LogLevel : uint8_t { VERBOSE, INFO, WARNING, ERROR };

// A message. Views are valid while the sink runs.
struct LogRecord {
    LogLevel level = LogLevel::INFO;  // VERBOSE for those with a tag
    std::optional<VlogTag> vlog{};    // of a verbose message
    std::string_view tag{};           // of the file: "device_wrapper", or its NNAPI_LOG_TAG
    int line = 0;                     // 0 if unknown
    std::string_view text{};          // may have several lines
};

// For example "E device_wrapper:120: cannot open the board"; verbose messages: "V device_wrapper:80
// [execution]: ...". One line, without a newline.
std::string toString(const LogRecord& record);

// A sink with a mask of verbose tags.
class Log {
   public:
    // Called on the logging thread, possibly on several at once.
    using Sink = std::function<void(const LogRecord& record)>;

    // By default all tags are on.
    explicit Log(Sink sink, VlogMask mask = kVlogAll) : mSink(std::move(sink)), mMask(mask) {}

    // The tags that are on, as maskOf() bits. Takes effect with the next message.
    void setMask(VlogMask mask) { mMask.store(mask, std::memory_order_relaxed); }
    VlogMask mask() const { return mMask.load(std::memory_order_relaxed); }

    // False without a sink, and for a tag that the mask lacks. Other levels do not depend on the
    // mask.
    bool isOn(VlogTag tag) const { return mSink != nullptr && (mask() & maskOf(tag)) != 0; }
    bool isOn(LogLevel) const { return mSink != nullptr; }

    // Drops exceptions of the sink.
    void write(const LogRecord& record) const;

   private:
    Sink mSink;
    std::atomic<VlogMask> mMask;
};

// Null logs nothing.
using SharedLog = std::shared_ptr<const Log>;

namespace log_internal {

// Arguments of the macros: a log, a pointer to one, or null.
inline const Log* logOf(const Log& log) { return &log; }
inline const Log* logOf(const Log* log) { return log; }
inline const Log* logOf(const std::shared_ptr<const Log>& log) { return log.get(); }
template <class What>
bool isOn(const Log* log, What what) {
    return log != nullptr && log->isOn(what);
}

// "driver/hidl/device_wrapper.cc" as "device_wrapper"
constexpr std::string_view stemOf(std::string_view file) {
    file = file.substr(file.find_last_of('/') + 1);  // npos + 1 is 0
    return file.substr(0, file.find('.'));
}

// A message under construction; logged at the end of the statement.
class Message {
   public:
    Message(const Log* log, VlogTag vlog, std::string_view tag, int line);
    Message(const Log* log, LogLevel level, std::string_view tag, int line);
    Message(const Message&) = delete;
    Message& operator=(const Message&) = delete;
    ~Message();

    template <class T>
    Message& operator<<(const T& value) {
        if constexpr (std::is_convertible_v<const T&, std::string_view>) {
            mText += std::string_view(value);
        } else if constexpr (std::is_same_v<T, bool>) {
            mText += value ? "true" : "false";
        } else if constexpr (std::is_same_v<T, char>) {
            mText += value;
        } else if constexpr (std::is_arithmetic_v<T>) {
            mText += std::to_string(value);
        } else if constexpr (requires { mText.append(value.data(), value.size()); }) {
            mText.append(value.data(), value.size());
        } else {
            mText += toString(value);
        }
        return *this;
    }

   private:
    int mErrno;
    const Log* mLog;
    LogRecord mRecord;
    std::string mText{};
};

// Makes both branches of the macros void.
struct Void {
    void operator&(const Message&) const {}
};

}  // namespace log_internal
}  // namespace nn

// A file may define the tag before it includes this header.
#ifndef NNAPI_LOG_TAG
#define NNAPI_LOG_TAG ::nn::log_internal::stemOf(__FILE__)
#endif

// True if NNAPI_VLOG would log, to spare work that only it needs.
#define NNAPI_VLOG_IS_ON(log, TAG) \
    ::nn::log_internal::isOn(::nn::log_internal::logOf(log), ::nn::VlogTag::TAG)

// Operands of << are evaluated only if the message is logged.
#define NNAPI_VLOG(log, TAG)                                                      \
    !NNAPI_VLOG_IS_ON(log, TAG)                                                   \
            ? (void)0                                                             \
            : ::nn::log_internal::Void() &                                        \
                      ::nn::log_internal::Message(::nn::log_internal::logOf(log), \
                                                  ::nn::VlogTag::TAG, NNAPI_LOG_TAG, __LINE__)

// The same for a message of a level, regardless of the mask.
#define NNAPI_LOG(log, LEVEL)                                                        \
    !::nn::log_internal::isOn(::nn::log_internal::logOf(log), ::nn::LogLevel::LEVEL) \
            ? (void)0                                                                \
            : ::nn::log_internal::Void() &                                           \
                      ::nn::log_internal::Message(::nn::log_internal::logOf(log),    \
                                                  ::nn::LogLevel::LEVEL, NNAPI_LOG_TAG, __LINE__)
