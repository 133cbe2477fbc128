// Permitted and forbidden behavior of devices, where the reference has only one; and the rows of
// the catalog of bugs that are permitted.
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <future>
#include <latch>
#include <vector>

#include "device_test/bugs/bugs.h"
#include "device_test/cases/device_parts.h"
#include "device_test/cases/hidl_callbacks.h"
#include "device_test/cases/models.h"
#include "driver/models.h"
#include "in_threads.h"
#include "nnapi/convert.h"
#include "nnapi/device_test/device_test.h"
#include "nnapi/driver/default_execution.h"
#include "nnapi/driver/reference.h"
#include "nnapi/memory.h"

namespace nn::device_permitted_test {
namespace {

using bugs::Bug;
using nn::testing::DeviceCase;
using nn::testing::DeviceOutcome;
using nn::testing::endlessLoop;
using nn::testing::floatTensor;
using nn::testing::tensorOf;

// The changes of a test to prepared models of the reference.
struct Changes {
    bool ignoresDeadlines = false;  // of fenced executions
    bool failsAtDeadlines = false;  // by another code than those of missed deadlines
    bool sharesPools = false;       // for inputs and outputs
    bool isOftenBusy = false;       // fails every second execution for lack of resources
};

class Changed final : public parts::PreparedModelPart {
   public:
    Changed(SharedPreparedModel inner, Changes changes)
        : PreparedModelPart(std::move(inner)), mChanges(changes) {}

   protected:
    ExecutionResult<Executed> executeCall(const parts::ExecutionCall& call) const override {
        const Request& request = call.request;
        const bool isShared =
                std::holds_alternative<MemoryDomainToken>(request.pools.back()) &&
                request.inputs[0].location.poolIndex == request.outputs[0].location.poolIndex;
        if (mChanges.sharesPools && isShared) return Executed{};
        if (mChanges.isOftenBusy && ++mExecutions % 2 == 0) {
            return error(ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT) << "all cores are busy";
        }
        return PreparedModelPart::executeCall(call);
    }
    GeneralResult<ExecutedFenced> launchCall(const parts::ExecutionCall& call,
                                             const std::vector<SyncFence>& waitFor,
                                             const OptionalDuration& afterFences) const override {
        auto executed = executeAfterFences(
                *this, call.request, waitFor, call.measure,
                mChanges.ignoresDeadlines ? OptionalTimePoint() : call.deadline,
                call.loopTimeoutDuration, afterFences, call.hints, call.extensionNameToPrefix);
        if (!executed.has_value() && mChanges.failsAtDeadlines) return error() << "too late";
        return executed;
    }

   private:
    const Changes mChanges;
    mutable std::atomic<int> mExecutions = 0;
};

class ChangedDevice final : public parts::DevicePart {
   public:
    explicit ChangedDevice(Changes changes) : DevicePart(referenceDevice()), mChanges(changes) {}

   protected:
    SharedPreparedModel wrap(SharedPreparedModel made, const Model*) const override {
        return std::make_shared<const Changed>(std::move(made), mChanges);
    }

   private:
    const Changes mChanges;
};

struct Row {
    const char* name;  // of the case
    Changes changes;
    const char* outcome;
};

const Row kRows[] = {
        {"execution/fence_and_deadline", {}, "passed"},
        {"execution/fence_and_deadline", {.ignoresDeadlines = true}, "passed"},
        {"execution/fence_and_deadline",
         {.failsAtDeadlines = true},
         "executeFenced: GENERAL_FAILURE: too late, expected MISSED_DEADLINE_TRANSIENT or "
         "MISSED_DEADLINE_PERSISTENT [fenced.deadlines, fence.deadline]"},
        {"memory/request/input_and_output", {}, "passed"},
        {"memory/request/input_and_output",
         {.sharesPools = true},
         "execute: succeeds, expected INVALID_ARGUMENT [memory.in_request, "
         "memory.argument_location]"},
        {"memory/request/input_and_output_by_two_pools", {.sharesPools = true}, "passed"},
        // Only where calls meet.
        {"concurrency/one_model", {.isOftenBusy = true}, "passed"},
        {"concurrency/one_burst", {.isOftenBusy = true}, "passed"},
        {"concurrency/one_pool", {.isOftenBusy = true}, "passed"},
        {"execution/reusable_with_other_inputs",
         {.isOftenBusy = true},
         "compute with inputs times 2: RESOURCE_EXHAUSTED_TRANSIENT: all cores are busy "
         "[execution.result]"},
};

TEST(DeviceTestPermits, WhatTheHalPermitsAlone) {
    for (const Row& row : kRows) {
        SCOPED_TRACE(row.name);
        bool isFound = false;
        for (const DeviceCase& one : nn::testing::listCases()) {
            if (one.name != row.name) continue;
            isFound = true;
            const auto device = std::make_shared<const ChangedDevice>(row.changes);
            EXPECT_EQ(toString(nn::testing::runCase(device, one)), row.outcome);
        }
        EXPECT_TRUE(isFound);
    }
}

// ---- the permitted bugs of the catalog, except those of time

// Each must change a result that a client sees; scripts/bugs checks that the device test permits
// it.

// The first four bytes of the output for this input.
uint32_t outputOf(const SharedPreparedModel& prepared, std::vector<float> input) {
    uint32_t output = 0;
    const auto argument = [](void* bytes, size_t size) {
        return Request::Argument{
                .lifetime = Request::Argument::LifeTime::POINTER,
                .location = {.pointer = bytes, .length = static_cast<uint32_t>(size)}};
    };
    const Request request{.inputs = {argument(input.data(), input.size() * sizeof(float))},
                          .outputs = {argument(&output, sizeof(output))}};
    const auto executed = executeOn(*prepared, request);
    EXPECT_TRUE(executed.has_value()) << executed.error().message;
    return output;
}

TEST(PermittedRows, ChangeResults) {
    const struct {
        Bug bug;
        OperationType operation;
        std::vector<float> input;
        float second = 0;  // input of the others
    } kRows[] = {
            {Bug::flushes_subnormals, OperationType::MUL, {1e-20f}, 1e-20f},
            {Bug::nan_becomes_zero, OperationType::MAXIMUM, {std::nanf("")}, 5},
            {Bug::argmax_last, OperationType::ARGMAX, {5, 1, 5}},
    };
    for (const auto& row : kRows) {
        const bool isArgmax = row.operation == OperationType::ARGMAX;
        Model model;
        SubgraphBuilder main(model);
        std::vector<uint32_t> inputs{main.input(floatTensor({uint32_t(row.input.size())}))};
        inputs.push_back(isArgmax ? main.scalar(0)
                                  : main.constant<float>(floatTensor({1}), {row.second}));
        if (row.operation == OperationType::MUL) inputs.push_back(main.scalar(0));
        Operand output = floatTensor({1});
        if (isArgmax) output.type = OperandType::TENSOR_INT32;
        main.add(row.operation, std::move(inputs), {main.output(std::move(output))});
        model.main = std::move(main.graph);
        const auto without = prepareOn(*bugs::canonicalDriver(Bug::none), model);
        const auto with = prepareOn(*bugs::canonicalDriver(row.bug), model);
        EXPECT_NE(outputOf(*without, row.input), outputOf(*with, row.input))
                << bugs::rowOf(row.bug).name;
    }
}

TEST(PermittedRows, ReadConstantsAtEachExecution) {
    const SharedMemory pool = createSharedMemory(sizeof(float)).value();
    Model model;
    SubgraphBuilder main(model);
    const auto x = main.input(floatTensor({1})), y = main.temporary(floatTensor({1}));
    main.graph.operands[y].lifetime = Operand::LifeTime::CONSTANT_REFERENCE;
    main.graph.operands[y].location = {.poolIndex = 0, .length = sizeof(float)};
    main.add(OperationType::ADD, {x, y, main.scalar(0)}, {main.output(floatTensor({1}))});
    model.main = std::move(main.graph);
    model.pools = {pool};
    for (const Bug bug : {Bug::none, Bug::keeps_constant_pointer}) {
        (void)writeMemory(pool, 0, tensorOf({1}, std::vector<float>{1}).data);
        const auto prepared = prepareOn(*bugs::canonicalDriver(bug), model);
        (void)writeMemory(pool, 0, tensorOf({1}, std::vector<float>{2}).data);
        EXPECT_EQ(std::bit_cast<float>(outputOf(*prepared, {1})), bug == Bug::none ? 2 : 3);
    }
}

// Of endlessLoop().
Request loopRequest() {
    return {.inputs = {{.location = {.offset = 0, .length = 4}}},
            .outputs = {{.location = {.offset = 32, .length = 4}}},
            .pools = {createSharedMemory(64).value()}};
}

TEST(PermittedRows, AreBusyWhereMoreThanFourMeet) {
    for (const Bug bug : {Bug::none, Bug::busy_when_concurrent}) {
        const auto prepared = prepareOn(*bugs::canonicalDriver(bug), endlessLoop());
        const Request request = loopRequest();
        std::atomic<int> busy = 0;
        std::latch start(8);
        inThreads(8, [&](int) {
            start.arrive_and_wait();
            const auto executed = (*prepared)->execute(request, MeasureTiming::NO, {},
                                                       std::chrono::milliseconds(300), {}, {});
            busy += executed.error().code == ErrorStatus::RESOURCE_EXHAUSTED_TRANSIENT ? 1 : 0;
        });
        EXPECT_EQ(busy != 0, bug == Bug::busy_when_concurrent);
    }
}

struct Preparation final : parts::PreparationCallback<Preparation> {
    hidl::Return<void> notified(HalVersion, auto, const hidl::sp<V1_0::IPreparedModel>& given) {
        model.set_value(given);
        return hidl::Void();
    }
    std::promise<hidl::sp<V1_0::IPreparedModel>> model{};
};
struct Execution final : parts::ExecutionCallback<Execution> {
    hidl::Return<void> notified(HalVersion, auto, const Shapes&, const V1_2::Timing&) {
        end.set_value();
        return hidl::Void();
    }
    std::promise<void> end{};
};

TEST(PermittedRows, NotifyBeforeTheCallReturns) {
    for (const Bug bug : {Bug::none, Bug::notifies_before_return}) {
        const auto driver = hidl::sp<V1_3::IDevice>(V1_3::IDevice::castFrom(bugs::hidlDriver(bug)));
        const auto preparation = hidl::sp<Preparation>::make();
        (void)driver->prepareModel_1_3(*V1_3::utils::convert(endlessLoop()),
                                       V1_1::ExecutionPreference::FAST_SINGLE_ANSWER,
                                       V1_3::Priority::MEDIUM, {}, {}, {}, {}, preparation);
        const auto prepared = hidl::sp<V1_3::IPreparedModel>(
                V1_3::IPreparedModel::castFrom(preparation->model.get_future().get()));
        V1_3::OptionalTimeoutDuration timeout;
        timeout.nanoseconds(100'000'000);
        const auto execution = hidl::sp<Execution>::make();
        (void)prepared->execute_1_3(*V1_3::utils::convert(loopRequest()), V1_2::MeasureTiming::NO,
                                    {}, timeout, execution);
        std::future<void> end = execution->end.get_future();
        const bool hasEnded = end.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
        EXPECT_EQ(hasEnded, bug == Bug::notifies_before_return);
        end.get();
    }
}

}  // namespace
}  // namespace nn::device_permitted_test
