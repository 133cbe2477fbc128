// The arguments of an execution in private shared memory. They are read and written by calls rather
// than by a mapping, which costs more than most executions of a test.
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

// Stores inputs in pool 0 and outputs in pool 1, each aligned, with guard bytes between them that
// must stay unchanged.
class Arguments {
   public:
    struct Output {
        uint32_t length = 0;      // in bytes; at least 1 is allocated
        Dimensions dimensions{};  // expected by outputs()
    };

    static Result<Arguments> create(const std::vector<Tensor>& inputs, std::vector<Output> outputs);

    const Request& request() const { return mRequest; }
    Request& request() { return mRequest; }
    const SharedMemory& inputMemory() const { return mInputs; }
    const SharedMemory& outputMemory() const { return mOutputs; }

    // Replaces the values of the inputs; sizes must not change.
    void setInputs(const std::vector<Tensor>& inputs);

    // Overwrites the outputs, so that results of an earlier execution cannot pass for those of a
    // later one.
    void clearOutputs();

    // The outputs with these dimensions, or the expected ones if there are none.
    std::vector<Tensor> outputs(const std::vector<OutputShape>& shapes,
                                const std::vector<OperandType>& types) const;

    // Fails if anything but the outputs was written.
    Failure checkUntouched() const;

   private:
    Request mRequest{};
    SharedMemory mInputs{}, mOutputs{};
    size_t mOutputSize = 0;  // in bytes, of the pool
    std::vector<uint8_t> mExpectedInputs{};
    std::vector<Output> mExpected{};
};

}  // namespace nn::testing
