// The arguments of a kernel: an operation whose operands have data, memory to work in, and
// conversions.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "op_support/kernels/interruption.h"
#include "op_support/kernels/scratch.h"
#include "op_support/kernels/workers.h"
#include "op_support/rules/op_view.h"

namespace nn::ops {

// Gives an output whose shape depends on data its memory.
class OutputAllocator {
   public:
    virtual ~OutputAllocator() = default;
    // Allocates that many bytes; null, after a report, if there is no memory.
    virtual MutableBytes allocate(size_t output, std::span<const uint32_t> dimensions) = 0;
};

class KernelCall : public OpView {
   public:
    KernelCall(const OpView& operation, std::span<Value> outputs, Scratch& scratch,
               Workers& workers, std::span<Interruption> interruptions,
               OutputAllocator* allocator = nullptr)
        : OpView(operation),
          mOutputs(outputs),
          mScratch(&scratch),
          mWorkers(&workers),
          mInterruptions(interruptions),
          mAllocator(allocator) {}

    // Elements to work in, of any values, until the kernel returns.
    template <class E>
    std::span<E> scratch(size_t count) {
        static_assert(std::is_trivially_copyable_v<E>);
        if (count > SIZE_MAX / sizeof(E)) throw std::bad_alloc();
        return {reinterpret_cast<E*>(scratchBytes(count * sizeof(E)).get()), count};
    }
    MutableBytes scratchBytes(size_t count) { return mScratch->allocate(count); }

    // The workers of this execution. Allocate scratch before splitting work.
    Workers& workers() { return *mWorkers; }

    // The interruption check of a worker; worker 0 is the calling thread.
    Interruption& interruption(size_t worker = 0) { return mInterruptions[worker]; }

    // The real values of a tensor of floats or of quantized values: its own memory for
    // TENSOR_FLOAT32, else converted (float16) or dequantized, (q - zeroPoint) * scale.
    std::span<const float> reals(size_t input);

    // The buffer for an output's real values: its own memory for TENSOR_FLOAT32, else scratch.
    std::span<float> realOutput(size_t output);

    // Stores the buffer from realOutput: rounds once, to nearest; halves away from zero and
    // saturating for quantized types (NaN becomes the largest), ties to even for float16.
    void store(size_t output, std::span<const float> values);

    // Sets the shape of an output that inferShapes left open, and allocates it. False, after a
    // report, if there is no memory.
    bool resize(size_t output, std::span<const uint32_t> dimensions);

   private:
    std::span<Value> mOutputs;
    Scratch* mScratch;
    Workers* mWorkers;
    std::span<Interruption> mInterruptions;
    OutputAllocator* mAllocator;
};

// The arithmetic of an operation: reads inputs, writes outputs. All shapes are known and agree as
// inferShapes requires; tensors may have any values. False, after a report, if the values are an
// error.
using Kernel = bool (*)(KernelCall& op);

// The kernels, one for each operation but IF and WHILE, defined in src/ops/<stem>/kernel.cc.
namespace kernels {
#define NNAPI_CONTROL_FLOW(...)
#define NNAPI_OPERATION(name, ...) bool name(KernelCall& op);
#include "nnapi/operations.def"
}  // namespace kernels

// The kernel of an operation; null for IF and WHILE, which have a GraphKernel, and without a spec.
Kernel kernelOf(OperationType type);

}  // namespace nn::ops
