// The arguments of an execution in private shared memory.
//
//   NNAPI_ASSIGN_OR_RETURN(arguments, Arguments::create(inputs, outputSizes));
//   auto executed = prepared->execute(arguments.request(), ...);
//   if (Failure failure = arguments.checkUntouched()) return *failure;
//   std::vector<Tensor> outputs = arguments.outputs(shapes);
#pragma once

#include <vector>

#include "nnapi/memory.h"
#include "nnapi/result.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"
#include "testing/device/case_outcome.h"

namespace nn::testing {

// Inputs lie in pool 0, outputs in pool 1, each aligned, and bytes between them that nobody may
// write.
class Arguments {
   public:
    struct Output {
        uint32_t length = 0;      // bytes; at least 1 is given
        Dimensions dimensions{};  // those that are expected; for outputs()
    };

    static Result<Arguments> create(const std::vector<Tensor>& inputs, std::vector<Output> outputs);

    const Request& request() const { return mRequest; }
    Request& request() { return mRequest; }
    const SharedMemory& inputMemory() const { return mInputs; }
    const SharedMemory& outputMemory() const { return mOutputs; }

    // Writes other values to the inputs, which have the sizes of the first.
    void setInputs(const std::vector<Tensor>& inputs);

    // Makes sure that no result of an earlier execution is taken for one of a later.
    void clearOutputs();

    // The bytes of the outputs with these dimensions; with those that are expected where there are
    // none.
    std::vector<Tensor> outputs(const std::vector<OutputShape>& shapes,
                                const std::vector<OperandType>& types) const;

    // Nothing was written but the outputs.
    Failure checkUntouched() const;

   private:
    Request mRequest{};
    SharedMemory mInputs{}, mOutputs{};
    Mapping mInputBytes{}, mOutputBytes{};
    std::vector<uint8_t> mExpectedInputs{};
    std::vector<Output> mExpected{};
};

}  // namespace nn::testing
