// Objects of the C API in every state, created on demand and freed with their owner.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstring>
#include <memory>
#include <vector>

#include "nnapi/c/NeuralNetworksExtensions.h"
#include "nnapi/memory.h"
#include "runtime/devices/host_device.h"
#include "runtime/fake_device.h"
#include "runtime/objects/runtime.h"

namespace nn::c_api {

// Short names for the tables.
inline constexpr int OK = ANEURALNETWORKS_NO_ERROR;
inline constexpr int OUT_OF_MEMORY = ANEURALNETWORKS_OUT_OF_MEMORY;
inline constexpr int UNEXPECTED_NULL = ANEURALNETWORKS_UNEXPECTED_NULL;
inline constexpr int BAD_DATA = ANEURALNETWORKS_BAD_DATA;
inline constexpr int OP_FAILED = ANEURALNETWORKS_OP_FAILED;
inline constexpr int BAD_STATE = ANEURALNETWORKS_BAD_STATE;
inline constexpr int UNMAPPABLE = ANEURALNETWORKS_UNMAPPABLE;
inline constexpr int INSUFFICIENT = ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE;
inline constexpr int LATE = ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT;

inline constexpr char kExtension[] = "com.example.test";

inline FakeOptions npuOptions() {
    return {.extensions = {{.name = kExtension,
                            .operandTypes = {{.type = 1, .isTensor = true, .byteSize = 4},
                                             {.type = 2, .isTensor = false, .byteSize = 8}}}},
            .timing = {Duration(10), Duration(20)}};
}

// Registers these devices in this order, followed by the reference device.
inline void useDevices(const std::vector<FakeOptions>& fakes,
                       runtime::Runtime::Options options = {}) {
    std::vector<runtime::PlanDevice> devices;
    devices.reserve(fakes.size() + 1);
    for (const FakeOptions& fake : fakes) {
        devices.push_back({fakeDevice(fake), false});
    }
    devices.push_back({referenceDevice({.versionString = "UNKNOWN",
                                        .capabilities = runtime::sameForAll({1, 1}),
                                        .fencedThreads = 2,
                                        .hasCache = false}),
                       true});
    runtime::setRuntime(
            std::make_unique<const runtime::Runtime>(std::move(devices), std::move(options)));
}

// A tensor type, by default of floats; it owns its dimensions.
class Type {
   public:
    Type(int32_t type, std::vector<uint32_t> dimensions, float scale = 0, int32_t zeroPoint = 0)
        : mDimensions(std::move(dimensions)),
          mType{type, static_cast<uint32_t>(mDimensions.size()),
                mDimensions.empty() ? nullptr : mDimensions.data(), scale, zeroPoint} {}
    Type(const Type&) = delete;
    const ANeuralNetworksOperandType* get() const { return &mType; }
    operator const ANeuralNetworksOperandType*() const { return &mType; }

   private:
    std::vector<uint32_t> mDimensions;
    ANeuralNetworksOperandType mType;
};

// Frees the owned object.
template <class T, void (*kFree)(T*)>
class Owned {
   public:
    Owned() = default;
    Owned(Owned&& other) noexcept : mHandle(std::exchange(other.mHandle, nullptr)) {}
    Owned& operator=(Owned&& other) noexcept {
        std::swap(mHandle, other.mHandle);
        return *this;
    }
    ~Owned() { kFree(mHandle); }
    T** out() { return &mHandle; }
    T* get() const { return mHandle; }
    operator T*() const { return mHandle; }
    void free() { kFree(std::exchange(mHandle, nullptr)); }

   private:
    T* mHandle = nullptr;
};
using OwnedModel = Owned<ANeuralNetworksModel, ANeuralNetworksModel_free>;
using OwnedCompilation = Owned<ANeuralNetworksCompilation, ANeuralNetworksCompilation_free>;
using OwnedExecution = Owned<ANeuralNetworksExecution, ANeuralNetworksExecution_free>;
using OwnedBurst = Owned<ANeuralNetworksBurst, ANeuralNetworksBurst_free>;
using OwnedEvent = Owned<ANeuralNetworksEvent, ANeuralNetworksEvent_free>;
using OwnedMemory = Owned<ANeuralNetworksMemory, ANeuralNetworksMemory_free>;
using OwnedDesc = Owned<ANeuralNetworksMemoryDesc, ANeuralNetworksMemoryDesc_free>;

inline ANeuralNetworksDevice* deviceAt(uint32_t index) {
    ANeuralNetworksDevice* device = nullptr;
    EXPECT_EQ(ANeuralNetworks_getDevice(index, &device), OK);
    return device;
}

// A model under construction; operands are numbered as they are added.
class ModelBuilder {
   public:
    ModelBuilder() { EXPECT_EQ(ANeuralNetworksModel_create(mModel.out()), OK); }
    operator ANeuralNetworksModel*() const { return mModel; }

    uint32_t add(const Type& type) {
        EXPECT_EQ(ANeuralNetworksModel_addOperand(mModel, type), OK);
        return mCount++;
    }
    uint32_t tensor(int32_t type, std::vector<uint32_t> dimensions) {
        return add(Type(type, std::move(dimensions)));
    }
    uint32_t counter() { return tensor(ANEURALNETWORKS_TENSOR_INT32, {1}); }
    uint32_t floats(uint32_t size) { return tensor(ANEURALNETWORKS_TENSOR_FLOAT32, {size}); }
    uint32_t boolean() { return tensor(ANEURALNETWORKS_TENSOR_BOOL8, {1}); }
    uint32_t number(uint32_t operand, int32_t value) {
        EXPECT_EQ(ANeuralNetworksModel_setOperandValue(mModel, static_cast<int32_t>(operand),
                                                       &value, sizeof value),
                  OK);
        return operand;
    }
    uint32_t scalar(int32_t value) { return number(add(Type(ANEURALNETWORKS_INT32, {})), value); }
    uint32_t graph(ANeuralNetworksModel* inner) {
        const uint32_t operand = add(Type(ANEURALNETWORKS_MODEL, {}));
        EXPECT_EQ(ANeuralNetworksModel_setOperandValueFromModel(
                          mModel, static_cast<int32_t>(operand), inner),
                  OK);
        return operand;
    }
    void operation(int32_t type, const std::vector<uint32_t>& inputs,
                   const std::vector<uint32_t>& outputs) {
        EXPECT_EQ(ANeuralNetworksModel_addOperation(
                          mModel, type, static_cast<uint32_t>(inputs.size()), inputs.data(),
                          static_cast<uint32_t>(outputs.size()), outputs.data()),
                  OK);
    }
    OwnedModel identify(const std::vector<uint32_t>& inputs, const std::vector<uint32_t>& outputs) {
        EXPECT_EQ(ANeuralNetworksModel_identifyInputsAndOutputs(
                          mModel, static_cast<uint32_t>(inputs.size()), inputs.data(),
                          static_cast<uint32_t>(outputs.size()), outputs.data()),
                  OK);
        return std::move(mModel);
    }
    OwnedModel finish(const std::vector<uint32_t>& inputs, const std::vector<uint32_t>& outputs) {
        OwnedModel model = identify(inputs, outputs);
        EXPECT_EQ(ANeuralNetworksModel_finish(model), OK);
        return model;
    }

   private:
    OwnedModel mModel{};
    uint32_t mCount = 0;
};

// z = x + y of tensors of this type: operands x, y, activation, z.
inline OwnedModel additionBeforeFinish(const Type& tensor) {
    ModelBuilder model;
    const auto x = model.add(tensor), y = model.add(tensor);
    const auto none = model.scalar(ANEURALNETWORKS_FUSED_NONE), z = model.add(tensor);
    model.operation(ANEURALNETWORKS_ADD, {x, y, none}, {z});
    return model.identify({x, y}, {z});
}

inline OwnedModel additionOf(const Type& tensor) {
    OwnedModel model = additionBeforeFinish(tensor);
    EXPECT_EQ(ANeuralNetworksModel_finish(model), OK);
    return model;
}

// Of floats. A size of 0 is left unspecified.
inline OwnedModel additionBeforeFinish(uint32_t size = 4) {
    return additionBeforeFinish(Type(ANEURALNETWORKS_TENSOR_FLOAT32, {size}));
}
inline OwnedModel addition(uint32_t size = 4) {
    return additionOf(Type(ANEURALNETWORKS_TENSOR_FLOAT32, {size}));
}

// Compiles for these devices, or for all.
inline OwnedCompilation compilationFor(ANeuralNetworksModel* model,
                                       const std::vector<const ANeuralNetworksDevice*>& devices) {
    OwnedCompilation compilation;
    EXPECT_EQ(devices.empty() ? ANeuralNetworksCompilation_create(model, compilation.out())
                              : ANeuralNetworksCompilation_createForDevices(
                                        model, devices.data(),
                                        static_cast<uint32_t>(devices.size()), compilation.out()),
              OK);
    return compilation;
}

// Compiles for the first device, or for all.
inline OwnedCompilation compilationOf(ANeuralNetworksModel* model, bool isForOne = true) {
    if (!isForOne) return compilationFor(model, {});
    return compilationFor(model, {deviceAt(0)});
}

inline OwnedCompilation compiled(ANeuralNetworksModel* model, bool isForOne = true) {
    OwnedCompilation compilation = compilationOf(model, isForOne);
    EXPECT_EQ(ANeuralNetworksCompilation_finish(compilation), OK);
    return compilation;
}

inline OwnedExecution executionOf(ANeuralNetworksCompilation* compilation) {
    OwnedExecution execution;
    EXPECT_EQ(ANeuralNetworksExecution_create(compilation, execution.out()), OK);
    return execution;
}

// Values of an addition.
struct Values {
    std::array<float, 4> x{1, 2, 3, 4}, y{10, 20, 30, 40}, z{};
    static constexpr std::array<float, 4> kSum{11, 22, 33, 44};
    static constexpr size_t kBytes = sizeof(float) * 4;

    void setInputs(ANeuralNetworksExecution* execution,
                   const ANeuralNetworksOperandType* type = nullptr) {
        EXPECT_EQ(ANeuralNetworksExecution_setInput(execution, 0, type, x.data(), kBytes), OK);
        EXPECT_EQ(ANeuralNetworksExecution_setInput(execution, 1, type, y.data(), kBytes), OK);
    }
    void set(ANeuralNetworksExecution* execution) {
        setInputs(execution);
        EXPECT_EQ(ANeuralNetworksExecution_setOutput(execution, 0, nullptr, z.data(), kBytes), OK);
    }
};

// Memory backed by a file of this process.
inline OwnedMemory memoryOf(size_t size, int protection = PROT_READ | PROT_WRITE) {
    OwnedMemory memory;
    const int fd = memfd_create("test", MFD_CLOEXEC);
    EXPECT_EQ(ftruncate(fd, static_cast<off_t>(size)), 0);
    EXPECT_EQ(ANeuralNetworksMemory_createFromFd(size, protection, fd, 0, memory.out()), OK);
    close(fd);
    return memory;
}

// A pipe whose reading end is a fence.
class Pipe {
   public:
    Pipe() {
        int ends[2] = {-1, -1};
        EXPECT_EQ(pipe(ends), 0);
        // If standard input is closed, a pipe's end may be descriptor 0, which is not a valid
        // fence.
        mReading = duplicate(UniqueFd(ends[0]).get());
        mWriting = duplicate(UniqueFd(ends[1]).get());
    }
    int fence() const { return mReading.get(); }
    void signal() const { EXPECT_EQ(write(mWriting.get(), "x", 1), 1); }

   private:
    UniqueFd mReading, mWriting;
};

inline OwnedEvent eventOf(const Pipe& pipe) {
    OwnedEvent event;
    EXPECT_EQ(ANeuralNetworksEvent_createFromSyncFenceFd(pipe.fence(), event.out()), OK);
    return event;
}

// Starts an execution after these events.
inline OwnedEvent startedAfter(ANeuralNetworksExecution* execution,
                               const std::vector<const ANeuralNetworksEvent*>& events) {
    OwnedEvent event;
    EXPECT_EQ(
            ANeuralNetworksExecution_startComputeWithDependencies(
                    execution, events.data(), static_cast<uint32_t>(events.size()), 0, event.out()),
            OK);
    return event;
}

enum class ExecutionMode { COMPUTE, BURST, ASYNC, FENCED };
inline constexpr ExecutionMode kModes[] = {ExecutionMode::COMPUTE, ExecutionMode::BURST,
                                           ExecutionMode::ASYNC, ExecutionMode::FENCED};

// Executes to the end and returns the code.
inline int executeIn(ExecutionMode mode, ANeuralNetworksCompilation* compilation,
                     ANeuralNetworksExecution* execution) {
    OwnedEvent event;
    OwnedBurst burst;
    int started = OK;
    switch (mode) {
        case ExecutionMode::COMPUTE:
            return ANeuralNetworksExecution_compute(execution);
        case ExecutionMode::BURST:
            EXPECT_EQ(ANeuralNetworksBurst_create(compilation, burst.out()), OK);
            return ANeuralNetworksExecution_burstCompute(execution, burst);
        case ExecutionMode::ASYNC:
            EXPECT_EQ(ANeuralNetworksExecution_startCompute(execution, event.out()), OK);
            break;
        case ExecutionMode::FENCED:
            started = ANeuralNetworksExecution_startComputeWithDependencies(execution, nullptr, 0,
                                                                            0, event.out());
    }
    return started == OK ? ANeuralNetworksEvent_wait(event) : started;
}

}  // namespace nn::c_api
