// android-base/logging.h -- LOG, CHECK and their like, and the one sink of all messages.
//
//   android::base::InitLogging(argv);        // a program: to standard error
//   LOG(ERROR) << "operand " << index << " has type " << toString(type);
//   CHECK_EQ(inputs.size(), 2u) << "of " << name;
//
// All messages of a process go to one function: that of SetLogger or InitLogging, also for the
// macros of log/log.h. Before one is set, nothing is written, since a library is silent, unless the
// environment has ANDROID_LOG_TAGS ("*:d": messages from DEBUG on, to standard error). A fatal
// message ends the program through the aborter; where nothing is written, the default one writes it
// to standard error. nnapi/driver/vlog.h has objects for logs and no fatal messages, so that it
// cannot stand for this. Thread-safe. Logging preserves errno.
#pragma once

#include <cerrno>
#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

#include "android-base/macros.h"
#include "nnapi_android/log_tag.h"

namespace android::base {

enum LogSeverity { VERBOSE, DEBUG, INFO, WARNING, ERROR, FATAL_WITHOUT_ABORT, FATAL };
enum LogId { DEFAULT, MAIN, SYSTEM, RADIO, CRASH };

using LogFunction = std::function<void(LogId id, LogSeverity severity, const char* tag,
                                       const char* file, unsigned int line, const char* message)>;
using AbortFunction = std::function<void(const char* message)>;

// "tag E 11-26 06:30:00 12 34 driver.cc:7] the message", to standard error.
void StderrLogger(LogId id, LogSeverity severity, const char* tag, const char* file,
                  unsigned int line, const char* message);
// Messages up to INFO to standard output, others as "tag: the message" to standard error.
void StdioLogger(LogId id, LogSeverity severity, const char* tag, const char* file,
                 unsigned int line, const char* message);
// There is no log of the kernel for drivers: standard error.
void KernelLogger(LogId id, LogSeverity severity, const char* tag, const char* file,
                  unsigned int line, const char* message);

// There is no daemon for logs: standard error.
class LogdLogger {
   public:
    explicit LogdLogger(LogId fallback = MAIN) : mFallback(fallback) {}
    void operator()(LogId id, LogSeverity severity, const char* tag, const char* file,
                    unsigned int line, const char* message);

   private:
    LogId mFallback;
};

// Passes a message to both.
LogFunction TeeLogger(LogFunction first, LogFunction second);

[[noreturn]] void DefaultAborter(const char* message);

std::string GetDefaultTag();  // the name of the program, before it is set
void SetDefaultTag(const std::string& tag);

// Sets logger and aborter, and the severity that ANDROID_LOG_TAGS says.
void InitLogging(char* argv[], LogFunction&& logger = &StderrLogger,
                 AbortFunction&& aborter = &DefaultAborter);

// They return the previous one.
LogFunction SetLogger(LogFunction&& logger);
AbortFunction SetAborter(AbortFunction&& aborter);
LogSeverity SetMinimumLogSeverity(LogSeverity severity);
LogSeverity GetMinimumLogSeverity();  // INFO before it is set

class ScopedLogSeverity {
   public:
    explicit ScopedLogSeverity(LogSeverity severity) : mOld(SetMinimumLogSeverity(severity)) {}
    ScopedLogSeverity(const ScopedLogSeverity&) = delete;
    ScopedLogSeverity& operator=(const ScopedLogSeverity&) = delete;
    ~ScopedLogSeverity() { SetMinimumLogSeverity(mOld); }

   private:
    LogSeverity mOld;
};

// A message, logged when it is destroyed. With an error, ": " and the text of that errno follow.
class LogMessage {
   public:
    LogMessage(const char* file, unsigned int line, LogSeverity severity, const char* tag,
               int error = -1);
    LogMessage(const LogMessage&) = delete;
    LogMessage& operator=(const LogMessage&) = delete;
    ~LogMessage();

    std::ostream& stream() { return mText; }
    static void LogLine(const char* file, unsigned int line, LogSeverity severity, const char* tag,
                        const char* message);

   private:
    int mErrno;
    const char* mFile;
    unsigned int mLine;
    LogSeverity mSeverity;
    const char* mTag;
    int mError;
    std::ostringstream mText{};
};

namespace logging_internal {

bool wouldLog(LogSeverity severity, const char* tag);
bool equalTexts(const char* a, const char* b);

// Makes both branches of the macros void.
struct Void {
    void operator&(const std::ostream&) const {}
};

template <class T>
void print(std::ostream& out, const T& value) {
    if constexpr (std::is_same_v<T, std::nullptr_t>) {
        out << "nullptr";
    } else if constexpr (requires { out << value; }) {
        out << value;
    } else if constexpr (requires { out << toString(value); }) {
        out << toString(value);
    } else if constexpr (std::is_enum_v<T>) {
        out << +static_cast<std::underlying_type_t<T>>(value);
    } else {
        out << "?";
    }
}

// Why a comparison fails, or nothing. Operands of different signs are compared as the program
// would.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
#define NNAPI_ANDROID_COMPARE(name, op)                 \
    struct name {                                       \
        template <class A, class B>                     \
        bool operator()(const A& a, const B& b) const { \
            return a op b;                              \
        }                                               \
    };
NNAPI_ANDROID_COMPARE(Equal, ==)
NNAPI_ANDROID_COMPARE(Unequal, !=)
NNAPI_ANDROID_COMPARE(Less, <)
NNAPI_ANDROID_COMPARE(LessOrEqual, <=)
NNAPI_ANDROID_COMPARE(Greater, >)
NNAPI_ANDROID_COMPARE(GreaterOrEqual, >=)
#undef NNAPI_ANDROID_COMPARE
#pragma GCC diagnostic pop

template <class Compare, class A, class B>
std::optional<std::string> check(const Compare& holds, const A& a, const B& b) {
    if (holds(a, b)) [[likely]]
        return std::nullopt;
    std::ostringstream out;
    print(out, a);
    out << " vs. ";
    print(out, b);
    return out.str();
}

}  // namespace logging_internal
}  // namespace android::base

// A severity is one of the enumerators, without its namespace, or an expression.
#define NNAPI_ANDROID_SEVERITY(severity)         \
    ([&]() -> ::android::base::LogSeverity {     \
        using enum ::android::base::LogSeverity; \
        return (severity);                       \
    }())
#define NNAPI_ANDROID_STREAM(severity, error) \
    ::android::base::LogMessage(__FILE__, __LINE__, severity, LOG_TAG, error).stream()
#define NNAPI_ANDROID_LOG_STREAM(severity, error)                      \
    !WOULD_LOG(severity) ? (void)0                                     \
                         : ::android::base::logging_internal::Void() & \
                                   NNAPI_ANDROID_STREAM(NNAPI_ANDROID_SEVERITY(severity), error)
#define NNAPI_ANDROID_FATAL(error) NNAPI_ANDROID_STREAM(::android::base::FATAL, error)

#define WOULD_LOG(severity) \
    ::android::base::logging_internal::wouldLog(NNAPI_ANDROID_SEVERITY(severity), LOG_TAG)
#define LOG_STREAM(severity) NNAPI_ANDROID_STREAM(NNAPI_ANDROID_SEVERITY(severity), -1)
#define PLOG_STREAM(severity) NNAPI_ANDROID_STREAM(NNAPI_ANDROID_SEVERITY(severity), errno)
#define LOG(severity) NNAPI_ANDROID_LOG_STREAM(severity, -1)
#define PLOG(severity) NNAPI_ANDROID_LOG_STREAM(severity, errno)
#define LOG_TO(destination, severity) LOG(severity)
#define PLOG_TO(destination, severity) PLOG(severity)
#define UNIMPLEMENTED(severity) LOG(severity) << __PRETTY_FUNCTION__ << " is not implemented "

#define NNAPI_ANDROID_CHECK(condition, error)                 \
    (condition) ? (void)0                                     \
                : ::android::base::logging_internal::Void() & \
                          NNAPI_ANDROID_FATAL(error) << "Check failed: " #condition " "
#define CHECK(condition) NNAPI_ANDROID_CHECK(condition, -1)
#define PCHECK(condition) NNAPI_ANDROID_CHECK(condition, errno)

// As one statement, which an `else` after it does not belong to.
#define NNAPI_ANDROID_CHECK_OP(Compare, op, a, b)                               \
    switch (0)                                                                  \
    case 0:                                                                     \
    default:                                                                    \
        if (const auto nnapiFailure = ::android::base::logging_internal::check( \
                    ::android::base::logging_internal::Compare(), a, b);        \
            !nnapiFailure) {                                                    \
        } else                                                                  \
            NNAPI_ANDROID_FATAL(-1)                                             \
                    << "Check failed: " #a " " #op " " #b " (" << *nnapiFailure << ") "
#define CHECK_EQ(a, b) NNAPI_ANDROID_CHECK_OP(Equal, ==, a, b)
#define CHECK_NE(a, b) NNAPI_ANDROID_CHECK_OP(Unequal, !=, a, b)
#define CHECK_LT(a, b) NNAPI_ANDROID_CHECK_OP(Less, <, a, b)
#define CHECK_LE(a, b) NNAPI_ANDROID_CHECK_OP(LessOrEqual, <=, a, b)
#define CHECK_GT(a, b) NNAPI_ANDROID_CHECK_OP(Greater, >, a, b)
#define CHECK_GE(a, b) NNAPI_ANDROID_CHECK_OP(GreaterOrEqual, >=, a, b)

#define NNAPI_ANDROID_CHECK_TEXT(a, b, isEqual, op)                \
    ::android::base::logging_internal::equalTexts(a, b) == isEqual \
            ? (void)0                                              \
            : ::android::base::logging_internal::Void() &          \
                      NNAPI_ANDROID_FATAL(-1) << "Check failed: " #a " " #op " " #b " "
#define CHECK_STREQ(a, b) NNAPI_ANDROID_CHECK_TEXT(a, b, true, ==)
#define CHECK_STRNE(a, b) NNAPI_ANDROID_CHECK_TEXT(a, b, false, !=)

namespace android::base {
#ifdef NDEBUG
inline constexpr bool kEnableDChecks = false;
#else
inline constexpr bool kEnableDChecks = true;
#endif
}  // namespace android::base

#define NNAPI_ANDROID_IN_DEBUG(...)                                                         \
    for (bool nnapiIsDue = ::android::base::kEnableDChecks; nnapiIsDue; nnapiIsDue = false) \
    __VA_ARGS__
#define DCHECK(condition) NNAPI_ANDROID_IN_DEBUG(CHECK(condition))
#define DPCHECK(condition) NNAPI_ANDROID_IN_DEBUG(PCHECK(condition))
#define DCHECK_EQ(a, b) NNAPI_ANDROID_IN_DEBUG(CHECK_EQ(a, b))
#define DCHECK_NE(a, b) NNAPI_ANDROID_IN_DEBUG(CHECK_NE(a, b))
#define DCHECK_LT(a, b) NNAPI_ANDROID_IN_DEBUG(CHECK_LT(a, b))
#define DCHECK_LE(a, b) NNAPI_ANDROID_IN_DEBUG(CHECK_LE(a, b))
#define DCHECK_GT(a, b) NNAPI_ANDROID_IN_DEBUG(CHECK_GT(a, b))
#define DCHECK_GE(a, b) NNAPI_ANDROID_IN_DEBUG(CHECK_GE(a, b))
#define DCHECK_STREQ(a, b) NNAPI_ANDROID_IN_DEBUG(CHECK_STREQ(a, b))
#define DCHECK_STRNE(a, b) NNAPI_ANDROID_IN_DEBUG(CHECK_STRNE(a, b))
