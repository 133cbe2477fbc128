// Any calls of the C API, in any order, with any arguments: each returns a code, and no object is
// leaked.
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <iterator>
#include <vector>

#include "fuzz/input.h"
#include "fuzz/records.h"
#include "nnapi/c/NeuralNetworksExtensions.h"

namespace nn::fuzz::c_api {
namespace {

// The target of pointers to values, results and lists: large enough for any call.
constexpr size_t kBytes = 4096;
alignas(16) std::array<uint8_t, kBytes> gBytes;

template <class T>
struct Handles {
    void (*free)(T*);
    std::vector<T*> all{};

    // Occasionally null.
    T* any(testing::Source& source) const {
        const size_t i = source.below(all.size() + (source.oneIn(16) ? 1 : 0));
        return i < all.size() ? all[i] : nullptr;
    }
    // Usually the newest object, so that sequences make progress.
    T* newest(testing::Source& source) const {
        return source.oneIn(4) || all.empty() ? any(source) : all.back();
    }
    void add(T* made) {
        if (made != nullptr) all.push_back(made);
    }
    void freeOne(testing::Source& source) {
        if (all.empty()) return free(nullptr);
        const auto one = all.begin() + static_cast<std::ptrdiff_t>(source.below(all.size()));
        free(*one);
        all.erase(one);
    }
    ~Handles() {
        for (T* one : all) free(one);
    }
};

class Application {
   public:
    explicit Application(std::span<const uint8_t> bytes) : mSource(bytes) {
        uint32_t count = 0;
        ANeuralNetworks_getDeviceCount(&count);
        for (uint32_t i = 0; i < count; ++i) {
            ANeuralNetworksDevice* device = nullptr;
            ANeuralNetworks_getDevice(i, &device);
            mDevices.push_back(device);
        }
    }

    void run() {
        for (int calls = 0; calls < 256 && !mSource.areRead(); ++calls) {
            mSource.next();
            const int code = call();
            expect(code >= ANEURALNETWORKS_NO_ERROR && code <= ANEURALNETWORKS_DEAD_OBJECT,
                   "a code that is none");
        }
    }

   private:
    int32_t index() { return static_cast<int32_t>(mSource.below(6)) - (mSource.oneIn(16) ? 1 : 0); }
    uint32_t count() { return static_cast<uint32_t>(mSource.below(5)); }
    // Up to the size of the buffer, or more than is possible.
    size_t length() {
        constexpr size_t kLengths[] = {0, 1, 4, 8, 16, 64, 128, 256, kBytes, size_t{1} << 33};
        return kLengths[mSource.below(std::size(kLengths))];
    }
    uint8_t* data() { return mSource.oneIn(16) ? nullptr : gBytes.data(); }
    const ANeuralNetworksDevice* const* devices() {
        return mSource.oneIn(16) ? nullptr : mDevices.data();
    }
    uint32_t deviceCount() { return static_cast<uint32_t>(mSource.below(mDevices.size() + 1)); }
    const uint32_t* list() {
        for (uint32_t& index : mList) index = static_cast<uint32_t>(mSource.below(7));
        return mSource.oneIn(16) ? nullptr : mList.data();
    }
    const ANeuralNetworksOperandType* type() {
        mDimensions = {static_cast<uint32_t>(mSource.below(5)),
                       static_cast<uint32_t>(mSource.below(3)), 1, 1};
        mType = {static_cast<int32_t>(mSource.below(18)), count(),
                 mSource.oneIn(8) ? nullptr : mDimensions.data(),
                 mSource.oneIn(4) ? mSource.real() : 0, static_cast<int32_t>(mSource.oneIn(8))};
        if (mType.dimensionCount > 4) mType.dimensionCount = 4;
        if (mType.dimensionCount == 0 && !mSource.oneIn(8)) mType.dimensions = nullptr;
        return &mType;
    }
    const ANeuralNetworksOperandType* typeOrNull() { return mSource.oneIn(3) ? type() : nullptr; }

    // A complete addition, since random bytes seldom describe one.
    int addition() {
        ANeuralNetworksModel* model = nullptr;
        if (ANeuralNetworksModel_create(&model) != ANEURALNETWORKS_NO_ERROR) return 0;
        mModels.add(model);
        const uint32_t size = static_cast<uint32_t>(mSource.below(5));
        const ANeuralNetworksOperandType tensor{ANEURALNETWORKS_TENSOR_FLOAT32, 1, &size, 0, 0};
        const ANeuralNetworksOperandType scalar{ANEURALNETWORKS_INT32, 0, nullptr, 0, 0};
        const int32_t none = 0;
        const uint32_t inputs[] = {0, 1, 2}, outputs[] = {3};
        ANeuralNetworksModel_addOperand(model, &tensor);
        ANeuralNetworksModel_addOperand(model, &tensor);
        ANeuralNetworksModel_addOperand(model, &scalar);
        ANeuralNetworksModel_addOperand(model, &tensor);
        ANeuralNetworksModel_setOperandValue(model, 2, &none, sizeof none);
        ANeuralNetworksModel_addOperation(model, ANEURALNETWORKS_ADD, 3, inputs, 1, outputs);
        ANeuralNetworksModel_identifyInputsAndOutputs(model, 2, inputs, 1, outputs);
        if (mSource.oneIn(4)) return 0;
        ANeuralNetworksModel_finish(model);
        ANeuralNetworksCompilation* compilation = nullptr;
        ANeuralNetworksCompilation_createForDevices(model, mDevices.data(), 1, &compilation);
        mCompilations.add(compilation);
        if (mSource.oneIn(4)) return 0;
        ANeuralNetworksCompilation_finish(compilation);
        ANeuralNetworksExecution* execution = nullptr;
        ANeuralNetworksExecution_create(compilation, &execution);
        mExecutions.add(execution);
        if (mSource.oneIn(4)) return 0;
        return setArguments(execution, size == 0 ? 4 : size * sizeof(float));
    }

    // All arguments of an addition, in the buffer or in a memory. Inputs of unknown size have one
    // element.
    int setArguments(ANeuralNetworksExecution* execution, size_t length) {
        ANeuralNetworksMemory* memory = mSource.coin() ? mMemories.any(mSource) : nullptr;
        const uint32_t one = 1;
        const ANeuralNetworksOperandType known{ANEURALNETWORKS_TENSOR_FLOAT32, 1, &one, 0, 0};
        const auto* type = length == 4 ? &known : nullptr;
        for (int32_t i = 0; i < 2; ++i) {
            if (memory != nullptr) {
                ANeuralNetworksExecution_setInputFromMemory(execution, i, type, memory, 0, length);
            } else {
                ANeuralNetworksExecution_setInput(execution, i, type, gBytes.data(), length);
            }
        }
        if (memory != nullptr) {
            return ANeuralNetworksExecution_setOutputFromMemory(execution, 0, nullptr, memory, 64,
                                                                length);
        }
        return ANeuralNetworksExecution_setOutput(execution, 0, nullptr, gBytes.data() + 64,
                                                  length);
    }

    int call();
    int callModel();
    int callCompilation();
    int callExecution();
    int callMemory();
    int callEvent();

    Records mSource;
    std::vector<const ANeuralNetworksDevice*> mDevices{};
    std::array<uint32_t, 8> mList{};
    std::array<uint32_t, 4> mDimensions{};
    ANeuralNetworksOperandType mType{};
    Handles<ANeuralNetworksModel> mModels{ANeuralNetworksModel_free};
    Handles<ANeuralNetworksCompilation> mCompilations{ANeuralNetworksCompilation_free};
    Handles<ANeuralNetworksExecution> mExecutions{ANeuralNetworksExecution_free};
    Handles<ANeuralNetworksMemory> mMemories{ANeuralNetworksMemory_free};
    Handles<ANeuralNetworksMemoryDesc> mDescs{ANeuralNetworksMemoryDesc_free};
    Handles<ANeuralNetworksBurst> mBursts{ANeuralNetworksBurst_free};
    Handles<ANeuralNetworksEvent> mEvents{ANeuralNetworksEvent_free};
};

int Application::callModel() {
    ANeuralNetworksModel* model = mModels.newest(mSource);
    switch (mSource.below(14)) {
        case 0: {
            ANeuralNetworksModel* made = nullptr;
            const int code = ANeuralNetworksModel_create(mSource.oneIn(8) ? nullptr : &made);
            mModels.add(made);
            return code;
        }
        case 1:
            mModels.freeOne(mSource);
            return 0;
        case 2:
            return ANeuralNetworksModel_addOperand(model, mSource.oneIn(16) ? nullptr : type());
        case 3:
            return ANeuralNetworksModel_setOperandValue(model, index(), data(), length());
        case 4:
            return ANeuralNetworksModel_setOperandValueFromMemory(
                    model, index(), mMemories.any(mSource), length(), length());
        case 5:
            return ANeuralNetworksModel_setOperandValueFromModel(model, index(),
                                                                 mModels.any(mSource));
        case 6: {
            const float scales[] = {1, 2, mSource.real(), 4};
            const ANeuralNetworksSymmPerChannelQuantParams params{
                    count(), static_cast<uint32_t>(mSource.below(5)),
                    mSource.oneIn(8) ? nullptr : scales};
            return ANeuralNetworksModel_setOperandSymmPerChannelQuantParams(model, index(),
                                                                            &params);
        }
        case 7:
            return ANeuralNetworksModel_addOperation(model,
                                                     static_cast<int32_t>(mSource.below(110)),
                                                     count(), list(), count(), mList.data() + 3);
        case 8:
            return ANeuralNetworksModel_identifyInputsAndOutputs(model, count(), list(), count(),
                                                                 mList.data() + 3);
        case 9:
            return ANeuralNetworksModel_relaxComputationFloat32toFloat16(model, mSource.coin());
        case 10:
            return ANeuralNetworksModel_finish(model);
        case 11:
            // One flag for each operation; there are at most as many operations as calls.
            return ANeuralNetworksModel_getSupportedOperationsForDevices(
                    model, devices(), deviceCount(), reinterpret_cast<bool*>(gBytes.data()));
        case 12: {
            int32_t code = 0;
            return ANeuralNetworksModel_getExtensionOperandType(model, "com.example", 1, &code);
        }
        default:
            return ANeuralNetworksModel_setOperandExtensionData(model, index(), data(),
                                                                mSource.below(64));
    }
}

int Application::callCompilation() {
    ANeuralNetworksCompilation* compilation = mCompilations.newest(mSource);
    ANeuralNetworksCompilation* made = nullptr;
    uint32_t number = 0;
    int code = 0;
    switch (mSource.below(12)) {
        case 0:
            code = ANeuralNetworksCompilation_create(mModels.newest(mSource), &made);
            mCompilations.add(made);
            return code;
        case 1:
            code = ANeuralNetworksCompilation_createForDevices(mModels.newest(mSource), devices(),
                                                               deviceCount(), &made);
            mCompilations.add(made);
            return code;
        case 2:
            mCompilations.freeOne(mSource);
            return 0;
        case 3:
            return ANeuralNetworksCompilation_setPreference(compilation, index());
        case 4:
            return ANeuralNetworksCompilation_setPriority(compilation,
                                                          static_cast<int>(mSource.below(12)) * 10);
        case 5:
            return ANeuralNetworksCompilation_setTimeout(compilation, mSource.number());
        case 6:
            return ANeuralNetworksCompilation_addExtensionAttribute(
                    compilation, mSource.oneIn(4) ? nullptr : "com.example", 1, data(), 4);
        case 7:
            return ANeuralNetworksCompilation_getPreferredMemoryAlignmentForInput(compilation,
                                                                                  count(), &number);
        case 8:
            return ANeuralNetworksCompilation_getPreferredMemoryPaddingForOutput(compilation,
                                                                                 count(), &number);
        case 9: {
            ANeuralNetworksExecution* execution = nullptr;
            code = ANeuralNetworksExecution_create(compilation, &execution);
            mExecutions.add(execution);
            return code;
        }
        case 10: {
            ANeuralNetworksBurst* burst = nullptr;
            code = ANeuralNetworksBurst_create(compilation, &burst);
            mBursts.add(burst);
            return code;
        }
        default:
            return ANeuralNetworksCompilation_finish(compilation);
    }
}

int Application::callExecution() {
    ANeuralNetworksExecution* execution = mExecutions.newest(mSource);
    ANeuralNetworksEvent* event = nullptr;
    uint32_t numbers[64];
    uint64_t time = 0;
    int code = 0;
    switch (mSource.below(18)) {
        case 0:
            mExecutions.freeOne(mSource);
            return 0;
        case 1:
            return ANeuralNetworksExecution_setInput(execution, index(), typeOrNull(), data(),
                                                     length());
        case 2:
            return ANeuralNetworksExecution_setOutput(execution, index(), typeOrNull(), data(),
                                                      length());
        case 3:
            return ANeuralNetworksExecution_setInputFromMemory(
                    execution, index(), typeOrNull(), mMemories.any(mSource), length(), length());
        case 4:
            return ANeuralNetworksExecution_setOutputFromMemory(
                    execution, index(), typeOrNull(), mMemories.any(mSource), length(), length());
        case 5:
            return ANeuralNetworksExecution_setMeasureTiming(execution, mSource.coin());
        case 6:
            return ANeuralNetworksExecution_setTimeout(execution, mSource.number());
        case 7:
            return ANeuralNetworksExecution_setLoopTimeout(execution, mSource.below(1000));
        case 8:
            return ANeuralNetworksExecution_enableInputAndOutputPadding(execution, mSource.coin());
        case 9:
            return ANeuralNetworksExecution_setReusable(execution, mSource.coin());
        case 10:
            return ANeuralNetworksExecution_compute(execution);
        case 11:
            return ANeuralNetworksExecution_burstCompute(execution, mBursts.any(mSource));
        case 12:
            code = ANeuralNetworksExecution_startCompute(execution, &event);
            mEvents.add(event);
            // Other executions use the same bytes.
            if (event != nullptr) (void)ANeuralNetworksEvent_wait(event);
            return code;
        case 13: {
            const ANeuralNetworksEvent* events[] = {mEvents.any(mSource), mEvents.any(mSource)};
            code = ANeuralNetworksExecution_startComputeWithDependencies(
                    execution, events, static_cast<uint32_t>(mSource.below(3)), mSource.below(3),
                    &event);
            mEvents.add(event);
            if (event != nullptr) (void)ANeuralNetworksEvent_wait(event);
            return code;
        }
        case 14:
            return ANeuralNetworksExecution_getOutputOperandRank(execution, index(), numbers);
        case 15:
            return ANeuralNetworksExecution_getOutputOperandDimensions(execution, index(), numbers);
        case 16:
            return ANeuralNetworksExecution_getDuration(execution, index(), &time);
        default:
            mBursts.freeOne(mSource);
            return 0;
    }
}

int Application::callMemory() {
    ANeuralNetworksMemory* made = nullptr;
    ANeuralNetworksMemoryDesc* desc = mDescs.newest(mSource);
    int code = 0;
    switch (mSource.below(9)) {
        case 0: {
            const int fd = memfd_create("fuzz", MFD_CLOEXEC);
            (void)!ftruncate(fd, static_cast<off_t>(mSource.below(3) * kBytes));
            code = ANeuralNetworksMemory_createFromFd(length(), static_cast<int>(mSource.below(5)),
                                                      fd, mSource.below(2) * kBytes, &made);
            close(fd);
            mMemories.add(made);
            return code;
        }
        case 1:
            mMemories.freeOne(mSource);
            return 0;
        case 2:
            code = ANeuralNetworksMemoryDesc_create(&desc);
            mDescs.add(desc);
            return code;
        case 3:
            mDescs.freeOne(mSource);
            return 0;
        case 4:
            return ANeuralNetworksMemoryDesc_addInputRole(desc, mCompilations.newest(mSource),
                                                          count(), mSource.real());
        case 5:
            return ANeuralNetworksMemoryDesc_addOutputRole(desc, mCompilations.newest(mSource),
                                                           count(), mSource.real());
        case 6:
            return ANeuralNetworksMemoryDesc_setDimensions(desc, count(), list());
        case 7:
            code = ANeuralNetworksMemoryDesc_finish(desc);
            if (ANeuralNetworksMemory_createFromDesc(desc, &made) == ANEURALNETWORKS_NO_ERROR) {
                mMemories.add(made);
            }
            return code;
        default:
            return ANeuralNetworksMemory_copy(mMemories.any(mSource), mMemories.any(mSource));
    }
}

int Application::callEvent() {
    ANeuralNetworksEvent* event = nullptr;
    int fd = -1, code = 0;
    switch (mSource.below(4)) {
        case 0:
            fd = eventfd(1, EFD_CLOEXEC);  // signaled: no other thread would signal it later
            code = ANeuralNetworksEvent_createFromSyncFenceFd(mSource.oneIn(8) ? -1 : fd, &event);
            close(fd);
            mEvents.add(event);
            return code;
        case 1:
            mEvents.freeOne(mSource);
            return 0;
        case 2:
            code = ANeuralNetworksEvent_getSyncFenceFd(mEvents.any(mSource), &fd);
            if (fd >= 0) close(fd);
            return code;
        default:
            return ANeuralNetworksEvent_wait(mEvents.any(mSource));
    }
}

int Application::call() {
    switch (mSource.below(8)) {
        case 0:
            return addition();
        case 1:
        case 2:
            return callModel();
        case 3:
            return callCompilation();
        case 4:
        case 5:
            return callExecution();
        case 6:
            return callMemory();
        default:
            return callEvent();
    }
}

}  // namespace
}  // namespace nn::fuzz::c_api

NNAPI_FUZZ_TARGET(c_api, RECORDS) { nn::fuzz::c_api::Application(bytes).run(); }
