// The interface by which IF and WHILE run graphs.
#pragma once

#include <string>
#include <string_view>

#include "nnapi/result.h"
#include "nnapi/types.h"
#include "op_support/rules/op_view.h"

namespace nn::ops {

// One execution of IF or WHILE. Graphs are identified by the input that refers to them.
class GraphRunner {
   public:
    virtual ~GraphRunner() = default;

    virtual const Value& input(size_t i) const = 0;

    // Executes a graph on the inputs from `first` on; its outputs become those of the operation.
    virtual Status compute(size_t graph, size_t first) = 0;

    // ---- loop-carried values

    // Initializes the values with the inputs from `first` on.
    virtual void carry(size_t first) = 0;

    // Executes a graph on the values and returns its boolean output.
    virtual Result<bool> holds(size_t graph) = 0;

    // Executes a graph on the values; its outputs replace the first of them.
    virtual Status advance(size_t graph) = 0;

    // Makes the first values the outputs of the operation.
    virtual Status finish() = 0;

    // The time limit of loops.
    virtual Duration loopTimeout() const = 0;

    // The error of this operation.
    virtual Status failure(ErrorStatus code, std::string_view rule, std::string message) const = 0;
};

using GraphKernel = Status (*)(GraphRunner& graphs);

// Defined in src/ops/<stem>/kernel.cc.
namespace kernels {
#define NNAPI_OPERATION(...)
#define NNAPI_CONTROL_FLOW(name, ...) Status name(GraphRunner& graphs);
#include "nnapi/operations.def"
}  // namespace kernels

// Null for all operations but IF and WHILE.
GraphKernel graphKernelOf(OperationType type);

}  // namespace nn::ops
