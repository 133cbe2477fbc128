// Paths on the command line that refer to open descriptors.
#include "model_io/inputs.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <ctime>
#include <thread>

#include "model_io/streams.h"

namespace nn::schema::inputs_test {
namespace {

TEST(Inputs, NameDescriptors) {
    const struct {
        const char* path;
        std::optional<int> descriptor;
    } kRows[] = {
            {"-", 0},
            {"/dev/stdin", 0},
            {"/dev/fd/0", 0},
            {"/dev/fd/63", 63},
            {"/proc/self/fd/7", 7},
            {"/dev/fd/", std::nullopt},
            {"/dev/fd/-1", std::nullopt},
            {"/dev/fd/7x", std::nullopt},
            {"/dev/fd/99999999999", std::nullopt},
            {"/proc/self/fd", std::nullopt},
            {"--", std::nullopt},
            {"model.json", std::nullopt},
            {"", std::nullopt},
    };
    for (const auto& row : kRows) EXPECT_EQ(openDescriptor(row.path), row.descriptor) << row.path;
    EXPECT_EQ(shownName("-"), "standard input");
    EXPECT_EQ(shownName("folder/model.json"), "folder/model.json");
}

// Another process may have made a pipe non-blocking. Waiting for it uses no processor time.
TEST(Inputs, WaitForPipesThatDoNotBlock) {
    int ends[2];
    ASSERT_EQ(pipe2(ends, O_NONBLOCK | O_CLOEXEC), 0);
    const UniqueFd from(ends[0]);
    std::thread writer([to = UniqueFd(ends[1])] {
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
        EXPECT_EQ(write(to.get(), "late", 4), 4);
    });
    const std::clock_t before = std::clock();
    const auto bytes = readStream(from.get(), "pipe", {});
    EXPECT_LT(std::clock() - before, CLOCKS_PER_SEC / 10);
    writer.join();
    ASSERT_TRUE(bytes.ok()) << std::string(bytes.status().message());
    EXPECT_EQ(*bytes, "late");
}

TEST(Inputs, SayWhyTheyCannotBeRead) {
    const UniqueFd folder(open("/", O_RDONLY | O_CLOEXEC));
    EXPECT_EQ(readStream(folder.get(), "folder", {}).status().message(), "folder: Is a directory");
    EXPECT_EQ(readStream(-1, "nothing", {}).status().message(), "nothing: Bad file descriptor");
}

}  // namespace
}  // namespace nn::schema::inputs_test
