// nnapi_android/cpu_executor.h -- RunTimePoolInfo, and CpuExecutor: executes a model with the
// interpreter.
//
//   CpuExecutor executor;
//   const int code = executor.run(model, request, modelPools, requestPools);
//   if (code == ANEURALNETWORKS_NO_ERROR) shapes = executor.getOutputShapes();
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

#include "ControlFlow.h"
#include "OperationResolver.h"
#include "OperationsUtils.h"
#include "nnapi/type_utils.h"
#include "nnapi_android/cpu_run.h"
#include "nnapi_android/flavor.h"
#include "nnapi_android/memory_pools.h"

namespace nnapi_android {

// An operand during an execution, for kernels of a driver.
template <class Types>
struct BasicRunTimeOperandInfo {
    typename Types::OperandType type{};
    std::vector<uint32_t> dimensions{};
    float scale = 0.0f;
    int32_t zeroPoint = 0;
    uint8_t* buffer = nullptr;
    uint32_t length = 0;  // of the buffer, in bytes
    typename Types::OperandLifeTime lifetime{};
    uint32_t numberOfUsesLeft = 0;  // of a temporary variable
    typename Types::OperandExtraParams extraParams{};

    BasicShape<Types> shape() const {
        return {.type = type,
                .dimensions = dimensions,
                .scale = scale,
                .offset = zeroPoint,
                .extraParams = extraParams};
    }
    // True if the buffer has room for the dimensions, or only an extension knows the size.
    bool isSufficient() const {
        const auto canonical = static_cast<::nn::OperandType>(type);
        if (::nn::isExtension(canonical)) return true;
        const auto size = ::nn::operandSize(canonical, dimensions);
        return size.has_value() && length >= *size;
    }
};

template <class Types>
class BasicCpuExecutor {
   public:
    // Executes only operations of the built-in resolver: run() fails with any other.
    explicit BasicCpuExecutor(const BasicOperationResolver<Types>* operationResolver)
        : mResolver(operationResolver) {}
    BasicCpuExecutor() : BasicCpuExecutor(BasicBuiltinOperationResolver<Types>::get()) {}

    // Returns a ResultCode. The results are written to the request's pools. Each call prepares the
    // model again.
    int run(const typename Types::Model& model, const typename Types::Request& request,
            const std::vector<::android::nn::RunTimePoolInfo>& modelPoolInfos,
            const std::vector<::android::nn::RunTimePoolInfo>& requestPoolInfos) {
        mOutputShapes.clear();
        if (mResolver != BasicBuiltinOperationResolver<Types>::get()) {
            LOG(ERROR) << "CpuExecutor executes operations of the BuiltinOperationResolver alone";
            return ANEURALNETWORKS_OP_FAILED;
        }
        const CpuRun end = runOnCpu(model, request, modelPoolInfos, requestPoolInfos, mOptions);
        for (const ::nn::OutputShape& shape : end.outputShapes) {
            mOutputShapes.push_back(
                    {.dimensions = shape.dimensions, .isSufficient = shape.isSufficient});
        }
        return resultCodeOf(end.status);
    }

    // Of the last run: of a success, or of outputs that were too small; otherwise empty.
    const std::vector<typename Types::OutputShape>& getOutputShapes() const {
        return mOutputShapes;
    }

    void setDeadline(const ::nn::TimePoint& deadline) { mOptions.deadline = deadline; }
    void setDeadline(const std::chrono::steady_clock::time_point& deadline) {
        mOptions.deadline = canonicalDeadline(deadline);
    }
    // Nanoseconds that one WHILE may take.
    void setLoopTimeout(uint64_t duration) {
        mOptions.loopTimeout = ::nn::Duration(static_cast<int64_t>(
                std::min<uint64_t>(duration, ::nn::kLoopTimeoutMaximum.count())));
    }

   private:
    const BasicOperationResolver<Types>* mResolver;
    ::nn::ExecuteOptions mOptions{};
    std::vector<typename Types::OutputShape> mOutputShapes{};
};

}  // namespace nnapi_android

namespace android::nn {

using RunTimeOperandInfo = ::nnapi_android::BasicRunTimeOperandInfo<HelperTypes>;
using CpuExecutor = ::nnapi_android::BasicCpuExecutor<HelperTypes>;

// The first elements of an operand's buffer, which must have them.
template <class T>
T getScalarData(const RunTimeOperandInfo& info) {
    return *reinterpret_cast<const T*>(info.buffer);
}
template <class T>
T getScalarDataWithDefault(const RunTimeOperandInfo& info, T defaultValue) {
    return info.length < sizeof(T) ? defaultValue : getScalarData<T>(info);
}

inline bool IsNullInput(const RunTimeOperandInfo* input) {
    return input->lifetime == HelperTypes::OperandLifeTime::NO_VALUE;
}
inline int NumInputsWithValues(const HelperTypes::Operation& operation,
                               const RunTimeOperandInfo* operands) {
    return static_cast<int>(std::count_if(operation.inputs.begin(), operation.inputs.end(),
                                          [&](uint32_t i) { return !IsNullInput(&operands[i]); }));
}
inline int NumOutputs(const HelperTypes::Operation& operation) {
    return static_cast<int>(operation.outputs.size());
}
inline size_t NumDimensions(const RunTimeOperandInfo* operand) {
    return operand->dimensions.size();
}
inline uint32_t SizeOfDimension(const RunTimeOperandInfo* operand, int i) {
    return operand->dimensions[static_cast<size_t>(i)];
}
inline RunTimeOperandInfo* GetInput(const HelperTypes::Operation& operation,
                                    RunTimeOperandInfo* operands, int index) {
    return &operands[operation.inputs[static_cast<size_t>(index)]];
}
inline RunTimeOperandInfo* GetOutput(const HelperTypes::Operation& operation,
                                     RunTimeOperandInfo* operands, int index) {
    return &operands[operation.outputs[static_cast<size_t>(index)]];
}

}  // namespace android::nn
