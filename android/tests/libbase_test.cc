// Tests of libbase's functions and properties.
#include <android-base/expected.h>
#include <android-base/file.h>
#include <android-base/mapped_file.h>
#include <android-base/parsedouble.h>
#include <android-base/parseint.h>
#include <android-base/properties.h>
#include <android-base/result.h>
#include <android-base/scopeguard.h>
#include <android-base/stringprintf.h>
#include <android-base/strings.h>
#include <android-base/unique_fd.h>
#include <cutils/properties.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/system_properties.h>
#include <unistd.h>

#include <chrono>
#include <climits>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace android_libbase {
namespace {

using namespace android::base;
using Strings = std::vector<std::string>;

// ---- properties

TEST(AndroidProperties, AreVariablesAndWhatIsSet) {
    ASSERT_EQ(setenv("vendor.npu.path", "/dev/npu0", 1), 0);
    EXPECT_EQ(GetProperty("vendor.npu.path", "none"), "/dev/npu0");
    EXPECT_TRUE(SetProperty("vendor.npu.path", "/dev/npu1"));
    EXPECT_EQ(GetProperty("vendor.npu.path", "none"), "/dev/npu1");
    EXPECT_EQ(GetProperty("vendor.npu.other", "none"), "none");
    EXPECT_TRUE(SetProperty("vendor.npu.path", ""));
    EXPECT_EQ(GetProperty("vendor.npu.path", "none"), "none");
    EXPECT_FALSE(SetProperty("", "text"));
    EXPECT_TRUE(SetProperty("ro.npu", "1"));
    EXPECT_FALSE(SetProperty("ro.npu", "2"));
    unsetenv("vendor.npu.path");
}

struct Value {
    const char* text;
    bool asBool;  // with the fallback true
    int asInt;    // with the fallback 7 and the bounds -100 and 100
    unsigned asUint;
};

TEST(AndroidProperties, BecomeNumbers) {
    const Value rows[] = {
            {"", true, 7, 7},      {"1", true, 1, 1},       {"0", false, 0, 0},
            {"off", false, 7, 7},  {"no", false, 7, 7},     {"true", true, 7, 7},
            {"-12", true, -12, 7}, {"0x10", true, 16, 16},  {"12a", true, 7, 7},
            {"101", true, 7, 101}, {"-0x10", true, -16, 7}, {"99999999999", true, 7, 7},
            {"FALSE", true, 7, 7}, {" 5", true, 5, 5},
    };
    for (const Value& row : rows) {
        SCOPED_TRACE(row.text);
        SetProperty("test.number", row.text);
        EXPECT_EQ(GetBoolProperty("test.number", true), row.asBool);
        EXPECT_EQ(GetIntProperty("test.number", 7, -100, 100), row.asInt);
        EXPECT_EQ(GetUintProperty("test.number", 7u), row.asUint);
        EXPECT_EQ(property_get_bool("test.number", 1), row.asBool);
        EXPECT_EQ(property_get_int64("test.number", 7), GetIntProperty<int64_t>("test.number", 7));
    }
}

TEST(AndroidProperties, OfCAreCut) {
    char text[PROPERTY_VALUE_MAX];
    EXPECT_EQ(property_get("test.absent", text, "fallback"), 8);
    EXPECT_STREQ(text, "fallback");
    EXPECT_EQ(property_get("test.absent", text, nullptr), 0);
    EXPECT_STREQ(text, "");
    EXPECT_EQ(property_set("test.long", std::string(200, 'x').c_str()), 0);
    EXPECT_EQ(property_get("test.long", text, nullptr), PROPERTY_VALUE_MAX - 1);
    std::string found;
    property_list(
            [](const char* key, const char* value, void* cookie) {
                if (std::string(key) == "test.long") *static_cast<std::string*>(cookie) = value;
            },
            &found);
    EXPECT_EQ(found.size(), 200u);
}

TEST(AndroidProperties, OfBionicAreFound) {
    EXPECT_EQ(__system_property_find("test.found"), nullptr);
    SetProperty("test.found", "1");
    const prop_info* const info = __system_property_find("test.found");
    ASSERT_NE(info, nullptr);
    EXPECT_EQ(__system_property_find("test.found"), info);
    SetProperty("test.found", "2");
    std::string read;
    __system_property_read_callback(
            info,
            [](void* cookie, const char* name, const char* value, uint32_t) {
                *static_cast<std::string*>(cookie) = std::string(name) + "=" + value;
            },
            &read);
    EXPECT_EQ(read, "test.found=2");
    char value[PROP_VALUE_MAX];
    EXPECT_EQ(__system_property_read(info, nullptr, value), 1);
    EXPECT_STREQ(value, "2");
    const std::string longName(40, 'n');
    SetProperty(longName, "3");
    char name[PROP_NAME_MAX];
    EXPECT_EQ(__system_property_read(__system_property_find(longName.c_str()), name, value), 1);
    EXPECT_EQ(name, std::string(PROP_NAME_MAX - 1, 'n'));
    EXPECT_STREQ(value, "3");
}

TEST(AndroidProperties, AreWaitedFor) {
    using std::chrono::milliseconds;
    EXPECT_FALSE(WaitForProperty("test.state", "ready", milliseconds(1)));
    std::thread setter([] { SetProperty("test.state", "ready"); });
    EXPECT_TRUE(WaitForProperty("test.state", "ready"));
    EXPECT_TRUE(WaitForPropertyCreation("test.state", milliseconds(0)));
    setter.join();
}

// ---- text

TEST(AndroidStrings, Functions) {
    EXPECT_EQ(Split("a,,b", ","), (Strings{"a", "", "b"}));
    EXPECT_EQ(Split("", ","), Strings{""});
    EXPECT_EQ(Tokenize(",a;;b,", ",;"), (Strings{"a", "b"}));
    EXPECT_EQ(Trim(" \ta b\n"), "a b");
    EXPECT_EQ(Trim("  "), "");
    EXPECT_EQ(Join(std::vector<int>{1, 2}, ", "), "1, 2");
    EXPECT_TRUE(StartsWith("abc", "ab"));
    EXPECT_TRUE(StartsWithIgnoreCase("ABc", "ab"));
    EXPECT_FALSE(StartsWithIgnoreCase("a", "ab"));
    EXPECT_TRUE(EndsWith("abc", 'c'));
    EXPECT_TRUE(EndsWithIgnoreCase("abC", "bc"));
    std::string_view text = "lib.so";
    EXPECT_TRUE(ConsumePrefix(&text, "lib"));
    EXPECT_TRUE(ConsumeSuffix(&text, "so"));
    EXPECT_FALSE(ConsumeSuffix(&text, "so"));
    EXPECT_EQ(text, ".");
    EXPECT_EQ(StringReplace("aba", "a", "xx", true), "xxbxx");
    EXPECT_EQ(StringReplace("aba", "a", "xx", false), "xxba");
    EXPECT_EQ(StringReplace("aba", "", "x", true), "aba");
    std::string out = StringPrintf("%s %d", std::string(300, 'x').c_str(), 1);
    StringAppendF(&out, "%c", '!');
    EXPECT_EQ(out, std::string(300, 'x') + " 1!");
}

TEST(AndroidStrings, Numbers) {
    int8_t small = 1;
    EXPECT_TRUE(ParseInt("-128", &small));
    EXPECT_EQ(small, -128);
    EXPECT_FALSE(ParseInt("128", &small));
    EXPECT_EQ(errno, ERANGE);
    EXPECT_FALSE(ParseInt("", &small));
    EXPECT_EQ(errno, EINVAL);
    EXPECT_EQ(small, -128);
    uint64_t large = 1;
    EXPECT_TRUE(ParseUint("18446744073709551615", &large));
    EXPECT_EQ(large, UINT64_MAX);
    EXPECT_FALSE(ParseUint("18446744073709551616", &large));
    EXPECT_EQ(errno, ERANGE);
    EXPECT_FALSE(ParseUint("-1", &large));
    EXPECT_TRUE(ParseByteCount("3m", &large));
    EXPECT_EQ(large, 3u << 20);
    EXPECT_FALSE(ParseByteCount("16e", &large));
    EXPECT_EQ(errno, ERANGE);
    EXPECT_FALSE(ParseByteCount("1x", &large));
    double number = 0;
    EXPECT_TRUE(ParseDouble("-1.5e3", &number));
    EXPECT_EQ(number, -1500);
    EXPECT_FALSE(ParseDouble("1.5f", &number));
    EXPECT_EQ(errno, EINVAL);
    EXPECT_FALSE(ParseDouble("2", &number, 0, 1));
    EXPECT_EQ(errno, ERANGE);
    EXPECT_FALSE(ParseDouble("nan", &number));
    float small32 = 0;
    EXPECT_FALSE(ParseFloat("1e39", &small32));
}

// ---- files

TEST(AndroidFiles, AreReadAndWritten) {
    TemporaryDir folder;
    const std::string path = std::string(folder.path) + "/file";
    std::string text;
    EXPECT_FALSE(ReadFileToString(path, &text));
    EXPECT_EQ(errno, ENOENT);
    const std::string content(10'000, 'x');
    ASSERT_TRUE(WriteStringToFile(content, path));
    EXPECT_TRUE(ReadFileToString(path, &text));
    EXPECT_EQ(text, content);

    const std::string link = path + ".link";
    ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
    EXPECT_FALSE(ReadFileToString(link, &text));
    EXPECT_TRUE(ReadFileToString(link, &text, /*follow_symlinks=*/true));
    std::string target;
    EXPECT_TRUE(Readlink(link, &target));
    EXPECT_EQ(target, path);

    const unique_fd fd(open(path.c_str(), O_RDONLY));
    char bytes[4];
    EXPECT_TRUE(ReadFullyAtOffset(fd, bytes, sizeof(bytes), 9'996));
    EXPECT_FALSE(ReadFullyAtOffset(fd, bytes, sizeof(bytes), 9'997));
    EXPECT_TRUE(RemoveFileIfExists(link));
    EXPECT_TRUE(RemoveFileIfExists(link));
    std::string error;
    EXPECT_FALSE(RemoveFileIfExists(folder.path, &error));
    EXPECT_NE(error, "");
}

TEST(AndroidFiles, HaveAModeAndAnOwner) {
    TemporaryDir folder;
    const std::string path = std::string(folder.path) + "/file", link = path + ".link";
    ASSERT_TRUE(WriteStringToFile("content", path, 0640, getuid(), getgid()));
    struct stat file {};
    ASSERT_EQ(stat(path.c_str(), &file), 0);
    EXPECT_EQ(file.st_mode & 07777, 0640u);
    EXPECT_FALSE(WriteStringToFile("content", path + "/file", 0640, getuid(), getgid()));
    EXPECT_FALSE(WriteStringToFile("content", path + "/file"));
    ASSERT_EQ(symlink(path.c_str(), link.c_str()), 0);
    EXPECT_FALSE(WriteStringToFile("others", link, 0640, getuid(), getgid()));
    EXPECT_TRUE(WriteStringToFile("others", link, 0640, getuid(), getgid(),
                                  /*follow_symlinks=*/true));
    const unique_fd fd(open(path.c_str(), O_RDONLY));
    char bytes[6];
    EXPECT_TRUE(ReadFully(fd, bytes, sizeof(bytes)));
    EXPECT_EQ(std::string(bytes, sizeof(bytes)), "others");
    EXPECT_FALSE(ReadFully(fd, bytes, 1));
    std::string real;
    EXPECT_TRUE(Realpath(link, &real));
    EXPECT_EQ(Basename(real), "file");
    EXPECT_FALSE(Realpath(path + ".none", &real));
    EXPECT_TRUE(RemoveFileIfExists(path + "/below a file"));
    EXPECT_FALSE(RemoveFileIfExists(folder.path));
    EXPECT_EQ(GetExecutableDirectory(), Dirname(GetExecutablePath()));
}

// A file that cannot be written completely is removed.
TEST(AndroidFiles, AreWholeOrNotThere) {
    std::string text = "before";
    EXPECT_FALSE(ReadFileToString("/proc/self/mem", &text));
    EXPECT_FALSE(WriteStringToFile("content", "/dev/full/x"));
    const unique_fd full(open("/dev/full", O_WRONLY));
    ASSERT_TRUE(full.ok());
    EXPECT_FALSE(WriteStringToFd("content", full));
    EXPECT_EQ(errno, ENOSPC);
    std::string target;
    EXPECT_FALSE(Readlink("/proc/self/none", &target));
    // Longer than the initial buffer.
    TemporaryDir folder;
    const std::string link = std::string(folder.path) + "/link", away(3'000, 'x');
    ASSERT_EQ(symlink(away.c_str(), link.c_str()), 0);
    EXPECT_TRUE(Readlink(link, &target));
    EXPECT_EQ(target, away);
}

TEST(AndroidFiles, TemporaryOnesAreKeptOnRequest) {
    std::string file, folder;
    {
        TemporaryDir dir;
        dir.DoNotRemove();
        TemporaryFile temporary(dir.path);
        temporary.DoNotRemove();
        const unique_fd fd(temporary.release());
        EXPECT_TRUE(fd.ok());
        EXPECT_EQ(temporary.fd, -1);
        file = temporary.path;
        folder = dir.path;
    }
    EXPECT_EQ(access(file.c_str(), F_OK), 0);
    EXPECT_EQ(unlink(file.c_str()), 0);
    EXPECT_EQ(rmdir(folder.c_str()), 0);
    errno = 0;
    const TemporaryFile nowhere("/none");
    EXPECT_EQ(nowhere.fd, -1);
    EXPECT_EQ(errno, ENOENT);
    const TemporaryFile tooLong(std::string(2'000, 'x'));
    EXPECT_EQ(tooLong.fd, -1);
    EXPECT_EQ(errno, ENAMETOOLONG);
}

TEST(AndroidFiles, TemporaryOnesAreRemoved) {
    std::string file;
    std::string folder;
    {
        TemporaryDir dir;
        TemporaryFile in(dir.path);
        TemporaryFile temporary;
        file = temporary.path;
        folder = dir.path;
        EXPECT_EQ(access(file.c_str(), F_OK), 0);
        EXPECT_EQ(Dirname(in.path), folder);
    }
    EXPECT_NE(access(file.c_str(), F_OK), 0);
    EXPECT_NE(access(folder.c_str(), F_OK), 0);
}

TEST(AndroidFiles, Paths) {
    const std::pair<const char*, std::pair<const char*, const char*>> rows[] = {
            {"", {".", "."}},         {"/", {"/", "/"}},  {"a", {".", "a"}},
            {"a/b", {"a", "b"}},      {"/a", {"/", "a"}}, {"a/b//", {"a", "b"}},
            {"//a//b", {"//a", "b"}},
    };
    for (const auto& [path, parts] : rows) {
        SCOPED_TRACE(path);
        EXPECT_EQ(Dirname(path), parts.first);
        EXPECT_EQ(Basename(path), parts.second);
    }
    EXPECT_EQ(Basename(GetExecutablePath()), program_invocation_short_name);
}

TEST(AndroidFiles, AreMapped) {
    TemporaryFile file;
    std::string content(9'000, 'x');
    content[5'000] = 'y';
    ASSERT_TRUE(WriteFully(file.fd, content.data(), content.size()));
    const auto mapped = MappedFile::FromFd(file.fd, 5'000, 4'000, PROT_READ);
    ASSERT_NE(mapped, nullptr);
    EXPECT_EQ(std::string(mapped->data(), mapped->size()), content.substr(5'000));
    EXPECT_EQ(MappedFile::FromFd(file.fd, 0, 0, PROT_READ)->size(), 0u);
    EXPECT_EQ(MappedFile::FromFd(file.fd, -1, 10, PROT_READ), nullptr);
    EXPECT_EQ(MappedFile::FromFd(file.fd, 1, SIZE_MAX, PROT_READ), nullptr);
    EXPECT_EQ(MappedFile::FromFd(-1, 0, 10, PROT_READ), nullptr);
}

// ---- owners

TEST(AndroidOwners, ScopeGuardsRunOnce) {
    std::string calls;
    {
        auto first = make_scope_guard([&] { calls += "1"; });
        auto moved = std::move(first);
        const auto function = [&] { calls += "2"; };
        auto second = make_scope_guard(function);
        auto disabled = make_scope_guard([&] { calls += "3"; });
        disabled.Disable();
        EXPECT_FALSE(disabled.active());
        EXPECT_FALSE(first.active());  // NOLINT(bugprone-use-after-move)
    }
    EXPECT_EQ(calls, "21");
    {
        ScopeGuard<std::function<void()>> taken = make_scope_guard([&] { calls += "4"; });
        const ScopeGuard direct([&] { calls += "5"; });
    }
    EXPECT_EQ(calls, "2154");
}

TEST(AndroidOwners, DescriptorsAreClosed) {
    unique_fd read;
    unique_fd write;
    ASSERT_TRUE(Pipe(&read, &write));
    const int number = write;
    EXPECT_TRUE(write.ok());
    ::nn::UniqueFd canonical = std::move(write);
    EXPECT_EQ(canonical.get(), number);
    EXPECT_EQ(write, -1);  // NOLINT(bugprone-use-after-move)
    write = std::move(canonical);
    EXPECT_EQ(write.get(), number);
    FILE* const file = Fdopen(std::move(write), "w");
    ASSERT_NE(file, nullptr);
    EXPECT_FALSE(write.ok());  // NOLINT(bugprone-use-after-move)
    fclose(file);
    EXPECT_EQ(fcntl(number, F_GETFD), -1);
    const borrowed_fd borrowed = read;
    EXPECT_EQ(borrowed.get(), read.get());
}

// ---- results

expected<int, std::string> half(int value) {
    if (value % 2 != 0) return unexpected("odd");
    return value / 2;
}

TEST(AndroidExpected, HoldsOneOfBoth) {
    EXPECT_EQ(half(4).value(), 2);
    EXPECT_EQ(half(3).error(), "odd");
    EXPECT_EQ(half(3).value_or(9), 9);
    EXPECT_TRUE(half(4) == 2);
    EXPECT_TRUE(half(3) == unexpected(std::string("odd")));
    expected<long, std::string> wider = half(4);
    EXPECT_EQ(*wider, 2);
    expected<std::unique_ptr<int>, int> owner = std::make_unique<int>(5);
    EXPECT_EQ(**owner, 5);
    const std::unique_ptr<int> taken = std::move(owner).value();
    EXPECT_EQ(*taken, 5);
    owner = unexpected(1);
    EXPECT_FALSE(owner.ok());
    expected<void, int> nothing;
    EXPECT_TRUE(nothing.has_value());
    nothing.value();
    nothing = unexpected(2);
    EXPECT_EQ(nothing.error(), 2);
    expected<std::optional<int>, int> inner = std::nullopt;
    EXPECT_TRUE(inner.has_value());
    EXPECT_FALSE(inner->has_value());
}

TEST(AndroidExpectedDeathTest, ReadingWhatIsNotThereEndsTheProgram) {
    EXPECT_DEATH(half(3).value(), "");
    EXPECT_DEATH((void)half(4).error(), "");
}

TEST(AndroidResult, ErrorsHaveTextAndNumber) {
    const auto fails = []() -> Result<int> {
        errno = ENOENT;
        return ErrnoError() << "open " << 1;
    };
    EXPECT_EQ(fails().error().message(), "open 1: No such file or directory");
    EXPECT_EQ(fails().error().code(), ENOENT);
    const auto passesOn = [&]() -> Result<void> {
        const Result<int> result = fails();
        if (!result.ok()) return Error() << "device: " << result.error();
        return {};
    };
    EXPECT_EQ(passesOn().error().message(), "device: open 1: No such file or directory");
    EXPECT_EQ(passesOn().error().code(), ENOENT);
}

}  // namespace
}  // namespace android_libbase
