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
#include "fakes/hooked_device.h"
#include "nnapi/device_test/faulty_device.h"
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
class MaskedDevice final : public parts::DevicePart {
   public:
    MaskedDevice(SharedDevice device, MaskedOptions options)
        : DevicePart(std::move(device)), mOptions(std::move(options)) {}

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

    mutable std::vector<Model> prepared{};  // the first models only
    mutable std::atomic<int> fromCache = 0;

   protected:
    parts::Prepared prepare(const parts::Preparation& preparation) const override {
        {
            const std::lock_guard lock(mMutex);
            if (prepared.size() < 16) prepared.push_back(preparation.model);
        }
        return preparation.on(*inner());
    }
    parts::Prepared load(const parts::Loading& loading) const override {
        ++fromCache;
        return loading.on(*inner());
    }

   private:
    mutable std::mutex mMutex{};
    MaskedOptions mOptions;
};

inline std::shared_ptr<const MaskedDevice> masked(MaskedOptions options,
                                                  SharedDevice device = referenceDevice()) {
    return std::make_shared<const MaskedDevice>(std::move(device), std::move(options));
}

// Writes all outputs before it reads an input, like a driver that computes in place; then forwards
// to the device, or fails.
inline SharedDevice eager(SharedDevice device, bool fails = false) {
    const auto execute = [=](const fakes::ExecutionCall& call,
                             const IPreparedModel& inner) -> ExecutionResult<Executed> {
        std::vector<std::vector<uint8_t>> values;
        for (const Request::Argument& output : call.request.outputs) {
            values.emplace_back(output.location.length, 0xA5);
        }
        parts::writeOutputs(call.request, values);
        if (fails) return error(ErrorStatus::DEAD_OBJECT) << "it has begun, and is gone";
        return call.on(inner);
    };
    return fakes::hooked(std::move(device), {.execute = execute});
}

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
class PartitionedDevice final : public parts::DevicePart {
   public:
    PartitionedDevice(std::vector<PlanDevice> devices, PlanOptions options, bool isForced = false)
        : DevicePart(devices.back().device),
          mDevices(std::move(devices)),
          mOptions(std::move(options)),
          mIsForced(isForced) {}

    const std::string& getName() const override { return mName; }
    Version getFeatureLevel() const override { return kNewestVersion; }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override { return {0, 0}; }
    GeneralResult<SharedBuffer> allocate(const BufferDesc&, const std::vector<SharedPreparedModel>&,
                                         const std::vector<BufferRole>&,
                                         const std::vector<BufferRole>&) const override {
        return error() << "no memory";
    }

    mutable std::atomic<int> divided = 0;
    mutable std::atomic<int> forced = 0;

   protected:
    parts::Prepared prepare(const parts::Preparation& with) const override {
        PlanOptions options = mOptions;
        options.preference = with.preference;
        options.priority = with.priority;
        options.deadline = with.deadline;
        options.hints = with.hints;
        options.prefixes = with.prefixes;
        auto plan = makePlan(with.model, mDevices, options);
        if (!plan.has_value() && plan.error().message.starts_with("a step on ")) {
            // A part of a random model may lack inputs or outputs; then the CPU executes all of it.
            options.partitioning = Partitioning::NO;
            plan = makePlan(with.model, mDevices, options);
        }
        if (!plan.has_value()) return plan.status();
        if (!(*plan)->isSimple()) ++divided;
        if (!mIsForced || !(*plan)->isSimple()) return (*plan)->preparedModel();
        auto one = forcedCompound(with.model, mDevices, options);
        if (!one.has_value()) return (*plan)->preparedModel();
        ++forced;
        return one;
    }
    parts::Prepared load(const parts::Loading&) const override { return error() << "no cache"; }

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
