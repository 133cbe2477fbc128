// The fixture of device memory cases: an addition, with device buffers for its inputs and outputs.
#pragma once

#include <vector>

#include "device_test/cases/prepared_case.h"
#include "driver/wrap/result_checks.h"
#include "nnapi/generate/generate.h"
#include "nnapi/memory.h"

namespace nn::testing {

using Roles = std::vector<BufferRole>;

// The number of floats in each operand of the sum.
inline constexpr uint32_t kElementCount = 4;

inline BufferRole role(uint32_t ioIndex, uint32_t modelIndex = 0, float probability = 1) {
    return {.modelIndex = modelIndex, .ioIndex = ioIndex, .probability = probability};
}

// An addition on a device with device memory.
class DeviceMemory {
   public:
    explicit DeviceMemory(SharedDevice device) : mDevice(std::move(device)) {}

    Failure begin(uint32_t modelSize = kElementCount) {
        if (Failure failure = prepareOn(*mDevice, addition(modelSize), &prepared)) return failure;
        const auto probe = allocate({{kElementCount}}, {role(0)}, {});
        if (probe.has_value()) return std::nullopt;
        const bool isRefused = probe.error().code == ErrorStatus::GENERAL_FAILURE &&
                               !driver::isOfWrongBuffer(probe.status());
        if (isRefused) {
            return notSupported(fmt::format("memory of the device ({})", probe.error().message));
        }
        return failedCall("allocate", probe.status(), "buffer.token");
    }

    GeneralResult<SharedBuffer> allocate(const BufferDesc& description, const Roles& inputs,
                                         const Roles& outputs) const {
        return mDevice->allocate(description, {prepared}, inputs, outputs);
    }

    Failure make(const Roles& inputs, const Roles& outputs, SharedBuffer* buffer) const {
        auto made = allocate({}, inputs, outputs);
        if (!made.has_value()) return failedCall("allocate", made.status(), "buffer.token");
        if (*made == nullptr || (*made)->getToken() == MemoryDomainToken{0}) {
            return failed("allocate", "null or token 0, and no error", "buffer.token");
        }
        *buffer = *std::move(made);
        return std::nullopt;
    }

    SharedPreparedModel prepared{};

   private:
    SharedDevice mDevice;
};

inline SharedMemory memoryWith(const std::vector<float>& values) {
    return memoryOf(tensorOf({static_cast<uint32_t>(values.size())}, values).data);
}

// Rules memory.value, memory.in_request and memory.input_dimensions: fills a buffer by copyFrom,
// executes from it into a second one, and reads that.
Failure executeOnBuffers(const DeviceMemory& domain);

}  // namespace nn::testing
