#include "onnx_runtime.h"

#include <dlfcn.h>

#include <cstring>
#include <stdexcept>
#include <utility>

namespace nn {
namespace {

// The result of the exported function.
struct OrtApiBase {
    const void* const* (*table)(uint32_t version);
    const char* (*release)();
};

constexpr uint32_t kFirstVersion = 1;  // contains all entries used here
constexpr int kErrors = 3, kSequential = 0, kAllOptimizations = 99;
constexpr int kDeviceAllocator = 0, kDefaultMemory = 0;

}  // namespace

OnnxRuntime::OnnxRuntime(const std::string& path) {
    void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) throw std::runtime_error(dlerror());
    void* symbol = dlsym(library, "OrtGetApiBase");
    if (symbol == nullptr) throw std::runtime_error(dlerror());
    const OrtApiBase* (*base)() = nullptr;
    std::memcpy(&base, &symbol, sizeof(symbol));
    const void* const* table = base()->table(kFirstVersion);
    if (table == nullptr) throw std::runtime_error(path + " has no table of the first version");
    const auto take = [&](auto& function, size_t number) {
        std::memcpy(&function, &table[number], sizeof(function));
    };
    take(getErrorMessage, 2);
    take(createEnv, 3);
    take(createSessionFromArray, 8);
    take(runSession, 9);
    take(createSessionOptions, 10);
    take(setExecutionMode, 13);
    take(setOptimizationLevel, 23);
    take(setIntraOpThreads, 24);
    take(createTensorWithData, 49);
    take(createCpuMemoryInfo, 69);
    take(releaseEnv, 92);
    take(releaseStatus, 93);
    take(releaseMemoryInfo, 94);
    take(releaseSession, 95);
    take(releaseValue, 96);
    take(releaseSessionOptions, 100);
}

void OnnxRuntime::require(OrtStatus* status) const {
    if (status == nullptr) return;
    const std::string said = getErrorMessage(status);
    releaseStatus(status);
    throw std::runtime_error(said);
}

OnnxSession::OnnxSession(const OnnxRuntime& runtime, const std::string& file, Options options,
                         OnnxArgument input, OnnxArgument output)
    : mRuntime(runtime), mInputArgument(std::move(input)), mOutputArgument(std::move(output)) {
    runtime.require(runtime.createEnv(kErrors, "nnapi", &mEnv));
    runtime.require(runtime.createSessionOptions(&mOptions));
    runtime.require(runtime.setExecutionMode(mOptions, kSequential));
    runtime.require(runtime.setOptimizationLevel(mOptions, kAllOptimizations));
    runtime.require(runtime.setIntraOpThreads(mOptions, options.threads));
    runtime.require(
            runtime.createSessionFromArray(mEnv, file.data(), file.size(), mOptions, &mSession));
    runtime.require(runtime.createCpuMemoryInfo(kDeviceAllocator, kDefaultMemory, &mMemory));
    mInput = valueOf(mInputArgument);
    mOutput = valueOf(mOutputArgument);
}

OnnxSession::~OnnxSession() {
    mRuntime.releaseValue(mOutput);
    mRuntime.releaseValue(mInput);
    mRuntime.releaseMemoryInfo(mMemory);
    mRuntime.releaseSession(mSession);
    mRuntime.releaseSessionOptions(mOptions);
    mRuntime.releaseEnv(mEnv);
}

OrtValue* OnnxSession::valueOf(const OnnxArgument& argument) {
    OrtValue* value = nullptr;
    mRuntime.require(mRuntime.createTensorWithData(
            mMemory, argument.bytes.data(), argument.bytes.size(), argument.dimensions.data(),
            argument.dimensions.size(), argument.type, &value));
    return value;
}

void OnnxSession::run() {
    const char* const inputName = mInputArgument.name.c_str();
    const char* const outputName = mOutputArgument.name.c_str();
    mRuntime.require(mRuntime.runSession(mSession, nullptr, &inputName, &mInput, 1, &outputName, 1,
                                         &mOutput));
}

}  // namespace nn
