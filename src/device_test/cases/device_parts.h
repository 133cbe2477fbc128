// The kit for devices that do one thing differently: devices with faults, the drivers of the
// catalog of bugs, and fakes of tests.
//
//   class SlowPreparedModel final : public PreparedModelPart {
//      public:
//       using PreparedModelPart::PreparedModelPart;
//
//      protected:
//       ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
//           std::this_thread::sleep_for(kDelay);
//           return PreparedModelPart::executeCall(call);
//       }
//   };
//
// A part forwards each call to the inner object, with its arguments as one object. Exceptions pass
// through.
#pragma once

#include <algorithm>
#include <any>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "driver/adapt/default_execution.h"
#include "driver/memory/call_objects.h"
#include "nnapi/driver/default_burst.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/memory.h"

namespace nn::parts {

using driver::ExecutionCall;
using Prepared = GeneralResult<SharedPreparedModel>;
using Preparation = driver::PreparationCall;
using Loading = driver::LoadingCall;

// A prepared model whose executions by every path but the fenced one go through executeCall().
class PreparedModelPart : public driver::ForwardingCallPreparedModel,
                          public std::enable_shared_from_this<PreparedModelPart> {
   public:
    using ForwardingCallPreparedModel::ForwardingCallPreparedModel;

    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        return SharedBurst(std::make_shared<const DefaultBurst>(shared_from_this()));
    }

   protected:
    // An error of the inner prepared model is returned.
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        NNAPI_RETURN_IF_ERROR(call.reusableOn(*inner()).status());
        return driver::defaultExecution(shared_from_this(), call);
    }
};

class DevicePart : public driver::ForwardingCallDevice {
   public:
    using ForwardingCallDevice::ForwardingCallDevice;
};

// A buffer with this token, of no device, that accepts all copies and keeps nothing.
class EmptyBuffer final : public IBuffer {
   public:
    explicit EmptyBuffer(uint32_t token = 1) : mToken(token) {}

    MemoryDomainToken getToken() const override { return MemoryDomainToken{mToken}; }
    GeneralResult<void> copyTo(const SharedMemory&) const override { return {}; }
    GeneralResult<void> copyFrom(const SharedMemory&, const Dimensions&) const override {
        return {};
    }

   private:
    uint32_t mToken;
};

// ---- the memory of a request

// Null for device memory, and for an argument that lies in no pool.
inline SharedMemory poolOf(const Request& request, const Request::Argument& argument) {
    const uint32_t index = argument.location.poolIndex;
    if (argument.lifetime != Request::Argument::LifeTime::POOL || index >= request.pools.size()) {
        return nullptr;
    }
    const auto* memory = std::get_if<SharedMemory>(&request.pools[index]);
    return memory == nullptr ? nullptr : *memory;
}

// Null unless the client owns the memory.
inline uint8_t* pointerOf(const Request::Argument& argument) {
    if (argument.lifetime != Request::Argument::LifeTime::POINTER) return nullptr;
    const auto* pointer = std::get_if<void*>(&argument.location.pointer);
    return pointer == nullptr ? nullptr : static_cast<uint8_t*>(*pointer);
}

// The bytes of each output; 0 for device memory.
inline std::vector<std::vector<uint8_t>> readOutputs(const Request& request) {
    std::vector<std::vector<uint8_t>> values;
    for (const Request::Argument& output : request.outputs) {
        std::vector<uint8_t>& bytes = values.emplace_back(output.location.length);
        if (const SharedMemory pool = poolOf(request, output)) {
            (void)readMemory(pool, output.location.offset, bytes);
        } else if (const uint8_t* pointer = pointerOf(output); pointer != nullptr) {
            std::copy_n(pointer, bytes.size(), bytes.begin());
        }
    }
    return values;
}

// Writes as much as the outputs have.
inline void writeOutputs(const Request& request, const std::vector<std::vector<uint8_t>>& values) {
    for (size_t i = 0; i < std::min(values.size(), request.outputs.size()); ++i) {
        const Request::Argument& output = request.outputs[i];
        const size_t size = std::min<size_t>(values[i].size(), output.location.length);
        if (const SharedMemory pool = poolOf(request, output)) {
            (void)writeMemory(pool, output.location.offset, std::span(values[i]).first(size));
        } else if (uint8_t* pointer = pointerOf(output); pointer != nullptr) {
            std::copy_n(values[i].begin(), size, pointer);
        }
    }
}

}  // namespace nn::parts
