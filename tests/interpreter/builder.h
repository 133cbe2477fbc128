// Builders and matchers for tests of executions.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "interpreter/graph.h"
#include "nnapi/interpreter.h"
#include "nnapi/print.h"

namespace nn {

// An argument in the caller's memory.
inline Request::Argument pointerTo(void* data, size_t length,
                                   std::vector<uint32_t> dimensions = {}) {
    return {.lifetime = Request::Argument::LifeTime::POINTER,
            .location = {.pointer = data, .length = static_cast<uint32_t>(length)},
            .dimensions = std::move(dimensions)};
}
template <class E>
Request::Argument pointerTo(std::vector<E>& values, std::vector<uint32_t> dimensions = {}) {
    return pointerTo(values.data(), values.size() * sizeof(E), std::move(dimensions));
}

inline const Status& statusOf(const Status& status) { return status; }
inline const Status& statusOf(const ExecutionOutcome& result) { return result.status; }
template <class T>
const Status& statusOf(const Result<T>& result) {
    return result.status();
}

// Fails with exactly this code and message.
MATCHER_P2(Fails, code, message, "fails with " + toString(code) + " and " + message) {
    const Status& status = statusOf(arg);
    *result_listener << toString(errorStatus(status)) << " " << std::string(status.message());
    return !status.ok() && errorStatus(status) == code && std::string(status.message()) == message;
}

MATCHER(Succeeds, "succeeds") {
    *result_listener << std::string(statusOf(arg).message());
    return statusOf(arg).ok();
}

// Runs and returns exactly these values.
inline void expectRuns(const Model& model, const std::vector<Tensor>& inputs,
                       const std::vector<Tensor>& outputs, const ExecuteOptions& options = {},
                       const PrepareOptions& prepareOptions = {}) {
    const Result<PreparedModel> prepared = prepare(model, prepareOptions);
    ASSERT_THAT(prepared, Succeeds());
    for (int i = 0; i < 2; ++i) {
        // The second time with the memory of the first, and with other bytes in it.
        ExecuteOptions poisoned = options;
        if (i == 1) poisoned.poison = 0xA5;
        const Result<std::vector<Tensor>> found = prepared->run(inputs, poisoned);
        ASSERT_THAT(found, Succeeds());
        ASSERT_EQ(found->size(), outputs.size());
        for (size_t k = 0; k < outputs.size(); ++k) {
            EXPECT_EQ((*found)[k].dimensions, outputs[k].dimensions) << "output " << k;
            EXPECT_EQ((*found)[k].data, outputs[k].data) << "output " << k;
        }
    }
}

}  // namespace nn
