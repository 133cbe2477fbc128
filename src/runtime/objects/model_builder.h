// ANeuralNetworksModel, until it is finished.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "base/process_mutex.h"
#include "nnapi/c/NeuralNetworks.h"
#include "runtime/compiled/compiled_model.h"
#include "runtime/objects/codes.h"
#include "runtime/objects/memory.h"

namespace nn::runtime {

// Methods correspond to the C API functions of the same names; pointers must not be null.
// Thread-safe.
class ModelBuilder {
   public:
    ModelBuilder();

    ApiStatus addOperand(const ANeuralNetworksOperandType& type);
    ApiStatus setOperandValue(int32_t index, const void* buffer, size_t length);
    ApiStatus setOperandValueFromMemory(int32_t index, const ApiMemory& memory, size_t offset,
                                        size_t length);
    ApiStatus setOperandValueFromModel(int32_t index, const ModelBuilder& value);
    ApiStatus setOperandSymmPerChannelQuantParams(
            int32_t index, const ANeuralNetworksSymmPerChannelQuantParams& params);
    ApiStatus setOperandExtensionData(int32_t index, const void* data, size_t length);
    ApiStatus addOperation(OperationType type, std::span<const uint32_t> inputs,
                           std::span<const uint32_t> outputs);
    ApiStatus identifyInputsAndOutputs(std::span<const uint32_t> inputs,
                                       std::span<const uint32_t> outputs);
    ApiStatus relax(bool allow);
    ApiStatus finish();

    // BAD_STATE before a successful finish.
    ApiStatus finished(std::shared_ptr<const FinishedModel>& model) const;

   private:
    enum class State { BUILDING, COMPLETED, INVALID };

    static constexpr char kNeedsBoth[] = "every model has at least one input and one output";

    // BAD_STATE once it is completed or invalid.
    ApiStatus checkOpen() const;
    // Also BAD_DATA for an operand that does not exist.
    ApiStatus checkOperand(int32_t index) const;
    ApiStatus checkLength(const Operand& operand, size_t length) const;
    ApiStatus checkOperationType(OperationType type) const;
    ApiStatus complete();
    // The pool index of a memory in the model.
    uint32_t poolOf(const SharedMemory& memory);
    // Adds the graphs of a finished model, each once, as referenced graphs; returns the index of
    // its main graph.
    uint32_t adopt(const FinishedModel& value);
    void adoptOperand(const FinishedModel& value, const std::vector<uint32_t>& graphs,
                      Operand& operand);
    Status copyLargeValues();

    mutable ProcessMutex mMutex{};
    State mState = State::BUILDING;
    Model mModel{};
    std::map<const Memory*, uint32_t> mPools{};
    std::vector<uint64_t> mGraphIds;             // main, and those that are referenced
    std::map<uint64_t, uint32_t> mReferenced{};  // by id
    std::shared_ptr<const FinishedModel> mFinished{};
};

// Sorts the operations of the main graph so that each comes after those that write its inputs, the
// most recently ready first. INVALID_ARGUMENT if there is no such order. `order` receives their
// former indexes.
Status sortOperations(Model& model, std::vector<uint32_t>& order);

}  // namespace nn::runtime
