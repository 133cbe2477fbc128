// Log messages of devices.
#include "nnapi/driver/vlog.h"

#include <atomic>
#include <cerrno>
#include <stdexcept>

#include "driver/fake_driver.h"
#include "driver/models.h"
#include "in_threads.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/registry.h"

namespace nn::driver_vlog_test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;

// Keeps the messages as lines.
struct Lines {
    std::mutex mutex{};
    std::vector<std::string> lines{};
    std::shared_ptr<Log> log = std::make_shared<Log>([this](const LogRecord& record) {
        const std::lock_guard lock(mutex);
        lines.push_back(toString(record));
    });
};

// Rule log.tags.
TEST(Vlog, ParsesItsSetting) {
    using enum VlogTag;
    const struct {
        const char* setting;
        VlogMask mask;
        std::vector<std::string> unknown{};
    } kRows[] = {
            {"", kVlogNone},
            {"1", kVlogAll},
            {"all", kVlogAll},
            {"model", maskOf(MODEL)},
            {"compilation execution", maskOf(COMPILATION) | maskOf(EXECUTION)},
            {"cpuexe,manager:driver memory",
             maskOf(CPUEXE) | maskOf(MANAGER) | maskOf(DRIVER) | maskOf(MEMORY)},
            {",, model,: ", maskOf(MODEL)},
            {"model,modell,EXECUTION", maskOf(MODEL), {"modell", "EXECUTION"}},
            {"all,", kVlogAll},
            {"modell 1 odd", kVlogAll, {"modell"}},
            {"11", kVlogNone, {"11"}},
    };
    for (const auto& row : kRows) {
        const VlogSetting setting = parseVlog(row.setting);
        EXPECT_EQ(setting.mask, row.mask) << row.setting;
        EXPECT_EQ(setting.unknown, row.unknown) << row.setting;
    }
    EXPECT_EQ(toString(MEMORY), "memory");
    EXPECT_EQ(toString(VlogTag{99}), "unknown");
}

// Rule log.tags: everything is enabled until a mask is set.
TEST(Vlog, ReportsEnabledTags) {
    Lines logged;
    NNAPI_VLOG(logged.log, MEMORY) << "before";
    logged.log->setMask(maskOf(VlogTag::DRIVER));
    NNAPI_VLOG(logged.log, MEMORY) << "no";
    NNAPI_VLOG(logged.log.get(), DRIVER) << "yes";
    NNAPI_VLOG(*logged.log, DRIVER) << "again";
    logged.log->setMask(kVlogNone);
    NNAPI_VLOG(logged.log, DRIVER) << "no";
    NNAPI_LOG(logged.log, WARNING) << "always";
    EXPECT_THAT(logged.lines, ElementsAre(MatchesRegex("V vlog_test:[0-9]+ \\[memory\\]: before"),
                                          MatchesRegex("V vlog_test:[0-9]+ \\[driver\\]: yes"),
                                          MatchesRegex("V vlog_test:[0-9]+ \\[driver\\]: again"),
                                          MatchesRegex("W vlog_test:[0-9]+: always")));
}

// Rule log.evaluation.
TEST(Vlog, EvaluatesNothingWhereItIsOff) {
    Lines logged;
    int calls = 0;
    const auto costly = [&] { return ++calls; };
    logged.log->setMask(maskOf(VlogTag::MODEL));
    const SharedLog none;
    const Log silent{nullptr};
    NNAPI_VLOG(logged.log, EXECUTION) << costly();
    NNAPI_VLOG(none, MODEL) << costly();
    NNAPI_LOG(none, ERROR) << costly();
    NNAPI_LOG(&silent, ERROR) << costly();
    EXPECT_FALSE(NNAPI_VLOG_IS_ON(logged.log, EXECUTION));
    EXPECT_FALSE(NNAPI_VLOG_IS_ON(none, MODEL));
    EXPECT_FALSE(NNAPI_VLOG_IS_ON(silent, MODEL));
    EXPECT_EQ(calls, 0);
    EXPECT_TRUE(NNAPI_VLOG_IS_ON(logged.log, MODEL));
    NNAPI_VLOG(logged.log, MODEL) << costly();
    EXPECT_EQ(calls, 1);
    // A VLOG is one statement, also without braces.
    if (calls == 0)
        NNAPI_VLOG(logged.log, MODEL) << costly();
    else
        ++calls;
    EXPECT_EQ(calls, 2);
}

// Rule log.errno.
TEST(Vlog, KeepsErrnoAndNamesTheFile) {
    std::string tag;
    LogLevel level{};
    const Log log([&](const LogRecord& record) {
        errno = ENOMEM;
        tag = record.tag;
        level = record.level;
    });
    errno = EAGAIN;
    NNAPI_LOG(log, ERROR) << "text " << (errno = EINTR, 1);
    EXPECT_EQ(errno, EAGAIN);
    EXPECT_EQ(tag, "vlog_test");
    EXPECT_EQ(level, LogLevel::ERROR);
#pragma push_macro("NNAPI_LOG_TAG")
#undef NNAPI_LOG_TAG
#define NNAPI_LOG_TAG "my-npu"
    NNAPI_LOG(log, INFO) << "text";
#pragma pop_macro("NNAPI_LOG_TAG")
    EXPECT_EQ(tag, "my-npu");
    EXPECT_EQ(log_internal::stemOf("/a.b/c/device_wrapper.h"), "device_wrapper");
    EXPECT_EQ(log_internal::stemOf("plain"), "plain");
}

TEST(Vlog, ComposesTexts) {
    Lines logged;
    NNAPI_LOG(logged.log, INFO) << "a" << std::string("b") << std::string_view("c") << 'd' << 1
                                << -2 << true << ErrorStatus::DEAD_OBJECT << VlogTag::MODEL
                                << absl::string_view("e") << "\nnext";
    EXPECT_THAT(logged.lines, ElementsAre(MatchesRegex("I vlog_test:[0-9]+: abcd1-2trueDEAD_OBJECT"
                                                       "modele\\\\nnext")));
    EXPECT_EQ(toString(LogRecord{.level = LogLevel{9}, .text = "x"}), "? : x");
}

TEST(Vlog, SurvivesItsSink) {
    const Log log([](const LogRecord&) { throw std::runtime_error("disk full"); });
    NNAPI_LOG(log, ERROR) << "text";
}

TEST(Vlog, ServesManyThreads) {
    std::atomic<int> count{0};
    const auto log = std::make_shared<Log>([&](const LogRecord&) { ++count; });
    inThreads(4, [&](int) {
        for (int i = 0; i < 1000; ++i) {
            NNAPI_LOG(log, INFO) << i;
            log->setMask(kVlogAll);
            NNAPI_VLOG(log, MODEL) << i;
        }
    });
    EXPECT_EQ(count, 8000);
}

// ---- messages

// The interpreter's messages behind an adapter and a wrapper.
TEST(Vlog, ReportsPreparationsAndExecutions) {
    Lines logged;
    DeviceRegistry registry({.reference = {.log = logged.log}, .log = logged.log});
    ASSERT_TRUE(registry.registerDevice("npu", [] { return referenceDevice({.name = "npu"}); })
                        .has_value());
    ASSERT_TRUE(registry.registerDevice("gone",
                                        []() -> GeneralResult<SharedDevice> {
                                            return error() << "no board";
                                        })
                        .has_value());
    EXPECT_THAT(registry.devices(), testing::SizeIs(2));
    const std::string took = " in [0-9]+\\.[0-9]+ ms";
    const auto line = [](const std::string& tag, const std::string& text) {
        return MatchesRegex("V [a-z_]+(:[0-9]+)? \\[" + tag + "\\]: " + text);
    };
    EXPECT_THAT(logged.lines,
                ElementsAre(line("manager", "npu opens: done" + took),
                            line("manager", "gone opens: GENERAL_FAILURE" + took +
                                                    ": device gone does not open: no board")));
    logged.lines.clear();

    const SharedDevice device = registry.open("nnapi-reference@1.3", {.adapt = {.log = logged.log},
                                                                      .wrap = {.log = logged.log}})
                                        .value();
    const SharedPreparedModel model = prepareOn(*device, addition()).value();
    Sum sum;
    ASSERT_TRUE(executeOn(*model, sum.request()).has_value());
    // The reference device logs on a thread of the adapter, so the order of two lines varies.
    const std::lock_guard lock(logged.mutex);
    EXPECT_THAT(logged.lines,
                testing::UnorderedElementsAre(
                        line("driver", "nnapi-reference prepareModel_1_3: launched"),
                        line("compilation", "nnapi-reference prepareModel: done" + took),
                        line("driver", "adapter prepareModel_1_3: done" + took),
                        line("compilation", "nnapi-reference prepareModel_1_3: done" + took),
                        line("cpuexe", "nnapi-reference main.operations\\[0\\] ADD"),
                        line("execution", "nnapi-reference execute: done" + took),
                        line("driver", "adapter executeSynchronously_1_3: done" + took),
                        line("execution", "driver executeSynchronously_1_3: done" + took)));
}

TEST(Vlog, ReportsCachesAndFailures) {
    Lines logged;
    const auto driver = hidl::sp<fake::Device>::make(HalVersion::V1_2);
    const SharedDevice device = wrap("npu", driver, {.log = logged.log}).value();
    driver->replies["prepareModelFromCache"] = {.code = 2, .times = 0};
    driver->replies["prepareModel_1_2"] = {.code = 1};
    const std::vector<SharedHandle> files = {std::make_shared<const Handle>(duplicate(0))};
    EXPECT_FALSE(device->prepareModel(addition(), ExecutionPreference::DEFAULT, Priority::DEFAULT,
                                      {}, files, {}, {}, {}, {})
                         .has_value());
    EXPECT_THAT(logged.lines, Contains(HasSubstr("npu prepareModel_1_2: cache of 1 + 0 files")));
    EXPECT_THAT(logged.lines, Contains(AllOf(HasSubstr("[compilation]: npu prepareModel_1_2: "
                                                       "DEVICE_UNAVAILABLE in "),
                                             HasSubstr(" ms: "))));
    logged.log->setMask(kVlogNone);
    logged.lines.clear();
    EXPECT_FALSE(prepareOn(*device, addition()).has_value());
    EXPECT_THAT(logged.lines, IsEmpty());
}

}  // namespace
}  // namespace nn::driver_vlog_test
