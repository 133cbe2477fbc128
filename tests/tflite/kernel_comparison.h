// Compares the results of the NNAPI with those of TensorFlow Lite's own kernels.
#pragma once

#include <string>
#include <vector>

#include "importers/kernel_tolerance.h"
#include "lite_tensors.h"
#include "nnapi/io.h"

namespace nn {

// Operation by operation: each is executed with the values that TensorFlow Lite has of its inputs,
// so that no difference adds up. Where TensorFlow Lite has no such tensor, as between a convolution
// and its activation, the result goes on to the next operation.
struct OperationsComparison {
    size_t operations = 0;
    size_t compared = 0;  // outputs
    std::vector<std::string> failures{};
};

//   recorded  the execution of an application through the C API, with all tensors as outputs
//   byNnapi   the tensors of that application
//   byLite    TensorFlow Lite's own results, in the same order
OperationsComparison compareOperations(const TestCase& recorded,
                                       const std::vector<LiteTensor>& byNnapi,
                                       const std::vector<LiteTensor>& byLite);

// Whole networks add differences up: they are reported, not limited. But the highest number of an
// output must be the same one where it exceeds the next by more than the two differ.
struct NetworkComparison {
    double largest = 0;  // difference, divided by the largest number of its output
    bool sameTop = true;
};
NetworkComparison compareNetworks(const std::vector<LiteTensor>& byNnapi,
                                  const std::vector<LiteTensor>& byLite);

}  // namespace nn
