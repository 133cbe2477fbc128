// Permitted and forbidden behavior of devices, where the reference has only one.
#include <gtest/gtest.h>

#include <atomic>

#include "device_test/cases/device_parts.h"
#include "nnapi/device_test/device_test.h"
#include "nnapi/driver/default_execution.h"
#include "nnapi/driver/reference.h"

namespace nn::device_permitted_test {
namespace {

using nn::testing::DeviceCase;
using nn::testing::DeviceOutcome;

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

}  // namespace
}  // namespace nn::device_permitted_test
