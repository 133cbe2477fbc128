// Devices for plans, and a device that divides models among others.
#pragma once

#include <absl/algorithm/container.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "driver/models.h"
#include "nnapi/device_test/faulty_device.h"
#include "nnapi/driver/default_prepared_model.h"
#include "nnapi/driver/forwarding.h"
#include "nnapi/driver/reference.h"
#include "nnapi/generate/generate.h"
#include "nnapi/memory.h"
#include "nnapi/validate.h"
#include "runtime/plan/assign.h"
#include "runtime/plan/compiled_plan.h"
#include "runtime/plan/owned_model.h"
#include "runtime/plan/plan.h"
#include "runtime/plan/planned_prepared_model.h"
#include "runtime/plan/supported_operations.h"

namespace nn::runtime {

using Performance = Capabilities::PerformanceInfo;
using Partitioning = PlanOptions::Partitioning;

// A buffer that belongs to no device.
class AnyBuffer final : public IBuffer {
   public:
    Request::MemoryDomainToken getToken() const override { return Request::MemoryDomainToken(1); }
    GeneralResult<void> copyTo(const SharedMemory&) const override { return {}; }
    GeneralResult<void> copyFrom(const SharedMemory&, const Dimensions&) const override {
        return {};
    }
};

// Uses one value for all operand types.
inline Capabilities capabilities(Performance all) {
    return {.relaxedFloat32toFloat16PerformanceScalar = all,
            .relaxedFloat32toFloat16PerformanceTensor = all,
            .operandPerformance = nonExtensionOperandPerformance(HalVersion::AIDL4, all),
            .ifPerformance = all,
            .whilePerformance = all};
}
inline Capabilities capabilities(float both) { return capabilities({both, both}); }

// Whether a device supports an operation of a main graph.
using Mask = std::function<bool(const Model&, const Operation&)>;

inline Mask only(std::vector<OperationType> types) {
    return [types = std::move(types)](const Model&, const Operation& o) {
        return absl::c_linear_search(types, o.type);
    };
}
inline Mask everything() {
    return [](const Model&, const Operation&) { return true; };
}
inline Mask nothing() {
    return [](const Model&, const Operation&) { return false; };
}
// Random, but the same for the same operation.
inline Mask random(uint64_t seed, unsigned percent = 50) {
    return [=](const Model&, const Operation& o) {
        std::mt19937_64 dice(seed * 1000003 + uint64_t{o.outputs.front()} * 7919 +
                             static_cast<uint64_t>(o.type));
        dice.discard(3);
        return dice() % 100 < percent;
    };
}

struct MaskedOptions {
    std::string name = "masked";
    Mask mask = everything();
    Capabilities capabilities = runtime::capabilities(1.0f);
    Version level = kNewestVersion;
};

// Another device restricted to some operations, with other capabilities. Records its queries and
// preparations.
class MaskedDevice final : public ForwardingDevice {
   public:
    MaskedDevice(SharedDevice device, MaskedOptions options)
        : ForwardingDevice(std::move(device)), mOptions(std::move(options)) {}

    const std::string& getName() const override { return mOptions.name; }
    Version getFeatureLevel() const override { return mOptions.level; }
    DeviceType getType() const override { return DeviceType::ACCELERATOR; }
    const Capabilities& getCapabilities() const override { return mOptions.capabilities; }
    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        auto supported = ForwardingDevice::getSupportedOperations(model);
        if (!supported.has_value()) return supported;
        // A faulty device may return too many values.
        for (size_t i = 0; i < std::min(supported->size(), model.main.operations.size()); ++i) {
            if (!mOptions.mask(model, model.main.operations[i])) (*supported)[i] = false;
        }
        return supported;
    }
    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        {
            const std::lock_guard lock(mMutex);
            if (prepared.size() < 16) prepared.push_back(model);
        }
        return ForwardingDevice::prepareModel(model, preference, priority, deadline, modelCache,
                                              dataCache, token, hints, prefixes);
    }
    GeneralResult<SharedPreparedModel> prepareModelFromCache(
            OptionalTimePoint deadline, const std::vector<SharedHandle>& modelCache,
            const std::vector<SharedHandle>& dataCache, const CacheToken& token) const override {
        ++fromCache;
        return ForwardingDevice::prepareModelFromCache(deadline, modelCache, dataCache, token);
    }

    mutable std::vector<Model> prepared{};  // the first models only
    mutable std::atomic<int> fromCache = 0;

   private:
    mutable std::mutex mMutex{};
    MaskedOptions mOptions;
};

inline std::shared_ptr<const MaskedDevice> masked(MaskedOptions options,
                                                  SharedDevice device = referenceDevice()) {
    return std::make_shared<const MaskedDevice>(std::move(device), std::move(options));
}

// Writes all outputs before it reads an input, like a driver that computes in place; then forwards
// to another prepared model, or fails.
class EagerPreparedModel final : public DefaultPreparedModel {
   public:
    EagerPreparedModel(SharedPreparedModel inner, bool fails)
        : mInner(std::move(inner)), mFails(fails) {}

    ExecutionResult<Executed> execute(
            const Request& request, MeasureTiming measure, const OptionalTimePoint& deadline,
            const OptionalDuration& loop, const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        for (const Request::Argument& output : request.outputs) {
            NNAPI_RETURN_IF_ERROR(scribble(request, output));
        }
        if (mFails) return error(ErrorStatus::DEAD_OBJECT) << "it has begun, and is gone";
        return mInner->execute(request, measure, deadline, loop, hints, prefixes);
    }
    std::any getUnderlyingResource() const override { return mInner->getUnderlyingResource(); }

   private:
    static Status scribble(const Request& request, const Request::Argument& output) {
        const std::vector<uint8_t> bytes(output.location.length, 0xA5);
        if (output.lifetime == Request::Argument::LifeTime::POINTER) {
            absl::c_copy(bytes, static_cast<uint8_t*>(std::get<void*>(output.location.pointer)));
            return {};
        }
        const auto* memory = std::get_if<SharedMemory>(&request.pools[output.location.poolIndex]);
        if (memory == nullptr) return {};
        return writeMemory(*memory, output.location.offset, bytes);
    }

    SharedPreparedModel mInner;
    bool mFails;
};

class EagerDevice final : public ForwardingDevice {
   public:
    explicit EagerDevice(SharedDevice device, bool fails = false)
        : ForwardingDevice(std::move(device)), mFails(fails) {}

   protected:
    SharedPreparedModel wrapPreparedModel(SharedPreparedModel made) const override {
        return std::make_shared<const EagerPreparedModel>(std::move(made), mFails);
    }

   private:
    bool mFails;
};

// nnapi-reference with the given relative speed.
inline PlanDevice cpu(float both = 1.0f) {
    Version version = kNewestVersion;
    version.runtimeOnlyFeatures = true;
    return {referenceDevice({.featureLevel = version, .capabilities = capabilities(both)}), true};
}

// Like makePlan, but never a simple plan.
inline GeneralResult<SharedPreparedModel> forcedCompound(const Model& model,
                                                         const std::vector<PlanDevice>& devices,
                                                         const PlanOptions& options) {
    NNAPI_ASSIGN_OR_RETURN(own, ownModel(model));
    NNAPI_ASSIGN_OR_RETURN(checked, validateModel(own));
    std::vector<SharedDevice> all;
    all.reserve(devices.size());
    for (const PlanDevice& device : devices) all.push_back(device.device);
    const Sizes sizes(*own, all);
    NNAPI_ASSIGN_OR_RETURN(assignment, assignDevices(checked, devices, options.preference, sizes));
    auto compound = makeCompound(own, devices, assignment, sizes, options, std::nullopt);
    if (!compound.has_value()) return compound.status();
    return compoundPreparedModel(*std::move(compound));
}

// Divides each model that it prepares. Supports the operations that any of its devices supports,
// and rejects the models that the CPU rejects.
class PartitionedDevice final : public ForwardingDevice {
   public:
    PartitionedDevice(std::vector<PlanDevice> devices, PlanOptions options, bool isForced = false)
        : ForwardingDevice(devices.back().device),
          mDevices(std::move(devices)),
          mOptions(std::move(options)),
          mIsForced(isForced) {}

    const std::string& getName() const override { return mName; }
    Version getFeatureLevel() const override { return kNewestVersion; }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override { return {0, 0}; }
    GeneralResult<SharedPreparedModel> prepareModel(
            const Model& model, ExecutionPreference preference, Priority priority,
            OptionalTimePoint deadline, const std::vector<SharedHandle>&,
            const std::vector<SharedHandle>&, const CacheToken&,
            const std::vector<TokenValuePair>& hints,
            const std::vector<ExtensionNameAndPrefix>& prefixes) const override {
        PlanOptions options = mOptions;
        options.preference = preference;
        options.priority = priority;
        options.deadline = deadline;
        options.hints = hints;
        options.prefixes = prefixes;
        auto plan = makePlan(model, mDevices, options);
        if (!plan.has_value() && plan.error().message.starts_with("a step on ")) {
            // A part of a random model may lack inputs or outputs; then the CPU executes all of it.
            options.partitioning = Partitioning::NO;
            plan = makePlan(model, mDevices, options);
        }
        if (!plan.has_value()) return plan.status();
        if (!(*plan)->isSimple()) ++divided;
        if (!mIsForced || !(*plan)->isSimple()) return (*plan)->preparedModel();
        auto one = forcedCompound(model, mDevices, options);
        if (!one.has_value()) return (*plan)->preparedModel();
        ++forced;
        return one;
    }
    GeneralResult<SharedPreparedModel> prepareModelFromCache(OptionalTimePoint,
                                                             const std::vector<SharedHandle>&,
                                                             const std::vector<SharedHandle>&,
                                                             const CacheToken&) const override {
        return error() << "no cache";
    }
    GeneralResult<SharedBuffer> allocate(const BufferDesc&, const std::vector<SharedPreparedModel>&,
                                         const std::vector<BufferRole>&,
                                         const std::vector<BufferRole>&) const override {
        return error() << "no memory";
    }

    mutable std::atomic<int> divided = 0;
    mutable std::atomic<int> forced = 0;

   private:
    std::vector<PlanDevice> mDevices;
    PlanOptions mOptions;
    bool mIsForced;
    std::string mName = "partitioned";
};

// Two devices that each support random operations, and the CPU for the rest.
inline std::vector<PlanDevice> randomDevices(uint64_t seed, const SharedDevice& first,
                                             const SharedDevice& second) {
    return {{masked({.name = "A", .mask = random(2 * seed)}, first)},
            {masked({.name = "B", .mask = random(2 * seed + 1)}, second)},
            cpu(2.0f)};
}

inline PlanOptions withoutFallback() { return {.partitioning = Partitioning::WITHOUT_FALLBACK}; }

}  // namespace nn::runtime
