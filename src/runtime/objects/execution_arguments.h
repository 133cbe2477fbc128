// The inputs and outputs that an application sets on an execution.
#pragma once

#include <memory>
#include <vector>

#include "nnapi/c/NeuralNetworks.h"
#include "runtime/compiled/compiled_model.h"
#include "runtime/objects/codes.h"
#include "runtime/objects/memory.h"

namespace nn::runtime {

struct ApiArgument {
    enum class Kind { UNSET, POINTER, MEMORY, NO_VALUE };

    Kind kind = Kind::UNSET;
    const void* data = nullptr;           // POINTER; outputs are written
    std::shared_ptr<ApiMemory> memory{};  // MEMORY
    uint32_t offset = 0;
    uint32_t length = 0;
    uint32_t padding = 0;
    Dimensions dimensions{};  // as far as they are known
};

// The place of a value: in the application's memory if `data` is set, otherwise in an
// ANeuralNetworksMemory.
struct ArgumentPlace {
    const void* data = nullptr;
    std::shared_ptr<ApiMemory> memory{};
    size_t offset = 0;
    size_t length = 0;
};

// Not thread-safe.
class ApiArguments {
   public:
    explicit ApiArguments(std::shared_ptr<const Compiled> compiled);

    // As ANeuralNetworksExecution_setInput and similar functions; type may be null.
    ApiStatus set(bool isInput, int32_t index, const ANeuralNetworksOperandType* type,
                  const ArgumentPlace& place);
    ApiStatus enablePadding(bool enable);

    // BAD_DATA if an argument is not set.
    ApiStatus checkComplete() const;
    // BAD_DATA if the size of an output is not known in advance.
    ApiStatus checkOutputsKnown() const;
    // Input memories that were created from a description.
    std::vector<std::shared_ptr<ApiMemory>> describedInputs() const;
    // OP_FAILED if an input memory has no value of the right dimensions, even after these events.
    Status checkValues(const std::vector<std::shared_ptr<ApiEvent>>& after) const;
    // Records that the outputs have values once the event has ended.
    void promiseValues(const std::shared_ptr<ApiEvent>& event, uint64_t start) const;

    // The request of an execution, with each memory once.
    Request request() const;

    const std::vector<ApiArgument>& outputs() const { return mOutputs; }

   private:
    ApiStatus checkType(const Operand& operand, const ANeuralNetworksOperandType* type,
                        bool allowOpen, Dimensions& dimensions) const;
    ApiStatus checkLength(const Operand& operand, size_t length, ApiArgument& argument) const;

    std::shared_ptr<const Compiled> mCompiled;
    std::vector<ApiArgument> mInputs;
    std::vector<ApiArgument> mOutputs;
    bool mHasPadding = false;
    bool mIsSet = false;
};

}  // namespace nn::runtime
