// ONNX Runtime, loaded at run time: the part of its C API that executing a network requires.
//
//   const OnnxRuntime runtime("libonnxruntime.so.1.14.0");
//   OnnxSession session(runtime, file, {.threads = 1},
//                       {.name = "x", .type = 1, .dimensions = {1, 3, 224, 224}, .bytes = image},
//                       {.name = "y", .type = 1, .dimensions = {1, 11, 1, 1}, .bytes = result});
//   session.run();  // reads `image`, writes `result`
//
// Errors are thrown as std::runtime_error.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nn {

struct OrtEnv;
struct OrtMemoryInfo;
struct OrtSession;
struct OrtSessionOptions;
struct OrtStatus;  // null for success
struct OrtValue;

// The library. It exports one function, which returns a table of the others: entries keep their
// numbers, because releases only append to the table.
class OnnxRuntime {
   public:
    explicit OnnxRuntime(const std::string& path);

    // Throws the library's error message.
    void require(OrtStatus* status) const;

    // ---- entries of the table; enumerators are passed as the numbers they have there

    const char* (*getErrorMessage)(const OrtStatus*);
    OrtStatus* (*createEnv)(int minSeverity, const char* logName, OrtEnv**);
    OrtStatus* (*createSessionFromArray)(const OrtEnv*, const void* file, size_t size,
                                         const OrtSessionOptions*, OrtSession**);
    OrtStatus* (*runSession)(OrtSession*, const void* options, const char* const* inputNames,
                             const OrtValue* const* inputs, size_t inputCount,
                             const char* const* outputNames, size_t outputCount,
                             OrtValue** outputs);
    OrtStatus* (*createSessionOptions)(OrtSessionOptions**);
    OrtStatus* (*setExecutionMode)(OrtSessionOptions*, int mode);
    OrtStatus* (*setOptimizationLevel)(OrtSessionOptions*, int level);
    OrtStatus* (*setIntraOpThreads)(OrtSessionOptions*, int threads);
    OrtStatus* (*createTensorWithData)(const OrtMemoryInfo*, void* data, size_t size,
                                       const int64_t* dimensions, size_t rank, int type,
                                       OrtValue**);
    OrtStatus* (*createCpuMemoryInfo)(int allocator, int memoryType, OrtMemoryInfo**);
    void (*releaseEnv)(OrtEnv*);
    void (*releaseStatus)(OrtStatus*);
    void (*releaseMemoryInfo)(OrtMemoryInfo*);
    void (*releaseSession)(OrtSession*);
    void (*releaseValue)(OrtValue*);
    void (*releaseSessionOptions)(OrtSessionOptions*);
};

// A tensor of a session in memory of the caller, which must outlive the session.
struct OnnxArgument {
    std::string name{};
    int type = 0;  // of TensorProto.DataType
    std::vector<int64_t> dimensions{};
    std::span<uint8_t> bytes{};
};

// A network executed by the CPU provider, one operator after the other.
class OnnxSession {
   public:
    struct Options {
        int threads = 1;  // that share the work of an operator
    };

    OnnxSession(const OnnxRuntime& runtime, const std::string& file, Options options,
                OnnxArgument input, OnnxArgument output);
    OnnxSession(const OnnxSession&) = delete;
    OnnxSession& operator=(const OnnxSession&) = delete;
    ~OnnxSession();

    void run();

   private:
    OrtValue* valueOf(const OnnxArgument& argument);

    const OnnxRuntime& mRuntime;
    OnnxArgument mInputArgument, mOutputArgument;
    OrtEnv* mEnv = nullptr;
    OrtSessionOptions* mOptions = nullptr;
    OrtMemoryInfo* mMemory = nullptr;
    OrtSession* mSession = nullptr;
    OrtValue* mInput = nullptr;
    OrtValue* mOutput = nullptr;
};

}  // namespace nn
