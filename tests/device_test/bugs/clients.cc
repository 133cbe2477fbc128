// What drivers get wrong when a client does what few clients do.
#include <absl/algorithm/container.h>
#include <sys/mman.h>

#include <atomic>
#include <map>
#include <mutex>
#include <thread>

#include "device_test/bugs/parts.h"
#include "nnapi/memory.h"

namespace nn::bugs {
namespace clients {
namespace {

std::vector<uint8_t> bytesOf(const SharedMemory& memory, uint64_t offset, size_t length) {
    std::vector<uint8_t> bytes(length);
    (void)readMemory(memory, offset, bytes);
    return bytes;
}

const memory::Fd* fileOf(const SharedMemory& memory) {
    return memory == nullptr ? nullptr : std::get_if<memory::Fd>(&memory->handle);
}

// The same file from its beginning on.
SharedMemory atBeginning(const SharedMemory& memory) {
    const memory::Fd* file = fileOf(memory);
    if (file == nullptr || file->offset == 0) return memory;
    return createSharedMemory(file->size, file->prot, file->fd.get(), 0).value_or(memory);
}

bool isReadOnly(const SharedMemory& memory) {
    const memory::Fd* file = fileOf(memory);
    return file != nullptr && (file->prot & PROT_WRITE) == 0;
}

// What all prepared models of a device share.
struct Shared {
    std::mutex mutex{};
    Timing lastTiming{};
    std::vector<UniqueFd> descriptors{};
    std::vector<std::vector<uint8_t>> memory{};
    std::map<std::string, std::shared_ptr<const Model>> models{};  // by their structure
};

// Keeps the deadline of its first computation.
class FirstDeadline final : public ForwardingExecution {
   public:
    using ForwardingExecution::ForwardingExecution;
    ExecutionResult<Executed> compute(const OptionalTimePoint& deadline) const override {
        {
            const std::lock_guard lock(mMutex);
            if (!mFirst) mFirst = deadline;
        }
        return inner()->compute(*mFirst);
    }

   private:
    mutable std::mutex mMutex{};
    mutable std::optional<OptionalTimePoint> mFirst{};
};

class ClientPreparedModel final : public PreparedModelPart {
   public:
    ClientPreparedModel(SharedPreparedModel inner, Bug bug, std::shared_ptr<Shared> shared,
                        const Model* model)
        : PreparedModelPart(std::move(inner), bug), mShared(std::move(shared)) {
        if (model == nullptr) return;
        const Model::Subgraph& main = model->main;
        for (const uint32_t i : main.inputIndexes) {
            mIsTruth.push_back(main.operands[i].type == OperandType::TENSOR_BOOL8);
        }
        for (const uint32_t i : main.outputIndexes) {
            mIsUnranked.push_back(main.operands[i].dimensions.empty());
        }
    }

   protected:
    ExecutionResult<Executed> executeCall(const ExecutionCall& call) const override {
        if (has(Bug::specializes_first_shape) && !hasFirstShape(call.request)) {
            return error() << "the model is compiled for other dimensions";
        }
        const auto isUnmappable = [&](const Request::MemoryPool& pool) {
            const auto* memory = std::get_if<SharedMemory>(&pool);
            return memory != nullptr && isReadOnly(*memory);
        };
        if (has(Bug::maps_pools_writable) && absl::c_any_of(call.request.pools, isUnmappable)) {
            return error() << "a pool cannot be mapped";
        }
        if (has(Bug::slow_calls)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
        const Request changed = changedRequest(call.request);
        std::vector<std::vector<uint8_t>> pools = contentsOf(call.request);
        auto executed = call.with(changed).on(*inner());
        if (!executed.has_value()) {
            leakDescriptor();
            return executed;
        }
        if (has(Bug::copies_whole_pool)) copyBack(call.request, pools);
        if (has(Bug::unranked_output_flattened)) flatten(executed->first);
        if (has(Bug::timing_of_last_measured)) changeTiming(call.measure, executed->second);
        return executed;
    }
    GeneralResult<ExecutedFenced> launchCall(
            const ExecutionCall& call, const std::vector<SyncFence>& waitFor,
            const OptionalDuration& timeoutAfterFences) const override {
        const bool isFirstOnly = has(Bug::waits_for_first_fence) && waitFor.size() > 1;
        auto launched = call.fencedOn(
                *inner(), isFirstOnly ? std::vector{waitFor.front()} : waitFor, timeoutAfterFences);
        if (!launched.has_value()) leakDescriptor();
        if (!launched.has_value() || !has(Bug::execution_info_once)) return launched;
        launched->second = [info = launched->second,
                            isAsked = std::make_shared<std::atomic<bool>>(
                                    false)]() -> GeneralResult<FencedTimings> {
            if (isAsked->exchange(true)) return error() << "the execution is over";
            return info();
        };
        return launched;
    }
    GeneralResult<SharedExecution> makeExecution(const ExecutionCall& call) const override {
        auto made = PreparedModelPart::makeExecution(call);
        if (!made.has_value() || !has(Bug::first_deadline_kept)) return made;
        return SharedExecution(std::make_shared<const FirstDeadline>(*made));
    }

   private:
    bool hasFirstShape(const Request& request) const {
        std::vector<Dimensions> shapes;
        for (const Request::Argument& input : request.inputs) shapes.push_back(input.dimensions);
        const std::lock_guard lock(mMutex);
        if (!mFirstShapes) mFirstShapes = shapes;
        return *mFirstShapes == shapes;
    }

    Request changedRequest(Request request) const {
        if (has(Bug::file_offset_ignored)) {
            for (Request::MemoryPool& pool : request.pools) {
                if (auto* memory = std::get_if<SharedMemory>(&pool)) *memory = atBeginning(*memory);
            }
        }
        for (size_t i = 0; i < request.inputs.size(); ++i) {
            Request::Argument& input = request.inputs[i];
            const SharedMemory pool = poolOf(request, input);
            if (pool == nullptr) continue;
            if (has(Bug::input_offset_rounded)) input.location.offset &= ~7u;
            if (!has(Bug::only_one_is_true) || i >= mIsTruth.size() || !mIsTruth[i]) continue;
            std::vector<uint8_t> values =
                    bytesOf(pool, input.location.offset, input.location.length);
            for (uint8_t& value : values) value = value == 1 ? 1 : 0;
            const auto copy = createSharedMemory(std::max<size_t>(values.size(), 1));
            if (!copy.ok() || !writeMemory(*copy, 0, values).ok()) continue;
            input.location.poolIndex = static_cast<uint32_t>(request.pools.size());
            input.location.offset = 0;
            request.pools.emplace_back(*copy);
        }
        return request;
    }

    std::vector<std::vector<uint8_t>> contentsOf(const Request& request) const {
        std::vector<std::vector<uint8_t>> pools;
        if (!has(Bug::copies_whole_pool)) return pools;
        for (const Request::MemoryPool& pool : request.pools) {
            const auto* memory = std::get_if<SharedMemory>(&pool);
            pools.push_back(memory == nullptr ? std::vector<uint8_t>()
                                              : bytesOf(*memory, 0, nn::size(*memory)));
        }
        return pools;
    }
    // The pools of the outputs, as they were but for the outputs.
    static void copyBack(const Request& request, std::vector<std::vector<uint8_t>>& pools) {
        for (const Request::Argument& output : request.outputs) {
            const SharedMemory pool = poolOf(request, output);
            if (pool == nullptr) continue;
            const DataLocation& location = output.location;
            std::vector<uint8_t>& whole = pools[location.poolIndex];
            absl::c_copy(bytesOf(pool, location.offset, location.length),
                         whole.begin() + location.offset);
            (void)writeMemory(pool, 0, whole);
        }
    }
    void flatten(std::vector<OutputShape>& shapes) const {
        for (size_t i = 0; i < std::min(shapes.size(), mIsUnranked.size()); ++i) {
            if (!mIsUnranked[i]) continue;
            uint32_t count = 1;
            for (const uint32_t size : shapes[i].dimensions) count *= size;
            shapes[i].dimensions = {count};
        }
    }
    void changeTiming(MeasureTiming measure, Timing& timing) const {
        const std::lock_guard lock(mShared->mutex);
        if (measure == MeasureTiming::YES) {
            mShared->lastTiming = timing;
        } else {
            timing = mShared->lastTiming;
        }
    }
    void leakDescriptor() const {
        if (!has(Bug::leaks_descriptor_failure)) return;
        const std::lock_guard lock(mShared->mutex);
        mShared->descriptors.push_back(duplicate(1));
    }

    std::shared_ptr<Shared> mShared;
    std::vector<bool> mIsTruth{}, mIsUnranked{};
    mutable std::mutex mMutex{};
    mutable std::optional<std::vector<Dimensions>> mFirstShapes{};
};

// A buffer whose value outlives a failed execution.
class LastingBuffer final : public ForwardingBuffer {
   public:
    using ForwardingBuffer::ForwardingBuffer;

    GeneralResult<void> copyTo(const SharedMemory& dst) const override {
        auto copied = inner()->copyTo(dst);
        const std::lock_guard lock(mMutex);
        if (copied.has_value() || mValue.size() != nn::size(dst)) return copied;
        return writeMemory(dst, 0, mValue);
    }
    GeneralResult<void> copyFrom(const SharedMemory& src,
                                 const Dimensions& dimensions) const override {
        auto copied = inner()->copyFrom(src, dimensions);
        const std::lock_guard lock(mMutex);
        if (copied.has_value()) mValue = bytesOf(src, 0, nn::size(src));
        return copied;
    }

   private:
    mutable std::mutex mMutex{};
    mutable std::vector<uint8_t> mValue{};
};

// The key by which a driver finds a compiled model if it ignores constants.
std::string structureOf(const Model& model) {
    std::string text;
    for (const Operation& operation : model.main.operations) {
        text += std::to_string(static_cast<int>(operation.type)) + ":";
        for (const uint32_t input : operation.inputs) text += std::to_string(input) + ",";
    }
    for (const Operand& operand : model.main.operands) {
        text += ";" + std::to_string(static_cast<int>(operand.type)) + "/" +
                std::to_string(operand.scale) + "/" + std::to_string(operand.zeroPoint);
        for (const uint32_t size : operand.dimensions) text += "," + std::to_string(size);
    }
    return text;
}

Model withNestedIfsSwapped(Model model) {
    for (Model::Subgraph& graph : model.referenced) {
        for (Operation& operation : graph.operations) {
            if (operation.type == OperationType::IF) {
                std::swap(operation.inputs[1], operation.inputs[2]);
            }
        }
    }
    return model;
}

class ClientPart final : public DevicePart {
   public:
    using DevicePart::DevicePart;

   protected:
    Prepared prepare(const Preparation& preparation) const override {
        if (has(Bug::slow_calls)) std::this_thread::sleep_for(std::chrono::milliseconds(30));
        const Model& model = preparation.model;
        if (has(Bug::unused_extension_refused) && !model.extensionNameToPrefix.empty()) {
            return error(ErrorStatus::INVALID_ARGUMENT) << "there is an unknown extension";
        }
        if (has(Bug::nested_ifs_swapped)) {
            const Model swapped = withNestedIfsSwapped(model);
            return preparation.with(swapped).on(*inner());
        }
        if (has(Bug::constant_offset_ignored) || has(Bug::maps_constants_writable)) {
            return prepareWithPools(preparation);
        }
        if (has(Bug::constants_by_structure)) {
            const auto first = firstLike(preparation);
            return preparation.with(*first).on(*inner());
        }
        if (has(Bug::cached_by_structure) && !preparation.modelCache.empty()) {
            const auto first = firstLike(preparation);
            const auto saved = preparation.with(*first).on(*inner());
            if (!saved.has_value()) return saved;
            return preparation.withoutCache().on(*inner());
        }
        auto prepared = preparation.on(*inner());
        if (!prepared.has_value() && has(Bug::leaks_memory_refusal)) {
            const std::lock_guard lock(mShared->mutex);
            mShared->memory.emplace_back(64 << 10, 1);
        }
        return prepared;
    }
    Prepared load(const Loading& loading) const override {
        Loading changed = loading;
        if (has(Bug::load_past_deadline_accepted)) changed.deadline.reset();
        return changed.on(*inner());
    }
    SharedPreparedModel wrap(SharedPreparedModel made, const Model* model) const override {
        return std::make_shared<const ClientPreparedModel>(std::move(made), bug(), mShared, model);
    }
    SharedBuffer wrapBuffer(SharedBuffer made) const override {
        if (!has(Bug::buffer_keeps_value)) return made;
        return std::make_shared<const LastingBuffer>(std::move(made));
    }

   private:
    Prepared prepareWithPools(const Preparation& preparation) const {
        Model changed = preparation.model;
        for (SharedMemory& pool : changed.pools) {
            if (has(Bug::maps_constants_writable) && isReadOnly(pool)) {
                return error() << "a pool cannot be mapped";
            }
            if (has(Bug::constant_offset_ignored)) pool = atBeginning(pool);
        }
        return preparation.with(changed).on(*inner());
    }

    // The first model of the same structure.
    std::shared_ptr<const Model> firstLike(const Preparation& preparation) const {
        const std::lock_guard lock(mShared->mutex);
        auto& first = mShared->models[structureOf(preparation.model)];
        if (first == nullptr) first = std::make_shared<const Model>(preparation.model);
        return first;
    }

    std::shared_ptr<Shared> mShared = std::make_shared<Shared>();
};

}  // namespace
}  // namespace clients

SharedDevice withClientBugs(SharedDevice device, Bug bug) {
    if (rowOf(bug).family != "CLIENT") return device;
    return std::make_shared<const clients::ClientPart>(std::move(device), bug);
}

}  // namespace nn::bugs
