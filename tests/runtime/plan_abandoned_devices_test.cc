// Abandoned devices that write their results when other executions use the memory.
#include <algorithm>

#include "device_test/cases/execution_paths.h"
#include "nnapi/memory.h"
#include "runtime/plan_models.h"

namespace nn::runtime::plan_late_test {
namespace {

using nn::testing::ExecutionPath;
using nn::testing::nameOf;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// The behavior of both devices of a plan.
struct Script {
    bool fails = false;      // A
    bool writesNow = false;  // A, before B executes
    std::vector<Request> failed{};
    // The memories held by the bursts of B.
    std::vector<SharedMemory> held{};
    std::vector<Request> executed{};

    Status begin(const std::string& name, const Request& request) {
        if (name == "A" && fails) {
            failed.push_back(request);
            return error() << "A is abandoned";
        }
        if (name == "A") return {};
        executed.push_back(request);
        return writesNow ? writeLate() : Status();
    }
    Status writeLate() const {
        for (const Request& request : failed) {
            for (const Request::Argument& output : request.outputs) {
                if (output.lifetime != Request::Argument::LifeTime::POOL) continue;
                const DataLocation& at = output.location;
                NNAPI_RETURN_IF_ERROR(
                        writeMemory(std::get<SharedMemory>(request.pools[at.poolIndex]), at.offset,
                                    std::vector<uint8_t>(at.length, 0x7F)));
            }
        }
        return {};
    }
};
using SharedScript = std::shared_ptr<Script>;

class ScriptedBurst final : public ForwardingBurst {
   public:
    ScriptedBurst(SharedBurst inner, SharedScript script, bool holds)
        : ForwardingBurst(std::move(inner)), mScript(std::move(script)), mHolds(holds) {}

    OptionalCacheHold cacheMemory(const SharedMemory& memory) const override {
        if (!mHolds) return nullptr;
        mScript->held.push_back(memory);
        return std::make_shared<const CacheHold>(
                [memory, script = mScript] { std::erase(script->held, memory); });
    }

   private:
    SharedScript mScript;
    bool mHolds;
};

SharedDevice scriptedDevice(const std::string& name, const SharedScript& script) {
    return fakes::hooked(
            referenceDevice(),
            {.execute = [=](const fakes::ExecutionCall& call,
                            const IPreparedModel& inner) -> ExecutionResult<Executed> {
                 NNAPI_RETURN_IF_ERROR(script->begin(name, call.request));
                 return call.on(inner);
             },
             .launch = [](const auto&...) -> fakes::Launched { return error() << "not here"; },
             .burst = [=](SharedBurst made) -> GeneralResult<SharedBurst> {
                 return SharedBurst(std::make_shared<const ScriptedBurst>(std::move(made), script,
                                                                          name == "B"));
             }});
}

// One plan, and one object that executes it repeatedly.
struct Lasting {
    Lasting(ExecutionPath path, const PlanOptions& options) {
        const auto plan = makePlan(
                sumTimes(), addAndMul(scriptedDevice("A", script), scriptedDevice("B", script)),
                options);
        prepared = (*plan)->preparedModel();
        if (path == ExecutionPath::REUSABLE) {
            execution = *prepared->createReusableExecution(values.request(), MeasureTiming::NO, {},
                                                           {}, {});
        }
        if (path == ExecutionPath::BURST) burst = *prepared->configureExecutionBurst();
    }

    ExecutionResult<Executed> once() {
        values.z = {0, 0, 0, 0};
        if (execution != nullptr) return execution->compute({});
        if (burst == nullptr) return execute(*prepared, values.request());
        return burst->execute(values.request(), MeasureTiming::NO, {}, {}, {}, {});
    }

    void computesAfterAFailure(std::string_view path) {
        script->fails = false;
        script->writesNow = true;
        for (int n = 0; n < 2; ++n) {
            const auto executed = once();
            ASSERT_TRUE(executed.has_value()) << executed.error().message;
            EXPECT_EQ(values.z, Floats::expected()) << path;
        }
    }

    SharedScript script = std::make_shared<Script>();
    Floats values{};
    SharedPreparedModel prepared{};
    SharedExecution execution{};
    SharedBurst burst{};
};

TEST(PlanLate, WritesToTheMemoryOfAFailureAlone) {
    for (const ExecutionPath path :
         {ExecutionPath::SYNC, ExecutionPath::REUSABLE, ExecutionPath::BURST}) {
        Lasting lasting(path, withoutFallback());
        Script& script = *lasting.script;
        script.fails = true;
        EXPECT_THAT(lasting.once(), FailsWithCode(ErrorStatus::GENERAL_FAILURE));
        ASSERT_NO_FATAL_FAILURE(lasting.computesAfterAFailure(nameOf(path)));
    }
}

// The CPU repeats the step that A fails, so the execution succeeds, whatever A writes meanwhile.
TEST(PlanLate, WritesToTheMemoryOfAFallbackAlone) {
    for (const ExecutionPath path :
         {ExecutionPath::SYNC, ExecutionPath::REUSABLE, ExecutionPath::BURST}) {
        Lasting lasting(path, {});
        Script& script = *lasting.script;
        script.fails = true;
        script.writesNow = true;
        ASSERT_TRUE(lasting.once().has_value());
        EXPECT_EQ(lasting.values.z, Floats::expected()) << nameOf(path);
        ASSERT_NO_FATAL_FAILURE(lasting.computesAfterAFailure(nameOf(path)));
        EXPECT_THAT(script.failed, SizeIs(1));
    }
}

// Bursts hold the memory in use, not the memory from before a failure.
TEST(PlanLate, BurstsHoldTheMemoryThatIsUsed) {
    Lasting lasting(ExecutionPath::BURST, withoutFallback());
    Script& script = *lasting.script;
    ASSERT_THAT(script.held, SizeIs(1));
    const SharedMemory first = script.held.front();
    script.fails = true;
    EXPECT_THAT(lasting.once(), FailsWithCode(ErrorStatus::GENERAL_FAILURE));
    script.fails = false;
    ASSERT_TRUE(lasting.once().has_value());
    ASSERT_THAT(script.held, SizeIs(1));
    const auto& pools = script.executed.back().pools;
    EXPECT_THAT(pools, Contains(Request::MemoryPool(script.held.front())));
    const SharedMemory kept = script.held.front();
    EXPECT_FALSE(kept == first);
    ASSERT_TRUE(lasting.once().has_value());
    EXPECT_EQ(script.held, std::vector{kept});
    lasting.burst = nullptr;
    EXPECT_THAT(script.held, IsEmpty());
}

}  // namespace
}  // namespace nn::runtime::plan_late_test
