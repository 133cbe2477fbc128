// A model of the sample NPU, ready to execute.
#ifndef SAMPLE_NPU_GRAPH_H
#define SAMPLE_NPU_GRAPH_H

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "CpuExecutor.h"
#include "HalInterfaces.h"
#include "Utils.h"
#include "kernels.h"

namespace sample::npu {

namespace hal = android::nn::hal;

// A pool of a request. Memory of the device has the dimensions of its value.
struct Region {
    uint8_t* data = nullptr;
    size_t size = 0;
    bool isDeviceMemory = false;
    std::vector<uint32_t> dimensions;
};

class Graph {
   public:
    // For each operation, whether the NPU supports it.
    static std::vector<bool> supportedOperations(const hal::Model& model);

    // Copies the constants. Null if a pool does not contain them.
    static std::shared_ptr<const Graph> create(const hal::Model& model);

    // Computes all outputs, then writes them. The request must fit the model. `shapes` has an entry
    // for each output, unless the execution fails for another reason than their sizes.
    hal::ErrorStatus execute(const hal::hidl_vec<hal::RequestArgument>& inputs,
                             const hal::hidl_vec<hal::RequestArgument>& outputs,
                             const std::vector<Region>& pools,
                             const std::optional<android::nn::Deadline>& deadline,
                             std::vector<hal::OutputShape>* shapes) const;

   private:
    // Values of an execution: constants and computed values.
    struct Values {
        std::vector<const Tensor*> known;
        std::vector<std::unique_ptr<Tensor>> own;
    };

    hal::ErrorStatus readInput(size_t index, const hal::RequestArgument& argument,
                               const std::vector<Region>& pools, Values* values) const;
    bool run(const hal::Operation& operation, Values* values) const;
    hal::ErrorStatus writeOutputs(const hal::hidl_vec<hal::RequestArgument>& arguments,
                                  const std::vector<Region>& pools, const Values& values,
                                  std::vector<hal::OutputShape>* shapes) const;

    std::vector<Tensor> mOperands;  // only constants have bytes
    std::vector<bool> mIsConstant;
    std::vector<hal::Operation> mOperations;
    std::vector<uint32_t> mInputs;
    std::vector<uint32_t> mOutputs;
};

}  // namespace sample::npu

#endif  // SAMPLE_NPU_GRAPH_H
