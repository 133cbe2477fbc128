#include "nnapi/generate/code.h"
#include "nnapi/comparison.h"
#include "nnapi/generate/generate.h"
#include "relu.h"

using namespace nn;

int main() {
    const std::vector<Tensor> values = {{.dimensions = {2}, .data = std::vector<uint8_t>(8)}};
    const testing::Comparison same =
            testing::compareOutputs(relu(), values, values, testing::criteriaFor(relu()));
    return same.pass && !testing::code(relu()).empty() ? 0 : 1;
}
