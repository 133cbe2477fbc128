// Models, requests and matchers for the tests of devices.
#pragma once

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <future>

#include "interpreter/builder.h"
#include "nnapi/driver/interfaces.h"
#include "nnapi/driver/reference.h"
#include "nnapi/memory.h"

namespace nn {

// z = x + y; dimensions of 0 are left open.
inline Model addition(const Dimensions& dimensions) {
    Model model;
    Graph main(model);
    const auto x = main.input(TENSOR_FLOAT32, dimensions);
    const auto y = main.input(TENSOR_FLOAT32, dimensions);
    main.add(OperationType::ADD, {x, y, main.scalar(0)}, {main.output(TENSOR_FLOAT32, dimensions)});
    model.main = main.graph;
    return model;
}
inline Model addition(uint32_t size = 4) { return addition(Dimensions{size}); }

// A deadline that only hanging drivers miss, and no call to them, however busy the machine is.
inline constexpr Duration kSoon = std::chrono::milliseconds(100);
inline TimePoint soon() { return Clock::now() + kSoon; }

// A loop that ends only at its timeout.
inline Model endlessLoop() {
    Model model;
    Graph condition(model);
    const auto in = condition.input(TENSOR_FLOAT32, {1});
    condition.add(OperationType::EQUAL, {in, in}, {condition.output(TENSOR_BOOL8, {1})});
    Graph body(model);
    const auto value = body.input(TENSOR_FLOAT32, {1});
    body.add(OperationType::ADD, {value, value, body.scalar(0)},
             {body.output(TENSOR_FLOAT32, {1})});
    Graph main(model);
    const auto x = main.input(TENSOR_FLOAT32, {1});
    main.add(OperationType::WHILE, {main.subgraph(0), main.subgraph(1), x},
             {main.output(TENSOR_FLOAT32, {1})});
    model.main = main.graph;
    model.referenced = {condition.graph, body.graph};
    return model;
}

// The values of one execution of addition().
struct Sum {
    std::vector<float> x{1, 2, 3, 4};
    std::vector<float> y{10, 20, 30, 40};
    std::vector<float> z{0, 0, 0, 0};

    Request request(const std::vector<uint32_t>& dimensions = {}) {
        return {.inputs = {pointerTo(x, dimensions), pointerTo(y, dimensions)},
                .outputs = {pointerTo(z)}};
    }
};

// A request for addition(): x, y and z at 0, 16 and 32.
inline Request sumIn(const SharedMemory& pool) {
    const auto at = [](uint32_t offset) {
        return Request::Argument{.location = {.offset = offset, .length = 16}};
    };
    return {.inputs = {at(0), at(16)}, .outputs = {at(32)}, .pools = {pool}};
}

// The values of one execution of addition() in one pool.
struct PooledSum {
    static constexpr uint32_t kBytes = 16;

    PooledSum() : pool(createSharedMemory(size_t{3} * kBytes).value()) {
        const std::vector<float> values = {1, 2, 3, 4, 10, 20, 30, 40};
        auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
        EXPECT_TRUE(writeMemory(pool, 0, {bytes, size_t{2} * kBytes}).ok());
    }
    Request request(uint32_t outputBytes = kBytes) const {
        Request request = sumIn(pool);
        request.outputs[0].location.length = outputBytes;
        return request;
    }
    std::vector<float> z() const {
        std::vector<float> values(4);
        auto* bytes = reinterpret_cast<uint8_t*>(values.data());
        EXPECT_TRUE(readMemory(pool, size_t{2} * kBytes, {bytes, kBytes}).ok());
        return values;
    }

    SharedMemory pool;
};

// A pipe whose reading end is a fence: signaled by writing, an error once it is closed.
class Fence {
   public:
    Fence() {
        int ends[2];
        EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
        mFence = SyncFence::create(UniqueFd(ends[0]));
        mWriteEnd = UniqueFd(ends[1]);
    }
    const SyncFence& get() const { return mFence; }
    void signal() const { EXPECT_EQ(write(mWriteEnd.get(), "x", 1), 1); }

   private:
    SyncFence mFence;
    UniqueFd mWriteEnd;
};

// ThreadSanitizer does not know that a fence orders memory.
__attribute__((no_sanitize("thread"))) inline void overwrite(std::vector<float>& values,
                                                             float value) {
    volatile float* data = values.data();
    for (size_t i = 0, size = values.size(); i < size; ++i) data[i] = value;
}

// The result of a launch whose inputs and fences become available when `produce` returns. The
// launch has begun by then and may wait for that.
template <class Launch, class Produce>
auto launchedBefore(const Produce& produce, const Launch& launch) {
    auto launched = std::async(std::launch::async, launch);
    (void)launched.wait_for(kSoon);
    produce();
    return launched.get();
}

// Calls with the default values of the arguments that are not given. A target is a prepared model
// or a burst.
inline GeneralResult<SharedPreparedModel> prepareOn(const IDevice& device, const Model& model,
                                                    OptionalTimePoint deadline = {}) {
    return device.prepareModel(model, ExecutionPreference::DEFAULT, Priority::DEFAULT, deadline, {},
                               {}, {}, {}, {});
}
inline ExecutionResult<Executed> executeOn(const auto& target, const Request& request,
                                           MeasureTiming measure = MeasureTiming::NO) {
    return target.execute(request, measure, {}, {}, {}, {});
}
inline GeneralResult<SharedExecution> reusableOn(const auto& target, const Request& request,
                                                 MeasureTiming measure = MeasureTiming::NO) {
    return target.createReusableExecution(request, measure, {}, {}, {});
}
inline GeneralResult<ExecutedFenced> executeFencedOn(const IPreparedModel& model,
                                                     const Request& request,
                                                     const std::vector<SyncFence>& waitFor = {},
                                                     MeasureTiming measure = MeasureTiming::NO) {
    return model.executeFenced(request, waitFor, measure, {}, {}, {}, {}, {});
}

// The code of a failure; NONE for a success.
inline ErrorStatus codeOf(const auto& result) {
    return result.has_value() ? ErrorStatus::NONE : result.error().code;
}

// Fails with this code and message.
MATCHER_P2(Refuses, code, message, "refuses with " + toString(code) + " and " + message) {
    if (arg.has_value()) return false;
    *result_listener << toString(arg.error().code) << " " << arg.error().message;
    return arg.error().code == code && arg.error().message == message;
}

}  // namespace nn
