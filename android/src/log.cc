// The one sink of the logging macros: android/log.h and android-base/logging.h.
#include <errno.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "android-base/logging.h"
#include "android-base/properties.h"
#include "android-base/stringprintf.h"
#include "android-base/threads.h"
#include "android/log.h"
#include "nnapi/driver/vlog.h"
#include "nnapi_android/vlog.h"

namespace android::base {
namespace {

// A letter as a priority of liblog; -1 for unknown ones.
int priorityOf(char letter) {
    constexpr std::string_view kLetters = "VDIWEFS";
    const size_t at = kLetters.find(static_cast<char>(std::toupper(letter)));
    return at == kLetters.npos ? -1 : ANDROID_LOG_VERBOSE + static_cast<int>(at);
}

LogSeverity severityOf(int priority) {
    if (priority >= ANDROID_LOG_FATAL) return FATAL;
    return static_cast<LogSeverity>(std::max<int>(priority, ANDROID_LOG_VERBOSE) -
                                    ANDROID_LOG_VERBOSE);
}
int priorityOf(LogSeverity severity) {
    return severity >= FATAL_WITHOUT_ABORT ? ANDROID_LOG_FATAL
                                           : ANDROID_LOG_VERBOSE + int{severity};
}

constexpr std::array kIds = {LOG_ID_DEFAULT, LOG_ID_MAIN, LOG_ID_SYSTEM, LOG_ID_RADIO,
                             LOG_ID_CRASH};
LogId idOf(int id) {
    const auto at = std::find(kIds.begin(), kIds.end(), id);
    return at == kIds.end() ? DEFAULT : static_cast<LogId>(at - kIds.begin());
}

// The priority of "*:d" in ANDROID_LOG_TAGS; ANDROID_LOG_DEFAULT if there is none.
int priorityOfEnvironment() {
    const char* text = getenv("ANDROID_LOG_TAGS");
    if (text == nullptr) return ANDROID_LOG_DEFAULT;
    const char* all = strstr(text, "*:");
    const int priority = all == nullptr ? -1 : priorityOf(all[2]);
    return priority == -1 ? ANDROID_LOG_DEFAULT : priority;
}

struct Message {
    LogId id;
    LogSeverity severity;
    const char* tag;
    const char* file;
    unsigned int line;
    const char* text;
};

// The sink and its filters. Never destroyed, since destructors of static objects may log.
class Sink {
   public:
    static Sink& get() {
        static Sink* const sink = new Sink();
        return *sink;
    }

    LogFunction setLogger(LogFunction logger) {
        mIsSilent.store(logger == nullptr, std::memory_order_relaxed);
        return exchange(mLogger, std::move(logger));
    }
    AbortFunction setAborter(AbortFunction aborter) {
        if (aborter == nullptr) aborter = DefaultAborter;
        return exchange(mAborter, std::move(aborter));
    }
    void setTag(std::string tag) { exchange(mTag, std::move(tag)); }
    std::string tag() { return *copy(mTag); }

    int setMinimum(int priority) {
        std::lock_guard lock(mMutex);
        return std::exchange(mMinimum, priority);
    }
    int minimum() {
        std::lock_guard lock(mMutex);
        return mMinimum;
    }
    bool isSilent() const { return mIsSilent.load(std::memory_order_relaxed); }

    void write(const Message& message) {
        const auto logger = copy(mLogger);
        if (*logger == nullptr) return;
        const std::string fallback = tag();
        (*logger)(message.id, message.severity,
                  message.tag == nullptr ? fallback.c_str() : message.tag, message.file,
                  message.line, message.text);
    }
    void abort(const char* text) { (*copy(mAborter))(text); }

   private:
    Sink() : mMinimum(priorityOfEnvironment()) {
        if (mMinimum != ANDROID_LOG_DEFAULT) setLogger(StderrLogger);
    }

    // Users' functions are called without the lock.
    template <class T>
    std::shared_ptr<T> copy(const std::shared_ptr<T>& from) {
        std::lock_guard lock(mMutex);
        return from;
    }
    template <class T>
    T exchange(std::shared_ptr<T>& held, T value) {
        auto next = std::make_shared<T>(std::move(value));
        std::lock_guard lock(mMutex);
        return *std::exchange(held, std::move(next));
    }

    std::mutex mMutex{};
    std::atomic<bool> mIsSilent{true};  // a fast path without the lock
    std::shared_ptr<LogFunction> mLogger = std::make_shared<LogFunction>();
    std::shared_ptr<AbortFunction> mAborter = std::make_shared<AbortFunction>(DefaultAborter);
    std::shared_ptr<std::string> mTag =
            std::make_shared<std::string>(program_invocation_short_name);
    int mMinimum;
};

int minPriority() {
    const int minimum = Sink::get().minimum();
    return minimum == ANDROID_LOG_DEFAULT ? ANDROID_LOG_INFO : minimum;
}

// Whether a message that does not end the program is written.
bool isWanted(int priority, const char* tag) {
    return !Sink::get().isSilent() &&
           __android_log_is_loggable(priority, tag, ANDROID_LOG_INFO) != 0;
}

// Logs a message, and ends the program after a fatal one.
void log(const Message& message) {
    const int error = errno;
    Sink::get().write(message);
    if (message.severity == FATAL) Sink::get().abort(message.text);
    errno = error;
}

std::string textOf(const char* format, va_list arguments) {
    std::string text;
    StringAppendV(&text, format, arguments);
    return text;
}

// Without a path; "" for none.
std::string_view nameOf(const char* file) {
    const std::string_view path = file == nullptr ? "" : file;
    return path.substr(path.find_last_of('/') + 1);  // npos + 1 is 0
}

}  // namespace

void StderrLogger(LogId, LogSeverity severity, const char* tag, const char* file, unsigned int line,
                  const char* message) {
    const time_t now = time(nullptr);
    tm local{};
    localtime_r(&now, &local);
    char when[32] = "";
    strftime(when, sizeof(when), "%m-%d %H:%M:%S", &local);
    std::string place;
    if (file != nullptr) place = std::string(nameOf(file)) + ":" + std::to_string(line) + "] ";
    fprintf(stderr, "%s %c %s %5d %5d %s%s\n", tag == nullptr ? "nullptr" : tag,
            "VDIWEFF"[severity], when, getpid(), static_cast<int>(GetThreadId()), place.c_str(),
            message);
}

void StdioLogger(LogId, LogSeverity severity, const char* tag, const char*, unsigned int,
                 const char* message) {
    if (severity >= WARNING) {
        fflush(stdout);
        fprintf(stderr, "%s: %s\n", tag == nullptr ? "nullptr" : tag, message);
    } else {
        fprintf(stdout, "%s\n", message);
    }
}

void KernelLogger(LogId id, LogSeverity severity, const char* tag, const char* file,
                  unsigned int line, const char* message) {
    StderrLogger(id, severity, tag, file, line, message);
}

void LogdLogger::operator()(LogId id, LogSeverity severity, const char* tag, const char* file,
                            unsigned int line, const char* message) {
    StderrLogger(id == DEFAULT ? mFallback : id, severity, tag, file, line, message);
}

LogFunction TeeLogger(LogFunction first, LogFunction second) {
    return [first = std::move(first), second = std::move(second)](
                   LogId id, LogSeverity severity, const char* tag, const char* file,
                   unsigned int line, const char* message) {
        first(id, severity, tag, file, line, message);
        second(id, severity, tag, file, line, message);
    };
}

void DefaultAborter(const char* message) {
    if (Sink::get().isSilent()) fprintf(stderr, "%s\n", message);
    abort();
}

std::string GetDefaultTag() { return Sink::get().tag(); }
void SetDefaultTag(const std::string& tag) { Sink::get().setTag(tag); }

void InitLogging(char* argv[], LogFunction&& logger, AbortFunction&& aborter) {
    SetLogger(std::move(logger));
    SetAborter(std::move(aborter));
    if (argv != nullptr && argv[0] != nullptr) SetDefaultTag(std::string(nameOf(argv[0])));
    const int priority = priorityOfEnvironment();
    if (priority != ANDROID_LOG_DEFAULT) Sink::get().setMinimum(priority);
}

LogFunction SetLogger(LogFunction&& logger) { return Sink::get().setLogger(std::move(logger)); }
AbortFunction SetAborter(AbortFunction&& aborter) {
    return Sink::get().setAborter(std::move(aborter));
}

LogSeverity SetMinimumLogSeverity(LogSeverity severity) {
    const int old = Sink::get().setMinimum(priorityOf(severity));
    return severityOf(old == ANDROID_LOG_DEFAULT ? ANDROID_LOG_INFO : old);
}
LogSeverity GetMinimumLogSeverity() { return severityOf(minPriority()); }

LogMessage::LogMessage(const char* file, unsigned int line, LogSeverity severity, const char* tag,
                       int error)
    : mErrno(errno), mFile(file), mLine(line), mSeverity(severity), mTag(tag), mError(error) {}

LogMessage::~LogMessage() {
    if (mError != -1) {
        char buffer[128];
        mText << ": " << strerror_r(mError, buffer, sizeof(buffer));
    }
    const std::string text = mText.str();
    errno = mErrno;
    LogLine(mFile, mLine, mSeverity, mTag, text.c_str());
}

void LogMessage::LogLine(const char* file, unsigned int line, LogSeverity severity, const char* tag,
                         const char* message) {
    log({DEFAULT, severity, tag, file, line, message});
}

namespace logging_internal {

bool wouldLog(LogSeverity severity, const char* tag) {
    return severity == FATAL || isWanted(priorityOf(severity), tag);
}

bool equalTexts(const char* a, const char* b) {
    return a == nullptr || b == nullptr ? a == b : strcmp(a, b) == 0;
}

}  // namespace logging_internal
}  // namespace android::base

using android::base::isWanted;
using android::base::log;
using android::base::LogFunction;
using android::base::LogId;
using android::base::LogSeverity;
using android::base::Sink;

int __android_log_buf_write(int id, int priority, const char* tag, const char* text) {
    if (!isWanted(priority, tag)) return -EPERM;
    // Only __android_log_assert ends the program.
    LogSeverity severity = android::base::severityOf(priority);
    if (severity == android::base::FATAL) severity = android::base::FATAL_WITHOUT_ABORT;
    log({android::base::idOf(id), severity, tag, nullptr, 0, text == nullptr ? "" : text});
    return 1;
}

int __android_log_write(int priority, const char* tag, const char* text) {
    return __android_log_buf_write(LOG_ID_MAIN, priority, tag, text);
}

int __android_log_vprint(int priority, const char* tag, const char* format, va_list arguments) {
    if (!isWanted(priority, tag)) return -EPERM;
    return __android_log_write(priority, tag, android::base::textOf(format, arguments).c_str());
}

int __android_log_print(int priority, const char* tag, const char* format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const int written = __android_log_vprint(priority, tag, format, arguments);
    va_end(arguments);
    return written;
}

int __android_log_buf_print(int id, int priority, const char* tag, const char* format, ...) {
    if (!isWanted(priority, tag)) return -EPERM;
    va_list arguments;
    va_start(arguments, format);
    const std::string text = android::base::textOf(format, arguments);
    va_end(arguments);
    return __android_log_buf_write(id, priority, tag, text.c_str());
}

void __android_log_assert(const char* condition, const char* tag, const char* format, ...) {
    std::string text;
    if (format != nullptr) {
        va_list arguments;
        va_start(arguments, format);
        text = android::base::textOf(format, arguments);
        va_end(arguments);
    } else if (condition != nullptr) {
        text = std::string("Assertion failed: ") + condition;
    } else {
        text = "Unspecified assertion failed";
    }
    log({LogId::MAIN, android::base::FATAL, tag, nullptr, 0, text.c_str()});
    abort();  // the aborter returned
}

int __android_log_is_loggable(int priority, const char* tag, int fallback) {
    const int error = errno;
    int least = Sink::get().minimum();
    if (least == ANDROID_LOG_DEFAULT) least = fallback;
    const std::string name = tag == nullptr ? android::base::GetDefaultTag() : tag;
    const std::string set = android::base::GetProperty("log.tag." + name, "");
    if (!set.empty() && android::base::priorityOf(set[0]) != -1) {
        least = android::base::priorityOf(set[0]);
    }
    errno = error;
    return priority >= least ? 1 : 0;
}

void __android_log_write_log_message(struct __android_log_message* message) {
    log({android::base::idOf(message->buffer_id), android::base::severityOf(message->priority),
         message->tag, message->file, message->line, message->message});
}

void __android_log_set_logger(__android_logger_function logger) {
    if (logger == nullptr) return void(android::base::SetLogger(nullptr));
    android::base::SetLogger([logger](LogId id, LogSeverity severity, const char* tag,
                                      const char* file, unsigned int line, const char* text) {
        const __android_log_message message = {
                sizeof(message),
                android::base::kIds[id],
                android::base::priorityOf(severity),
                tag,
                file,
                line,
                text,
        };
        logger(&message);
    });
}

void __android_log_stderr_logger(const struct __android_log_message* message) {
    android::base::StderrLogger(android::base::idOf(message->buffer_id),
                                android::base::severityOf(message->priority), message->tag,
                                message->file, message->line, message->message);
}

void __android_log_logd_logger(const struct __android_log_message* message) {
    __android_log_stderr_logger(message);
}

void __android_log_set_aborter(__android_aborter_function aborter) {
    if (aborter == nullptr) return void(android::base::SetAborter(nullptr));
    android::base::SetAborter([aborter](const char* message) { aborter(message); });
}
void __android_log_call_aborter(const char* message) { Sink::get().abort(message); }
void __android_log_default_aborter(const char* message) { android::base::DefaultAborter(message); }

int32_t __android_log_set_minimum_priority(int32_t priority) {
    return Sink::get().setMinimum(priority);
}
int32_t __android_log_get_minimum_priority() { return Sink::get().minimum(); }
void __android_log_set_default_tag(const char* tag) { android::base::SetDefaultTag(tag); }

namespace android::nn {

int vLogMask = 0;

void initVLogMask() {
    const ::nn::VlogSetting setting = ::nn::parseVlog(base::GetProperty("debug.nn.vlog", ""));
    vLogMask = static_cast<int>(setting.mask);
    for (const std::string& unknown : setting.unknown) {
        LOG(ERROR) << "The property debug.nn.vlog has '" << unknown << "', which is no tag";
    }
}

}  // namespace android::nn
