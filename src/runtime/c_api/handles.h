// The objects behind the handles of the C API. They share ownership of common objects, so that
// handles may be freed in any order, and while another thread is in a call.
#pragma once

#include <memory>

#include "nnapi/c/NeuralNetworksExtensions.h"
#include "runtime/objects/compilation_builder.h"
#include "runtime/objects/execution.h"
#include "runtime/objects/memory_builder.h"
#include "runtime/objects/model_builder.h"
#include "runtime/objects/runtime.h"

struct ANeuralNetworksModel {
    std::shared_ptr<nn::runtime::ModelBuilder> builder =
            std::make_shared<nn::runtime::ModelBuilder>();
};

struct ANeuralNetworksCompilation {
    std::shared_ptr<nn::runtime::CompilationBuilder> builder;
};

struct ANeuralNetworksMemory {
    std::shared_ptr<nn::runtime::ApiMemory> memory;
};

struct ANeuralNetworksMemoryDesc {
    std::shared_ptr<nn::runtime::MemoryBuilder> builder =
            std::make_shared<nn::runtime::MemoryBuilder>();
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

// Keeps the object of a handle for a call: hold(model->builder)->finish().
template <class T>
std::shared_ptr<T> hold(const std::shared_ptr<T>& object) {
    return object;
}

// UNEXPECTED_NULL if a pointer is null.
template <class... T>
ApiStatus checkPointers(const T*... pointers) {
    return ((pointers != nullptr) && ...) ? ApiStatus() : unexpectedNull("a pointer is null");
}

// UNEXPECTED_NULL for bytes at null.
inline ApiStatus checkData(const void* data, size_t length) {
    return data != nullptr || length == 0 ? ApiStatus()
                                          : unexpectedNull("there are bytes, but no data");
}

// BAD_DATA for a pointer that is not a device, which is not dereferenced.
inline ApiStatus checkDevice(const ANeuralNetworksDevice* device) {
    return runtime().find(device) != nullptr ? ApiStatus() : badData("it is no device");
}

// UNEXPECTED_NULL for elements at null.
inline ApiStatus checkList(const uint32_t* list, uint32_t count) { return checkData(list, count); }

}  // namespace nn::runtime
