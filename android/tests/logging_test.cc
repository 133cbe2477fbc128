// Output of the logging macros of Android's headers, and its destination.
#define LOG_TAG "npu"

#include <android-base/logging.h>
#include <android-base/properties.h>
#include <gtest/gtest.h>
#include <log/log.h>
#include <nnapi_android/vlog.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <thread>
#include <vector>

#include "nnapi/hal/v1_3.h"
#include "nnapi/print.h"

namespace android_logging {
namespace {

using namespace android::base;
using namespace std::string_literals;

// Messages and fatal messages of a test, as "E npu: the text".
class Captured {
   public:
    explicit Captured(LogSeverity minimum = INFO)
        : mMinimum(minimum),
          mOldLogger(SetLogger([this](LogId, LogSeverity severity, const char* tag, const char*,
                                      unsigned int, const char* message) {
              lines.push_back(std::string(1, "VDIWEFF"[severity]) + " " + tag + ": " + message);
          })),
          mOldAborter(SetAborter([this](const char* message) { fatal.push_back(message); })) {}
    ~Captured() {
        SetLogger(std::move(mOldLogger));
        SetAborter(std::move(mOldAborter));
    }

    std::vector<std::string> lines{};
    std::vector<std::string> fatal{};

   private:
    ScopedLogSeverity mMinimum;
    LogFunction mOldLogger;
    AbortFunction mOldAborter;
};

enum class Plain { ONE = 1 };
struct Board {
    int number;
    friend std::ostream& operator<<(std::ostream& out, const Board& board) {
        return out << "board " << board.number;
    }
};

// ---- messages

struct Written {
    const char* name;
    std::function<void()> log;
    std::vector<std::string> lines;
    std::vector<std::string> fatal = {};
};
std::ostream& operator<<(std::ostream& out, const Written& row) { return out << row.name; }

const Written kWritten[] = {
        {"numbers and text",
         [] { LOG(ERROR) << "operand " << 3 << ' ' << 0.5f << std::string("!"); },
         {"E npu: operand 3 0.5!"}},
        {"manipulators", [] { LOG(WARNING) << std::hex << 255; }, {"W npu: ff"}},
        {"a severity with its namespace", [] { LOG(::android::base::INFO) << "a"; }, {"I npu: a"}},
        {"below the minimum", [] { LOG(DEBUG) << "a"; }, {}},
        {"operands of a disabled message",
         [] { LOG(DEBUG) << [] { return ADD_FAILURE(), 0; }(); },
         {}},
        {"an enumeration of the HAL",
         [] { LOG(INFO) << toString(nn::V1_3::OperandType::TENSOR_FLOAT32); },
         {"I npu: TENSOR_FLOAT32"}},
        {"a struct of the HAL",
         [] { LOG(INFO) << nn::V1_3::BufferRole{.modelIndex = 2, .ioIndex = 0, .frequency = 1}; },
         {"I npu: {modelIndex = 2, frequency = 1}"}},
        {"an object with an operator", [] { LOG(INFO) << Board{7}; }, {"I npu: board 7"}},
        {"errno",
         [] {
             errno = ENOENT;
             PLOG(ERROR) << "open";
         },
         {"E npu: open: No such file or directory"}},
        {"not fatal", [] { LOG(FATAL_WITHOUT_ABORT) << "a"; }, {"F npu: a"}},
        {"fatal", [] { LOG(FATAL) << "a"; }, {"F npu: a"}, {"a"}},
        {"CHECK holds", [] { CHECK(1 + 1 == 2) << "a"; }, {}},
        {"CHECK fails",
         [] { CHECK(1 > 2) << "a"; },
         {"F npu: Check failed: 1 > 2 a"},
         {"Check failed: 1 > 2 a"}},
        {"CHECK_EQ holds", [] { CHECK_EQ(std::vector<int>(3).size(), 3) << "a"; }, {}},
        {"CHECK_EQ fails",
         [] { CHECK_EQ(1 + 1, 3) << "a"; },
         {"F npu: Check failed: 1 + 1 == 3 (2 vs. 3) a"},
         {"Check failed: 1 + 1 == 3 (2 vs. 3) a"}},
        {"CHECK_NE fails with null",
         [] { CHECK_NE(static_cast<int*>(nullptr), nullptr); },
         {"F npu: Check failed: static_cast<int*>(nullptr) != nullptr (0 vs. nullptr) "},
         {"Check failed: static_cast<int*>(nullptr) != nullptr (0 vs. nullptr) "}},
        {"CHECK_LT fails with an enumeration",
         [] { CHECK_LT(Plain::ONE, Plain::ONE); },
         {"F npu: Check failed: Plain::ONE < Plain::ONE (1 vs. 1) "},
         {"Check failed: Plain::ONE < Plain::ONE (1 vs. 1) "}},
        {"CHECK_STREQ fails",
         [] { CHECK_STREQ("a", "b"); },
         {"F npu: Check failed: \"a\" == \"b\" "},
         {"Check failed: \"a\" == \"b\" "}},
        {"CHECK_STRNE of null", [] { CHECK_STRNE("a", nullptr); }, {}},
        {"operands of CHECK_EQ once",
         [] {
             int calls = 0;
             CHECK_EQ(++calls, 1);
         },
         {}},
        {"an else after CHECK_EQ",
         [] {
             if (false)
                 CHECK_EQ(1, 2);
             else
                 LOG(INFO) << "else";
         },
         {"I npu: else"}},

        {"ALOGE", [] { ALOGE("%d of %s", 3, "x"); }, {"E npu: 3 of x"}},
        {"ALOGD below the minimum", [] { ALOGD("a"); }, {}},
        {"ALOGI_IF", [] { ALOGI_IF(true, "a"), ALOGI_IF(false, "b"); }, {"I npu: a"}},
        {"SLOGW", [] { SLOGW("a"); }, {"W npu: a"}},
        {"another tag", [] { __android_log_write(ANDROID_LOG_ERROR, "gpu", "a"); }, {"E gpu: a"}},
        {"a fatal priority does not end the program",
         [] { __android_log_print(ANDROID_LOG_FATAL, LOG_TAG, "%s", "a"); },
         {"F npu: a"}},
        {"a property of the tag",
         [] {
             SetProperty("log.tag.npu", "E");
             LOG(WARNING) << "a";
             SetProperty("log.tag.npu", "V");
             LOG(VERBOSE) << "b";
             SetProperty("log.tag.npu", "");
         },
         {"V npu: b"}},
};

class AndroidLogging : public testing::TestWithParam<Written> {};

TEST_P(AndroidLogging, Writes) {
    Captured captured;
    GetParam().log();
    EXPECT_EQ(captured.lines, GetParam().lines);
    EXPECT_EQ(captured.fatal, GetParam().fatal);
}
INSTANTIATE_TEST_SUITE_P(Rows, AndroidLogging, testing::ValuesIn(kWritten));

// ---- the sink

TEST(AndroidLog, ErrnoIsPreserved) {
    Captured captured;
    errno = EAGAIN;
    LOG(ERROR) << std::to_string(1);
    ALOGE("%d", 1);
    EXPECT_EQ(errno, EAGAIN);
}

TEST(AndroidLog, UnimplementedNamesTheFunction) {
    Captured captured;
    UNIMPLEMENTED(ERROR) << "yet";
    ASSERT_EQ(captured.lines.size(), 1u);
    EXPECT_NE(captured.lines[0].find("UnimplementedNamesTheFunction"), std::string::npos);
    EXPECT_NE(captured.lines[0].find("is not implemented yet"), std::string::npos);
}

TEST(AndroidLog, ASilentProgramWritesNothing) {
    Captured captured;
    SetLogger(nullptr);
    testing::internal::CaptureStderr();
    LOG(ERROR) << "a";
    ALOGE("b");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_FALSE(WOULD_LOG(ERROR));
    EXPECT_TRUE(WOULD_LOG(FATAL));
}

TEST(AndroidLog, InitLoggingWritesToStandardError) {
    Captured captured;
    char program[] = "/vendor/bin/my-driver";
    char* argv[] = {program, nullptr};
    InitLogging(argv);
    EXPECT_EQ(GetDefaultTag(), "my-driver");
    testing::internal::CaptureStderr();
    __android_log_write(ANDROID_LOG_INFO, nullptr, "ready");
    const std::string line = testing::internal::GetCapturedStderr();
    EXPECT_EQ(line.substr(0, 12), "my-driver I ");
    EXPECT_EQ(line.substr(line.size() - 6), "ready\n");
}

TEST(AndroidLog, TheSinkOfCIsTheSame) {
    Captured captured;
    static std::vector<std::string> lines;
    lines.clear();
    __android_log_set_logger([](const __android_log_message* message) {
        lines.push_back(std::to_string(message->priority) + message->tag + message->message +
                        std::to_string(message->line > 0));
    });
    LOG(ERROR) << "a";
    ALOGW("b");
    __android_log_set_logger(nullptr);
    LOG(ERROR) << "c";
    EXPECT_EQ(lines, (std::vector<std::string>{"6npua1", "5npub0"}));
}

TEST(AndroidLog, LoggersWriteWhereTheySay) {
    const auto written = [](const LogFunction& logger, LogSeverity severity, const char* tag) {
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        logger(MAIN, severity, tag, "file.cc", 7, "a message");
        return std::pair(testing::internal::GetCapturedStdout(),
                         testing::internal::GetCapturedStderr());
    };
    EXPECT_EQ(written(StdioLogger, INFO, "npu"), std::pair("a message\n"s, ""s));
    EXPECT_EQ(written(StdioLogger, ERROR, "npu"), std::pair(""s, "npu: a message\n"s));
    EXPECT_EQ(written(StdioLogger, ERROR, nullptr), std::pair(""s, "nullptr: a message\n"s));
    const std::string line = written(LogdLogger(), WARNING, "npu").second;
    EXPECT_EQ(line.substr(0, 6), "npu W ");
    EXPECT_EQ(written(TeeLogger(StdioLogger, StdioLogger), INFO, "npu").first,
              "a message\na message\n");
    const std::string withoutPlace = [&] {
        testing::internal::CaptureStderr();
        StderrLogger(MAIN, WARNING, nullptr, nullptr, 0, "a message");
        return testing::internal::GetCapturedStderr();
    }();
    EXPECT_NE(withoutPlace.find("a message\n"), std::string::npos);
}

TEST(AndroidLog, OfCHasAMinimumAndAnAborter) {
    const int32_t before = __android_log_set_minimum_priority(ANDROID_LOG_WARN);
    EXPECT_EQ(__android_log_get_minimum_priority(), ANDROID_LOG_WARN);
    EXPECT_EQ(GetMinimumLogSeverity(), WARNING);
    EXPECT_FALSE(__android_log_is_loggable(ANDROID_LOG_INFO, "npu", ANDROID_LOG_INFO));
    EXPECT_EQ(__android_log_set_minimum_priority(before), ANDROID_LOG_WARN);
    EXPECT_FALSE(__android_log_is_loggable(ANDROID_LOG_VERBOSE, nullptr, ANDROID_LOG_INFO));

    static std::string aborted;
    __android_log_set_aborter([](const char* message) { aborted = message; });
    __android_log_call_aborter("the end");
    __android_log_set_aborter(nullptr);
    EXPECT_EQ(aborted, "the end");

    __android_log_message message{.struct_size = sizeof(__android_log_message),
                                  .buffer_id = 4711,  // an unknown buffer
                                  .priority = ANDROID_LOG_ERROR,
                                  .tag = "npu",
                                  .file = "file.cc",
                                  .line = 7,
                                  .message = "a message"};
    static std::vector<std::string> lines;
    lines.clear();
    __android_log_set_logger(
            [](const __android_log_message* each) { lines.emplace_back(each->message); });
    __android_log_write_log_message(&message);
    __android_log_write(ANDROID_LOG_ERROR, "npu", nullptr);
    __android_log_set_logger(nullptr);
    ASSERT_EQ(lines.size(), 2u);
    EXPECT_EQ(lines[0], "a message");

    testing::internal::CaptureStderr();
    __android_log_logd_logger(&message);
    __android_log_stderr_logger(&message);
    const std::string written = testing::internal::GetCapturedStderr();
    EXPECT_EQ(std::count(written.begin(), written.end(), '\n'), 2) << written;
}

TEST(AndroidLog, ALoggerMayLogAndReplaceItself) {
    Captured captured;
    std::atomic<int> calls = 0;
    SetLogger([&](LogId, LogSeverity, const char*, const char*, unsigned int, const char*) {
        if (++calls == 1) {
            SetLogger([&](LogId, LogSeverity, const char*, const char*, unsigned int, const char*) {
                calls += 10;
            });
            LOG(ERROR) << "inner";
        }
    });
    LOG(ERROR) << "outer";
    EXPECT_EQ(calls, 11);
}

TEST(AndroidLog, ThreadsLogAtOnce) {
    Captured captured;
    std::atomic<int> calls = 0;
    SetLogger([&](LogId, LogSeverity, const char*, const char*, unsigned int, const char*) {
        ++calls;
    });
    std::vector<std::thread> threads;
    threads.reserve(4);
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([] {
            for (int j = 0; j < 50; ++j) {
                LOG(ERROR) << j;
                SetDefaultTag("t");
                ALOGE("%d", j);
            }
        });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(calls, 400);
}

TEST(AndroidLogDeathTest, FatalMessagesEndTheProgram) {
    EXPECT_DEATH(LOG(FATAL) << "the board is gone", "the board is gone");
    EXPECT_DEATH(CHECK_EQ(1, 2), "Check failed: 1 == 2 \\(1 vs. 2\\)");
    EXPECT_DEATH(LOG_ALWAYS_FATAL("no %s", "board"), "no board");
    EXPECT_DEATH(LOG_ALWAYS_FATAL_IF(1 < 2), "1 < 2");
}

// ---- verbose messages of NNAPI

struct Mask {
    const char* property;
    int mask;
    std::vector<std::string> lines = {};
};
std::ostream& operator<<(std::ostream& out, const Mask& row) { return out << row.property; }

class AndroidVlog : public testing::TestWithParam<Mask> {};

TEST_P(AndroidVlog, MaskIsThatOfTheProperty) {
    Captured captured;
    SetDefaultTag("npu");
    SetProperty("debug.nn.vlog", GetParam().property);
    android::nn::initVLogMask();
    EXPECT_EQ(android::nn::vLogMask, GetParam().mask);
    EXPECT_EQ(captured.lines, GetParam().lines);
    captured.lines.clear();
    VLOG(android::nn::DRIVER) << "prepare";
    EXPECT_EQ(captured.lines.size(), (GetParam().mask >> android::nn::DRIVER & 1) != 0 ? 1u : 0u);
    SetProperty("debug.nn.vlog", "");
    android::nn::initVLogMask();
}
INSTANTIATE_TEST_SUITE_P(
        Rows, AndroidVlog,
        testing::Values(
                Mask{"", 0}, Mask{"all", -1}, Mask{"1", -1}, Mask{"driver", 1 << 5},
                Mask{"model,execution memory", 1 << 0 | 1 << 2 | 1 << 6},
                Mask{"npu", 0, {"E npu: The property debug.nn.vlog has 'npu', which is no tag"}}));

}  // namespace
}  // namespace android_logging
