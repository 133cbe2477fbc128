// The objects behind the handles of the C API. What they share is kept by all that need it, so that
// handles may be freed in any order.
#pragma once

#include <memory>

#include "nnapi/c/NeuralNetworksExtensions.h"
#include "runtime/compilation_builder.h"
#include "runtime/execution.h"
#include "runtime/memory_builder.h"
#include "runtime/model_builder.h"
#include "runtime/runtime.h"

struct ANeuralNetworksModel {
    nn::runtime::ModelBuilder builder{};
};

struct ANeuralNetworksCompilation {
    nn::runtime::CompilationBuilder builder;
};

struct ANeuralNetworksMemory {
    std::shared_ptr<nn::runtime::ApiMemory> memory;
};

struct ANeuralNetworksMemoryDesc {
    nn::runtime::MemoryBuilder builder{};
};

struct ANeuralNetworksExecution {
    std::shared_ptr<nn::runtime::ApiExecution> execution;
};

struct ANeuralNetworksBurst {
    std::shared_ptr<nn::runtime::ApiBurst> burst;
};

struct ANeuralNetworksEvent {
    std::shared_ptr<nn::runtime::ApiEvent> event;
};

namespace nn::runtime {

// What no function takes: a null pointer.
template <class... T>
Answer checkPointers(const T*... pointers) {
    return ((pointers != nullptr) && ...) ? Answer() : unexpectedNull("a pointer is null");
}

// Data of some bytes.
inline Answer checkData(const void* data, size_t length) {
    return data != nullptr || length == 0 ? Answer()
                                          : unexpectedNull("there are bytes, but no data");
}

// Any pointer: only those that the application was given are devices.
inline Answer checkDevice(const ANeuralNetworksDevice* device) {
    return runtime().find(device) != nullptr ? Answer() : badData("it is no device");
}

// A list as C gives it.
inline Answer checkList(const uint32_t* list, uint32_t count) { return checkData(list, count); }

}  // namespace nn::runtime
