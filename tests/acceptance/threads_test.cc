// Results are bit-identical for any number of threads: threads that share one execution, and
// threads that execute one prepared model concurrently.
#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "nnapi/interpreter.h"
#include "vectors.h"

namespace nn::threads_test {
namespace {

bool sharesWork(const Model& model) {
    using enum OperationType;
    constexpr OperationType kTypes[] = {CONV_2D, DEPTHWISE_CONV_2D, FULLY_CONNECTED,
                                        GROUPED_CONV_2D};
    return std::ranges::any_of(model.main.operations, [&](const Operation& operation) {
        return std::ranges::find(kTypes, operation.type) != std::end(kTypes);
    });
}

std::vector<std::filesystem::path> filesOf(const char* folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() == ".gz") files.push_back(entry.path());
    }
    return files;
}

TEST(Threads, ShareAnExecution) {
    size_t compared = 0;
    const auto compare = [&](const TestCase& testCase) {
        if (!sharesWork(testCase.model)) return;
        const auto alone = prepare(testCase.model);
        if (!alone.ok()) return;  // expected by some vectors
        const auto outputs = alone->run(testCase.inputs);
        for (const size_t threads : {2, 5}) {
            const auto together = prepare(testCase.model, {.threads = threads});
            ASSERT_TRUE(together.ok()) << together.status();
            EXPECT_EQ(*together->run(testCase.inputs), *outputs) << testCase.name;
            ++compared;
        }
    };
    forEachVector(compare);
    forEachVector(filesOf(NNAPI_SOURCE_DIR "/examples/models"), compare);
    EXPECT_GT(compared, 1000u);
}

TEST(Threads, ExecuteOnePreparedModel) {
    for (const auto& file : filesOf(NNAPI_SOURCE_DIR "/examples/models")) {
        forEachVector({file}, [&](const TestCase& testCase) {
            const auto prepared = prepare(testCase.model, {.threads = 2});
            ASSERT_TRUE(prepared.ok()) << prepared.status();
            const auto expected = prepared->run(testCase.inputs);
            ASSERT_TRUE(expected.ok()) << expected.status();
            std::vector<std::optional<Result<std::vector<Tensor>>>> outputs(10);
            std::vector<std::thread> threads;
            threads.reserve(outputs.size());
            for (auto& output : outputs) {
                threads.emplace_back([&] { output = prepared->run(testCase.inputs); });
            }
            for (std::thread& thread : threads) thread.join();
            for (const auto& output : outputs) EXPECT_EQ(**output, *expected) << testCase.name;
        });
    }
}

}  // namespace
}  // namespace nn::threads_test
