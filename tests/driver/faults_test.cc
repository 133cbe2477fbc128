// Random sequences of calls to drivers with faults, checked against a table of allowed outcomes.
//
// NNAPI_FAULTS_CASES sets the number of sequences, NNAPI_FAULTS_SEED the first seed. A failing
// sequence is minimized and printed.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <sstream>

#include "driver/faults_aidl.h"
#include "driver/faults_driver.h"
#include "environment.h"
#include "held_by_process.h"

namespace nn::driver_faults {
namespace {

// ---- the table

// How a call ends: numbers below 100 are codes of the HAL.
enum Ends : int32_t {
    NA = -1,  // the version has no such fault
    OK = 0,
    UNAVAILABLE = 1,
    GENERAL = 2,
    SMALL = 3,
    INVALID = 4,
    TRANSIENT = 5,
    EXHAUSTED = 8,
    DEAD = 100,
    OK_OR_DEAD,  // depends on timing
    LATE,    // MISSED_DEADLINE_TRANSIENT with a deadline, otherwise GENERAL_FAILURE at the ceiling
    MISSED,  // MISSED_DEADLINE_*
    FAILS,   // GENERAL_FAILURE or INVALID_ARGUMENT
};

// By version: HAL 1.0 and 1.1, 1.2, 1.3, AIDL; without an entry, AIDL is like 1.3.
struct Columns {
    Columns(Ends all) : ends{all, all, all, all} {}
    Columns(Ends v1_0, Ends v1_2, Ends v1_3) : ends{v1_0, v1_2, v1_3, v1_3} {}
    Columns(Ends v1_0, Ends v1_2, Ends v1_3, Ends aidl) : ends{v1_0, v1_2, v1_3, aidl} {}
    Ends at(HalVersion version) const {
        return ends[version >= HalVersion::AIDL1  ? 3
                    : version >= HalVersion::V1_3 ? 2
                    : version >= HalVersion::V1_2 ? 1
                                                  : 0];
    }
    Ends ends[4];
};
Columns hidl(Ends ends) { return {ends, ends, ends, NA}; }
Columns aidl(Ends ends) { return {NA, NA, NA, ends}; }

struct Row {
    std::string_view fault;
    int32_t code;
    uint32_t calls;
    Columns ends;
    const char* rules;
};

constexpr uint32_t kPreparing = PREPARE | CACHED;
constexpr uint32_t kLaunching = kPreparing | EXECUTE;
constexpr uint32_t kExecuting = EXECUTE | EXECUTE_SYNC;
constexpr uint32_t kNew = SUPPORTED | FENCED | INFO | ALLOCATE | COPY | kPreparing | kExecuting;
constexpr uint32_t kReturning = SUPPORTED | EXECUTE_SYNC | FENCED | INFO | CONFIGURE | ALLOCATE;
constexpr uint32_t kAll = CREATE | kReturning | kLaunching | PING | COPY;

const Row kRows[] = {
        {"NONE", 0, kAll | BURST, OK, ""},

        {"STATUS", 1, CREATE | kReturning | kLaunching | COPY, UNAVAILABLE, "57, 69, 74, 92"},
        {"STATUS", 3, kPreparing, SMALL, "69"},
        {"STATUS", 3, kExecuting, GENERAL, "15, 87"},
        {"STATUS", 4, CREATE | CONFIGURE | kNew, INVALID, "57, 69, 192"},
        {"STATUS", 5, kNew, {GENERAL, GENERAL, TRANSIENT}, "40, 57"},
        {"STATUS", 8, kNew, {GENERAL, GENERAL, EXHAUSTED}, "40, 57"},
        {"STATUS", 9, kNew, GENERAL, "57"},
        {"STATUS", 77, CREATE | CONFIGURE | kNew, GENERAL, "57"},
        {"STATUS_KEPT", 1, kLaunching, UNAVAILABLE, "69: not waited for"},
        {"STATUS_KEPT", 3, EXECUTE, LATE, "77, 87"},
        {"STATUS_LIES", 1, kLaunching, UNAVAILABLE, "69: not looked at"},
        {"STATUS_LIES", 3, EXECUTE, OK, "87"},
        {"TRANSPORT", 0, kAll, GENERAL, "57, 65, 123"},
        {"TRANSPORT_AFTER", 0, kAll, GENERAL, "123"},
        {"THROWS", 0, kAll, GENERAL, "own: exceptions end in the library"},
        {"NO_RESULT", 0, CREATE | kReturning, hidl(GENERAL), "128"},
        {"TWICE", 0, CREATE | kReturning, hidl(OK), "128: the first counts"},
        {"DEAD_BEFORE", 0, kAll, DEAD, "57, 65, 71, 123"},
        {"DEAD_IN", 0, kAll, DEAD, "71, 123, 133"},
        {"DEAD_BETWEEN", 0, kLaunching, DEAD, "71: without delay"},
        {"DEAD_AFTER", 0, kExecuting | SUPPORTED | FENCED | INFO | ALLOCATE | COPY, OK, "124"},
        {"DEAD_AFTER", 0, kPreparing | CONFIGURE, OK_OR_DEAD, "58, 124"},
        {"LINK_FALSE", 0, CREATE, GENERAL, "58"},
        {"LINK_FALSE", 0, kPreparing | CONFIGURE, hidl(GENERAL), "80, 258"},
        {"LINK_TRANSPORT", 0, CREATE, GENERAL, "58"},
        {"LINK_TRANSPORT", 0, kPreparing | CONFIGURE, hidl(GENERAL), "80, 258"},
        {"LINK_DEAD", 0, CREATE, DEAD, "58"},
        {"LINK_DEAD", 0, kPreparing | CONFIGURE, hidl(DEAD), "80, 258"},

        {"STATUS", 1, BURST | REUSE, aidl(UNAVAILABLE), "253"},
        {"STATUS", 3, BURST, aidl(GENERAL), "255: not by an exception"},
        {"STATUS", 5, BURST | REUSE | CONFIGURE, aidl(TRANSIENT), "253"},
        {"STATUS", 77, BURST | REUSE, aidl(GENERAL), "253"},
        {"STATUS", 0, SUPPORTED | BURST | REUSE, aidl(GENERAL), "253: NONE as an exception"},
        {"TRANSPORT", 0, BURST | REUSE, aidl(GENERAL), "253"},
        {"THROWS", 0, BURST | REUSE, aidl(GENERAL), "own: exceptions end in the library"},
        {"DEAD_BEFORE", 0, BURST | REUSE, aidl(DEAD), "253"},
        {"DEAD_IN", 0, BURST | REUSE, aidl(DEAD), "253"},
        {"NULL_RESULT", 0, REUSE, aidl(GENERAL), "256"},
        {"SHAPES_OTHER", 0, BURST, aidl(GENERAL), "89"},
        {"TOO_SMALL", 0, BURST, aidl(SMALL), "255"},
        {"TIMING_WRONG", 0, BURST, aidl(GENERAL), "88"},

        {"CALLBACK_STATUS", 1, kLaunching, UNAVAILABLE, "70, 89"},
        {"CALLBACK_STATUS", 3, EXECUTE, {SMALL, GENERAL, GENERAL}, "15, 83"},
        {"CALLBACK_STATUS", 5, kLaunching, {GENERAL, GENERAL, TRANSIENT}, "40, 70"},
        {"CALLBACK_STATUS", 77, kLaunching, GENERAL, "57, 70"},
        {"CALLBACK_STATUS_WITH_MODEL", 1, kPreparing, UNAVAILABLE, "70"},
        {"CALLBACK_NULL", 0, kPreparing, GENERAL, "70"},
        {"CALLBACK_TWICE", 0, kLaunching, OK, "125"},
        {"CALLBACK_TWICE_FAILED_FIRST", 0, kLaunching, GENERAL, "125"},
        {"CALLBACK_NEVER", 0, kLaunching, LATE, "77"},
        {"CALLBACK_LATE", 0, kLaunching, LATE, "77, 126"},
        {"CALLBACK_DROPPED", 0, kLaunching, GENERAL, "127: at once"},
        {"CALLBACK_OLDER", 0, kLaunching, {NA, OK, OK, NA}, "76, 90"},
        {"CALLBACK_OLDER", 2, kLaunching, {NA, NA, OK, NA}, "76, 90"},
        {"OLD_PREPARED_MODEL", 0, kPreparing, {NA, OK, OK, NA}, "76"},
        {"OLD_PREPARED_MODEL", 2, kPreparing, {NA, NA, OK, NA}, "76"},

        {"SHAPES_TOO_MANY", 0, kExecuting, {NA, GENERAL, GENERAL}, "14, 89"},
        {"SHAPES_INSUFFICIENT", 0, kExecuting, {NA, GENERAL, GENERAL}, "14, 89"},
        {"SHAPES_OTHER", 0, kExecuting, {NA, GENERAL, GENERAL}, "89"},
        {"SHAPES_OF_FAILURE", 0, kExecuting, {NA, GENERAL, GENERAL, NA}, "16, 89"},
        {"TOO_SMALL", 0, kExecuting, {NA, SMALL, SMALL}, "15, 86"},
        {"TOO_SMALL_WITHOUT_SHAPES", 0, kExecuting, {NA, GENERAL, GENERAL}, "15, 89"},
        {"TOO_SMALL_BUT_SUFFICIENT", 0, kExecuting, {NA, GENERAL, GENERAL}, "15, 89"},
        {"TIMING_WRONG", 0, kExecuting | INFO, {NA, GENERAL, GENERAL}, "88"},
        {"TIMING_UNASKED", 0, kExecuting | INFO, {NA, OK, OK}, "18"},
        {"SUPPORT_TOO_MANY", 0, SUPPORTED, GENERAL, "67"},
        {"NULL_RESULT", 0, CREATE, {NA, GENERAL, GENERAL}, "60"},
        {"NULL_RESULT", 0, FENCED | CONFIGURE | ALLOCATE, GENERAL, "74, 92, 192"},
        {"NO_TOKEN", 0, ALLOCATE, GENERAL, "74"},
        {"FENCE_LATER", 0, FENCED, OK, "92, 93"},
        {"FENCE_NEVER", 0, FENCED, LATE, "93: with pointers"},
        {"FENCE_FAILS", 0, FENCED, GENERAL, "23, 93: with pointers"},
        {"FENCE_OF_TWO", 0, FENCED, hidl(FAILS), "92"},

        {"EXECUTOR_THROWS", 0, kLaunching, GENERAL, "45, 109"},
        {"EXECUTOR_DROPS", 0, kLaunching, GENERAL, "110"},
        {"EXECUTOR_LATE", 0, kLaunching, LATE, "77, 110, 126"},
        {"EXECUTOR_TWICE", 0, kLaunching, OK, "43"},
        {"DEVICE_THROWS", 0, kLaunching | kReturning | BURST | COPY, GENERAL, "109"},
        {"DEVICE_NULL", 0, kPreparing | SUPPORTED | CONFIGURE | ALLOCATE, GENERAL, "67, 112"},
        {"DEVICE_CODE", 1, kLaunching | kReturning | BURST | COPY, UNAVAILABLE, "105, 115, 208"},
        {"DEVICE_CODE", 3, kExecuting | BURST, {SMALL, GENERAL, GENERAL}, "15, 83"},
        {"DEVICE_CODE", 5, kNew, {GENERAL, GENERAL, TRANSIENT}, "40, 105"},
        {"DEVICE_CODE", 5, CONFIGURE | BURST, {GENERAL, GENERAL, GENERAL, TRANSIENT}, "40, 105"},
        {"DEVICE_CODE", 77, CONFIGURE | BURST | kNew, GENERAL, "105"},
        {"DEVICE_SLOW", 0, kLaunching | EXECUTE_SYNC | BURST, OK, "77, 78, 126"},

        {"MEMORIES_STATUS", 0, BURST, hidl(GENERAL), "184"},
        {"MEMORIES_SHORT", 0, BURST, hidl(GENERAL), "184"},
        {"MEMORIES_TRANSPORT", 0, BURST, hidl(GENERAL), "184"},
        {"MEMORIES_DEAD", 0, BURST, hidl(DEAD), "188"},

        {"NOT_IN_VERSION", 0, FENCED | ALLOCATE | CACHED, GENERAL, "73, 74, 92"},
        {"PAST_DEADLINE", 0, kLaunching | EXECUTE_SYNC | BURST | FENCED, MISSED, "78, 203"},
        {"EMPTY_FENCE", 0, FENCED, INVALID, "95"},
};

std::set<ErrorStatus> codesOf(Ends ends, bool hasDeadline) {
    using enum ErrorStatus;
    switch (ends) {
        case NA:
            return {};
        case DEAD:
            return {DEAD_OBJECT};
        case OK_OR_DEAD:
            return {NONE, DEAD_OBJECT};
        case LATE:
            return {hasDeadline ? MISSED_DEADLINE_TRANSIENT : GENERAL_FAILURE};
        case MISSED:
            return {MISSED_DEADLINE_PERSISTENT, MISSED_DEADLINE_TRANSIENT};
        case FAILS:
            return {GENERAL_FAILURE, INVALID_ARGUMENT};
        default:
            return {static_cast<ErrorStatus>(ends)};
    }
}
bool isCallers(const Row& row) {
    return row.fault == "NOT_IN_VERSION" || row.fault == "PAST_DEADLINE" ||
           row.fault == "EMPTY_FENCE";
}
bool waits(const Row& row, HalVersion version) {
    return row.ends.at(version) == LATE || row.fault == "DEVICE_SLOW";
}
bool hasDeadline(uint32_t call) {
    return (call & (kLaunching | EXECUTE_SYNC | BURST | FENCED | INFO)) != 0;
}

// ---- sequences

struct Config {
    HalVersion version{};
    bool isSynchronous = false;
    bool isImpatient = false;  // a short ceiling; otherwise one that must not be reached
    bool isThreaded = false;   // whether the adapter's executor uses threads

    Duration ceiling() const {
        return isImpatient ? Duration(milliseconds(6)) : Duration(std::chrono::seconds(10));
    }
    bool has(uint32_t call) const {
        const uint32_t since1_2 = CACHED | EXECUTE_SYNC | CONFIGURE | BURST;
        const uint32_t since1_3 = FENCED | INFO | ALLOCATE | COPY;
        if (call == REUSE) return version >= HalVersion::AIDL4;
        return version >= HalVersion::V1_3   ? true
               : version >= HalVersion::V1_2 ? (call & since1_3) == 0
                                             : (call & (since1_2 | since1_3)) == 0;
    }
};

// A row for one call.
struct Cell {
    const Row* row = nullptr;
    uint32_t call = NOWHERE;
};
std::vector<Cell> cellsOf(const Config& config) {
    std::vector<Cell> cells;
    const uint32_t other = config.isSynchronous ? EXECUTE : EXECUTE_SYNC;
    for (const Row& row : kRows) {
        for (size_t i = 0; i < kCalls.size(); ++i) {
            const uint32_t call = 1u << i;
            if ((row.calls & call) == 0 || row.ends.at(config.version) == NA || call == other ||
                config.has(call) == (row.fault == "NOT_IN_VERSION")) {
                continue;
            }
            cells.push_back({&row, call});
        }
    }
    return cells;
}

enum class Deadline { NONE, MAX, FAR, NEAR, PAST };
constexpr const char* kDeadlines[] = {"NONE", "MAX", "FAR", "NEAR", "PAST"};

struct Step {
    Cell cell{};
    bool needsLife = false;  // replaces a dead driver first
    int skip = 0;
    Deadline deadline{};
    bool hasPointers = true;
    bool isMeasured = false;
    bool doesLate =
            false;  // runs delayed work after the call; otherwise at the end of the sequence
    uint32_t variant = 0;

    std::string text() const {
        std::ostringstream text;
        text << kCalls[std::countr_zero(cell.call)] << " with " << cell.row->fault << " "
             << cell.row->code << " (rules " << cell.row->rules << "), skip " << skip
             << ", deadline " << kDeadlines[int(deadline)]
             << (hasPointers ? ", pointers" : ", pool") << (isMeasured ? ", measured" : "")
             << (doesLate ? ", late" : "") << (needsLife ? ", alive" : "") << ", variant "
             << variant;
        return text.str();
    }
};

using Random = std::mt19937;
bool oneIn(uint32_t n, Random& random) { return random() % n == 0; }

// Deals the cells of a configuration; repeats one only after all were dealt.
struct Deck {
    Config config{};
    std::vector<Cell> cells = cellsOf(config);
    size_t dealt = 0;

    double progress() const { return static_cast<double>(dealt) / double(cells.size()); }
    Cell deal(Random& random) {
        if (dealt % cells.size() == 0) std::shuffle(cells.begin(), cells.end(), random);
        return cells[dealt++ % cells.size()];
    }
};

Step randomStep(const Config& config, const Cell& cell, bool needsLife, Random& random) {
    Step step{.cell = cell,
              .needsLife = needsLife,
              .deadline = static_cast<Deadline>(random() % 4),
              .hasPointers = oneIn(2, random),
              .isMeasured = oneIn(2, random),
              .doesLate = oneIn(2, random),
              .variant = static_cast<uint32_t>(random() % 64)};
    const Row& row = *cell.row;
    if (cell.call == CREATE && row.fault != "NULL_RESULT") {
        step.skip = static_cast<int>(random() % (config.version >= HalVersion::V1_2 ? 5 : 1));
    }
    if (step.cell.call == BURST) step.hasPointers = false;  // in memory that is new to the burst
    if (row.fault == "PAST_DEADLINE") step.deadline = Deadline::PAST;
    if (waits(row, config.version) && (!config.isImpatient || step.deadline == Deadline::FAR)) {
        step.deadline = Deadline::NEAR;
    }
    return step;
}

// ---- execution of a step

// z = x + y with distinct values, which a request references by pointers or in a pool.
class Values {
   public:
    explicit Values(bool p) : hasPointers(p) {}
    const bool hasPointers;

    void set(float first) {
        for (size_t i = 0; i < 4; ++i) {
            at(0)[i] = first + static_cast<float>(i);
            at(1)[i] = 10;
            at(2)[i] = kUntouched;
        }
    }
    Request request() const {
        const auto argument = [this](uint32_t i) -> Request::Argument {
            if (!hasPointers) return {.location = {.offset = i * kBytes, .length = kBytes}};
            return {.lifetime = Request::Argument::LifeTime::POINTER,
                    .location = {.pointer = at(i), .length = kBytes}};
        };
        return {.inputs = {argument(0), argument(1)},
                .outputs = {argument(2)},
                .pools = hasPointers ? std::vector<Request::MemoryPool>()
                                     : std::vector<Request::MemoryPool>{mPool}};
    }
    bool isRight() const {
        return std::equal(at(0), at(1), at(2), [](float x, float z) { return z == x + 10; });
    }
    bool isUntouched() const {
        return std::all_of(at(2), at(3), [](float z) { return z == kUntouched; });
    }
    std::string text() const {
        return "x = " + std::to_string(*at(0)) + ", y = 10, z = " + std::to_string(*at(2));
    }

   private:
    static constexpr uint32_t kBytes = 16;
    static constexpr float kUntouched = -1;
    float* at(uint32_t index) const {
        auto* bytes = const_cast<uint8_t*>(mMapping.data());
        return reinterpret_cast<float*>(bytes + size_t{index} * kBytes);
    }

    SharedMemory mPool = createSharedMemory(size_t{3} * kBytes).value();
    Mapping mMapping = map(mPool).value();
};

// How often each cell occurred, by version.
using Coverage = std::map<std::tuple<const Row*, uint32_t, HalVersion>, int>;

class Sequence {
   public:
    Sequence(const Config& config, Coverage& coverage) : mConfig(config), mCoverage(coverage) {}

    // The first violation; empty if there was none.
    std::string run(const std::vector<Step>& steps) {
        const size_t files = held::descriptors();
        const size_t threads = held::threads();
        open();
        for (size_t i = 0; i < steps.size() && mWorld->violations().empty(); ++i) {
            if (steps[i].needsLife && mProcess->isDead) open();
            mWhere = "step " + std::to_string(i) + ", " + steps[i].text() + ":\n  ";
            perform(steps[i]);
        }
        mWhere = "at the end: ";
        close();
        mWorld->finish();
        mWorld->doLate();
        expectThatNothingIsLeft(files, threads);
        return mWorld->violations();
    }

   private:
    void accuse(const std::string& what) { mWorld->accuse(mWhere + what); }

    GeneralResult<SharedDevice> wrap(const Driver& driver) const {
        const WrapOptions options{.ceiling = mConfig.ceiling(),
                                  .executeSynchronously = mConfig.isSynchronous};
        switch (mConfig.version) {
            case HalVersion::V1_0:
                return V1_0::utils::Device::create("faulty", driver.hidl, options);
            case HalVersion::V1_1:
                return V1_1::utils::Device::create("faulty", driver.hidl, options);
            case HalVersion::V1_2:
                return V1_2::utils::Device::create("faulty", driver.hidl, options);
            case HalVersion::V1_3:
                return V1_3::utils::Device::create("faulty", driver.hidl, options);
            default:
                return nn::wrap("faulty", driver.aidl, options);
        }
    }
    // Repeats the call until it succeeds; with a short ceiling this may take several attempts.
    template <class Make>
    auto make(const Make& call) {
        for (;;) {
            const TimePoint start = Clock::now();
            auto made = call();
            if (made.has_value()) return *std::move(made);
            if (Clock::now() - start < mConfig.ceiling()) {
                accuse("without a fault: " + made.error().message);
                return std::remove_cvref_t<decltype(*made)>();
            }
        }
    }
    void open() {
        close();
        const Driver driver = makeDriver(mWorld, mConfig.version, mConfig.isThreaded);
        mProcess = driver.process;
        mProcesses.push_back(mProcess);
        mDevice = make([&] { return wrap(driver); });
        mModel = make([&] { return prepareOn(*mDevice, addition()); });
        mBurst = make([&] { return mModel->configureExecutionBurst(); });
        if (mConfig.has(ALLOCATE)) mBuffer = make([&] { return allocate(); });
        mWorld->finish();  // discards the plan, which must not affect the next call
    }
    void close() {
        mValues.reset();
        mExecution.reset();
        mBurst.reset();
        mBuffer.reset();
        mModel.reset();
        mDevice.reset();
        mProcess.reset();
    }
    GeneralResult<SharedBuffer> allocate() const {
        return mDevice->allocate({.dimensions = {4}}, {mModel},
                                 {{.modelIndex = 0, .ioIndex = 0, .probability = 1.f}}, {});
    }

    void perform(const Step& step);
    Status execute(const Step& step, const OptionalTimePoint& deadline);
    Status executeFenced(const Step& step, const OptionalTimePoint& deadline);
    Status call(const Step& step, const OptionalTimePoint& deadline);
    void judge(const Step& step, const Status& ended, Duration took, bool isPastDeadline,
               bool wasDead);

    // Creates the request of the step, or reuses the execution that it belongs to, which is
    // computed repeatedly.
    Status renew(const Step& step) {
        const bool isReusable = step.cell.call == REUSE || step.variant % 3 == 1;
        if (!isReusable || step.cell.call == REUSE || mExecution == nullptr ||
            step.variant % 16 == 1) {
            mValues = std::make_shared<Values>(step.hasPointers);
            mIsMeasured = step.isMeasured;
            mExecution = nullptr;
        }
        mValues->set(++mFirst);
        if (!isReusable || mExecution != nullptr) return {};
        auto made = reusableOn(*mModel, mValues->request(), measure());
        if (made.has_value()) mExecution = *std::move(made);
        return made.status();
    }
    MeasureTiming measure() const { return mIsMeasured ? MeasureTiming::YES : MeasureTiming::NO; }

    // Rules prepared_model.release, wrapper.cache_handles, wrapper.lifetime and adapter.executor.
    void expectThatNothingIsLeft(size_t files, size_t threads) {
        const auto left = [&]() -> std::string {
            for (const auto& process : mProcesses) {
                if (!process.expired()) return "an object of a driver lives";
            }
            if (held::descriptors() > files) return "a descriptor is left";
            return held::threads() > threads ? "a thread is left" : "";
        };
        // Threads that a driver owns may be about to end.
        const TimePoint end = Clock::now() + std::chrono::seconds(10);
        while (!left().empty() && Clock::now() < end) std::this_thread::sleep_for(milliseconds(1));
        if (!left().empty()) accuse(left());
    }

    const Config mConfig;
    Coverage& mCoverage;
    const SharedSchedule mWorld = std::make_shared<FaultSchedule>();
    std::string mWhere = "at the start: ";
    std::vector<std::weak_ptr<Process>> mProcesses{};
    SharedProcess mProcess{};
    SharedDevice mDevice{};
    SharedPreparedModel mModel{};
    SharedBurst mBurst{};
    SharedBuffer mBuffer{};
    SharedExecution mExecution{};
    std::shared_ptr<Values> mValues{};
    bool mIsMeasured = false;
    float mFirst = 0;
};

Status Sequence::execute(const Step& step, const OptionalTimePoint& deadline) {
    NNAPI_RETURN_IF_ERROR(renew(step));
    const bool isBurst = step.cell.call == BURST || (step.variant % 3 == 2 && !mConfig.has(BURST));
    const Request request = mValues->request();
    const auto executed = mExecution != nullptr && step.cell.call != BURST
                                  ? mExecution->compute(deadline)
                          : isBurst ? mBurst->execute(request, measure(), deadline, {}, {}, {})
                                    : mModel->execute(request, measure(), deadline, {}, {}, {});
    if (executed.has_value()) {
        const auto& [shapes, timing] = *executed;
        if (!mValues->isRight()) accuse("a success with " + mValues->text());
        const OutputShape right{.dimensions = {4}, .isSufficient = true};
        if (!shapes.empty() && shapes != std::vector{right})
            accuse("execution.shapes: wrong shapes");
        if (!mIsMeasured && timing != Timing{}) accuse("execution.unmeasured: timing unasked");
    } else {
        const std::vector<OutputShape> shapes = executed.error().outputShapes;
        const bool isTooSmall = step.cell.row->fault == "TOO_SMALL" && mWorld->hasFired();
        if (isTooSmall ? shapes.size() != 1 || shapes[0].isSufficient : !shapes.empty()) {
            accuse("execution.insufficient_shapes, execution.failure_shapes: wrong shapes of a "
                   "failure");
        }
    }
    return executed.status();
}

Status Sequence::executeFenced(const Step& step, const OptionalTimePoint& deadline) {
    NNAPI_RETURN_IF_ERROR(renew(step));
    std::vector<SyncFence> fences;
    if (step.cell.row->fault == "EMPTY_FENCE") fences = {SyncFence::createAsSignaled()};
    const auto launched = mExecution != nullptr
                                  ? mExecution->computeFenced(fences, deadline, {})
                                  : mModel->executeFenced(mValues->request(), fences, measure(),
                                                          deadline, {}, {}, {}, {});
    if (!launched.has_value()) return launched.status();
    using State = SyncFence::FenceState;
    const auto isFault = [&](std::string_view fault) {
        return step.cell.row->fault == fault && mWorld->hasFired();
    };
    const State wanted = isFault("FENCE_NEVER")   ? State::ACTIVE
                         : isFault("FENCE_FAILS") ? State::ERROR
                                                  : State::SIGNALED;
    const auto most = wanted == State::ACTIVE ? Duration::zero() : std::chrono::seconds(20);
    if (launched->first.syncWait(most) != wanted)
        accuse("wrapper.fenced: another state of the fence");
    if (wanted == State::SIGNALED && !mValues->isRight()) {
        accuse("a success with " + mValues->text());
    }
    const auto info = launched->second();
    if (info.has_value() && !mIsMeasured && *info != FencedTimings()) {
        accuse("execution.unmeasured: timing unasked");
    }
    return step.cell.call == INFO ? info.status() : Status();
}

Status Sequence::call(const Step& step, const OptionalTimePoint& deadline) {
    const std::vector<SharedHandle> cache = {
            std::make_shared<const Handle>(UniqueFd(memfd_create("cache", MFD_CLOEXEC)))};
    switch (step.cell.call) {
        case CREATE: {
            const Driver driver = makeDriver(mWorld, mConfig.version, mConfig.isThreaded);
            mProcesses.push_back(driver.process);
            return wrap(driver).status();
        }
        case SUPPORTED: {
            const auto supported = mDevice->getSupportedOperations(addition());
            if (supported.has_value() && *supported != std::vector<bool>{true}) {
                accuse("device.supported_operations: other operations are supported");
            }
            return supported.status();
        }
        case PING:
            return mDevice->wait().status();
        case PREPARE:
        case CACHED: {
            const auto files = step.variant % 2 == 0 ? cache : std::vector<SharedHandle>();
            auto prepared = step.cell.call == CACHED
                                    ? mDevice->prepareModelFromCache(deadline, cache, {}, {})
                                    : mDevice->prepareModel(
                                              addition(), ExecutionPreference::DEFAULT,
                                              Priority::DEFAULT, deadline, files, {}, {}, {}, {});
            if (!prepared.has_value()) return prepared.status();
            if (step.cell.call == PREPARE && step.cell.row->fault != "OLD_PREPARED_MODEL") {
                mExecution = nullptr;
                mModel = *std::move(prepared);
                return {};
            }
            // How a model was prepared determines its other possible results, so it is used once.
            Values values(step.hasPointers);
            values.set(1);
            const TimePoint start = Clock::now();
            const auto executed = executeOn(**prepared, values.request());
            const bool mayFail = mProcess->isDead || Clock::now() - start >= mConfig.ceiling();
            if (executed.has_value() ? !values.isRight() : !mayFail)
                accuse("wrapper.load, wrapper.prepared_model_version: " + values.text());
            return {};
        }
        case EXECUTE:
        case EXECUTE_SYNC:
        case BURST:
            return execute(step, deadline);
        case FENCED:
        case INFO:
            return executeFenced(step, deadline);
        case REUSE:
            return renew(step);
        case CONFIGURE: {
            auto burst = mModel->configureExecutionBurst();
            if (burst.has_value()) mBurst = *burst;
            return burst.status();
        }
        case ALLOCATE: {
            auto buffer = allocate();
            if (buffer.has_value()) mBuffer = *buffer;
            return buffer.status();
        }
        default: {
            const SharedMemory memory = createSharedMemory(16).value();
            return (step.hasPointers ? mBuffer->copyTo(memory) : mBuffer->copyFrom(memory, {4}))
                    .status();
        }
    }
}

void Sequence::perform(const Step& step) {
    const TimePoint now = Clock::now();
    const OptionalTimePoint deadlines[] = {std::nullopt, TimePoint::max(),
                                           now + std::chrono::seconds(30), now + milliseconds(3),
                                           now - milliseconds(1)};
    const OptionalTimePoint deadline = deadlines[int(step.deadline)];
    const bool wasDead = mProcess->isDead && step.cell.call != CREATE;
    const Row& row = *step.cell.row;
    mWorld->set({.fault = row.fault, .call = step.cell.call, .code = row.code, .skip = step.skip});
    const TimePoint start = Clock::now();
    const Status ended = call(step, deadline);
    const TimePoint end = Clock::now();
    judge(step, ended, end - start, hasDeadline(step.cell.call) && deadline && end >= *deadline,
          wasDead);
    // Delayed work of a slow device would run into the fault of the next call.
    mWorld->finish();
    if (step.doesLate) mWorld->doLate();
    const bool executes = (step.cell.call & (kExecuting | BURST | FENCED)) != 0;
    if (executes && !ended.ok() && mValues->hasPointers && !mValues->isUntouched()) {
        accuse("wrapper.failed_outputs: outputs written by a failure, " + mValues->text());
    }
    // An abandoned burst may still have an execution in progress.
    if (step.cell.call == BURST && !ended.ok() && !mProcess->isDead) {
        mBurst = make([&] { return mModel->configureExecutionBurst(); });
    }
}

void Sequence::judge(const Step& step, const Status& ended, Duration took, bool isPastDeadline,
                     bool wasDead) {
    const Row& row = *step.cell.row;
    const bool isFaultless = row.fault == "NONE" || isCallers(row);
    const bool isMet = !wasDead && (isFaultless || mWorld->hasFired());
    if (isMet) ++mCoverage[{&row, step.cell.call, mConfig.version}];
    if (!wasDead && !isMet && ended.ok()) accuse("the fault was not injected");
    const bool isOfPointers = row.fault == "FENCE_NEVER" || row.fault == "FENCE_FAILS";
    const Ends ends = isMet && isOfPointers && !mValues->hasPointers ? OK
                      : isMet || isCallers(row)                      ? row.ends.at(mConfig.version)
                      : wasDead                                      ? NA
                                                                     : OK;
    std::set<ErrorStatus> allowed = codesOf(ends, step.deadline >= Deadline::FAR);
    if (wasDead) allowed.insert(ErrorStatus::DEAD_OBJECT);
    // Rules wrapper.silent_driver, wrapper.local_deadline and deadline.execution.
    if (isPastDeadline) allowed.merge(codesOf(MISSED, true));
    if (took >= mConfig.ceiling()) allowed.insert(ErrorStatus::GENERAL_FAILURE);

    const ErrorStatus code = ended.ok() ? ErrorStatus::NONE : errorStatus(ended);
    if (!allowed.contains(code)) {
        std::string text = toString(code) + " " + std::string(ended.message()) +
                           (isMet ? " (with the fault)" : " (no fault)") + ", allowed:";
        for (const ErrorStatus each : allowed) text += " " + toString(each);
        accuse(text);
    }
    if (ends == LATE && code == ErrorStatus::GENERAL_FAILURE && took < mConfig.ceiling()) {
        accuse("wrapper.silent_driver: it does not wait until the ceiling");
    }
    // Rules wrapper.death_in_prepare, wrapper.silent_driver and callback.dropped: no call is
    // blocked.
    if (took > std::chrono::seconds(8)) accuse("it takes longer than 8 s");
}

// ---- the property

// Removes steps that the failure does not need, for at most a minute.
std::string shrink(const Config& config, std::vector<Step>& steps, std::string failure) {
    const TimePoint end = Clock::now() + std::chrono::minutes(1);
    for (size_t i = steps.size(); i-- > 0 && Clock::now() < end;) {
        std::vector<Step> fewer = steps;
        fewer.erase(fewer.begin() + static_cast<ptrdiff_t>(i));
        Coverage unused;
        if (std::string still = Sequence(config, unused).run(fewer); !still.empty()) {
            steps = std::move(fewer);
            failure = std::move(still);
        }
    }
    return failure;
}

// Rules fenced.failed_fence, hidl.statuses, hidl.refused_launch, hidl.failed_launch,
// wrapper.failed_creation, wrapper.link_to_death, wrapper.converted_getters, wrapper.wait,
// wrapper.supported_length, wrapper.launch_status, wrapper.notified_status,
// wrapper.death_in_prepare, wrapper.load, wrapper.allocate, wrapper.prepared_model_version,
// wrapper.silent_driver, wrapper.local_deadline, wrapper.cache_handles, wrapper.prepared_model,
// wrapper.failed_outputs, wrapper.v1_0_execute, wrapper.insufficient_size,
// wrapper.insufficient_launch, wrapper.unconvertible_result, wrapper.checked_shapes,
// wrapper.v1_0_notification, wrapper.fenced, wrapper.fenced_pointers, wrapper.empty_fence,
// wrapper.lifetime, adapter.executor, adapter.supported_operations, adapter.refusing_executor,
// adapter.dropped_task, adapter.null_answer, adapter.v1_0_losses, transport.errors,
// transport.first_value, callback.second_notification, callback.late_notification,
// callback.dropped, callback.synchronous, death.threads, burst.unknown_slots, burst.dead_server,
// burst.configuration, deadline.errors, deadline.exhausted_resources, aidl.failures,
// aidl.signed_numbers, aidl.insufficient_size, aidl.version_4 and aidl.prepared_model_death: the
// last column of the table lists the faults that show them.
TEST(DriverFaults, EndAsTheTableSays) {
    using enum HalVersion;
    std::vector<Deck> decks = {{{V1_0}},        {{V1_1}},       {{V1_2, false}}, {{V1_2, true}},
                               {{V1_3, false}}, {{V1_3, true}}, {{AIDL1, true}}, {{AIDL2, true}},
                               {{AIDL3, true}}, {{AIDL4, true}}};
    std::thread([] {}).join();  // sanitizers start their threads with the first one
    Coverage coverage;
    // Returns the failure, with as few steps as reproduce it.
    const auto run = [&](const Config& config, std::vector<Step> steps) -> std::string {
        std::string failure = Sequence(config, coverage).run(steps);
        if (failure.empty()) return {};
        failure = shrink(config, steps, std::move(failure));
        std::string text = std::string(toString(config.version)) +
                           (config.isSynchronous ? ", synchronous" : ", with callbacks") +
                           (config.isImpatient ? ", impatient" : ", patient") +
                           (config.isThreaded ? ", threaded\n" : ", inline\n");
        for (const Step& step : steps) text += "  " + step.text() + "\n";
        return text + failure;
    };
    const uint64_t first = fromEnvironment("NNAPI_FAULTS_SEED", 1);
    const uint64_t cases = fromEnvironment("NNAPI_FAULTS_CASES", 250);
    Random random(static_cast<uint32_t>(first));
    for (uint64_t seed = first; seed < first + cases; ++seed) {
        random.seed(static_cast<uint32_t>(seed));
        Deck& deck = *std::ranges::min_element(decks, {}, &Deck::progress);
        deck.config.isImpatient = oneIn(3, random);
        deck.config.isThreaded = oneIn(2, random);
        std::vector<Step> steps(1 + random() % 20);
        for (Step& step : steps) {
            const bool isDealt = !oneIn(4, random);
            const Cell cell =
                    isDealt ? deck.deal(random) : deck.cells[random() % deck.cells.size()];
            step = randomStep(deck.config, cell, isDealt, random);
        }
        const std::string failure = run(deck.config, steps);
        ASSERT_EQ(failure, "") << "seed " << seed;
    }
    // Repeats the faults that did not occur because a deadline came first, each in its own
    // sequence.
    for (Deck& deck : decks) {
        deck.config.isImpatient = true;
        for (const Cell& cell : deck.cells) {
            const int& count = coverage[{cell.row, cell.call, deck.config.version}];
            for (int i = 0; i < 20 && count == 0; ++i) {
                ASSERT_EQ(run(deck.config, {randomStep(deck.config, cell, true, random)}), "");
            }
            EXPECT_GT(count, 0) << cell.row->fault << " " << cell.row->code << " in "
                                << kCalls[std::countr_zero(cell.call)] << ", "
                                << toString(deck.config.version);
        }
    }
}

}  // namespace
}  // namespace nn::driver_faults
