// Objects that a resilient device returns, over drivers that die and restart.
#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>

#include "device_test/cases/device_parts.h"
#include "driver/models.h"
#include "held_by_process.h"
#include "in_threads.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/driver/invalid.h"
#include "nnapi/driver/resilient.h"
#include "nnapi/memory.h"

namespace nn::driver_resilient_results_test {
namespace {

using namespace hal::utils;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;
using enum ErrorStatus;

using Token = Request::MemoryDomainToken;

// The arguments of a preparation, over all lives of the driver.
struct Preparation {
    Model model{};
    PrepareModelConfig config{};
    bool isFromCache = false;
};

struct Log {
    std::mutex mutex{};
    std::vector<Preparation> preparations{};
    std::vector<BufferDesc> allocations{};
    std::vector<std::vector<BufferRole>> roles{};
    std::atomic<int> objects{0};  // live objects
    // Runs at the start of each preparation, outside the lock.
    std::function<void()> onPrepare{};
};

// One life of a driver: a process. Its objects fail once it has died.
struct Process {
    explicit Process(std::shared_ptr<Log> to) : log(std::move(to)) { ++log->objects; }
    Process(const Process&) = delete;
    Process& operator=(const Process&) = delete;
    ~Process() { --log->objects; }

    Status check() const {
        return isDead ? makeError(DEAD_OBJECT, "the process is gone") : Status();
    }

    std::shared_ptr<Log> log;
    std::atomic<bool> isDead{false};
    std::mutex mutex{};
    std::set<Token> tokens{};
};
using SharedProcess = std::shared_ptr<Process>;

// Registered in its process for its lifetime.
class Living {
   public:
    explicit Living(SharedProcess process) : mProcess(std::move(process)) {
        ++mProcess->log->objects;
    }
    Living(const Living&) = delete;
    Living& operator=(const Living&) = delete;
    ~Living() { --mProcess->log->objects; }
    Process& process() const { return *mProcess; }
    const SharedProcess& shared() const { return mProcess; }

   private:
    SharedProcess mProcess;
};

class ProcessBuffer final : public IBuffer {
   public:
    ProcessBuffer(const SharedProcess& process, Token token) : mLiving(process), mToken(token) {}
    ~ProcessBuffer() override {
        const std::lock_guard lock(mLiving.process().mutex);
        mLiving.process().tokens.erase(mToken);
    }
    Token getToken() const override { return mToken; }
    GeneralResult<void> copyTo(const SharedMemory&) const override {
        NNAPI_RETURN_IF_ERROR(mLiving.process().check());
        if (!mHasValues) return error() << "the buffer has no values";
        return {};
    }
    GeneralResult<void> copyFrom(const SharedMemory&, const Dimensions&) const override {
        NNAPI_RETURN_IF_ERROR(mLiving.process().check());
        mHasValues = true;
        return {};
    }

   private:
    Living mLiving;
    Token mToken;
    mutable std::atomic<bool> mHasValues{false};
};

class ProcessExecution final : public ForwardingExecution {
   public:
    ProcessExecution(const SharedProcess& process, SharedExecution inner)
        : ForwardingExecution(std::move(inner)), mLiving(process) {}

   private:
    Living mLiving;
};

class ProcessBurst final : public ForwardingBurst {
   public:
    ProcessBurst(const SharedProcess& process, SharedPreparedModel model)
        : ForwardingBurst(std::make_shared<const DefaultBurst>(std::move(model))),
          mLiving(process) {}

   private:
    Living mLiving;
};

// Executes a model that the interpreter has prepared. A request with tokens is only checked.
class ProcessModel final : public parts::PreparedModelPart {
   public:
    ProcessModel(const SharedProcess& process, SharedPreparedModel model)
        : PreparedModelPart(std::move(model)), mLiving(process) {}

    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        return SharedBurst(
                std::make_shared<const ProcessBurst>(mLiving.shared(), shared_from_this()));
    }
    std::any getUnderlyingResource() const override { return mLiving.shared().get(); }

   protected:
    ExecutionResult<Executed> executeCall(const parts::ExecutionCall& call) const override {
        NNAPI_RETURN_IF_ERROR(mLiving.process().check());
        for (const Request::MemoryPool& pool : call.request.pools) {
            const auto* token = std::get_if<Token>(&pool);
            if (token == nullptr) continue;
            {
                const std::lock_guard lock(mLiving.process().mutex);
                if (!mLiving.process().tokens.contains(*token)) {
                    return error(INVALID_ARGUMENT) << "unknown token";
                }
            }
            return Executed{{{.dimensions = {static_cast<uint32_t>(*token)}}}, {}};
        }
        return call.on(*inner());
    }
    GeneralResult<ExecutedFenced> launchCall(const parts::ExecutionCall& call,
                                             const std::vector<SyncFence>& waitFor,
                                             const OptionalDuration& afterFences) const override {
        NNAPI_RETURN_IF_ERROR(mLiving.process().check());
        return call.fencedOn(*inner(), waitFor, afterFences);
    }
    // Like those of some drivers, executions are created without a call to the process.
    GeneralResult<SharedExecution> makeExecution(const parts::ExecutionCall& call) const override {
        return SharedExecution(std::make_shared<const ProcessExecution>(
                mLiving.shared(), driver::defaultExecution(shared_from_this(), call)));
    }

   private:
    Living mLiving;
};

class ProcessDevice final : public parts::DevicePart {
   public:
    explicit ProcessDevice(const SharedProcess& process)
        : DevicePart(referenceDevice()), mLiving(process) {}

    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override { return {1, 1}; }
    GeneralResult<void> wait() const override { return mLiving.process().check(); }
    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        NNAPI_RETURN_IF_ERROR(mLiving.process().check());
        return ForwardingDevice::getSupportedOperations(model);
    }
    // Rule adapter.allocate: rejects prepared models of other devices.
    GeneralResult<SharedBuffer> allocate(
            const BufferDesc& desc, const std::vector<SharedPreparedModel>& models,
            const std::vector<BufferRole>& inputRoles,
            const std::vector<BufferRole>& outputRoles) const override {
        Process& process = mLiving.process();
        NNAPI_RETURN_IF_ERROR(process.check());
        if (models.empty()) return error(INVALID_ARGUMENT) << "no prepared models";
        for (const SharedPreparedModel& model : models) {
            const auto* mine = dynamic_cast<const ProcessModel*>(model.get());
            if (mine == nullptr ||
                std::any_cast<Process*>(mine->getUnderlyingResource()) != &process) {
                return error(INVALID_ARGUMENT) << "a prepared model of another process";
            }
        }
        {
            const std::lock_guard lock(process.log->mutex);
            process.log->allocations.push_back(desc);
            process.log->roles.push_back(inputRoles);
            process.log->roles.push_back(outputRoles);
        }
        const std::lock_guard lock(process.mutex);
        Token token{1};  // the first free token, so that tokens of different lives coincide
        while (process.tokens.contains(token)) token = Token(static_cast<uint32_t>(token) + 1);
        process.tokens.insert(token);
        return SharedBuffer(std::make_shared<const ProcessBuffer>(mLiving.shared(), token));
    }

   protected:
    parts::Prepared prepare(const parts::Preparation& preparation) const override {
        return prepare({preparation.model, preparation.config()});
    }
    parts::Prepared load(const parts::Loading& loading) const override {
        return prepare({addition(),
                        {.deadline = loading.deadline,
                         .modelCache = loading.modelCache,
                         .dataCache = loading.dataCache,
                         .cacheToken = loading.token},
                        true});
    }

   private:
    parts::Prepared prepare(const Preparation& with) const {
        Process& process = mLiving.process();
        if (process.log->onPrepare) process.log->onPrepare();
        NNAPI_RETURN_IF_ERROR(process.check());
        {
            const std::lock_guard lock(process.log->mutex);
            process.log->preparations.push_back(with);
        }
        if (with.config.deadline && *with.config.deadline <= Clock::now()) {
            return error(MISSED_DEADLINE_PERSISTENT) << "late";
        }
        auto prepared = inner()->prepareModel(
                with.model, with.config.preference, with.config.priority, {}, {}, {}, {},
                with.config.compilationHints, with.config.extensionNameToPrefix);
        if (!prepared.has_value()) return prepared;
        return SharedPreparedModel(
                std::make_shared<const ProcessModel>(mLiving.shared(), *std::move(prepared)));
    }

    Living mLiving;
};

// A driver that starts on demand, and its resilient device.
class Driver {
   public:
    explicit Driver(ResilientOptions options = {.wrapResults = true}) {
        auto created = ResilientDevice::create([this](bool) { return start(); }, options);
        device = created.value();
    }

    void kill() {
        const std::lock_guard lock(mMutex);
        mProcess->isDead = true;
    }
    SharedProcess process() const {
        const std::lock_guard lock(mMutex);
        return mProcess;
    }

    std::shared_ptr<Log> log = std::make_shared<Log>();
    std::atomic<int> starts{0};
    std::atomic<bool> isBroken{false};
    std::shared_ptr<const ResilientDevice> device;

   private:
    GeneralResult<SharedDevice> start() {
        ++starts;
        if (isBroken) return error() << "no driver";
        const std::lock_guard lock(mMutex);
        mProcess = std::make_shared<Process>(log);
        return SharedDevice(std::make_shared<const ProcessDevice>(mProcess));
    }

    mutable std::mutex mMutex;
    SharedProcess mProcess;
};

bool isRight(const Sum& sum) { return sum.z == std::vector<float>{11, 22, 33, 44}; }

// Executes on a prepared model or a burst, with fences or without.
template <bool isFenced = false>
Status addsUp(const auto& target) {
    Sum sum;
    const Request request = sum.request();
    if constexpr (isFenced) {
        NNAPI_RETURN_IF_ERROR(executeFencedOn(target, request).status());
    } else {
        NNAPI_RETURN_IF_ERROR(executeOn(target, request).status());
    }
    return isRight(sum) ? Status() : makeError(GENERAL_FAILURE, "it has computed something else");
}

// ---- prepared models, executions and bursts

// Rules resilient.wrapped_results and resilient.kept_arguments: the chain from each object to the
// driver, which restarts once for each death.
TEST(ResilientResults, EachRecovers) {
    Driver driver;
    const auto model = prepareOn(*driver.device, addition()).value();
    const auto cached = driver.device->prepareModelFromCache({}, {}, {}, {}).value();
    const auto burst = model->configureExecutionBurst().value();
    Sum sum, burstSum;
    const Request request = sum.request(), burstRequest = burstSum.request();
    const auto execution = reusableOn(*model, request).value();
    const auto burstExecution = reusableOn(*burst, burstRequest).value();

    const struct {
        const char* name;
        std::function<Status()> call;
        size_t preparations = 1;
    } kRows[] = {
            {"Execute", [&] { return addsUp(*model); }},
            {"ExecuteFenced", [&] { return addsUp<true>(*model); }},
            {"FromCache", [&] { return addsUp(*cached); }},
            {"Burst", [&] { return addsUp(*burst); }},
            {"Compute", [&]() -> Status { return execution->compute({}).status(); }},
            {"ComputeFenced",
             [&]() -> Status { return execution->computeFenced({}, {}, {}).status(); }},
            {"BurstCompute", [&]() -> Status { return burstExecution->compute({}).status(); }},
            {"BurstOfDeadModel",
             [&]() -> Status {
                 const auto late = model->configureExecutionBurst();
                 if (!late.has_value()) return late.status();
                 return addsUp(**late);
             }},
            {"Device", [&]() -> Status { return driver.device->wait(); }, 0},
    };
    for (const auto& row : kRows) {
        SCOPED_TRACE(row.name);
        driver.kill();
        const int starts = driver.starts;
        driver.log->preparations.clear();
        for (int again = 0; again < 2; ++again) EXPECT_EQ(row.call(), Status());
        EXPECT_EQ(driver.starts, starts + 1);
        EXPECT_THAT(driver.log->preparations, SizeIs(row.preparations));
    }
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    EXPECT_THAT(burstSum.z, ElementsAre(11, 22, 33, 44));
}

// Rules resilient.failed_recovery and resilient.wrapped_results: without a driver, each call fails
// with the reason, and the next call tries again.
TEST(ResilientResults, ReportFailedRecoveries) {
    Driver driver;
    const auto model = prepareOn(*driver.device, addition()).value();
    Sum sum;
    const auto execution = reusableOn(*model, sum.request()).value();
    driver.kill();
    driver.isBroken = true;
    const std::string ofDevice =
            "the process is gone; the recovery has failed with GENERAL_FAILURE: no driver";
    const std::string ofModel =
            "the process is gone; the recovery has failed with DEAD_OBJECT: " + ofDevice;
    EXPECT_THAT(driver.device->wait(), Refuses(DEAD_OBJECT, ofDevice));
    EXPECT_THAT(executeOn(*model, sum.request()), Refuses(DEAD_OBJECT, ofModel));
    EXPECT_THAT(execution->compute({}), Refuses(DEAD_OBJECT, ofModel));
    driver.isBroken = false;
    EXPECT_TRUE(execution->compute({}).has_value());
}

// Rule resilient.kept_arguments: the same arguments again, except the expired deadline; memory by
// handle, and copies of the values behind pointers.
TEST(ResilientResults, ArePreparedAgainWithTheSameArguments) {
    std::vector<float> constant = {1, 2, 3, 4};
    Model model = addition();
    model.pools = {createSharedMemory(64).value()};
    Operand& y = model.main.operands[1];
    y.lifetime = Operand::LifeTime::POINTER;
    y.location = {.pointer = static_cast<const void*>(constant.data()), .length = 16};
    std::erase(model.main.inputIndexes, 1u);
    const auto file = [] { return std::make_shared<const Handle>(dup(STDIN_FILENO)); };
    const SharedHandle modelFile = file(), dataFile = file();
    const CacheToken token{7, 8};
    const std::vector<TokenValuePair> hints = {{.token = 3, .value = {1}}};
    const std::vector<ExtensionNameAndPrefix> prefixes = {{.name = "com.example.x", .prefix = 4}};

    Driver driver;
    const TimePoint deadline = Clock::now() + std::chrono::hours(1);
    const auto prepared =
            driver.device->prepareModel(model, ExecutionPreference::LOW_POWER, Priority::HIGH,
                                        deadline, {modelFile}, {dataFile}, token, hints, prefixes);
    ASSERT_TRUE(prepared.has_value()) << prepared.error().message;
    constant.assign(4, -100);

    driver.kill();
    Sum sum;
    Request request = sum.request();
    request.inputs.erase(request.inputs.begin() + 1);
    const auto executed = executeOn(**prepared, request);
    ASSERT_TRUE(executed.has_value()) << executed.error().message;
    EXPECT_THAT(sum.z, ElementsAre(2, 4, 6, 8));

    ASSERT_THAT(driver.log->preparations, SizeIs(2));
    EXPECT_EQ(driver.log->preparations[0].config.deadline, deadline);
    const Preparation& again = driver.log->preparations[1];
    EXPECT_EQ(again.config.preference, ExecutionPreference::LOW_POWER);
    EXPECT_EQ(again.config.priority, Priority::HIGH);
    EXPECT_EQ(again.config.deadline, std::nullopt);
    EXPECT_EQ(again.config.modelCache.front().get(), modelFile.get());
    EXPECT_EQ(again.config.dataCache.front().get(), dataFile.get());
    EXPECT_EQ(again.config.cacheToken, token);
    EXPECT_EQ(again.config.compilationHints, hints);
    EXPECT_EQ(again.config.extensionNameToPrefix, prefixes);
    EXPECT_EQ(again.model.main.operations, model.main.operations);
    EXPECT_EQ(again.model.pools.front().get(), model.pools.front().get());
}

// Rule resilient.kept_arguments: a deadline that has expired meanwhile does not fail later calls.
TEST(ResilientResults, OutliveTheDeadlineOfTheirPreparation) {
    Driver driver;
    const SharedHandle file = std::make_shared<const Handle>(dup(STDIN_FILENO));
    const TimePoint soon = Clock::now() + std::chrono::milliseconds(300);
    const auto model = prepareOn(*driver.device, addition(), soon);
    const auto cached = driver.device->prepareModelFromCache(soon, {file}, {file}, {5});
    ASSERT_TRUE(model.has_value() && cached.has_value());
    while (Clock::now() < soon) std::this_thread::yield();
    driver.kill();
    Sum sum;
    for (const auto& each : {*model, *cached}) {
        const auto executed = executeOn(*each, sum.request());
        EXPECT_TRUE(executed.has_value()) << executed.error().message;
    }
    ASSERT_THAT(driver.log->preparations, SizeIs(4));
    EXPECT_TRUE(driver.log->preparations[3].isFromCache);
    EXPECT_EQ(driver.log->preparations[3].config.modelCache.front().get(), file.get());
    EXPECT_EQ(driver.log->preparations[3].config.cacheToken, CacheToken{5});
}

// Rule resilient.wrapped_results: without a device, the objects of a resilient prepared model
// recover with it.
TEST(ResilientResults, RecoverWithoutResilientDevice) {
    Driver driver({.wrapResults = false});
    int made = 0;
    const auto model = ResilientPreparedModel::create(
                               [&] {
                                   ++made;
                                   return prepareOn(*driver.device, addition());
                               },
                               {.wrapResults = true})
                               .value();
    const auto burst = model->configureExecutionBurst().value();
    Sum sum;
    const auto execution = reusableOn(*burst, sum.request()).value();
    driver.kill();
    EXPECT_TRUE(execution->compute({}).has_value());
    EXPECT_THAT(sum.z, ElementsAre(11, 22, 33, 44));
    EXPECT_EQ(made, 2);
    EXPECT_EQ(driver.starts, 2);
}

// Rule resilient.wrapped_results: the plain objects of a plain resilient device stay dead.
TEST(ResilientResults, PlainOnesStayDead) {
    Driver driver({.wrapResults = false});
    const auto model = prepareOn(*driver.device, addition()).value();
    driver.kill();
    Sum sum;
    EXPECT_EQ(executeOn(*model, sum.request()).error().code, DEAD_OBJECT);
    EXPECT_TRUE(prepareOn(*driver.device, addition()).has_value());
    EXPECT_EQ(executeOn(*model, sum.request()).error().code, DEAD_OBJECT);
}

// ---- buffers

SharedBuffer allocateFor(const Driver& driver, const SharedPreparedModel& model) {
    return driver.device->allocate({}, {model}, {{.modelIndex = 0, .probability = 1}}, {}).value();
}

Request naming(Request::MemoryPool pool) {
    return {.inputs = {}, .outputs = {}, .pools = {std::move(pool)}};
}

// The buffer of its process that an execution has used.
GeneralResult<uint32_t> tokenUsed(const IPreparedModel& model, const Request& request) {
    const auto executed = model.execute(request, {}, {}, {}, {}, {});
    if (!executed.has_value()) return executed.status();
    return executed->first.front().dimensions.front();
}

// Rules buffer.token and resilient.wrapped_results: buffers are recreated without values, for the
// recovered prepared models.
TEST(ResilientResults, BuffersComeBackWithoutValues) {
    Driver driver;
    const auto model = prepareOn(*driver.device, addition()).value();
    const SharedBuffer buffer =
            driver.device
                    ->allocate({.dimensions = {4}}, {model, model},
                               {{.modelIndex = 1, .ioIndex = 1, .probability = 1}}, {})
                    .value();
    const Token token = buffer->getToken();
    EXPECT_NE(token, Token{});
    ASSERT_TRUE(buffer->copyFrom({}, {}).has_value());
    ASSERT_TRUE(buffer->copyTo({}).has_value());

    driver.kill();
    EXPECT_THAT(buffer->copyTo({}), Refuses(GENERAL_FAILURE, "the buffer has no values"));
    EXPECT_TRUE(buffer->copyFrom({}, {}).has_value());
    EXPECT_TRUE(buffer->copyTo({}).has_value());
    EXPECT_EQ(buffer->getToken(), token);
    EXPECT_EQ(driver.starts, 2);
    EXPECT_THAT(driver.log->preparations, SizeIs(2));
    ASSERT_THAT(driver.log->allocations, SizeIs(2));
    EXPECT_EQ(driver.log->allocations[0], driver.log->allocations[1]);
    EXPECT_EQ(driver.log->roles[0], driver.log->roles[2]);

    // With a prepared model that has not noticed the death.
    const auto other = prepareOn(*driver.device, addition()).value();
    driver.kill();
    ASSERT_TRUE(driver.device->wait().has_value());
    EXPECT_TRUE(driver.device->allocate({}, {model, other}, {}, {}).has_value());
}

// Rules resilient.wrapped_results and memory.in_request: a token names its buffer through all lives
// of the driver, whichever object notices a death first.
TEST(ResilientResults, TokensStayThoseOfTheirBuffers) {
    Driver driver;
    const auto model = prepareOn(*driver.device, addition()).value();
    const auto burst = model->configureExecutionBurst().value();
    const SharedBuffer one = allocateFor(driver, model), two = allocateFor(driver, model);
    const Request first = naming(one->getToken()), second = naming(two->getToken());
    const auto execution = reusableOn(*model, first).value();
    EXPECT_EQ(tokenUsed(*model, first).value(), 1u);
    EXPECT_EQ(tokenUsed(*model, second).value(), 2u);

    // The second buffer is recreated first, and gets the first one's token of the driver.
    driver.kill();
    ASSERT_TRUE(two->copyFrom({}, {}).has_value());
    EXPECT_EQ(tokenUsed(*model, second).value(), 1u);
    EXPECT_EQ(tokenUsed(*model, first).value(), 2u);
    EXPECT_EQ(execution->compute({}).value().first.front().dimensions.front(), 2u);

    // The request notices first.
    driver.kill();
    EXPECT_EQ(tokenUsed(*model, first).value(), 1u);
    EXPECT_EQ(tokenUsed(*model, second).value(), 2u);

    // The device notices first.
    driver.kill();
    ASSERT_TRUE(driver.device->wait().has_value());
    EXPECT_EQ(tokenUsed(*model, second).value(), 1u);
    const auto burstUsed = executeOn(*burst, first);
    ASSERT_TRUE(burstUsed.has_value()) << burstUsed.error().message;
    EXPECT_EQ(burstUsed->first.front().dimensions.front(), 2u);

    // The buffer notices first.
    driver.kill();
    EXPECT_EQ(driver.starts, 4);
    Sum sum;
    EXPECT_TRUE(executeOn(*model, sum.request()).has_value());
    Request shared = sum.request();
    shared.pools = {one};
    EXPECT_TRUE(driver.process()->tokens.empty());
    (void)executeOn(*model, shared);
    EXPECT_THAT(driver.process()->tokens, ElementsAre(Token{1})) << "it is allocated again";

    EXPECT_THAT(tokenUsed(*model, naming(Token{77})),
                Refuses(INVALID_ARGUMENT, "pools[0]: no buffer of the device has token 77"));
}

// Rule resilient.wrapped_results: an execution uses the current buffer, also if only the buffer has
// been recreated.
TEST(ResilientResults, ExecutionsFollowTheirBuffers) {
    Driver driver;
    const auto model = prepareOn(*driver.device, addition()).value();
    const SharedBuffer buffer = allocateFor(driver, model);
    const auto execution = reusableOn(*model, naming(buffer->getToken())).value();
    const auto& resilient = dynamic_cast<const ResilientBuffer&>(*buffer);
    const auto anew = resilient.recover(resilient.getBuffer().get());
    ASSERT_TRUE(anew.has_value());
    EXPECT_EQ((*anew)->getToken(), Token{2}) << "the execution holds the first one";
    EXPECT_EQ(execution->compute({}).value().first.front().dimensions.front(), 2u);
    EXPECT_THAT(driver.process()->tokens, ElementsAre(Token{2})) << "and lets it go";
    EXPECT_EQ(driver.starts, 1);
}

// Rules prepared_model.release and memory.released_model: a buffer does not own prepared models;
// the roles of a destroyed one are omitted.
TEST(ResilientResults, BuffersDoNotHoldPreparedModels) {
    Driver driver;
    SharedPreparedModel gone = prepareOn(*driver.device, addition()).value();
    const auto stays = prepareOn(*driver.device, addition()).value();
    const std::weak_ptr<const IPreparedModel> weak = gone;
    const SharedBuffer buffer =
            driver.device
                    ->allocate({}, {gone, stays}, {{.modelIndex = 0}, {.modelIndex = 1}},
                               {{.modelIndex = 0}})
                    .value();
    gone.reset();
    EXPECT_TRUE(weak.expired());
    driver.kill();
    EXPECT_TRUE(buffer->copyFrom({}, {}).has_value());
    EXPECT_THAT(driver.log->roles[2], ElementsAre(BufferRole{.modelIndex = 0}));
    EXPECT_THAT(driver.log->roles[3], IsEmpty());
}

// Rule resilient.wrapped_results: buffers and prepared models of another resilient device do not
// belong to this one.
TEST(ResilientResults, ForeignOnesAreNotRecovered) {
    Driver driver, other;
    const auto foreign = prepareOn(*other.device, addition()).value();
    EXPECT_EQ(driver.device->allocate({}, {foreign}, {}, {}).error().code, INVALID_ARGUMENT);
    EXPECT_THAT(other.log->preparations, SizeIs(1));
}

// Rules resilient.invalid_device and resilient.wrapped_results: the objects that a wrapping device
// has returned become invalid with it.
TEST(ResilientResults, TurnInvalidWithTheirDevice) {
    Driver driver;
    std::atomic<bool> isOther{false};
    const auto device = ResilientDevice::create(
                                [&](bool) {
                                    if (isOther) return referenceDevice({.name = "other"});
                                    return SharedDevice(std::make_shared<const ProcessDevice>(
                                            driver.process()));
                                },
                                {.wrapResults = true})
                                .value();
    const auto model = prepareOn(*device, addition()).value();
    const auto burst = model->configureExecutionBurst().value();
    const auto buffer = device->allocate({}, {model}, {}, {}).value();
    Sum sum;
    const auto execution = reusableOn(*burst, sum.request()).value();
    isOther = true;
    driver.kill();
    const std::string reason =
            "the device 'nnapi-reference' has come back as another one, with the name, which was "
            "'nnapi-reference' and is 'other'; open it anew";
    for (int again = 0; again < 2; ++again) {
        EXPECT_THAT(execution->compute({}), Refuses(GENERAL_FAILURE, reason));
        EXPECT_THAT(executeOn(*burst, sum.request()), Refuses(GENERAL_FAILURE, reason));
        EXPECT_THAT(executeOn(*model, sum.request()), Refuses(GENERAL_FAILURE, reason));
        EXPECT_THAT(tokenUsed(*model, naming(buffer->getToken())),
                    Refuses(GENERAL_FAILURE, reason));
        EXPECT_THAT(buffer->copyFrom({}, {}), Refuses(GENERAL_FAILURE, reason));
        EXPECT_THAT(model->configureExecutionBurst(), Refuses(GENERAL_FAILURE, reason));
    }
}

// ---- threads and resources

// Runs the function in 8 threads at once.
void inThreads(const std::function<void()>& function) {
    std::atomic<int> ready{0};
    nn::inThreads(8, [&](int) {
        ++ready;
        while (ready < 8) std::this_thread::yield();
        function();
    });
}

// Rule resilient.one_factory_call: all objects notice the same death, and one driver is started.
TEST(ResilientResults, EightThreadsStartOneDriver) {
    Driver driver;
    const auto model = prepareOn(*driver.device, addition()).value();
    const auto burst = model->configureExecutionBurst().value();
    const auto buffer = allocateFor(driver, model);
    const std::function<Status()> kCalls[] = {
            [&]() -> Status { return driver.device->wait(); },
            [&]() -> Status { return prepareOn(*driver.device, addition()).status(); },
            [&] { return addsUp(*model); },
            [&] { return addsUp(*burst); },
            [&]() -> Status { return buffer->copyFrom({}, {}); },
            [&] { return tokenUsed(*model, naming(buffer->getToken())).status(); },
            [&]() -> Status { return model->configureExecutionBurst().status(); },
            [&]() -> Status {
                Sum sum;
                return reusableOn(*model, sum.request()).status();
            },
    };
    // Each by one thread: a burst executes one at a time.
    static_assert(std::size(kCalls) == 8);
    for (int life = 0; life < 20; ++life) {
        driver.kill();
        std::atomic<size_t> next{static_cast<size_t>(life)};
        inThreads([&] {
            const Status status = kCalls[next++ % std::size(kCalls)]();
            EXPECT_TRUE(status.ok()) << status;
        });
        EXPECT_EQ(driver.starts, life + 2);
    }
}

// Rule resilient.one_factory_call: one preparation for each death, however many executions notice
// it.
TEST(ResilientResults, EightThreadsPrepareOnce) {
    Driver driver;
    const auto model = prepareOn(*driver.device, addition()).value();
    driver.kill();
    std::atomic<int> right{0};
    inThreads([&] {
        Sum sum;
        const auto execution = reusableOn(*model, sum.request());
        right += execution.value()->compute({}).has_value() && isRight(sum);
    });
    EXPECT_EQ(right, 8);
    EXPECT_EQ(driver.starts, 2);
    EXPECT_THAT(driver.log->preparations, SizeIs(2));
}

// Rules death.threads and resilient.wrapped_results: a driver that dies repeatedly under eight
// threads: each call ends, with the right result or DEAD_OBJECT.
TEST(ResilientResults, DiesUnderEightThreads) {
    Driver driver;
    const auto model = prepareOn(*driver.device, addition()).value();
    const auto buffer = allocateFor(driver, model);
    std::atomic<bool> isOver{false};
    std::thread killer([&] {
        for (int i = 0; i < 200; ++i) {
            driver.kill();
            std::this_thread::sleep_for(std::chrono::microseconds(200));
        }
        isOver = true;
    });
    std::atomic<int> number{0};
    inThreads([&] {
        const bool usesToken = number++ % 2 == 1;
        while (!isOver) {
            const Status status = usesToken ? tokenUsed(*model, naming(buffer->getToken())).status()
                                            : addsUp(*model);
            if (!status.ok()) {
                EXPECT_EQ(errorStatus(status), DEAD_OBJECT) << status;
            }
        }
    });
    killer.join();
    EXPECT_EQ(addsUp(*model), Status());
}

// Rules server.reconnection and resilient.wrapped_results: 10,000 deaths leave memory, threads,
// descriptors and objects as they were.
TEST(ResilientResults, LeaveNothingBehind) {
    struct Use {
        size_t descriptors, threads, bytes;
        int objects;
    };
    Driver driver;
    Model model = addition();
    model.pools = {createSharedMemory(64).value()};
    const SharedHandle file = std::make_shared<const Handle>(dup(STDIN_FILENO));
    const auto prepared = driver.device
                                  ->prepareModel(model, ExecutionPreference::DEFAULT,
                                                 Priority::DEFAULT, {}, {file}, {file}, {}, {}, {})
                                  .value();
    const auto burst = prepared->configureExecutionBurst().value();
    const auto buffer = allocateFor(driver, prepared);
    Sum sum;
    const auto execution = reusableOn(*burst, sum.request()).value();
    const auto live = [&](int lives) {
        for (int life = 0; life < lives; ++life) {
            driver.kill();
            ASSERT_TRUE(execution->compute({}).has_value());
            ASSERT_TRUE(buffer->copyFrom({}, {}).has_value());
            ASSERT_TRUE(executeOn(*burst, sum.request()).has_value());
            driver.log->preparations.clear();
            driver.log->allocations.clear();
            driver.log->roles.clear();
        }
    };
    const auto use = [&] {
        return Use{held::descriptors(), held::threads(), static_cast<size_t>(mallinfo2().uordblks),
                   driver.log->objects};
    };
    live(100);
    const Use before = use();
    live(10'000);
    const Use after = use();
    EXPECT_EQ(after.descriptors, before.descriptors);
    EXPECT_LE(after.threads, before.threads);
    EXPECT_EQ(after.objects, before.objects);
    EXPECT_LE(after.bytes, before.bytes + 10'000) << "one byte for each life";
}

}  // namespace
}  // namespace nn::driver_resilient_results_test
