// By the names of 0.1.0.
#include "nnapi/testing/code.h"
#include "nnapi/testing/compare.h"
#include "nnapi/testing/generate.h"
#include "relu.h"

using namespace nn;

int main() {
    const std::vector<Tensor> values = {{.dimensions = {2}, .data = std::vector<uint8_t>(8)}};
    const testing::Comparison same =
            testing::compareOutputs(relu(), values, values, testing::criteriaFor(relu()));
    return same.pass && !testing::code(relu()).empty() ? 0 : 1;
}
