// What commands do when memory runs out while they work with one of several inputs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <new>
#include <stdexcept>

#include "nnapi/io.h"
#include "temporary_folder.h"
#include "tools/nnapi/input_files.h"
#include "tools/nnapi/jobs.h"

namespace nn::device_commands_memory_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

TEST(Memory, ThatRunsOutConcernsOneFile) {
    const TemporaryFolder folder;
    cli::Options options;
    for (const char* name : {"a.json", "b.json", "c.json"}) {
        ASSERT_TRUE(writeModel(folder / name, Model()).ok());
        options.files.push_back((folder / name).string());
    }
    std::vector<std::string> names;
    ::testing::internal::CaptureStderr();
    const cli::Exit exit = cli::forEachInput(options, [&](cli::Input& input) {
        names.push_back(input.name.raw);
        if (names.size() == 1) throw std::bad_alloc();
        if (names.size() == 2) throw std::length_error("vector");
        return cli::kGood;
    });
    const std::string complaints = ::testing::internal::GetCapturedStderr();
    EXPECT_EQ(exit, cli::kUsageOrUnreadable);
    EXPECT_THAT(names, ElementsAre("a", "b", "c"));
    EXPECT_THAT(complaints,
                HasSubstr("nnapi: out of memory while reading " + options.files[0] + "\n"));
    EXPECT_THAT(complaints,
                HasSubstr("nnapi: out of memory while reading " + options.files[1] + "\n"));
}

TEST(Memory, ThatRunsOutConcernsOneJob) {
    std::vector<int> results;
    cli::Jobs<int> jobs(2, [&](int result) {
        results.push_back(result);
        return cli::kGood;
    });
    ::testing::internal::CaptureStderr();
    cli::Exit exit = cli::kGood;
    for (int i = 0; i < 3; ++i) {
        exit = worse(exit, jobs.add({"job" + std::to_string(i)}, [i] {
            if (i == 1) throw std::bad_alloc();
            return i;
        }));
    }
    exit = worse(exit, jobs.finish());
    EXPECT_EQ(::testing::internal::GetCapturedStderr(),
              "nnapi: out of memory while reading job1\n");
    EXPECT_EQ(exit, cli::kUsageOrUnreadable);
    EXPECT_THAT(results, UnorderedElementsAre(0, 2));
}

}  // namespace
}  // namespace nn::device_commands_memory_test
