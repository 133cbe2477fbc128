// Deadlines, and what ends a loop on the reference device: directly, and as a driver of 1.3,
// synchronous, asynchronous and fenced.
#include "driver/models.h"
#include "nnapi/driver/adapt.h"
#include "nnapi/driver/wrap.h"

namespace nn::quality_of_service_test {
namespace {

using testing::AnyOf;
using enum ErrorStatus;
using std::chrono::milliseconds;

const auto kMissed = AnyOf(MISSED_DEADLINE_TRANSIENT, MISSED_DEADLINE_PERSISTENT);

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
