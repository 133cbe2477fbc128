// The interface by which IF and WHILE run graphs.
#pragma once

#include <string>
#include <string_view>

#include "nnapi/result.h"
#include "nnapi/types.h"
#include "opkit/rules/call.h"

namespace nn::ops {

// One execution of one operation. Graphs are named by the input that stands for them.
class GraphRunner {
   public:
    virtual ~GraphRunner() = default;

    virtual const Value& input(size_t i) const = 0;

    // Executes a graph on the inputs from `first` on; its outputs are those of the operation.
    virtual Status compute(size_t graph, size_t first) = 0;

    // ---- values that go round in a loop

    // Begins with the inputs from `first` on.
    virtual void carry(size_t first) = 0;

    // Executes a graph on the values; whether its output, a boolean, holds.
    virtual Result<bool> holds(size_t graph) = 0;

    // Executes a graph on the values; its outputs replace the first of them.
    virtual Status advance(size_t graph) = 0;

    // The first of the values are the outputs of the operation.
    virtual Status finish() = 0;

    // How long a loop may go on.
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
