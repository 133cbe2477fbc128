// Deadlines, priorities and loop timeouts of the reference device: directly, and as a driver of
// 1.3, synchronous, asynchronous and fenced.
#include "driver/models.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/wrap.h"

namespace nn::quality_of_service_test {
namespace {

using testing::AnyOf;
using testing::ElementsAre;
using enum ErrorStatus;
using std::chrono::milliseconds;

const auto kMissed = AnyOf(MISSED_DEADLINE_TRANSIENT, MISSED_DEADLINE_PERSISTENT);
const auto kMissedOrDone = AnyOf(NONE, MISSED_DEADLINE_TRANSIENT, MISSED_DEADLINE_PERSISTENT);

struct DevicePath {
    const char* name;
    SharedDevice device;
};
std::vector<DevicePath> devicePaths() {
    const auto wrapped = [](bool synchronously) {
        return wrap("adapted", *hal::adapter::adapt(referenceDevice({.fencedThreads = 1})),
                    {.executeSynchronously = synchronously})
                .value();
    };
    return {{"Canonical", referenceDevice()},
            {"Synchronous", wrapped(true)},
            {"Asynchronous", wrapped(false)}};
}

// The caller of a driver may detect the missed deadline before the driver does.
testing::Matcher<ErrorStatus> missedBefore(const SharedDevice& device) {
    if (device->getName() == "adapted") return kMissed;
    return MISSED_DEADLINE_PERSISTENT;
}

// Rule deadline.arithmetic.
TEST(QualityOfService, Deadlines) {
    const TimePoint before = Clock::now();
    EXPECT_GE(makeDeadline(milliseconds(5)), before + milliseconds(5));
    EXPECT_EQ(makeDeadline(Duration::max()), TimePoint::max());
    EXPECT_LE(makeDeadline(Duration::min()), before);
    EXPECT_TRUE(hasDeadlinePassed(before)) << "now or later is past";
    EXPECT_TRUE(hasDeadlinePassed(TimePoint{}));
    EXPECT_FALSE(hasDeadlinePassed(makeDeadline(std::chrono::hours(1))));
    EXPECT_FALSE(hasDeadlinePassed(TimePoint::max()));
    EXPECT_FALSE(hasDeadlinePassed(std::nullopt));
}

// Rules deadline.preparation and deadline.past.
TEST(QualityOfService, Preparations) {
    const Model model = addition();
    for (const auto& [name, device] : devicePaths()) {
        const auto prepare = [device = device, &model](Priority priority,
                                                       OptionalTimePoint deadline) {
            return device->prepareModel(model, ExecutionPreference::DEFAULT, priority, deadline, {},
                                        {}, {}, {}, {});
        };
        const struct {
            const char* name;
            Priority priority;
            OptionalTimePoint deadline;
            testing::Matcher<ErrorStatus> code;
        } kRows[] = {
                {"Past", Priority::MEDIUM, TimePoint{}, missedBefore(device)},
                {"Now", Priority::MEDIUM, makeDeadline({}), kMissed},
                {"Soon", Priority::MEDIUM, makeDeadline(milliseconds(5)), kMissedOrDone},
                {"Never", Priority::MEDIUM, TimePoint::max(), NONE},
                {"Low", Priority::LOW, {}, NONE},
                {"High", Priority::HIGH, {}, NONE},
                {"BelowLow", Priority{-1}, {}, INVALID_ARGUMENT},
                {"AboveHigh", Priority{3}, {}, INVALID_ARGUMENT},
        };
        for (const auto& row : kRows) {
            const auto prepared = prepare(row.priority, row.deadline);
            EXPECT_THAT(codeOf(prepared), row.code) << name << " " << row.name;
            EXPECT_EQ(prepared.has_value() && *prepared != nullptr, codeOf(prepared) == NONE);
        }
    }
}

// Rules deadline.execution, deadline.past and deadline.errors.
TEST(QualityOfService, Executions) {
    for (const auto& [name, device] : devicePaths()) {
        const SharedPreparedModel model = prepareOn(*device, addition()).value();
        const struct {
            const char* name;
            OptionalTimePoint deadline;
            testing::Matcher<ErrorStatus> code;
        } kRows[] = {
                {"Past", TimePoint{}, missedBefore(device)},
                {"Now", makeDeadline({}), kMissed},
                {"Soon", makeDeadline(milliseconds(5)), kMissedOrDone},
                {"Never", TimePoint::max(), NONE},
        };
        for (const auto& row : kRows) {
            Sum sum;
            const auto executed =
                    model->execute(sum.request(), MeasureTiming::YES, row.deadline, {}, {}, {});
            EXPECT_THAT(codeOf(executed), row.code) << name << " " << row.name;
            if (executed.has_value()) {
                EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44)) << name << " " << row.name;
            }
        }
    }
}

// Rules deadline.between_operations and deadline.endless_loop: between the operations of a long
// execution, and in a loop without end.
TEST(QualityOfService, LoopsEnd) {
    for (const auto& [name, device] : devicePaths()) {
        const SharedPreparedModel model = prepareOn(*device, endlessLoop()).value();
        const struct {
            const char* name;
            OptionalTimePoint deadline;
            OptionalDuration loopTimeout;
        } kRows[] = {{"LoopTimeout", {}, milliseconds(1)},
                     {"Deadline", makeDeadline(milliseconds(20)), {}},
                     {"Both", makeDeadline(std::chrono::seconds(10)), milliseconds(1)}};
        for (const auto& row : kRows) {
            std::vector<float> in(1), out(1);
            const Request request{.inputs = {pointerTo(in)}, .outputs = {pointerTo(out)}};
            EXPECT_THAT(codeOf(model->execute(request, MeasureTiming::NO, row.deadline,
                                              row.loopTimeout, {}, {})),
                        kMissed)
                    << name << " " << row.name;
            const auto fenced = model->executeFenced(request, {}, MeasureTiming::NO, row.deadline,
                                                     row.loopTimeout, {}, {}, {});
            if (!fenced.has_value()) {
                EXPECT_THAT(codeOf(fenced), kMissed) << name << " " << row.name;
                continue;
            }
            EXPECT_EQ(fenced->first.syncWait(std::chrono::seconds(20)),
                      SyncFence::FenceState::ERROR)
                    << name << " " << row.name;
            EXPECT_THAT(codeOf(fenced->second()), kMissed) << name << " " << row.name;
        }
    }
}

}  // namespace
}  // namespace nn::quality_of_service_test
