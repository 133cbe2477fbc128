// NeuralNetworksWrapper.h -- C++ classes over the C API, by their names in Android's trees.
//
//   android::nn::wrapper::OperandType type(Type::TENSOR_FLOAT32, {4});
//   android::nn::wrapper::Model model;
//   const uint32_t input = model.addOperand(&type), output = model.addOperand(&type);
//   model.addOperation(ANEURALNETWORKS_RELU, {input}, {output});
//   model.identifyInputsAndOutputs({input}, {output});
//   if (model.finish() != Result::NO_ERROR) ...
//
// Objects own what they create, and can be moved but not copied. An object that has been moved from
// owns nothing. The program links libneuralnetworks.so. As thread-safe as the functions of the C
// API.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "nnapi/c/NeuralNetworks.h"

namespace android::nn::wrapper {

enum class Type : int32_t {
    FLOAT32 = ANEURALNETWORKS_FLOAT32,
    INT32 = ANEURALNETWORKS_INT32,
    UINT32 = ANEURALNETWORKS_UINT32,
    TENSOR_FLOAT32 = ANEURALNETWORKS_TENSOR_FLOAT32,
    TENSOR_INT32 = ANEURALNETWORKS_TENSOR_INT32,
    TENSOR_QUANT8_ASYMM = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM,
    BOOL = ANEURALNETWORKS_BOOL,
    TENSOR_QUANT16_SYMM = ANEURALNETWORKS_TENSOR_QUANT16_SYMM,
    TENSOR_FLOAT16 = ANEURALNETWORKS_TENSOR_FLOAT16,
    TENSOR_BOOL8 = ANEURALNETWORKS_TENSOR_BOOL8,
    FLOAT16 = ANEURALNETWORKS_FLOAT16,
    TENSOR_QUANT8_SYMM_PER_CHANNEL = ANEURALNETWORKS_TENSOR_QUANT8_SYMM_PER_CHANNEL,
    TENSOR_QUANT16_ASYMM = ANEURALNETWORKS_TENSOR_QUANT16_ASYMM,
    TENSOR_QUANT8_SYMM = ANEURALNETWORKS_TENSOR_QUANT8_SYMM,
    TENSOR_QUANT8_ASYMM_SIGNED = ANEURALNETWORKS_TENSOR_QUANT8_ASYMM_SIGNED,
    MODEL = ANEURALNETWORKS_MODEL,
};

enum class ExecutePreference : int32_t {
    PREFER_LOW_POWER = ANEURALNETWORKS_PREFER_LOW_POWER,
    PREFER_FAST_SINGLE_ANSWER = ANEURALNETWORKS_PREFER_FAST_SINGLE_ANSWER,
    PREFER_SUSTAINED_SPEED = ANEURALNETWORKS_PREFER_SUSTAINED_SPEED,
};

enum class ExecutePriority : int32_t {
    LOW = ANEURALNETWORKS_PRIORITY_LOW,
    MEDIUM = ANEURALNETWORKS_PRIORITY_MEDIUM,
    HIGH = ANEURALNETWORKS_PRIORITY_HIGH,
    DEFAULT = ANEURALNETWORKS_PRIORITY_DEFAULT,
};

enum class Result : int32_t {
    NO_ERROR = ANEURALNETWORKS_NO_ERROR,
    OUT_OF_MEMORY = ANEURALNETWORKS_OUT_OF_MEMORY,
    INCOMPLETE = ANEURALNETWORKS_INCOMPLETE,
    UNEXPECTED_NULL = ANEURALNETWORKS_UNEXPECTED_NULL,
    BAD_DATA = ANEURALNETWORKS_BAD_DATA,
    OP_FAILED = ANEURALNETWORKS_OP_FAILED,
    UNMAPPABLE = ANEURALNETWORKS_UNMAPPABLE,
    BAD_STATE = ANEURALNETWORKS_BAD_STATE,
    OUTPUT_INSUFFICIENT_SIZE = ANEURALNETWORKS_OUTPUT_INSUFFICIENT_SIZE,
    UNAVAILABLE_DEVICE = ANEURALNETWORKS_UNAVAILABLE_DEVICE,
    MISSED_DEADLINE_TRANSIENT = ANEURALNETWORKS_MISSED_DEADLINE_TRANSIENT,
    MISSED_DEADLINE_PERSISTENT = ANEURALNETWORKS_MISSED_DEADLINE_PERSISTENT,
    RESOURCE_EXHAUSTED_TRANSIENT = ANEURALNETWORKS_RESOURCE_EXHAUSTED_TRANSIENT,
    RESOURCE_EXHAUSTED_PERSISTENT = ANEURALNETWORKS_RESOURCE_EXHAUSTED_PERSISTENT,
    DEAD_OBJECT = ANEURALNETWORKS_DEAD_OBJECT,
};

// Scales of a TENSOR_QUANT8_SYMM_PER_CHANNEL. `params` refers to `scales` of the same object.
struct SymmPerChannelQuantParams {
    SymmPerChannelQuantParams(std::vector<float> scalesVec, uint32_t channelDim)
        : params{.channelDim = channelDim, .scaleCount = 0, .scales = nullptr},
          scales(std::move(scalesVec)) {
        refer();
    }
    SymmPerChannelQuantParams(const SymmPerChannelQuantParams& other)
        : SymmPerChannelQuantParams(other.scales, other.params.channelDim) {}
    SymmPerChannelQuantParams& operator=(const SymmPerChannelQuantParams& other) {
        params.channelDim = other.params.channelDim;
        scales = other.scales;
        refer();
        return *this;
    }

    ANeuralNetworksSymmPerChannelQuantParams params;
    std::vector<float> scales;

   private:
    void refer() {
        params.scaleCount = static_cast<uint32_t>(scales.size());
        params.scales = scales.empty() ? nullptr : scales.data();
    }
};

// The type of an operand. `operandType` refers to `dimensions` of the same object.
struct OperandType {
    OperandType(Type type, std::vector<uint32_t> d, float scale = 0.0f, int32_t zeroPoint = 0)
        : OperandType(type, std::move(d), scale, zeroPoint, std::nullopt) {}
    OperandType(Type type, std::vector<uint32_t> data, SymmPerChannelQuantParams&& channelQuant)
        : OperandType(type, std::move(data), 0.0f, 0, std::optional(std::move(channelQuant))) {}
    OperandType(Type type, std::vector<uint32_t> data, float scale, int32_t zeroPoint,
                SymmPerChannelQuantParams&& channelQuant)
        : OperandType(type, std::move(data), scale, zeroPoint,
                      std::optional(std::move(channelQuant))) {}
    OperandType(const OperandType& other)
        : OperandType(static_cast<Type>(other.operandType.type), other.dimensions,
                      other.operandType.scale, other.operandType.zeroPoint, other.channelQuant) {}
    OperandType& operator=(const OperandType& other) {
        operandType = other.operandType;
        channelQuant = other.channelQuant;
        updateDimensions(other.dimensions);
        return *this;
    }

    void updateDimensions(std::vector<uint32_t> newDimensions) {
        dimensions = std::move(newDimensions);
        operandType.dimensionCount = static_cast<uint32_t>(dimensions.size());
        operandType.dimensions = dimensions.empty() ? nullptr : dimensions.data();
    }

    ANeuralNetworksOperandType operandType;
    std::vector<uint32_t> dimensions{};
    std::optional<SymmPerChannelQuantParams> channelQuant;

   private:
    OperandType(Type type, std::vector<uint32_t> d, float scale, int32_t zeroPoint,
                std::optional<SymmPerChannelQuantParams> quant)
        : operandType{.type = static_cast<int32_t>(type),
                      .dimensionCount = 0,
                      .dimensions = nullptr,
                      .scale = scale,
                      .zeroPoint = zeroPoint},
          channelQuant(std::move(quant)) {
        updateDimensions(std::move(d));
    }
};

namespace internal {

// An object of the C API, freed by its owner; null if there is none.
template <class T, void (*kFree)(T*)>
class Owned {
   public:
    Owned() = default;
    explicit Owned(T* object) : mObject(object) {}
    Owned(Owned&& other) noexcept : mObject(std::exchange(other.mObject, nullptr)) {}
    Owned& operator=(Owned&& other) noexcept {
        if (this != &other) reset(std::exchange(other.mObject, nullptr));
        return *this;
    }
    ~Owned() { reset(nullptr); }

    T* get() const { return mObject; }
    // For functions that create an object and store it: frees the current object first.
    T** receive() {
        reset(nullptr);
        return &mObject;
    }
    void reset(T* object) {
        if (mObject != nullptr) kFree(mObject);
        mObject = object;
    }

   private:
    T* mObject = nullptr;
};

}  // namespace internal

// Memory of a file, a hardware buffer, or a device.
class Memory {
   public:
    // Owns the memory.
    Memory(ANeuralNetworksMemory* memory) : mMemory(memory) {}
    Memory(size_t size, int protect, int fd, size_t offset) {
        ANeuralNetworksMemory_createFromFd(size, protect, fd, offset, mMemory.receive());
    }
    Memory(const AHardwareBuffer* buffer) {
        ANeuralNetworksMemory_createFromAHardwareBuffer(buffer, mMemory.receive());
    }
    Memory(Memory&&) = default;
    Memory& operator=(Memory&&) = default;
    virtual ~Memory() = default;

    ANeuralNetworksMemory* get() const { return mMemory.get(); }
    // False if the memory could not be created, or has been moved away.
    bool isValid() const { return get() != nullptr; }

   private:
    internal::Owned<ANeuralNetworksMemory, ANeuralNetworksMemory_free> mMemory{};
};

// A model under construction. The first call that fails makes it invalid for good, and finish()
// returns BAD_STATE then.
class Model {
   public:
    Model() { check(ANeuralNetworksModel_create(mModel.receive())); }

    Result finish() {
        if (!isValid()) return Result::BAD_STATE;
        mIsFinished = true;
        return check(ANeuralNetworksModel_finish(getHandle()));
    }

    // Returns the index of the operand.
    uint32_t addOperand(const OperandType* type) {
        check(ANeuralNetworksModel_addOperand(getHandle(), &type->operandType));
        if (type->channelQuant.has_value()) {
            check(ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(
                    getHandle(), static_cast<int32_t>(mNextOperand), &type->channelQuant->params));
        }
        return mNextOperand++;
    }
    template <class T>
    uint32_t addConstantOperand(const OperandType* type, const T& value) {
        static_assert(sizeof(T) <= ANEURALNETWORKS_MAX_SIZE_OF_IMMEDIATELY_COPIED_VALUES,
                      "the model would refer to a temporary object");
        const uint32_t index = addOperand(type);
        setOperandValue(index, &value);
        return index;
    }
    uint32_t addModelOperand(const Model* value) {
        const OperandType type(Type::MODEL, {});
        const uint32_t index = addOperand(&type);
        setOperandValueFromModel(index, value);
        return index;
    }

    void setOperandValue(uint32_t index, const void* buffer, size_t length) {
        check(ANeuralNetworksModel_setOperandValue(getHandle(), static_cast<int32_t>(index), buffer,
                                                   length));
    }
    template <class T>
    void setOperandValue(uint32_t index, const T* value) {
        static_assert(!std::is_pointer_v<T>, "a pointer is not the value of an operand");
        setOperandValue(index, value, sizeof(T));
    }
    void setOperandValueFromMemory(uint32_t index, const Memory* memory, uint32_t offset,
                                   size_t length) {
        check(ANeuralNetworksModel_setOperandValueFromMemory(
                getHandle(), static_cast<int32_t>(index), memory->get(), offset, length));
    }
    void setOperandValueFromModel(uint32_t index, const Model* value) {
        check(ANeuralNetworksModel_setOperandValueFromModel(
                getHandle(), static_cast<int32_t>(index), value->getHandle()));
    }

    void addOperation(ANeuralNetworksOperationType type, const std::vector<uint32_t>& inputs,
                      const std::vector<uint32_t>& outputs) {
        check(ANeuralNetworksModel_addOperation(
                getHandle(), type, static_cast<uint32_t>(inputs.size()), inputs.data(),
                static_cast<uint32_t>(outputs.size()), outputs.data()));
    }
    void identifyInputsAndOutputs(const std::vector<uint32_t>& inputs,
                                  const std::vector<uint32_t>& outputs) {
        check(ANeuralNetworksModel_identifyInputsAndOutputs(
                getHandle(), static_cast<uint32_t>(inputs.size()), inputs.data(),
                static_cast<uint32_t>(outputs.size()), outputs.data()));
    }
    // Does not make the model invalid.
    void relaxComputationFloat32toFloat16(bool isRelax) {
        const int code =
                ANeuralNetworksModel_relaxComputationFloat32toFloat16(getHandle(), isRelax);
        if (code == ANEURALNETWORKS_NO_ERROR) mIsRelaxed = isRelax;
    }

    ANeuralNetworksModel* getHandle() const { return mModel.get(); }
    bool isValid() const { return mIsValid && getHandle() != nullptr; }
    bool isRelaxed() const { return mIsRelaxed; }
    bool isFinished() const { return mIsFinished; }

   private:
    Result check(int code) {
        mIsValid = mIsValid && code == ANEURALNETWORKS_NO_ERROR;
        return static_cast<Result>(code);
    }

    internal::Owned<ANeuralNetworksModel, ANeuralNetworksModel_free> mModel{};
    uint32_t mNextOperand = 0;
    bool mIsValid = true;
    bool mIsRelaxed = false;
    bool mIsFinished = false;
};

// The end of an execution.
class Event {
   public:
    Event() = default;
    // Owns the event.
    explicit Event(ANeuralNetworksEvent* event) : mEvent(event) {}

    Result wait() { return static_cast<Result>(ANeuralNetworksEvent_wait(getHandle())); }
    // The caller closes the descriptor.
    Result getSyncFenceFd(int* sync_fence_fd) {
        return static_cast<Result>(ANeuralNetworksEvent_getSyncFenceFd(getHandle(), sync_fence_fd));
    }
    // Owns the event instead of the one before.
    void set(ANeuralNetworksEvent* newEvent) { mEvent.reset(newEvent); }
    ANeuralNetworksEvent* getHandle() const { return mEvent.get(); }

   private:
    internal::Owned<ANeuralNetworksEvent, ANeuralNetworksEvent_free> mEvent{};
};

// A compilation of a model, which outlives it. Its handle is null if it could not be created.
class Compilation {
   public:
    static std::pair<Result, Compilation> createForDevice(const Model* model,
                                                          const ANeuralNetworksDevice* device) {
        return createForDevices(model, {device});
    }
    static std::pair<Result, Compilation> createForDevices(
            const Model* model, const std::vector<const ANeuralNetworksDevice*>& devices) {
        std::pair<Result, Compilation> made;
        made.first = static_cast<Result>(ANeuralNetworksCompilation_createForDevices(
                model->getHandle(), devices.empty() ? nullptr : devices.data(),
                static_cast<uint32_t>(devices.size()), made.second.mCompilation.receive()));
        return made;
    }

    Compilation() = default;
    Compilation(const Model* model) {
        ANeuralNetworksCompilation_create(model->getHandle(), mCompilation.receive());
    }

    Result setPreference(ExecutePreference preference) {
        return static_cast<Result>(ANeuralNetworksCompilation_setPreference(
                getHandle(), static_cast<int32_t>(preference)));
    }
    Result setPriority(ExecutePriority priority) {
        return static_cast<Result>(ANeuralNetworksCompilation_setPriority(
                getHandle(), static_cast<int32_t>(priority)));
    }
    // BAD_DATA for a token that does not have ANEURALNETWORKS_BYTE_SIZE_OF_CACHE_TOKEN bytes.
    Result setCaching(const std::string& cacheDir, const std::vector<uint8_t>& token) {
        if (token.size() != ANEURALNETWORKS_BYTE_SIZE_OF_CACHE_TOKEN) return Result::BAD_DATA;
        return static_cast<Result>(
                ANeuralNetworksCompilation_setCaching(getHandle(), cacheDir.c_str(), token.data()));
    }
    Result finish() { return static_cast<Result>(ANeuralNetworksCompilation_finish(getHandle())); }

    Result getPreferredMemoryAlignmentForInput(uint32_t index, uint32_t* alignment) const {
        return static_cast<Result>(ANeuralNetworksCompilation_getPreferredMemoryAlignmentForInput(
                getHandle(), index, alignment));
    }
    Result getPreferredMemoryPaddingForInput(uint32_t index, uint32_t* padding) const {
        return static_cast<Result>(ANeuralNetworksCompilation_getPreferredMemoryPaddingForInput(
                getHandle(), index, padding));
    }
    Result getPreferredMemoryAlignmentForOutput(uint32_t index, uint32_t* alignment) const {
        return static_cast<Result>(ANeuralNetworksCompilation_getPreferredMemoryAlignmentForOutput(
                getHandle(), index, alignment));
    }
    Result getPreferredMemoryPaddingForOutput(uint32_t index, uint32_t* padding) const {
        return static_cast<Result>(ANeuralNetworksCompilation_getPreferredMemoryPaddingForOutput(
                getHandle(), index, padding));
    }

    ANeuralNetworksCompilation* getHandle() const { return mCompilation.get(); }

   private:
    internal::Owned<ANeuralNetworksCompilation, ANeuralNetworksCompilation_free> mCompilation{};
};

// An execution of a compilation, which outlives it.
class Execution {
   public:
    // How compute() executes.
    enum class ComputeMode { SYNC, ASYNC, BURST, FENCED };

    Execution(const Compilation* compilation) : mCompilation(compilation->getHandle()) {
        ANeuralNetworksExecution_create(mCompilation, mExecution.receive());
    }

    Result setInput(uint32_t index, const void* buffer, size_t length,
                    const ANeuralNetworksOperandType* type = nullptr) {
        return static_cast<Result>(ANeuralNetworksExecution_setInput(
                getHandle(), static_cast<int32_t>(index), type, buffer, length));
    }
    template <class T>
    Result setInput(uint32_t index, const T* value,
                    const ANeuralNetworksOperandType* type = nullptr) {
        static_assert(!std::is_pointer_v<T>, "a pointer is not the value of an operand");
        return setInput(index, value, sizeof(T), type);
    }
    Result setInputFromMemory(uint32_t index, const Memory* memory, uint32_t offset,
                              uint32_t length, const ANeuralNetworksOperandType* type = nullptr) {
        return static_cast<Result>(ANeuralNetworksExecution_setInputFromMemory(
                getHandle(), static_cast<int32_t>(index), type, memory->get(), offset, length));
    }
    Result setOutput(uint32_t index, void* buffer, size_t length,
                     const ANeuralNetworksOperandType* type = nullptr) {
        return static_cast<Result>(ANeuralNetworksExecution_setOutput(
                getHandle(), static_cast<int32_t>(index), type, buffer, length));
    }
    template <class T>
    Result setOutput(uint32_t index, T* value, const ANeuralNetworksOperandType* type = nullptr) {
        static_assert(!std::is_pointer_v<T>, "a pointer is not the value of an operand");
        return setOutput(index, value, sizeof(T), type);
    }
    Result setOutputFromMemory(uint32_t index, const Memory* memory, uint32_t offset,
                               uint32_t length, const ANeuralNetworksOperandType* type = nullptr) {
        return static_cast<Result>(ANeuralNetworksExecution_setOutputFromMemory(
                getHandle(), static_cast<int32_t>(index), type, memory->get(), offset, length));
    }

    Result setLoopTimeout(uint64_t duration) {
        return static_cast<Result>(ANeuralNetworksExecution_setLoopTimeout(getHandle(), duration));
    }
    Result enableInputAndOutputPadding(bool enable) {
        return static_cast<Result>(
                ANeuralNetworksExecution_enableInputAndOutputPadding(getHandle(), enable));
    }
    Result setReusable(bool reusable) {
        return static_cast<Result>(ANeuralNetworksExecution_setReusable(getHandle(), reusable));
    }

    Result startCompute(Event* event) {
        ANeuralNetworksEvent* started = nullptr;
        const int code = ANeuralNetworksExecution_startCompute(getHandle(), &started);
        event->set(started);
        return static_cast<Result>(code);
    }
    Result startComputeWithDependencies(const std::vector<const Event*>& dependencies,
                                        uint64_t duration, Event* event) {
        std::vector<const ANeuralNetworksEvent*> handles;
        for (const Event* each : dependencies) handles.push_back(each->getHandle());
        ANeuralNetworksEvent* started = nullptr;
        const int code = ANeuralNetworksExecution_startComputeWithDependencies(
                getHandle(), handles.empty() ? nullptr : handles.data(),
                static_cast<uint32_t>(handles.size()), duration, &started);
        event->set(started);
        return static_cast<Result>(code);
    }

    // Waits for the end of the execution.
    Result compute(ComputeMode computeMode = defaultMode()) {
        Event event;
        Result result = Result::NO_ERROR;
        switch (computeMode) {
            case ComputeMode::SYNC:
                return static_cast<Result>(ANeuralNetworksExecution_compute(getHandle()));
            case ComputeMode::BURST:
                return computeInBurst();
            case ComputeMode::ASYNC:
                result = startCompute(&event);
                break;
            case ComputeMode::FENCED:
                result = startComputeWithDependencies({}, /*duration=*/0, &event);
                break;
        }
        return result == Result::NO_ERROR ? event.wait() : result;
    }
    // Sets how compute() executes without an argument. Not thread-safe.
    static void setComputeMode(ComputeMode mode) { defaultMode() = mode; }

    Result getOutputOperandDimensions(uint32_t index, std::vector<uint32_t>* dimensions) {
        uint32_t rank = 0;
        const auto output = static_cast<int32_t>(index);
        const auto result = static_cast<Result>(
                ANeuralNetworksExecution_getOutputOperandRank(getHandle(), output, &rank));
        dimensions->resize(rank);
        if (rank == 0) return result;
        return static_cast<Result>(ANeuralNetworksExecution_getOutputOperandDimensions(
                getHandle(), output, dimensions->data()));
    }

    ANeuralNetworksExecution* getHandle() const { return mExecution.get(); }

   private:
    static ComputeMode& defaultMode() {
        static ComputeMode mode = ComputeMode::SYNC;
        return mode;
    }

    Result computeInBurst() {
        internal::Owned<ANeuralNetworksBurst, ANeuralNetworksBurst_free> burst;
        const int code = ANeuralNetworksBurst_create(mCompilation, burst.receive());
        if (code != ANEURALNETWORKS_NO_ERROR) return static_cast<Result>(code);
        return static_cast<Result>(ANeuralNetworksExecution_burstCompute(getHandle(), burst.get()));
    }

    ANeuralNetworksCompilation* mCompilation;
    internal::Owned<ANeuralNetworksExecution, ANeuralNetworksExecution_free> mExecution{};
};

}  // namespace android::nn::wrapper
