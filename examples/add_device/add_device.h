// A device that only adds float32 tensors, as a starting point for other devices.
#pragma once

#include <algorithm>
#include <cstring>

#include "nnapi/driver/default_prepared_model.h"
#include "nnapi/memory.h"
#include "nnapi/type_utils.h"
#include "nnapi/validate.h"

namespace nn::example {
using Hints = std::vector<TokenValuePair>;
using Prefixes = std::vector<ExtensionNameAndPrefix>;
using Handles = std::vector<SharedHandle>;
using Roles = std::vector<BufferRole>;
using Prepared = GeneralResult<SharedPreparedModel>;

class AddPreparedModel final : public DefaultPreparedModel {
   public:
    explicit AddPreparedModel(Model model) : mModel(std::move(model)) {}

    ExecutionResult<Executed> execute(const Request& request, MeasureTiming measure,
                                      const OptionalTimePoint& deadline, const OptionalDuration&,
                                      const Hints&, const Prefixes&) const override {
        const TimePoint begin = Clock::now();
        // A driver's clients may be malicious: all arguments are checked before use.
        NNAPI_RETURN_IF_ERROR(validate(measure).status());
        NNAPI_RETURN_IF_ERROR(validateRequestForModel(request, mModel).status());
        if (hasDeadlinePassed(deadline))
            return error(ErrorStatus::MISSED_DEADLINE_PERSISTENT) << "the deadline is past";
        const auto& [operands, operations, inputs, outputs] = mModel.main;
        std::vector<std::vector<float>> values(operands.size());
        for (size_t i = 0; i < inputs.size(); ++i) {
            values[inputs[i]].resize(request.inputs[i].location.length / sizeof(float));
            NNAPI_RETURN_IF_ERROR(copy(request, request.inputs[i], values[inputs[i]], readMemory));
        }
        for (const Operation& add : operations) {
            std::vector<float>& sum = values[add.outputs[0]] = values[add.inputs[0]];
            for (size_t i = 0; i < sum.size(); ++i) sum[i] += values[add.inputs[1]][i];
        }
        // The sizes are sufficient: the model specifies all shapes, and the request was checked.
        for (size_t i = 0; i < outputs.size(); ++i) {
            NNAPI_RETURN_IF_ERROR(
                    copy(request, request.outputs[i], values[outputs[i]], writeMemory));
        }
        if (measure == MeasureTiming::NO) return Executed{};
        return Executed{{}, {.timeInDriver = Clock::now() - begin}};
    }

    GeneralResult<ExecutedFenced> executeFenced(
            const Request& request, const std::vector<SyncFence>& waitFor, MeasureTiming measure,
            const OptionalTimePoint& deadline, const OptionalDuration& loopTimeout,
            const OptionalDuration& timeAfterFences, const Hints& hints,
            const Prefixes& prefixes) const override {
        NNAPI_RETURN_IF_ERROR(validateRequestForModel(request, mModel, false).status());
        return DefaultPreparedModel::executeFenced(request, waitFor, measure, deadline, loopTimeout,
                                                   timeAfterFences, hints, prefixes);
    }
    GeneralResult<SharedExecution> createReusableExecution(
            const Request& request, MeasureTiming measure, const OptionalDuration& loopTimeout,
            const Hints& hints, const Prefixes& prefixes) const override {
        NNAPI_RETURN_IF_ERROR(validateRequestForModel(request, mModel).status());
        return DefaultPreparedModel::createReusableExecution(request, measure, loopTimeout, hints,
                                                             prefixes);
    }

   private:
    // Reads or writes values with a function of nnapi/memory.h.
    static Status copy(const Request& request, const Request::Argument& argument,
                       std::span<float> values, const auto& readOrWrite) {
        if (argument.lifetime != Request::Argument::LifeTime::POOL)
            return error(ErrorStatus::INVALID_ARGUMENT) << "this device takes no pointers";
        const auto* pool = std::get_if<SharedMemory>(&request.pools[argument.location.poolIndex]);
        return readOrWrite(pool == nullptr ? nullptr : *pool, argument.location.offset,
                           {reinterpret_cast<uint8_t*>(values.data()), values.size_bytes()});
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
        NNAPI_RETURN_IF_ERROR(validate(model).status());
        std::vector<bool> isSupported;
        for (const Operation& each : model.main.operations) {
            isSupported.push_back(isSum(model, each));
        }
        return isSupported;
    }
    Prepared prepareModel(const Model& model, ExecutionPreference preference, Priority priority,
                          OptionalTimePoint deadline, const Handles&, const Handles&,
                          const CacheToken&, const Hints&, const Prefixes&) const override {
        NNAPI_RETURN_IF_ERROR(validate(preference).status());
        NNAPI_RETURN_IF_ERROR(validate(priority).status());
        NNAPI_ASSIGN_OR_RETURN(isSupported, getSupportedOperations(model));
        if (std::ranges::find(isSupported, false) != isSupported.end())
            return error(ErrorStatus::INVALID_ARGUMENT) << "this device adds tensors of one shape";
        if (hasDeadlinePassed(deadline))
            return error(ErrorStatus::MISSED_DEADLINE_PERSISTENT) << "the deadline is past";
        return SharedPreparedModel(std::make_shared<const AddPreparedModel>(model));
    }
    Prepared prepareModelFromCache(OptionalTimePoint, const Handles&, const Handles&,
                                   const CacheToken&) const override {
        return error() << "this device has no cache";
    }
    GeneralResult<SharedBuffer> allocate(const BufferDesc&, const std::vector<SharedPreparedModel>&,
                                         const Roles&, const Roles&) const override {
        return error() << "this device has no memory of its own";
    }

   private:
    // Supports float32 variables of one known shape, without an activation.
    static bool isSum(const Model& model, const Operation& add) {
        if (add.type != OperationType::ADD) return false;
        const auto at = [&](uint32_t i) -> const Operand& { return model.main.operands[i]; };
        const Operand &a = at(add.inputs[0]), &b = at(add.inputs[1]),
                      &activation = at(add.inputs[2]);
        if (activation.lifetime != Operand::LifeTime::CONSTANT_COPY) return false;
        int32_t value = 0;
        std::memcpy(&value, model.operandValues.data() + activation.location.offset, sizeof(value));
        return value == 0 && a.type == OperandType::TENSOR_FLOAT32 && !isConstant(a.lifetime) &&
               !isConstant(b.lifetime) && !hasUnspecifiedDimensions(a.type, a.dimensions) &&
               a.dimensions == b.dimensions && a.dimensions == at(add.outputs[0]).dimensions;
    }

    std::string mName = "add", mVersion = "1.0";
    std::vector<Extension> mExtensions{};
    Capabilities mCapabilities{};
};
}  // namespace nn::example
