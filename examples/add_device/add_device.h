// A device that adds tensors of float32 and nothing else, to be copied and filled in.
#pragma once

#include <cstring>

#include "nnapi/driver/default_burst.h"
#include "nnapi/driver/default_execution.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::example {
using Hints = std::vector<TokenValuePair>;
using Prefixes = std::vector<ExtensionNameAndPrefix>;
using Handles = std::vector<SharedHandle>;
using Roles = std::vector<BufferRole>;

class AddPreparedModel final : public IPreparedModel,
                               public std::enable_shared_from_this<AddPreparedModel> {
   public:
    explicit AddPreparedModel(Model model) : mModel(std::move(model)) {}

    ExecutionResult<Executed> execute(const Request& request, MeasureTiming,
                                      const OptionalTimePoint&, const OptionalDuration&,
                                      const Hints&, const Prefixes&) const override {
        // Who calls a driver may be anybody: nothing is used before it was checked.
        if (auto valid = validateRequestForModel(request, mModel); !valid.ok())
            return valid.status();
        std::vector<float> a, b;
        if (Status read = load(request, request.inputs[0], a); !read.ok()) return read;
        if (Status read = load(request, request.inputs[1], b); !read.ok()) return read;
        for (size_t i = 0; i < a.size(); ++i) a[i] += b[i];
        if (Status written = store(request, request.outputs[0], a); !written.ok()) return written;
        return Executed{};  // the model says all shapes
    }

    GeneralResult<ExecutedFenced> executeFenced(const Request&, const std::vector<SyncFence>&,
                                                MeasureTiming, const OptionalTimePoint&,
                                                const OptionalDuration&, const OptionalDuration&,
                                                const Hints&, const Prefixes&) const override {
        return error() << "this device has no fences";
    }
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure, const OptionalDuration& loopTimeout,
            const Hints& hints, const Prefixes& prefixes) const override {
        return SharedExecution(std::make_shared<const DefaultExecution>(
                shared_from_this(), request, measure, loopTimeout, hints, prefixes));
    }
    GeneralResult<SharedBurst> configureExecutionBurst() const override {
        return SharedBurst(std::make_shared<const DefaultBurst>(shared_from_this()));
    }
    std::any getUnderlyingResource() const override { return {}; }

   private:
    static std::span<uint8_t> bytesOf(std::vector<float>& values) {
        return {reinterpret_cast<uint8_t*>(values.data()), values.size() * sizeof(float)};
    }
    static GeneralResult<SharedMemory> poolOf(const Request& request,
                                              const Request::Argument& argument) {
        const auto* memory =
                argument.lifetime == Request::Argument::LifeTime::POOL
                        ? std::get_if<SharedMemory>(&request.pools[argument.location.poolIndex])
                        : nullptr;
        if (memory != nullptr) return *memory;
        return error(ErrorStatus::INVALID_ARGUMENT)
               << "this device takes arguments in shared memory";
    }
    static Status load(const Request& request, const Request::Argument& argument,
                       std::vector<float>& values) {
        const auto pool = poolOf(request, argument);
        if (!pool.has_value()) return pool.status();
        values.resize(argument.location.length / sizeof(float));
        return readMemory(*pool, argument.location.offset, bytesOf(values));
    }
    static Status store(const Request& request, const Request::Argument& argument,
                        std::vector<float>& values) {
        const auto pool = poolOf(request, argument);
        if (!pool.has_value()) return pool.status();
        return writeMemory(*pool, argument.location.offset, bytesOf(values));
    }

    Model mModel;
};

class AddDevice final : public IDevice {
   public:
    const std::string& getName() const override { return mName; }
    const std::string& getVersionString() const override { return mVersion; }
    Version getFeatureLevel() const override { return kVersionFeatureLevel4; }
    DeviceType getType() const override { return DeviceType::ACCELERATOR; }
    const std::vector<Extension>& getSupportedExtensions() const override { return mExtensions; }
    const Capabilities& getCapabilities() const override { return mCapabilities; }
    std::pair<uint32_t, uint32_t> getNumberOfCacheFilesNeeded() const override { return {0, 0}; }
    GeneralResult<void> wait() const override { return {}; }

    GeneralResult<std::vector<bool>> getSupportedOperations(const Model& model) const override {
        if (auto valid = validate(model); !valid.ok()) return valid.status();
        std::vector<bool> isSupported;
        for (const Operation& operation : model.main.operations) {
            const Operand& a = model.main.operands[operation.inputs[0]];
            isSupported.push_back(operation.type == OperationType::ADD &&
                                  a.type == OperandType::TENSOR_FLOAT32 &&
                                  isZero(model, model.main.operands[operation.inputs[2]]));
        }
        return isSupported;
    }

    GeneralResult<SharedPreparedModel> prepareModel(const Model& model, ExecutionPreference,
                                                    Priority, OptionalTimePoint, const Handles&,
                                                    const Handles&, const CacheToken&, const Hints&,
                                                    const Prefixes&) const override {
        const auto isSupported = getSupportedOperations(model);
        if (!isSupported.has_value()) return isSupported.status();
        // One addition of two inputs of one known shape; everything else is for other devices.
        const auto& [operands, operations, inputs, outputs] = model.main;
        if (*isSupported != std::vector{true} || inputs.size() != 2 || outputs.size() != 1 ||
            operands[inputs[0]].dimensions != operands[inputs[1]].dimensions ||
            hasUnspecifiedDimensions(operands[inputs[0]].type, operands[inputs[0]].dimensions)) {
            return error(ErrorStatus::INVALID_ARGUMENT)
                   << "this device adds two inputs of one shape";
        }
        return SharedPreparedModel(std::make_shared<const AddPreparedModel>(model));
    }
    GeneralResult<SharedPreparedModel> prepareModelFromCache(OptionalTimePoint, const Handles&,
                                                             const Handles&,
                                                             const CacheToken&) const override {
        return error() << "this device has no cache";
    }
    GeneralResult<SharedBuffer> allocate(const BufferDesc&, const std::vector<SharedPreparedModel>&,
                                         const Roles&, const Roles&) const override {
        return error() << "this device has no memory of its own";
    }

   private:
    // A constant in the model that says that no activation follows.
    static bool isZero(const Model& model, const Operand& operand) {
        int32_t value = 1;
        if (operand.lifetime == Operand::LifeTime::CONSTANT_COPY) {
            std::memcpy(&value, model.operandValues.data() + operand.location.offset,
                        sizeof(value));
        }
        return value == 0;
    }

    std::string mName = "add", mVersion = "1.0";
    std::vector<Extension> mExtensions{};
    Capabilities mCapabilities{};
};
}  // namespace nn::example
