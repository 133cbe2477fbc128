// What devices may do, and what they may not, where the reference does one thing alone.
#include <gtest/gtest.h>

#include <functional>

#include "nnapi/driver/default_execution.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/driver/reference.h"
#include "nnapi/testing/device_test.h"

namespace nn::device_permitted_test {
namespace {

using nn::testing::DeviceCase;
using nn::testing::DeviceOutcome;

// What a test changes of prepared models of the reference.
struct Changes {
    bool ignoresDeadlines = false;  // of fenced executions
    bool failsAtDeadlines = false;  // by another code than those of missed deadlines
    bool sharesPools = false;       // for inputs and outputs
};

class Changed final : public ForwardingPreparedModel {
   public:
    using Hints = std::vector<TokenValuePair>;
    using Prefixes = std::vector<ExtensionNameAndPrefix>;
    Changed(SharedPreparedModel inner, Changes changes)
        : ForwardingPreparedModel(std::move(inner)), mChanges(changes) {}

    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint& deadline,
                                      const OptionalDuration& loop, const Hints& hints,
                                      const Prefixes& prefixes) const override {
        const bool isShared =
                std::holds_alternative<MemoryDomainToken>(request.pools.back()) &&
                request.inputs[0].location.poolIndex == request.outputs[0].location.poolIndex;
        if (mChanges.sharesPools && isShared) return Executed{};
        return inner()->execute(request, measure, deadline, loop, hints, prefixes);
    }
    GeneralResult<ExecutedFenced> executeFenced(const Request& request,
                                                const std::vector<SyncFence>& waitFor,
                                                MeasureTiming measure,
                                                const OptionalTimePoint& deadline,
                                                const OptionalDuration& loop,
                                                const OptionalDuration& after, const Hints& hints,
                                                const Prefixes& prefixes) const override {
        auto executed =
                executeAfterFences(*this, request, waitFor, measure,
                                   mChanges.ignoresDeadlines ? OptionalTimePoint() : deadline, loop,
                                   after, hints, prefixes);
        if (!executed.has_value() && mChanges.failsAtDeadlines) return error() << "too late";
        return executed;
    }

   private:
    const Changes mChanges;
};

class ChangedDevice final : public ForwardingDevice {
   public:
    explicit ChangedDevice(Changes changes)
        : ForwardingDevice(referenceDevice()), mChanges(changes) {}

   protected:
    SharedPreparedModel wrapPreparedModel(SharedPreparedModel made) const override {
        return std::make_shared<const Changed>(std::move(made), mChanges);
    }
    SharedPreparedModel unwrapPreparedModel(SharedPreparedModel given) const override {
        return innerOf<Changed>(std::move(given));
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
         "MISSED_DEADLINE_PERSISTENT [rules 24, 199]"},
        {"memory/request/input_and_output", {}, "passed"},
        {"memory/request/input_and_output",
         {.sharesPools = true},
         "execute: succeeds, expected INVALID_ARGUMENT [rules 216, 217]"},
        {"memory/request/input_and_output_by_two_pools", {.sharesPools = true}, "passed"},
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
