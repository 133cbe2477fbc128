// Memory of clients, and of the device.
#include <algorithm>
#include <mutex>

#include "device_test/bugs/parts.h"
#include "nnapi/device_test/faulty_device.h"
#include "nnapi/memory.h"

namespace nn::bugs {
namespace memories {
namespace {

uint64_t roundUp(uint64_t size, uint64_t unit) { return (size + unit - 1) / unit * unit; }

class MemoryPreparedModel final : public PreparedModelPart {
   public:
    MemoryPreparedModel(SharedPreparedModel inner, Bug bug, SharedDevice device, const Model* model)
        : PreparedModelPart(std::move(inner), bug), mDevice(std::move(device)) {
        const auto isPointer = [](const Operand& operand) {
            return operand.lifetime == Operand::LifeTime::POINTER;
        };
        if (!has(Bug::keeps_constant_pointer) || model == nullptr || model->pools.empty()) return;
        if (std::ranges::any_of(model->main.operands, isPointer)) return;
        mModel = std::make_shared<const Model>(*model);
    }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        if (has(Bug::reads_past_input)) {
            for (const Request::Argument& input : call.request.inputs) {
                const SharedMemory pool = poolOf(call.request, input);
                const uint64_t end = input.location.offset + roundUp(input.location.length, 64);
                if (pool != nullptr && end > nn::size(pool)) {
                    return error() << "an input cannot be read";
                }
            }
        }
        const bool isOfClient = std::ranges::all_of(call.request.pools, [](const auto& pool) {
            return std::holds_alternative<SharedMemory>(pool);
        });
        // Buffers of the device belong to the prepared model that the client has.
        if (mModel != nullptr && isOfClient) {
            auto prepared = mDevice->prepareModel(*mModel, ExecutionPreference::DEFAULT,
                                                  Priority::DEFAULT, {}, {}, {}, {}, {}, {});
            if (!prepared.has_value()) return prepared.status();
            return call.on(**prepared);
        }
        const Request changed = changedRequest(call.request);
        auto executed = call.with(changed).on(*inner());
        if (executed.has_value()) afterSuccess(call.request);
        return executed;
    }

   private:
    Request changedRequest(Request request) const {
        for (Request::Argument& input : request.inputs) {
            if (has(Bug::ignores_offset) && poolOf(request, input) != nullptr) {
                input.location.offset = 0;
            }
            if (has(Bug::ignores_dimensions_of_request)) input.dimensions.clear();
        }
        for (Request::Argument& output : request.outputs) {
            if (has(Bug::ignores_output_offset) && poolOf(request, output) != nullptr) {
                output.location.offset = 0;
            }
        }
        return request;
    }

    void afterSuccess(const Request& request) const {
        for (const Request::Argument& output : request.outputs) {
            const SharedMemory pool = poolOf(request, output);
            if (!has(Bug::writes_past_output) || pool == nullptr) continue;
            const uint64_t end = output.location.offset + output.location.length;
            const uint64_t vectors = output.location.offset + roundUp(output.location.length, 16);
            const std::vector<uint8_t> rest(std::min<uint64_t>(vectors, nn::size(pool)) - end, 0);
            if (!rest.empty()) (void)writeMemory(pool, end, rest);
        }
        for (const Request::Argument& input : request.inputs) {
            const SharedMemory pool = poolOf(request, input);
            if (!has(Bug::writes_input) || pool == nullptr) continue;
            const std::vector<uint8_t> scratch(input.location.length, 0x5A);
            (void)writeMemory(pool, input.location.offset, scratch);
        }
    }

    SharedDevice mDevice;
    std::shared_ptr<const Model> mModel{};
};

class BufferPart final : public ForwardingBuffer {
   public:
    BufferPart(SharedBuffer inner, Bug bug) : ForwardingBuffer(std::move(inner)), mBug(bug) {}

    GeneralResult<void> copyTo(const SharedMemory& dst) const override {
        auto copied = inner()->copyTo(dst);
        const ErrorStatus code = copied.error().code;
        if (mBug == Bug::buffer_uninitialized_read && code == ErrorStatus::GENERAL_FAILURE) {
            return {};  // the contents of the device's memory are arbitrary
        }
        if (mBug == Bug::buffer_copy_size && code == ErrorStatus::INVALID_ARGUMENT) {
            return copyWhatFits(dst);
        }
        return copied;
    }
    GeneralResult<void> copyFrom(const SharedMemory& src,
                                 const Dimensions& dimensions) const override {
        auto copied = inner()->copyFrom(src, dimensions);
        const std::lock_guard lock(mMutex);
        if (copied.has_value()) mSize = nn::size(src);
        return copied;
    }

   private:
    GeneralResult<void> copyWhatFits(const SharedMemory& dst) const {
        const std::lock_guard lock(mMutex);
        NNAPI_ASSIGN_OR_RETURN(whole, createSharedMemory(std::max<size_t>(mSize, 1)));
        NNAPI_RETURN_IF_ERROR(inner()->copyTo(whole));
        std::vector<uint8_t> bytes(std::min(mSize, nn::size(dst)));
        NNAPI_RETURN_IF_ERROR(readMemory(whole, 0, bytes));
        return writeMemory(dst, 0, bytes);
    }

    Bug mBug;
    mutable std::mutex mMutex{};
    mutable size_t mSize = 0;
};

class MemoryPart final : public DevicePart {
   public:
    using DevicePart::DevicePart;

   protected:
    SharedPreparedModel wrap(SharedPreparedModel made, const Model* model) const override {
        return std::make_shared<const MemoryPreparedModel>(std::move(made), bug(), inner(), model);
    }
    SharedBuffer wrapBuffer(SharedBuffer made) const override {
        return std::make_shared<const BufferPart>(std::move(made), bug());
    }
};

}  // namespace
}  // namespace memories

SharedDevice withMemoryBugs(SharedDevice device, Bug bug) {
    switch (bug) {
        case Bug::buffer_token_reused:
            return nn::testing::faultyDevice(std::move(device),
                                             {nn::testing::DeviceFault::ALLOCATES_ONE_TOKEN})
                    .value();
        case Bug::writes_past_output:
        case Bug::writes_input:
        case Bug::reads_past_input:
        case Bug::ignores_offset:
        case Bug::ignores_output_offset:
        case Bug::ignores_dimensions_of_request:
        case Bug::keeps_constant_pointer:
        case Bug::buffer_uninitialized_read:
        case Bug::buffer_copy_size:
            return std::make_shared<const memories::MemoryPart>(std::move(device), bug);
        default:
            return device;
    }
}

}  // namespace nn::bugs
