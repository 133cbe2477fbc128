// Executions with the helpers of Android 11: pools, the CPU executor, and both ends of a burst.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <vector>

#include "CpuExecutor.h"
#include "ExecutionBurstController.h"
#include "ExecutionBurstServer.h"
#include "HalInterfaces.h"
#include "MemoryUtils.h"
#include "Utils.h"

namespace {

using namespace android::nn;
using namespace android::nn::hal;
using android::sp;

// input + constant, which is in a pool
Model addModel() {
    Model model;
    const Operand tensor = {.type = OperandType::TENSOR_FLOAT32,
                            .dimensions = {2},
                            .numberOfConsumers = 1,
                            .lifetime = OperandLifeTime::SUBGRAPH_INPUT};
    model.main.operands = {tensor, tensor, tensor, tensor};
    Operand& constant = model.main.operands[1];
    constant.lifetime = OperandLifeTime::CONSTANT_REFERENCE;
    constant.location = {.poolIndex = 0, .offset = 4, .length = 8};
    Operand& activation = model.main.operands[2];
    activation.type = OperandType::INT32;
    activation.dimensions = hidl_vec<uint32_t>();
    activation.lifetime = OperandLifeTime::CONSTANT_COPY;
    activation.location = {.poolIndex = 0, .offset = 0, .length = 4};
    Operand& sum = model.main.operands[3];
    sum.numberOfConsumers = 0;
    sum.lifetime = OperandLifeTime::SUBGRAPH_OUTPUT;
    model.main.operations = {{.type = OperationType::ADD, .inputs = {0, 1, 2}, .outputs = {3}}};
    model.main.inputIndexes = {0};
    model.main.outputIndexes = {3};
    model.operandValues = {0, 0, 0, 0};
    model.pools = {allocateSharedMemory(12)};
    const auto pool = RunTimePoolInfo::createFromHidlMemory(model.pools[0]);
    const std::array<float, 2> values = {10, 20};
    std::memcpy(pool->getBuffer() + 4, values.data(), 8);
    return model;
}

// The input is at 0 and the output at 8 of one pool.
V1_0::Request addRequest(const hidl_memory& pool) {
    V1_0::Request request;
    request.inputs = {{.location = {.poolIndex = 0, .offset = 0, .length = 8}}};
    request.outputs = {{.location = {.poolIndex = 0, .offset = 8, .length = 8}}};
    request.pools = {pool};
    return request;
}

std::array<float, 2> floatsAt(const RunTimePoolInfo& pool, size_t offset) {
    std::array<float, 2> values = {};
    std::memcpy(values.data(), pool.getBuffer() + offset, 8);
    return values;
}

void setFloats(const RunTimePoolInfo& pool, const std::array<float, 2>& values) {
    std::memcpy(pool.getBuffer(), values.data(), 8);
}

TEST(RunTimePoolInfo, MapsWhatCanBeMapped) {
    std::vector<RunTimePoolInfo> pools;
    const hidl_memory memory = allocateSharedMemory(16);
    ASSERT_TRUE(setRunTimePoolInfosFromHidlMemories(&pools, {memory, memory}));
    ASSERT_EQ(pools.size(), 2u);
    pools[0].getBuffer()[3] = 7;
    EXPECT_EQ(pools[1].getBuffer()[3], 7);
    EXPECT_EQ(pools[1].getSize(), 16u);
    EXPECT_EQ(pools[1].getHidlMemory(), memory);
    EXPECT_TRUE(pools[1].flush());
    EXPECT_FALSE(setRunTimePoolInfosFromHidlMemories(&pools, {memory, hidl_memory()}));
    EXPECT_TRUE(pools.empty());
    EXPECT_FALSE(RunTimePoolInfo::createFromHidlMemory(hidl_memory()).has_value());

    bool fail = false;
    RunTimePoolInfo pool(memory, &fail);
    EXPECT_FALSE(fail);
    EXPECT_NE(pool.buffer, nullptr);
    EXPECT_EQ(pool.buffer, pool.getBuffer());
    EXPECT_FALSE(pool.set(hidl_memory()));
    EXPECT_NE(pool.buffer, nullptr);  // unchanged
    RunTimePoolInfo unmapped(hidl_memory(), &fail);
    EXPECT_TRUE(fail);
    EXPECT_EQ(unmapped.buffer, nullptr);
    EXPECT_EQ(unmapped.getBuffer(), nullptr);
    EXPECT_TRUE(unmapped.set(memory));
    EXPECT_EQ(unmapped.buffer, unmapped.getBuffer());
    EXPECT_EQ(unmapped.getSize(), pool.getSize());

    hidl_vec<Request::MemoryPool> mixed;
    mixed.resize(2);
    mixed[0].hidlMemory(memory);
    mixed[1].token(1);
    ASSERT_TRUE(setRunTimePoolInfosFromMemoryPools(&pools, mixed));
    EXPECT_EQ(pools[0].getBuffer()[3], 7);
    EXPECT_EQ(pools[1].getBuffer(), nullptr);
}

class CpuExecutorTest : public testing::Test {
   protected:
    CpuExecutorTest() {
        EXPECT_TRUE(setRunTimePoolInfosFromHidlMemories(&mModelPools, mModel.pools));
        EXPECT_TRUE(setRunTimePoolInfosFromHidlMemories(&mPools, {mMemory}));
        setFloats(mPools[0], {1, 2});
    }

    const Model mModel = addModel();
    const hidl_memory mMemory = allocateSharedMemory(16);
    Request mRequest = convertToV1_3(addRequest(mMemory));
    std::vector<RunTimePoolInfo> mModelPools;
    std::vector<RunTimePoolInfo> mPools;
    CpuExecutor mExecutor;
};

TEST_F(CpuExecutorTest, WritesToThePools) {
    EXPECT_EQ(mExecutor.run(mModel, mRequest, mModelPools, mPools), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(floatsAt(mPools[0], 8), (std::array<float, 2>{11, 22}));
    ASSERT_EQ(mExecutor.getOutputShapes().size(), 1u);
    EXPECT_EQ(mExecutor.getOutputShapes()[0],
              (OutputShape{.dimensions = {2}, .isSufficient = true}));
}

TEST_F(CpuExecutorTest, ReadsThePoolsAndNotTheMemories) {
    std::array<uint8_t, 16> own = {};
    const std::vector<RunTimePoolInfo> pools = {
            RunTimePoolInfo::createFromExistingBuffer(own.data(), own.size())};
    setFloats(pools[0], {5, 6});
    EXPECT_EQ(mExecutor.run(mModel, mRequest, mModelPools, pools), ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(floatsAt(pools[0], 8), (std::array<float, 2>{15, 26}));
    EXPECT_EQ(floatsAt(mPools[0], 8), (std::array<float, 2>{0, 0}));
}

TEST_F(CpuExecutorTest, ReportsWhatDoesNotFit) {
    Model open = mModel;
    open.main.operands[3].dimensions = {0};
    mRequest.outputs[0].location.length = 4;
    EXPECT_EQ(mExecutor.run(open, mRequest, mModelPools, mPools),
              ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE);
    EXPECT_EQ(mExecutor.getOutputShapes()[0],
              (OutputShape{.dimensions = {2}, .isSufficient = false}));
}

TEST_F(CpuExecutorTest, Refuses) {
    mExecutor.setDeadline(Deadline());
    EXPECT_EQ(mExecutor.run(mModel, mRequest, mModelPools, mPools),
              ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT);
    EXPECT_TRUE(mExecutor.getOutputShapes().empty());
    CpuExecutor executor;
    EXPECT_EQ(executor.run(mModel, mRequest, {}, mPools), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(executor.run(mModel, mRequest, mModelPools, {}), ANEURALNETWORKS_BAD_DATA);
    mRequest.outputs[0].location.offset = 12;
    EXPECT_EQ(executor.run(mModel, mRequest, mModelPools, mPools), ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(executor.run(Model(), mRequest, {}, mPools), ANEURALNETWORKS_BAD_DATA);
}

// ---------------------------------------------------------------------------------------------
// Bursts

// Executes with a CpuExecutor, and records the requests of its client.
class CountingExecutor : public ExecutionBurstServer::IBurstExecutorWithCache {
   public:
    bool isCacheEntryPresent(int32_t slot) const override { return mMemories.count(slot) != 0; }
    void addCacheEntry(const hidl_memory& memory, int32_t slot) override {
        ++added;
        mMemories[slot] = memory;
    }
    void removeCacheEntry(int32_t slot) override {
        ++removed;
        mMemories.erase(slot);
    }
    std::tuple<V1_0::ErrorStatus, hidl_vec<OutputShape>, Timing> execute(
            const V1_0::Request& request, const std::vector<int32_t>& slots,
            MeasureTiming measure) override {
        V1_0::Request whole = request;
        whole.pools.resize(slots.size());
        for (size_t i = 0; i < slots.size(); ++i) whole.pools[i] = mMemories.at(slots[i]);
        std::vector<RunTimePoolInfo> pools, modelPools;
        if (!setRunTimePoolInfosFromHidlMemories(&pools, whole.pools) ||
            !setRunTimePoolInfosFromHidlMemories(&modelPools, mModel.pools)) {
            return {V1_0::ErrorStatus::GENERAL_FAILURE, {}, {UINT64_MAX, UINT64_MAX}};
        }
        CpuExecutor executor;
        const int code = executor.run(mModel, convertToV1_3(whole), modelPools, pools);
        const uint64_t time = measure == MeasureTiming::YES ? 3 : UINT64_MAX;
        return {convertToV1_0(convertResultCodeToErrorStatus(code)),
                executor.getOutputShapes(),
                {.timeOnDevice = time, .timeInDriver = time}};
    }

    std::atomic<int> added{0};
    std::atomic<int> removed{0};

   private:
    const Model mModel = addModel();
    std::map<int32_t, hidl_memory> mMemories;
};

// A prepared model whose bursts are served by an executor, or by its own executeSynchronously.
class BurstModel : public V1_2::IPreparedModel {
   public:
    explicit BurstModel(std::shared_ptr<CountingExecutor> executor)
        : mExecutor(std::move(executor)) {}

    Return<V1_0::ErrorStatus> execute(const V1_0::Request&,
                                      const sp<V1_0::IExecutionCallback>&) override {
        return V1_0::ErrorStatus::GENERAL_FAILURE;
    }
    Return<V1_0::ErrorStatus> execute_1_2(const V1_0::Request&, MeasureTiming,
                                          const sp<V1_2::IExecutionCallback>&) override {
        return V1_0::ErrorStatus::GENERAL_FAILURE;
    }
    Return<void> executeSynchronously(const V1_0::Request& request, MeasureTiming measure,
                                      executeSynchronously_cb cb) override {
        CountingExecutor executor;
        V1_0::Request withoutPools = request;
        withoutPools.pools = {};
        std::vector<int32_t> slots;
        for (const hidl_memory& pool : request.pools) {
            slots.push_back(static_cast<int32_t>(slots.size()));
            executor.addCacheEntry(pool, slots.back());
        }
        const auto [status, shapes, timing] = executor.execute(withoutPools, slots, measure);
        cb(status, shapes, timing);
        return Void();
    }
    Return<void> configureExecutionBurst(const sp<V1_2::IBurstCallback>& callback,
                                         const FmqRequestDescriptor& requests,
                                         const FmqResultDescriptor& results,
                                         configureExecutionBurst_cb cb) override {
        const sp<V1_2::IBurstContext> context =
                mExecutor == nullptr
                        ? ExecutionBurstServer::create(callback, requests, results, this)
                        : ExecutionBurstServer::create(callback, requests, results, mExecutor);
        cb(context == nullptr ? V1_0::ErrorStatus::GENERAL_FAILURE : V1_0::ErrorStatus::NONE,
           context);
        return Void();
    }

   private:
    const std::shared_ptr<CountingExecutor> mExecutor;
};

class BurstTest : public testing::TestWithParam<bool> {
   protected:
    const std::shared_ptr<CountingExecutor> mExecutor =
            GetParam() ? std::make_shared<CountingExecutor>() : nullptr;
    const sp<V1_2::IPreparedModel> mModel = new BurstModel(mExecutor);
    const std::unique_ptr<ExecutionBurstController> mBurst =
            ExecutionBurstController::create(mModel, std::chrono::microseconds{0});
};

TEST_P(BurstTest, ComputesAndSendsEachMemoryOnce) {
    ASSERT_NE(mBurst, nullptr);
    const hidl_memory memory = allocateSharedMemory(16);
    const auto pool = RunTimePoolInfo::createFromHidlMemory(memory);
    for (const float i : {0.0f, 1.0f, 2.0f, 3.0f, 4.0f}) {
        setFloats(*pool, {i, 2 * i});
        const auto [code, shapes, timing, fallback] =
                mBurst->compute(addRequest(memory), MeasureTiming::YES, {42});
        EXPECT_EQ(code, ANEURALNETWORKS_NO_ERROR);
        EXPECT_EQ(floatsAt(*pool, 8), (std::array<float, 2>{10 + i, 20 + 2 * i}));
        EXPECT_EQ(timing, (Timing{.timeOnDevice = 3, .timeInDriver = 3}));
        EXPECT_FALSE(fallback);
    }
    if (mExecutor == nullptr) return;
    EXPECT_EQ(mExecutor->added, 1);
    mBurst->freeMemory(42);
    EXPECT_EQ(mExecutor->removed, 1);
    EXPECT_EQ(std::get<0>(mBurst->compute(addRequest(memory), MeasureTiming::NO, {42})),
              ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(mExecutor->added, 2);
}

TEST_P(BurstTest, ReportsFailuresAndGoesOn) {
    ASSERT_NE(mBurst, nullptr);
    const hidl_memory memory = allocateSharedMemory(16);
    V1_0::Request wrong = addRequest(memory);
    wrong.outputs = {};
    EXPECT_NE(std::get<0>(mBurst->compute(wrong, MeasureTiming::NO, {1})),
              ANEURALNETWORKS_NO_ERROR);
    EXPECT_EQ(std::get<0>(mBurst->compute(addRequest(memory), MeasureTiming::NO, {})),
              ANEURALNETWORKS_BAD_DATA);
    EXPECT_EQ(std::get<0>(mBurst->compute(addRequest(memory), MeasureTiming::NO, {1})),
              ANEURALNETWORKS_NO_ERROR);
}

INSTANTIATE_TEST_SUITE_P(WithExecutorOrModel, BurstTest, testing::Bool());

TEST(ExecutionBurstServer, RefusesNull) {
    EXPECT_EQ(ExecutionBurstServer::create(nullptr, FmqRequestDescriptor(), FmqResultDescriptor(),
                                           std::make_shared<CountingExecutor>()),
              nullptr);
    EXPECT_EQ(ExecutionBurstController::create(nullptr, std::chrono::microseconds{0}), nullptr);
}

TEST(ExecutionBurstServer, Packets) {
    V1_0::Request request = addRequest(hidl_memory());
    request.pools = {};
    const auto back = deserialize(serialize(request, MeasureTiming::YES, {7}));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(std::get<0>(*back), request);
    EXPECT_EQ(std::get<1>(*back), std::vector<int32_t>{7});
    const std::vector<OutputShape> shapes = {{.dimensions = {2, 3}, .isSufficient = true}};
    const auto result = deserialize(serialize(V1_0::ErrorStatus::NONE, shapes, {5, 6}));
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(std::get<1>(*result), shapes);
    EXPECT_FALSE(deserialize(std::vector<FmqRequestDatum>()).has_value());
}

}  // namespace
