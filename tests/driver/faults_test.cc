// Random sequences of calls to drivers with faults, against the model of faults_model.h.
//
// NNAPI_PROPERTY_CASES is how many sequences there are, NNAPI_PROPERTY_SEED where they start. A
// sequence that fails is made shorter, as long as it fails, and printed.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <sstream>

#include "driver/faults_model.h"
#include "nnapi/driver/resilient.h"

namespace nn::driver_faults {
namespace {

using hal::utils::ResilientDevice;
using std::chrono::milliseconds;

uint64_t fromEnvironment(const char* name, uint64_t fallback) {
    const char* value = std::getenv(name);
    return value == nullptr ? fallback : std::strtoull(value, nullptr, 10);
}

// ---- sequences

enum class Resilience { NONE, PLAIN, WRAPPING };

struct Config {
    HalVersion version{};
    bool isSynchronous = false;
    bool isImpatient = false;  // a ceiling that is soon reached; else one that must not be
    Executors executors{};
    Resilience resilience{};
    int threads = 1;
    bool outlives = false;  // what is late comes when all objects of the client are gone

    Duration ceiling() const {
        return isImpatient ? Duration(milliseconds(15)) : Duration(std::chrono::seconds(30));
    }
};

struct Step {
    Op op{};
    const Row* row = nullptr;  // the fault, or none
    uint32_t where = NOWHERE;  // the call that has it
    int32_t code = 1;
    int skip = 0;
    Deadline deadline{};
    WaitFor waitFor{};
    bool hasPointers = true;
    bool isMeasured = false;
    bool hasCache = false;
    bool doesLate = false;    // what nobody does in time is done later, or never
    bool endsAtOnce = false;  // later: right after the call, or at the end
    Fault factory = Fault::NONE;
    uint32_t target = 0;
    int thread = 0;
};

std::string describe(const Config& config) {
    std::ostringstream text;
    text << "HAL 1." << static_cast<int>(config.version) - static_cast<int>(HalVersion::V1_0)
         << (config.isSynchronous ? ", synchronous" : ", with callbacks")
         << (config.isImpatient ? ", impatient" : "") << ", executor "
         << std::array{"OWN", "INLINE", "THREADS"}[int(config.executors)] << ", resilience "
         << std::array{"NONE", "PLAIN", "WRAPPING"}[int(config.resilience)]
         << (config.outlives ? ", outlives" : "") << ", " << config.threads << " threads";
    return text.str();
}

std::string describe(const Step& step) {
    std::ostringstream text;
    text << kOps[int(step.op)] << " of " << step.target;
    if (step.row != nullptr)
        text << ", " << step.row->name << " in " << step.where << " (rules " << step.row->rules
             << ")";
    text << ", code " << step.code << ", skip " << step.skip << ", deadline "
         << kDeadlines[int(step.deadline)] << ", waitFor " << int(step.waitFor)
         << (step.hasPointers ? ", pointers" : ", pools") << (step.isMeasured ? ", measured" : "")
         << (step.hasCache ? ", cache" : "") << (step.doesLate ? ", late" : "")
         << (step.endsAtOnce ? ", at once" : "") << ", factory " << int(step.factory) << ", thread "
         << step.thread;
    return text.str();
}

class Dice {
   public:
    explicit Dice(uint64_t seed) : mRandom(seed) {}
    uint32_t below(uint32_t most) { return static_cast<uint32_t>(mRandom() % most); }
    bool oneIn(uint32_t n) { return below(n) == 0; }
    template <class T, size_t N>
    const T& of(const T (&all)[N]) {
        return all[below(N)];
    }

   private:
    std::mt19937_64 mRandom;
};

Config randomConfig(Dice& dice) {
    Config config;
    config.version = dice.of({HalVersion::V1_0, HalVersion::V1_1, HalVersion::V1_2,
                              HalVersion::V1_3, HalVersion::V1_3, HalVersion::V1_3});
    config.isSynchronous = dice.oneIn(2);
    config.isImpatient = dice.oneIn(3);
    config.executors =
            dice.of({Executors::OWN, Executors::INLINE, Executors::THREADS, Executors::THREADS});
    config.resilience = dice.of({Resilience::NONE, Resilience::NONE, Resilience::PLAIN,
                                 Resilience::WRAPPING, Resilience::WRAPPING});
    config.outlives = dice.oneIn(3);
    config.threads = dice.oneIn(4) ? 2 + static_cast<int>(dice.below(2)) : 1;
    return config;
}

Step randomStep(const Config& config, Dice& dice) {
    Step step;
    step.op = dice.of({Op::SUPPORT,
                       Op::WAIT,
                       Op::PREPARE,
                       Op::PREPARE,
                       Op::PREPARE,
                       Op::PREPARE,
                       Op::EXECUTE,
                       Op::EXECUTE,
                       Op::EXECUTE,
                       Op::EXECUTE,
                       Op::COMPUTE,
                       Op::COMPUTE,
                       Op::COMPUTE,
                       Op::MAKE_EXECUTION,
                       Op::FENCED,
                       Op::FENCED,
                       Op::COMPUTE_FENCED,
                       Op::MAKE_BURST,
                       Op::BURST,
                       Op::BURST,
                       Op::ALLOCATE,
                       Op::COPY,
                       Op::CREATE,
                       Op::DROP,
                       Op::DIE,
                       Op::PREPARE_FROM_CACHE});
    if (step.op == Op::DIE && !dice.oneIn(4)) step.op = Op::EXECUTE;
    step.deadline = dice.of({Deadline::NONE, Deadline::NONE, Deadline::NONE, Deadline::MAX,
                             Deadline::FAR, Deadline::NEAR, Deadline::PAST});
    step.hasPointers = dice.oneIn(2);
    step.isMeasured = dice.oneIn(2);
    step.hasCache = dice.oneIn(4);
    step.doesLate = dice.oneIn(2);
    step.endsAtOnce = dice.oneIn(2);
    step.target = dice.below(64);
    step.thread = static_cast<int>(dice.below(static_cast<uint32_t>(config.threads)));
    step.waitFor = dice.oneIn(2) ? WaitFor::NOTHING
                                 : dice.of({WaitFor::SIGNALLED, WaitFor::EMPTY, WaitFor::FAILED});
    if (step.op == Op::CREATE) {
        step.skip = static_cast<int>(dice.below(6));
        step.code = dice.of({1, 2, 3, 4, 77});
    } else {
        step.code = dice.of({1, 2, 3, 4, 5, 6, 7, 8, 9, 77, 10000});
    }
    if (dice.oneIn(6)) {
        step.factory = dice.of({Fault::FACTORY_FAILS, Fault::FACTORY_NULL, Fault::FACTORY_THROWS,
                                Fault::FACTORY_OTHER});
    }
    if (!dice.oneIn(3)) {
        std::vector<const Row*> fitting;
        for (const Row& row : kRows) {
            if ((row.where & callsOf(step.op)) != 0) fitting.push_back(&row);
        }
        if (!fitting.empty()) {
            step.row = fitting[dice.below(static_cast<uint32_t>(fitting.size()))];
        }
    }
    step.where = callsOf(step.op);
    if (step.row != nullptr) {
        step.where &= step.row->where;
        if (config.version >= HalVersion::V1_2 && (step.where & MEMORIES) != 0)
            step.where = MEMORIES;
        if (step.where == (FENCED | INFO)) step.where = dice.oneIn(3) ? INFO : FENCED;
        // Resilient devices prepare such a model again by another version.
        if (step.row->fault == Fault::OLD_PREPARED_MODEL &&
            config.resilience == Resilience::WRAPPING) {
            step.row = nullptr;
        } else if ((waits(*step.row) || step.row->fault == Fault::STATUS_KEPT) &&
                   (!config.isImpatient || step.deadline == Deadline::FAR)) {
            step.deadline = Deadline::NEAR;
        }
    }
    return step;
}

// ---- what a step does

// z = x + y with values of its own, in the caller's memory or in a pool.
class Values {
   public:
    explicit Values(bool hasPointers) : mHasPointers(hasPointers) {
        if (!hasPointers) mPool = createSharedMemory(size_t{3} * kBytes).value();
    }
    bool hasPointers() const { return mHasPointers; }

    void set(float first) {
        for (size_t i = 0; i < 4; ++i) {
            mX[i] = first + static_cast<float>(i);
            mY[i] = 10 * static_cast<float>(i + 1);
            mZ[i] = kUntouched;
        }
        if (mHasPointers) return;
        put(0, mX);
        put(1, mY);
        put(2, mZ);
    }
    Request request() {
        if (mHasPointers) {
            return {.inputs = {pointerTo(mX), pointerTo(mY)},
                    .outputs = {pointerTo(mZ)},
                    .pools = {}};
        }
        const auto at = [](uint32_t index) {
            return Request::Argument{.location = {.offset = index * kBytes, .length = kBytes}};
        };
        return {.inputs = {at(0), at(1)}, .outputs = {at(2)}, .pools = {mPool}};
    }
    bool isRight() {
        read();
        for (size_t i = 0; i < 4; ++i) {
            if (mZ[i] != mX[i] + mY[i]) return false;
        }
        return true;
    }
    bool isUntouched() {
        read();
        return std::all_of(mZ.begin(), mZ.end(), [](float z) { return z == kUntouched; });
    }
    std::string text() const {
        return "z = " + std::to_string(mZ[0]) + ", x + y = " + std::to_string(mX[0] + mY[0]);
    }

   private:
    static constexpr uint32_t kBytes = 16;
    static constexpr float kUntouched = -1;

    void put(size_t index, std::vector<float>& values) {
        EXPECT_TRUE(writeMemory(mPool, index * kBytes,
                                {reinterpret_cast<const uint8_t*>(values.data()), kBytes})
                            .ok());
    }
    void read() {
        if (mHasPointers) return;
        EXPECT_TRUE(readMemory(mPool, size_t{2} * kBytes,
                               {reinterpret_cast<uint8_t*>(mZ.data()), kBytes})
                            .ok());
    }

    bool mHasPointers;
    std::vector<float> mX = std::vector<float>(4);
    std::vector<float> mY = std::vector<float>(4);
    std::vector<float> mZ = std::vector<float>(4);
    SharedMemory mPool{};
};

struct ModelSlot {
    SharedPreparedModel object{};
    HalVersion version{};
    SharedChain chain{};  // of the driver that has it, unless it recovers
    bool isInvalid = false;
};
struct BufferSlot {
    SharedBuffer object{};
    SharedChain chain{};
    bool isInvalid = false;
};
struct ExecutionSlot {
    SharedExecution object{};
    std::shared_ptr<Values> values{};
    bool isMeasured = false;
    ModelSlot model{};
};
struct BurstSlot {
    SharedBurst object{};
    SharedCell cell{};
    ModelSlot model{};
};

size_t entriesOf(const char* directory) {
    size_t count = 0;
    std::error_code error;
    for (auto it = std::filesystem::directory_iterator(directory, error);
         !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
        ++count;
    }
    return count;
}

// How often each row of the model was met.
struct Coverage {
    std::array<std::atomic<uint64_t>, std::size(kRows)> fired{};
    std::array<std::atomic<uint64_t>, 4> factories{};
    std::atomic<uint64_t> successes{0};
    std::atomic<uint64_t> failures{0};
};
Coverage& coverage() {
    static Coverage coverage;
    return coverage;
}

class Run {
   public:
    explicit Run(const Config& config) : mConfig(config) {}

    // What was not as it must be; empty where all was.
    std::string run(const std::vector<Step>& steps) {
        const size_t files = entriesOf("/proc/self/fd");
        const size_t threads = entriesOf("/proc/self/task");
        if (const std::string wrong = open(); !wrong.empty()) return wrong;
        if (mConfig.threads == 1) {
            work(steps, 0);
        } else {
            std::vector<std::thread> workers;
            for (int i = 0; i < mConfig.threads; ++i) {
                workers.emplace_back([&, i] { work(steps, i); });
            }
            for (std::thread& worker : workers) worker.join();
        }
        if (!mConfig.outlives) finishPlans();
        close();
        finishPlans();
        checkThatNothingIsLeft(files, threads);
        std::string wrong;
        for (const std::string& violation : mScene->violations()) wrong += violation + "\n";
        return wrong;
    }

   private:
    // Of one thread.
    struct Mine {
        std::vector<ExecutionSlot> executions{};
        std::vector<BurstSlot> bursts{};
        float next = 0;
    };
    // How a call ended.
    struct Ended {
        bool success = false;
        ErrorStatus code = ErrorStatus::NONE;
        std::string message{};
        TimePoint start{};
        TimePoint end{};
    };

    bool recoversDevice() const { return mConfig.resilience != Resilience::NONE; }
    bool recoversResults() const { return mConfig.resilience == Resilience::WRAPPING; }
    bool isAlone() const { return mConfig.threads == 1; }

    // ---- devices

    GeneralResult<SharedDevice> wrap(const Driver& driver) const {
        const WrapOptions options{.ceiling = mConfig.ceiling(),
                                  .executeSynchronously = mConfig.isSynchronous};
        switch (mConfig.version) {
            case HalVersion::V1_0:
                return V1_0::utils::Device::create("faulty", driver.device, options);
            case HalVersion::V1_1:
                return V1_1::utils::Device::create("faulty", driver.device, options);
            case HalVersion::V1_2:
                return V1_2::utils::Device::create("faulty", driver.device, options);
            case HalVersion::V1_3:
                return V1_3::utils::Device::create("faulty", driver.device, options);
            default:
                break;
        }
        return error() << "no such version";
    }

    GeneralResult<SharedDevice> make(const std::string& versionString = "1") {
        const Driver driver = makeDriver(mScene, mConfig.executors, versionString);
        const Planned unplanned(nullptr);
        auto device = wrap(driver);
        const std::lock_guard lock(mMutex);
        mChain = driver.chain;
        return device;
    }

    GeneralResult<SharedDevice> makeAgain() {
        const SharedPlan plan = current().plan;
        // Versions before 1.2 say no version string, so that no other device can be told.
        const bool isOther = plan != nullptr && plan->factory == Fault::FACTORY_OTHER &&
                             mConfig.version >= HalVersion::V1_2;
        const bool isPlanned = plan != nullptr && plan->factory != Fault::NONE &&
                               (isOther || plan->factory != Fault::FACTORY_OTHER);
        if (!isPlanned || plan->factoryFired.exchange(true)) return make();
        switch (plan->factory) {
            case Fault::FACTORY_NULL:
                return SharedDevice();
            case Fault::FACTORY_THROWS:
                throw std::runtime_error("the factory throws");
            case Fault::FACTORY_OTHER:
                mIsInvalid = true;
                return make("2");
            default:
                return error(ErrorStatus::DEVICE_UNAVAILABLE) << "no driver";
        }
    }

    std::string open() {
        GeneralResult<SharedDevice> device;
        if (recoversDevice()) {
            auto resilient = ResilientDevice::create(
                    [this](bool isFirst) { return isFirst && !mIsOpen ? make() : makeAgain(); },
                    {.wrapResults = recoversResults()});
            if (!resilient.has_value()) return "no device: " + resilient.error().message;
            device = SharedDevice(*std::move(resilient));
        } else {
            device = make();
        }
        mIsOpen = true;
        if (!device.has_value()) return "no device: " + device.error().message;
        mDevice = *std::move(device);
        auto model = prepareOn(*mDevice, addition());
        if (!model.has_value()) return "no prepared model: " + model.error().message;
        mModels.push_back({*std::move(model), modelVersion(), chain()});
        return {};
    }

    // The driver is dead for good: go on with another one.
    void reopen(Mine& mine) {
        mine.executions.clear();
        mine.bursts.clear();
        mModels.clear();
        mBuffers.clear();
        mDevice.reset();
        if (const std::string wrong = open(); !wrong.empty()) mScene->accuse(wrong);
    }

    HalVersion modelVersion() const {
        return mConfig.version == HalVersion::V1_1 ? HalVersion::V1_0 : mConfig.version;
    }
    SharedChain chain() {
        const std::lock_guard lock(mMutex);
        return mChain;
    }

    // ---- steps

    void work(const std::vector<Step>& steps, int thread) {
        Mine mine;
        mine.next = 100.f * static_cast<float>(thread + 1);
        for (size_t i = 0; i < steps.size(); ++i) {
            if (steps[i].thread != thread) continue;
            if (mConfig.resilience == Resilience::NONE && isAlone() && chain()->isDead() &&
                steps[i].target % 3 != 0) {
                reopen(mine);
            }
            perform(steps[i], i, mine);
            if (!mScene->violations().empty()) break;
        }
        mine.executions.clear();
        mine.bursts.clear();
    }

    template <class Slot>
    std::optional<Slot> pick(const std::vector<Slot>& slots, uint32_t target) {
        const std::lock_guard lock(mMutex);
        if (slots.empty()) return std::nullopt;
        return slots[target % slots.size()];
    }

    OptionalTimePoint deadlineOf(const Step& step) const {
        switch (step.deadline) {
            case Deadline::NONE:
                return std::nullopt;
            case Deadline::MAX:
                return TimePoint::max();
            case Deadline::FAR:
                return Clock::now() + std::chrono::seconds(30);
            case Deadline::NEAR:
                return Clock::now() + milliseconds(8);
            case Deadline::PAST:
                return Clock::now() - milliseconds(1);
        }
        return std::nullopt;
    }

    static Ended endOf(const Status& status) {
        return {.success = status.ok(),
                .code = errorStatus(status),
                .message = std::string(status.message())};
    }

    void perform(const Step& step, size_t index, Mine& mine);
    void judge(const Step& step, size_t index, Question question, const Plan& plan,
               const Ended& ended, const OptionalTimePoint& deadline, const SharedChain& before);
    void accuse(const Step& step, size_t index, const std::string& what) {
        mScene->accuse("step " + std::to_string(index) + ", " + describe(step) + ":\n  " + what);
    }

    // What an execution answered: values, shapes and timing.
    void check(const Step& step, size_t index, const ExecutionResult<Executed>& executed,
               Values& values, bool isMeasured) {
        if (executed.has_value()) {
            const auto& [shapes, timing] = *executed;
            if (!values.isRight()) accuse(step, index, "a success with " + values.text());
            const bool isComplete =
                    shapes.empty() ||
                    shapes == std::vector<OutputShape>{{.dimensions = {4}, .isSufficient = true}};
            if (!isComplete) accuse(step, index, "rule 14: wrong shapes of a success");
            if (!isMeasured && timing != Timing{}) accuse(step, index, "rule 18: timing unasked");
            return;
        }
        const ExecutionError failure = executed.error();
        const bool isTooSmall = failure.code == ErrorStatus::OUTPUT_INSUFFICIENT_SIZE;
        if (!isTooSmall && !failure.outputShapes.empty()) {
            accuse(step, index, "rule 16: shapes of a failure");
        }
        if (isTooSmall && step.row != nullptr && step.row->fault == Fault::TOO_SMALL &&
            (failure.outputShapes.size() != 1 || failure.outputShapes[0].isSufficient)) {
            accuse(step, index, "rule 15: wrong shapes of OUTPUT_INSUFFICIENT_SIZE");
        }
        if (values.hasPointers() && !values.isUntouched()) {
            accuse(step, index, "rule 82: outputs written by a failure, " + values.text());
        }
    }

    std::vector<SyncFence> fencesOf(WaitFor waitFor) {
        if (waitFor == WaitFor::NOTHING) return {};
        if (waitFor == WaitFor::EMPTY) return {SyncFence::createAsSignaled()};
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) return {};
        UniqueFd writer(ends[1]);
        if (waitFor == WaitFor::SIGNALLED) (void)!write(writer.get(), "x", 1);
        return {SyncFence::create(UniqueFd(ends[0]))};
    }

    // What a fenced execution answered.
    void checkFence(const Step& step, size_t index, const SyncFence& fence, const Plan& plan,
                    Values& values) {
        using State = SyncFence::FenceState;
        const bool isNever = plan.fired && plan.fault == Fault::FENCE_NEVER;
        const bool isFailed = plan.fired && plan.fault == Fault::FENCE_FAILS;
        const State state = fence.syncWait(isNever ? Duration::zero() : std::chrono::seconds(20));
        const State wanted = isNever ? State::ACTIVE : isFailed ? State::ERROR : State::SIGNALED;
        if (state != wanted) {
            accuse(step, index, "rule 92: the fence is in state " + std::to_string(int(state)));
        }
        if (wanted == State::SIGNALED && !values.isRight()) {
            accuse(step, index, "a success with " + values.text());
        }
    }

    static bool hasQueues(const ModelSlot& slot) { return slot.version >= HalVersion::V1_2; }

    void drop(uint32_t target, Mine& mine) {
        const auto from = [&](auto& slots) {
            if (!slots.empty()) {
                slots.erase(slots.begin() + static_cast<ptrdiff_t>(target % slots.size()));
            }
        };
        if (target % 4 == 2) return from(mine.executions);
        if (target % 4 == 3) return from(mine.bursts);
        std::optional<ModelSlot> model;  // released without the lock
        std::optional<BufferSlot> buffer;
        const std::lock_guard lock(mMutex);
        if (target % 4 == 0 && mModels.size() > 1) {
            model = mModels[target % mModels.size()];
            from(mModels);
        } else if (target % 4 == 1 && !mBuffers.empty()) {
            buffer = mBuffers[target % mBuffers.size()];
            from(mBuffers);
        }
    }

    // ---- the end

    void finishPlans() {
        std::vector<std::pair<SharedPlan, bool>> plans;
        {
            const std::lock_guard lock(mMutex);
            plans.swap(mPlans);
        }
        for (const auto& [plan, doesLate] : plans) plan->finish(doesLate);
    }

    void close() {
        mModels.clear();
        mBuffers.clear();
        mDevice.reset();
        const std::lock_guard lock(mMutex);
        mChain.reset();
    }

    void checkThatNothingIsLeft(size_t files, size_t threads) {
        const TimePoint end = Clock::now() + std::chrono::seconds(20);
        // Threads that a driver owns may be about to end.
        const auto left = [&]() -> std::string {
            if (const int living = mScene->living; living != 0) {
                return "rules 33, 100: " + std::to_string(living) + " objects live";
            }
            if (const size_t now = entriesOf("/proc/self/fd"); now > files) {
                return "rule 79: " + std::to_string(now - files) + " descriptors are left";
            }
            if (const size_t now = entriesOf("/proc/self/task"); now > threads) {
                return "rule 101: " + std::to_string(now - threads) + " threads are left";
            }
            return {};
        };
        std::string last = left();
        while (!last.empty() && Clock::now() < end) {
            std::this_thread::sleep_for(milliseconds(1));
            last = left();
        }
        if (!last.empty()) mScene->accuse(last);
    }

    const Config mConfig;
    const SharedScene mScene = std::make_shared<Scene>();
    bool mIsOpen = false;
    std::atomic<bool> mIsInvalid{false};
    SharedDevice mDevice{};

    std::mutex mMutex{};  // of what follows
    SharedChain mChain{};
    std::vector<ModelSlot> mModels{};
    std::vector<BufferSlot> mBuffers{};
    std::vector<std::pair<SharedPlan, bool>> mPlans{};  // whose late work is to come, or never
};

void Run::perform(const Step& step, size_t index, Mine& mine) {
    const auto plan = std::make_shared<Plan>();
    plan->fault = step.row == nullptr ? Fault::NONE : step.row->fault;
    plan->where = step.where;
    plan->factory = step.factory;
    plan->code = step.code;
    plan->skip = step.skip;
    plan->slow = milliseconds(25);
    const SharedChain before = chain();
    Question question{.op = step.op,
                      .version = mConfig.version,
                      .deadline = step.deadline,
                      .hasPointers = step.hasPointers,
                      .waitFor = step.waitFor,
                      .wasDead = before->isDead(),
                      .recovers = recoversDevice(),
                      .isInvalid = mIsInvalid};
    const auto askOf = [&](const auto& slot) {
        question.recovers = recoversResults();
        // One that recovers may have done so already.
        question.wasDead = slot.chain->isDead() || (recoversResults() && before->isDead());
        question.isInvalid = slot.isInvalid || (recoversResults() && mIsInvalid);
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(slot)>, ModelSlot>) {
            question.version = slot.version;
        }
    };
    const MeasureTiming measure = step.isMeasured ? MeasureTiming::YES : MeasureTiming::NO;
    const OptionalTimePoint deadline = deadlineOf(step);
    std::optional<Ended> ended;
    // Calls with the plan, and notes how that ended.
    const auto call = [&](const auto& function, const SharedCell& cell = nullptr) {
        const Planned planned(plan, NOWHERE, cell);
        const TimePoint start = Clock::now();
        auto result = function();
        ended = endOf(result.status());
        ended->start = start;
        ended->end = Clock::now();
        return result;
    };

    switch (step.op) {
        case Op::SUPPORT: {
            const auto supported =
                    call([&] { return mDevice->getSupportedOperations(addition()); });
            if (supported.has_value() && *supported != std::vector<bool>{true}) {
                accuse(step, index, "rule 7: other operations are supported");
            }
            break;
        }
        case Op::WAIT: {
            (void)call([&] { return mDevice->wait(); });
            break;
        }
        case Op::PREPARE:
        case Op::PREPARE_FROM_CACHE: {
            std::vector<SharedHandle> files;
            if (step.hasCache || step.op == Op::PREPARE_FROM_CACHE) {
                files.push_back(std::make_shared<const Handle>(
                        UniqueFd(memfd_create("cache", MFD_CLOEXEC))));
            }
            auto prepared = call([&] {
                if (step.op == Op::PREPARE_FROM_CACHE) {
                    return mDevice->prepareModelFromCache(deadline, files, {}, {});
                }
                return mDevice->prepareModel(addition(), ExecutionPreference::DEFAULT,
                                             Priority::DEFAULT, deadline, files, {}, {}, {}, {});
            });
            if (!prepared.has_value()) break;
            HalVersion version = modelVersion();
            if (plan->fired && plan->fault == Fault::OLD_PREPARED_MODEL) {
                version =
                        std::min(version, step.code % 2 == 0 ? HalVersion::V1_0 : HalVersion::V1_2);
            }
            const SharedChain server = plan->server();
            const std::lock_guard lock(mMutex);
            mModels.push_back({*std::move(prepared), version, server != nullptr ? server : mChain,
                               mIsInvalid});
            break;
        }
        case Op::EXECUTE: {
            const auto slot = pick(mModels, step.target);
            if (!slot) break;
            askOf(*slot);
            Values values(step.hasPointers);
            values.set(++mine.next);
            const Request request = values.request();
            const auto executed = call(
                    [&] { return slot->object->execute(request, measure, deadline, {}, {}, {}); });
            check(step, index, executed, values, step.isMeasured);
            break;
        }
        case Op::MAKE_EXECUTION: {
            const auto slot = pick(mModels, step.target);
            if (!slot) break;
            askOf(*slot);
            auto values = std::make_shared<Values>(step.hasPointers);
            const Request request = values->request();
            auto execution = call([&] {
                return slot->object->createReusableExecution(request, measure, {}, {}, {});
            });
            if (execution.has_value()) {
                mine.executions.push_back(
                        {*std::move(execution), std::move(values), step.isMeasured, *slot});
            }
            break;
        }
        case Op::COMPUTE: {
            if (mine.executions.empty()) break;
            ExecutionSlot& slot = mine.executions[step.target % mine.executions.size()];
            askOf(slot.model);
            question.hasPointers = slot.values->hasPointers();
            slot.values->set(++mine.next);
            const auto executed = call([&] { return slot.object->compute(deadline); });
            check(step, index, executed, *slot.values, slot.isMeasured);
            break;
        }
        case Op::FENCED:
        case Op::COMPUTE_FENCED: {
            std::shared_ptr<Values> values;
            std::optional<ModelSlot> model;
            SharedExecution execution;
            bool isMeasured = step.isMeasured;
            if (step.op == Op::FENCED) {
                model = pick(mModels, step.target);
                values = std::make_shared<Values>(step.hasPointers);
            } else if (!mine.executions.empty()) {
                const ExecutionSlot& slot = mine.executions[step.target % mine.executions.size()];
                model = slot.model;
                values = slot.values;
                execution = slot.object;
                isMeasured = slot.isMeasured;
            }
            if (!model) break;
            askOf(*model);
            question.hasPointers = values->hasPointers();
            values->set(++mine.next);
            const Request request = values->request();
            const std::vector<SyncFence> fences = fencesOf(step.waitFor);
            const auto launched = call([&] {
                if (execution != nullptr) return execution->computeFenced(fences, deadline, {});
                return model->object->executeFenced(request, fences, measure, deadline, {}, {}, {},
                                                    {});
            });
            if (!launched.has_value()) {
                if (values->hasPointers() && !values->isUntouched()) {
                    accuse(step, index, "rule 82: outputs written by a failure, " + values->text());
                }
                break;
            }
            checkFence(step, index, launched->first, *plan, *values);
            const bool isOfInfo = step.where == INFO && step.row != nullptr;
            const Ended launch = *ended;
            const auto info = call(launched->second);
            if (!isOfInfo || !plan->fired) {
                ended = launch;
            } else {
                question.recovers = false;  // what was launched is not repeated
                question.wasDead = false;
                question.deadline = Deadline::NONE;
                question.waitFor = WaitFor::NOTHING;
            }
            if (info.has_value() && !isMeasured && *info != std::pair<Timing, Timing>()) {
                accuse(step, index, "rule 18: timing unasked");
            }
            break;
        }
        case Op::MAKE_BURST: {
            const auto slot = pick(mModels, step.target);
            if (!slot) break;
            askOf(*slot);
            question.isQueue = hasQueues(*slot);
            const auto cell = std::make_shared<Cell>();
            auto burst = call([&] { return slot->object->configureExecutionBurst(); }, cell);
            if (burst.has_value()) {
                mine.bursts.push_back({*std::move(burst), cell, *slot});
            }
            break;
        }
        case Op::BURST: {
            if (mine.bursts.empty()) break;
            const BurstSlot& slot = mine.bursts[step.target % mine.bursts.size()];
            askOf(slot.model);
            question.isQueue = hasQueues(slot.model);
            Values values(step.hasPointers);
            values.set(++mine.next);
            const Request request = values.request();
            slot.cell->set(plan);
            const auto executed = call(
                    [&] { return slot.object->execute(request, measure, deadline, {}, {}, {}); },
                    slot.cell);
            slot.cell->set(nullptr);
            check(step, index, executed, values, step.isMeasured);
            break;
        }
        case Op::ALLOCATE: {
            const auto slot = pick(mModels, step.target);
            if (!slot) break;
            if (mConfig.version == HalVersion::V1_3 && slot->version < HalVersion::V1_3) break;
            auto buffer = call([&] {
                return mDevice->allocate({.dimensions = {4}}, {slot->object},
                                         {{.modelIndex = 0, .ioIndex = 0, .probability = 1.f}}, {});
            });
            const SharedChain server = plan->server();
            question.isOfOtherDriver =
                    !recoversResults() && server != nullptr && server != slot->chain;
            if (slot->isInvalid && !question.isInvalid) break;
            if (!buffer.has_value()) break;
            if ((*buffer)->getToken() == Request::MemoryDomainToken{} && !mIsInvalid) {
                accuse(step, index, "rule 12: a buffer with token 0");
            }
            const std::lock_guard lock(mMutex);
            mBuffers.push_back(
                    {*std::move(buffer), server != nullptr ? server : mChain, mIsInvalid});
            break;
        }
        case Op::COPY: {
            const auto slot = pick(mBuffers, step.target);
            if (!slot) break;
            askOf(*slot);
            const SharedMemory memory = createSharedMemory(16).value();
            (void)call([&] {
                return step.hasPointers ? slot->object->copyTo(memory)
                                        : slot->object->copyFrom(memory, {4});
            });
            break;
        }
        case Op::CREATE: {
            question.recovers = false;
            question.wasDead = false;
            question.isInvalid = false;
            (void)call([&] { return wrap(makeDriver(mScene, mConfig.executors)); });
            break;
        }
        case Op::DROP: {
            drop(step.target, mine);
            break;
        }
        case Op::DIE: {
            before->die();
            break;
        }
    }
    if (ended) judge(step, index, question, *plan, *ended, deadline, before);
    if (step.endsAtOnce) {
        plan->finish(step.doesLate);
    } else {
        const std::lock_guard lock(mMutex);
        mPlans.emplace_back(plan, step.doesLate);
    }
}

void Run::judge(const Step& step, size_t index, Question question, const Plan& plan,
                const Ended& ended, const OptionalTimePoint& deadline, const SharedChain& before) {
    if (plan.fired) {
        question.fired = step.row;
        question.where = step.where;
        question.code = step.code;
        ++coverage().fired[static_cast<size_t>(step.row - kRows)];
    }
    if (plan.factoryFired) {
        ++coverage().factories[static_cast<size_t>(plan.factory) -
                               static_cast<size_t>(Fault::FACTORY_FAILS)];
        question.factory = plan.factory;
        if (plan.factory == Fault::FACTORY_OTHER) question.isInvalid = true;
    }
    if (!isAlone() && step.op != Op::CREATE) {
        const SharedChain now = chain();
        question.diedElsewhere = before->isDead() || now != before || now->isDead();
    }
    const bool hasDeadline = prepares(step.op) || executes(step.op) || isFenced(step.op);
    question.isPastDeadline = hasDeadline && deadline && ended.end >= *deadline;
    const Duration took = ended.end - ended.start;
    question.isPastCeiling = took >= mConfig.ceiling();

    Allowed allowed = allowedFor(question);
    if (!isAlone() && mIsInvalid && recoversDevice() && !question.isInvalid) {
        question.isInvalid = true;
        allowed.add(allowedFor(question));
    }
    ++(ended.success ? coverage().successes : coverage().failures);
    if (ended.success ? !allowed.success : !allowed.codes.contains(ended.code)) {
        std::string text = ended.success
                                   ? "it succeeds"
                                   : "it fails with " + toString(ended.code) + ": " + ended.message;
        text += question.fired == nullptr ? " (no fault)" : " (with the fault)";
        text += ", allowed:";
        if (allowed.success) text += " success";
        for (const ErrorStatus code : allowed.codes) text += " " + toString(code);
        accuse(step, index, text);
    }
    // Rules 71, 77, 127: no call is blocked.
    if (took > std::chrono::seconds(15)) {
        accuse(step, index,
               "it takes " +
                       std::to_string(std::chrono::duration_cast<milliseconds>(took).count()) +
                       " ms");
    }
    const bool isTimeOut = question.fired != nullptr && !question.isInvalid &&
                           question.fired->outcome == Outcome::TIMES_OUT;
    if (isTimeOut && ended.code == ErrorStatus::GENERAL_FAILURE && !question.isPastCeiling) {
        accuse(step, index, "rule 77: it does not wait until the ceiling: " + ended.message);
    }
}

// ---- the property

std::string runOnce(const Config& config, const std::vector<Step>& steps) {
    return Run(config).run(steps);
}

// Without the steps that a failure does not need, as far as a minute goes.
std::string shrink(const Config& config, std::vector<Step>& steps, std::string failure) {
    const TimePoint end = Clock::now() + std::chrono::minutes(1);
    for (bool isSmaller = true; isSmaller;) {
        isSmaller = false;
        for (size_t i = steps.size(); i-- > 0 && Clock::now() < end;) {
            std::vector<Step> fewer = steps;
            fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
            if (std::string still = runOnce(config, fewer); !still.empty()) {
                steps = std::move(fewer);
                failure = std::move(still);
                isSmaller = true;
            }
        }
    }
    return failure;
}

// Rules 43-47, 57-100, 105-112, 116-128, 137-151, 184, 188, 192: see the rows of faults_model.h.
TEST(DriverFaults, EndAsTheModelSays) {
    const uint64_t first = fromEnvironment("NNAPI_PROPERTY_SEED", 1);
    const uint64_t cases = fromEnvironment("NNAPI_PROPERTY_CASES", 800);
    for (uint64_t seed = first; seed < first + cases; ++seed) {
        Dice dice(seed);
        const Config config = randomConfig(dice);
        std::vector<Step> steps(1 + dice.below(20));
        for (Step& step : steps) step = randomStep(config, dice);
        std::string failure = runOnce(config, steps);
        if (failure.empty()) continue;
        failure = shrink(config, steps, std::move(failure));
        std::string text = "seed " + std::to_string(seed) + ", " + describe(config) + "\n";
        for (const Step& step : steps) text += "  " + describe(step) + "\n";
        FAIL() << text << failure;
    }
    RecordProperty("calls", std::to_string(coverage().successes + coverage().failures));
    // A fault that nothing meets shows nothing.
    if (cases < 500) return;
    for (size_t i = 0; i < std::size(kRows); ++i) {
        EXPECT_GT(coverage().fired[i], 0u) << kRows[i].name << ", rules " << kRows[i].rules;
    }
    for (const auto& factory : coverage().factories) EXPECT_GT(factory, 0u);
    EXPECT_GT(coverage().successes, coverage().failures / 4);
}

}  // namespace
}  // namespace nn::driver_faults
