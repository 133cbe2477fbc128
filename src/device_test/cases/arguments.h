// The arguments of an execution in private shared memory. They are read and written by calls rather
// than by a mapping, which costs more than most executions of a test.
//
//   NNAPI_ASSIGN_OR_RETURN(arguments, Arguments::create(inputs, outputSizes));
//   auto executed = prepared->execute(arguments.request(), ...);
//   if (Failure failure = arguments.checkUntouched()) return failure;
//   std::vector<Tensor> outputs = arguments.outputs(shapes);
#pragma once

#include <vector>

#include "device_test/cases/case_outcome.h"
#include "nnapi/memory.h"
#include "nnapi/result.h"
#include "nnapi/tensor.h"
#include "nnapi/types.h"

namespace nn::testing {

// Where arguments lie in their pools.
struct Placement {
    uint32_t alignment = kDefaultRequestMemoryAlignment;  // of each offset
    uint32_t first = 0;                                   // the first offset
    bool hasReadOnlyInputs = false;  // the device gets no right to write to them
    uint32_t pagesBefore = 0;        // of the files of the pools
};

// Memory of a file as the device gets it, and as the test writes it.
struct PlacedMemory {
    SharedMemory given{};
    SharedMemory own{};

    // Of so many bytes, with the pages before them filled.
    static Result<PlacedMemory> create(size_t size, bool isReadOnly, uint32_t pagesBefore);
};

// Stores inputs in pool 0 and outputs in pool 1, each aligned, with guard bytes between them that
// must stay unchanged.
class Arguments {
   public:
    // Each byte of outputs and of what lies between arguments, until an execution writes it.
    static constexpr uint8_t kUntouched = 0xA5;

    struct Output {
        uint32_t length = 0;      // in bytes; at least 1 is allocated
        Dimensions dimensions{};  // expected by outputs()
    };

    static Result<Arguments> create(const std::vector<Tensor>& inputs, std::vector<Output> outputs,
                                    const Placement& placement = {});

    const Request& request() const { return mRequest; }
    Request& request() { return mRequest; }
    const SharedMemory& inputMemory() const { return mInputs.given; }
    const SharedMemory& outputMemory() const { return mOutputs.given; }

    // Replaces the values of the inputs; sizes must not change.
    void setInputs(const std::vector<Tensor>& inputs);

    // Overwrites the outputs, so that results of an earlier execution cannot pass for those of a
    // later one.
    void clearOutputs();

    // The outputs with these dimensions, or the expected ones if there are none.
    std::vector<Tensor> outputs(const std::vector<OutputShape>& shapes,
                                const std::vector<OperandType>& types) const;

    // Fails if anything but the outputs was written. A client of HAL 1.2 and 1.3 enters the pools
    // of its first request into slots 0 and 1 of a burst, so a message names both.
    Failure checkUntouched() const;

   private:
    Failure checkInputs(const std::vector<uint8_t>& outputPool) const;

    Request mRequest{};
    PlacedMemory mInputs{}, mOutputs{};
    size_t mOutputSize = 0;  // in bytes, of the pool
    std::vector<uint8_t> mExpectedInputs{};
    std::vector<Output> mExpected{};
};

}  // namespace nn::testing
